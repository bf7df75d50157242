/** The moves of a game: a line to click through, with its variations. */
import { html, nothing, type TemplateResult } from "lit";
import type { Node } from "./game.js";
import { run, state } from "./store.js";
import { t } from "./words.js";

const MARKS: Record<string, string> = { slip: "?!", blunder: "??", best: "", good: "" };

function moveButton(node: Node): TemplateResult {
  const game = state.game!;
  const verdict = node.judgement?.verdict ?? "";
  const isHere = node === game.at;
  const number = node.ply % 2 ? html`<span class="count">${(node.ply + 1) / 2}.</span>` : nothing;
  return html`<button class="move ${verdict} ${isHere ? "here" : ""}" aria-current=${isHere ? "step" : "false"} title=${`${t("moveN", { n: node.ply })}${verdict ? `, ${t(verdict)}` : ""}`}
    @click=${() => run(game.goTo(node))}>${number}${node.move}${MARKS[verdict] ?? ""}${node.comment ? html`<span class="noted" title=${node.comment}>·</span>` : nothing}</button>`;
}

/** A line from `first` on, its side lines in brackets. */
function line(first: Node, withVariations: boolean): TemplateResult[] {
  const found: TemplateResult[] = [];
  for (let node: Node | undefined = first; node; node = node.children[0]) {
    found.push(moveButton(node));
    const siblings: Node[] = node.parent?.children[0] === node ? node.parent.children.slice(1) : [];
    if (withVariations) {
      for (const sibling of siblings) found.push(html`<span class="variation" role="group" aria-label=${t("variationOf")}>${line(sibling, true)}</span>`);
    }
  }
  return found;
}

export function moveList(withVariations: boolean): TemplateResult {
  const game = state.game!;
  const first = game.root.children[0];
  if (!first) return html`<p class="quiet">${t(game.view.variant.falls ? "noMoves" : "noMovesFree")}</p>`;
  if (!withVariations) return html`<div class="moves">${game.through().map(moveButton)}</div>`;
  return html`<div class="moves">${line(first, true)}</div>`;
}
