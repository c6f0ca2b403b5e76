// The analysis of the position that is shown, with an engine whose lines the test writes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { play as link } from "./helper.js";
import { part } from "./page.js";
import { makeAnalysis } from "../../page/analysis.js";
import { Desk } from "../../page/desk.js";
import { parseMoves } from "../../page/notation.js";
import { openSettings } from "../../page/settings.js";
import { GameTree } from "../../page/tree.js";

const { makeExplore } = await import("../../page/explore.js");
const { makeTools } = await import("../../page/tools.js");

const moment = () => new Promise((resolve) => setTimeout(resolve));

/**
 * An analysis of a game that has just begun.
 * @param {import("../../page/rules.js").RuleName} rule @param {number} size
 */
function prepare(rule, size) {
  const { engine, say, sent, transport } = link();
  transport.onState("up");
  const desk = new Desk();
  desk.tree = new GameTree(size, rule);
  desk.mode = "analyse";
  const analysis = makeAnalysis(desk, engine, openSettings().values, () => {});
  const explore = makeExplore(desk, engine, () => {});
  desk.onChange(() => {
    analysis.follow();
    explore.judgeLast(desk.tree.current);
  });
  /** Answers what the engine was asked. @param {string[]} lines */
  const answer = async (...lines) => {
    say(...lines);
    await moment();
  };
  return { desk, analysis, explore, sent, answer, transport, engine };
}

test("the analysis of a line in Gomoku Roku waits until the engine has reported its sides", async () => {
  const { desk, analysis, explore, sent, answer } = prepare("roku", 11);
  analysis.turn(true);
  assert.equal(sent.at(-1), "YXNBEST 3");
  sent.length = 0;
  explore.playLine(desk.tree.root, parseMoves("f11g11") || []);
  assert.deepEqual(sent, ["YXSTOP"]);
  assert.ok(!desk.mayPlay());
  await answer("OK", "5,0");
  assert.deepEqual(sent.slice(-4), ["YXBOARD", "5,0,1", "DONE", "YXSTATE"]);
  // Black moves twice.
  await answer("STATE black; black 5,0");
  assert.deepEqual(sent.slice(-5), ["YXBOARD", "5,0,1", "6,0,1", "DONE", "YXSTATE"]);
  assert.ok(!sent.includes("YXNBEST 3"));
  await answer("STATE white; black 5,0 6,0");
  assert.deepEqual(sent.slice(-5), ["YXBOARD", "5,0,1", "6,0,1", "DONE", "YXNBEST 3"]);
  assert.ok(desk.mayPlay());
});

test("after a reload, a game with captures waits until the engine has reported its stones", async () => {
  const { desk, explore, answer } = prepare("pente", 13);
  desk.tree.current = desk.tree.add((parseMoves("a1") || [])[0]);
  await Promise.all([explore.judgeLast(desk.tree.current), answer("OK", "STATE white; black 0,12")]);
  assert.ok(desk.mayPlay());
  assert.ok(desk.unpack(JSON.parse(JSON.stringify(desk.pack()))));
  assert.ok(!desk.mayPlay());
  await explore.play({ x: 5, y: 5 });
  assert.equal(desk.refusal?.text, "f6 can't be played: the engine does not answer.");
  await answer("STATE white; black 0,12");
  assert.ok(desk.mayPlay());
});

test("a position whose judgement broke the link twice is judged again at a click", async () => {
  const { desk, explore, sent, answer, transport } = prepare("pente", 13);
  desk.tree.current = desk.tree.add((parseMoves("a1") || [])[0]);
  desk.changed("position");
  for (let breaks = 0; breaks < 2; breaks++) {
    transport.onState("down");
    transport.onState("up");
  }
  await moment();
  sent.length = 0;
  desk.changed("position");
  assert.deepEqual(sent, [], "what breaks the link is not asked again by itself");
  await explore.play({ x: 5, y: 5 });
  await explore.play({ x: 5, y: 5 });
  await answer("OK");
  assert.equal(sent.filter((line) => line === "YXSTATE").length, 1);
  await answer("STATE white; black 0,12");
  assert.ok(desk.mayPlay());
});

test("a move that is judged only after the analysis was left is not played", async () => {
  for (const [mode, plies] of /** @type {["play" | "analyse", number][]} */ ([
    ["analyse", 1],
    ["play", 0],
  ])) {
    const { desk, explore, answer } = prepare("freestyle", 15);
    const played = explore.play({ x: 7, y: 7 });
    await moment();
    desk.mode = mode;
    await answer("OK", "JUDGE 7,7 PLAIN");
    await played;
    assert.equal(desk.tree.current.ply, plies, mode);
    assert.equal(desk.tree.root.children.length, plies, mode);
  }
});

test("the search for a balanced move is shown until the engine answers", async () => {
  for (const [end, hint] of /** @type {[string, any][]} */ ([
    ["7,7", { x: 7, y: 7 }],
    ["ERROR the game is over", null],
  ])) {
    const { desk, analysis, engine, sent, answer } = prepare("freestyle", 15);
    let advice = "";
    const redraw = () => {
      tools.follow();
      advice = tools.advice();
    };
    const tools = makeTools(desk, engine, analysis, () => {}, { redraw, keep() {}, open() {} });
    desk.onChange(redraw);
    part("fair").fire("click");
    assert.equal(sent.at(-1), "YXBALANCEONE");
    assert.equal(advice, "Looking for a move after which the sides are even");
    redraw();
    assert.equal(advice, "Looking for a move after which the sides are even");
    await answer("OK", end);
    assert.deepEqual([advice, desk.hint, part("fair").disabled], ["", hint, false]);
    part("fair").listeners.click.length = 0;
  }
});
