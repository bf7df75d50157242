// Every screen in both themes and languages, at a phone's and a desk's width; and when things go wrong.
import assert from "node:assert/strict";
import { DESKTOP, PHONE, closePage, openPage, picture, searches, seriousProblems, serve, show } from "./harness.mjs";

const LOOKS = [
  { name: "desktop-light", size: DESKTOP, theme: "light", locale: "en" },
  { name: "desktop-dark", size: DESKTOP, theme: "dark", locale: "zh-CN" },
  { name: "phone-light", size: PHONE, theme: "light", locale: "zh-CN" },
  { name: "phone-dark", size: PHONE, theme: "dark", locale: "en" },
];

/** Each screen, brought to where there is something to see. */
const SCREENS = {
  // The person is to move: an engine would answer, and the position would be gone.
  play: async (page) => show(page, "play", "connect4 121212"),
  analyse: async (page) => {
    await show(page, "analyse", "connect4 44353");
    await page.waitForSelector('[data-summary="final"]');
  },
  review: async (page) => {
    await show(page, "review", "connect4 1414");
    await page.click('[data-act="review"]');
    await page.waitForSelector('[data-review="done"]');
    await page.click('[data-act="prev-slip"]');
    await page.waitForSelector(".verdict.blunder, .verdict.slip");
  },
  watch: async (page) => {
    await show(page, "watch", "connect4");
    await page.selectOption('[data-setting="timeMs"]', "20");
    await page.selectOption('[data-setting="games"]', "2");
    await page.click('[data-act="match"]');
    await page.waitForSelector('[data-match="finished"]');
  },
  stored: async (page) => {
    await show(page, "watch", "connect4");
    await page.click("[data-run]");
    await page.click('[data-game="0"]');
    await page.waitForSelector(".graph");
  },
  learn: async (page) => {
    await show(page, "learn", "connect4");
    await page.waitForSelector('[data-puzzle="puzzleGo"]');
  },
  free: async (page) => {
    await show(page, "analyse", "renju h8 i9 i8 g8 j7 h10");
    // There an analysis goes on for a minute: its first values are enough.
    await page.waitForSelector(".lines .pill:not(.blank)");
    await page.click('[data-act="pause"]');
    await page.click('[data-act="numbers"]');
  },
  games: async (page) => {
    await show(page, "play", "connect4");
    await page.click('[data-act="games"]');
    await page.click(".own summary");
  },
};

async function looksRight(browser, server, look) {
  const page = await openPage(browser, server, look);
  for (const [name, prepare] of Object.entries(SCREENS)) {
    await prepare(page);
    await picture(page, `${name}-${look.name}`);
    assert.deepEqual(await seriousProblems(page), [], `${name}, ${look.name}`);
    const [inner, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    assert.ok(whole <= inner, `${name}, ${look.name}: ${whole} wide in ${inner}`);
    await page.keyboard.press("Escape");
  }
  await closePage(page);
}

export const all_screens_look_right_on_a_desk_in_light = (browser, server) => looksRight(browser, server, LOOKS[0]);
export const all_screens_look_right_on_a_desk_in_dark = (browser, server) => looksRight(browser, server, LOOKS[1]);
export const all_screens_look_right_on_a_phone_in_light = (browser, server) => looksRight(browser, server, LOOKS[2]);
export const all_screens_look_right_on_a_phone_in_dark = (browser, server) => looksRight(browser, server, LOOKS[3]);

export async function a_finger_plays_and_finds_its_targets(browser, server) {
  const page = await openPage(browser, server, { size: PHONE });
  await page.click('[data-opponent="person"]');
  await page.tap('.stage [data-cell="3,0"]');
  await page.waitForSelector(".stage .stone");
  const small = await page.$$eval("header a:not(.brand), header button, .panel button:not(.move), .panel select", (all) => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
  assert.deepEqual(small, []);
  await closePage(page);
}

export async function language_and_theme_are_kept(browser, server) {
  const page = await openPage(browser, server);
  await page.click('[data-act="language"]');
  await page.click('[data-act="theme"]');
  await page.reload();
  await page.waitForSelector("svg.board");
  assert.equal(await page.textContent('nav a[href="#/play"]'), "对弈");
  assert.equal(await page.getAttribute("html", "lang"), "zh-CN");
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await closePage(page);
}

export async function a_bad_link_says_why(browser, server) {
  const page = await openPage(browser, server);
  await page.goto(`${server.origin}/#/play?p=${encodeURIComponent("connect4 4x")}`);
  await page.waitForSelector(".toast");
  assert.match(await page.textContent(".toast"), /no position that can be shown/);
  // The refusal itself is on the console, as browsers will have it.
  assert.match(page.complaints.pop(), /400/);
  await closePage(page);
}

export async function without_the_token_the_page_says_what_to_do(browser, server) {
  const page = await openPage(browser, server, { token: false });
  await page.waitForSelector('[role="alert"]');
  assert.match(await page.textContent('[role="alert"]'), /address that stoneline printed/);
  assert.match(page.complaints.pop(), /401/);
  await closePage(page);
}

export async function a_server_that_stopped_is_told(browser) {
  const server = await serve();
  const page = await openPage(browser, server);
  await page.click('[data-opponent="person"]');
  await server.end();
  await page.click('.stage [data-cell="3,0"]');
  await page.waitForSelector('[role="alert"]');
  assert.match(await page.textContent('[role="alert"]'), /stopped answering/);
  assert.match(page.complaints.pop(), /ERR_CONNECTION_REFUSED/);
  await closePage(page);
}

export async function two_tabs_share_the_cores(browser, server) {
  const pages = [];
  for (let n = 0; n < 4; n++) {
    const page = await openPage(browser, server);
    await show(page, "analyse", "connectx:16x16x5");
    pages.push(page);
  }
  // More tabs than cores: every one of them gets its turn.
  for (const page of pages) await page.waitForSelector(".board .value");
  const { peak, total } = await searches(pages[0]);
  assert.ok(peak <= total);
  for (const page of pages) {
    // A tab that was told to wait has a 503 on its console, and that alone.
    page.complaints.splice(0, page.complaints.length, ...page.complaints.filter((text) => !text.includes("503")));
    await closePage(page);
  }
}
