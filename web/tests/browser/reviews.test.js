// Reviews by the engine in the browser: in one Worker and in several, stopped and continued.

import assert from "node:assert/strict";
import { test } from "node:test";

import { paste, put, waitForStones, waitForText, WITHOUT_MODULE, withSite } from "./helper.js";

const { open } = withSite();

/** Lets a page count the Workers that it begins and ends from now on. @param {import("playwright-core").Page} page */
const watchWorkers = (page) =>
  page.evaluate(() => {
    const workers = { begun: 0, ended: 0 };
    const { terminate } = Worker.prototype;
    Object.assign(window, {
      workers,
      Worker: class extends Worker {
        constructor(/** @type {any[]} */ ...options) {
          super(.../** @type {[string]} */ (options));
          workers.begun++;
        }
      },
    });
    Worker.prototype.terminate = function () {
      workers.ended++;
      terminate.call(this);
    };
  });

test(
  "a game is reviewed in the Worker; the review stops, and continues where it was",
  { skip: WITHOUT_MODULE },
  async () => {
    const { page, problems } = await open({
      hash: "#freestyle/15/h8h9a1i9i8j10j8o1a2k8",
      settings: { review: "quick" },
    });
    await page.click("#review");
    await waitForText(page, "#analysis-state", /Reviewing: [2-9] of 10/, 60000);
    await page.click("#review");
    // The Worker is free again: a move is judged.
    await put(page, "c3");
    await waitForStones(page, 11);
    await page.click("#back");
    await page.click("#review");
    await waitForText(page, "#review-summary", /^Accuracy/, 120000);
    assert.match((await page.textContent("#errors")) || "", /9\. a2 missed win/);
    assert.deepEqual(problems, []);
  },
);

test("several Workers review a game as one does, and end with it", { skip: WITHOUT_MODULE }, async () => {
  /** What a review says of every move, and of the game. @param {number} workers @param {string} text */
  const reviewed = async (workers, text) => {
    const { page, problems } = await open({ settings: { review: "quick" }, workers });
    await paste(page, text);
    await page.waitForSelector("#files-dialog", { state: "hidden" });
    await watchWorkers(page);
    await page.click("#review");
    await waitForText(page, "#review-summary", /^Accuracy/, 120000);
    const { begun, ended } = await page.evaluate(() => /** @type {any} */ (window).workers);
    assert.deepEqual([begun, ended], [workers - 1, workers - 1]);
    assert.deepEqual(problems, []);
    await page.waitForFunction(() => /"s":/.test(localStorage.getItem("kakugo.game") || ""));
    const game = await page.evaluate(() => JSON.parse(localStorage.getItem("kakugo.game") || ""));
    return game.tree.root;
  };
  const game = "h8h9a1i9i8j10j8o1a2k8";
  const [one, several] = [await reviewed(1, game), await reviewed(3, game)];
  assert.match(JSON.stringify(one), /"mark":"missed-win".*"s":{"black":/);
  assert.deepEqual(several, one);
  // Black has two stones more, White moves first, and e8 is blocked.
  const placed = "(;GM[4]SZ[15]RU[freestyle]AB[gh][hh][ih][ao][oo]AW[hg][ig][gi]KX[eh]PL[W];W[oa];B[jh];W[fh];B[oj]";
  const [alone, shared] = [await reviewed(1, `${placed};W[oc];B[kh])`), await reviewed(2, `${placed};W[oc];B[kh])`)];
  assert.match(JSON.stringify(alone), /"mark":"blunder".*"s":{"black":.*"lost":{"ply":5,"side":"white"}/);
  assert.deepEqual(shared, alone);
});

test(
  "a review that is stopped ends its Workers at once, and continues where it was",
  { skip: WITHOUT_MODULE },
  async () => {
    const { page, problems } = await open({
      hash: "#freestyle/15/h8h9a1i9i8j10j8o1a2k8k7l6",
      settings: { review: "normal" },
      workers: 2,
    });
    await watchWorkers(page);
    await page.click("#review");
    await waitForText(page, "#analysis-state", /Reviewing: [3-9] of 12/, 60000);
    const done = await page.textContent("#analysis-state");
    await page.click("#review");
    await waitForText(page, "#review", "Review");
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).workers), { begun: 1, ended: 1 });
    await page.click("#review");
    await waitForText(page, "#analysis-state", /Reviewing: [1-9]/);
    assert.ok(Number(/\d+/.exec(done || "")?.[0]) >= 3);
    await page.click("#review");
    assert.deepEqual(problems, []);
  },
);
