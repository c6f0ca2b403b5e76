// Opening procedures of renju, games with captures, and Gomoku Roku.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { begin, paste, put, stones, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer();

test("a procedure of renju is talked through, with openings, swaps, fifths and a choice", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "renju", side: "black", level: 2, opening: "soosorv-8" });
  await waitForText(page, "#status", "Place the opening");
  // No opening: white is far away. The engine's rules say so.
  for (const point of ["h8", "a1", "j9"]) await put(page, point);
  await waitForText(page, "#detail", /The opening does not allow this: not an opening/);
  await waitForStones(page, 0);
  for (const point of ["h8", "h9", "j10"]) await put(page, point);
  await page.waitForFunction(
    () => JSON.parse(sessionStorage.getItem("kakugo.game") || "{}").match?.opening?.answers.length > 0,
  );
  // The engine may take Black; then it is this person who places the fourth stone and asks for fifths.
  await page.waitForFunction(() =>
    /Choose your side|Place the opening|Offer fifth|Choose the fifth/.test(
      document.querySelector("#status")?.textContent || "",
    ),
  );
  for (let step = 0; step < 12; step++) {
    await page.waitForFunction(() => document.querySelector("#status:not(.busy)"));
    const status = (await page.textContent("#status")) || "";
    if (status === "Your turn") break;
    if (status === "Place the opening") {
      await page.selectOption("#fifths", "2");
      await put(page, "g7");
    } else if (status === "Choose your side") {
      await page.click("#take-black");
    } else if (status === "Offer fifth moves") {
      const count = Number(/Choose (\d+) more/.exec((await page.textContent("#detail")) || "")?.[1]);
      for (const point of ["c3", "m4", "d6", "l9", "e12", "m13", "b8", "n2"].slice(0, count)) await put(page, point);
    } else if (status === "Choose the fifth move") {
      await page.waitForSelector(".branch");
      const [x, y] = await page.$eval(".layer.branches circle", (circle) => [
        Number(circle.getAttribute("cx")),
        -Number(circle.getAttribute("cy")),
      ]);
      await put(page, String.fromCharCode(97 + x) + (y + 1));
    }
    await page.waitForTimeout(300);
  }
  await page.waitForFunction(() => document.querySelectorAll(".layer.stones .stone").length >= 5);
  await page.waitForSelector("#resign", { state: "visible" });
  assert.deepEqual(problems, []);
});

test("every procedure begins, and only those that suit the rule are offered", async () => {
  const { page, problems } = await open();
  await page.click("#new");
  await page.check('input[name="rule"][value="freestyle"]', { force: true });
  assert.ok(await page.$eval('#opening-choice option[value="rif"]', (option) => /** @type {any} */ (option).disabled));
  await page.keyboard.press("Escape");
  for (const [rule, opening, first] of [
    ["freestyle", "pro", "A stone for Black at the centre of the board."],
    ["freestyle", "long-pro", "A stone for Black at the centre of the board."],
    ["renju", "renju-swap", "A stone for Black at the centre of the board."],
    ["renju", "taraguchi-10", "A stone for Black at the centre of the board."],
    ["renju", "rif", /A stone for Black next, 3 to place/],
    ["renju", "yamaguchi", /A stone for Black next, 3 to place/],
  ]) {
    await begin(page, { rule: String(rule), side: "black", level: 2, opening: String(opening) });
    await waitForText(page, "#detail", first);
  }
  await begin(page, { rule: "freestyle", side: "black", level: 2, opening: "pro" });
  await waitForText(page, "#detail", /at the centre/);
  await put(page, "h8");
  await waitForText(page, "#detail", /outside the central 5x5/);
  await page.waitForSelector(".area rect", { state: "attached" });
  // The engine's stone may be on one of them.
  await page.locator('[aria-label="h9, empty"], [aria-label="g7, empty"]').first().click();
  await waitForText(page, "#detail", /The opening does not allow this/);
  await put(page, "a1");
  await page.waitForFunction(() => document.querySelectorAll(".layer.stones .stone").length >= 3);
  assert.deepEqual(problems, []);
});

test("captured stones vanish, are drawn and counted, and come back with undo", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "pente", side: "both", size: 19 });
  await waitForStones(page, 0);
  for (const [index, point] of ["a1", "b1", "k10", "c1"].entries()) {
    await put(page, point);
    await waitForStones(page, index + 1);
  }
  await put(page, "d1");
  await waitForStones(page, 3);
  assert.equal(await page.locator(".taken").count(), 2);
  await waitForText(page, "#seat-near .count", "1 of 5 pairs");
  await page.reload();
  await page.waitForSelector(".taken", { state: "attached" });
  await page.click("#undo");
  await waitForStones(page, 4);
  await page.click("#mode-analyse");
  assert.ok(await page.isHidden("#review"));
  await page.click("#analyse");
  await page.waitForSelector(".lines li .move");
  assert.deepEqual(problems, []);
});

test("games with captures and on the hexagon are saved as PGN and open again", async () => {
  const { page, problems } = await open();
  for (const [rule, size, points, count] of /** @type {[string, number, string[], number][]} */ ([
    // The last stone stands where one was captured.
    ["pente", 13, ["a1", "b1", "k10", "c1", "d1", "b1"], 4],
    // Black moves twice.
    ["roku", 11, ["f11", "g11", "f10"], 3],
  ])) {
    await begin(page, { rule, side: "both", size });
    for (const [index, point] of points.entries()) {
      await put(page, point);
      await page.waitForFunction(
        (wanted) => document.querySelector(`[data-point="${wanted}"].cell`)?.getAttribute("aria-label")?.includes(","),
        point,
      );
      await page.waitForFunction(
        (ply) => JSON.parse(sessionStorage.getItem("kakugo.game") || "{}").tree?.at?.length === ply,
        index + 1,
      );
    }
    await waitForStones(page, count);
    const before = await stones(page);
    // With the side to move after each move.
    const root = await page.evaluate(() =>
      JSON.stringify(JSON.parse(sessionStorage.getItem("kakugo.game") || "").tree.root),
    );
    assert.match(root, /"t":"w".*"t":"b"/);
    await page.click("#files");
    assert.ok(await page.isHidden("#save-sgf"));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-pgn")]);
    const pgn = readFileSync(await download.path(), "utf8");
    await page.keyboard.press("Escape");
    await begin(page, { rule: "freestyle" });
    await waitForStones(page, 0);
    await paste(page, pgn);
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll(".layer.stones .stone")]
          .map((one) => one.getAttribute("data-point"))
          .join(" ") === wanted,
      before,
    );
    await page.waitForFunction(
      (wanted) => JSON.stringify(JSON.parse(sessionStorage.getItem("kakugo.game") || "").tree.root) === wanted,
      root,
    );
  }
  await paste(page, '[Variant "ninuki"]\n[BoardSize "15x15"]\n\n1. h8 h9 2. h8 i9 *');
  await waitForText(page, "#refusal", /^h8 can't be played: /);
  await waitForStones(page, 2);
  await paste(page, "(;SZ[15]RU[pente];B[hh])");
  await waitForText(page, "#files-error", /^This game can't be kept in SGF or PSQ\. It opens from PGN or a link\.$/);
  assert.deepEqual(problems, []);
});

test("every other game is played by the engine, and its refusals are explained", async () => {
  const { page, problems } = await open();
  for (const [rule, size] of /** @type {[string, number][]} */ ([
    ["pente", 13],
    ["keryo", 13],
    ["gomoku42", 13],
    ["gomoku42-web", 13],
    ["gomoku33", 15],
  ])) {
    await begin(page, { rule, side: "black", size, level: 2 });
    await put(page, "g7");
    await waitForStones(page, 2);
  }
  await begin(page, { rule: "ninuki", side: "black", size: 15, level: 2 });
  await put(page, "a1");
  await waitForText(page, "#detail", "a1 can't be played: the first stone must be placed on the centre.");
  await put(page, "h8");
  await waitForStones(page, 2);
  assert.deepEqual(problems, []);
});

test("a capture game is played to its end, with the row drawn", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "pente", side: "both", size: 13 });
  for (const [index, point] of ["c3", "a13", "d3", "c13", "e3", "e13", "f3", "g13", "g3"].entries()) {
    await put(page, point);
    await waitForStones(page, index + 1);
  }
  await waitForText(page, "#status", "Black wins");
  await page.waitForSelector(".rows.five path", { state: "attached" });
  assert.deepEqual(problems, []);
});

test("Gomoku Roku is played on its hexagon, where one side may move twice", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "roku", side: "both", size: 11 });
  await page.waitForSelector(".hole.track", { state: "attached" });
  assert.equal(await page.locator(".hole").count(), 91);
  assert.equal(await page.locator(".cell:not(.off)").count(), 91);
  for (const [index, point] of ["f11", "g11"].entries()) {
    await put(page, point);
    await waitForStones(page, index + 1);
  }
  await waitForText(page, "#status", "Black to move");
  await waitForText(page, "#seat-near .count", /30 stones left/);
  await put(page, "f10");
  await page.waitForFunction(() => /White/.test(document.querySelector("#status")?.textContent || ""));
  await begin(page, { rule: "roku-ninuki", side: "black", size: 11, level: 2 });
  await put(page, "f11");
  await page.waitForFunction(() => document.querySelectorAll(".layer.stones .stone").length >= 2);
  assert.match(await stones(page), /f11/);
  assert.deepEqual(problems, []);
});

test("the hexagon is no wider than a phone, though its rows are shifted", async () => {
  const { page, problems } = await open({ width: 375, height: 812 });
  await begin(page, { rule: "roku", side: "both", size: 11 });
  await page.waitForSelector(".hole.track", { state: "attached" });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  await put(page, "k6");
  await waitForStones(page, 1);
  assert.deepEqual(problems, []);
});

test("a game of Gomoku Roku ends with its row drawn through the circles", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "roku", side: "both", size: 11 });
  const moves = "f11 g11 d7 d3 e7 h4 c5 f7 e3 i6 g7 b4 g3 j8 h7".split(" ");
  for (const [index, point] of moves.entries()) {
    await put(page, point);
    await waitForStones(page, index + 1);
  }
  await waitForText(page, "#status", "Black wins");
  await page.waitForSelector(".rows.five path", { state: "attached" });
  const [left, right] = await page.evaluate(() => {
    const middle = (/** @type {string} */ selector) => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      return box ? [box.left + box.width / 2, box.top + box.height / 2] : [];
    };
    const row = /** @type {SVGPathElement} */ (document.querySelector(".rows.five path"));
    const at = (/** @type {number} */ length) => {
      const { x, y } = row.getPointAtLength(length).matrixTransform(row.getScreenCTM() || undefined);
      return [x, y];
    };
    return [
      [at(0), middle('.stones [data-point="d7"] .body')],
      [at(row.getTotalLength()), middle('.stones [data-point="h7"] .body')],
    ];
  });
  for (const [end, stone] of [left, right])
    assert.ok(Math.hypot(end[0] - stone[0], end[1] - stone[1]) < 2, `${end} is not on ${stone}`);
  assert.deepEqual(problems, []);
});

test("a win in the challenge unlocks the next level, without hints and take back", async () => {
  const { page, problems } = await open();
  await page.click("#new");
  await page.check("#challenge-choice");
  assert.equal(await page.getAttribute("#level-choice", "max"), "1");
  await waitForText(page, "#level-text", /^Unlocked: up to level 1\./);
  await page.click('button[value="start"]');
  await put(page, "h8");
  await waitForStones(page, 2);
  assert.ok((await page.isHidden("#undo")) && (await page.isHidden("#hint")));
  assert.ok(await page.isDisabled("#mode-analyse"), "the engine helps nobody in a challenge");
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("kakugo.game") || "{}").match?.tip.length === 2);
  // The engine loses on time: a win like any other, and quicker than a game.
  await page.evaluate(() => {
    const saved = JSON.parse(sessionStorage.getItem("kakugo.game") || "{}");
    saved.match.clock = { initialMs: 1000, incrementMs: 0 };
    saved.match.leftMs = { black: 60000, white: 1 };
    saved.match.tip = saved.match.tip.slice(0, 1);
    saved.tree.at = saved.tree.at.slice(0, 1);
    window.addEventListener("pagehide", () => sessionStorage.setItem("kakugo.game", JSON.stringify(saved)));
  });
  await page.reload();
  await waitForText(page, "#status", "You win");
  await waitForText(page, "#detail", /Level 2 is unlocked/);
  assert.ok(await page.isEnabled("#mode-analyse"));
  await page.click("#new");
  await page.check("#challenge-choice");
  assert.equal(await page.getAttribute("#level-choice", "max"), "2");
  await page.keyboard.press("Escape");
  await page.click("#rematch");
  await page.waitForFunction(() => document.querySelector(".seat .who")?.textContent !== "");
  assert.ok((await page.locator(".seat .who").allTextContents()).includes("Kakugo, level 2"));
  assert.deepEqual(problems, []);
});
