// SGF: reading and writing trees of games. Knows nothing of the page.

import { crosses, labelText, readLabels, withoutCrosses } from "./markup.js";
import { SIDES, fits, nameOf, nameOfMove } from "./notation.js";
import { isOtherGame, ruleOf, sgfRule } from "./rules.js";
import { GameTree, MOST } from "./tree.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./notation.js").Point} Point
 * @typedef {Record<string, string[]>} Properties of a node
 */

/** Longest file that is read, in characters. */
const MOST_TEXT = 4 << 20;
/** Properties of the root that are kept, with our names for them. */
const FACTS = { PB: "black", PW: "white", DT: "date", EV: "event", RE: "result" };

/**
 * Our private property for blocked points, for which SGF has no word; `kakugo` writes the same. A mark on the same points shows
 * them in other programs.
 */
const BLOCKED = "KX";

/** A message for people: why a file can't be read, by the key of its text. */
export class FileError extends Error {
  /** @param {string} key @param {Record<string, string>} [values] what the text has in braces */
  constructor(key, values = {}) {
    super(key);
    this.values = values;
  }
}

/** @param {string} text @param {number} mostComment longest comment, in characters @returns {GameTree} */
export function readSgf(text, mostComment = MOST.comment) {
  if (text.length > MOST_TEXT) throw new FileError("file.too-long");
  const nodes = tokens(text);
  const first = nodes.find((item) => typeof item !== "string");
  if (!first || typeof first === "string") throw new FileError("file.no-sgf");
  joinSetUp(nodes, first);
  const size = Number(/^\s*(\d+)(?::\1)?\s*$/.exec(first.SZ?.[0] || "15")?.[1]);
  if (!Number.isInteger(size) || size < SIDES.least || size > SIDES.most) throw new FileError("file.size");
  if (isOtherGame(first.RU?.[0] || "")) throw new FileError("file.only-pgn");
  const placed = setUp(first, size);
  const start = { ...placed, toMove: firstSide(nodes, first, placed.stones) };
  const tree = GameTree.from(start, size, ruleOf(first.RU?.[0] || "") || "freestyle");
  if (!tree) throw new FileError("file.setup");
  for (const [property, fact] of Object.entries(FACTS)) {
    if (first[property]) tree.facts[fact] = first[property][0].slice(0, MOST.fact);
  }
  grow(tree, nodes, mostComment);
  tree.current = tree.tip(tree.root);
  return tree;
}

/** Whether a node sets stones up. @param {Properties} node */
const isSetUp = (node) => !!(node.AB || node.AW || node[BLOCKED]);

/**
 * Moves stones that the second node sets up into the first one.
 * @param {(string | Properties)[]} items @param {Properties} first
 */
function joinSetUp(items, first) {
  const index = items.indexOf(first) + 1;
  const next = items[index];
  if (typeof next === "string" || !next || !isSetUp(next) || isSetUp(first)) return;
  if (first.B || first.W || next.B || next.W) return;
  for (const [name, values] of Object.entries(next))
    first[name] = [...(name === "PL" ? [] : first[name] || []), ...values];
  items.splice(index, 1);
}

/** The stones and the blocked points that the first node sets up. @param {Properties} first @param {number} size */
function setUp(first, size) {
  const points = (/** @type {string[]} */ texts) => {
    if (texts.length > size * size) throw new FileError("file.move");
    return texts.flatMap((text) => rectangle(text, size));
  };
  const [black, white, blocked] = ["AB", "AW", BLOCKED].map((name) => points(first[name] || []));
  if (!fits([...black, ...white, ...blocked], size)) throw new FileError("file.move");
  const of = (/** @type {boolean} */ isBlack) => (isBlack ? black : white).map((point) => ({ point, isBlack }));
  return { stones: [...of(true), ...of(false)], blocked };
}

/** The points of `hh`, or of the rectangle `hh:jj`. @param {string} text @param {number} size @returns {Point[]} */
function rectangle(text, size) {
  const [one, other = one] = text.split(":").map((corner) => pointOf(corner, size));
  if (!one || !other) throw new FileError("file.move");
  const span = (/** @type {number} */ from, /** @type {number} */ to) =>
    Array.from({ length: Math.abs(from - to) + 1 }, (_, index) => Math.min(from, to) + index);
  return span(one.x, other.x).flatMap((x) => span(one.y, other.y).map((y) => ({ x, y })));
}

/**
 * The side to move first: as stated, else the colour of the first move, else by the numbers of stones.
 * @param {(string | Properties)[]} items @param {Properties} first
 * @param {import("./tree.js").Stone[]} stones
 * @returns {import("./tree.js").Side}
 */
function firstSide(items, first, stones) {
  const given = first.PL?.[0].trim().toUpperCase()[0];
  const names = items.flatMap((item) => (typeof item === "string" ? [] : Object.keys(item)));
  const played = names.find((name) => name === "B" || name === "W");
  const byCount = 2 * stones.filter(({ isBlack }) => isBlack).length > stones.length ? "W" : "B";
  const side = given === "B" || given === "W" ? given : played || byCount;
  return side === "W" ? "white" : "black";
}

/**
 * Adds the nodes of a file to a tree.
 * @param {GameTree} tree @param {(string | Properties)[]} items @param {number} mostComment
 */
function grow(tree, items, mostComment) {
  const first = items.find((item) => typeof item !== "string");
  let at = tree.current;
  let depth = 0;
  /** @type {Node[]} */
  const branches = [];
  const { stones = [], blocked = [] } = tree.start || {};
  /** Names of the points that are not free at this node. */
  const taken = new Set([...stones.map(({ point }) => point), ...blocked].map(nameOf));
  for (const item of items) {
    if (item === "(") {
      depth++;
      branches.push(at);
    } else if (item === ")") {
      const to = branches.pop() || at;
      for (; at !== to && at.parent; at = at.parent) taken.delete(nameOf(/** @type {Point} */ (at.move)));
      // Only the first game of a collection is read.
      if (--depth <= 0) return;
    } else if (typeof item !== "string") {
      at = place(tree, at, item, item === first, taken, mostComment);
    }
  }
}

/**
 * @param {GameTree} tree @param {Node} at @param {Properties} item
 * @param {boolean} isFirst whether it is the first node, which alone may set stones up
 * @param {Set<string>} taken names of points that are not free, to which a move adds its own
 * @param {number} mostComment
 */
function place(tree, at, item, isFirst, taken, mostComment) {
  if (item.AE || (isSetUp(item) && !isFirst)) throw new FileError("file.setup");
  let node = at;
  // Some files have several moves in a node.
  for (const color of Object.keys(item).filter((name) => name === "B" || name === "W"))
    for (const text of item[color]) {
      if (text === "" || (color === "B") !== tree.isBlackToMove(node)) throw new FileError("file.turns");
      const move = pointOf(text, tree.size);
      if (!move || taken.has(nameOf(move))) throw new FileError("file.move");
      taken.add(nameOf(move));
      node = tree.add(move, node);
    }
  if (item.C && node.comment.length < mostComment)
    node.comment = [node.comment, ...item.C].filter(Boolean).join("\n").slice(0, mostComment);
  const labels = readLabels(item, (text) => pointOf(text, tree.size));
  node.labels.push(...(isFirst ? withoutCrosses(labels, tree.start?.blocked || []) : labels));
  return node;
}

/**
 * `hh` from the upper left corner, or `h8` as some programs write it.
 * @param {string} text @param {number} size
 */
function pointOf(text, size) {
  const letters = /^([a-z])([a-z])$/.exec(text);
  const word = /^([a-z])(\d{1,2})$/i.exec(text);
  const point = letters
    ? { x: letters[1].charCodeAt(0) - 97, y: size - 1 - (letters[2].charCodeAt(0) - 97) }
    : word && { x: word[1].toLowerCase().charCodeAt(0) - 97, y: Number(word[2]) - 1 };
  return point && point.x < size && point.y >= 0 && point.y < size ? point : null;
}

/**
 * Parentheses, and nodes as their properties.
 * @param {string} text
 */
function tokens(text) {
  /** @type {(string | Properties)[]} */
  const found = [];
  /** @type {Properties | null} */
  let node = null;
  const pattern = /([();])|([A-Za-z]+)((?:\s*\[(?:\\[\s\S]|[^\]\\])*\])+)|(\s+)|([\s\S])/g;
  for (const [, mark, name, values, , other] of text.matchAll(pattern)) {
    if (mark === ";") {
      node = {};
      found.push(node);
    } else if (mark) {
      found.push(mark);
    } else if (name && node) {
      const key = name.replace(/[a-z]/g, "");
      for (const [, value] of values.matchAll(/\[((?:\\[\s\S]|[^\]\\])*)\]/g)) (node[key] ||= []).push(unescape(value));
    } else if (other && found.length > 0) {
      throw new FileError("file.no-sgf");
    }
  }
  return found;
}

/** @param {string} text */
const unescape = (text) =>
  text.replace(/\\(\r\n?|\n\r?|[\s\S])/g, (_, next) => (/[\r\n]/.test(next) ? "" : next)).replace(/\r\n?/g, "\n");

/** @param {string} text */
const escape = (text) => text.replace(/[\]\\]/g, "\\$&");

/** @param {GameTree} tree */
export function writeSgf(tree) {
  let text = `(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[${tree.size}]RU[${sgfRule(tree.rule)}]`;
  for (const [property, fact] of Object.entries(FACTS)) {
    if (tree.facts[fact]) text += `${property}[${escape(tree.facts[fact])}]`;
  }
  const from = tree.root;
  const { stones = [], blocked = [] } = tree.start || {};
  const of = (/** @type {boolean} */ isBlack) =>
    stones.filter((stone) => stone.isBlack === isBlack).map(({ point }) => point);
  for (const [property, points] of /** @type {[string, Point[]][]} */ ([
    ["AB", of(true)],
    ["AW", of(false)],
    [BLOCKED, blocked],
  ]))
    if (points.length > 0) text += property + points.map((point) => `[${letters(point, tree.size)}]`).join("");
  text += labelsOf(tree, [...crosses(blocked), ...from.labels]);
  if (tree.start) text += `PL[${tree.start.toMove === "black" ? "B" : "W"}]`;
  if (from.comment) text += `C[${escape(from.comment)}]`;
  /** @type {(Node | string)[]} */
  const open = branchesOf(from);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      text += next;
      continue;
    }
    text += nodeText(tree, next);
    open.push(...branchesOf(next));
  }
  return `${text})\n`;
}

/** The children of a node in reverse order, with parentheses if there are several. @param {Node} node */
function branchesOf(node) {
  if (node.children.length === 1) return [node.children[0]];
  return node.children.flatMap((child) => ["\n(", child, ")"]).reverse();
}

/** @param {GameTree} tree @param {Node} node */
function nodeText(tree, node) {
  const comment = node.comment ? `C[${escape(node.comment)}]` : "";
  const point = letters(/** @type {Point} */ (node.move), tree.size);
  return `;${tree.isByBlack(node) ? "B" : "W"}[${point}]${labelsOf(tree, node.labels)}${comment}`;
}

/** @param {GameTree} tree @param {import("./markup.js").PointLabel[]} labels */
const labelsOf = (tree, labels) => labelText(labels, (point) => letters(point, tree.size), escape);

/** A point, from the upper left corner. @param {Point} point @param {number} size */
function letters({ x, y }, size) {
  return String.fromCharCode(97 + x, 97 + size - 1 - y);
}

/** Moves as text. @param {Point[]} moves */
export const moveList = (moves) => moves.map(nameOfMove).join(" ");
