// Files of Piskvork (PSQ).

import assert from "node:assert/strict";
import { test } from "node:test";

import { readPsq, writePsq } from "../../page/formats.js";
import { formatMoves } from "../../page/notation.js";
import { FileError, readSgf } from "../../page/sgf.js";
import { GameTree } from "../../page/tree.js";

/** @param {GameTree} tree */
const words = (tree) => formatMoves(tree.moves(tree.tip(tree.root)));

test("a file of Piskvork is read", () => {
  const psq = readPsq("Piskvorky 20x20, 11:11, 0\r\n8,8,12\r\n9,7,0\r\nA\r\nB\r\n1,Renju\r\n-1\r\n");
  assert.deepEqual([psq.size, psq.rule, words(psq), psq.facts.white], [20, "renju", "h13i14", "B"]);
  assert.throws(() => readPsq("Piskvorky 15x15, 11:11, 0\n8,8,1\n8,8,1\n"), FileError);
});

test("stones in a file of Piskvork may have blanks and a negative time", () => {
  for (const line of ["8, 8, 0", "8 , 8 ,0", "8,8,-5", "8, 8", "8,8, -5"]) {
    const psq = readPsq(`Piskvorky 15x15, 11:11, 0\n${line}\n9,9,0\nA\nB\n-1\n1,Renju\n`);
    assert.deepEqual([words(psq), psq.facts.black], ["h8i7", "A"], line);
  }
});

test("a file of Piskvork has the game's line, its rule and names", () => {
  const tree = readSgf("(;SZ[15]RU[Renju]PB[7,7](;B[hh];W[ig];B[jf])(;B[gg]))");
  assert.match(
    writePsq(tree),
    /^Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,7,0\r\n10,6,0\r\n7 7\r\nwhite\r\n-1\r\nRenju\r\n$/,
  );
  const again = readPsq(writePsq(tree));
  assert.deepEqual([again.size, again.rule, words(again)], [15, "renju", "h8i9j10"]);
  tree.rule = "caro-exact";
  assert.equal(readPsq(writePsq(tree)).rule, "caro-exact");
});

test("a file of Piskvork has the winner of a finished game only", () => {
  for (const [result, ending] of [
    ["B+R", "1,Renju"],
    ["W+", "2,Renju"],
    ["0", "0,Renju"],
    ["Void", "Renju"],
    ["", "Renju"],
  ]) {
    const tree = readSgf(`(;SZ[15]RU[Renju]RE[${result}];B[hh];W[ig])`);
    const text = writePsq(tree);
    assert.ok(text.endsWith(`\r\nblack\r\nwhite\r\n-1\r\n${ending}\r\n`), text);
    const again = readPsq(text);
    assert.deepEqual([again.rule, words(again), again.facts.black], ["renju", "h8i9", "black"]);
    assert.equal(writePsq(again), text);
  }
  const won = readSgf("(;SZ[15];B[hh];W[ig])");
  won.judge(won.current, { what: "five", rows: [] });
  assert.match(writePsq(won), /\r\n2,Freestyle\r\n$/);
  won.judge(won.current, { what: "foul", rows: [] });
  assert.match(writePsq(won), /\r\n1,Freestyle\r\n$/);
  const full = new GameTree(5, "standard");
  for (let index = 0; index < 25; index++) full.current = full.add({ x: index % 5, y: Math.floor(index / 5) });
  assert.match(writePsq(full), /\r\n0,Standard\r\n$/);
});

test("names in files of Piskvork are read back or replaced", () => {
  for (const [name, expected] of [
    ["12345678", "black"],
    ["1,abc", "1 abc"],
    ["Kakugo, level 4", "Kakugo level 4"],
    ["Piskvorky", "black"],
    [" ", "black"],
    ["", "black"],
    ["99999999999", "99999999999"],
    ["Ann", "Ann"],
  ]) {
    const tree = readSgf("(;SZ[15];B[hh])");
    tree.facts.black = name;
    assert.equal(readPsq(writePsq(tree)).facts.black, expected, name);
  }
});

test("files of Piskvork end in many ways", () => {
  for (const [ending, rule, result, black] of [
    ["a\nb\n-1\n1,Freestyle15_1\n", "freestyle", "B+", "a"],
    ["a\nb\n-1\n0,Standard2\n", "standard", "0", "a"],
    ["a\nb\n-1\nRenju\n", "renju", undefined, "a"],
    ["a\n1,b\n0\n2,Caro1\n", "caro", "W+", "a"],
    ["1,Renju\n", "renju", "B+", undefined],
    ["a\nb\nPiskvorky 15x15, 0:0, 0\n8,8,33\nc\nd\n1,Caro\n", "freestyle", undefined, "a"],
    ["", "freestyle", undefined, undefined],
  ]) {
    const tree = readPsq(`Piskvorky 15x15, 11:11, 0\n8,8,10\n9,9,20\n${ending}`);
    assert.deepEqual([tree.rule, tree.facts.result, tree.facts.black], [rule, result, black], ending);
    assert.equal(words(tree), "h8i7", ending);
  }
  const { facts } = readPsq("Piskvorky 15x15, 11:11, 1\n8,8,10\na\nb\n-1\n1,Renju\n");
  assert.deepEqual([facts.black, facts.white, facts.result], ["b", "a", "W+"], "the second player began");
});
