// Comments, annotations and results in PGN.

import assert from "node:assert/strict";
import { test } from "node:test";

import { formatMoves } from "../../page/notation.js";
import { readPgn, writePgn } from "../../page/pgn.js";
import { readSgf, writeSgf } from "../../page/sgf.js";

test("a comment before the first move is on the start position, in files of both directions", () => {
  const tree = readPgn('[Event "Cup"]\n\n{Final} {of } 1. h8 {centre} *\n');
  assert.deepEqual([tree.root.comment, tree.current.comment], ["Final\nof", "centre"]);
  assert.match(writePgn(tree), /\n\n\{Final\nof\} 1\. h8 \{centre\} \*\n$/);
  const again = readPgn(writePgn(tree));
  assert.deepEqual(again.pack(false).root, tree.pack(false).root);
  tree.root.comment = "";
  assert.match(writePgn(tree), /\n\n1\. h8 \{centre\} \*\n$/);
});

test("annotations at a move and after it are skipped", () => {
  for (const moves of ["1. h8! i9?? *", "1.h8+ i9# *", "1. h8 !? i9 $2 *", "1 h8 1... i9!? *", "1. h8/1! i9 *"])
    assert.equal(formatMoves(readPgn(`[Event "?"]\n\n${moves}\n`).moves()), "h8i9", moves);
  for (const moves of ["1. h8 !i9 *", "1. h8x i9 *", "1. ! h *"])
    assert.throws(() => readPgn(`[Event "?"]\n\n${moves}\n`), { message: "file.turns" }, moves);
});

test("a comment to the end of the line may end with a carriage return", () => {
  const tree = readPgn('[Event "?"]\r\n\r\n1. h8 ; centre\r\n% escaped\r\ni9 *\r\n');
  assert.equal(formatMoves(tree.moves()), "h8i9");
});

test("a draw is read in every form", () => {
  for (const result of ["1/2-1/2", "1/2", "0.5-0.5", "½-½"]) {
    assert.equal(readPgn(`[Result "${result}"]\n\n1. h8 i9 *\n`).facts.result, "0", result);
    const tree = readPgn(`[Event "?"]\n\n1. h8 i9 ${result}\n\n[Event "?"]\n\n1. a1 *\n`);
    assert.deepEqual([tree.facts.result, formatMoves(tree.moves())], ["0", "h8i9"], result);
  }
});

test("the date and the event of a game stay in PGN and SGF", () => {
  const head = '[Event "Cup"]\n[Date "2026.11.27"]\n[White "a"]\n[Black "b"]';
  const tree = readPgn(`${head}\n[Result "*"]\n\n1. h8 *\n`);
  assert.deepEqual(tree.facts, { event: "Cup", date: "2026-11-27", white: "a", black: "b" });
  assert.ok(writePgn(tree).startsWith(`${head}\n`));
  assert.match(writeSgf(tree), /DT\[2026-11-27\]EV\[Cup\]/);
  assert.ok(writePgn(readSgf("(;SZ[15]DT[2026-11-27]EV[Cup]PB[b]PW[a];B[hh])")).startsWith(`${head}\n`));
  for (const [date, expected] of [
    ["2026.??.??", "2026"],
    ["2026.11.??", "2026-11"],
    ["2026.??.05", "2026"],
    ["????.??.??", undefined],
    ["", undefined],
  ])
    assert.equal(readPgn(`[Date "${date}"]\n\n1. h8 *\n`).facts.date, expected, date);
  const unknown = readPgn('[Event "?"]\n[White "?"]\n[Black "?"]\n\n1. h8 *\n');
  assert.deepEqual(unknown.facts, {});
  assert.match(writePgn(unknown), /^\[White "\?"\]\n\[Black "\?"\]/);
});
