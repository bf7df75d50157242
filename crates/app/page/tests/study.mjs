// A person's paths through Analyse, Review, Watch, Learn and Share.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { cell, closePage, hasStones, openPage, searches, show, shownPosition } from "./harness.mjs";

const act = (page, name) => page.click(`[data-act="${name}"]`);
const isFinal = (page) => page.waitForSelector('[data-summary="final"]');

export async function every_column_of_connect_four_has_its_exact_value(browser, server) {
  const page = await openPage(browser, server, { at: "analyse" });
  await isFinal(page);
  // As the game was solved long ago: the centre wins with the 41st stone.
  const values = await page.$$eval(".board .value", (all) => all.sort((one, other) => one.dataset.column - other.dataset.column).map((one) => [one.querySelector("text").textContent, one.classList.contains("proof")]));
  assert.deepEqual(values, ["L40", "L42", "=", "W41", "=", "L42", "L40"].map((text) => [text, true]));
  assert.match(await page.textContent(".sum"), /Column 4 wins by force in 41 plies/);
  await closePage(page);
}

export async function estimates_are_outlined_and_keep_when_paused(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "analyse", "connectx:12x12x4");
  await page.waitForFunction(() => document.querySelectorAll(".board .value.guess").length >= 10);
  await act(page, "pause");
  while ((await searches(page)).running > 0);
  const before = await page.$$eval(".board .value text", (all) => all.map((one) => one.textContent));
  assert.ok(before.length >= 10);
  await act(page, "values");
  await page.waitForSelector(".board .value", { state: "detached" });
  await act(page, "values");
  assert.deepEqual(await page.$$eval(".board .value text", (all) => all.map((one) => one.textContent)), before);
  await page.selectOption('[data-act="lines"]', "7");
  assert.equal(await page.locator("tr.line").count(), 7);
  await closePage(page);
}

export async function a_line_is_previewed_and_entered_as_a_variation(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "analyse", "connectx:9x9x4 5");
  await page.waitForFunction(() => document.querySelector("tr.line")?.querySelectorAll(".move").length >= 3);
  await act(page, "pause");
  await page.hover("tr.line");
  await page.waitForSelector(".board .ghost");
  await page.locator("tr.line .move >> nth=1").click();
  await hasStones(page, 3);
  await page.keyboard.press("ArrowLeft");
  await hasStones(page, 2);
  await page.keyboard.press("Home");
  await hasStones(page, 0);
  // Another first move makes a side line, with a comment of its own.
  await page.keyboard.press("1");
  await hasStones(page, 1);
  await page.waitForSelector(".variation .move.here");
  await page.fill('[data-act="comment"]', "an edge");
  await page.locator('[data-act="comment"]').blur();
  await page.waitForSelector(".variation .noted");
  await act(page, "main-line");
  await page.waitForSelector('[data-act="main-line"]', { state: "detached" });
  await act(page, "delete");
  await hasStones(page, 0);
  assert.equal(await page.locator(".variation").count(), 0);
  await closePage(page);
}

export async function threats_are_shown_on_demand(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "analyse", "gomoku g8 a1 h8 c1 i8 e1");
  assert.equal(await page.locator(".threat").count(), 0);
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.querySelectorAll(".threat").length === 2);
  await closePage(page);
}

export async function leaving_the_analysis_ends_its_search(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "analyse", "connectx:16x16x5");
  await page.waitForSelector(".board .value");
  assert.equal((await searches(page)).running, 1);
  await page.click('nav a[href="#/watch"]');
  while ((await searches(page)).running > 0);
  await closePage(page);
}

export async function a_review_names_the_blunder_and_what_was_better(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "review", "connect4 41");
  await page.click('[data-act="review"]');
  await page.waitForSelector('[data-review="done"]');
  assert.match(await page.textContent('[data-review="done"]'), /proven/);
  await show(page, "review", "connect4 14");
  await page.click('[data-act="review"]');
  await page.waitForSelector('[data-review="done"]');
  await act(page, "prev-slip");
  await page.waitForSelector(".verdict.blunder");
  assert.match(await page.textContent(".verdict"), /Red had better: column 4, which wins in 41 plies; column 1 loses in 40 plies/);
  await page.waitForSelector(".board .ghost");
  await page.waitForSelector(".graph .blunder");
  await closePage(page);
}

export async function two_engines_play_a_match(browser, server) {
  const page = await openPage(browser, server, { at: "watch" });
  await page.selectOption('[data-engine="0"]', "kaggle-negamax");
  await page.selectOption('[data-engine="1"]', "random");
  await page.selectOption('[data-setting="games"]', "4");
  await page.selectOption('[data-setting="timeMs"]', "20");
  await act(page, "match");
  await page.waitForSelector('[data-match="finished"]');
  assert.equal(await page.locator(".games tbody tr").count(), 4);
  const counted = await page.$$eval(".figures:not(.games) tbody tr:first-child td", (all) => all.map((one) => Number(one.textContent)));
  assert.equal(counted.reduce((sum, n) => sum + n), 4);
  assert.match(await page.textContent(".panel"), /Elo/);
  // A game is replayed at a chosen pace, move by move.
  await page.selectOption('[data-act="speed"]', "200");
  await page.locator(".games .move >> nth=0").click();
  await hasStones(page, 4);
  await hasStones(page, 5);
  await closePage(page);
}

export async function a_match_can_be_stopped(browser, server) {
  const page = await openPage(browser, server, { at: "watch" });
  await page.selectOption('[data-setting="timeMs"]', "1000");
  await page.selectOption('[data-engine="0"]', "mcts");
  await act(page, "match");
  await page.waitForSelector('[data-match="running"]');
  await act(page, "stop");
  await page.waitForSelector('[data-match="stopped"]');
  while ((await searches(page)).running > 0);
  await closePage(page);
}

export async function stored_tournaments_are_browsed_and_replayed(browser, server) {
  const page = await openPage(browser, server, { at: "watch" });
  await page.click("[data-run]");
  await page.waitForSelector(".ranking tbody tr");
  assert.equal(await page.locator(".ranking tbody tr").count(), 2);
  assert.match(await page.textContent(".ranking tbody tr >> nth=0"), /kaggle-negamax.*\+/s);
  assert.equal(await page.locator("[data-game]").count(), 4);
  await page.click('[data-game="1"]');
  await page.waitForFunction(() => document.querySelectorAll(".stage .stone").length >= 5);
  assert.match(await page.textContent(".players"), /random.*kaggle-negamax/s);
  await act(page, "analyse-it");
  await page.waitForSelector("main.analyse");
  assert.match(await shownPosition(page), /^connect4 [1-7]{7,}$/);
  await closePage(page);
}

export async function a_puzzle_is_solved_move_by_move(browser, server) {
  await solved(browser, server, "connect4");
}

export async function a_puzzle_of_a_free_board_is_solved_too(browser, server) {
  await solved(browser, server, "gomoku");
}

async function solved(browser, server, game) {
  const page = await openPage(browser, server);
  // The first puzzle takes the place of the empty board at once.
  await page.goto(`${server.origin}/#/learn?p=${game}`);
  await page.click('[data-moves="3"]:not([disabled])');
  await page.waitForSelector('[data-moves="3"][aria-pressed="true"]:not([disabled])');
  await page.waitForSelector('[data-puzzle="puzzleGo"]');
  const before = await shownPosition(page);
  for (let moves = 1; moves <= 3; moves++) {
    await page.waitForSelector('[data-act="solution"]:not([disabled])');
    await act(page, "solution");
    await page.waitForSelector(".board .hint");
    const [x, y] = await page.$eval(".board .hint", (halo) => [(halo.cx.baseVal.value - 50) / 100, halo.cy.baseVal.value]);
    const rows = await page.$eval(".stage svg.board", (board) => Math.max(...[...board.querySelectorAll("[data-cell]")].map((one) => Number(one.dataset.cell.split(",")[1]))) + 1);
    await cell(page, x, rows - 1 - (y - 50) / 100).click();
    await page.waitForSelector(moves < 3 ? '[data-puzzle="puzzleRight"]' : '[data-puzzle="puzzleDone"]');
  }
  assert.notEqual(await shownPosition(page), before);
  await page.click('[data-act="next"]');
  await page.waitForSelector('[data-puzzle="puzzleGo"]');
  await closePage(page);
}

export async function a_wrong_answer_to_a_puzzle_is_taken_back(browser, server) {
  const page = await openPage(browser, server, { at: "learn" });
  await page.waitForSelector('[data-puzzle="puzzleGo"]');
  const before = await shownPosition(page);
  await act(page, "solution");
  await page.waitForSelector(".board .hint");
  const right = await page.$eval(".board .hint", (halo) => (halo.cx.baseVal.value - 50) / 100);
  const open = await page.$$eval(".stage .cell.open", (all) => [...new Set(all.map((one) => one.dataset.cell.split(",")[0]))].map(Number));
  await cell(page, open.find((column) => column !== right), 0).click();
  await page.waitForSelector('[data-puzzle="puzzleWrong"]');
  assert.equal(await shownPosition(page), before);
  await closePage(page);
}

async function downloaded(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), act(page, name)]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

export async function a_game_leaves_as_link_picture_and_replay(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "analyse", "course:9x10@4,4 55644");
  await act(page, "pause");
  await act(page, "link");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await openPage(browser, server);
  await other.goto(link);
  await other.waitForSelector('.stage [data-position="course:9x10@4,4 55644"]');
  await closePage(other);
  const png = await downloaded(page, "png");
  assert.deepEqual([...png.bytes.subarray(1, 4)], [...Buffer.from("PNG")]);
  const svg = String((await downloaded(page, "svg")).bytes);
  assert.match(svg, /^<svg[^>]+xmlns=/);
  assert.ok(!svg.includes("class="));
  const replay = await downloaded(page, "replay");
  assert.match(replay.name, /replay\.svg$/);
  assert.equal(String(replay.bytes).match(/<animateTransform/g).length, 5);
  const record = String((await downloaded(page, "record")).bytes);
  assert.match(record, /^stoneline game 1\ngame: course:9x10@4,4/);
  await closePage(page);
}

export async function a_game_opened_while_the_page_starts_is_not_answered(browser, server) {
  const page = await openPage(browser, server);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  // The start waits for the engines of its game until another was opened elsewhere.
  let hold;
  const held = new Promise((done) => (hold = done));
  await page.route("**/api/engines", (route) => (route.request().postDataJSON().game === "connect4" ? hold(route) : route.continue()));
  await page.reload();
  const route = await held;
  await show(page, "analyse", "course:9x10@4,4 55644");
  await act(page, "pause");
  const told = page.waitForResponse((response) => response.request() === route.request());
  await route.continue();
  await (await told).finished();
  await searches(page);
  assert.ok(!asked.includes("/api/move"), asked.join(" "));
  await hasStones(page, 5);
  await closePage(page);
}

export async function a_game_comes_back_from_its_file(browser, server) {
  const page = await openPage(browser, server);
  await show(page, "analyse", "gomoku h8 i9 g7");
  await page.fill('[data-act="comment"]', "towards the corner");
  await page.locator('[data-act="comment"]').blur();
  const sgf = String((await downloaded(page, "sgf")).bytes);
  assert.match(sgf, /GM\[4\].*C\[towards the corner\]/s);
  await show(page, "analyse", "connect4");
  await act(page, "import");
  await page.fill('[data-act="import-text"]', "4 4 9");
  await act(page, "open");
  await page.waitForSelector(".importer .problem");
  assert.match(page.complaints.pop(), /400/);
  await page.fill('[data-act="import-text"]', sgf);
  await act(page, "open");
  await page.waitForSelector('.stage [data-position="gomoku h8 i9 g7"]');
  assert.equal(await page.inputValue('[data-act="comment"]'), "towards the corner");
  await closePage(page);
}
