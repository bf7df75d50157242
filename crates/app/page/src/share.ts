/** Games in and out: links, files, pictures and replays. */
import { html, render, svg, type TemplateResult } from "lit";
import { ask } from "./api.js";
import { board, centre, S, stones, stoneShape } from "./board.js";
import { openGame, redraw, report, run, state, toast } from "./store.js";
import type { View } from "./types.js";
import { t } from "./words.js";

/** A link that holds the whole game and its variant. */
function link(): string {
  const screen = state.screen === "watch" || state.screen === "learn" ? "analyse" : state.screen;
  return `${location.origin}/#/${screen}?p=${encodeURIComponent(state.game!.notation())}`;
}

async function copyLink(): Promise<void> {
  await copy(link());
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission the old way works: a field, selected and copied.
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toast(t("copied"));
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}

const fileName = (ending: string): string => `stoneline-${state.game!.view.variant.name.replace(/[^a-z0-9]+/gi, "-")}-${state.game!.at.ply}.${ending}`;

/** Styles that the page gives by class, as attributes: a picture stands alone. */
function standAlone(picture: SVGSVGElement): string {
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const gone of picture.querySelectorAll(".cells, .shadow, title")) gone.remove();
  const set = (selector: string, attributes: Record<string, string>) => {
    for (const one of picture.querySelectorAll(selector)) for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  };
  set("text", { "font-family": "system-ui, sans-serif" });
  set(".label", { "font-size": "32", fill: "#5a6573" });
  set(".number", { "font-size": "36", "font-weight": "700" });
  set(".inside", { fill: "#f5f2ea" });
  set(".last", { stroke: picture.classList.contains("falls") ? "#ffffff" : "#b3261e", "stroke-width": "6", "stroke-dasharray": "14 10" });
  for (const one of picture.querySelectorAll("*")) {
    for (const { name } of [...one.attributes]) if (name.startsWith("data-") || name.startsWith("aria-") || ["class", "role", "tabindex"].includes(name)) one.removeAttribute(name);
  }
  for (const name of ["class", "role", "aria-label", "data-board", "data-position"]) picture.removeAttribute(name);
  const [x, y, width, height] = picture.getAttribute("viewBox")!.split(" ").map(Number);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: "#fffdf8" })) paper.setAttribute(name, String(value));
  picture.prepend(paper);
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(picture).replace(/<!--.*?-->/g, "");
}

/** The board as a picture that needs nothing else. */
export function boardPicture(view: View, numbers: boolean): string {
  const host = document.createElement("div");
  render(board({ id: "picture", view, marks: { numbers } }), host);
  return standAlone(host.querySelector("svg")!);
}

async function png(markup: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([markup], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext("2d")!.drawImage(image, 0, 0);
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no PNG"))), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

const STEP_S = 0.8;
const REST_S = 2.5;

/** The game as an animated picture: a stone every moment, then from the beginning. */
export function replay(view: View): string {
  const { variant } = view;
  const empty: View = { ...view, moves: [], legal: [], forbidden: [], outcome: null, line: [] };
  const host = document.createElement("div");
  render(board({ id: "replay", view: empty }), host);
  const picture = host.querySelector("svg")!;
  const all = stones(view).filter((stone) => stone.number);
  const total = all.length * STEP_S + REST_S;
  const laid = all.map((stone, at) => {
    const [x, y] = centre(variant, stone.cell);
    const [shown, rests] = [(at * STEP_S) / total, Math.min(1, (at * STEP_S + 0.24) / total)];
    const times = `0;${shown.toFixed(4)};${rests.toFixed(4)};1`;
    const from = variant.falls ? `0,${-y - S}` : "0,0";
    return svg`<g visibility="hidden"><animate attributeName="visibility" values="hidden;visible;visible" keyTimes="0;${shown.toFixed(4)};1" calcMode="discrete" dur="${total}s" repeatCount="indefinite"/>
      <animateTransform attributeName="transform" type="translate" values="${from};${from};0,0;0,0" keyTimes=${times} dur="${total}s" repeatCount="indefinite"/>${stoneShape(variant, stone.side, x, y)}</g>`;
  });
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  render(svg`${laid}`, layer as unknown as HTMLElement);
  picture.querySelector(".stones")!.append(...layer.childNodes);
  return standAlone(picture);
}

function saved(name: string, kind: string, text: string): void {
  save(name, new Blob([text], { type: kind }));
}

async function written(format: "sgf" | "record" | "moves"): Promise<string> {
  const game = state.game!;
  const end = game.through().at(-1) ?? game.root;
  return (await ask<{ text: string }>("write", { position: game.notation(end), format, comments: game.comments() })).text;
}

const importer = { isOpen: false, text: "", problem: "" };

/** Reads whatever form of a game the text is. */
export async function importText(text: string): Promise<void> {
  importer.problem = "";
  try {
    const read = await ask<{ position: string; comments: Record<string, string> }>("read", { text, game: state.game!.view.variant.name });
    await openGame(read.position, read.comments);
    importer.isOpen = false;
    importer.text = "";
    toast(t("imported"));
  } catch (error) {
    importer.problem = error instanceof Error ? error.message : "";
    if (!importer.problem) report(error);
    redraw();
  }
}

async function importFile(event: Event): Promise<void> {
  const file = (event.target as HTMLInputElement).files?.[0];
  if (file) await importText(await file.text());
}

export function shareCard(toggleNumbers: () => void, numbers: boolean): TemplateResult {
  const game = state.game!;
  const whole = async (): Promise<View> => {
    const end = game.through().at(-1) ?? game.root;
    return ask<View>("position", { position: game.notation(end) });
  };
  return html`<section class="card"><h2>${t("share")}</h2><div class="row">
    <button data-act="link" @click=${() => run(copyLink())}>${t("copyLink")}</button>
    <button data-act="moves" @click=${() => run(written("moves").then(copy))}>${t("movesFile")}</button>
    <button data-act="png" @click=${() => run(png(boardPicture(game.view, numbers)).then((blob) => save(fileName("png"), blob)))}>${t("pngFile")}</button>
    <button data-act="svg" @click=${() => saved(fileName("svg"), "image/svg+xml", boardPicture(game.view, numbers))}>${t("svgFile")}</button>
    <button data-act="replay" ?disabled=${!game.through().length} @click=${() => run(whole().then((view) => saved(fileName("replay.svg"), "image/svg+xml", replay(view))))}>${t("replay")}</button>
    ${game.view.variant.falls ? html`<button data-act="record" @click=${() => run(written("record").then((text) => saved(fileName("txt"), "text/plain", text)))}>${t("recordFile")}</button>` : html`<button data-act="sgf" @click=${() => run(written("sgf").then((text) => saved(fileName("sgf"), "application/x-go-sgf", text)))}>${t("sgfFile")}</button>`}
    <button data-act="numbers" aria-pressed=${numbers} @click=${toggleNumbers}>${t("numbers")}</button>
    <button data-act="import" aria-expanded=${importer.isOpen} @click=${() => { importer.isOpen = !importer.isOpen; redraw(); }}>${t("importIt")}</button></div>
    ${importer.isOpen ? importForm() : ""}</section>`;
}

function importForm(): TemplateResult {
  return html`<div class="form importer"><label class="field">${t("pasteHere")}<textarea rows="3" data-act="import-text" .value=${importer.text} @input=${(event: Event) => { importer.text = (event.target as HTMLTextAreaElement).value; }}></textarea></label>
    ${importer.problem ? html`<p class="problem" role="alert">${importer.problem}</p>` : ""}
    <div class="row"><button class="main" data-act="open" @click=${() => run(importText(importer.text))}>${t("open")}</button><label class="btn">${t("file")}<input class="unseen" type="file" accept=".sgf,.psq,.txt" @change=${(event: Event) => run(importFile(event))}></label></div></div>`;
}

