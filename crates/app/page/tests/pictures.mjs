// Makes the pictures of the README from the running page: node tests/pictures.mjs
import { openPage, serve, show, startBrowser } from "./harness.mjs";

const DOCS = new URL("../../../../docs/", import.meta.url);
const PICTURES = {
  "page-analyse": { screen: "analyse", position: "connect4 44353", ready: '[data-summary="final"]', theme: "light" },
};

const browser = await startBrowser();
const server = await serve();
for (const [name, { screen, position, ready, theme }] of Object.entries(PICTURES)) {
  const page = await openPage(browser, server, { theme });
  await show(page, screen, position);
  await page.waitForSelector(ready);
  await page.screenshot({ path: new URL(`${name}.png`, DOCS).pathname });
  await page.context().close();
}
await browser.close();
await server.end();
