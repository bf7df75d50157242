/** A game as a tree of variations, with the place in it that is shown. */
import { look, lookAfter, redraw } from "./store.js";
import type { Judgement, Side, Value, View } from "./types.js";

export interface Node {
  move: string;
  ply: number;
  parent: Node | null;
  children: Node[];
  comment: string;
  /** What the position after the move is worth to the side to move there. */
  value: Value | null;
  judgement: Judgement | null;
}

const node = (move: string, parent: Node | null): Node => ({
  move,
  ply: parent ? parent.ply + 1 : 0,
  parent,
  children: [],
  comment: "",
  value: null,
  judgement: null,
});

export class Game {
  readonly root = node("", null);
  at: Node = this.root;
  view: View;
  /** The text of the start: the game's name, or the drawing of a board set up by hand. */
  private readonly start: string;
  private readonly isDrawn: boolean;

  constructor(view: View, comments: Record<string, string> = {}) {
    this.view = view;
    this.isDrawn = view.start[0].length + view.start[1].length > 0;
    const cut = this.isDrawn ? "\nmoves:" : " ";
    this.start = view.position.split(cut)[0]!.trimEnd();
    for (const { move } of view.moves) this.at = this.child(this.at, move);
    for (const [ply, text] of Object.entries(comments)) {
      const found = this.path(this.at).find((one) => one.ply === Number(ply));
      if (found) found.comment = text;
    }
  }

  /** Which side moves after `ply` moves. */
  side(ply: number): Side {
    const first = this.view.start[0].length - this.view.start[1].length;
    return ((first + ply) % 2) as Side;
  }

  /** The node for a move, made where there is none. */
  child(of: Node, move: string): Node {
    const known = of.children.find((one) => one.move === move);
    if (known) return known;
    const made = node(move, of);
    of.children.push(made);
    return made;
  }

  /** The nodes from the first move to `to`. */
  path(to: Node = this.at): Node[] {
    const found: Node[] = [];
    for (let one: Node | null = to; one?.parent; one = one.parent) found.unshift(one);
    return found;
  }

  /** The moves up to `to` and the main continuation after it. */
  through(to: Node = this.at): Node[] {
    const found = this.path(to);
    for (let one = to.children[0]; one; one = one.children[0]) found.push(one);
    return found;
  }

  notation(to: Node = this.at): string {
    const moves = this.path(to).map((one) => one.move);
    if (!moves.length) return this.start;
    const text = moves.join(this.view.variant.falls ? "" : " ");
    return this.isDrawn ? `${this.start}\nmoves: ${text}` : `${this.start} ${text}`;
  }

  /** Brings the view of the start in before anything is drawn from it. */
  async prepare(): Promise<void> {
    this.view = await look(this.notation());
  }

  /** Shows another place of the tree. */
  async goTo(to: Node): Promise<void> {
    const view = await look(this.notation(to));
    this.at = to;
    this.view = view;
    redraw();
  }

  /** Plays on from where the game stands; a move that is there already is only entered. */
  async play(move: string): Promise<void> {
    const from = this.at;
    const view = await lookAfter(this.notation(from), move);
    if (this.at !== from) return;
    this.at = this.child(from, move);
    this.view = view;
    redraw();
  }

  async back(): Promise<void> {
    if (this.at.parent) await this.goTo(this.at.parent);
  }

  async forward(): Promise<void> {
    const next = this.at.children[0];
    if (next) await this.goTo(next);
  }

  /** Drops a node and all that follows. */
  async remove(one: Node): Promise<void> {
    const parent = one.parent;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== one);
    if (this.path().includes(one)) await this.goTo(parent);
    redraw();
  }

  /** Makes the line to `one` the main line. */
  promote(one: Node): void {
    for (let child = one; child.parent; child = child.parent) {
      const siblings = child.parent.children;
      siblings.unshift(...siblings.splice(siblings.indexOf(child), 1));
    }
    redraw();
  }

  /** Comments on the line that is shown, by ply. */
  comments(): Record<string, string> {
    const noted = this.through().filter((one) => one.comment);
    return Object.fromEntries(noted.map((one) => [String(one.ply), one.comment]));
  }
}
