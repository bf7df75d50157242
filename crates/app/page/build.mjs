// Builds the page into dist/, or with --check says whether dist/ is what its source gives.
import { build } from "esbuild";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const MOST_GZIPPED_BYTES = 250 * 1024;

const here = new URL(".", import.meta.url);
const at = (path) => new URL(path, here);

const bundle = await build({
  absWorkingDir: here.pathname,
  entryPoints: ["src/main.ts", "src/page.css"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  charset: "utf8",
  outdir: "dist",
  write: false,
});
const files = new Map();
for (const file of bundle.outputFiles) {
  files.set(file.path.endsWith(".css") ? "page.css" : "page.js", Buffer.from(file.contents));
}
for (const name of ["index.html", "icon.svg"]) files.set(name, await readFile(at(`src/${name}`)));

let weight = 0;
let stale = false;
await mkdir(at("dist/"), { recursive: true });
for (const [name, bytes] of files) {
  weight += gzipSync(bytes).length;
  if (process.argv.includes("--check")) {
    const built = await readFile(at(`dist/${name}`)).catch(() => Buffer.alloc(0));
    if (built.equals(bytes)) continue;
    stale = true;
    console.error(`dist/${name} is not what its source gives: run npm run build in crates/app/page`);
  } else {
    await writeFile(at(`dist/${name}`), bytes);
  }
}
console.log(`the page weighs ${(weight / 1024).toFixed(1)} KB gzipped`);
if (weight > MOST_GZIPPED_BYTES) {
  console.error(`more than ${MOST_GZIPPED_BYTES / 1024} KB`);
  stale = true;
}
process.exit(stale ? 1 : 0);
