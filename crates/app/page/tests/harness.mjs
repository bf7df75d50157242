// A server and a browser for the tests, and the few words they share.
import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import assert from "node:assert/strict";

const ARTEFACTS = new URL("../artefacts/", import.meta.url);
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const BINARY = process.env.STONELINE ?? new URL("../../../../target/debug/stoneline", import.meta.url).pathname;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** A server of our own, beside a stored tournament: its address with the token, without it, and its end. */
export async function serve() {
  const folder = await mkdtemp(join(tmpdir(), "stoneline-page-"));
  const run = (...words) => execFileSync(BINARY, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  run("match", "kaggle-negamax", "random", "--games", "4", "--store", "cup.db");
  const child = spawn(BINARY, ["serve", "--port", "0"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const text = await new Promise((done, fail) => {
    child.once("error", fail);
    child.stdout.once("data", (bytes) => done(String(bytes)));
  });
  const link = text.match(/http:\S+/)[0];
  const ended = new Promise((done) => child.once("exit", done));
  return { link, origin: new URL(link).origin, folder, end: () => (child.kill(), ended.then(() => rm(folder, { recursive: true }))) };
}

export async function startBrowser() {
  await mkdir(ARTEFACTS, { recursive: true });
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A page that fails its test when anything appears on its console. */
export async function openPage(browser, server, { size = DESKTOP, theme = "light", locale = "en", at = "", token = true } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, locale, reducedMotion: "reduce", acceptDownloads: true, hasTouch: size === PHONE });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.origin) && !url.startsWith("blob:") && !url.startsWith("data:")) complaints.push(`asks elsewhere: ${url}`);
  });
  page.complaints = complaints;
  page.server = server;
  await page.goto(token ? server.link : server.origin);
  if (at) await page.goto(`${server.origin}/#/${at}`);
  if (token) await page.waitForSelector("svg.board");
  return page;
}

export async function closePage(page) {
  await page.context().close();
  assert.deepEqual(page.complaints, []);
}

/** Goes to a screen with a position. */
export async function show(page, screen, position) {
  await page.goto(`${page.server.origin}/#/${screen}?p=${encodeURIComponent(position)}`);
  await page.waitForSelector(`svg.board[data-position="${position}"]`);
}

export const cell = (page, column, row) => page.locator(`.stage [data-cell="${column},${row}"]`);
export const shownPosition = (page) => page.getAttribute(".stage svg.board", "data-position");
export const hasStones = (page, n) => page.waitForFunction((count) => document.querySelectorAll(".stage .stone").length === count, n);
export const announced = (page, text) => page.waitForFunction((wanted) => document.querySelector("[data-announcement]")?.textContent?.includes(wanted), text);

export const picture = (page, name) => page.screenshot({ path: new URL(`${name}.png`, ARTEFACTS).pathname, fullPage: true });

/** What axe finds to be serious on the page as it is. */
export async function seriousProblems(page) {
  // Evaluated through the browser's debugger, which the page's own policy does not concern.
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run());
  return found.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join("; ")}`);
}

/** What the server says of its searches. */
export const searches = async (page) => (await page.evaluate(async () => (await fetch("/api/status")).json())).searches;
