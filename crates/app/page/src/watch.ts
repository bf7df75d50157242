/** Watch: two engines play, with what both think, and a small match with its figures. */
import { html, nothing, svg, type TemplateResult } from "lit";
import { listen } from "./api.js";
import { board, sideName } from "./board.js";
import { announce, look, onNewGame, redraw, report, run, state } from "./store.js";
import { storedCard, type StoredGame } from "./stored.js";
import type { Move, Side, Value, View } from "./types.js";
import { pill, rate } from "./values.js";
import { t } from "./words.js";

interface Played {
  move: Move;
  /** What the engine thought; a foreign one may not say. */
  value: Value | null;
  engine: 0 | 1;
  time_ms: number;
  position: string;
}

interface WatchedGame {
  first: 0 | 1;
  opening: View;
  moves: Played[];
  winner: 0 | 1 | null | undefined;
}

interface Score {
  score: [number, number, number];
  by_side: [[number, number, number], [number, number, number]];
  share: number;
  elo: [number, number, number];
}

type Told =
  | { game: number; first: 0 | 1; opening: View }
  | ({ game: number } & Played)
  | ({ game: number; end: true; winner: 0 | 1 | null } & Score)
  | { final: true }
  | { gave_way: true }
  | { error: string };

const form = { engines: ["best", "kaggle-negamax"] as [string, string], games: 4, timeMs: 300, opening: 3 };

const desk = {
  search: null as AbortController | null,
  names: ["", ""] as [string, string],
  games: [] as WatchedGame[],
  total: 0,
  score: null as Score | null,
  end: null as "finished" | "stopped" | "stored" | null,
  /** What is on the board. */
  shown: { game: 0, ply: 0 },
  view: null as View | null,
  /** Milliseconds a move on the board; 0 follows the engines. */
  pace: 0,
  isPlaying: true,
};

onNewGame(() => {
  stop();
  Object.assign(desk, { games: [], score: null, end: null, view: null, shown: { game: 0, ply: 0 } });
});

export function stop(): void {
  if (desk.search) desk.end = "stopped";
  desk.search?.abort();
  desk.search = null;
}

const known = (): string[] => [...(state.engines?.engines.map((one) => one.name) ?? []), ...(state.engines?.levels ?? [])];

/** The engines to play, each one that plays this game. */
const chosen = (): [string, string] => form.engines.map((name) => (known().includes(name) ? name : (state.engines?.usual ?? "random"))) as [string, string];

async function start(): Promise<void> {
  stop();
  const search = (desk.search = new AbortController());
  const game = state.game!.view.variant.name;
  Object.assign(desk, { games: [], score: null, end: null, view: null, shown: { game: 0, ply: 0 }, total: form.games, names: chosen(), isPlaying: true });
  redraw();
  try {
    const asked = { game, engines: chosen(), games: form.games, time_ms: form.timeMs, opening_plies: form.opening, seed: Math.floor(Math.random() * 1e9) };
    for await (const told of listen<Told>("match", asked, search.signal)) {
      if ("error" in told) throw new Error(told.error);
      take(told);
      redraw();
    }
  } catch (error) {
    if (!search.signal.aborted) report(error);
  } finally {
    if (desk.search === search) {
      desk.search = null;
      desk.end ??= "stopped";
    }
    redraw();
  }
}

function take(told: Exclude<Told, { error: string }>): void {
  if ("final" in told) {
    desk.end = "finished";
    announce(`${t("finished")}: ${desk.score?.score.join(" – ") ?? ""}`);
  } else if ("opening" in told) {
    desk.games[told.game] = { first: told.first, opening: told.opening, moves: [], winner: undefined };
    if (desk.pace === 0 && desk.isPlaying) show(told.game, 0);
    else if (!desk.view) show(0, 0);
  } else if ("end" in told) {
    desk.games[told.game]!.winner = told.winner;
    desk.score = told;
  } else if ("move" in told) {
    const game = desk.games[told.game]!;
    game.moves.push(told);
    if (desk.pace === 0 && desk.isPlaying && desk.shown.game === told.game) show(told.game, game.moves.length);
  }
}

/** Puts a place of a game on the board. */
function show(game: number, ply: number): void {
  const of = desk.games[game];
  if (!of) return;
  desk.shown = { game, ply };
  if (ply === 0) {
    desk.view = of.opening;
    redraw();
    return;
  }
  const position = of.moves[ply - 1]!.position;
  run(
    look(position).then((view) => {
      if (desk.shown.game !== game || desk.shown.ply !== ply) return;
      desk.view = view;
      redraw();
    }),
  );
}

/** Puts a stored game on the board, from its opening on. */
function replay(stored: StoredGame): void {
  stop();
  const of: WatchedGame = { first: 0, opening: stored.opening, moves: stored.moves, winner: stored.winner };
  Object.assign(desk, { games: [of], score: null, end: "stored", names: stored.names, total: 1, isPlaying: true, pace: desk.pace || 500 });
  show(0, 0);
  const words = stored.remark ? `${stored.reason}: ${stored.remark}` : stored.reason;
  announce(`${stored.names.join(" – ")}, ${words}`);
}

let stepped = 0;

/** One step of the replay at the chosen pace. */
setInterval(() => {
  if (state.screen !== "watch" || desk.pace === 0 || !desk.isPlaying || performance.now() - stepped < desk.pace) return;
  const { game, ply } = desk.shown;
  const of = desk.games[game];
  if (!of) return;
  stepped = performance.now();
  if (ply < of.moves.length) show(game, ply + 1);
  else if (of.winner !== undefined && desk.games[game + 1]) show(game + 1, 0);
}, 50);

/** The value for an engine at a ply: what it thought when it last moved. */
function thought(of: WatchedGame, engine: 0 | 1, upTo: number): Value | null {
  const own = of.moves.slice(0, upTo).filter((one) => one.engine === engine && one.value);
  return own.at(-1)?.value ?? null;
}

const engineOf = (of: WatchedGame, side: Side): 0 | 1 => (side === 0 ? of.first : of.first === 0 ? 1 : 0);

/** Both engines' values over the game, each for the side that moves first. */
function evaluations(of: WatchedGame): TemplateResult {
  const [width, height] = [470, 96];
  const last = Math.max(of.moves.length, 8);
  const line = (engine: 0 | 1) => {
    const points = of.moves
      .map((one, at) => ({ one, at }))
      .filter(({ one }) => one.engine === engine && one.value)
      .map(({ one, at }) => `${(((at + 1) * width) / last).toFixed(1)},${(height - height * (engine === of.first ? rate(one.value!) : 1 - rate(one.value!))).toFixed(1)}`);
    return points.length ? `M${points.join("L")}` : "";
  };
  const x = (desk.shown.ply * width) / last;
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    desk.isPlaying = false;
    show(desk.shown.game, Math.max(0, Math.min(of.moves.length, Math.round(((event.clientX - box.left) / box.width) * last))));
  };
  return html`<svg class="graph" viewBox="-6 -8 ${width + 12} ${height + 16}" role="img" aria-label=${t("evaluations")} @click=${go}>${svg`<line class="half" x1="0" x2=${width} y1=${height / 2} y2=${height / 2}/><path class="curve engine0" d=${line(0)}/><path class="curve engine1" d=${line(1)}/><line class="cursor" x1=${x} x2=${x} y1="-4" y2=${height}/>`}</svg>
    <div class="legend">${([0, 1] as const).map((engine) => {
      const value = thought(of, engine, desk.shown.ply);
      return html`<span><i class="swatch engine${engine}"></i>${desk.names[engine]} ${value ? pill(value) : nothing}</span>`;
    })}</div>`;
}

const value = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;

function setup(): TemplateResult {
  const pick = (at: 0 | 1) => html`<label class="field">${t(at === 0 ? "first" : "second")}<select data-engine=${at} @change=${(event: Event) => { form.engines[at] = value(event); redraw(); }}>${known().map((name) => html`<option ?selected=${chosen()[at] === name}>${name}</option>`)}</select></label>`;
  const choice = (label: "games" | "moveTime" | "opening", key: "games" | "timeMs" | "opening", values: number[], words: (n: number) => string) =>
    html`<label class="field">${t(label)}<select data-setting=${key} @change=${(event: Event) => { form[key] = Number(value(event)); redraw(); }}>${values.map((n) => html`<option value=${n} ?selected=${form[key] === n}>${words(n)}</option>`)}</select></label>`;
  return html`<div class="form"><div class="fields">${pick(0)}${pick(1)}</div>
    <div class="fields">${choice("games", "games", [2, 4, 10, 20, 50, 100], String)}${choice("moveTime", "timeMs", [20, 50, 100, 300, 1000, 3000], (ms) => t("seconds", { n: ms / 1000 }))}${choice("opening", "opening", [0, 1, 2, 3, 4, 6], String)}</div>
    <div class="row">${desk.search ? html`<button class="main" data-act="stop" @click=${() => { stop(); redraw(); }}>${t("watchStop")}</button>` : html`<button class="main" data-act="match" @click=${() => run(start())}>${t("watchStart")}</button>`}</div></div>`;
}

function scoreCard(): TemplateResult {
  const { score } = desk;
  const figure = (n: number) => `${n > 0 ? "+" : ""}${Math.round(n)}`;
  const row = (label: string, of: [number, number, number]) => html`<tr><th scope="row">${label}</th>${of.map((n) => html`<td>${n}</td>`)}</tr>`;
  const status = desk.search ? t("running", { n: desk.games.length, total: desk.total }) : desk.end ? t(desk.end) : "";
  return html`<section class="card"><h2>${t("score")} · <span data-match=${desk.search ? "running" : (desk.end ?? "none")}>${status}</span></h2>
    ${score ? html`<p class="big">${desk.names[0]} <b>${score.score[0] + score.score[1] / 2} – ${score.score[2] + score.score[1] / 2}</b> ${desk.names[1]}</p>
      <p>${t("elo")} <b>${figure(score.elo[1])}</b> <span class="quiet">95 %: ${figure(score.elo[0])} … ${figure(score.elo[2])}</span></p>
      <table class="figures"><thead><tr><td></td><th scope="col">${t("winsN")}</th><th scope="col">${t("drawsN")}</th><th scope="col">${t("lossesN")}</th></tr></thead><tbody>${row(desk.names[0], score.score)}${row(t("asFirst"), score.by_side[0])}${row(t("asSecond"), score.by_side[1])}</tbody></table>` : html`<p class="quiet">${t("thinking")}</p>`}</section>`;
}

function gamesCard(): TemplateResult {
  const outcome = (of: WatchedGame) => (of.winner === undefined ? "…" : of.winner === null ? "½ – ½" : of.winner === 0 ? "1 – 0" : "0 – 1");
  return html`<section class="card"><h2>${t("table")}</h2><div class="scroll"><table class="figures games"><thead><tr><th scope="col">${t("table")}</th><th scope="col">${t("starts")}</th><th scope="col">${t("result")}</th><th scope="col">${t("length")}</th></tr></thead><tbody>${desk.games.map(
    (of, at) => html`<tr class=${at === desk.shown.game ? "here" : ""}><td><button class="move" @click=${() => { desk.isPlaying = desk.pace > 0; show(at, desk.pace ? 0 : of.moves.length); }}>${t("game", { n: at + 1 })}</button></td><td>${desk.names[of.first]}</td><td>${outcome(of)}</td><td>${of.moves.length}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function controls(of: WatchedGame): TemplateResult {
  const { game, ply } = desk.shown;
  const step = (by: number) => {
    desk.isPlaying = false;
    show(game, Math.max(0, Math.min(of.moves.length, ply + by)));
  };
  const pace = (event: Event) => {
    desk.pace = Number(value(event));
    desk.isPlaying = true;
    if (desk.pace === 0 && desk.games.length) show(desk.games.length - 1, desk.games.at(-1)!.moves.length);
    redraw();
  };
  return html`<div class="row steps"><button aria-label=${t("stepBack")} ?disabled=${ply === 0} @click=${() => step(-1)}>◀</button>
    <button data-act="playing" aria-label=${t(desk.isPlaying ? "pause" : "start")} @click=${() => { desk.isPlaying = !desk.isPlaying; redraw(); }}>${desk.isPlaying ? "❚❚" : "▶"}</button>
    <button aria-label=${t("stepOn")} ?disabled=${ply >= of.moves.length} @click=${() => step(1)}>▶</button>
    <label class="inline">${t("speed")}<select data-act="speed" @change=${pace}>${[0, 2000, 1000, 500, 200].map((ms) => html`<option value=${ms} ?selected=${desk.pace === ms}>${ms ? t("seconds", { n: ms / 1000 }) : t("live")}</option>`)}</select></label></div>`;
}

export function watchScreen(): TemplateResult {
  const of = desk.games[desk.shown.game];
  const view = desk.view ?? state.game!.view;
  const seat = (side: Side) => html`<div class="player ${!view.outcome && view.side === side ? "to-move" : ""}"><span class="dot ${view.variant.falls ? "falls" : "free"} side${side}" aria-hidden="true"></span><b>${of ? desk.names[engineOf(of, side)] : sideName(view.variant, side)}</b></div>`;
  return html`<section class="card stage">${board({ id: "watch", view })}</section>
    <div class="panel">
      <section class="card"><h2>${t("watch")}</h2>${of ? html`<div class="players">${seat(0)}${seat(1)}</div>${controls(of)}<div class="row"><a class="btn" data-act="analyse-it" href=${`#/analyse?p=${encodeURIComponent(of.moves.at(-1)?.position ?? of.opening.position)}`}>${t("analyseGame")}</a></div>` : html`<p>${t("watchNone")}</p>`}${setup()}</section>
      ${of ? html`<section class="card"><h2>${t("evaluations")}</h2>${evaluations(of)}</section>${desk.end === "stored" ? nothing : html`${scoreCard()}${gamesCard()}`}` : nothing}${storedCard(replay)}</div>`;
}
