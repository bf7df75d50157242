/** Learn: puzzles that our own search found, ever longer; where stones fall one move alone wins. */
import { html, nothing, type TemplateResult } from "lit";
import { ask } from "./api.js";
import { board, sideName } from "./board.js";
import { announce, look, lookAfter, onNewGame, redraw, report, run, state } from "./store.js";
import type { Cell, Move, Puzzle, Side, Value, View } from "./types.js";
import { t, type Word } from "./words.js";

/** Moves that the solver of the puzzle has to make, from the easiest on. */
const LEVELS = [2, 3, 4, 5, 6, 7, 8];

const desk = {
  puzzle: null as Puzzle | null,
  view: null as View | null,
  solver: 0 as Side,
  moves: Number(localStorage.getItem("puzzle-moves") ?? LEVELS[0]),
  streak: 0,
  hasErred: false,
  isBusy: false,
  /** Whether no puzzle could be found, so that nobody asks again by itself. */
  isBarren: false,
  word: "puzzleGo" as Word,
  hint: undefined as Cell | undefined,
};

onNewGame(() => Object.assign(desk, { puzzle: null, view: null, isBarren: false }));

/** Makes sure that there is a puzzle when the screen is shown. */
export function follow(): void {
  if (state.screen === "learn" && state.game && !desk.puzzle && !desk.isBusy && !desk.isBarren) run(next());
}

async function next(): Promise<void> {
  if (desk.isBusy) return;
  desk.isBusy = true;
  redraw();
  const seed = Math.floor(Math.random() * 1e9);
  try {
    desk.puzzle = await ask<Puzzle>("puzzle", { game: state.game!.view.variant.name, plies: 2 * desk.moves - 1, seed });
    await again();
  } catch (error) {
    desk.isBarren = true;
    report(error);
  } finally {
    desk.isBusy = false;
    redraw();
  }
}

async function again(): Promise<void> {
  desk.view = await look(desk.puzzle!.position);
  desk.solver = desk.view.side;
  Object.assign(desk, { word: "puzzleGo", hasErred: false, hint: undefined });
  redraw();
}

interface Defence {
  best: Move;
  value: Value;
}

/** The person's try: the win must still be there, then the longest defence follows. */
async function attempt(move: Move): Promise<void> {
  const before = desk.view!;
  desk.isBusy = true;
  desk.hint = undefined;
  try {
    desk.view = await lookAfter(before.position, move.move);
    redraw();
    if (desk.view.outcome?.winner === desk.solver) return solved();
    const defence = desk.view.outcome ? null : await ask<Defence>("solve", { position: desk.view.position });
    if (!defence || !("loss" in defence.value)) {
      desk.hasErred = true;
      say("puzzleWrong");
      desk.view = before;
      return;
    }
    desk.view = await lookAfter(desk.view.position, defence.best.move);
    say("puzzleRight");
  } finally {
    desk.isBusy = false;
    redraw();
  }
}

function say(word: Word): void {
  desk.word = word;
  announce(t(word));
}

function solved(): void {
  desk.streak = desk.hasErred ? 0 : desk.streak + 1;
  say("puzzleDone");
  // Three in a row without an error: the next ones are longer.
  if (desk.streak > 0 && desk.streak % 3 === 0) choose(Math.min(LEVELS.at(-1)!, desk.moves + 1));
}

function choose(moves: number): void {
  desk.moves = moves;
  localStorage.setItem("puzzle-moves", String(moves));
}

function showSolution(): void {
  run(
    (async () => {
      const position = desk.view!.position;
      const { best } = await ask<Defence>("solve", { position });
      Object.assign(desk, { hint: best.cell, hasErred: true });
      say("puzzleShown");
    })(),
  );
}

export function learnScreen(): TemplateResult {
  const view = desk.view ?? state.game!.view;
  const family = view.variant.falls ? "falls" : "free";
  const word = desk.word === "puzzleGo" && family === "free" ? "puzzleGoFree" : desk.word;
  const isSolved = desk.word === "puzzleDone";
  const canPlay = desk.view !== null && !desk.isBusy && !isSolved && view.side === desk.solver;
  const left = desk.puzzle && desk.view ? desk.moves : 0;
  const panel = html`<section class="card"><h2>${t("puzzle")}</h2>
        ${desk.puzzle ? html`<p class="status" data-puzzle=${desk.isBusy ? "busy" : desk.word}><span class="dot ${family} side${desk.solver}" aria-hidden="true"></span>${t("winIn", { side: sideName(view.variant, desk.solver), n: (desk.puzzle.plies + 1) / 2 })}</p><p class="${isSolved ? "solved" : desk.word === "puzzleWrong" ? "problem" : ""}" role="status">${t(word)}</p>` : desk.isBarren ? html`<p>${t("puzzleBarren")}</p>` : html`<p class="status"><span class="spinner" aria-hidden="true"></span>${t("puzzleLoading")}</p>`}
        <div class="row">${isSolved ? html`<button class="main" data-act="next" ?disabled=${desk.isBusy} @click=${() => run(next())}>${t("puzzleNext")}</button>` : html`<button data-act="solution" ?disabled=${!canPlay} @click=${showSolution}>${t("puzzleShow")}</button><button data-act="next" ?disabled=${desk.isBusy} @click=${() => run(next())}>${t("puzzleNext")}</button>`}
          <button ?disabled=${!desk.puzzle || desk.isBusy} @click=${() => run(again())}>${t("puzzleAgain")}</button></div>
        ${desk.streak ? html`<p class="quiet">${t("solvedN", { n: desk.streak })}</p>` : nothing}</section>
      <section class="card"><h2>${t("difficulty")}</h2><div class="levels" role="group" aria-label=${t("difficulty")}>${LEVELS.map((moves) => html`<button data-moves=${moves} aria-pressed=${left === moves || desk.moves === moves} ?disabled=${desk.isBusy} @click=${() => { choose(moves); run(next()); }}>${moves}</button>`)}</div></section>`;
  return html`<section class="card stage">${board({ id: "learn", view, marks: { hint: desk.hint }, play: canPlay ? (move) => run(attempt(move)) : undefined })}</section><div class="panel">${panel}</div>`;
}
