// What the page takes: first paint, a click's answer, analysis updates, a thousand clients. Prints figures, judges none:
// STONELINE=target/release/stoneline node tests/measure.mjs
import { Agent, get, request } from "node:http";
import { cell, hasStones, openPage, searches, serve, show, startBrowser } from "./harness.mjs";

const CLIENTS = 1000;
const quantile = (all, share) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(share * all.length))];
const ms = (time) => `${time.toFixed(0)} ms`;
const say = (what, figure) => console.log(`${what.padEnd(58)} ${figure}`);

const browser = await startBrowser();
const server = await serve();

const page = await openPage(browser, server);
const paints = [];
for (let visit = 0; visit < 5; visit++) {
  await page.goto(server.link);
  await page.waitForSelector("svg.board");
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0));
}
say("first paint, worst of 5", ms(Math.max(...paints)));

await show(page, "play", "connect4");
await page.click('[data-opponent="person"]');
const answers = [];
for (let stone = 0; stone < 12; stone++) {
  await cell(page, stone % 7, 0).hover();
  const taken = page.evaluate(
    (count) =>
      new Promise((done) => {
        let since = 0;
        addEventListener("click", () => (since = performance.now()), { capture: true, once: true });
        const look = () => (since && document.querySelectorAll(".stage .stone").length === count ? done(performance.now() - since) : requestAnimationFrame(look));
        look();
      }),
    stone + 1,
  );
  await cell(page, stone % 7, 0).click();
  answers.push(await taken);
  await hasStones(page, stone + 1);
}
say("a click to the stone on the board, worst of 12", ms(Math.max(...answers)));

for (const position of ["course:9x9@4,4 5", "gomoku h8 i9 i8"]) {
  const told = await page.evaluate(async (at) => {
    const response = await fetch("/api/analyse", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ position: at, time_ms: 4000 }) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const begun = performance.now();
    let events = 0;
    let [last, longest] = [begun, 0];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      events += part.value.split("data:").length - 1;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    return { rate: (1000 * events) / (performance.now() - begun), longest };
  }, position);
  say(`analysis of ${position}, updates a second`, `${told.rate.toFixed(1)}, longest pause ${ms(told.longest)}`);
}

const ends = [];
for (let visit = 0; visit < 5; visit++) {
  ends.push(
    await page.evaluate(async () => {
      const leave = new AbortController();
      const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ position: "course:12x12@5,5" }), signal: leave.signal };
      const reader = (await fetch("/api/analyse", asked)).body.getReader();
      await reader.read();
      const begun = performance.now();
      leave.abort();
      while ((await (await fetch("/api/status")).json()).searches.running > 0);
      return performance.now() - begun;
    }),
  );
}
say("a reader leaves until its search has ended, worst of 5", ms(Math.max(...ends)));

// A thousand clients, connected all the time, ask for a search at once and for the page now and then.
const token = new URL(server.link).searchParams.get("token");
const agent = new Agent({ keepAlive: true, maxSockets: 2 * CLIENTS });
const fetched = (options, body) =>
  new Promise((done) => {
    const begun = performance.now();
    const sent = (body ? request : get)(server.origin + options.path, { agent, ...options }, (response) => {
      response.resume();
      response.on("end", () => done({ time: performance.now() - begun, status: response.statusCode }));
    });
    sent.on("error", () => done({ time: performance.now() - begun, status: 0 }));
    if (body) sent.end(body);
  });
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
const search = JSON.stringify({ position: "connect4 44", engine: "mcts", time_ms: 200 });
const all = await Promise.all(
  Array.from({ length: CLIENTS }, async () => {
    const [own, asked] = await Promise.all([
      (async () => {
        const times = [];
        for (let visit = 0; visit < 4; visit++) {
          await new Promise((go) => setTimeout(go, 2000 * Math.random()));
          times.push(await fetched({ path: "/" }));
        }
        return times;
      })(),
      fetched({ path: "/api/move", method: "POST", headers }, search),
    ]);
    return { own, asked };
  }),
);
const statics = all.flatMap((one) => one.own);
const statuses = all.reduce((counts, { asked }) => ({ ...counts, [asked.status]: (counts[asked.status] ?? 0) + 1 }), {});
say(`static page, ${CLIENTS} clients: median, p99, worst`, [0.5, 0.99, 1].map((share) => ms(quantile(statics.map((one) => one.time), share))).join(", "));
say("static pages that failed", String(statics.filter((one) => one.status !== 200).length));
say("searches asked for, by status", JSON.stringify(statuses));
const { peak } = await searches(page);
say("searches at once, at most", String(peak));
agent.destroy();
await browser.close();
await server.end();
