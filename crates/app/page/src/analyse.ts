/** Analyse: live values on the board, lines to click into, threats, a graph and a tree. */
import { html, nothing, svg, type TemplateResult } from "lit";
import { ask, listen } from "./api.js";
import { board, sideName, type Marks } from "./board.js";
import type { Node } from "./game.js";
import { moveList } from "./moves.js";
import { shareCard } from "./share.js";
import { announce, onNewGame, redraw, report, run, state } from "./store.js";
import { type Move, type Report, type Side, type Standing, type Threats, type Value } from "./types.js";
import { forFirst, isProven, pill, spoken } from "./values.js";
import { count, sentence, t } from "./words.js";

const desk = {
  search: null as AbortController | null,
  /** Whether the analysis follows the board. */
  isOn: true,
  /** What was found, by position: it stays when the analysis pauses. */
  found: new Map<string, Standing>(),
  waits: false,
  hideValues: false,
  showThreats: false,
  numbers: false,
  threats: null as { of: string; found: Threats } | null,
  lines: 3,
  /** The line under the pointer, drawn as ghosts. */
  preview: null as Move[] | null,
};

onNewGame(() => {
  desk.found.clear();
  desk.threats = null;
  desk.preview = null;
});

export function stop(): void {
  desk.search?.abort();
  desk.search = null;
  desk.waits = false;
}

let followed = "";

/** Keeps the analysis with the board; called after every drawing. */
export function follow(): void {
  const game = state.game;
  if (state.screen !== "analyse" || !game) return;
  const here = game.notation();
  if (desk.showThreats && desk.threats?.of !== here) run(findThreats(here));
  if (followed === here && desk.search) return;
  if (followed !== here) {
    stop();
    desk.preview = null;
  }
  followed = here;
  if (!desk.isOn || game.view.outcome || desk.found.get(here)?.final || desk.search) return;
  void analyse(game.at, here);
}

async function analyse(node: Node, here: string): Promise<void> {
  const search = (desk.search = new AbortController());
  desk.waits = true;
  try {
    for await (const standing of listen<Standing>("analyse", { position: here }, search.signal)) {
      desk.waits = false;
      if (standing.gave_way) {
        // Others had to search: what was found stays, and we ask again.
        desk.search = null;
        break;
      }
      desk.found.set(here, standing);
      node.value = standing.value;
      redraw();
      if (standing.final && state.game?.notation() === here) announce(summary(standing));
    }
  } catch (error) {
    if (!search.signal.aborted) {
      desk.isOn = false;
      report(error);
    }
  } finally {
    if (desk.search === search) desk.search = null;
    redraw();
  }
}

async function findThreats(here: string): Promise<void> {
  desk.threats = { of: here, found: { sides: [{ wins: [], doubles: [] }, { wins: [], doubles: [] }] } };
  const found = await ask<Threats>("threats", { position: here });
  if (desk.threats?.of === here) desk.threats = { of: here, found };
  redraw();
}

export function togglePause(): void {
  desk.isOn = !desk.isOn;
  if (!desk.isOn) stop();
  else {
    const here = state.game?.notation() ?? "";
    const known = desk.found.get(here);
    if (known && !known.moves.every((one) => isProven(one.value))) desk.found.set(here, { ...known, final: false });
  }
  redraw();
}

export function toggleThreats(): void {
  desk.showThreats = !desk.showThreats;
  redraw();
}

// --- words -------------------------------------------------------------------

const moveWords = (move: string): string => (state.game!.view.variant.falls ? t("columnIs", { move }) : move);

/** What the analysis has found, in a sentence. */
function summary(standing: Standing): string {
  const best = standing.best;
  if (!best) return "";
  const { value } = standing;
  const move = moveWords(best.move);
  if ("win" in value) return sentence(value.win === 1 ? t("columnWinsNow", { move }) : t("columnWins", { move, n: value.win }));
  if ("loss" in value) return sentence(t("allLose", { move, n: value.loss }));
  if ("draw" in value) return sentence(t("bestDraw", { move }));
  return sentence(t("bestIs", { move, value: spoken(value) }));
}

// --- what is seen --------------------------------------------------------------

/** Enters a line as a variation, up to the move that was clicked. */
function enter(line: Move[], upTo: number): void {
  const game = state.game!;
  desk.preview = null;
  run(
    (async () => {
      for (const { move } of line.slice(0, upTo + 1)) await game.play(move);
    })(),
  );
}

function preview(line: Move[] | null): void {
  if (desk.preview === line) return;
  desk.preview = line;
  redraw();
}

function lineRow(one: Report): TemplateResult {
  return html`<tr class="line" @pointerenter=${() => preview(one.line)} @pointerleave=${() => preview(null)}>
    <td>${pill(one.value)}</td><td class="line-moves">${one.line.slice(0, 10).map(
      (move, at) => html`<button class="move ${at === 0 ? "lead" : ""}" @focus=${() => preview(one.line.slice(0, at + 1))} @blur=${() => preview(null)} @click=${() => enter(one.line, at)}>${move.move}</button>`,
    )}${one.line.length > 10 ? "…" : nothing}</td></tr>`;
}

function details(standing: Standing): TemplateResult {
  const perSecond = standing.time_ms ? (1000 * (standing.simulations || standing.nodes)) / standing.time_ms : 0;
  const parts = [
    standing.simulations ? t("simulations", { n: count(standing.simulations) }) : "",
    standing.nodes ? t("positions", { n: count(standing.nodes) }) : "",
    t("perSecond", { n: count(perSecond) }),
    t("memory", { n: Math.round(standing.memory_bytes / 2 ** 20) }),
    t("seconds", { n: (standing.time_ms / 1000).toFixed(1) }),
  ];
  return html`<details class="fold"><summary>${t("details")}</summary><p class="quiet">${parts.filter(Boolean).join(" · ")}</p></details>`;
}

function bestMoves(): TemplateResult {
  const game = state.game!;
  const standing = desk.found.get(game.notation());
  const isOver = game.view.outcome !== null;
  const isRunning = desk.search !== null;
  const rows = Array.from({ length: desk.lines }, (_, at) => standing?.moves[at]);
  const body = isOver
    ? html`<p>${t("gameOver")}</p>`
    : html`<table class="lines"><tbody>${rows.map((one) => (one ? lineRow(one) : html`<tr class="line"><td><span class="pill even guess blank">·</span></td><td></td></tr>`))}</tbody></table>
      <p class="sum" data-summary=${standing?.final ? "final" : "open"}>${standing ? (standing.moves.length ? summary(standing) : `${summary(standing)}. ${t("noEngineValues")}`) : desk.isOn ? html`<span class="spinner" aria-hidden="true"></span> ${t("thinking")}` : t("paused")}
      ${standing ? html`<span class="quiet">${standing.moves.length && standing.moves.every((one) => isProven(one.value)) ? t("proved") : isRunning ? t("estimating") : desk.isOn ? "" : t("paused")}</span>` : nothing}</p>`;
  return html`<section class="card"><h2>${t("bestMoves")}</h2>${body}
    <div class="row"><button class="main" data-act="pause" ?disabled=${isOver} @click=${togglePause}>${desk.isOn ? html`<span aria-hidden="true">❚❚</span> ${t("pause")}` : html`<span aria-hidden="true">▶</span> ${t("resume")}`}</button>
      <button data-act="threats" aria-pressed=${desk.showThreats} @click=${toggleThreats}>${t("threats")}</button>
      <button data-act="values" aria-pressed=${desk.hideValues} @click=${() => { desk.hideValues = !desk.hideValues; redraw(); }}>${t(desk.hideValues ? "showValues" : "hideValues")}</button>
      <label class="inline">${t("lines")}<select data-act="lines" @change=${(event: Event) => { desk.lines = Number((event.target as HTMLSelectElement).value); redraw(); }}>${[1, 2, 3, 5, 7, 10].map((n) => html`<option value=${n} ?selected=${desk.lines === n}>${n}</option>`)}</select></label></div>
    ${standing && !isOver ? details(standing) : nothing}</section>`;
}

/** The value of each place of the line that is shown, for the first side. */
function curve(): { node: Node; share: number }[] {
  const game = state.game!;
  return [game.root, ...game.through()]
    .filter((node) => node.value)
    .map((node) => ({ node, share: forFirst(node.value!, game.side(node.ply)) }));
}

/** One curve for the game; click to go there. */
export function graph(): TemplateResult {
  const game = state.game!;
  const all = game.through();
  const last = Math.max(all.length, 8);
  const [width, height] = [470, 96];
  const x = (ply: number) => (ply * width) / last;
  const y = (share: number) => height - height * share;
  const points = curve();
  const path = points.map(({ node, share }) => `${x(node.ply).toFixed(1)},${y(share).toFixed(1)}`);
  const area = points.length ? `M${x(points[0]!.node.ply)},${height}L${path.join("L")}L${x(points.at(-1)!.node.ply)},${height}Z` : "";
  const slips = all.filter((node) => node.judgement && ["slip", "blunder"].includes(node.judgement.verdict));
  const seen = new Map(points.map((point) => [point.node, point.share]));
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * last);
    run(game.goTo([game.root, ...all][Math.max(0, Math.min(all.length, ply))]!));
  };
  return html`<svg class="graph" viewBox="-6 -8 ${width + 12} ${height + 32}" role="img" aria-label=${t("evalGraph", { side: sideName(game.view.variant, 0) })} @click=${go}>
    ${svg`<line class="half" x1="0" x2=${width} y1=${height / 2} y2=${height / 2}/><path class="area" d=${area}/><path class="curve" d=${path.length ? `M${path.join("L")}` : ""}/>
    ${points.map(({ node, share }) => svg`<circle class="point" cx=${x(node.ply)} cy=${y(share)} r="2.4"/>`)}
    ${slips.map((node) => svg`<circle class=${node.judgement!.verdict} cx=${x(node.ply)} cy=${y(seen.get(node) ?? 0.5)} r=${node.judgement!.verdict === "blunder" ? 6 : 4.5}><title>${node.move}: ${t(node.judgement!.verdict)}</title></circle>`)}
    <line class="cursor" x1=${x(game.at.ply)} x2=${x(game.at.ply)} y1="-4" y2=${height}/>
    <text x="0" y=${height + 18}>0</text><text x=${width} y=${height + 18} text-anchor="end">${last}</text>`}</svg>`;
}

export function gameCard(): TemplateResult {
  const game = state.game!;
  const at = game.at;
  const isSide = at.parent !== null && game.path().some((node) => node.parent!.children[0] !== node);
  return html`<section class="card"><h2>${t("gameCard")}</h2>${graph()}${moveList(true)}
    <div class="row steps"><button aria-label=${t("toStart")} ?disabled=${!at.parent} @click=${() => run(game.goTo(game.root))}>«</button><button aria-label=${t("stepBack")} ?disabled=${!at.parent} @click=${() => run(game.back())}>◀</button>
      <button aria-label=${t("stepOn")} ?disabled=${!at.children.length} @click=${() => run(game.forward())}>▶</button><button aria-label=${t("toEnd")} ?disabled=${!at.children.length} @click=${() => run(game.goTo(game.through().at(-1)!))}>»</button>
      ${isSide ? html`<button data-act="main-line" @click=${() => game.promote(at)}>${t("mainLine")}</button>` : nothing}
      ${at.parent ? html`<button data-act="delete" @click=${() => run(game.remove(at))}>${t("deleteLine")}</button>` : nothing}</div>
    ${at.parent ? html`<label class="field note">${t("comment")}<textarea rows="2" data-act="comment" .value=${at.comment} @change=${(event: Event) => { at.comment = (event.target as HTMLTextAreaElement).value.trim(); redraw(); }}></textarea></label>` : nothing}</section>`;
}

/** The bar beside the board: what the position is worth to the first side. */
export function bar(value: Value | null, mover: Side, falls: boolean): TemplateResult {
  const share = value ? forFirst(value, mover) : 0.5;
  return html`<svg class="bar ${falls ? "falls" : "free"}" viewBox="0 0 16 100" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="second" width="16" height="100"/><rect class="first" y=${100 - 100 * share} width="16" height=${100 * share}/>`}</svg>`;
}

/** Estimates for the whole of a free board would hide it: the best ones do. */
const MOST_MARKS = 12;

export function analyseScreen(): TemplateResult {
  const game = state.game!;
  const here = game.notation();
  const standing = desk.found.get(here);
  const shown = standing?.moves.slice(0, game.view.variant.falls ? undefined : Math.max(desk.lines, MOST_MARKS)) ?? [];
  const side = game.view.side;
  const ghosts = desk.preview?.map((move, at) => ({ cell: move.cell, side: ((side + at) % 2) as Side, number: at + 1 })) ?? [];
  const marks: Marks = {
    values: desk.hideValues || (ghosts.length && !game.view.variant.falls) ? [] : shown,
    ghosts,
    threats: desk.showThreats && desk.threats?.of === here ? desk.threats.found : undefined,
    numbers: desk.numbers,
  };
  return html`<section class="card stage">${bar(standing?.value ?? game.at.value, side, game.view.variant.falls)}${board({ id: "analyse", view: game.view, marks, play: (move) => run(game.play(move.move)) })}</section>
    <div class="panel">${bestMoves()}${gameCard()}${shareCard(() => { desk.numbers = !desk.numbers; redraw(); }, desk.numbers)}</div>`;
}
