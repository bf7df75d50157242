/** Swap2: one side puts three stones, the other takes a colour or puts two more and leaves the choice. */
import { html, nothing, type TemplateResult } from "lit";
import { ask } from "./api.js";
import { sideName } from "./board.js";
import { announce, redraw, run, state, toast } from "./store.js";
import type { Move, Side } from "./types.js";
import { t, type Word } from "./words.js";

/** Who puts stones or chooses. */
type Who = "you" | "engine" | "others";

/** Stones are put up to `until`, then a colour is chosen; each by someone. */
interface Stage {
  kind: "put" | "choose";
  who: Who;
  until: number;
}

/** What the game behind the opening does for it. */
export interface Table {
  /** Lays a stone, whoever's it is. */
  lay(move: string): Promise<void>;
  /** The person has this side from now on. */
  begin(side: Side): void;
}

const desk = {
  stage: null as Stage | null,
  table: null as Table | null,
  isBusy: false,
};

export const isSwapping = (): boolean => desk.stage !== null;

/** Whether the person may put a stone now. */
export const mayPut = (): boolean => desk.stage?.kind === "put" && desk.stage.who !== "engine" && !desk.isBusy;

const opposite = (who: Who): Who => (who === "others" ? "others" : who === "you" ? "engine" : "you");

/** Starts the opening of a game on an empty board; `opener` puts the three stones. */
export function startSwap(opener: Who, table: Table): void {
  Object.assign(desk, { stage: { kind: "put", who: opener, until: 3 }, table, isBusy: false });
  if (opener === "engine") act(engineActs());
  redraw();
}

export function endSwap(): void {
  desk.stage = null;
}

/** What the engine does, its failure told and the opening ended by it. */
function act(task: Promise<void>): void {
  desk.isBusy = true;
  run(
    task.catch((error: unknown) => {
      desk.stage = null;
      throw error;
    }).finally(() => {
      desk.isBusy = false;
      redraw();
    }),
  );
}

/** What the engine does at this point of the opening: it puts stones, or takes a side. */
type Answer = { lay: Move[] } | { take: Side };

async function engineActs(): Promise<void> {
  const own = desk.stage!;
  const game = state.game!;
  const answer = await ask<Answer>("swap2", { position: game.notation(), seed: Math.floor(Math.random() * 1e9) });
  if (desk.stage !== own || state.game !== game) return;
  if ("take" in answer) {
    toast(t("swapEngineTakes", { side: sideName(game.view.variant, answer.take) }));
    finish((1 - answer.take) as Side);
    return;
  }
  if (own.kind === "choose") toast(t("swapEngineTwo"));
  const stage = (desk.stage = { kind: "put", who: "engine", until: own.kind === "choose" ? 5 : 3 });
  for (const { move } of answer.lay) {
    if (desk.stage !== stage) return;
    await desk.table!.lay(move);
  }
  desk.isBusy = false;
  onStone();
}

/** Goes on when a stone was laid. */
export function onStone(): void {
  const { stage } = desk;
  if (stage?.kind !== "put" || desk.isBusy || state.game!.at.ply < stage.until) return;
  desk.stage = { kind: "choose", who: opposite(stage.who), until: stage.until };
  if (desk.stage.who === "engine") act(engineActs());
  else announce(words());
  redraw();
}

function finish(side: Side): void {
  desk.stage = null;
  desk.table!.begin(side);
}

function putTwo(): void {
  desk.stage = { kind: "put", who: desk.stage!.who, until: 5 };
  announce(words());
}

/** What is to be done now. */
export function words(): string {
  const { stage } = desk;
  if (!stage) return "";
  if (desk.isBusy || stage.who === "engine") return t("thinking");
  const word: Word = stage.kind === "choose" ? (stage.until === 3 ? "swapChoose" : "swapChooseLast") : stage.until === 3 ? "swapThree" : "swapTwo";
  return t(word);
}

/** The choices, when it is the person's turn to choose. */
export function swapButtons(): TemplateResult | typeof nothing {
  const { stage } = desk;
  if (stage?.kind !== "choose" || stage.who === "engine") return nothing;
  const take = (side: Side) => html`<button class="main" data-act=${`take${side}`} @click=${() => finish(side)}>${t("swapTake", { side: sideName(state.game!.view.variant, side) })}</button>`;
  return html`<div class="row">${take(1)}${take(0)}${stage.until === 3 ? html`<button data-act="two" @click=${putTwo}>${t("swapPutTwo")}</button>` : nothing}</div>`;
}
