/** Values as people read them: proof and estimate, told apart at a glance. */
import { html, type TemplateResult } from "lit";
import type { Side, Value } from "./types.js";
import { t } from "./words.js";

export type Tone = "good" | "bad" | "even";

export const isProven = (value: Value): boolean => !("win_rate" in value);

/** The share of points expected, from 0 to 1. */
export function rate(value: Value): number {
  if ("win_rate" in value) return value.win_rate;
  return "win" in value ? 1 : "loss" in value ? 0 : 0.5;
}

/** A value for the mover as the first side sees it. */
export const forFirst = (value: Value, mover: Side): number => (mover === 0 ? rate(value) : 1 - rate(value));

export function tone(value: Value): Tone {
  const share = rate(value);
  return share > 0.52 ? "good" : share < 0.48 ? "bad" : "even";
}

/** The few letters of a pill: `W23`, `L18`, `=`, `54%`. */
export function short(value: Value): string {
  if ("win" in value) return `${t("w")}${value.win}`;
  if ("loss" in value) return `${t("l")}${value.loss}`;
  if ("draw" in value) return "=";
  return `${Math.round(100 * value.win_rate)}%`;
}

/** The value in words. */
export function spoken(value: Value): string {
  if ("win" in value) return value.win === 1 ? t("winsNow") : t("winsIn", { n: value.win });
  if ("loss" in value) return t("losesIn", { n: value.loss });
  if ("draw" in value) return t("isDraw");
  return t("winChance", { n: Math.round(100 * value.win_rate) });
}

export const pill = (value: Value): TemplateResult =>
  html`<span class="pill ${tone(value)} ${isProven(value) ? "proof" : "guess"}" title=${spoken(value)}>${short(value)}</span>`;
