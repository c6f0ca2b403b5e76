// What other programs write into SGF and PSQ.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readPsq } from "../../page/formats.js";
import { nameOf } from "../../page/notation.js";
import { readSgf } from "../../page/sgf.js";

/** @typedef {import("../../page/tree.js").GameTree} GameTree */

test("the rule is read from the names that programs and federations use", () => {
  for (const [name, rule] of [
    ["RIF", "renju"],
    ["Soosorv-8", "renju"],
    ["Soosõrv-8", "renju"],
    ["Taraguchi-10", "renju"],
    ["Tarannikov", "renju"],
    ["Sakata", "renju"],
    ["有禁手", "renju"],
    ["标准", "standard"],
    ["Yamaguchi", "renju"],
    ["Free renju", "renju"],
    ["Standard Renju", "renju"],
    ["連珠", "renju"],
    ["4", "renju"],
    ["Gomoku standard", "standard"],
    ["Exactly five", "standard"],
    ["1", "standard"],
    ["Caro exact", "caro-exact"],
    ["9", "caro-exact"],
    ["Caro1", "caro"],
    ["8", "caro"],
    ["Swap2", "freestyle"],
    ["无禁手", "freestyle"],
    ["0", "freestyle"],
    ["", "freestyle"],
  ]) {
    assert.equal(readSgf(`(;SZ[15]RU[${name}];B[hh])`).rule, rule, name);
    assert.equal(readPsq(`Piskvorky 15x15, 0:0, 0\n8,8,0\na\nb\n-1\n1,${name}\n`).rule, rule, name);
  }
});

test("stones are set up in rectangles, and in the second node if the first one has no stones", () => {
  for (const [text, expected] of [
    ["(;SZ[15]AB[aa:bb]AW[cc])", "(;SZ[15]AB[aa][ba][ab][bb]AW[cc])"],
    ["(;SZ[15]AB[bb:aa][hh:hh]AW[cc:ec])", "(;SZ[15]AB[aa][ba][ab][bb][hh]AW[cc][dc][ec])"],
    ["(;SZ[15]KX[aa:ab])", "(;SZ[15]KX[aa][ab])"],
    ["(;SZ[15:15];B[hh])", "(;SZ[15];B[hh])"],
    ["(;SZ[ 9 ];B[aa])", "(;SZ[9];B[aa])"],
    ["(;SZ[15]C[one];AB[aa]PL[B]C[two];B[bb])", "(;SZ[15]AB[aa]PL[B]C[one]C[two];B[bb])"],
    ["(;SZ[15];AB[aa:ab](;W[bb])(;W[cc]))", "(;SZ[15]AB[aa][ab](;W[bb])(;W[cc]))"],
  ]) {
    const [tree, other] = [readSgf(text), readSgf(expected)];
    const points = (/** @type {GameTree} */ { start }) =>
      [
        ...(start?.stones || []).map(({ point, isBlack }) => nameOf(point) + isBlack),
        ...(start?.blocked || []).map(nameOf),
      ]
        .sort()
        .join();
    assert.deepEqual([tree.size, points(tree)], [other.size, points(other)], text);
    assert.deepEqual([tree.start?.toMove, tree.pack(false).root], [other.start?.toMove, other.pack(false).root], text);
  }
  for (const [text, reason] of [
    ["(;SZ[15:13];B[hh])", "file.size"],
    ["(;SZ[15]AB[aa:bb]AW[bb])", "file.move"],
    ["(;SZ[15]AB[aa:pp])", "file.move"],
    ["(;SZ[15]AB[aa:])", "file.move"],
    [`(;SZ[15]AB${"[aa:oo]".repeat(100000)})`, "file.move"],
    ["(;SZ[15];B[hh];AB[aa])", "file.setup"],
    ["(;SZ[15];AB[aa];AW[bb])", "file.setup"],
    ["(;SZ[15](;AB[aa])(;B[bb]))", "file.setup"],
  ])
    assert.throws(() => readSgf(text), { message: reason }, text.slice(0, 40));
});
