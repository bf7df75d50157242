/** The picker of games: pictures of the well-known ones, and a board of one's own. */
import { html, svg, nothing, type TemplateResult } from "lit";
import { board } from "./board.js";
import { openGame, redraw, run, state } from "./store.js";
import { same, type Cell, type Variant, type View } from "./types.js";
import { t, type Word } from "./words.js";

interface Preset {
  game: string | (() => string);
  name: Word;
  about: Word;
  picture: Pick<Variant, "rows" | "columns" | "falls"> & { stones: string; blocked?: Cell };
}

/** A random board of the course: 9 to 12 rows and columns and one blocked cell. */
function courseBoard(): string {
  const any = (below: number) => Math.floor(Math.random() * below);
  const [rows, columns] = [9 + any(4), 9 + any(4)];
  return `course:${rows}x${columns}@${any(rows)},${any(columns)}`;
}

const PRESETS: Preset[] = [
  { game: "connect4", name: "connect4", about: "connect4About", picture: { rows: 6, columns: 7, falls: true, stones: "3 3 2 3 4 2 4" } },
  { game: courseBoard, name: "course", about: "courseAbout", picture: { rows: 9, columns: 10, falls: true, stones: "4 5 5 4 4 3", blocked: [6, 3] } },
  { game: "connectx:5x5x4", name: "small", about: "smallAbout", picture: { rows: 5, columns: 5, falls: true, stones: "2 2 1 3" } },
  { game: "connectx:7x9x5", name: "wide", about: "wideAbout", picture: { rows: 7, columns: 9, falls: true, stones: "4 3 4 5 3 4 6" } },
  { game: "gomoku", name: "gomoku", about: "gomokuAbout", picture: { rows: 15, columns: 15, falls: false, stones: "7,7 8,8 7,8 7,6 6,7 8,7" } },
  { game: "renju", name: "renju", about: "renjuAbout", picture: { rows: 15, columns: 15, falls: false, stones: "7,7 7,8 9,8 6,7 8,6" } },
  { game: "standard", name: "standard", about: "standardAbout", picture: { rows: 15, columns: 15, falls: false, stones: "7,7 8,7 8,8 6,6" } },
  { game: "caro", name: "caro", about: "caroAbout", picture: { rows: 15, columns: 15, falls: false, stones: "7,7 6,8 8,8 6,6 9,9" } },
  { game: "gobang", name: "gobang", about: "gobangAbout", picture: { rows: 10, columns: 10, falls: false, stones: "4,4 5,5 5,4 4,5 6,4" } },
  { game: "mnk:7x7x4", name: "mnk", about: "mnkAbout", picture: { rows: 7, columns: 7, falls: false, stones: "3,3 2,3 3,4 3,2" } },
];

/** A board in a few strokes. */
function picture(of: Preset["picture"]): TemplateResult {
  const heights = new Map<number, number>();
  const cells = of.stones.split(" ").map((text, at) => {
    const [column = 0, given] = text.split(",").map(Number);
    const row = given ?? heights.get(column) ?? 0;
    heights.set(column, row + 1);
    return { x: column * 10 + 5, y: (of.rows - 1 - row) * 10 + 5, side: at % 2 };
  });
  const [width, height] = [of.columns * 10, of.rows * 10];
  const holes: TemplateResult[] = [];
  if (of.falls) {
    for (let x = 5; x < width; x += 10) for (let y = 5; y < height; y += 10) holes.push(svg`<circle cx=${x} cy=${y} r="3.8" class="hole"/>` as unknown as TemplateResult);
  }
  const lines = `${Array.from({ length: of.rows }, (_, row) => `M5,${row * 10 + 5}H${width - 5}`).join("")}${Array.from({ length: of.columns }, (_, column) => `M${column * 10 + 5},5V${height - 5}`).join("")}`;
  const colours = of.falls ? ["#c5342c", "#f0b81f"] : ["#23272f", "#fbfaf5"];
  return html`<svg class="tile-picture" viewBox="-2 -2 ${width + 4} ${height + 4}" aria-hidden="true">
    ${svg`<rect x="-2" y="-2" width=${width + 4} height=${height + 4} rx="5" fill=${of.falls ? "#1f4e79" : "#e6bd7f"}/>${of.falls ? holes : svg`<path d=${lines} stroke="#8a6429" stroke-width=".6" fill="none"/>`}
    ${of.blocked ? svg`<rect x=${of.blocked[0] * 10 + 1} y=${(of.rows - 1 - of.blocked[1]) * 10 + 1} width="8" height="8" rx="1.5" fill="#8fa3b5"/>` : nothing}
    ${cells.map(({ x, y, side }) => svg`<circle cx=${x} cy=${y} r="4.2" fill=${colours[side]!} stroke="#0004" stroke-width=".5"/>`)}`}</svg>`;
}

/** The game's name for people. */
export function gameName(variant: Variant): string {
  const size = `${variant.columns}×${variant.rows}`;
  const family = variant.name.split(":")[0] as Word;
  const known = ["connect4", "course", "gomoku", "standard", "renju", "caro", "gobang", "mnk", "connectx"].includes(family);
  const run = ["connectx", "mnk"].includes(family) ? ` · ${variant.run}` : "";
  return `${known ? t(family) : variant.name} ${size}${run}`;
}

const own = { falls: true, rows: 8, columns: 8, run: 4, rule: "mnk", blocked: [] as Cell[] };

function ownName(): string {
  if (own.falls) {
    const cells = own.blocked.map(([column, row]) => `@${own.rows - 1 - row},${column}`).join("");
    return `connectx:${own.rows}x${own.columns}x${own.run}${cells}`;
  }
  return own.rule === "renju" ? `renju:${own.rows}x${own.columns}` : `${own.rule}:${own.rows}x${own.columns}x${own.run}`;
}

function ownView(): View {
  const variant: Variant = { name: ownName(), rule: own.falls ? "gravity" : "freestyle", falls: own.falls, rows: own.rows, columns: own.columns, run: own.run, blocked: own.falls ? own.blocked : [] };
  return { position: variant.name, variant, start: [[], []], moves: [], side: 0, legal: [], forbidden: [], outcome: null, line: [] };
}

function number(label: Word, key: "rows" | "columns" | "run", least: number, most: number): TemplateResult {
  const change = (event: Event) => {
    const told = Math.round(Number((event.target as HTMLInputElement).value));
    own[key] = Math.min(most, Math.max(least, told || least));
    own.blocked = own.blocked.filter(([column, row]) => column < own.columns && row < own.rows);
    redraw();
  };
  return html`<label class="field">${t(label)}<input type="number" min=${least} max=${most} .value=${String(own[key])} @change=${change}></label>`;
}

export function choose(game: string): void {
  state.dialog = null;
  run(openGame(game));
}

function toggleBlocked(cell: Cell): void {
  const kept = own.blocked.filter((one) => !same(one, cell));
  own.blocked = kept.length === own.blocked.length ? [...kept, cell] : kept;
  redraw();
}

function ownBoard(): TemplateResult {
  const family = (falls: boolean) => () => {
    own.falls = falls;
    own.run = falls ? 4 : 5;
    redraw();
  };
  const [least, most] = own.falls ? [4, 16] : [5, 22];
  return html`<details class="own"><summary>${t("ownBoard")}</summary>
    <div class="own-body"><div class="form">
      <div class="field"><span>${t("family")}</span><div class="segments" role="group" aria-label=${t("family")}>
        <button aria-pressed=${own.falls} @click=${family(true)}>${t("falling")}</button><button aria-pressed=${!own.falls} @click=${family(false)}>${t("free")}</button></div></div>
      ${own.falls ? nothing : html`<label class="field">${t("rule")}<select @change=${(event: Event) => { own.rule = (event.target as HTMLSelectElement).value; redraw(); }}>
        ${(["mnk", "standard", "renju", "caro"] as const).map((rule) => html`<option value=${rule} ?selected=${own.rule === rule}>${t(rule === "mnk" ? "freestyle" : rule)}</option>`)}</select></label>`}
      <div class="fields">${number("rows", "rows", least, most)}${number("columns", "columns", least, most)}${own.rule === "renju" && !own.falls ? nothing : number("inRow", "run", 3, 10)}</div>
      ${own.falls ? html`<p class="quiet">${t("blockHint")}</p>` : nothing}
      <button class="main" data-act="use-board" @click=${() => choose(ownName())}>${t("useBoard")}</button></div>
    <div class="own-board">${board({ id: "own", view: ownView(), edit: own.falls ? toggleBlocked : undefined })}</div></div></details>`;
}

export const gamePicker = (): TemplateResult => html`<div class="tiles">${PRESETS.map(
    (preset) => html`<button class="tile" data-game=${preset.name} @click=${() => choose(typeof preset.game === "string" ? preset.game : preset.game())}>
      ${picture(preset.picture)}<b>${t(preset.name)}</b><span>${t(preset.about)}</span></button>`,
  )}</div>${ownBoard()}`;
