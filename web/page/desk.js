// What lies on the desk: the tree of a game, the match that is played, and where one looks. Reports changes.

import { PROCEDURES, stonesOf, suits, unpackOpening } from "./opening.js";
import { isVariant } from "./rules.js";
import { keepGame } from "./settings.js";
import { t } from "./strings.js";
import { GameTree } from "./tree.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./notation.js").Point} Point
 * @typedef {"black" | "white"} Side
 * @typedef {{ initialMs: number, incrementMs: number }} Clock
 * @typedef {{ winner: Side | null, why: string }} Result
 *
 * A game between a person and the engine, or two persons.
 * @typedef {object} Match
 * @property {Side | "both"} human
 * @property {number} level
 * @property {Clock | null} clock
 * @property {{ black: number, white: number }} leftMs
 * @property {Node} tip where the game stands
 * @property {Result | null} result
 * @property {number} seed
 * @property {import("./opening.js").Opening | null} opening until it is over
 * @property {boolean} isChallenge whether a win unlocks a level
 * @property {string} begins the procedure with which the game and its rematch begin, or nothing
 * @property {number} openingStones stones of the opening, which are not taken back once it is over
 *
 * What has changed: the position that is shown, the tree, the match, or the values of positions.
 * @typedef {"position" | "tree" | "match" | "values"} Change
 */

export class Desk {
  /** @type {"play" | "analyse"} */
  mode = "play";
  tree = new GameTree(15, "freestyle");
  /** @type {Match | null} */
  match = null;
  /**
   * A move that was refused, until something else happens.
   * @type {{ point: Point, text: string, judged: import("./tree.js").Judgement | null } | null}
   */
  refusal = null;
  /** @type {Point | null} */
  hint = null;
  /** What the engine has answered, until something else happens. */
  note = "";
  /** Moves that are left out of the analysis of a position. @type {WeakMap<Node, Point[]>} */
  #excluded = new WeakMap();
  /** The last positions of games that were opened: their results belong to them. @type {WeakMap<GameTree, Node>} */
  #ends = new WeakMap();
  /** @type {Set<(change: Change) => void>} */
  #listeners = new Set();

  /** @param {(change: Change) => void} listener */
  onChange(listener) {
    this.#listeners.add(listener);
  }

  /** @param {Change} change */
  changed(change) {
    for (const listener of this.#listeners) listener(change);
  }

  /** Forgets what concerns only the position that was shown. */
  clearNotes() {
    this.refusal = null;
    this.hint = null;
    this.note = "";
  }

  /** Once the engine is connected, moves can be checked. */
  noteLink() {
    if (this.refusal?.text === t("refused.no-link")) this.refusal = null;
  }

  /** The position at a node, for the engine. @param {Node} node @returns {import("./engine.js").Position} */
  position(node = this.tree.current) {
    const { size, rule } = this.tree;
    const position = { size, rule, moves: this.tree.moves(node) };
    if (!isVariant(rule)) return this.tree.start ? { ...position, start: this.tree.start } : position;
    const side = (/** @type {Node} */ at) => (this.tree.isByBlack(at) ? "black" : "white");
    return { ...position, sides: this.tree.path(node).map(side), toMove: this.sideToMove(node) };
  }

  /** Moves that the analysis of a position leaves out. @param {Node} node */
  excluded(node = this.tree.current) {
    return this.#excluded.get(node) || [];
  }

  /** Leaves these moves out of the analysis of the position that is shown. @param {Point[]} points */
  exclude(points) {
    this.#excluded.set(this.tree.current, points);
  }

  /** @param {Node} node */
  go(node) {
    if (node === this.tree.current) return;
    this.tree.current = node;
    this.clearNotes();
    this.changed("position");
  }

  /** Steps back, or forward along the line. @param {number} steps */
  step(steps) {
    let at = this.tree.current;
    for (; steps < 0 && at.parent; steps++) at = at.parent;
    for (let next = this.onward(at); steps > 0 && next; steps--, next = this.onward(at)) at = next;
    this.go(at);
  }

  /**
   * The next node: in a game only up to where it stands, else the first child.
   * @param {Node} node
   * @returns {Node | undefined}
   */
  onward(node = this.tree.current) {
    if (this.mode === "analyse" || !this.match) return node.children[0];
    const way = this.tree.path(this.match.tip);
    // A move that was taken back leads to where the game stands.
    if (node.parent && !way.includes(node)) return this.match.tip;
    return node.children.find((child) => way.includes(child));
  }

  /** Whether stones and sides are known: in games of other families only the engine knows them. */
  isSettled() {
    const { rule, current } = this.tree;
    return !isVariant(rule) || !current.parent || !!current.judged;
  }

  /** Whether the person may place a stone now. */
  mayPlay() {
    if (!this.isSettled()) return false;
    if (this.mode === "analyse") return !this.tree.end();
    const { match } = this;
    if (!match || match.result || this.tree.current !== match.tip) return false;
    if (match.opening) return match.opening.task !== "";
    return match.human === "both" || match.human === this.sideToMove(match.tip);
  }

  /** Whether the game may be analysed: a challenge is won without help. */
  mayAnalyse() {
    return !this.match?.isChallenge || !!this.match.result;
  }

  /**
   * Where taking back leads: before the person's last move and the engine's answers. `null` if there is no such move, or the
   * game does not allow it.
   */
  beforeLastMove() {
    const { match } = this;
    if (!match || match.opening || match.isChallenge || match.result?.why === "time") return null;
    let node = match.tip.parent;
    while (match.human !== "both" && node && this.sideToMove(node) !== match.human) node = node.parent;
    return node && node.ply >= match.openingStones ? node : null;
  }

  /** Writes into the facts of the game, which files keep, who plays which side against the engine. */
  nameSides() {
    const { match, tree } = this;
    if (!match || match.human === "both") return;
    const engine = t(match.level === 10 ? "engine.full" : "engine.level", { level: match.level });
    tree.facts.black = match.human === "white" ? engine : t("you");
    tree.facts.white = match.human === "black" ? engine : t("you");
  }

  /** Writes the result of the match into the facts if the main line ends where the match ended. */
  noteResult() {
    const { match, tree } = this;
    if (!match?.result || !tree.isMain(match.tip) || match.tip.children[0]) return;
    const { winner } = match.result;
    tree.facts.result ||= winner === "black" ? "B+" : winner === "white" ? "W+" : "0";
  }

  /** @param {Node} node @returns {Side} */
  sideToMove(node = this.tree.current) {
    return this.tree.isBlackToMove(node) ? "black" : "white";
  }

  /** Replaces everything by another game, to be analysed. @param {GameTree} tree */
  open(tree) {
    keepGame(this.tree);
    this.tree = tree;
    this.#ends.set(tree, tree.tip(tree.root));
    this.match = null;
    this.mode = "analyse";
    this.clearNotes();
    this.changed("tree");
  }

  /** Deletes the position that is shown and everything after it. A match that loses moves by this ends. */
  cut() {
    const { match, tree } = this;
    const { current } = tree;
    const { result } = tree.facts;
    const isBefore = (/** @type {Node} */ end) => tree.path(end).includes(current);
    if (match && isBefore(match.tip)) this.match = null;
    tree.remove(current);
    // Moves that were taken back or added later do not belong to the game that has this result.
    const end = match?.result && tree.isMain(match.tip) ? match.tip : this.#ends.get(tree);
    if (result && end && !isBefore(end)) tree.facts.result = result;
    this.noteResult();
    this.clearNotes();
    this.changed("tree");
  }

  pack() {
    const { match, tree, mode } = this;
    const end = this.#ends.get(tree);
    return {
      tree: tree.pack(true),
      mode,
      match: match && { ...match, tip: tree.indexes(match.tip) },
      ...(end && { end: tree.indexes(end) }),
    };
  }

  /** Takes up what {@link pack} has written. @param {any} data @returns {boolean} */
  unpack(data) {
    const tree = GameTree.unpack(data?.tree, Infinity);
    if (!tree) return false;
    this.tree = tree;
    this.#ends.set(tree, Array.isArray(data.end) ? nodeAt(tree, data.end) : tree.tip(tree.root));
    this.match = unpackMatch(data.match, tree);
    this.mode = this.match && (data.mode !== "analyse" || !this.mayAnalyse()) ? "play" : "analyse";
    return true;
  }
}

/** The node to which the indexes of children lead. @param {GameTree} tree @param {any} indexes */
function nodeAt(tree, indexes) {
  let node = tree.root;
  for (const index of Array.isArray(indexes) ? indexes : []) node = node.children[index] || node;
  return node;
}

/** @param {any} data @param {GameTree} tree @returns {Match | null} */
function unpackMatch(data, tree) {
  if (!data || !["black", "white", "both"].includes(data.human) || !(data.level >= 1 && data.level <= 10)) return null;
  let tip = nodeAt(tree, data.tip);
  const { human, level, seed } = data;
  const clock =
    data.clock?.initialMs > 0
      ? { initialMs: Number(data.clock.initialMs), incrementMs: Number(data.clock.incrementMs) || 0 }
      : null;
  const leftMs = { black: Number(data.leftMs?.black) || 0, white: Number(data.leftMs?.white) || 0 };
  const why = typeof data.result?.why === "string" ? data.result.why : "";
  const result = why
    ? { winner: data.result.winner === "black" || data.result.winner === "white" ? data.result.winner : null, why }
    : null;
  // An earlier version began games of other families with procedures.
  const isFor = (/** @type {string} */ name) => suits(name, tree.rule, tree.size);
  const saved = result ? null : unpackOpening(data.opening);
  const opening = saved && isFor(saved.name) ? saved : null;
  if (opening) while (tip.parent && tip.ply > stonesOf(opening)) tip = tip.parent;
  return {
    human,
    level,
    seed: Number(seed) || 0,
    clock,
    leftMs,
    tip,
    result,
    opening,
    begins: Object.hasOwn(PROCEDURES, data.begins) && isFor(data.begins) ? data.begins : "",
    openingStones: opening ? 0 : Number(data.openingStones) || 0,
    isChallenge: data.isChallenge === true,
  };
}
