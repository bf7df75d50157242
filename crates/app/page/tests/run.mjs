// Runs every test of the page, one after another; a word after the command picks those that contain it.
import { startBrowser, serve } from "./harness.mjs";
import * as play from "./play.mjs";
import * as study from "./study.mjs";
import * as frame from "./frame.mjs";

const wanted = process.argv[2] ?? "";
const tests = Object.entries({ ...play, ...study, ...frame }).filter(([name]) => name.includes(wanted));
const browser = await startBrowser();
const server = await serve();
let failed = 0;
for (const [name, test] of tests) {
  const begun = Date.now();
  try {
    await test(browser, server);
    console.log(`ok      ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error?.stack ?? error}`);
  }
}
await browser.close();
await server.end();
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${tests.length - failed} passed; ${failed} failed`);
process.exit(failed ? 1 : 0);
