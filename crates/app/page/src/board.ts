/** The board as SVG: the same drawing for play, pictures and replays. */
import { svg, nothing, type TemplateResult, type SVGTemplateResult } from "lit";
import { same, type Cell, type Move, type Side, type Threats, type Value, type Variant, type View } from "./types.js";
import { isProven, short, spoken, tone } from "./values.js";
import { t } from "./words.js";

/** What is drawn beside the stones. */
export interface Marks {
  values?: { move: string; cell: Cell; value: Value }[];
  ghosts?: { cell: Cell; side: Side; number: number }[];
  hint?: Cell | undefined;
  threats?: Threats | undefined;
  numbers?: boolean;
}

export interface BoardProps {
  /** Distinguishes boards, so that each animates its own stones. */
  id: string;
  view: View;
  marks?: Marks;
  /** Plays a legal move; without it nothing can be clicked. */
  play?: ((move: Move) => void) | undefined;
  /** Called for any cell instead of playing. */
  edit?: ((cell: Cell) => void) | undefined;
}

export interface Stone {
  cell: Cell;
  side: Side;
  number: number | null;
}

export const S = 100;

export const sideName = (variant: Variant, side: Side): string =>
  t(variant.falls ? (side === 0 ? "red" : "yellow") : side === 0 ? "black" : "white");

/** The name of a cell for people: column letter and row from the bottom. */
export const cellName = (cell: Cell): string => `${String.fromCharCode(97 + cell[0])}${cell[1] + 1}`;

export const columnSign = (variant: Variant, column: number): string =>
  variant.falls ? (column < 9 ? `${column + 1}` : String.fromCharCode(97 + column - 9)) : String.fromCharCode(97 + column);

/** The stones of a view in the order in which they came. */
export function stones(view: View): Stone[] {
  const start = ([0, 1] as const).flatMap((side) => view.start[side].map((cell) => ({ cell, side, number: null })));
  const first = (view.start[0].length - view.start[1].length) as Side;
  return [
    ...start,
    ...view.moves.map((move, at) => ({ cell: move.cell, side: ((first + at) % 2) as Side, number: at + 1 })),
  ];
}

export const centre = (variant: Variant, cell: Cell): [number, number] => [
  cell[0] * S + S / 2,
  (variant.rows - 1 - cell[1]) * S + S / 2,
];

export function box(variant: Variant, withValues: boolean): [number, number, number, number] {
  const top = variant.falls && withValues ? 78 : 14;
  const left = variant.falls ? 14 : 58;
  return [-left, -top, variant.columns * S + left + 14, variant.rows * S + top + 62];
}

export function stoneShape(variant: Variant, side: Side, x: number, y: number): SVGTemplateResult {
  const r = variant.falls ? 43 : 45;
  if (!variant.falls) {
    return svg`<circle cx=${x} cy=${y} r=${r} fill=${side === 0 ? "#23272f" : "#fbfaf5"} stroke=${side === 0 ? "#0b0d11" : "#6d675c"} stroke-width="2"/>
      <ellipse cx=${x - 13} cy=${y - 16} rx="13" ry="9" fill="#fff" fill-opacity=${side === 0 ? 0.16 : 0.9} transform="rotate(-35 ${x - 13} ${y - 16})"/>`;
  }
  return side === 0
    ? svg`<circle cx=${x} cy=${y} r=${r} fill="#c5342c" stroke="#8e1f19" stroke-width="3"/><circle cx=${x} cy=${y} r=${r * 0.55} fill="none" stroke="#fff" stroke-opacity=".78" stroke-width="6"/>`
    : svg`<circle cx=${x} cy=${y} r=${r} fill="#f0b81f" stroke="#a87b05" stroke-width="3"/><rect x=${x - r * 0.3} y=${y - r * 0.3} width=${r * 0.6} height=${r * 0.6} rx="5" fill="#6b4e00" fill-opacity=".58"/>`;
}

const hole = (x: number, y: number, r: number): string => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`;

/** The frame in front of falling stones: a plate with holes. */
function frame(variant: Variant): SVGTemplateResult {
  const [width, height] = [variant.columns * S, variant.rows * S];
  let path = `M22,-6H${width - 22}Q${width + 6},-6 ${width + 6},22V${height - 22}Q${width + 6},${height + 6} ${width - 22},${height + 6}H22Q-6,${height + 6} -6,${height - 22}V22Q-6,-6 22,-6Z`;
  const rings: SVGTemplateResult[] = [];
  for (let column = 0; column < variant.columns; column++) {
    for (let row = 0; row < variant.rows; row++) {
      const [x, y] = centre(variant, [column, row]);
      if (variant.blocked.some((cell) => same(cell, [column, row]))) continue;
      path += hole(x, y, 39);
      rings.push(svg`<circle cx=${x} cy=${y} r="39" fill="none" stroke="#163a5c" stroke-width="3"/>`);
    }
  }
  return svg`<path d=${path} fill="#1f4e79" fill-rule="evenodd"/>${rings}`;
}

function wood(variant: Variant): SVGTemplateResult {
  const [width, height] = [variant.columns * S, variant.rows * S];
  const across = Array.from({ length: variant.rows }, (_, row) => `M50,${row * S + 50}H${width - 50}`).join("");
  const down = Array.from({ length: variant.columns }, (_, column) => `M${column * S + 50},50V${height - 50}`).join("");
  const stars = starPoints(variant).map((cell) => {
    const [x, y] = centre(variant, cell);
    return svg`<circle cx=${x} cy=${y} r="9" fill="#6a4a1c"/>`;
  });
  return svg`<rect width=${width} height=${height} rx="14" fill="#e6bd7f"/><path d=${across + down} fill="none" stroke="#8a6429" stroke-width="2.5"/>${stars}`;
}

function starPoints(variant: Variant): Cell[] {
  const { rows, columns } = variant;
  if (rows < 9 || columns < 9) return [];
  const places = (size: number) => [3, size - 4];
  const points: Cell[] = places(columns).flatMap((c) => places(rows).map((r): Cell => [c, r]));
  if (rows % 2 && columns % 2) points.push([(columns - 1) / 2, (rows - 1) / 2]);
  return points;
}

/** Hatching, drawn as lines so that pictures need no pattern. */
export function hatched(x: number, y: number): SVGTemplateResult {
  const lines = [-40, -20, 0, 20, 40].map((at) => `M${x - 40 + Math.max(0, at)},${y + 40 + Math.min(0, at)}L${x + 40 + Math.min(0, at)},${y - 40 + Math.max(0, at)}`);
  return svg`<rect x=${x - 42} y=${y - 42} width="84" height="84" rx="10" fill="#0f2c47" fill-opacity=".55"/><path d=${lines.join("")} stroke="#c9d6e2" stroke-opacity=".75" stroke-width="5" fill="none"/>`;
}

function labels(variant: Variant): SVGTemplateResult[] {
  const found = Array.from({ length: variant.columns }, (_, column) => {
    const sign = columnSign(variant, column);
    return svg`<text class="label" x=${column * S + 50} y=${variant.rows * S + 46} text-anchor="middle">${sign}</text>`;
  });
  if (variant.falls) return found;
  return found.concat(
    Array.from({ length: variant.rows }, (_, row) => svg`<text class="label" x="-14" y=${(variant.rows - 1 - row) * S + 61} text-anchor="end">${row + 1}</text>`),
  );
}

/** The line through the winning stones, from end to end of each run. */
function winningLine(variant: Variant, line: Cell[], run: number): SVGTemplateResult[] {
  const has = (cell: Cell) => line.some((one) => same(one, cell));
  const found: SVGTemplateResult[] = [];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]] as const) {
    for (const cell of line) {
      if (has([cell[0] - dx, cell[1] - dy])) continue;
      let end: Cell = cell;
      let length = 1;
      while (has([end[0] + dx, end[1] + dy])) {
        end = [end[0] + dx, end[1] + dy];
        length++;
      }
      if (length < run) continue;
      const [[x1, y1], [x2, y2]] = [centre(variant, cell), centre(variant, end)];
      found.push(svg`<line class="run-edge" x1=${x1} y1=${y1} x2=${x2} y2=${y2} stroke="#10202f" stroke-width="22" stroke-linecap="round"/><line class="run" x1=${x1} y1=${y1} x2=${x2} y2=${y2} stroke="#7fe3ff" stroke-width="12" stroke-linecap="round"/>`);
    }
  }
  return found;
}

function valueMarks(variant: Variant, values: NonNullable<Marks["values"]>): SVGTemplateResult[] {
  return values.map(({ cell, value }) => {
    const [x, y] = variant.falls ? [cell[0] * S + 50, -42] : centre(variant, cell);
    const [w, h] = variant.falls ? [88, 52] : [86, 50];
    return svg`<g class="value ${tone(value)} ${isProven(value) ? "proof" : "guess"}" data-column=${cell[0]}><title>${spoken(value)}</title>
      <rect class="pad" x=${x - w / 2} y=${y - h / 2} width=${w} height=${h} rx="13"/>
      <rect class="face" x=${x - w / 2} y=${y - h / 2} width=${w} height=${h} rx="13"/>
      <text x=${x} y=${y + 11} text-anchor="middle">${short(value)}</text></g>`;
  });
}

function threatMarks(variant: Variant, threats: Threats): SVGTemplateResult[] {
  return ([0, 1] as const).flatMap((side) => {
    const others = threats.sides[side === 0 ? 1 : 0];
    const isShared = (cell: Cell) => [...others.wins, ...others.doubles].some((one) => same(one, cell));
    const at = (cell: Cell, kind: "win" | "double") => {
      const shift = !isShared(cell) ? 0 : side === 0 ? -18 : 18;
      const [x, y] = centre(variant, cell);
      const name = t(kind === "win" ? "threatWin" : "threatDouble", { side: sideName(variant, side) });
      const colour = variant.falls ? (side === 0 ? "#c5342c" : "#f0b81f") : side === 0 ? "#23272f" : "#ffffff";
      return kind === "win"
        ? svg`<g class="threat"><title>${name}</title><rect x=${x + shift - 13} y=${y - 13} width="26" height="26" transform="rotate(45 ${x + shift} ${y})" fill=${colour} stroke="#10202f" stroke-width="3"/></g>`
        : svg`<g class="threat"><title>${name}</title><circle cx=${x + shift} cy=${y} r="11" fill="none" stroke=${colour} stroke-width="7"/><circle cx=${x + shift} cy=${y} r="15" fill="none" stroke="#10202f" stroke-width="2"/></g>`;
    };
    return [...threats.sides[side].wins.map((cell) => at(cell, "win")), ...threats.sides[side].doubles.map((cell) => at(cell, "double"))];
  });
}

function halo(variant: Variant, cell: Cell, kind: string): SVGTemplateResult {
  const [x, y] = centre(variant, cell);
  return svg`<circle class=${kind} cx=${x} cy=${y} r="46" fill="none"/>`;
}

function describe(view: View, cell: Cell, all: Stone[], marks: Marks): string {
  const where = view.variant.falls
    ? t("cellFalls", { column: columnSign(view.variant, cell[0]), row: cell[1] + 1 })
    : cellName(cell);
  const stone = all.find((one) => same(one.cell, cell));
  const forbidden = view.forbidden.find((one) => same(one.cell, cell));
  const value = marks.values?.find((one) => same(one.cell, cell));
  const what = view.variant.blocked.some((one) => same(one, cell))
    ? t("blocked")
    : stone
      ? t("stoneOf", { side: sideName(view.variant, stone.side) })
      : forbidden
        ? t("forbiddenPoint")
        : t("empty");
  return [where, what, value && spoken(value.value)].filter(Boolean).join(", ");
}

/** The elements that are clicked, focused and read aloud: one a cell. */
function cells(props: BoardProps, all: Stone[]): SVGTemplateResult[] {
  const { view, marks = {}, play, edit } = props;
  const { variant } = view;
  const found: SVGTemplateResult[] = [];
  const last = view.moves.at(-1)?.cell ?? [Math.floor(variant.columns / 2), variant.falls ? 0 : Math.floor(variant.rows / 2)];
  for (let row = variant.rows - 1; row >= 0; row--) {
    for (let column = 0; column < variant.columns; column++) {
      const cell: Cell = [column, row];
      const move = view.legal.find((one) => (variant.falls ? one.cell[0] === column : same(one.cell, cell)));
      const [x, y] = centre(variant, cell);
      const act = edit ? () => edit(cell) : play && move ? () => play(move) : undefined;
      found.push(svg`<rect class="cell ${act ? "open" : ""}" role="button" tabindex=${same(cell, last) ? 0 : -1}
        data-cell="${column},${row}" aria-label=${describe(view, cell, all, marks)} aria-disabled=${act ? "false" : "true"}
        x=${x - 50} y=${y - 50} width="100" height="100" fill="transparent" rx="10" @click=${act ?? nothing}/>`);
    }
  }
  return found;
}

/** Where the next stone would go, under the pointer. */
function shadow(props: BoardProps): SVGTemplateResult | typeof nothing {
  const { view, play } = props;
  if (!play) return nothing;
  return svg`${view.legal.map((move) => {
    const [x, y] = centre(view.variant, move.cell);
    return svg`<g class="shadow" data-for=${view.variant.falls ? move.cell[0] : move.cell.join(",")}>${stoneShape(view.variant, view.side, x, y)}</g>`;
  })}`;
}

export function board(props: BoardProps): TemplateResult {
  const { view, marks = {}, id } = props;
  const { variant } = view;
  const all = stones(view);
  const last = view.moves.at(-1);
  const withValues = marks.values !== undefined;
  const numbers = marks.numbers
    ? all.filter((stone) => stone.number).map((stone) => {
        const [x, y] = centre(variant, stone.cell);
        return svg`<text class="number" x=${x} y=${y + 13} text-anchor="middle" fill=${stone.side === 0 ? "#fff" : "#23272f"}>${stone.number}</text>`;
      })
    : nothing;
  const laid = all.map((stone, at) => {
    const [x, y] = centre(variant, stone.cell);
    return svg`<g class="stone" data-ply=${stone.number ?? 0} data-last=${at === all.length - 1 ? "yes" : "no"}>${stoneShape(variant, stone.side, x, y)}</g>`;
  });
  const ghosts = (marks.ghosts ?? []).map((ghost) => {
    const [x, y] = centre(variant, ghost.cell);
    return svg`<g class="ghost">${stoneShape(variant, ghost.side, x, y)}<text class="number" x=${x} y=${y + 13} text-anchor="middle" fill=${ghost.side === 0 ? "#fff" : "#23272f"}>${ghost.number}</text></g>`;
  });
  const blocked = variant.blocked.map((cell) => hatched(...centre(variant, cell)));
  const forbidden = view.forbidden.map(({ cell, why }) => {
    const [x, y] = centre(variant, cell);
    return svg`<g class="forbidden"><title>${t("forbiddenPoint")}: ${why}</title><path d="M${x - 16},${y - 16}l32,32M${x + 16},${y - 16}l-32,32" stroke="#b3261e" stroke-width="7" stroke-linecap="round"/></g>`;
  });
  return svg`<svg class="board ${variant.falls ? "falls" : "free"}" data-board=${id} data-position=${view.position} viewBox=${box(variant, withValues).join(" ")} role="group" aria-label=${t("boardLabel", { columns: variant.columns, rows: variant.rows })}>
    ${variant.falls ? svg`<rect class="inside" x="0" y="0" width=${variant.columns * S} height=${variant.rows * S}/>` : wood(variant)}
    ${shadow(props)}<g class="stones">${laid}${variant.falls ? ghosts : nothing}</g>
    ${variant.falls ? frame(variant) : ghosts}
    <g class="marks">${blocked}${forbidden}
    ${last && !view.line.length ? halo(variant, last.cell, "last") : nothing}
    ${winningLine(variant, view.line, variant.run)}${numbers}
    ${marks.hint ? halo(variant, marks.hint, "hint") : nothing}
    ${marks.threats ? threatMarks(variant, marks.threats) : nothing}
    ${marks.values ? valueMarks(variant, marks.values) : nothing}</g>
    ${labels(variant)}<g class="cells">${cells(props, all)}</g></svg>` as unknown as TemplateResult;
}

const seen = new Map<string, string>();
const FALL_MS = 180;

/** Lets stones fall that came since the last drawing; called after every drawing. */
export function animate(): void {
  for (const element of document.querySelectorAll<SVGSVGElement>("svg.board")) {
    const id = element.dataset["board"] ?? "";
    const position = element.dataset["position"] ?? "";
    const before = seen.get(id);
    seen.set(id, position);
    if (before === undefined || before === position || !position.startsWith(before)) continue;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) continue;
    const stone = element.querySelector<SVGGElement>('.stone[data-last="yes"]');
    if (!stone) continue;
    if (element.classList.contains("falls")) {
      const y = stone.getBBox().y;
      const from = `translateY(${-y - S}px)`;
      stone.animate(
        [
          { transform: from, easing: "cubic-bezier(.5,0,.9,.6)" },
          { transform: "none", offset: 0.78, easing: "ease-out" },
          { transform: "translateY(-7px)", offset: 0.89, easing: "ease-in" },
          { transform: "none" },
        ],
        { duration: FALL_MS + 60 },
      );
    } else {
      stone.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 120 });
    }
  }
}
