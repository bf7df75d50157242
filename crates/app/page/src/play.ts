/** Play: against a level, an engine with its options, or a second person. */
import { html, nothing, type TemplateResult } from "lit";
import { listen } from "./api.js";
import { board, columnSign, sideName } from "./board.js";
import { moveList } from "./moves.js";
import { announce, onNewGame, openGame, redraw, report, run, state } from "./store.js";
import { endSwap, isSwapping, mayPut, onStone, startSwap, swapButtons, words as swapWords } from "./swap.js";
import { other, type Cell, type Engine, type Move, type Side, type Standing } from "./types.js";
import { t, type Word } from "./words.js";

type Opponent = "level" | "engine" | "person";

/** What the next game is to be; kept from visit to visit. */
interface Settings {
  opponent: Opponent;
  level: number;
  engine: string;
  options: Record<string, string>;
  timeMs: number;
  side: Side;
  minutes: number;
  sound: boolean;
  /** Whether games on free boards open by swap2, and who puts the three stones. */
  swap2: boolean;
  opens: "you" | "engine";
}

const USUAL: Settings = { opponent: "level", level: 4, engine: "best", options: {}, timeMs: 1000, side: 0, minutes: 0, sound: false, swap2: false, opens: "you" };
const settings: Settings = { ...USUAL, ...(JSON.parse(localStorage.getItem("play") ?? "{}") as Partial<Settings>) };

function keep(change: Partial<Settings>): void {
  Object.assign(settings, change);
  localStorage.setItem("play", JSON.stringify(settings));
  redraw();
}

interface Result {
  winner: Side | null;
  why: string;
}

const table = {
  search: null as AbortController | null,
  isThinking: false,
  isHinting: false,
  hint: undefined as Cell | undefined,
  /** How it ended, beyond what the board shows. */
  verdict: null as Result | null,
  /** Milliseconds left of each side, and since when the mover's run. */
  left: [0, 0] as [number, number],
  since: null as number | null,
};

onNewGame(() => {
  stop();
  table.verdict = null;
  table.hint = undefined;
  table.left = [settings.minutes * 60_000, settings.minutes * 60_000];
  table.since = settings.minutes ? performance.now() : null;
  endSwap();
  const game = state.game!;
  if (settings.swap2 && !game.view.variant.falls && !game.through().length && game.view.start.flat().length === 0) {
    startSwap(settings.opponent === "person" ? "others" : settings.opens, { lay, begin });
  } else if (state.screen === "play") answer();
});

/** The colours are settled: the game goes on as any other. */
function begin(side: Side): void {
  table.left = [settings.minutes * 60_000, settings.minutes * 60_000];
  table.since = settings.minutes ? performance.now() : null;
  keep({ side });
  answer();
}

/** Ends the engine's search, if one runs. */
export function stop(): void {
  table.search?.abort();
  table.search = null;
  table.isThinking = false;
  table.isHinting = false;
}

const engineSide = (): Side | null => (settings.opponent === "person" || isSwapping() ? null : other(settings.side));

function result(): Result | null {
  if (table.verdict) return table.verdict;
  const view = state.game?.view;
  if (!view?.outcome) return null;
  const winner = view.outcome.winner;
  return { winner, why: winner === null ? t("fullBoard") : t("byLine", { n: view.variant.run }) };
}

/** The engine's name and options, as the server reads it. */
function engineName(): string {
  const levels = state.engines?.levels ?? [];
  if (settings.opponent === "level" && levels.length) return levels[settings.level - 1] ?? levels.at(-1)!;
  const known = state.engines?.engines.find((one) => one.name === settings.engine) ?? state.engines?.engines.find((one) => one.name === state.engines?.usual);
  if (!known || settings.opponent === "level") return state.engines?.usual ?? "best";
  const pairs = known.keys.filter((key) => settings.options[key.name]).map((key) => `${key.name}=${settings.options[key.name]}`);
  return pairs.length ? `${known.name}:${pairs.join(",")}` : known.name;
}

/** Without levels for a game, more time makes the engine stronger. */
const thinkTime = (): number => (settings.opponent === "level" && !state.engines?.levels.length ? 40 * 2 ** (settings.level - 1) : settings.timeMs);

/** Lets the engine move if it is its turn. */
export function answer(): void {
  const game = state.game;
  if (!game || result() || table.isThinking || game.view.side !== engineSide()) return;
  const search = (table.search = new AbortController());
  table.isThinking = true;
  redraw();
  void (async () => {
    try {
      let best: Move | null = null;
      const asked = { position: game.notation(), engine: engineName(), time_ms: thinkTime(), seed: Math.floor(Math.random() * 1e9) };
      for await (const standing of listen<Standing>("move", asked, search.signal)) {
        if (standing.final) best = standing.best;
      }
      if (search.signal.aborted || state.game !== game) return;
      table.isThinking = false;
      if (best) await lay(best.move);
    } catch (error) {
      if (!search.signal.aborted) report(error);
    } finally {
      if (table.search === search) {
        table.search = null;
        table.isThinking = false;
        redraw();
      }
    }
  })();
}

async function lay(move: string): Promise<void> {
  const game = state.game!;
  const mover = game.view.side;
  stopClock(mover);
  table.hint = undefined;
  await game.play(move);
  if (settings.sound) click();
  const ended = result();
  const told = t("played", { side: sideName(game.view.variant, mover), move: moveWords(game.view.moves.at(-1)!) });
  announce(ended ? `${told}. ${resultWords(ended)}` : told);
  if (ended) table.since = null;
  onStone();
}

function moveWords(move: Move): string {
  return state.game!.view.variant.falls ? t("columnIs", { move: move.move }) : move.move;
}

/** The person's move. */
async function playHere(move: Move): Promise<void> {
  if (table.isHinting) stop();
  await lay(move.move);
  answer();
}

function resultWords(of: Result): string {
  if (of.winner === null) return `${t("draw")}: ${of.why}`;
  const variant = state.game!.view.variant;
  const who = settings.opponent === "person" ? t("sideWins", { side: sideName(variant, of.winner) }) : t(of.winner === settings.side ? "youWin" : "youLose");
  return `${who}: ${of.why}`;
}

export function undo(): void {
  const game = state.game;
  if (!game || state.screen !== "play") return;
  stop();
  table.verdict = null;
  table.hint = undefined;
  run(
    (async () => {
      const last = game.at;
      let to = last.parent;
      // Back to the person's own turn.
      if (to && engineSide() !== null && game.side(to.ply) === engineSide()) to = to.parent;
      if (!to) {
        answer();
        return;
      }
      await game.goTo(to);
      to.children = [];
      if (settings.minutes) table.since = performance.now();
      redraw();
    })(),
  );
}

export function hint(): void {
  const game = state.game;
  if (!game || result() || table.isThinking || state.screen !== "play") return;
  if (table.hint || table.isHinting) {
    stop();
    table.hint = undefined;
    redraw();
    return;
  }
  const search = (table.search = new AbortController());
  table.isHinting = true;
  redraw();
  void (async () => {
    try {
      const asked = { position: game.notation(), engine: state.engines?.usual ?? "best", time_ms: 800 };
      for await (const standing of listen<Standing>("move", asked, search.signal)) {
        if (!standing.final || !standing.best) continue;
        table.hint = standing.best.cell;
        announce(t("hintIs", { move: moveWords(standing.best) }));
      }
    } catch (error) {
      if (!search.signal.aborted) report(error);
    } finally {
      if (table.search === search) {
        table.search = null;
        table.isHinting = false;
        redraw();
      }
    }
  })();
}

function resign(): void {
  const game = state.game;
  if (!game || result()) return;
  stop();
  const loser = settings.opponent === "person" ? game.view.side : settings.side;
  table.verdict = { winner: other(loser), why: t("byResign") };
  table.since = null;
  announce(resultWords(table.verdict));
}

/** Changes sides in the middle of the game: the engine takes over the person's stones. */
function swapSides(): void {
  stop();
  keep({ side: other(settings.side) });
  answer();
}

export function newGame(): void {
  state.dialog = null;
  if (state.game) run(openGame(state.game.view.variant.name));
}

// --- the clock ---------------------------------------------------------------

function remaining(side: Side): number {
  const runs = table.since !== null && state.game?.view.side === side;
  return Math.max(0, table.left[side] - (runs ? performance.now() - table.since! : 0));
}

function stopClock(side: Side): void {
  if (table.since === null) return;
  table.left[side] = remaining(side);
  table.since = performance.now();
}

setInterval(() => {
  if (table.since === null || state.screen !== "play" || !state.game || result()) return;
  const side = state.game.view.side;
  if (remaining(side) <= 0) {
    stop();
    table.left[side] = 0;
    table.since = null;
    table.verdict = { winner: other(side), why: t("byTime") };
    announce(resultWords(table.verdict));
  }
  redraw();
}, 250);

function clockFace(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function click(): void {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = 330;
  volume.gain.setValueAtTime(0.15, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.12);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.12);
  tone.onended = () => void context.close();
}

// --- what is seen --------------------------------------------------------------

function player(side: Side): TemplateResult {
  const game = state.game!;
  const isEngine = engineSide() === side;
  const name = settings.opponent === "person" ? "" : isEngine ? opponentWords() : t("you");
  const moves = !result() && game.view.side === side;
  return html`<div class="player ${moves ? "to-move" : ""}">
    <span class="dot ${game.view.variant.falls ? "falls" : "free"} side${side}" aria-hidden="true"></span>
    <b>${sideName(game.view.variant, side)}</b><span class="quiet">${name}</span>
    ${settings.minutes ? html`<span class="clock">${clockFace(remaining(side))}</span>` : nothing}</div>`;
}

function opponentWords(): string {
  return settings.opponent === "level" ? `${t("level")} ${settings.level}` : engineName().split(":")[0]!;
}

function statusLine(): TemplateResult {
  const game = state.game!;
  const ended = result();
  const words = ended
    ? resultWords(ended)
    : isSwapping()
      ? swapWords()
      : table.isThinking
      ? t("thinking")
      : settings.opponent === "person"
        ? t("turnOf", { side: sideName(game.view.variant, game.view.side) })
        : t("yourTurn");
  return html`<p class="status ${ended ? "ended" : ""}" data-status=${ended ? "ended" : table.isThinking ? "thinking" : "open"}>${table.isThinking ? html`<span class="spinner" aria-hidden="true"></span>` : nothing}${words}</p>`;
}

const LEVEL_WORDS: Word[] = ["levelWord1", "levelWord2", "levelWord2", "levelWord3", "levelWord3", "levelWord4", "levelWord4", "levelWord5", "levelWord5", "levelWord6"];

const value = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;

function engineOptions(engine: Engine): TemplateResult {
  const shown = engine.keys.filter((key) => !["time", "threads", "memory", "reserve"].includes(key.name));
  return html`<details><summary>${t("options")}</summary><div class="options">${shown.map(
    (key) => html`<label class="field" title=${key.about}>${key.name}<input .value=${settings.options[key.name] ?? ""} placeholder=${key.default ?? ""} title=${`${key.about} ${key.range ?? ""}`}
      @change=${(event: Event) => keep({ options: { ...settings.options, [key.name]: value(event).trim() } })}></label>`,
  )}</div></details>`;
}

/** The form for the next game. */
export function newGameForm(): TemplateResult {
  const engines = state.engines?.engines ?? [];
  const engine = engines.find((one) => one.name === settings.engine) ?? engines.find((one) => one.name === state.engines?.usual);
  const variant = state.game!.view.variant;
  const opponents: Opponent[] = ["level", "engine", "person"];
  return html`<div class="form">
    <div class="field"><span>${t("opponent")}</span><div class="segments" role="group" aria-label=${t("opponent")}>${opponents.map(
      (one) => html`<button data-opponent=${one} aria-pressed=${settings.opponent === one} @click=${() => keep({ opponent: one })}>${t(one)}</button>`,
    )}</div></div>
    ${settings.opponent === "level"
      ? html`<label class="field"><span>${t("strength")}: <b>${settings.level}</b> · ${t(LEVEL_WORDS[settings.level - 1]!)}</span><input type="range" min="1" max="10" .value=${String(settings.level)} @input=${(event: Event) => keep({ level: Number(value(event)) })}></label>`
      : nothing}
    ${settings.opponent === "engine" && engine
      ? html`<label class="field">${t("engine")}<select @change=${(event: Event) => keep({ engine: value(event), options: {} })}>${engines.map((one) => html`<option value=${one.name} ?selected=${one === engine}>${one.name} · ${one.about}</option>`)}</select></label>
        <label class="field">${t("thinkTime")}<select @change=${(event: Event) => keep({ timeMs: Number(value(event)) })}>${[100, 300, 1000, 3000, 10000].map((ms) => html`<option value=${ms} ?selected=${settings.timeMs === ms}>${t("seconds", { n: ms / 1000 })}</option>`)}</select></label>
        ${engineOptions(engine)}`
      : nothing}
    ${variant.falls
      ? nothing
      : html`<label class="check"><input type="checkbox" data-act="swap2" .checked=${settings.swap2} @change=${(event: Event) => keep({ swap2: (event.target as HTMLInputElement).checked })}> ${t("swap2")}</label>`}
    ${settings.opponent === "person"
      ? nothing
      : settings.swap2 && !variant.falls
      ? html`<div class="field"><span>${t("swapOpens")}</span><div class="segments" role="group" aria-label=${t("swapOpens")}>${(["you", "engine"] as const).map(
          (who) => html`<button data-opens=${who} aria-pressed=${settings.opens === who} @click=${() => keep({ opens: who })}>${t(who === "you" ? "you" : "engineIs")}</button>`,
        )}</div></div>`
      : html`<div class="field"><span>${t("youPlay")}</span><div class="segments" role="group" aria-label=${t("youPlay")}>${([0, 1] as const).map(
          (side) => html`<button data-side=${side} aria-pressed=${settings.side === side} @click=${() => keep({ side })}><span class="dot ${variant.falls ? "falls" : "free"} side${side}" aria-hidden="true"></span> ${sideName(variant, side)}</button>`,
        )}</div></div>`}
    <div class="fields"><label class="field">${t("clock")}<select @change=${(event: Event) => keep({ minutes: Number(value(event)) })}>${[0, 1, 3, 5, 10, 30].map((n) => html`<option value=${n} ?selected=${settings.minutes === n}>${n ? t("minutes", { n }) : t("noClock")}</option>`)}</select></label>
    <label class="check"><input type="checkbox" .checked=${settings.sound} @change=${(event: Event) => keep({ sound: (event.target as HTMLInputElement).checked })}> ${t("sound")}</label></div>
    <button class="main" data-act="start" @click=${newGame}>${t("start")}</button></div>`;
}

export function playScreen(): TemplateResult {
  const game = state.game!;
  const ended = result();
  const canPlay = !ended && !table.isThinking && (isSwapping() ? mayPut() : game.view.side !== engineSide());
  return html`<section class="card stage">${board({
      id: "play",
      view: game.view,
      marks: { hint: table.hint },
      play: canPlay ? (move) => run(playHere(move)) : undefined,
    })}</section>
    <div class="panel">
      <section class="card"><div class="players">${player(0)}${player(1)}</div>${statusLine()}${swapButtons()}
        <div class="row" ?hidden=${isSwapping()}>${ended
          ? html`<button class="main" data-act="again" @click=${newGame}>${t("againWith")}</button><a class="btn" href="#/review">${t("reviewIt")}</a>`
          : html`<button data-act="hint" ?disabled=${!canPlay} @click=${hint}>${table.isHinting ? t("searching") : t(table.hint ? "hideHint" : "hint")}</button>
          <button data-act="resign" ?disabled=${game.at.ply === 0} @click=${resign}>${t("resign")}</button>
          ${settings.opponent === "person" ? nothing : html`<button data-act="swap" @click=${swapSides}>${t("swap")}</button>`}`}
          <button data-act="undo" ?disabled=${game.at.ply === 0} @click=${undo}>${t("undo")}</button></div></section>
      <section class="card"><h2>${t("moves")}</h2>${moveList(false)}</section>
      <section class="card"><h2>${t("newGame")}</h2>${newGameForm()}</section>
    </div>`;
}

/** Plays the column or nothing, for the keyboard. */
export function playColumn(sign: string): void {
  const game = state.game;
  if (!game?.view.variant.falls) return;
  const move = game.view.legal.find((one) => columnSign(game.view.variant, one.cell[0]) === sign);
  if (!move) return;
  if (state.screen === "analyse" || state.screen === "review") run(game.play(move.move));
  else if (state.screen === "play" && !result() && !table.isThinking && game.view.side !== engineSide()) run(playHere(move));
}
