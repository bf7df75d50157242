/** Review: one click goes over the whole game and says where it was won and lost. */
import { html, nothing, type TemplateResult } from "lit";
import { bar, gameCard } from "./analyse.js";
import { listen } from "./api.js";
import { board, sideName } from "./board.js";
import type { Node } from "./game.js";
import { shareCard } from "./share.js";
import { announce, onNewGame, redraw, report, run, state } from "./store.js";
import type { Judgement, Side, Value, Verdict } from "./types.js";
import { isProven, pill, spoken } from "./values.js";
import { sentence, t } from "./words.js";

type Told = Judgement | { ply: number; value: Value } | { final: true } | { gave_way: true };

const desk = {
  search: null as AbortController | null,
  done: 0,
  total: 0,
  isDone: false,
  numbers: false,
};

const VERDICTS: Verdict[] = ["best", "good", "slip", "blunder"];

onNewGame(() => {
  stop();
  desk.isDone = false;
  desk.total = 0;
});

export function stop(): void {
  desk.search?.abort();
  desk.search = null;
}

/** Judges every move of the line that is shown. */
export async function review(): Promise<void> {
  const game = state.game!;
  const nodes = game.through();
  if (!nodes.length) return;
  stop();
  const search = (desk.search = new AbortController());
  Object.assign(desk, { done: 0, total: nodes.length, isDone: false });
  redraw();
  try {
    // Who had to give way goes on where it was: the end that is judged already is left out.
    for (let again = true; again; ) {
      again = false;
      const asked = { position: game.notation(nodes[nodes.length - 1 - desk.done] ?? game.root), time_ms: 400 };
      for await (const told of listen<Told>("review", asked, search.signal)) {
        if ("gave_way" in told) again = true;
        else if ("final" in told) desk.isDone = true;
        else take(told, game.root, nodes);
        redraw();
      }
    }
    if (desk.isDone) announce(tally());
  } catch (error) {
    if (!search.signal.aborted) report(error);
  } finally {
    if (desk.search === search) desk.search = null;
    redraw();
  }
}

function take(told: Judgement | { ply: number; value: Value }, root: Node, nodes: Node[]): void {
  const before = told.ply === 0 ? root : nodes[told.ply - 1];
  if (before) before.value = told.value;
  if (!("verdict" in told)) return;
  nodes[told.ply]!.judgement = told;
  desk.done = nodes.length - told.ply;
}

const judged = (): Node[] => state.game!.through().filter((node) => node.judgement);

function tally(): string {
  const slips = judged().filter((node) => isSlip(node)).length;
  return `${t("reviewTitle")}: ${slips} × ${t("slip_n")} / ${t("blunder_n")}`;
}

const isSlip = (node: Node): boolean => node.judgement?.verdict === "slip" || node.judgement?.verdict === "blunder";

/** Goes to the next slip in a direction. */
function jump(step: 1 | -1): void {
  const game = state.game!;
  const all = game.through();
  const rest = step === 1 ? all.filter((node) => node.ply > game.at.ply) : all.filter((node) => node.ply < game.at.ply).reverse();
  const to = rest.find(isSlip);
  if (to) run(game.goTo(to));
}

/** What is to be said of the move that led here. */
function verdictWords(node: Node): string {
  const { judgement } = node;
  if (!judgement) return "";
  const game = state.game!;
  const name = (move: string) => (game.view.variant.falls ? t("columnIs", { move }) : move);
  const words = {
    side: sideName(game.view.variant, game.side(node.ply - 1)),
    move: name(isSlip(node) ? (judgement.best?.move ?? "") : node.move),
    best: name(judgement.best?.move ?? ""),
    value: spoken(judgement.value),
    played: name(node.move),
    playedValue: spoken(judgement.played_value),
  };
  return sentence(t(isSlip(node) ? "youHad" : judgement.verdict === "best" ? "wasBest" : "wasGood", words));
}

function counts(): TemplateResult {
  const game = state.game!;
  const of = (side: Side, verdict: Verdict) => judged().filter((node) => game.side(node.ply - 1) === side && node.judgement!.verdict === verdict).length;
  return html`<table class="figures"><thead><tr><td></td>${VERDICTS.map((verdict) => html`<th scope="col"><span class="badge ${verdict}"></span>${t(`${verdict}_n`)}</th>`)}</tr></thead><tbody>${([0, 1] as const).map(
    (side) => html`<tr><th scope="row"><span class="dot ${game.view.variant.falls ? "falls" : "free"} side${side}" aria-hidden="true"></span> ${sideName(game.view.variant, side)}</th>${VERDICTS.map((verdict) => html`<td>${of(side, verdict)}</td>`)}</tr>`,
  )}</tbody></table>`;
}

function summaryCard(): TemplateResult {
  const game = state.game!;
  const here = game.at;
  const isExact = judged().length > 0 && judged().every((node) => isProven(node.judgement!.value));
  const button = html`<button class=${judged().length ? "" : "main"} data-act="review" ?disabled=${desk.search !== null} @click=${() => run(review())}>${t("reviewStart")}</button>`;
  if (!game.through().length) return html`<section class="card"><h2>${t("reviewTitle")}</h2><p>${t("reviewNone")}</p><div class="row"><a class="btn" href="#/play">${t("play")}</a></div></section>`;
  return html`<section class="card"><h2>${t("reviewTitle")}</h2>
    ${desk.search ? html`<p class="status" data-review="running"><span class="spinner" aria-hidden="true"></span>${t("reviewing", { done: desk.done, total: desk.total })}</p><progress max=${desk.total} .value=${desk.done} aria-label=${t("reviewTitle")}></progress>` : nothing}
    ${judged().length ? html`${counts()}<p class="quiet" data-review=${desk.isDone ? "done" : "open"}>${t(isExact ? "exact" : "estimated")}</p>
      <div class="verdict ${here.judgement?.verdict ?? ""}">${here.judgement ? html`<p><span class="badge ${here.judgement.verdict}"></span><b>${t(here.judgement.verdict)}</b> ${pill(here.judgement.played_value)}</p><p>${verdictWords(here)}</p>` : html`<p class="quiet">…</p>`}</div>
      <div class="row"><button data-act="prev-slip" @click=${() => jump(-1)}>← ${t("prevSlip")}</button><button data-act="next-slip" @click=${() => jump(1)}>${t("nextSlip")} →</button><a class="btn" href="#/analyse">${t("goAnalyse")}</a>${button}</div>`
      : html`<div class="row">${button}</div>`}</section>`;
}

export function reviewScreen(): TemplateResult {
  const game = state.game!;
  const better = game.at.judgement && isSlip(game.at) ? game.at.judgement.best : null;
  const mover = game.side(Math.max(0, game.at.ply - 1));
  return html`<section class="card stage">${bar(game.at.value, game.view.side, game.view.variant.falls)}${board({
      id: "review",
      view: game.view,
      marks: { numbers: desk.numbers, ghosts: better && !game.view.moves.some((move) => move.cell.join() === better.cell.join()) ? [{ cell: better.cell, side: mover, number: game.at.ply }] : [] },
      play: (move) => run(game.play(move.move)),
    })}</section>
    <div class="panel">${summaryCard()}${gameCard()}${shareCard(() => { desk.numbers = !desk.numbers; redraw(); }, desk.numbers)}</div>`;
}
