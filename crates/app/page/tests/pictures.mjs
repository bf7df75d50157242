// Makes the pictures of the README from the running page and from a report: node tests/pictures.mjs
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, DESKTOP, cell, openPage, serve, show, startBrowser } from "./harness.mjs";

const DOCS = new URL("../../../../docs/", import.meta.url);
const save = (page, name) => page.screenshot({ path: new URL(`${name}.png`, DOCS).pathname });

/** Each picture: the theme, and how the page comes to what is worth seeing. */
const PICTURES = {
  "page-play": ["light", async (page) => {
    await show(page, "play", "gomoku h8 i9 i8 g8 j7");
    await page.click('[data-opponent="engine"]');
    await cell(page, 6, 9).hover();
  }],
  "page-analyse": ["light", async (page) => {
    await show(page, "analyse", "connect4 44353");
    await page.waitForSelector('[data-summary="final"]');
  }],
  "page-watch": ["dark", async (page) => {
    await show(page, "watch", "connect4");
    await page.selectOption('[data-setting="timeMs"]', "50");
    await page.selectOption('[data-setting="games"]', "10");
    await page.selectOption('[data-engine="0"]', "centre-uct");
    await page.selectOption('[data-engine="1"]', "connectx-uct");
    await page.click('[data-act="match"]');
    await page.waitForSelector('[data-match="finished"]');
    await page.click(".games .move >> nth=0");
    await page.waitForFunction(() => document.querySelectorAll(".stage .stone").length > 12);
    await page.evaluate(() => (document.activeElement.blur(), scrollTo(0, 0)));
  }],
};

const TOURNAMENT = `name = "Falling stones, four in a row"
game = "connect4"
games = 40
simulations = 300
nodes = 2000
${["mcts", "prover-uct", "rules-uct", "centre-uct", "connectx-uct"].map((name) => `[[player]]\nengine = "${name}"\n`).join("")}`;

const browser = await startBrowser();
const server = await serve();
for (const [name, [theme, prepare]] of Object.entries(PICTURES)) {
  const page = await openPage(browser, server, { theme });
  await prepare(page);
  await save(page, name);
  await page.context().close();
}
const run = (...words) => execFileSync(BINARY, words, { cwd: server.folder, stdio: ["ignore", "ignore", "inherit"] });
writeFileSync(join(server.folder, "report.toml"), TOURNAMENT);
run("tournament", "report.toml");
run("report", "report.db", "--out", "report.html");
const report = await (await browser.newContext({ viewport: DESKTOP, colorScheme: "light" })).newPage();
await report.goto(`file://${join(server.folder, "report.html")}`);
await save(report, "report");
await browser.close();
await server.end();
