// A person's paths through Play.
import assert from "node:assert/strict";
import { announced, cell, closePage, hasStones, openPage, show, shownPosition } from "./harness.mjs";

const status = (page, wanted) => page.waitForSelector(`[data-status="${wanted}"]`);
const act = (page, name) => page.click(`[data-act="${name}"]`);

async function twoPeople(page) {
  await page.click('[data-opponent="person"]');
}

export async function an_engine_answers_and_moves_are_taken_back(browser, server) {
  const page = await openPage(browser, server);
  await page.click('[data-opponent="engine"]');
  await cell(page, 3, 4).click();
  await hasStones(page, 2);
  await status(page, "open");
  assert.match(await shownPosition(page), /^connect4 4[1-7]$/);
  await act(page, "undo");
  await hasStones(page, 0);
  assert.equal(await shownPosition(page), "connect4");
  await closePage(page);
}

export async function the_engine_opens_when_asked_to(browser, server) {
  const page = await openPage(browser, server);
  await page.click('[data-opponent="engine"]');
  await page.click('[data-side="1"]');
  await act(page, "start");
  await hasStones(page, 1);
  await closePage(page);
}

export async function a_level_can_be_chosen(browser, server) {
  const page = await openPage(browser, server);
  await page.click('[data-opponent="level"]');
  await page.fill('input[type="range"]', "1");
  await page.waitForFunction(() => document.querySelector(".players")?.textContent?.includes("1"));
  await cell(page, 0, 0).click();
  await hasStones(page, 2);
  await closePage(page);
}

export async function two_people_play_to_the_end(browser, server) {
  const page = await openPage(browser, server);
  await twoPeople(page);
  for (const [at, column] of [0, 1, 0, 1, 0, 1].entries()) {
    await cell(page, column, 0).click();
    await hasStones(page, at + 1);
  }
  await cell(page, 0, 5).click();
  await status(page, "ended");
  assert.equal(await page.locator(".board .run").count(), 1);
  await announced(page, "Red wins");
  // After the end nothing can be played.
  assert.equal(await cell(page, 3, 0).getAttribute("aria-disabled"), "true");
  await act(page, "again");
  await hasStones(page, 0);
  await closePage(page);
}

export async function the_keyboard_is_enough(browser, server) {
  const page = await openPage(browser, server);
  await twoPeople(page);
  await page.keyboard.press("4");
  await hasStones(page, 1);
  await announced(page, "Red plays column 4");
  await cell(page, 3, 0).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await hasStones(page, 2);
  assert.equal(await shownPosition(page), "connect4 45");
  await page.keyboard.press("u");
  await hasStones(page, 1);
  await page.locator(".brand").focus();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog .keys");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await closePage(page);
}

export async function a_hint_is_shown_and_hidden(browser, server) {
  const page = await openPage(browser, server);
  await twoPeople(page);
  await act(page, "hint");
  await page.waitForSelector(".board .hint");
  await announced(page, "column 4");
  await act(page, "hint");
  await page.waitForSelector(".board .hint", { state: "detached" });
  await closePage(page);
}

export async function resigning_ends_the_game(browser, server) {
  const page = await openPage(browser, server);
  await page.click('[data-opponent="engine"]');
  await cell(page, 3, 0).click();
  await hasStones(page, 2);
  await act(page, "resign");
  await status(page, "ended");
  await announced(page, "You lose");
  await closePage(page);
}

export async function the_clock_ends_the_game(browser, server) {
  const page = await openPage(browser, server);
  await page.clock.install();
  await page.reload();
  await page.waitForSelector("svg.board");
  await twoPeople(page);
  await page.selectOption('.form select:has(option[value="30"])', "1");
  await act(page, "start");
  await page.waitForSelector(".clock");
  await page.clock.fastForward(61_000);
  await status(page, "ended");
  await announced(page, "Yellow wins: on time");
  await closePage(page);
}

export async function renju_shows_and_refuses_forbidden_points(browser, server) {
  const page = await openPage(browser, server);
  await twoPeople(page);
  await show(page, "play", "renju h8 a1 i8 a3 g9 a5 g10 a7");
  await page.waitForSelector(".forbidden");
  const point = cell(page, 6, 7);
  assert.match(await point.getAttribute("aria-label"), /forbidden/);
  assert.equal(await point.getAttribute("aria-disabled"), "true");
  await cell(page, 7, 8).click();
  await hasStones(page, 9);
  await closePage(page);
}

export async function games_are_picked_by_their_pictures(browser, server) {
  const page = await openPage(browser, server);
  for (const [game, position] of [["gomoku", "gomoku"], ["gobang", "gobang"], ["small", "connectx:5x5x4"]]) {
    await act(page, "games");
    await page.click(`[data-game="${game}"]`);
    await page.waitForSelector(`.stage [data-position="${position}"]`);
  }
  await act(page, "games");
  await page.click('[data-game="course"]');
  await page.waitForSelector('.stage [data-position^="course:"]');
  await closePage(page);
}

export async function a_board_of_ones_own_has_blocked_cells(browser, server) {
  const page = await openPage(browser, server);
  await act(page, "games");
  await page.click(".own summary");
  await page.fill('.own input[max="16"] >> nth=0', "6");
  await page.locator('.own input[max="16"] >> nth=0').blur();
  await page.click('[data-board="own"] [data-cell="2,0"]');
  await page.click('[data-board="own"] [data-cell="5,3"]');
  await page.click('[data-board="own"] [data-cell="5,3"]');
  await act(page, "use-board");
  await page.waitForSelector('.stage [data-position="course:6x8@5,2"]');
  assert.match(await cell(page, 2, 0).getAttribute("aria-label"), /blocked/);
  await twoPeople(page);
  await cell(page, 2, 0).click();
  await hasStones(page, 1);
  assert.match(await cell(page, 2, 1).getAttribute("aria-label"), /Red stone/);
  await closePage(page);
}

async function startSwap(page, opens) {
  await show(page, "play", "gomoku");
  await page.click('[data-opponent="engine"]');
  await page.check('[data-act="swap2"]');
  if (opens) await page.click(`[data-opens="${opens}"]`);
  await act(page, "start");
}

export async function swap2_is_opened_by_a_person_and_the_engine_chooses(browser, server) {
  const page = await openPage(browser, server);
  await startSwap(page, "you");
  for (const [at, [column, row]] of [[7, 7], [8, 8], [6, 9]].entries()) {
    await cell(page, column, row).click();
    await hasStones(page, at + 1);
  }
  // It takes a colour, and whoever has White goes on.
  await page.waitForSelector(".toast");
  const takes = await page.textContent(".toast");
  if (takes.includes("White")) await hasStones(page, 4);
  else {
    await status(page, "open");
    await cell(page, 7, 9).click();
    await hasStones(page, 5);
  }
  await closePage(page);
}

export async function swap2_is_opened_by_the_engine_and_two_more_stones_are_put(browser, server) {
  const page = await openPage(browser, server);
  await startSwap(page, "engine");
  await hasStones(page, 3);
  await act(page, "two");
  const open = await page.$$eval(".stage .cell.open", (all) => all.slice(0, 2).map((one) => one.dataset.cell.split(",").map(Number)));
  for (const [at, [column, row]] of open.entries()) {
    await cell(page, column, row).click();
    await hasStones(page, 4 + at);
  }
  await page.waitForSelector(".toast");
  await closePage(page);
}

export async function swap2_between_people_offers_the_choices(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "play", "gomoku");
  await twoPeople(page);
  await page.check('[data-act="swap2"]');
  await act(page, "start");
  for (const [at, [column, row]] of [[7, 7], [8, 8], [6, 9]].entries()) {
    await cell(page, column, row).click();
    await hasStones(page, at + 1);
  }
  await act(page, "take0");
  await cell(page, 3, 3).click();
  await hasStones(page, 4);
  await closePage(page);
}
