// What the parts of the page do with clicks and changes, on a page that the test plays.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { play as link } from "./helper.js";
import { part, stored } from "./page.js";
import { Desk } from "../../page/desk.js";
import { formatMoves, parseMoves } from "../../page/notation.js";
import { readFen } from "../../page/formats.js";
import { pictureOn } from "../../page/position_view.js";
import { openSettings, recentGames } from "../../page/settings.js";
import { FileError, moveList } from "../../page/sgf.js";
import { GameTree } from "../../page/tree.js";

const { makeBoard } = await import("../../page/board_view.js");
const { makeChart } = await import("../../page/chart.js");
const { makeFiles, readText } = await import("../../page/files.js");
const { makeLines } = await import("../../page/lines_view.js");
const { makeMoves } = await import("../../page/moves_view.js");
const { animationOf, pictureOf } = await import("../../page/picture.js");
const { makeProofs } = await import("../../page/proof_view.js");
const { bindKeys } = await import("../../page/steps.js");

const moment = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  for (const key of Object.keys(stored)) delete stored[key];
});

/** A tree with a line of moves. @param {string} moves */
function line(moves) {
  const tree = new GameTree(15, "freestyle");
  for (const move of parseMoves(moves) || []) tree.current = tree.add(move);
  return tree;
}

test("an earlier game that is opened leaves the earlier games, and none of the others is lost", ({ mock }) => {
  let now = 1000;
  mock.method(Date, "now", () => now++);
  const desk = new Desk();
  const board = /** @type {any} */ (() => part("svg"));
  makeFiles(desk, board, /** @type {any} */ ({}), (tree) => desk.open(tree));
  const games = ["h8i9", "a1b1c1", "a2b2c2", "a3b3c3"];
  const kept = games.slice(1).map((moves, index) => ({ at: index + 1, tree: line(moves).pack(true) }));
  stored["kakugo.recent"] = JSON.stringify(kept);
  desk.tree = line(games[0]);
  for (let round = 0; round < 9; round++) {
    part("files").fire("click");
    part("recent").querySelectorAll("button").at(-1).fire("click");
    const all = [desk.tree, ...recentGames().map(({ tree }) => GameTree.unpack(tree))];
    assert.deepEqual(all.map((tree) => formatMoves(tree?.moves() || [])).sort(), [...games].sort(), `round ${round}`);
  }
});

test("a list of moves is read as a game of the kind that is open", () => {
  const pente = new GameTree(19, "pente");
  for (const move of parseMoves("a9 b9 i1/2 c9 d9 b9", true) || []) pente.current = pente.add(move);
  const text = moveList(pente.fromEmpty() || []);
  assert.equal(text, "a9 b9 i1/2 c9 d9 b9");
  const again = readText(text, pente);
  assert.deepEqual([again.rule, again.size, again.moves()], ["pente", 19, pente.moves()]);
  const roku = new GameTree(11, "roku");
  assert.equal(readText("f6 g6 f7", roku).size, 11);
  const gomoku = new GameTree(15, "freestyle");
  assert.equal(readText("h8 t20", gomoku).size, 20);
  for (const [list, open, reason] of /** @type {[string, GameTree, string][]} */ ([
    ["h8 h12 n14", roku, "file.move"],
    ["h8 i9 h8", gomoku, "file.move"],
    ["h8 i9/2", gomoku, "file.no-sgf"],
    ["a1 b1 ".repeat(401), pente, "file.too-long"],
  ]))
    assert.throws(
      () => readText(list, open),
      (error) => error instanceof FileError && error.message === reason,
      list,
    );
});

test("a blocked point is no reply in a proof", async () => {
  const desk = new Desk();
  desk.tree = readFen("9/9/9/9/2XXX4/9/9/9/8# b", "freestyle");
  desk.mode = "analyse";
  const { engine, say, transport } = link();
  transport.onState("up");
  const proofs = makeProofs(
    desk,
    engine,
    () => {},
    () => {},
    () => {},
  );
  proofs.solve("black");
  say("OK", "PROOF 0 1,4 moves 2 replies 0,4:1 5,4:2 else 1 2", "PROOF 1 5,4 moves 1", "PROOF 2 0,4 moves 1");
  say("SOLVE WIN 2 1,4 0,4 5,4");
  await moment();
  proofs.press({ x: 8, y: 0 });
  assert.equal(proofs.picture()?.ghosts.length, 1, "i1 is blocked");
  proofs.press({ x: 7, y: 0 });
  assert.equal(proofs.picture()?.ghosts.length, 3, "h1 is free");
});

test("a question for a forced win that is not answered is no result", async () => {
  for (const [end, expected] of [
    ["SOLVE UNKNOWN", "No win of Black was found in the time, and none is excluded."],
    ["SOLVE NONE", "Black has no win by fours and threes here."],
    ["ERROR the game is over", "The engine could not answer."],
  ]) {
    const { engine, say, transport } = link();
    transport.onState("up");
    const none = () => {};
    makeProofs(new Desk(), engine, none, none, none).solve("black");
    say("OK", end);
    await moment();
    assert.equal(part("proof-panel").querySelector("p").textContent, expected);
  }
});

test("a click on the chart counts also if the chart is drawn again before the button is released", () => {
  const box = part("chart");
  /** @type {number[]} */
  const picked = [];
  const chart = makeChart(box, ({ ply }) => picked.push(ply));
  const tree = line("h8i9j10");
  const nodes = [tree.root, ...tree.line()];
  const press = (/** @type {object} */ more) => {
    box.children[0].fire("pointerdown", { isPrimary: true, button: 0, clientX: 26 + 0.2 * (300 - 34), ...more });
    chart.show(nodes, tree.current, "black");
  };
  const release = () => box.children[0].fire("pointerup", { isPrimary: true });
  press({});
  release();
  assert.deepEqual(picked, [], "the chart is empty");
  for (const node of nodes) node.value = { black: 0.5, depth: 1 };
  chart.show(nodes, tree.current, "black");
  press({});
  release();
  assert.deepEqual(picked, [2]);
  press({ button: 2 });
  release();
  press({});
  box.fire("pointercancel");
  release();
  assert.deepEqual(picked, [2], "another button, and a finger that scrolls");
});

test("a comment is marked at its move while the buttons of the moves stay", () => {
  const box = part("moves");
  const tree = line("h8i9j10");
  const moves = makeMoves(box, () => {});
  moves.draw(tree);
  const buttons = box.querySelectorAll("button");
  const marks = () => buttons.map((/** @type {any} */ button) => button.querySelector(".noted")?.textContent || "");
  tree.current.comment = "good";
  moves.note(tree.current);
  moves.note(tree.current);
  moves.note(tree.root);
  assert.deepEqual(marks(), ["", "", "\u2022"]);
  tree.current.comment = "";
  moves.note(tree.current);
  assert.deepEqual(marks(), ["", "", ""]);
  assert.deepEqual(box.querySelectorAll("button"), buttons);
});

test("the labels of points have the chances of an analysis as long as they are drawn", () => {
  const box = part("board");
  const board = makeBoard(box, { onPlay() {}, onHover() {}, needsConfirm: () => false });
  board.show(pictureOn.setup({ stones: [], blocked: [], toMove: "black" }), 9);
  const labels = () =>
    box.querySelectorAll(".cell").flatMap((/** @type {any} */ cell) => {
      const text = cell.getAttribute("aria-label");
      return text.endsWith(", empty") ? [] : [text];
    });
  const candidate = (/** @type {string} */ name, /** @type {string} */ label) => {
    const [point] = parseMoves(name) || [];
    return { point, text: "60", isBest: true, strength: 1, label };
  };
  board.showLines({ candidates: [candidate("e5", "60 % for Black"), candidate("e6", "50 % for Black")], ghosts: [] });
  assert.deepEqual(labels(), ["e6, empty, 50 % for Black", "e5, empty, 60 % for Black"]);
  board.showLines({ candidates: [candidate("e5", "61 % for Black")], ghosts: [] });
  assert.deepEqual(labels(), ["e5, empty, 61 % for Black"]);
  board.showLines({ candidates: [], ghosts: [] });
  assert.deepEqual(labels(), []);
});

test("an animation keeps blocked points and shows the stones that were set up from the beginning", () => {
  Object.assign(globalThis, {
    getComputedStyle: () => ({ getPropertyValue: () => "" }),
    XMLSerializer: class {
      serializeToString = (/** @type {any} */ svg) => svg;
    },
  });
  const board = makeBoard(part("moving"), { onPlay() {}, onHover() {}, needsConfirm: () => false });
  const start = readFen("9/9/9/3#5/2XXO4/9/9/9/8# b", "freestyle").start;
  const played = (/** @type {string} */ name, /** @type {number} */ ply) => {
    const [point] = parseMoves(name) || [];
    return { point, isBlack: ply % 2 === 1, label: "", ply };
  };
  const picture = pictureOn.setup(/** @type {any} */ (start));
  const stones = [...picture.stones, played("a1", 1), played("a2", 2)];
  board.show({ ...picture, stones, last: { x: 0, y: 1 } }, 9);
  const svg = /** @type {any} */ (animationOf(board.svg(), 3));
  const animations = svg.querySelectorAll("animate");
  assert.deepEqual(
    animations.map((/** @type {any} */ one) => [one.parent.dataset.point, one.attributes.keyTimes]),
    [
      ["a1", "0;0.2000"],
      ["a2", "0;0.4000"],
    ],
  );
  assert.equal(svg.querySelectorAll('[width="0.8"]').length, 2, "blocked points");
  assert.equal(svg.querySelectorAll('[r="0.455"]').length, 5, "five stones, and no mark of the last one");
});

test("a picture has the styles of marks, but not the stone under the pointer", () => {
  const getPropertyValue = (/** @type {string} */ name) => (name === "stroke-dasharray" ? "0.3px" : "");
  Object.assign(globalThis, {
    getComputedStyle: () => ({ getPropertyValue }),
    XMLSerializer: class {
      serializeToString = (/** @type {any} */ svg) => svg;
    },
  });
  const box = part("pointing");
  const board = makeBoard(box, { onPlay() {}, onHover() {}, needsConfirm: () => false });
  const empty = pictureOn.setup({ stones: [], blocked: [], toMove: "black" });
  board.show({ ...empty, mayPlay: true, hint: { x: 0, y: 0 } }, 9);
  box.querySelector('[data-point="e5"]').fire("pointerenter", { pointerType: "mouse" });
  const stones = (/** @type {any} */ svg) => svg.querySelectorAll('[data-point="e5"]').length;
  assert.equal(stones(board.svg()), 1);
  const svg = /** @type {any} */ (pictureOf(board.svg()));
  assert.equal(stones(svg), 0);
  assert.equal(svg.querySelector('[r="0.4"]').getAttribute("stroke-dasharray"), "0.3px");
});

test("a line of Gomoku Roku has the colour of its first move only, since one side may move twice", () => {
  const moves = parseMoves("f11g11f10") || [];
  const found = /** @type {any} */ ({ rank: 0, depth: 1, rate: 0.5, moves });
  const lines = makeLines(
    () => {},
    () => {},
  );
  const board = makeBoard(part("ghosts"), { onPlay() {}, onHover() {}, needsConfirm: () => false });
  for (const [rule, isInTurn, colors, classes] of /** @type {[any, boolean, any[], string[]][]} */ ([
    ["freestyle", true, [true, false, true], ["move by-black", "move by-white", "move by-black"]],
    ["roku", false, [true, null, null], ["move by-black", "move", "move"]],
  ])) {
    const desk = new Desk();
    desk.tree = new GameTree(11, rule);
    const { ghosts } = pictureOn.lines(desk, [], { line: found, count: 3 }, "black");
    assert.deepEqual(
      ghosts.map(({ isBlack }) => isBlack),
      colors,
    );
    board.show({ ...pictureOn.setup({ stones: [], blocked: [], toMove: "black" }), ghosts }, 11, !isInTurn);
    const drawn = (/** @type {string} */ name) => part("ghosts").querySelectorAll(name).length;
    assert.deepEqual([drawn(".ghost"), drawn(".branch")], isInTurn ? [3, 0] : [1, 2]);
    lines.show([], "black", "black", isInTurn);
    lines.show([found], "black", "black", isInTurn);
    const buttons = part("lines-box").querySelectorAll("button");
    assert.deepEqual(
      buttons.map((/** @type {any} */ button) => button.className),
      classes,
    );
  }
});

test("the label of a forbidden point names the side that may not play there", () => {
  const box = part("forbidding");
  const board = makeBoard(box, { onPlay() {}, onHover() {}, needsConfirm: () => false });
  for (const [rule, moves, expected] of /** @type {[any, string, string][]} */ ([
    ["gomoku33", "h8", "e5, empty, forbidden for White"],
    ["gomoku33", "h8i9", "e5, empty, forbidden for Black"],
    ["renju", "h8", "e5, empty, forbidden for Black"],
  ])) {
    const desk = new Desk();
    desk.tree = new GameTree(15, rule);
    for (const move of parseMoves(moves) || []) desk.tree.current = desk.tree.add(move);
    const over = { forbidden: parseMoves("e5") || [], threats: [], excluded: [], known: [] };
    board.show(pictureOn.board(desk, openSettings().values, over), 15);
    assert.equal(box.querySelector('[data-point="e5"]').getAttribute("aria-label"), expected, `${rule} ${moves}`);
  }
});

test("letters and brackets act in any layout of the keyboard", () => {
  /** @type {((event: any) => void)[]} */
  const listeners = [];
  const addEventListener = (/** @type {string} */ _, /** @type {any} */ listener) => void listeners.push(listener);
  Object.assign(document, { addEventListener });
  /** @type {string[]} */
  const acts = [];
  let areLettersOn = true;
  bindKeys(() => areLettersOn, {
    analyse: () => acts.push("analyse"),
    new: () => acts.push("new"),
    undo: () => acts.push("undo"),
    step: (steps) => acts.push(`step ${steps}`),
  });
  const press = (/** @type {string} */ key, /** @type {string} */ code) => {
    acts.length = 0;
    listeners[0]({ key, code, target: { closest: () => null }, preventDefault() {} });
    return acts.join();
  };
  for (const [key, code, expected] of [
    ["a", "KeyA", "analyse"],
    ["A", "KeyA", "analyse"],
    ["ф", "KeyA", "analyse"],
    ["Т", "KeyN", "new"],
    ["г", "KeyU", "undo"],
    ["х", "BracketLeft", "step -1"],
    ["ъ", "BracketRight", "step 1"],
    ["ArrowLeft", "ArrowLeft", "step -1"],
    // On a French keyboard, A is in the place of Q.
    ["a", "KeyQ", "analyse"],
    ["q", "KeyA", ""],
    ["é", "Digit2", ""],
    ["ф", "", ""],
    // German, Swedish and Turkish keyboards have letters in the places of the brackets.
    ["ü", "BracketLeft", ""],
    ["Å", "BracketLeft", ""],
    ["ğ", "BracketLeft", ""],
    ["「", "BracketLeft", "step -1"],
  ])
    assert.equal(press(key, code), expected, `${key} ${code}`);
  areLettersOn = false;
  const pressed = [press("a", "KeyA"), press("ф", "KeyA"), press("х", "BracketLeft"), press("[", "BracketLeft")];
  assert.deepEqual(pressed, ["", "", "", "step -1"]);
});

test("keys act after a click on a checkbox, but neither in a field nor behind an open dialog", () => {
  /** @type {((event: any) => void)[]} */
  const listeners = [];
  const addEventListener = (/** @type {string} */ _, /** @type {any} */ listener) => void listeners.push(listener);
  /** @type {any} */
  let dialog = null;
  const { querySelector } = document;
  Object.assign(document, {
    addEventListener,
    querySelector: (/** @type {string} */ selector) => (selector === "dialog[open]" ? dialog : null),
  });
  /** @type {number[]} */
  const steps = [];
  bindKeys(() => true, { analyse() {}, new() {}, undo() {}, step: (count) => steps.push(count) });
  const press = (/** @type {string} */ tag, /** @type {string} */ type) => {
    const target = document.createElement(tag);
    target.setAttribute("type", type);
    // The target has no parents: one of the selectors fits it, or none does.
    const closest = (/** @type {string} */ selectors) => selectors.split(", ").find((one) => target.matches(one));
    steps.length = 0;
    listeners[0]({ key: "]", code: "BracketRight", target: { closest }, preventDefault() {} });
    return steps.length > 0;
  };
  for (const [tag, type, acts] of /** @type {[string, string, boolean][]} */ ([
    ["body", "", true],
    ["input", "checkbox", true],
    ["input", "text", false],
    ["textarea", "", false],
    ["select", "", false],
  ]))
    assert.equal(press(tag, type), acts, `${tag} ${type}`);
  dialog = part("settings-dialog");
  assert.ok(!press("body", ""));
  Object.assign(document, { querySelector });
});

test("a point that a first tap has chosen is not chosen on a board of another size", () => {
  const box = part("choosing");
  /** @type {string[]} */
  const played = [];
  const onPlay = (/** @type {any} */ point) => void played.push(formatMoves([point]));
  const board = makeBoard(box, { onPlay, onHover() {}, needsConfirm: () => true });
  const empty = { ...pictureOn.setup({ stones: [], blocked: [], toMove: "black" }), mayPlay: true };
  const isAt = (/** @type {any} */ cell) => cell.dataset.point === "e5";
  const tap = () => box.querySelectorAll(".cell").find(isAt).fire("click");
  const isChoosing = () => box.className.split(" ").includes("choosing");
  board.show(empty, 20);
  tap();
  assert.ok(isChoosing());
  board.show(empty, 15);
  assert.ok(!isChoosing());
  tap();
  assert.deepEqual([isChoosing(), played], [true, []]);
  tap();
  assert.deepEqual([isChoosing(), played], [false, ["e5"]]);
});
