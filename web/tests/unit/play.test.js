// A match against an engine whose lines the test writes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { play as link } from "./helper.js";
import { part } from "./page.js";
import { Desk } from "../../page/desk.js";
import { parseMoves } from "../../page/notation.js";
import { writePgn } from "../../page/pgn.js";
import { pictureOn } from "../../page/position_view.js";
import { openSettings } from "../../page/settings.js";
import { writeSgf } from "../../page/sgf.js";
import { dayOf } from "../../page/tree.js";

const { makePlay } = await import("../../page/play.js");
const { makeSeats } = await import("../../page/seats.js");

const moment = () => new Promise((resolve) => setTimeout(resolve));

/** A match that can begin. */
function prepare() {
  const desk = new Desk();
  const { engine, say, sent, transport } = link();
  /** What was announced. @type {string[]} */
  const said = [];
  const play = makePlay(
    desk,
    engine,
    (text) => said.push(text),
    () => 1,
  );
  transport.onState("up");
  /** Answers what the engine was asked. @param {string[]} lines */
  const answer = async (...lines) => {
    say(...lines);
    await moment();
  };
  return { desk, play, answer, sent, said, transport };
}

/** @param {string} name */
const point = (name) => (parseMoves(name) || [])[0];

/** A swap in which the person places the stones and the engine has to choose. */
async function swap() {
  const match = prepare();
  const { play, answer } = match;
  play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null, opening: "swap" });
  await answer("OK", "DUE first black STONES 3");
  for (const name of ["h8", "i9", "j10"]) await play.play(point(name));
  await answer("DUE second white SWAP");
  await answer("DUE second white SWAP");
  return match;
}

test("a file names the players as they are after a swap", async () => {
  const { desk, answer } = await swap();
  assert.match(writePgn(desk.tree), /\[White "Kakugo, level 4"\]\n\[Black "You"\]/);
  await answer("SWAP");
  await answer("DUE first white MOVE");
  assert.equal(desk.match?.human, "white");
  assert.match(writePgn(desk.tree), /\[White "You"\]\n\[Black "Kakugo, level 4"\]/);
});

test("a file of a game between two people has no names", () => {
  for (const [human, black, white] of /** @type {["both" | "black", string, string][]} */ ([
    ["both", "?", "?"],
    ["black", "You", "Kakugo, level 4"],
  ])) {
    const { desk, play } = prepare();
    play.start({ size: 15, rule: "freestyle", human, level: 4, clock: null });
    assert.ok(writePgn(desk.tree).includes(`[White "${white}"]\n[Black "${black}"]`), human);
  }
});

test("a game that is played on from a file has new players and no result, unless it is over there", () => {
  for (const [isOver, expected] of /** @type {[boolean, RegExp][]} */ ([
    [false, /PB\[You\]PW\[Kakugo, level 4\]\(?;B/],
    [true, /PB\[A\]PW\[B\]RE\[W\+R\]\(?;B/],
  ])) {
    const { desk, play } = prepare();
    const tree = desk.tree;
    for (const move of parseMoves("h8 i9") || []) tree.current = tree.add(move);
    if (isOver) tree.judge(tree.current, { what: "five", rows: [] });
    Object.assign(tree.facts, { black: "A", white: "B", result: "W+R" });
    play.startHere(4);
    assert.match(writeSgf(tree), expected);
  }
});

test("moves that were taken back before the game was resigned have no result in a file", async () => {
  const { desk, play, answer } = prepare();
  play.start({ size: 15, rule: "freestyle", human: "both", level: 4, clock: null });
  play.play(point("h8"));
  await moment();
  await answer("OK", "JUDGE 7,7 PLAIN");
  play.play(point("i9"));
  await moment();
  await answer("JUDGE 8,6 PLAIN");
  assert.ok(desk.match?.tip.ply === 2);
  play.undo();
  play.resign();
  assert.deepEqual(desk.match.result, { winner: "black", why: "resigned" });
  assert.match(writePgn(desk.tree), /\[Result "\*"\]/);
  assert.doesNotMatch(writeSgf(desk.tree), /RE\[/);
  desk.go(desk.match.tip.children[0]);
  desk.cut();
  assert.match(writePgn(desk.tree), /\[Result "0-1"\]/);
  assert.match(writeSgf(desk.tree), /RE\[B\+\]/);
});

test("an opening waits while the game is analysed, and does not move the view", async () => {
  const { desk, play, answer, sent } = prepare();
  play.start({ size: 15, rule: "freestyle", human: "white", level: 4, clock: null, opening: "swap" });
  desk.mode = "analyse";
  desk.tree.add(point("a1"));
  await answer("OK", "DUE first black STONES 3");
  assert.ok(!sent.includes("PROCEDURE swap") && !play.isThinking());
  desk.mode = "play";
  play.resume();
  await answer("DUE first black STONES 3");
  assert.ok(sent.includes("PROCEDURE swap") && play.isThinking());
  await answer("7,7 8,7 9,9");
  assert.equal(desk.tree.current.ply, 3, "the last position is shown");
  assert.ok(desk.match && desk.tree.isMain(desk.match.tip), "moves that were tried stay as a variation");

  const other = await swap();
  other.desk.go(other.desk.tree.root);
  await other.answer("SWAP");
  assert.deepEqual([other.desk.tree.current.ply, other.desk.match?.tip.ply], [0, 3]);
});

test("an offered draw is declined only by an answer of the engine", async () => {
  for (const [answers, expected] of /** @type {[string[], string][]} */ ([
    [["MESSAGE DRAW NO"], "Kakugo declines the draw."],
    [["ERROR no game"], "The engine could not answer."],
    [["MESSAGE DRAW YES"], "A draw"],
  ])) {
    const { desk, play, answer, said } = prepare();
    play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null });
    play.draw();
    await answer("OK", ...answers);
    assert.deepEqual(said, [expected]);
    assert.equal(desk.note, desk.match?.result ? "" : expected);
  }
  const { desk, play, answer, said, transport } = prepare();
  play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null });
  play.draw();
  play.play(point("h8"));
  await moment();
  assert.equal(desk.note, "");
  await answer("OK", "MESSAGE DRAW NO");
  await answer("JUDGE 7,7 PLAIN");
  assert.deepEqual(said, ["Black h8"], "a move takes the offer back");
  await answer("9,9");
  await answer("JUDGE 9,9 PLAIN");
  said.length = 0;
  play.draw();
  for (let breaks = 0; breaks < 2; breaks++) {
    transport.onState("down");
    transport.onState("up");
  }
  await moment();
  assert.deepEqual(said, ["The engine could not answer."]);
});

test("the engine cannot be hurried in a challenge", async () => {
  for (const isChallenge of [false, true]) {
    const { play, answer, sent } = prepare();
    play.start({ size: 15, rule: "freestyle", human: "white", level: 1, clock: null, isChallenge });
    await answer("OK");
    assert.ok(play.isThinking());
    play.hurry();
    assert.equal(sent.includes("YXSTOP"), !isChallenge);
  }
});

test("the date of a game is the day of this place", ({ mock }) => {
  const { TZ } = process.env;
  process.env.TZ = "Asia/Tokyo";
  // In Greenwich it is still the fourth.
  const now = new Date(2026, 0, 5, 0, 30);
  assert.equal(dayOf(now), "2026-01-05");
  mock.timers.enable({ apis: ["Date"], now });
  const { desk, play } = prepare();
  play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null });
  assert.match(writeSgf(desk.tree), /DT\[2026-01-05\]/);
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test("a move that could not be checked without a connection is no longer refused once there is one", async () => {
  const { desk, play, transport, answer } = prepare();
  play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null });
  transport.onState("down");
  const refusal = () => desk.refusal?.text;
  await play.play(point("h8"));
  assert.equal(refusal(), "The engine is not connected, so the move can't be checked yet.");
  transport.onState("up");
  desk.noteLink();
  assert.equal(refusal(), undefined);
  const foul = play.play(point("h8"));
  await moment();
  await answer("OK", "JUDGE 7,7 FOUL overline 7,7");
  await foul;
  desk.noteLink();
  assert.match(refusal() || "", /^h8 is forbidden/, "other refusals stay");
});

test("resigning ends a game during its opening too", async () => {
  const { desk, play } = await swap();
  assert.ok(desk.match?.opening && play.isThinking());
  play.resign();
  assert.deepEqual([desk.match.result, desk.match.opening], [{ winner: "white", why: "resigned" }, null]);
  assert.ok(!play.isThinking() && !desk.mayPlay());
  assert.equal(desk.beforeLastMove(), null, "the opening is not taken back");
  makeSeats(desk, /** @type {any} */ ({ isUp: true })).status({ isThinking: false, isHinting: false });
  assert.equal(part("status").textContent, "Kakugo wins");
  assert.ok(!part("rematch").hidden && part("take-black").hidden);
});

test("the person who chooses a side sees how many fifth moves the engine asks for", async () => {
  const { desk, play, answer, said } = prepare();
  play.start({ size: 15, rule: "renju", human: "white", level: 4, clock: null, opening: "yamaguchi" });
  await answer("OK", "DUE first black OPENING FIFTHS 12");
  await answer("7,7 8,6 9,9 FIFTHS 6");
  await answer("DUE second white SWAP");
  makeSeats(desk, /** @type {any} */ ({ isUp: true })).status({ isThinking: false, isHinting: false });
  assert.deepEqual(said, ["Kakugo has placed h8, i9, j6. Fifths to be offered: 6."]);
  assert.equal(part("detail").textContent, "Which side do you want? Fifths to be offered: 6.");
});

test("the area of the three stones of an opening is drawn until they are placed and judged", async () => {
  for (const opening of ["rif", "yamaguchi"]) {
    const { desk, play, answer } = prepare();
    const detail = () => {
      makeSeats(desk, /** @type {any} */ ({ isUp: true })).status({ isThinking: false, isHinting: false });
      return part("detail").textContent;
    };
    const area = () => {
      const over = { forbidden: [], threats: [], excluded: [], known: [] };
      return pictureOn.board(desk, openSettings().values, over).area;
    };
    play.start({ size: 15, rule: "renju", human: "black", level: 4, clock: null, opening });
    await answer("OK", `DUE first black OPENING${opening === "rif" ? "" : " FIFTHS 12"}`);
    assert.deepEqual(area(), { x: 7, y: 7, reach: 2 }, opening);
    await play.play(point("h8"));
    await play.play(point("h9"));
    assert.match(detail(), /^A stone for Black next, 1 to place\./);
    await play.play(point("h10"));
    assert.match(detail(), /^One of 26 openings/, "the engine judges them");
    await answer("DUE second white SWAP");
    await answer("DUE second white SWAP");
    assert.equal(area(), null, opening);
  }
});

test("stones are to be even only if the other side may choose after them", async () => {
  const even = /Make it even: the other side may choose\.$/;
  for (const [opening, due, expected] of /** @type {[string, string, RegExp][]} */ ([
    ["swap", "black STONES 3", even],
    ["rif", "black OPENING", even],
    ["yamaguchi", "black OPENING FIFTHS 12", even],
    ["soosorv-8", "white STONE anywhere FIFTHS 8", even],
    ["pro", "white STONE anywhere", /^A stone for Black anywhere on the board\.$/],
    ["rif", "white STONE anywhere", /^A stone for Black anywhere on the board\.$/],
    ["taraguchi-10", "white STONE within 7", /^A stone for Black within the central 7x7\.$/],
  ])) {
    const { desk, play, answer } = prepare();
    play.start({ size: 15, rule: "renju", human: "black", level: 4, clock: null, opening });
    await answer("OK", `DUE first ${due}`);
    makeSeats(desk, /** @type {any} */ ({ isUp: true })).status({ isThinking: false, isHinting: false });
    assert.match(part("detail").textContent, expected, `${opening} ${due}`);
  }
});
