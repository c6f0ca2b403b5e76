// Analysis: live lines, hovering and clicking, stop, one side's chances, the chart, the tree.

import assert from "node:assert/strict";
import { test } from "node:test";

import { put, stones, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer();

/** Longest time for a review: with the assertions of a test's build, it takes seconds a move. */
const REVIEW_MS = 120000;

test("three lines are live, drawn when pointed at and played when clicked", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8h9" });
  await page.click("#analyse");
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".lines li").length === 3 &&
      document.querySelectorAll(".lines li:first-child .move").length > 3,
  );
  assert.equal(await page.locator(".candidate").count(), 3);
  assert.equal(await page.locator(".candidate.best").count(), 1);
  await page.hover(".lines li:first-child .move:nth-child(3)");
  await page.waitForSelector(".ghosts .stone:nth-child(3)", { state: "attached" });
  await page.click(".lines li:first-child .move:nth-child(3)");
  await waitForStones(page, 5);
  // The analysis follows.
  await page.waitForFunction(() => /Depth/.test(document.querySelector("#analysis-state")?.textContent || ""));
  await waitForText(page, "#analyse", "Stop");
  await page.click("#analyse");
  await waitForText(page, "#analyse", "Analyse");
  assert.ok((await page.locator(".lines li").count()) > 0, "what was found stays");
  assert.deepEqual(problems, []);
});

test("the chance never switches sides", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8a1i9a3j10" });
  // Black is far ahead, and White is to move.
  await page.click("#analyse");
  await page.waitForSelector(".lines li .rate");
  await page.waitForTimeout(700);
  const told = async () => {
    const text = (await page.textContent(".balance .said")) || "";
    if (text.startsWith("Black wins")) return 100;
    return text.startsWith("White wins") ? 0 : Number(/(\d+)/.exec(text)?.[1]);
  };
  const whiteToMove = await told();
  await page.click("#back");
  await page.waitForTimeout(1200);
  const blackToMove = await told();
  assert.ok(whiteToMove > 50 && blackToMove > 50, `${whiteToMove} ${blackToMove}`);
  assert.deepEqual(problems, []);
});

test("moves and variations may be explored while the engine thinks", async () => {
  const { page, problems } = await open({ hash: "#renju/15/h8h9" });
  await page.click("#analyse");
  await put(page, "i9");
  await waitForStones(page, 3);
  await page.keyboard.press("[");
  await waitForStones(page, 2);
  await put(page, "j9");
  await waitForStones(page, 3);
  assert.equal(await page.locator(".variation .move").count(), 1);
  await page.fill("#comment", "a <b>thought</b>");
  await page.click("#back");
  assert.equal(await page.locator(".branch").count(), 2);
  await page.reload();
  await page.waitForSelector(".variation .noted");
  await page.click(".variation .move");
  assert.equal(await page.inputValue("#comment"), "a <b>thought</b>");
  await page.click("#promote");
  await waitForText(page, ".variation .move", "3.i9");
  await page.click("#cut");
  await waitForStones(page, 2);
  assert.equal(await page.locator(".variation").count(), 0);
  assert.deepEqual(problems, []);
});

test("a reviewed game gets its chart, and the end its row", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8a1h9a2h10a3h11c3h12", settings: { review: "quick" } });
  await page.waitForSelector(".rows.five path", { state: "attached" });
  await page.click("#review");
  await page.waitForFunction(() => document.querySelectorAll(".chart .dot").length >= 4);
  await page.locator(".chart svg").click({ position: { x: 30, y: 40 } });
  await waitForStones(page, 0);
  await waitForText(page, "#review", "Review", REVIEW_MS);
  await waitForText(page, "#review-summary", /^Accuracy: Black \d+.%, White \d+.%\. White is lost from move \d+ on\.$/);
  assert.deepEqual(problems, []);
});

test("a lost connection comes back and the analysis goes on", async () => {
  const { page } = await open({ hash: "#freestyle/15/h8" });
  await page.evaluate(() => {
    const close = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
      /** @type {any} */ (window).socket = this;
      close.call(this, data);
    };
  });
  await page.click("#analyse");
  await page.waitForSelector(".lines li");
  await page.evaluate(() => /** @type {any} */ (window).socket.close());
  await page.waitForSelector("#link-state", { state: "visible" });
  await page.waitForSelector("#link-state", { state: "hidden" });
  const nodes = () => page.textContent("#analysis-state");
  const before = await nodes();
  await page.waitForFunction((text) => document.querySelector("#analysis-state")?.textContent !== text, before);
  assert.equal(await stones(page), "h8");
});

test("the review names the moves that cost most and what was better, and survives other work", async () => {
  // White leaves black's three open, and black plays a2 in the place of a straight four.
  const { page, problems } = await open({
    hash: "#freestyle/15/h8h9a1i9i8j10j8o1a2k8",
    settings: { review: "quick" },
  });
  await page.click("#review");
  await waitForText(page, "#analysis-state", /Reviewing: [1-9] of 10/);
  // A new move is judged in between, and the review goes on.
  await page.click("#back");
  await put(page, "c3");
  await page.waitForSelector(".variation .move");
  await waitForText(page, "#review", "Review", REVIEW_MS);
  const errors = await page.locator("#errors li").allTextContents();
  assert.ok(
    errors.some((text) => /^8\. o1 blunder/.test(text)) && errors.some((text) => /^9\. a2 missed win/.test(text)),
  );
  assert.ok((await page.locator(".tree .sign:not(:empty)").count()) > 1);
  await page.click("#errors li:has-text('missed win') button");
  assert.equal((await stones(page)).split(" ").length, 9);
  await waitForText(page, "#verdict", /9\. a2: missed win.*Wins: [gk]8/);
  await page.reload();
  await page.waitForSelector("#verdict button");
  await page.click("#verdict button");
  await waitForText(page, "#moves", /9\.[gk]8/);
  assert.match(await stones(page), / o1 [gk]8$/);
  assert.deepEqual(problems, []);
});

test("a review can be stopped", async () => {
  const { page, problems } = await open({ hash: "#renju/15/h8h9i9g7j9g9j8j7k8" });
  await page.click("#review");
  await waitForText(page, "#analysis-state", /Reviewing: [1-9]/);
  await page.click("#review");
  await waitForText(page, "#review", "Review", REVIEW_MS);
  await page.click("#analyse");
  await page.waitForSelector(".lines li .rate");
  assert.deepEqual(problems, []);
});
