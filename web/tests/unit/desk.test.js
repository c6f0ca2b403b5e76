// The desk: what is kept of a game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Desk } from "../../page/desk.js";
import { parseMoves } from "../../page/notation.js";
import { newOpening, suits } from "../../page/opening.js";
import { writePgn } from "../../page/pgn.js";
import { readSgf, writeSgf } from "../../page/sgf.js";
import { GameTree } from "../../page/tree.js";

/**
 * A desk with a game after these moves.
 * @param {string} moves @param {Partial<import("../../page/desk.js").Match>} more
 */
function game(moves, more) {
  const desk = new Desk();
  for (const move of parseMoves(moves) || []) desk.tree.current = desk.tree.add(move);
  desk.match = {
    human: "black",
    level: 1,
    clock: null,
    leftMs: { black: 0, white: 0 },
    tip: desk.tree.current,
    result: null,
    seed: 1,
    opening: null,
    begins: "",
    openingStones: 0,
    isChallenge: false,
    ...more,
  };
  return desk;
}

test("taking back leads before the person's last move, but not after a loss on time or in a challenge", () => {
  for (const [moves, more, ply] of /** @type {[string, any, number | undefined][]} */ ([
    ["", {}, undefined],
    ["h8", {}, 0],
    ["h8 i9", {}, 0],
    ["h8 i9 j10", {}, 2],
    ["h8", { human: "white" }, undefined],
    ["h8 i9 j10", { human: "white" }, 1],
    ["h8 i9", { human: "both" }, 1],
    ["h8 i9", { result: { winner: "white", why: "resigned" } }, 0],
    ["h8 i9", { result: { winner: "white", why: "time" } }, undefined],
    ["h8 i9", { isChallenge: true }, undefined],
    ["h8 i9 j10 k11 l12", { openingStones: 3 }, 4],
    ["h8 i9 j10 k11 l12", { openingStones: 5 }, undefined],
    ["h8 i9 j10 k11", { human: "white", openingStones: 3 }, 3],
  ]))
    assert.equal(game(moves, more).beforeLastMove()?.ply, ply, `${moves} ${JSON.stringify(more)}`);
});

test("from a move that was taken back, a step forward leads to where the game stands", () => {
  for (const [moves, ply] of /** @type {[string, number][]} */ ([
    ["h8 i9", 0],
    ["h8 i9 j10 k11", 2],
  ])) {
    const desk = game(moves, {});
    const taken = desk.tree.current;
    const tip = desk.beforeLastMove();
    Object.assign(desk.match || {}, { tip });
    desk.go(taken);
    assert.ok(!desk.mayPlay());
    desk.step(1000);
    assert.deepEqual([desk.tree.current === tip, tip?.ply, desk.onward()], [true, ply, undefined], moves);
    assert.ok(desk.mayPlay());
  }
});

test("a challenge is not analysed before it is over", () => {
  const desk = game("h8 i9", { isChallenge: true });
  assert.ok(!desk.mayAnalyse() && game("h8 i9", {}).mayAnalyse() && new Desk().mayAnalyse());
  const over = game("h8 i9", { isChallenge: true, result: { winner: "white", why: "resigned" } });
  assert.ok(over.mayAnalyse());
  // An earlier version allowed it.
  const modes = [desk, over].map((from) => {
    const again = new Desk();
    again.unpack(JSON.parse(JSON.stringify({ ...from.pack(), mode: "analyse" })));
    return again.mode;
  });
  assert.deepEqual(modes, ["play", "analyse"]);
});

test("a result stays with the line of the game, and no other line has it in a file", () => {
  const results = (/** @type {Desk} */ { tree }) => [
    /\[Result "(.*)"\]/.exec(writePgn(tree))?.[1],
    /RE\[(.*?)\]/.exec(writeSgf(tree))?.[1],
  ];
  const won = (/** @type {any} */ more) => {
    const desk = game("h8 i9 j10 k11 l12", more);
    desk.tree.facts.result = "B+";
    return desk;
  };
  const promoted = won({});
  const second = promoted.tree.path()[1];
  const other = promoted.tree.add({ x: 0, y: 0 }, second.parent || undefined);
  promoted.tree.promote(second);
  assert.deepEqual(results(promoted), ["0-1", "B+"], "it is the main line already");
  promoted.tree.current = other;
  promoted.tree.promote(other);
  assert.deepEqual(results(promoted), ["*", undefined]);

  const shortened = won({});
  shortened.tree.current = shortened.tree.path()[3];
  shortened.cut();
  assert.deepEqual([shortened.match, shortened.tree.current.ply, ...results(shortened)], [null, 3, "*", undefined]);

  const pruned = won({});
  const side = pruned.tree.add({ x: 0, y: 0 }, pruned.tree.root);
  pruned.go(side);
  pruned.cut();
  pruned.tree.current = pruned.tree.tip();
  assert.deepEqual(results(pruned), ["0-1", "B+"]);

  // The last two moves were taken back before the game was resigned.
  const resigned = won({ result: { winner: "black", why: "resigned" } });
  const [, , third, fourth] = resigned.tree.path();
  Object.assign(resigned.match || {}, { tip: third });
  resigned.tree.current = fourth;
  resigned.cut();
  assert.deepEqual([resigned.tree.current, ...results(resigned)], [third, "0-1", "B+"]);
});

test("an opened game keeps its result if moves that were added to it are deleted, but not if it loses moves", () => {
  const result = (/** @type {Desk} */ { tree }) => /RE\[(.*?)\]/.exec(writeSgf(tree))?.[1];
  const open = () => {
    const desk = new Desk();
    const tree = readSgf("(;SZ[15]RE[W+R];B[hh];W[ig])");
    desk.open(tree);
    const end = tree.tip(tree.root);
    desk.go(tree.add({ x: 0, y: 0 }, end));
    return { desk, end };
  };
  const { desk, end } = open();
  desk.cut();
  assert.deepEqual([desk.tree.current, result(desk)], [end, "W+R"]);
  desk.cut();
  assert.deepEqual([desk.tree.current, result(desk)], [end.parent, undefined]);

  const again = new Desk();
  assert.ok(again.unpack(JSON.parse(JSON.stringify(open().desk.pack()))));
  again.cut();
  assert.deepEqual([again.tree.current.ply, result(again)], [2, "W+R"], "after a reload");
  again.cut();
  assert.equal(result(again), undefined);
});

test("the opening of a game is known after a reload", () => {
  const desk = game("h8 i9 j10 k11 l12", { begins: "swap2", openingStones: 5 });
  const again = new Desk();
  assert.ok(again.unpack(JSON.parse(JSON.stringify(desk.pack()))));
  assert.deepEqual([again.match?.begins, again.match?.openingStones], ["swap2", 5]);
  assert.equal(again.beforeLastMove(), null);
  const foreign = { ...desk.pack(), match: { ...desk.match, tip: [], begins: "toString", openingStones: "many" } };
  assert.ok(again.unpack(JSON.parse(JSON.stringify({ ...foreign, tree: desk.tree.pack(true) }))));
  assert.deepEqual([again.match?.begins, again.match?.openingStones], ["", 0]);
});

test("games outside the Gomocup family begin without an opening, also after a reload", () => {
  for (const [name, rule, size, expected] of /** @type {[string, string, number, boolean][]} */ ([
    ["swap2", "freestyle", 15, true],
    ["swap2", "pente", 19, false],
    ["swap", "gomoku33", 15, false],
    ["pro", "roku", 11, false],
    ["pro", "caro", 9, true],
    ["pro", "caro", 8, false],
    ["rif", "renju", 15, true],
    ["rif", "ninuki", 15, false],
    ["rif", "standard", 15, false],
  ]))
    assert.equal(suits(name, rule, size), expected, `${name} ${rule} ${size}`);
  const desk = game("", { begins: "swap2", opening: newOpening("swap2", true) });
  const packed = desk.pack();
  const again = new Desk();
  assert.ok(again.unpack(JSON.parse(JSON.stringify(packed))));
  assert.deepEqual([again.match?.begins, again.match?.opening?.name], ["swap2", "swap2"]);
  assert.ok(again.unpack(JSON.parse(JSON.stringify({ ...packed, tree: new GameTree(19, "pente").pack(true) }))));
  assert.deepEqual([again.match?.begins, again.match?.opening], ["", null]);
});

test("a tree of any size that was opened is there again after a reload", () => {
  const letters = "abcdefghijklmno";
  const points = [...letters].flatMap((x) => [...letters].map((y) => x + y));
  const pairs = points.flatMap((first) => points.slice(0, 100).map((second) => [first, second]));
  const lines = pairs.filter(([first, second]) => first !== second).map((pair) => `(;B[${pair[0]}];W[${pair[1]}])`);
  const desk = new Desk();
  desk.tree = readSgf(`(;SZ[15]${lines.join("")})`);
  assert.ok(desk.tree.count > 22000);
  const again = new Desk();
  assert.ok(again.unpack(JSON.parse(JSON.stringify(desk.pack()))));
  assert.equal(again.tree.count, desk.tree.count);
});

test("moves that choose different captures are different moves", () => {
  const tree = new GameTree(13, "pente");
  const point = { x: 3, y: 4 };
  const [plain, second] = [tree.add(point), tree.add({ ...point, choice: 2 })];
  assert.equal(tree.add({ ...point, choice: 1 }), plain);
  assert.equal(tree.add({ ...point, choice: 2 }), second);
  const again = GameTree.unpack(JSON.parse(JSON.stringify(tree.pack(false))));
  assert.deepEqual(
    again?.root.children.map(({ move }) => move?.choice || 1),
    [1, 2],
  );
});

test("a link leads to positions of its tree only", () => {
  for (const at of [["at"], ["constructor"], [-1], ["0"], [1.5], "at", null]) {
    const tree = GameTree.unpack({ rule: "renju", size: 15, root: { n: [{ m: "h8" }] }, at });
    assert.equal(tree?.current, tree?.root);
  }
});

test("a link has the hexagon on its own board only, and sides that alternate where the rules say so", () => {
  const read = (/** @type {string} */ rule, /** @type {number} */ size) =>
    GameTree.unpack({ rule, size, root: { n: [{ m: "e5", t: "b" }] } });
  assert.ok(read("roku", 11) && !read("roku", 15) && read("pente", 15));
  const sides = [read("roku", 11), read("renju", 11)].map((tree) => tree?.isBlackToMove(tree.root.children[0]));
  assert.deepEqual(sides, [true, false]);
});
