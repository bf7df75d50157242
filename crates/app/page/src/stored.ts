/** Stored tournaments: which there are, their tables, and their games to be replayed. */
import { html, nothing, type TemplateResult } from "lit";
import { ask } from "./api.js";
import { redraw, run, state } from "./store.js";
import type { Move, Side, Value, View } from "./types.js";
import { t } from "./words.js";

interface Listed {
  store: string;
  run: string;
  game: string;
  format: string;
  players: number;
  games: number;
  begun_at: string;
}

interface Player {
  name: string;
  rank: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  elo: [number, number, number];
}

interface GameLine {
  number: number;
  players: [number, number];
  winner: Side | null;
  reason: string;
  plies: number;
}

interface Run {
  name: string;
  game: string;
  games: number;
  total: number;
  complete: boolean;
  players: Player[];
  names: string[];
  list: GameLine[];
}

export interface StoredGame {
  names: [string, string];
  opening: View;
  moves: { engine: 0 | 1; move: Move; value: Value | null; time_ms: number; position: string }[];
  winner: Side | null;
  reason: string;
  remark: string | null;
}

/** Games shown before somebody asks for more. */
const STEP = 50;

const desk = {
  runs: null as Listed[] | null,
  from: null as Listed | null,
  run: null as Run | null,
  /** The player whose games are listed; all of them if none. */
  player: null as number | null,
  shown: STEP,
  number: null as number | null,
  isAsking: false,
};

/** Learns which tournaments there are, once the screen is shown. */
export function follow(): void {
  if (state.screen !== "watch" || desk.runs || desk.isAsking || !state.game) return;
  desk.isAsking = true;
  run(
    ask<{ runs: Listed[] }>("stored", {})
      .then(({ runs }) => {
        desk.runs = runs;
        redraw();
      })
      .finally(() => {
        desk.isAsking = false;
      }),
  );
}

async function open(from: Listed): Promise<void> {
  const opened = await ask<Run>("stored/run", { store: from.store, run: from.run });
  Object.assign(desk, { from, run: opened, player: null, shown: STEP, number: null });
  redraw();
}

function close(): void {
  Object.assign(desk, { from: null, run: null, runs: null });
  redraw();
}

const figure = (n: number): string => `${n > 0 ? "+" : ""}${Math.round(n)}`;

function runList(runs: Listed[]): TemplateResult {
  return html`<ul class="runs">${runs.map(
    (one) => html`<li><button data-run=${one.run} @click=${() => run(open(one))}><b>${one.run}</b><span class="quiet">${one.game} · ${t("playersN", { n: one.players })} · ${t("gamesN", { n: one.games })}</span><span class="quiet">${one.store}</span></button></li>`,
  )}</ul>`;
}

function ranking(of: Run): TemplateResult {
  const row = (one: Player) => html`<tr><td>${one.rank}</td><th scope="row">${one.name}</th><td><b>${figure(one.elo[1])}</b><span class="quiet under">${figure(one.elo[0])} … ${figure(one.elo[2])}</span></td><td>${(100 * one.score).toFixed(1)} %</td><td>${one.wins} / ${one.draws} / ${one.losses}</td></tr>`;
  return html`<div class="scroll"><table class="figures ranking"><thead><tr><th scope="col">#</th><th scope="col">${t("player")}</th><th scope="col">${t("elo")} <span class="quiet">95 %</span></th><th scope="col">${t("points")}</th><th scope="col">${t("winsN")} / ${t("drawsN")} / ${t("lossesN")}</th></tr></thead><tbody>${of.players.map(row)}</tbody></table></div>`;
}

/** The run that is open, or all that can be opened; `replay` puts a game on the board. */
export function storedCard(replay: (game: StoredGame, number: number) => void): TemplateResult {
  const of = desk.run;
  if (!of) {
    const { runs } = desk;
    return html`<section class="card"><h2>${t("stored")}</h2>${runs?.length ? runList(runs) : html`<p class="quiet">${runs ? t("storedNone") : t("loading")}</p>`}</section>`;
  }
  const choose = async (number: number) => {
    const { store, run: name } = desk.from!;
    const game = await ask<StoredGame>("stored/game", { store, run: name, game: number });
    desk.number = number;
    replay(game, number);
  };
  const all = of.list.filter((one) => desk.player === null || one.players.includes(desk.player));
  const result = (one: GameLine) => (one.winner === null ? "½ – ½" : one.winner === 0 ? "1 – 0" : "0 – 1");
  return html`<section class="card"><h2>${t("stored")}</h2><p class="big"><b>${of.name}</b> <span class="quiet">${of.game} · ${of.complete ? t("finished") : t("running", { n: of.games, total: of.total })}</span></p>
    ${ranking(of)}
    <div class="row"><button data-act="close-run" @click=${close}>${t("storedBack")}</button>
      <label class="inline">${t("player")}<select data-act="by-player" @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        Object.assign(desk, { player: value === "" ? null : Number(value), shown: STEP });
        redraw();
      }}><option value="">${t("allPlayers")}</option>${of.names.map((name, at) => html`<option value=${at} ?selected=${desk.player === at}>${name}</option>`)}</select></label></div>
    <div class="scroll"><table class="figures games stored"><thead><tr><th scope="col">${t("table")}</th><th scope="col">${t("player")}</th><th scope="col">${t("result")}</th><th scope="col">${t("length")}</th></tr></thead><tbody>${all.slice(0, desk.shown).map(
      (one) => html`<tr class=${one.number === desk.number ? "here" : ""}><td><button class="move" data-game=${one.number} @click=${() => run(choose(one.number))}>${t("game", { n: one.number + 1 })}</button></td><td>${of.names[one.players[0]]} – ${of.names[one.players[1]]}</td><td>${result(one)}<span class="quiet under">${one.reason}</span></td><td>${one.plies}</td></tr>`,
    )}</tbody></table></div>
    ${all.length > desk.shown ? html`<div class="row"><button data-act="more" @click=${() => { desk.shown += 200; redraw(); }}>${t("moreGames", { n: all.length - desk.shown })}</button></div>` : nothing}</section>`;
}
