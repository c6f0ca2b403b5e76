// Further forms of games: Piskvork's files, and positions as FEN. Knows nothing of the page.

import { SIDES, nameOf } from "./notation.js";
import { isOtherGame, isVariant, ruleOf, sgfRule } from "./rules.js";
import { FileError } from "./sgf.js";
import { GameTree, MOST } from "./tree.js";

/** The first word of Piskvork's file. */
const PISKVORKY = "Piskvorky";
/** The winner in the line of winner and rule. @type {Record<string, number>} */
const WINNERS = { black: 1, white: 2, draw: 0 };

/** Whether a line of Piskvork's file is an error code. @param {string} line */
const isCode = (line) => /^[+-]?\d+$/.test(line) && Math.abs(Number(line)) < 2 ** 31;

/**
 * Piskvork's file: `Piskvorky 15x15, ...`, a line `x,y,ms` for each stone, names, an error code, winner and rule. Of several
 * games the first is read.
 * @param {string} text
 */
export function readPsq(text) {
  const all = text.split(/\r?\n/).map((line) => line.trim());
  const next = all.findIndex((line, index) => index > 0 && line.startsWith(PISKVORKY));
  const [first, ...lines] = next < 0 ? all : all.slice(0, next);
  const head = /^Piskvorky (\d+)x(\d+)(?:,[^,]*,\s*(\d+))?/.exec(first);
  const size = Number(head?.[1]);
  if (!head || head[1] !== head[2] || size < SIDES.least || size > SIDES.most) throw new FileError("file.size");
  const isMove = (/** @type {string} */ line) => /^\d+ *, *\d+ *(, *-?\d+)?$/.test(line);
  const count = lines.findIndex((line) => !isMove(line));
  const moves = lines.slice(0, count < 0 ? lines.length : count).map((line) => line.split(",").map(Number));
  const { names, winner, rule } = readEnding(count < 0 ? [] : lines.slice(count));
  if (isOtherGame(rule)) throw new FileError("file.only-pgn");
  const tree = new GameTree(size, ruleOf(rule) || "freestyle");
  for (const [x, y] of moves) {
    const move = { x: x - 1, y: size - y };
    const isFine = move.x >= 0 && move.y >= 0 && move.x < size && move.y < size && !tree.stoneAt(move);
    if (!isFine) throw new FileError("file.move");
    tree.current = tree.add(move);
  }
  const secondBegins = head[3] === "1";
  if (secondBegins) names.reverse();
  const [black, white] = names.map((name) => name.slice(0, MOST.fact));
  if (names.length === 2) Object.assign(tree.facts, { black, white });
  const results = secondBegins ? ["0", "W+", "B+"] : ["0", "B+", "W+"];
  if (/^[012]$/.test(winner)) tree.facts.result = results[Number(winner)];
  return tree;
}

/**
 * The lines after the stones: names, an error code, winner and rule. An unfinished game has only the rule.
 * @param {string[]} lines
 */
function readEnding(lines) {
  /** @type {string[]} */
  const names = [];
  let [winner, rule] = ["", ""];
  for (const line of lines.filter((line) => line && !isCode(line))) {
    const result = /^([+-]?\d+)\s*,(.*)$/.exec(line);
    // Such a line may also be an engine's name, but only the second one.
    const mayBeResult = names.length === 2 || (names.length === 0 && /^[012]\s*,/.test(line));
    if (result && mayBeResult) [winner, rule] = result.slice(1);
    else if (names.length < 2) names.push(line);
    else rule ||= line;
  }
  return { names, winner, rule };
}

/**
 * The line through the shown position as Piskvork's file, without times; the file knows only alternate moves.
 * @param {GameTree} tree
 */
export function writePsq(tree) {
  const { size, rule, facts } = tree;
  const playerOf = (/** @type {"black" | "white"} */ side) => {
    // With commas it could be read as a stone or as the winner.
    const name = (facts[side] || "").replace(/[\r\n, ]+/g, " ").trim();
    return name && !isCode(name) && !name.startsWith(PISKVORKY) ? name : side;
  };
  const moves = tree.fromEmpty(tree.tip()) || [];
  const stones = moves.map((move) => `${move.x + 1},${size - move.y},0`);
  const lines = [`${PISKVORKY} ${size}x${size}, 0:0, 0`, ...stones, playerOf("black"), playerOf("white"), "-1"];
  const result = tree.result();
  const winner = result ? `${WINNERS[result]},` : "";
  return [...lines, winner + sgfRule(rule), ""].join("\r\n");
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
