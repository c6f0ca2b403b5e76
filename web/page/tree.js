// The tree of a game: moves, variations, comments and what is known of each position. Knows nothing of the page.

import { fits, formatMoves, isSame, isSameMove, nameOf, parseMoves } from "./notation.js";
import { packLabels, unpackLabels } from "./markup.js";
import { isGame, isVariant, suitsBoard } from "./rules.js";
import { endValue, isMark } from "./values.js";

/**
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./rules.js").RuleName} RuleName
 * @typedef {"black" | "white"} Side
 *
 * A stone that is set up.
 * @typedef {{ point: Point, isBlack: boolean }} Stone
 *
 * A position that was set up, from which a game begins.
 * @typedef {{ stones: Stone[], blocked: Point[], toMove: Side }} Start
 *
 * The state of a game outside the Gomocup family after a move.
 * @typedef {object} State
 * @property {Stone[]} stones
 * @property {Side} toMove
 * @property {Point[]} removed stones that the last move has captured
 * @property {{ point: Point, count: number }[]} choices points where the mover chooses among captures
 * @property {{ winner: Side | null, why: string } | null} over
 * @property {Record<Side, string>} status what the board does not show, such as captures
 *
 * The engine's verdict on the move of a node.
 * @typedef {{ what: "plain" | "five" | "foul", foul?: string, rows: Point[][], state?: State }} Judgement
 *
 * The value of a position: Black's chance from 0 to 1, and plies to the end if it is decided (negative: White wins).
 * @typedef {{ black: number, mate?: number, depth: number, best?: string }} Value
 *
 * What a review says about the move of a node: its mark, the chances of its side with the best move and with this one, and
 * the best line.
 * @typedef {object} Judged
 * @property {string} mark
 * @property {number} before
 * @property {number} after
 * @property {string} line
 * @property {boolean} isProven
 *
 * The result of a review for the line that ends at a node: per cent of each side, and the move that lost.
 * @typedef {{ black: number | null, white: number | null, lost?: { ply: number, side: "black" | "white" } }} Summary
 *
 * @typedef {object} Node
 * @property {number} id
 * @property {Node | null} parent
 * @property {Point | null} move `null` at the root
 * @property {number} ply
 * @property {Node[]} children the first is the main line
 * @property {string} comment
 * @property {import("./markup.js").PointLabel[]} labels labels and shapes on points, from a file
 * @property {Value | null} value
 * @property {Judgement | null} judged
 * @property {Side | null} toMove where sides need not alternate, once it is known
 * @property {Judged | null} review
 * @property {Summary | null} summary
 *
 * @typedef {{ m?: string, c?: string, l?: string[][], v?: Value, j?: Judgement, t?: "b" | "w", r?: Judged, s?: Summary, n?: Packed[] }} Packed
 */

/** Nodes of a link that are read; nobody plays through more. */
const MOST_NODES = 20000;
/**
 * Plies of a line that are read. Captures free some points, but no game lasts twice as many moves as a board has points, and
 * as many lines still fit into one message to the engine.
 */
export const MOST_PLIES = 800;
/** Longest comment and longest fact that are kept, in characters. */
export const MOST = { comment: 20000, fact: 200 };

/** Results by the first letter of the winner; SGF writes a draw as `0` or `Draw`. @type {Record<string, Side | "draw">} */
const RESULTS = { b: "black", w: "white", 0: "draw", d: "draw" };

/**
 * Whether a line of moves is on a board, and on different points unless a captured stone may leave its point free.
 * @param {Point[]} moves @param {number} size @param {RuleName} rule
 */
export const fitsGame = (moves, size, rule) =>
  isVariant(rule) ? moves.every((move) => fits([move], size)) : fits(moves, size);

/** A day as files write it, on the calendar of this place: `2026-11-27`. */
export const dayOf = (day = new Date()) =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

export class GameTree {
  /** @param {number} size @param {RuleName} rule */
  constructor(size, rule) {
    this.size = size;
    this.rule = rule;
    /** @type {Record<string, string>} names of players, date, event */
    this.facts = {};
    /** The position of the root; `null` for an empty board with Black to move. @type {Start | null} */
    this.start = null;
    this.count = 0;
    this.root = this.#node(null, null);
    this.current = this.root;
  }

  /** @param {Node | null} parent @param {Point | null} move @returns {Node} */
  #node(parent, move) {
    const ply = parent ? parent.ply + 1 : 0;
    return {
      id: this.count++,
      parent,
      move,
      ply,
      children: [],
      comment: "",
      labels: [],
      value: null,
      judged: null,
      toMove: null,
      review: null,
      summary: null,
    };
  }

  /** The nodes from the first move to `node`. @param {Node} node */
  path(node = this.current) {
    /** @type {Node[]} */
    const path = [];
    for (let at = /** @type {Node | null} */ (node); at && at.parent; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The moves to `node`. @param {Node} node @returns {Point[]} */
  moves(node = this.current) {
    return this.path(node).map((at) => /** @type {Point} */ (at.move));
  }

  /** Whether Black is to move. @param {Node} node */
  isBlackToMove(node = this.current) {
    if (node.toMove) return node.toMove === "black";
    return (node.ply % 2 === 0) === (this.start?.toMove !== "white");
  }

  /** Whether Black has made the move of a node. @param {Node} node */
  isByBlack(node) {
    return node.parent ? this.isBlackToMove(node.parent) : false;
  }

  /** The node of the stone on a point, or `undefined`. @param {Point} point @param {Node} node */
  stoneAt(point, node = this.current) {
    const { stones } = node.judged?.state || {};
    // A captured stone is gone; stones of a track come without a move.
    if (stones && !stones.some((stone) => isSame(stone.point, point))) return undefined;
    const found = this.path(node)
      .reverse()
      .find((at) => isSame(at.move, point));
    if (found || stones) return found || node;
    return this.start?.stones.some((stone) => isSame(stone.point, point)) ? this.root : undefined;
  }

  /** Whether a point is blocked for both sides. @param {Point} point */
  isBlocked(point) {
    return !!this.start?.blocked.some((blocked) => isSame(blocked, point));
  }

  /**
   * The moves to `node` as a game from the empty board: with the stones that were set up, in turn. `null` if these do not
   * come about by alternate moves.
   * @param {Node} node
   */
  fromEmpty(node = this.current) {
    const { stones, blocked, toMove } = this.start || { stones: [], blocked: [], toMove: "black" };
    const [black, white] = [true, false].map((side) => stones.filter(({ isBlack }) => isBlack === side));
    const lead = black.length - white.length;
    if (blocked.length > 0 || lead !== (toMove === "black" ? 0 : 1)) return null;
    const placed = black.flatMap((stone, index) => [stone, ...white.slice(index, index + 1)]);
    return [...placed.map(({ point }) => point), ...this.moves(node)];
  }

  /** The child of `node` by a move; a new one comes last. @param {Point} move @param {Node} node */
  add(move, node = this.current) {
    const known = node.children.find((child) => isSameMove(child.move, move));
    if (known) return known;
    const { x, y, choice } = move;
    const child = this.#node(node, { x, y, ...(choice && { choice }) });
    node.children.push(child);
    return child;
  }

  /** The last node of the line that goes on with first children. @param {Node} node */
  tip(node = this.current) {
    let at = node;
    while (at.children.length > 0) at = at.children[0];
    return at;
  }

  /** The whole line through `node`. @param {Node} node */
  line(node = this.current) {
    return this.path(this.tip(node));
  }

  /** Whether a node is on the main line. @param {Node} node */
  isMain(node = this.current) {
    return this.path(node).every((at) => at.parent?.children[0] === at);
  }

  /** Removes a node with all that follows; a main line that changes loses its result. @param {Node} node */
  remove(node) {
    const parent = node.parent;
    if (!parent) return;
    if (this.isMain(node)) delete this.facts.result;
    if (this.path().includes(node)) this.current = parent;
    parent.children.splice(parent.children.indexOf(node), 1);
  }

  /** Makes the line to `node` the main line. A line that was not the main line has no result yet. @param {Node} node */
  promote(node) {
    if (!this.isMain(node)) delete this.facts.result;
    for (const at of this.path(node)) {
      const siblings = /** @type {Node} */ (at.parent).children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /**
   * Notes the verdict on a node's move, and with the end of a game its value.
   * @param {Node} node
   * @param {Judgement} judged
   */
  judge(node, judged) {
    node.judged = judged;
    if (judged.state) node.toMove = judged.state.toMove;
    const end = this.end(node);
    if (end) node.value = endValue(end.winner);
  }

  /** The end of the game at `node`, if it is over there. @param {Node} node */
  end(node = this.current) {
    if (node.judged?.state) return node.judged.state.over;
    const isBlack = this.isByBlack(node);
    if (node.judged?.what === "five") return { winner: isBlack ? "black" : "white", why: "five" };
    if (node.judged?.what === "foul") return { winner: isBlack ? "white" : "black", why: "foul" };
    const { stones = [], blocked = [] } = this.start || {};
    const count = node.ply + stones.length + blocked.length;
    return !isVariant(this.rule) && count === this.size * this.size ? { winner: null, why: "full" } : null;
  }

  /** The result of the line through the shown position; `null` if it is unfinished. */
  result() {
    const end = this.end(this.tip());
    // A resignation and the like end the main line.
    const winner = end ? end.winner || "0" : this.isMain(this.tip()) ? this.facts.result : "";
    return RESULTS[(winner || "")[0]?.toLowerCase()] || null;
  }

  /**
   * A tree that begins with a position; `null` if the position is not one of the board, or has no point left to play on.
   * @param {Start} start @param {number} size @param {RuleName} rule
   */
  static from(start, size, rule) {
    const { stones, blocked, toMove } = start;
    const points = [...stones.map(({ point }) => point), ...blocked];
    if (!fits(points, size) || points.length >= size * size) return null;
    const tree = new GameTree(size, rule);
    if (points.length > 0 || toMove === "white") tree.start = start;
    return tree;
  }

  /** The tree as plain data, with the way to the current node. @param {boolean} withValues */
  pack(withValues) {
    /** @param {Node} node @returns {Packed} */
    const one = (node) => ({
      ...(node.move && { m: nameOf(node.move) + (node.move.choice ? `/${node.move.choice}` : "") }),
      ...(node.toMove && { t: node.toMove === "black" ? "b" : "w" }),
      ...(node.comment && { c: node.comment }),
      ...(node.labels.length > 0 && { l: packLabels(node.labels) }),
      ...(withValues && node.value && { v: node.value }),
      ...(withValues && node.judged && node.judged.what !== "plain" && !node.judged.state && { j: node.judged }),
      ...(withValues && node.review && { r: node.review }),
      ...(withValues && node.summary && { s: node.summary }),
    });
    const packed = one(this.root);
    /** @type {[Node, Packed][]} */
    const open = [[this.root, packed]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [node, into] = next;
      if (node.children.length > 0) into.n = node.children.map(one);
      into.n?.forEach((pack, index) => open.push([node.children[index], pack]));
    }
    const { size, rule, facts, start } = this;
    return { size, rule, facts, ...(start && { start: packStart(start) }), root: packed, at: this.indexes() };
  }

  /** The way to a node, as indexes of children. @param {Node} node */
  indexes(node = this.current) {
    return this.path(node).map((at) => /** @type {Node} */ (at.parent).children.indexOf(at));
  }

  /**
   * The tree of {@link pack}, or `null` if the data is anything else.
   * @param {any} data @param {number} mostNodes no limit for what the page itself has saved
   * @returns {GameTree | null}
   */
  static unpack(data, mostNodes = MOST_NODES) {
    const size = data?.size;
    if (!Number.isInteger(size) || size < 5 || size > 20 || !isGame(data.rule) || typeof data.root !== "object")
      return null;
    if (!suitsBoard(data.rule, size)) return null;
    const start = data.start && !isVariant(data.rule) ? unpackStart(data.start) : null;
    const tree = start ? GameTree.from(start, size, data.rule) : new GameTree(size, data.rule);
    if (!tree || (data.start && !start)) return null;
    const taken = start ? [...start.stones.map(({ point }) => point), ...start.blocked] : [];
    for (const [key, text] of Object.entries(data.facts || {})) {
      if (typeof text === "string") tree.facts[key] = text.slice(0, MOST.fact);
    }
    /** @type {[Node, any][]} */
    const open = [[tree.root, data.root]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [node, packed] = next;
      node.comment = typeof packed.c === "string" ? packed.c.slice(0, MOST.comment) : "";
      node.labels = unpackLabels(packed.l, (name) => {
        const [point] = parseMoves(name) || [];
        return point && fits([point], size) ? point : null;
      });
      node.value = isValue(packed.v) ? packed.v : null;
      node.judged = !isVariant(tree.rule) && isJudgement(packed.j) ? packed.j : null;
      if (isVariant(tree.rule)) node.toMove = packed.t === "b" ? "black" : packed.t === "w" ? "white" : null;
      node.review = isReview(packed.r) ? packed.r : null;
      node.summary = isSummary(packed.s) ? packed.s : null;
      for (const child of Array.isArray(packed.n) ? packed.n : []) {
        const word = /^([a-z])(\d{1,2})(?:\/(\d))?$/.exec(child?.m);
        if (!word || tree.count > mostNodes || node.ply >= MOST_PLIES) return null;
        const choice = Number(word[3]);
        const move = { x: word[1].charCodeAt(0) - 97, y: Number(word[2]) - 1, ...(choice && { choice }) };
        // A captured stone leaves its point free.
        if (!fits(isVariant(tree.rule) ? [move] : [...taken, ...tree.moves(node), move], size)) return null;
        open.push([tree.add(move, node), child]);
      }
    }
    for (const index of Array.isArray(data.at) ? data.at : []) {
      const child = Number.isInteger(index) && tree.current.children[index];
      if (!child) break;
      tree.current = child;
    }
    return tree;
  }
}

/** A position as plain data. @param {Start} start */
function packStart({ stones, blocked, toMove }) {
  const of = (/** @type {boolean} */ isBlack) =>
    formatMoves(stones.filter((stone) => stone.isBlack === isBlack).map(({ point }) => point));
  return { b: of(true), w: of(false), x: formatMoves(blocked), t: toMove === "black" ? "b" : "w" };
}

/** The position of {@link packStart}, or `null`. @param {any} data @returns {Start | null} */
function unpackStart(data) {
  const read = (/** @type {any} */ text) => (typeof text === "string" ? parseMoves(text) : null);
  const [black, white, blocked] = [read(data.b), read(data.w), read(data.x)];
  if (!black || !white || !blocked) return null;
  const stones = (/** @type {Point[]} */ points, /** @type {boolean} */ isBlack) =>
    points.map((point) => ({ point, isBlack }));
  return {
    stones: [...stones(black, true), ...stones(white, false)],
    blocked,
    toMove: data.t === "w" ? "white" : "black",
  };
}

/** @param {any} value */
const isValue = (value) =>
  typeof value?.black === "number" && value.black >= 0 && value.black <= 1 && Number.isInteger(value.depth);

/** @param {any} judged */
const isJudgement = (judged) =>
  ["plain", "five", "foul"].includes(judged?.what) &&
  Array.isArray(judged.rows) &&
  judged.rows.every(
    (/** @type {any} */ row) =>
      Array.isArray(row) &&
      row.length > 0 &&
      row.every((/** @type {any} */ point) => Number.isInteger(point?.x) && Number.isInteger(point?.y)),
  );

/** @param {any} rate */
const isRate = (rate) => typeof rate === "number" && rate >= 0 && rate <= 1;

/** @param {any} review */
const isReview = (review) =>
  isMark(review?.mark) &&
  isRate(review.before) &&
  isRate(review.after) &&
  typeof review.line === "string" &&
  parseMoves(review.line) !== null &&
  typeof review.isProven === "boolean";

/** @param {any} summary */
function isSummary(summary) {
  const isShare = (/** @type {any} */ share) => share === null || (typeof share === "number" && share <= 100);
  const isFine = (/** @type {any} */ lost) => lost.ply > 0 && (lost.side === "black" || lost.side === "white");
  return !!summary && isShare(summary.black) && isShare(summary.white) && (!summary.lost || isFine(summary.lost));
}
