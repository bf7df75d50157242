/** The page: its frame, its addresses and its keys. */
import { html, nothing, render, type TemplateResult } from "lit";
import { analyseScreen, follow as followAnalysis, stop as stopAnalysis, togglePause, toggleThreats } from "./analyse.js";
import { animate } from "./board.js";
import { gameName, gamePicker } from "./games.js";
import { follow as followPuzzle, learnScreen } from "./learn.js";
import { answer, hint, newGame, playColumn, playScreen, stop as stopPlay, undo } from "./play.js";
import { reviewScreen, stop as stopReview } from "./review.js";
import { SCREENS, onRedraw, openGame, redraw, report, run, state, type Screen } from "./store.js";
import { follow as followStored } from "./stored.js";
import { stop as stopWatch, watchScreen } from "./watch.js";
import { currentLanguage, setLanguage, t, type Word } from "./words.js";

// --- theme -------------------------------------------------------------------

function setTheme(theme: string): void {
  document.documentElement.dataset["theme"] = theme;
  localStorage.setItem("theme", theme);
}

function toggleTheme(): void {
  setTheme(document.documentElement.dataset["theme"] === "dark" ? "light" : "dark");
  redraw();
}

// --- addresses: #/screen?p=position ----------------------------------------------

async function follow(): Promise<void> {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const screen = (SCREENS as readonly string[]).includes(path) ? (path as Screen) : "play";
  leave(screen);
  state.screen = screen;
  const position = new URLSearchParams(query).get("p");
  if (position) {
    try {
      await openGame(position);
    } catch (error) {
      if (!state.game) await openGame("connect4");
      throw new Error(t("linkBad", { reason: error instanceof Error ? error.message : "" }));
    } finally {
      history.replaceState(null, "", `#/${screen}`);
    }
  } else if (!state.game) {
    await openGame("connect4");
  }
  // The person may have left for another screen meanwhile.
  if (state.screen === "play") answer();
  redraw();
}

function leave(next: Screen): void {
  const stops: Partial<Record<Screen, () => void>> = { play: stopPlay, analyse: stopAnalysis, review: stopReview, watch: stopWatch };
  if (next !== state.screen) stops[state.screen]?.();
}

// --- keys ---------------------------------------------------------------------

const KEYS: [string, Word][] = [
  ["1 … 9, a … g", "keyColumns"], ["← →", "keyArrows"], ["Home End", "keyHome"], ["Enter", "keyEnter"],
  ["Space", "keySpace"], ["u", "keyU"], ["h", "keyH"], ["n", "keyN"], ["t", "keyT"], ["?", "keyHelp"],
];

/** Moves the focus from cell to cell. */
function walk(cell: Element, key: string): boolean {
  const [column = 0, row = 0] = (cell.getAttribute("data-cell") ?? "").split(",").map(Number);
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  if (!step) return false;
  const next = cell.closest("svg")?.querySelector<SVGElement>(`[data-cell="${column + step[0]!},${row + step[1]!}"]`);
  if (next) {
    cell.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
  return true;
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
  const cell = target.closest("[data-cell]");
  if (cell && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return;
  }
  if (cell && walk(cell, event.key)) {
    event.preventDefault();
    return;
  }
  const game = state.game;
  const acts: Record<string, () => void> = {
    ArrowLeft: () => run(game!.back()),
    ArrowRight: () => run(game!.forward()),
    Home: () => run(game!.goTo(game!.root)),
    End: () => run(game!.goTo(game!.through().at(-1) ?? game!.root)),
    u: undo,
    h: hint,
    n: newGame,
    t: toggleThreats,
    "?": () => open("keys"),
  };
  const browses = state.screen === "analyse" || state.screen === "review";
  if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) && (!browses || !game)) return;
  if (event.key === " " && state.screen === "analyse" && !target.closest("button, a, summary")) acts[" "] = togglePause;
  const act = acts[event.key];
  if (act) {
    event.preventDefault();
    act();
  } else if (/^[1-9a-g]$/.test(event.key)) {
    playColumn(event.key);
  }
}

// --- dialogs --------------------------------------------------------------------

function open(dialog: typeof state.dialog): void {
  state.dialog = dialog;
  redraw();
}

function dialog(): TemplateResult | typeof nothing {
  if (!state.dialog) return nothing;
  const title = t(state.dialog === "games" ? "chooseGame" : "keysTitle");
  const shut = () => open(null);
  const body = state.dialog === "games" ? gamePicker() : html`<dl class="keys">${KEYS.map(([key, word]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(word)}</dd></div>`)}</dl>`;
  return html`<dialog class="card" aria-label=${title} @close=${shut} @click=${(event: Event) => { if (event.target === event.currentTarget) shut(); }}>
    <header><h2>${title}</h2><button class="icon" aria-label=${t("close")} @click=${shut}>✕</button></header>${body}</dialog>`;
}

// --- the frame --------------------------------------------------------------------

function header(): TemplateResult {
  return html`<header class="top">
    <a class="brand" href="#/play"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11" fill="#c5342c"/><circle cx="12" cy="12" r="6" fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="2"/></svg>Stoneline</a>
    <nav aria-label="Stoneline">${SCREENS.map((screen) => html`<a href="#/${screen}" aria-current=${state.screen === screen ? "page" : "false"}>${t(screen)}</a>`)}</nav>
    <div class="tools">
      ${state.game ? html`<button class="pick" data-act="games" @click=${() => open("games")}>${gameName(state.game.view.variant)} <span aria-hidden="true">▾</span></button>` : nothing}
      <button class="icon" data-act="language" lang=${currentLanguage() === "en" ? "zh-CN" : "en"} @click=${() => { setLanguage(currentLanguage() === "en" ? "zh" : "en"); redraw(); }}>${t("language")}</button>
      <button class="icon" data-act="theme" aria-label=${t("theme")} @click=${toggleTheme}>◐</button>
      <button class="icon wide" data-act="keys" aria-label=${t("keys")} @click=${() => open("keys")}>?</button></div></header>`;
}

function content(): TemplateResult {
  if (state.trouble) {
    const words = t(state.trouble === "offline" ? "offline" : "needToken");
    return html`<section class="card notice" role="alert"><p>${words}</p><button class="main" @click=${() => location.reload()}>${t("retry")}</button></section>`;
  }
  if (!state.game) return html`<section class="card notice"><p><span class="spinner" aria-hidden="true"></span> ${t("loading")}</p></section>`;
  const screens: Record<Screen, () => TemplateResult> = { play: playScreen, analyse: analyseScreen, review: reviewScreen, watch: watchScreen, learn: learnScreen };
  return screens[state.screen]();
}

function draw(): void {
  render(
    html`${header()}<main class=${state.screen}><h1 class="unseen">${t(state.screen)}</h1>${content()}</main>${dialog()}
      ${state.toast ? html`<div class="toast" role="status">${state.toast}</div>` : nothing}
      <div class="unseen" role="status" aria-live="polite" data-announcement>${state.announcement}</div>`,
    document.getElementById("app")!,
  );
  const shown = document.querySelector("dialog");
  if (shown && !shown.open) shown.showModal();
  animate();
  followAnalysis();
  followPuzzle();
  followStored();
}

/** The shadow of the next stone follows the pointer. */
function onPointer(event: PointerEvent): void {
  const cell = (event.target as Element).closest?.("[data-cell].open");
  for (const shown of document.querySelectorAll(".shadow.on")) shown.classList.remove("on");
  if (!cell || event.pointerType === "touch") return;
  const at = cell.getAttribute("data-cell") ?? "";
  const svg = cell.closest("svg")!;
  const key = svg.classList.contains("falls") ? at.split(",")[0] : at;
  svg.querySelector(`.shadow[data-for="${key}"]`)?.classList.add("on");
}

setTheme(localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
setLanguage(currentLanguage());
onRedraw(draw);
draw();
addEventListener("hashchange", () => run(follow()));
addEventListener("keydown", onKey);
addEventListener("pointermove", onPointer);
addEventListener("unhandledrejection", (event) => report(event.reason));
run(follow());
