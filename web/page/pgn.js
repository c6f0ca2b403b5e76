// Games in Portable Game Notation: the first game of a file, without its variations. Knows nothing of the page.

import { SIDES, fits, parseMoves, sizeFor } from "./notation.js";
import { ruleOf } from "./rules.js";
import { FileError } from "./sgf.js";
import { GameTree } from "./tree.js";

/** A tag, a comment, a comment to the end of the line, a bracket of a variation, or a word. */
const TOKEN = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{([^}]*)\}|;[^\n]*|^%[^\n]*|([()])|[^\s[\](){};]+/gm;
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;
/** Games of other families, whose names may contain those of rules. */
const OTHER_GAMES = /pente|ninuki|capture|roku|33/i;
/** Longest comment and name that are kept. */
const MOST = { comment: 20000, name: 200 };

/** Whether a text may be PGN: it begins with a tag. @param {string} text */
export const isPgn = (text) => /^\ufeff?\s*\[\w+\s+"/.test(text);

/** @param {string} text */
export function readPgn(text) {
  /** @type {Record<string, string>} */
  const tags = {};
  /** @type {{ move: import("./notation.js").Point, comment: string }[]} */
  const moves = [];
  let depth = 0;
  for (const [word, tag, value, comment, bracket] of text.replace(/^\ufeff/, "").matchAll(TOKEN)) {
    if (tag) {
      // The next game begins.
      if (moves.length > 0 || tag in tags) break;
      tags[tag] = value.replace(/\\(.)/g, "$1");
    } else if (bracket) {
      depth = Math.max(0, depth + (bracket === "(" ? 1 : -1));
    } else if (depth === 0 && RESULT.test(word)) {
      break;
    } else if (depth === 0 && comment !== undefined) {
      const last = moves[moves.length - 1];
      if (last) last.comment = comment.trim().slice(0, MOST.comment);
    } else if (depth === 0) {
      const name = /^(?:\d+\.+)?([a-z]\d{1,2})$/i.exec(word)?.[1];
      const [move] = (name && parseMoves(name)) || [];
      if (move) moves.push({ move, comment: "" });
      else if (!/^(\d+\.+|\$\d+|[;%].*)$/.test(word)) throw new FileError("file.turns");
    }
  }
  return treeOf(tags, moves);
}

/** @param {Record<string, string>} tags @param {{ move: import("./notation.js").Point, comment: string }[]} moves */
function treeOf(tags, moves) {
  const rule = tags.Variant ? ruleOf(tags.Variant) : "freestyle";
  if (!rule || OTHER_GAMES.test(tags.Variant || "")) throw new FileError("file.rule");
  const points = moves.map(({ move }) => move);
  const sides = /^(\d+)x(\d+)$/.exec(tags.BoardSize || "");
  const size = sides ? Number(sides[1]) : sizeFor(points);
  if ((sides && sides[1] !== sides[2]) || size < SIDES.least || size > SIDES.most) throw new FileError("file.size");
  if (!fits(points, size)) throw new FileError("file.move");
  const tree = new GameTree(size, rule);
  for (const { move, comment } of moves) {
    tree.current = tree.add(move);
    tree.current.comment = comment;
  }
  for (const [tag, fact] of [
    ["Black", "black"],
    ["White", "white"],
  ])
    if (tags[tag]) tree.facts[fact] = tags[tag].slice(0, MOST.name);
  return tree;
}
