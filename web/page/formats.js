// Further forms of games: Piskvork's files, and positions as FEN. Knows nothing of the page.

import { SIDES, nameOf } from "./notation.js";
import { isOtherGame, isVariant, ruleOf, sgfRule } from "./rules.js";
import { FileError } from "./sgf.js";
import { GameTree } from "./tree.js";

/**
 * Piskvork's file: `Piskvorky 15x15, ...`, a line `x,y,ms` for each stone, names.
 * @param {string} text
 */
export function readPsq(text) {
  const [first, ...lines] = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trim());
  const sides = /^Piskvorky (\d+)x(\d+)/.exec(first);
  const size = Number(sides?.[1]);
  if (!sides || sides[1] !== sides[2] || size < SIDES.least || size > SIDES.most) throw new FileError("file.size");
  const isMove = (/** @type {string} */ line) => /^\d+,\d+(,\d+)?$/.test(line);
  const count = lines.findIndex((line) => !isMove(line));
  const moves = lines.slice(0, count < 0 ? lines.length : count).map((line) => line.split(",").map(Number));
  const rest = count < 0 ? [] : lines.slice(count);
  const rule = rest.map((line) => /^-?\d+,(.*)$/.exec(line)?.[1]).find(Boolean);
  if (isOtherGame(rule || "")) throw new FileError("file.only-pgn");
  const tree = new GameTree(size, ruleOf(rule || "") || "freestyle");
  for (const [x, y] of moves) {
    const move = { x: x - 1, y: size - y };
    const isFine = move.x >= 0 && move.y >= 0 && move.x < size && move.y < size && !tree.stoneAt(move);
    if (!isFine) throw new FileError("file.move");
    tree.current = tree.add(move);
  }
  const names = rest.filter((line) => line && !/^-?\d+(,.*)?$/.test(line)).slice(0, 2);
  if (names.length === 2) Object.assign(tree.facts, { black: names[0].slice(0, 200), white: names[1].slice(0, 200) });
  return tree;
}

/** The line through the shown position as Piskvork's file, without times; the file knows only alternate moves. @param {GameTree} tree */
export function writePsq(tree) {
  const { size, rule, facts } = tree;
  // A name with commas could be read as a stone.
  const playerOf = (/** @type {"black" | "white"} */ side) => (facts[side] || side).replace(/[\r\n,]+/g, " ");
  const moves = tree.fromEmpty(tree.tip()) || [];
  const stones = moves.map((move) => `${move.x + 1},${size - move.y},0`);
  const lines = [`Piskvorky ${size}x${size}, 0:0, 0`, ...stones, playerOf("black"), playerOf("white")];
  // The winner, 0 for none, and the rule.
  return [...lines, `0,${sgfRule(rule)}`, "-1", ""].join("\r\n");
}

/** Whether a text may be a FEN of a board. @param {string} text */
export const isFen = (text) => /^[XO#\d/]+( [bw])?$/.test(text.trim()) && text.split("/").length >= SIDES.least;

/**
 * The position of a FEN: rows from the top, X Black, O White, # blocked, numbers for empty points. Without the side to move,
 * White moves if Black has more stones.
 * @param {string} text @param {import("./rules.js").RuleName} rule
 */
export function readFen(text, rule) {
  if (isVariant(rule)) throw new FileError("file.family");
  const [board, toMove] = text.trim().split(" ");
  const rows = board.split("/");
  const size = rows.length;
  if (size > SIDES.most) throw new FileError("file.size");
  /** @type {Record<string, import("./notation.js").Point[]>} */
  const points = { X: [], O: [], "#": [] };
  rows.forEach((row, index) => {
    let x = 0;
    for (const [token] of row.matchAll(/\d+|[XO#]/g)) {
      if (token in points) points[token].push({ x: x++, y: size - 1 - index });
      else x += Number(token);
    }
    if (x !== size) throw new FileError("file.size");
  });
  const isBlackToMove = toMove ? toMove === "b" : points.X.length <= points.O.length;
  const of = (/** @type {string} */ token) => points[token].map((point) => ({ point, isBlack: token === "X" }));
  const tree = GameTree.from(
    { stones: [...of("X"), ...of("O")], blocked: points["#"], toMove: isBlackToMove ? "black" : "white" },
    size,
    rule,
  );
  if (!tree) throw new FileError("file.setup");
  return tree;
}

/** The position at the current node as a FEN, with the side to move. @param {GameTree} tree */
export function writeFen(tree) {
  const { size, start } = tree;
  /** @type {Map<string, string>} */
  const signs = new Map();
  const put = (/** @type {import("./notation.js").Point} */ point, /** @type {string} */ sign) =>
    signs.set(nameOf(point), sign);
  for (const { point, isBlack } of start?.stones || []) put(point, isBlack ? "X" : "O");
  for (const point of start?.blocked || []) put(point, "#");
  for (const node of tree.path())
    put(/** @type {import("./notation.js").Point} */ (node.move), tree.isByBlack(node) ? "X" : "O");
  const rows = Array.from({ length: size }, (_, index) => {
    const row = Array.from({ length: size }, (_, x) => signs.get(nameOf({ x, y: size - 1 - index })) || ".").join("");
    return row.replace(/\.+/g, (empty) => String(empty.length));
  });
  return `${rows.join("/")} ${tree.isBlackToMove() ? "b" : "w"}`;
}
