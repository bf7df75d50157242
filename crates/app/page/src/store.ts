/** What the page knows, and the way back to the screen when it changes. */
import { Refused, Unreachable, ask } from "./api.js";
import { Game } from "./game.js";
import type { Engines, View } from "./types.js";
import { t } from "./words.js";

export type Screen = "play" | "analyse" | "review" | "watch" | "learn";
export const SCREENS: readonly Screen[] = ["play", "analyse", "review", "watch", "learn"];

interface State {
  screen: Screen;
  game: Game | null;
  engines: Engines | null;
  /** Trouble that takes the whole page. */
  trouble: "offline" | "token" | null;
  /** A passing word. */
  toast: string | null;
  /** What a screen reader is told. */
  announcement: string;
  dialog: "games" | "keys" | "new" | null;
}

export const state: State = {
  screen: "play",
  game: null,
  engines: null,
  trouble: null,
  toast: null,
  announcement: "",
  dialog: null,
};

let draw: () => void = () => {};
let due = false;

export function onRedraw(how: () => void): void {
  draw = how;
}

/** Draws the page anew before the next frame, however often it is asked for. */
export function redraw(): void {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    draw();
  });
}

export function announce(text: string): void {
  state.announcement = text;
  redraw();
}

const TOAST_MS = 4000;
let toasts = 0;

export function toast(text: string): void {
  state.toast = text;
  const own = ++toasts;
  setTimeout(() => {
    if (own !== toasts) return;
    state.toast = null;
    redraw();
  }, TOAST_MS);
  redraw();
}

/** Says what went wrong where it belongs; an abort is nobody's fault. */
export function report(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof Unreachable) state.trouble = "offline";
  else if (error instanceof Refused && error.status === 401) state.trouble = "token";
  else if (error instanceof Refused && error.status === 503) toast(t("busy"));
  else toast(error instanceof Error ? error.message : String(error));
  redraw();
}

/** Runs what the person asked for, its failure told. */
export function run(task: Promise<unknown>): void {
  task.catch(report);
}

const views = new Map<string, View>();
const MOST_VIEWS = 2000;

/** How a position looks; what was seen before comes at once. */
export async function look(position: string): Promise<View> {
  const known = views.get(position);
  if (known) return known;
  const view = await ask<View>("position", { position });
  remember(position, view);
  return view;
}

function remember(position: string, view: View): void {
  if (views.size > MOST_VIEWS) views.clear();
  views.set(position, view);
  views.set(view.position, view);
}

/** The position after a move, which the server checks. */
export async function lookAfter(position: string, move: string): Promise<View> {
  const view = await ask<View>("position", { position, play: move });
  remember(view.position, view);
  return view;
}

let enginesOf = "";

/** Learns which engines play the current game. */
export async function learnEngines(): Promise<void> {
  const game = state.game?.view.variant.name;
  if (!game || enginesOf === game) return;
  enginesOf = game;
  const engines = await ask<Engines>("engines", { game });
  // Another game may have come in meanwhile, and have its own answer.
  if (enginesOf === game) state.engines = engines;
  redraw();
}

const leavers: (() => void)[] = [];

/** Called whenever another game begins or comes in. */
export function onNewGame(then: () => void): void {
  leavers.push(then);
}

/** Shows another game; the screens drop what they knew of the last one. */
export async function openGame(position: string, comments: Record<string, string> = {}): Promise<void> {
  state.game = new Game(await look(position), comments);
  await state.game.prepare();
  for (const leave of leavers) leave();
  redraw();
  await learnEngines();
}
