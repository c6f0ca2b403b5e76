// Tools of an analysis: proofs, threats, moves that are left out, stones to set up.

import assert from "node:assert/strict";
import { test } from "node:test";

import { put, stones, waitForStones, waitForText, withServer } from "./helper.js";

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
  assert.deepEqual(problems, []);
});

test("stones are set up, analysed and played on", async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8" });
  await tools(page);
  await page.click("#set-up");
  await put(page, "h8");
  for (const point of ["c3", "d4", "e5"]) await put(page, point);
  await page.click('[data-tool="white"]');
  await put(page, "o1");
  assert.ok(await page.isDisabled("#setup-done"));
  await put(page, "o2");
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
