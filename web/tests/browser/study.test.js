// Tools of an analysis: proofs, threats, moves that are left out, stones to set up.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { begin, paste, put, stones, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer();

/** Black makes two open threes at j8. */
const WON = "#freestyle/15/h8a1i8a3j9a5j10o1";

/** @param {import("playwright-core").Page} page */
const tools = (page) => page.click("#more-tools summary");

test("a proof is clicked through, defence by defence, in the panel and on the board", async () => {
  const { page, problems } = await open({ hash: WON });
  await tools(page);
  await page.click("#solve");
  await waitForText(page, "#proof-panel [role=status]", /^Black wins by force, in at most \d of its moves\.$/);
  const steps = () => page.locator("#proof-panel .way .move").count();
  assert.equal(await steps(), 1);
  assert.equal(await page.locator(".ghosts .stone").count(), 1);
  // A defence on the board: the first branch.
  const branch = await page.locator(".layer.branches circle").first().getAttribute("cx");
  assert.ok(branch !== null && (await page.locator(".layer.branches .branch").count()) > 0);
  await page.click("#proof-panel [role=group] button:first-child");
  assert.equal(await steps(), 2);
  while ((await page.locator("#proof-panel [role=group] button").count()) > 0)
    await page.click("#proof-panel [role=group] button:last-child");
  await waitForText(page, "#proof-panel", /Five in a row\./);
  // Back to the first step, and to a defence that nobody would choose.
  await page.click("#proof-panel .way .move:first-child");
  await put(page, "o15");
  assert.equal(await steps(), 2);
  await page.click("#proof-keep");
  await page.waitForSelector("#proof-panel", { state: "hidden" });
  assert.equal((await stones(page)).split(" ").length, 9);
  assert.equal(await page.locator(".tree .move").count(), 11, "the defence and the answer follow");
  assert.deepEqual(problems, []);
});

test("the solver finds what the opponent threatens, and says so where there is nothing", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8a1i8a3j8" });
  await tools(page);
  await page.click("#solve");
  await waitForText(page, "#proof-panel [role=status]", /^White has no win/);
  await page.click("#solve-threat");
  await waitForText(page, "#proof-panel [role=status]", /^Black wins by force/);
  await page.click("#back");
  await page.waitForSelector("#proof-panel", { state: "hidden" });
  assert.deepEqual(problems, []);
});

test("threats of either side are shown on demand, never while one plays", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8h10i8i10j8" });
  await tools(page);
  assert.equal(await page.locator(".threat").count(), 0);
  await page.check("#overlays label:nth-child(1) input");
  await page.waitForSelector(".threat.black", { state: "attached" });
  assert.equal(await page.locator(".threat.white").count(), 0);
  assert.match(
    (await page.getAttribute('[data-point="k8"].cell', "aria-label")) || "",
    /Black makes a four that can't be stopped/,
  );
  await page.click("#mode-play");
  await page.waitForSelector(".threat", { state: "detached" });
  assert.deepEqual(problems, []);
});

test("fouls are switched on and off on the board", async () => {
  const { page, problems } = await open({ hash: "#renju/15/h8a1i8a3j10a5j11a7" });
  await page.waitForSelector(".forbidden .crossed", { state: "attached" });
  await tools(page);
  await page.uncheck("#overlays label:nth-child(3) input");
  await page.waitForSelector(".forbidden .crossed", { state: "detached" });
  assert.deepEqual(problems, []);
});

test("moves are left out of the analysis and come back", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8a1i8a3j8a5" });
  await tools(page);
  await page.click("#exclude");
  await put(page, "g8");
  await put(page, "k8");
  assert.equal(await page.locator(".left-out").count(), 2);
  await page.click("#exclude");
  await page.click("#analyse");
  await page.waitForSelector(".lines li .move");
  const first = () => page.textContent(".lines li:first-child .move:first-child");
  assert.ok(!["g8", "k8"].includes((await first()) || ""));
  await page.click("#include-all");
  await page.waitForFunction(() =>
    ["g8", "k8"].includes(document.querySelector(".lines li:first-child .move:first-child")?.textContent || ""),
  );
  assert.equal(await page.locator(".left-out").count(), 0);
  // Another family of games has no such tool: the board takes moves again.
  await page.click("#exclude");
  await paste(page, '[Variant "pente"]\n\n1. k10 k11 *');
  await waitForStones(page, 2);
  await put(page, "a1");
  await waitForStones(page, 3);
  assert.deepEqual(problems, []);
});

test("a balanced move is for its position only, and no hint in a game", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "black", level: 1 });
  await put(page, "h8");
  await waitForStones(page, 2);
  await page.click("#mode-analyse");
  await tools(page);
  await page.click("#fair");
  await page.waitForSelector(".layer.hint circle", { state: "attached" });
  await page.click("#mode-play");
  await waitForText(page, "#detail", /^You have Black/);
  assert.equal(await page.locator(".layer.hint circle").count(), 0);
  await page.click("#mode-analyse");
  await page.click("#fair");
  assert.ok(await page.isDisabled("#fair"));
  await page.click("#back");
  // The search ends with its position.
  await page.waitForFunction(() => !(/** @type {any} */ (document.querySelector("#fair")).disabled), null, {
    timeout: 2000,
  });
  assert.equal(await page.locator(".layer.hint circle").count(), 0);
  assert.deepEqual(problems, []);
});

test("a balanced move is shown by a ring, and leaves both sides about the same chance", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8h9" });
  await tools(page);
  await page.click("#fair");
  await page.waitForSelector(".layer.hint circle", { state: "attached" });
  await waitForText(page, "#announce", /^After [a-o]\d+ \(ring\) both sides have about the same chance\.$/);
  const point = /After (\w+)/.exec((await page.textContent("#announce")) || "")?.[1] || "";
  await put(page, point);
  await waitForStones(page, 3);
  assert.equal(await page.locator(".layer.hint circle").count(), 0, "the ring belongs to the position before");
  await page.click("#analyse");
  await waitForText(page, "#analysis-state", /^Depth ([89]|1\d)/);
  const chance = Number(/\d+/.exec((await page.textContent(".balance .said")) || "")?.[0]);
  assert.ok(chance > 25 && chance < 75, `${point} leaves ${chance} %`);
  assert.deepEqual(problems, []);
});

test("stones are set up, analysed and played on", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8" });
  await tools(page);
  await page.click("#set-up");
  await put(page, "h8");
  for (const point of ["c3", "d4", "e5"]) await put(page, point);
  await page.click('[data-tool="white"]');
  for (const point of ["o1", "o2"]) await put(page, point);
  await page.click("#setup-done");
  await waitForStones(page, 5);
  await waitForText(page, "#moves", /^5 stones set up/);
  await page.click("#mode-play");
  await waitForText(page, "#status", /Your turn|Kakugo wins/);
  await put(page, "a9");
  await waitForStones(page, 7);
  assert.ok(await page.isEnabled("#undo"));
  await page.click("#undo");
  await waitForStones(page, 5);
  assert.ok(await page.isDisabled("#undo"), "what was set up stays");
  assert.deepEqual(problems, []);
});

test("stones in any number, blocked points and either side to move are set up, and kept by a link", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/" });
  await tools(page);
  await page.click("#set-up");
  await page.click('[data-tool="white"]');
  for (const point of ["h8", "i8", "j8", "k8"]) await put(page, point);
  await page.click('[data-tool="block"]');
  for (const point of ["l8", "c3", "d3"]) await put(page, point);
  // Twice frees the point again.
  await put(page, "d3");
  await waitForText(page, "#setup-panel [role=status]", "Black 0, White 4, blocked 2. Black moves next.");
  await waitForStones(page, 4);
  assert.equal(await page.locator(".wall").count(), 2, "the board shows what is set up");
  await page.click('[data-tool="white-next"]');
  await waitForText(page, "#setup-panel [role=status]", "Black 0, White 4, blocked 2. White moves next.");
  await page.click("#setup-done");
  await waitForStones(page, 4);
  assert.equal(await page.locator(".wall").count(), 2);
  assert.equal(await page.getAttribute('[data-point="l8"].cell', "aria-label"), "l8, blocked");
  assert.ok(await page.isDisabled("#review"), "there is no move to review");
  await put(page, "l8");
  await waitForText(page, "#refusal", "l8 is blocked.");
  await page.click("#solve");
  await waitForText(page, "#proof-panel [role=status]", /^White wins by force, in at most 1 of its moves\.$/);
  assert.equal(await page.getAttribute(".ghosts .stone", "data-point"), "g8");
  // The page remembers the position.
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("kakugo.game") || "{}").tree?.start?.x === "l8c3");
  await page.reload();
  await waitForStones(page, 4);
  assert.equal(await page.locator(".wall").count(), 2);
  await page.click("#mode-play");
  await waitForText(page, "#status", "Your turn");
  await put(page, "a1");
  await waitForStones(page, 6);
  assert.match(await stones(page), / a1 g8$/, "Black stops the four where a point is left");
  assert.equal(await page.locator(".layer.stones .stone.white").count(), 5);
  await page.click("#mode-analyse");
  await page.click("#analyse");
  await page.waitForSelector(".lines li .move");
  assert.deepEqual(problems, []);
});

test("a game from a position that moves cannot lead to is reviewed", async () => {
  const { page, problems } = await open({ settings: { review: "quick" } });
  await paste(page, "15/15/15/15/15/15/7OO6/4#1XXX6/6O8/15/15/15/15/15/X13X w");
  await waitForStones(page, 8);
  await page.click("#mode-analyse");
  assert.ok(await page.isDisabled("#review"), "there is no move to review");
  // White leaves a three open.
  for (const [index, point] of ["o15", "j8", "f8", "k8"].entries()) {
    await put(page, point);
    await waitForStones(page, 9 + index);
  }
  await page.click("#review");
  await waitForText(page, "#review-summary", /^Accuracy: .* White is lost from move 1 on\.$/, 60000);
  await waitForText(page, "#errors", /^1\. o15 blunder/);
  await page.click("#errors button");
  await waitForText(page, "#verdict", /^1\. o15: blunder.*Better: /);
  assert.deepEqual(problems, []);
});

test("a FEN opens with blocked points, and what cannot be set up is explained", async () => {
  const { page, problems, context } = await open();
  await paste(page, "9/9/9/3#5/2XXX4/9/9/9/9 b");
  await waitForStones(page, 3);
  assert.equal(await page.locator(".wall").count(), 1);
  await page.click("#files");
  assert.ok(await page.isHidden("#save-psq"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-sgf")]);
  const sgf = readFileSync(await download.path(), "utf8");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#copy-fen");
  await waitForText(page, "#files-done", "Copied.");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "9/9/9/3#5/2XXX4/9/9/9/9 b");
  await page.keyboard.press("Escape");
  await paste(page, "h8");
  await waitForStones(page, 1);
  await paste(page, sgf);
  await waitForStones(page, 3);
  assert.equal(await page.locator(".wall").count(), 1);
  await page.click("#analyse");
  await page.waitForSelector(".lines li .move");
  await paste(page, "#####/#####/XXOOX/#####/#####");
  await waitForText(page, "#files-error", /leaves no point to play on/);
  await page.keyboard.press("Escape");
  await begin(page, { rule: "pente", size: 19 });
  await paste(page, "9/9/9/9/2XXX4/9/9/9/9 b");
  await waitForText(page, "#files-error", /only be set up in Freestyle, Standard, Renju and Caro/);
  assert.deepEqual(problems, []);
});

test("a game that is opened ends the set-up and the review of the one before", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8a1i8a3" });
  const pasteMoves = (/** @type {string} */ moves) =>
    page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, moves);
  await tools(page);
  await page.click("#set-up");
  await page.waitForSelector("#setup-done");
  await pasteMoves("h8 i9 j10");
  await page.waitForSelector("#setup-panel", { state: "hidden" });
  await waitForStones(page, 3);
  await page.click("#review");
  await waitForText(page, "#analysis-state", /^Reviewing/);
  await pasteMoves("a1 b2");
  await waitForStones(page, 2);
  await waitForText(page, "#review", "Review");
  await waitForText(page, "#analysis-state", "Analyse shows the best moves and who stands better.");
  assert.deepEqual(problems, []);
});

test("what a review says leads to moves of the game that is open, also if it was open before", async () => {
  const { page, problems } = await open();
  await page.evaluate(() => {
    const r = { mark: "blunder", before: 0.9, after: 0.1, line: "", isProven: false };
    const root = { n: [{ m: "h8", n: [{ m: "h9", r, n: [{ m: "i9" }] }] }] };
    const tree = { size: 15, rule: "freestyle", facts: {}, root, at: [0, 0, 0] };
    localStorage.setItem("kakugo.recent", JSON.stringify([{ at: 1e12, tree }]));
  });
  for (let times = 0; times < 2; times++) {
    await page.click("#files");
    if (times === 0) await page.click("#recent-box summary");
    await page.click("#recent li:last-child button");
    await waitForStones(page, 3);
  }
  await page.click("#errors button");
  await waitForStones(page, 2);
  await put(page, "a1");
  await waitForStones(page, 3);
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 4);
  assert.deepEqual(problems, []);
});
