/** What the server tells, as it tells it. */

/** Column and row from 0, the row from the bottom. */
export type Cell = readonly [column: number, row: number];
export type Side = 0 | 1;

export type Value = { win: number } | { loss: number } | { draw: true } | { win_rate: number };

export interface Move {
  move: string;
  cell: Cell;
}

export interface Variant {
  name: string;
  rule: "gravity" | "freestyle" | "standard" | "renju" | "caro";
  falls: boolean;
  rows: number;
  columns: number;
  run: number;
  blocked: Cell[];
}

/** All that is to be seen of a position. */
export interface View {
  position: string;
  variant: Variant;
  start: [Cell[], Cell[]];
  moves: Move[];
  side: Side;
  legal: Move[];
  forbidden: { cell: Cell; why: string }[];
  outcome: { winner: Side | null } | null;
  line: Cell[];
}

export interface Report extends Move {
  value: Value;
  visits: number;
  line: Move[];
}

/** How a search stands. */
export interface Standing {
  final: boolean;
  best: Move | null;
  value: Value;
  moves: Report[];
  simulations: number;
  nodes: number;
  memory_bytes: number;
  time_ms: number;
  gave_way?: true;
}

export interface Engine {
  name: string;
  about: string;
  keys: { name: string; about: string; default: string | null; range: string | null }[];
}

export interface Engines {
  engines: Engine[];
  levels: string[];
  usual: string;
}

export type Verdict = "best" | "good" | "slip" | "blunder";

export interface Judgement {
  ply: number;
  played: Move;
  played_value: Value;
  best: Move | null;
  value: Value;
  line: Move[];
  verdict: Verdict;
}

export interface Threats {
  sides: [{ wins: Cell[]; doubles: Cell[] }, { wins: Cell[]; doubles: Cell[] }];
}

export interface Puzzle {
  position: string;
  plies: number;
  line: Move[];
}

export const same = (one: Cell, other: Cell): boolean => one[0] === other[0] && one[1] === other[1];
export const other = (side: Side): Side => (side === 0 ? 1 : 0);
