// Text in and out: moves, SGF, links.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isFen, readFen, readPsq, writeFen, writePsq } from "../../page/formats.js";
import { fits, formatMoves, fromLinkText, nameOf, parseMoves, toLinkText } from "../../page/notation.js";
import { isPgn, readPgn, writePgn } from "../../page/pgn.js";
import { FileError, readSgf, writeSgf } from "../../page/sgf.js";
import { GameTree } from "../../page/tree.js";

/** @param {GameTree} tree */
const words = (tree) => formatMoves(tree.moves(tree.tip(tree.root)));

test("lists of moves are read in every usual form", () => {
  for (const text of ["h8i9j10", "h8 i9 j10", "H8, I9, J10", "1. h8 2. i9 3. j10", "h8-i9\nj10"]) {
    assert.equal(formatMoves(parseMoves(text) || []), "h8i9j10", text);
  }
  for (const text of ["hello world", "h8 i", "<b>", "8h"]) assert.equal(parseMoves(text), null, text);
  assert.ok(
    !fits(parseMoves("h8h8") || [], 15) && !fits(parseMoves("p16") || [], 15) && fits(parseMoves("p16") || [], 16),
  );
});

test("an SGF with variations and comments survives a round trip", () => {
  const text =
    "(;GM[4]FF[4]SZ[15]RU[Renju]PB[A \\] B]C[root](;B[hh]C[centre \\\\ \\]];W[ig](;B[jf])(;B[hg]C[other]))(;B[gg]))";
  const tree = readSgf(text);
  assert.deepEqual([tree.size, tree.rule, tree.facts.black], [15, "renju", "A ] B"]);
  assert.equal(words(tree), "h8i9j10");
  const again = readSgf(writeSgf(tree));
  assert.deepEqual(again.pack(false), tree.pack(false));
  assert.equal(again.root.children[0].comment, "centre \\ ]");
  assert.equal(again.root.children.length, 2);
  assert.equal(again.root.children[0].children[0].children.length, 2);
});

test("a byte order mark before a game is ignored", () => {
  const sgf = readSgf("(;SZ[15];B[hh];W[ig])");
  assert.equal(words(readSgf(`\ufeff${writeSgf(sgf)}`)), "h8i9");
  assert.equal(words(readPsq(`\ufeff${writePsq(sgf)}`)), "h8i9");
  const pgn = `\ufeff${writePgn(sgf)}`;
  assert.ok(isPgn(pgn));
  assert.equal(words(readPgn(pgn)), "h8i9");
});

test("an escaped line break of SGF is removed", () => {
  for (const lineBreak of ["\n", "\r", "\r\n", "\n\r"]) {
    const tree = readSgf(`(;GM[4];B[hh]C[one \\${lineBreak}line\\\\\ntwo])`);
    assert.equal(tree.root.children[0].comment, "one line\\\ntwo", JSON.stringify(lineBreak));
  }
});

test("a property that a node of SGF repeats keeps all its values", () => {
  const { start } = readSgf("(;SZ[15]AB[hh]AB[ii]AW[jj])");
  assert.deepEqual(
    start?.stones.map(({ point, isBlack }) => nameOf(point) + isBlack),
    ["h8true", "i7true", "j6false"],
  );
  const tree = readSgf("(;SZ[15];B[hh]C[one]C[two]W[ig]TR[aa]TR[bb](;B[jf])(;B[hg]W[jf]))");
  assert.equal(words(tree), "h8i9j10");
  const { parent } = tree.current;
  assert.deepEqual([parent?.comment, parent?.labels.length, parent?.children.length], ["one\ntwo", 2, 2]);
  const whiteFirst = readSgf("(;SZ[15];W[aa]B[bb])");
  assert.equal(words(whiteFirst), "a15b14");
  assert.equal(whiteFirst.isBlackToMove(whiteFirst.root), false);
  for (const moves of ["B[hh]B[ii]", "B[hh][ii]", "B[hh]W[ig]B[jf]"])
    assert.throws(() => readSgf(`(;SZ[15];${moves})`), { message: "file.turns" }, moves);
});

test("files that can't be shown are refused with a reason", () => {
  for (const [text, reason] of [
    ["", "file.no-sgf"],
    ["hello", "file.no-sgf"],
    ["(;SZ[25])", "file.size"],
    ["(;SZ[15]PL[W];B[aa])", "file.turns"],
    ["(;SZ[15];W[aa];W[bb])", "file.turns"],
    ["(;SZ[15]AB[aa][bb];B[bb])", "file.move"],
    ["(;SZ[15];B[])", "file.turns"],
    ["(;SZ[15];B[aa];W[aa])", "file.move"],
    ["(;SZ[9];B[zz])", "file.move"],
    ["(;SZ[9];B[aa](;W[bb];B[cc])(;W[cc];B[aa]))", "file.move"],
    ["(;SZ[9]AB[aa];W[bb](;B[cc])(;B[aa]))", "file.move"],
  ]) {
    assert.throws(
      () => readSgf(text),
      (error) => error instanceof FileError && error.message === reason,
      text,
    );
  }
});

test("a point is free again in another variation", () => {
  const tree = readSgf("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[cc];B[bb]))");
  assert.equal(writeSgf(tree).replaceAll("\n", ""), writeSgf(readSgf(writeSgf(tree))).replaceAll("\n", ""));
  assert.equal(tree.count, 7);
});

test("stones that are set up come before the moves, and go out again", () => {
  const tree = readSgf("(;SZ[15]AB[aa][bb]AW[cc]C[a puzzle];W[dd];B[ee])");
  assert.equal(tree.start?.stones.length, 3);
  assert.equal(formatMoves(tree.moves()), "d12e11");
  assert.equal(formatMoves(tree.fromEmpty() || []), "a15c13b14d12e11");
  assert.match(writeSgf(tree), /AB\[aa\]\[bb\]AW\[cc\]PL\[W\]C\[a puzzle\];W\[dd\];B\[ee\]/);
  assert.match(writePsq(tree), /\r\n1,1,0\r\n3,3,0\r\n2,2,0\r\n4,4,0\r\n5,5,0\r\n/);
  assert.deepEqual(GameTree.unpack(JSON.parse(JSON.stringify(tree.pack(false))))?.start, tree.start);
  assert.throws(() => readSgf("(;SZ[15]AB[aa];AW[cc])"), /file.setup/);
});

test("stones in any number have either side to move", () => {
  for (const [text, isBlackToMove] of /** @type {[string, boolean][]} */ ([
    ["(;SZ[15]AB[aa][bb])", false],
    ["(;SZ[15]AB[aa][bb]PL[B])", true],
    ["(;SZ[15]AB[aa][bb];B[cc])", true],
    ["(;SZ[15]AW[aa][bb])", true],
    ["(;SZ[15]AW[aa][bb];W[cc])", false],
    ["(;SZ[15];W[aa];B[bb])", false],
  ])) {
    const tree = readSgf(text);
    assert.equal(tree.isBlackToMove(tree.root), isBlackToMove, text);
    assert.equal(tree.fromEmpty(), null, text);
    assert.deepEqual(readSgf(writeSgf(tree)).pack(false), tree.pack(false), text);
  }
});

test("blocked points go out as SGF and come back, and other programs see a mark", () => {
  const tree = readFen("9/9/9/3#5/2XXX4/9/9/9/O7# w", "renju");
  tree.current = tree.add({ x: 0, y: 8 });
  const text = writeSgf(tree);
  assert.match(text, /AB\[ce\]\[de\]\[ee\]AW\[ai\]KX\[dd\]\[ii\]MA\[dd\]\[ii\]PL\[W\];W\[aa\]/);
  assert.deepEqual(readSgf(text).pack(false), tree.pack(false));
  for (const [wrong, reason] of [
    ["(;SZ[9]KX[dd];B[dd])", "file.move"],
    ["(;SZ[9]AB[dd]KX[dd])", "file.move"],
    ["(;SZ[9];B[aa]KX[dd])", "file.setup"],
  ])
    assert.throws(() => readSgf(wrong), new RegExp(reason), wrong);
});

test("the position on the board goes out as a FEN and comes back", () => {
  for (const fen of ["9/9/9/3#5/2XXX4/9/9/9/O7# w", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 b", "5/5/XO3/5/5 w"])
    assert.equal(writeFen(readFen(fen, "renju")), fen);
  const tree = readSgf("(;SZ[15]AB[aa];W[hh];B[ig];W[oo])");
  tree.current = tree.root.children[0].children[0];
  const fen = "X14/15/15/15/15/15/8X6/7O7/15/15/15/15/15/15/15 w";
  assert.equal(writeFen(tree), fen, "up to the move on the board");
  assert.equal(writeFen(readFen(fen, "freestyle")), fen);
});

test("the first game of a PGN is read", () => {
  const text = `[Event "renju 9x9"]
[White "w \\"x\\" \\\\"]
[Black "b"]
[Result "0-1"]
[Variant "renju"]
[BoardSize "9x9"]

1. e5 {+10/4 0.012s} e6 (1... d6 {no}) 2. f6$1 ; to the end a1
2... f5 0-1

[Event "?"]
[White "a"]

1. h8 *`;
  assert.ok(isPgn(text.replace("f6$1", "f6 $1")) && !isPgn("h8 i9") && !isPgn("(;SZ[15])"));
  const tree = readPgn(text.replace("f6$1", "f6 $1"));
  assert.deepEqual([tree.size, tree.rule, words(tree)], [9, "renju", "e5e6f6f5"]);
  assert.deepEqual([tree.facts.black, tree.facts.white], ["b", 'w "x" \\']);
  assert.equal(tree.root.children[0].comment, "+10/4 0.012s");
  assert.equal(readPgn('[Result "*"]\n1. h8 {one} { two } i9').root.children[0].comment, "one\ntwo");
  assert.equal(words(readPgn('[Result "*"]\n1.h8 i9 2.j10')), "h8i9j10");
  for (const [text, reason] of [
    ['[Variant "pente:goal_pairs=4"]\n[BoardSize "19x19"]\n1. k10 *', "file.rule"],
    ['[Variant "constructor"]\n1. k10 *', "file.rule"],
    ['[Variant "pente:size=99"]\n1. k10 *', "file.size"],
    ['[Variant "ninuki-renju"]\n1. h8 *', "file.rule"],
    ['[Variant "roku"]\n[BoardSize "15x15"]\n1. f6 *', "file.rule"],
    ['[BoardSize "15x10"]\n1. h8 *', "file.size"],
    ['[BoardSize "9x9"]\n1. h8 o15 *', "file.move"],
    ['[Result "*"]\n1. h8 pass *', "file.turns"],
    ['[Result "*"]\n1. h8 {not closed i9 *', "file.no-sgf"],
  ])
    assert.throws(
      () => readPgn(text),
      (error) => error instanceof FileError && error.message === reason,
      text,
    );
});

test("a PGN keeps its result", () => {
  for (const [result, fact] of [
    ["1-0", "W+"],
    ["0-1", "B+"],
    ["1/2-1/2", "0"],
    ["*", undefined],
    ["constructor", undefined],
  ]) {
    const tree = readPgn(`[Result "${result}"]\n\n1. h8 i9 *\n`);
    assert.equal(tree.facts.result, fact, result);
    assert.match(writePgn(tree), fact ? new RegExp(`\\[Result "${result}"\\]`) : /\[Result "\*"\]/);
  }
  assert.equal(readPgn('[White "w"]\n\n1. h8 i9 0-1\n').facts.result, "B+");
});

test("games of PlayOK are read without the choices of colour", () => {
  /** @param {string} moves @param {string} result */
  const read = (moves, result) =>
    readPgn(
      `[Event "?"]\n[Site "PlayOK"]\n[Black "ann"]\n[White "bob"]\n[Result "${result}"]\n[GameType "61,15"]\n\n${moves} ${result}\n`,
    );
  for (const [moves, stones, black, white, result] of [
    ["1. h8 i9 2. j8 black 3. i7 i8", "h8i9j8i7i8", "bob", "ann", "W+"],
    ["1. h8 i9 2. j8 white 3. -- i8", "h8i9j8i8", "ann", "bob", "B+"],
    ["1. h8 i9 2. j8 i7 3. a1 -- 4. black i8", "h8i9j8i7a1i8", "ann", "bob", "B+"],
    ["1. h8 i9 2. j8 i7 3. a1 -- 4. white -- 5. b2 --", "h8i9j8i7a1b2", "bob", "ann", "W+"],
  ]) {
    const tree = read(moves, "1-0");
    assert.deepEqual([tree.size, tree.rule, tree.facts], [15, "standard", { black, white, result }], moves);
    assert.equal(words(tree), stones, moves);
  }
  assert.equal(read("1. h8 i9 2. j8 black", "1/2-1/2").facts.result, "0");
  assert.throws(() => readPgn('[Site "elsewhere"]\n\n1. h8 i9 2. j8 black *\n'), { message: "file.turns" });
});

test("a game with captures keeps points, captures and the game in a PGN", () => {
  const tree = new GameTree(13, "pente");
  for (const [name, choice] of /** @type {[string, number][]} */ ([
    ["a9", 0],
    ["b9", 0],
    ["i1", 2],
    ["c9", 0],
    ["d9", 0],
    ["b9", 0],
  ])) {
    const [move] = parseMoves(name) || [];
    tree.current = tree.add({ ...move, ...(choice && { choice }) });
  }
  tree.current.comment = "again } there";
  Object.assign(tree.facts, { black: 'A "b"', white: "C\\" });
  const text = writePgn(tree);
  assert.match(
    text,
    /\[Variant "pente:size=13"\]\n\[BoardSize "13x13"\]\n\n1\. a9 b9 2\. i1\/2 c9 3\. d9 b9 \{again \) there\} \*\n$/,
  );
  const again = readPgn(text);
  assert.deepEqual([again.rule, again.size, again.facts], ["pente", 13, tree.facts]);
  assert.deepEqual(again.moves(), tree.moves());
  assert.equal(again.current.comment, "again ) there");
  // Black wins: 1-0 would be a win of White. White has moved twice, so each move has a number.
  const hexagon = new GameTree(11, "roku");
  for (const name of ["f6", "g6", "f7"]) hexagon.current = hexagon.add((parseMoves(name) || [])[0]);
  const [first, second, third] = hexagon.path();
  first.toMove = "white";
  second.toMove = "white";
  hexagon.judge(third, {
    what: "five",
    rows: [],
    state: {
      stones: [],
      toMove: "black",
      removed: [],
      choices: [],
      over: { winner: "black", why: "five" },
      status: { black: "", white: "" },
    },
  });
  assert.match(
    writePgn(hexagon),
    /\[Result "0-1"\]\n\[Variant "roku"\]\n\[BoardSize "11x11"\]\n\n1\. f6 2\. g6 3\. f7 0-1\n$/,
  );
  const given = new GameTree(15, "renju");
  given.current = given.add({ x: 7, y: 7 });
  for (const [result, expected] of [
    ["B+R", "0-1"],
    ["W+", "1-0"],
    ["0", "1/2-1/2"],
    ["Void", "*"],
  ]) {
    given.facts.result = result;
    assert.match(writePgn(given), new RegExp(`\\[Result "${expected.replace("*", "\\*")}"\\]`));
  }
  given.facts.result = "B+";
  given.current = given.add({ x: 7, y: 8 }, given.root);
  assert.match(writePgn(given), /\[Result "\*"\]/, "of a variation, nothing is known");
  const long = new GameTree(15, "renju");
  for (let index = 0; index < 60; index++) long.current = long.add({ x: index % 15, y: Math.floor(index / 15) });
  assert.ok(
    writePgn(long)
      .split("\n")
      .every((line) => line.length <= 79),
  );
  assert.equal(words(readPgn(writePgn(long))), words(long));
  assert.equal(readPgn(writePgn(long)).rule, "renju");
});

test("a line of more moves than any game has is no game", () => {
  const moves = (/** @type {number} */ count) => Array.from({ length: count }, (_, index) => "abc"[index % 3] + "1");
  const pgn = (/** @type {number} */ count) => `[Variant "pente"]\n\n${moves(count).join(" ")} *`;
  assert.equal(readPgn(pgn(800)).current.ply, 800);
  assert.throws(() => readPgn(pgn(801)), { message: "file.too-long" });
  /** @param {number} count */
  const packed = (count) => ({ size: 19, rule: "pente", root: chain(moves(count)) });
  /** @param {string[]} names @returns {any} */
  const chain = (names) => names.reduceRight((next, m) => ({ n: [{ ...next, m }] }), {});
  assert.equal(GameTree.unpack(packed(800))?.count, 801);
  assert.equal(GameTree.unpack(packed(801)), null);
});

test("SGF and PSQ of games with captures say where these games open", () => {
  for (const rule of ["pente", "Ninuki-Renju", "gomoku33"])
    for (const read of [
      () => readSgf(`(;SZ[15]RU[${rule}];B[hh])`),
      () => readPsq(`Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\na\r\nb\r\n0,${rule}\r\n-1\r\n`),
    ])
      assert.throws(read, { message: "file.only-pgn" }, rule);
});

test("FENs are read", () => {
  const fen = "9/9/9/9/2XOX4/9/9/9/9 w";
  assert.ok(isFen(fen) && !isFen("h8") && !isFen("9/9"));
  assert.equal(formatMoves(readFen(fen, "standard").fromEmpty() || []), "c5d5e5");
  for (const [wrong, rule, reason] of /** @type {[string, any, string][]} */ ([
    ["9/9/9/9/8/9/9/9/9", "standard", "file.size"],
    ["#####/#####/XXOOX/#####/#####", "standard", "file.setup"],
    [fen, "pente", "file.family"],
  ]))
    assert.throws(
      () => readFen(wrong, rule),
      (error) => error instanceof FileError && error.message === reason,
    );
});

test("a FEN has blocked points, any number of stones and either side to move", () => {
  for (const [fen, toMove] of [
    ["9/9/9/9/2XOX4/9/9/9/9 b", "black"],
    ["9/9/9/9/2O6/9/9/9/9", "black"],
    ["9/9/9/9/2O6/9/9/9/9 w", "white"],
    ["#8/9/9/9/2XX5/9/9/9/8# w", "white"],
  ]) {
    assert.ok(isFen(fen));
    const tree = readFen(fen, "standard");
    assert.equal(tree.start?.toMove, toMove, fen);
    assert.equal(tree.fromEmpty(), null, fen);
    assert.deepEqual(GameTree.unpack(JSON.parse(JSON.stringify(tree.pack(true))))?.start, tree.start);
    assert.equal(tree.isBlocked({ x: 8, y: 0 }), fen.includes("#"));
  }
});

test("a packed tree keeps variations, comments, values and the place", () => {
  const tree = readSgf("(;SZ[15](;B[hh];W[ig];B[jf])(;B[gg];W[gh]))");
  tree.current = tree.root.children[1].children[0];
  tree.current.comment = "h\u00e9 <script>";
  tree.current.value = { black: 0.25, depth: 9 };
  const again = GameTree.unpack(JSON.parse(fromLinkText(toLinkText(JSON.stringify(tree.pack(true)))) || ""));
  assert.deepEqual(again?.pack(true), tree.pack(true));
  assert.equal(formatMoves(again?.moves() || []), "g9g8");
});

test("foreign data makes no tree", () => {
  const root = (/** @type {any} */ n) => ({ size: 15, rule: "renju", root: n });
  for (const data of [
    null,
    1,
    {},
    { size: 99, rule: "renju", root: {} },
    { size: 15, rule: "toString", root: {} },
    root({ n: [{ m: "z9" }] }),
    root({ n: [{ m: "h8", n: [{ m: "h8" }] }] }),
    root({ n: [null] }),
    { ...root({}), start: 1 },
    { ...root({}), start: { b: "h8", w: "", x: "h8", t: "b" } },
    { ...root({}), start: { b: "z9", w: "", x: "", t: "b" } },
    { ...root({}), rule: "pente", start: { b: "h8", w: "", x: "", t: "b" } },
    { ...root({ n: [{ m: "h8" }] }), start: { b: "h8", w: "", x: "", t: "w" } },
    root({ n: [{ m: 7 }] }),
  ]) {
    assert.equal(GameTree.unpack(data), null, JSON.stringify(data));
  }
  assert.equal(fromLinkText("%%%"), null);
});
