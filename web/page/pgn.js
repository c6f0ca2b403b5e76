// Games in Portable Game Notation: the first game of a file, without its variations, and the line of a game as a file. `1-0` is a
// win of White, as in the program's files. Knows nothing of the page.

import { SIDES, nameOfMove, parseMoves, sizeFor } from "./notation.js";
import { GAMES, isOtherGame, isVariant, ruleOf, suitsBoard } from "./rules.js";
import { FileError } from "./sgf.js";
import { GameTree, MOST, MOST_PLIES, fitsGame } from "./tree.js";

/** A tag, a comment, one that is not closed, a comment to the end of the line, a bracket of a variation, or a word. */
const TOKEN = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{([^}]*)\}|(\{)|;[^\n]*|^%[^\n]*|([()])|[^\s[\](){};]+/gm;
/** Results by the winner. @type {Record<string, string>} */
const RESULTS = { white: "1-0", black: "0-1", draw: "1/2-1/2" };
/** Results that are read, as SGF writes them. */
const SGF_RESULTS = new Map([
  ["1-0", "W+"],
  ["0-1", "B+"],
  ["1/2-1/2", "0"],
  ["1/2", "0"],
  ["0.5-0.5", "0"],
  ["½-½", "0"],
  ["*", ""],
]);
/** The tag `Site` of PlayOK; the number of gomoku, with the standard rule, in its tag `GameType` before the size. */
const PLAYOK = { site: "PlayOK", gomoku: "61" };
/** Longest line of moves, in characters. */
const LINE = 79;

/** Whether a text may be PGN: it begins with a tag. @param {string} text */
export const isPgn = (text) => /^\s*\[\w+\s+"/.test(text);

/** @param {string} text */
export function readPgn(text) {
  /** @type {Record<string, string>} */
  const tags = {};
  /** @type {{ move: import("./notation.js").Point, comment: string }[]} */
  const moves = [];
  /** What stands before the first move. */
  const start = { comment: "" };
  let depth = 0;
  // The choices of colour in games of PlayOK fill a column too.
  let [column, hasSwapped] = [0, false];
  for (const [word, tag, value, comment, isOpen, bracket] of text.matchAll(TOKEN)) {
    // Each further one would be read to the end of the file.
    if (isOpen) throw new FileError("file.no-sgf");
    if (tag) {
      // The next game begins.
      if (moves.length > 0 || tag in tags) break;
      tags[tag] = value.replace(/\\(.)/g, "$1");
    } else if (bracket) {
      depth = Math.max(0, depth + (bracket === "(" ? 1 : -1));
    } else if (depth === 0 && SGF_RESULTS.has(word)) {
      tags.Result ||= word;
      break;
    } else if (depth === 0 && comment !== undefined) {
      const last = moves[moves.length - 1] || start;
      const added = comment.trim();
      if (added && last.comment.length < MOST.comment)
        last.comment = (last.comment ? `${last.comment}\n${added}` : added).slice(0, MOST.comment);
    } else if (depth === 0) {
      // Annotations such as `!?` may touch the move.
      const [, name, choice] = /^(?:\d+\.+)?([a-z]\d{1,2})(?:\/(\d))?[!?+#]*$/i.exec(word) || [];
      const [move] = (name && parseMoves(name)) || [];
      const [, color] = (tags.Site === PLAYOK.site && /^(?:\d+\.+)?(black|white|--)$/.exec(word)) || [];
      if (move) moves.push({ move: { ...move, ...(Number(choice) > 1 && { choice: Number(choice) }) }, comment: "" });
      else if (color && color !== "--") hasSwapped = (color === "black") === (column % 2 === 1);
      else if (!color && !/^(\d*\.*[!?+#]*|\$\d+|[;%][^]*)$/.test(word)) throw new FileError("file.turns");
      if (move || color) column++;
    }
  }
  if (moves.length > MOST_PLIES) throw new FileError("file.too-long");
  if (tags.Site === PLAYOK.site) adaptTags(tags, hasSwapped);
  const tree = treeOf(tags, moves);
  tree.root.comment = start.comment;
  return tree;
}

/**
 * Rewrites the tags of a game that PlayOK exports. There, Black is the first player and `1-0` is the first player's win,
 * also after a swap. The player in whose column `black` or `white` stands takes that colour; `--` fills the column of a
 * player who does not move.
 * @param {Record<string, string>} tags @param {boolean} hasSwapped whether the first player has the white stones
 */
function adaptTags(tags, hasSwapped) {
  if (hasSwapped) [tags.Black, tags.White] = [tags.White, tags.Black];
  else if (tags.Result) tags.Result = tags.Result.split("-").reverse().join("-");
  const [, kind, side] = /^\s*(\d+)\s*,\s*(\d+)\s*$/.exec(tags.GameType || "") || [];
  if (side) tags.BoardSize ||= `${side}x${side}`;
  if (kind === PLAYOK.gomoku) tags.Variant = "standard";
}

/** @param {Record<string, string>} tags @param {{ move: import("./notation.js").Point, comment: string }[]} moves */
function treeOf(tags, moves) {
  const [, game, side] = /^([\w-]+?)(?::size=(\d+))?$/.exec(tags.Variant || "") || [];
  const rule = isVariant(game) ? game : isOtherGame(tags.Variant || "") ? null : ruleOf(tags.Variant || "free");
  if (!rule) throw new FileError("file.rule");
  const points = moves.map(({ move }) => move);
  const sides = /^(\d+)x(\d+)$/.exec(tags.BoardSize || "");
  const usual = isVariant(rule) ? Number(side) || GAMES[rule] : sizeFor(points);
  const size = sides ? Number(sides[1]) : usual;
  if ((sides && sides[1] !== sides[2]) || size < SIDES.least || size > SIDES.most) throw new FileError("file.size");
  if (!suitsBoard(rule, size)) throw new FileError("file.rule");
  if (!fitsGame(points, size, rule)) throw new FileError("file.move");
  const tree = new GameTree(size, rule);
  for (const { move, comment } of moves) {
    tree.current = tree.add(move);
    tree.current.comment = comment;
  }
  // Parts of a date that are not known are question marks.
  const date = tags.Date?.replace(/\.\?.*/, "").replaceAll(".", "-");
  for (const [fact, text] of Object.entries({ black: tags.Black, white: tags.White, event: tags.Event, date }))
    if (text && !/^\?+$/.test(text)) tree.facts[fact] = text.slice(0, MOST.fact);
  const result = SGF_RESULTS.get(tags.Result);
  if (result) tree.facts.result = result;
  return tree;
}

/** The line through the shown position. @param {GameTree} tree */
export function writePgn(tree) {
  const { size, rule, facts } = tree;
  const nodes = tree.line();
  const result = RESULTS[tree.result() || ""] || "*";
  const game = isVariant(rule) && GAMES[rule] !== size ? `${rule}:size=${size}` : rule;
  const { event, date } = facts;
  const about = { ...(event && { Event: event }), ...(date && { Date: date.replaceAll("-", ".") }) };
  const tags = { ...about, White: facts.white || "?", Black: facts.black || "?", Result: result, Variant: game };
  const head = Object.entries({ ...tags, BoardSize: `${size}x${size}` }).map(
    ([tag, value]) => `[${tag} "${value.replace(/[\r\n]+/g, " ").replace(/[\\"]/g, "\\$&")}"]`,
  );
  // Where sides do not alternate, each move has a number.
  const isInTurn = nodes.every((node, index) => tree.isByBlack(node) === (index % 2 === 0));
  const noted = (/** @type {import("./tree.js").Node} */ { comment }) =>
    comment ? [`{${comment.replace(/}/g, ")")}}`] : [];
  const words = nodes.flatMap((node, index) => {
    const move = /** @type {import("./notation.js").Point} */ (node.move);
    const number = isInTurn ? index / 2 + 1 : index + 1;
    return [...(Number.isInteger(number) ? [`${number}.`] : []), nameOfMove(move), ...noted(node)];
  });
  return `${head.join("\n")}\n\n${wrapped([...noted(tree.root), ...words, result])}\n`;
}

/** Words in lines. @param {string[]} words */
function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const line = lines[lines.length - 1];
    if (line && line.length + 1 + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}
