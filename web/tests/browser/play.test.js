// Games: every rule, refused moves, take back, hint, resign, rematch, clocks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, put, stones, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer();

/** Black completes h8 to h12, or more. */
const FIVE = ["h8", "a1", "h9", "c1", "h10", "e1", "h11", "g1", "h12"];

test("every rule is played to its end, with the row drawn", async () => {
  const { page, problems } = await open();
  for (const rule of ["freestyle", "standard", "renju", "caro", "caro-exact"]) {
    await begin(page, { rule });
    for (const [index, point] of FIVE.entries()) {
      await put(page, point);
      await waitForStones(page, index + 1);
    }
    await waitForText(page, "#status", "Black wins");
    await waitForText(page, "#detail", "A row of five.");
    await waitForText(page, "#announce", "Black h12; Black wins");
    assert.equal(await page.locator(".rows.five path").count(), 1);
    await put(page, "a15");
    assert.equal((await stones(page)).split(" ").length, 9, "no move after the end");
  }
  assert.deepEqual(problems, []);
});

test("a foul is refused, explained and drawn, and the game goes on", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "renju" });
  for (const [index, point] of ["h9", "a1", "h10", "a3", "g8", "a5", "i8", "a7"].entries()) {
    await put(page, point);
    await waitForStones(page, index + 1);
  }
  await page.waitForSelector(".forbidden .crossed", { state: "attached" });
  await put(page, "h8");
  await page.waitForSelector(".refused .crossed", { state: "attached" });
  await waitForText(page, "#detail", /h8 is forbidden: it would make two open threes/);
  assert.equal(await page.locator(".rows.foul path").count(), 2);
  await waitForText(page, "#announce", /forbidden/);
  await put(page, "o15");
  await waitForStones(page, 9);
  assert.equal(await page.locator(".refused .crossed").count(), 0);
  assert.deepEqual(problems, []);
});

test("the engine answers; take back, hint, resign and rematch work", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "black", level: 2 });
  await put(page, "h8");
  await waitForStones(page, 2);
  const first = await stones(page);
  await page.click("#undo");
  await waitForStones(page, 0);
  await put(page, "h8");
  await waitForStones(page, 2);
  assert.ok((await stones(page)).startsWith("h8 "), first);
  assert.ok(
    (await page.isHidden("#chart-panel")) && (await page.isHidden("#balance")),
    "nothing hints while one plays",
  );
  await page.click("#hint");
  await page.waitForSelector(".layer.hint circle", { state: "attached" });
  await waitForText(page, "#detail", /The ring shows a good move: \w\d+\./);
  await page.click("#resign");
  await waitForText(page, "#resign", "Really resign?");
  await page.click("#resign");
  await waitForText(page, "#status", "Kakugo wins");
  await page.click("#rematch");
  await waitForStones(page, 1);
  await waitForText(page, "#status", "Your turn");
  await waitForText(page, "#detail", /You have White/);
  assert.deepEqual(problems, []);
});

test("a hint is drawn only on the position that it is for", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "black", level: 1 });
  await put(page, "h8");
  await waitForStones(page, 2);
  await page.click("#hint");
  await page.click("#back");
  await waitForStones(page, 1);
  await waitForText(page, "#detail", "Looking for a good move");
  await waitForText(page, "#detail", /^You are looking back/);
  assert.equal(await page.locator(".layer.hint circle").count(), 0);
  assert.deepEqual(problems, []);
});

test("a slow engine can be hurried, and its search taken back", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "black", level: 10, clock: 4 });
  await put(page, "h8");
  await page.click("#hurry");
  await waitForStones(page, 2);
  await put(page, "i8");
  await waitForStones(page, 3);
  await page.click("#undo");
  await waitForStones(page, 2);
  await waitForText(page, "#status", "Your turn");
  assert.deepEqual(problems, []);
});

test("the clock runs for the side to move and decides", async () => {
  const { page, problems } = await open();
  await begin(page, { clock: 1 });
  await put(page, "h8");
  await waitForStones(page, 1);
  await page.waitForFunction(() => document.querySelector("#seat-far .clock")?.textContent === "2:59");
  await waitForText(page, "#seat-near .clock", "3:00");
  await page.evaluate(() => {
    const saved = JSON.parse(localStorage.getItem("kakugo.game") || "");
    saved.match.leftMs.white = 900;
    window.addEventListener("pagehide", () => sessionStorage.setItem("kakugo.game", JSON.stringify(saved)));
  });
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#status")?.textContent === "Black wins");
  await waitForText(page, "#detail", "White ran out of time.");
  assert.deepEqual(problems, []);
});

test("a game goes on after a reload", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "white", level: 1, size: 11, rule: "standard" });
  await waitForStones(page, 1);
  const before = await stones(page);
  await page.reload();
  await waitForStones(page, 1);
  assert.equal(await stones(page), before);
  await put(page, "a1");
  await waitForStones(page, 3);
  assert.deepEqual(problems, []);
});

test("a swap2 opening is placed, and chosen from, by both sides", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "white", level: 2, opening: "swap2" });
  await waitForStones(page, 3);
  await waitForText(page, "#status", "Choose your side");
  await page.click("#opening-stones");
  for (const point of ["a1", "o15"]) await put(page, point);
  await page.waitForFunction(
    () =>
      document.querySelector("#status")?.textContent === "Your turn" ||
      document.querySelectorAll(".layer.stones .stone").length > 5,
  );
  await begin(page, { side: "black", level: 2, opening: "swap2" });
  await waitForText(page, "#status", "Place the opening");
  for (const [index, point] of ["h8", "a1", "i9"].entries()) {
    await put(page, point);
    await page.waitForFunction(
      (wanted) => document.querySelectorAll(".layer.stones .stone").length >= wanted,
      index + 1,
    );
  }
  // Black is far ahead here, so the engine takes Black, and White is to move.
  await page.waitForFunction(() => document.querySelector("#status")?.textContent === "Your turn");
  await waitForText(page, "#detail", /You have White/);
  await put(page, "j10");
  await waitForStones(page, 5);
  await page.click("#undo");
  await waitForStones(page, 3);
  assert.ok(await page.isDisabled("#undo"), "the opening stays");
  assert.deepEqual(problems, []);
});

test("a draw is offered, and declined or agreed", async () => {
  const { page, problems } = await open();
  await begin(page, { side: "black", level: 1 });
  for (let count = 2; count <= 10; count += 2) {
    // Far from everything, so the engine stands better.
    await page
      .locator('.cell[aria-label$="empty"]')
      .nth(count % 4 === 0 ? 0 : 14)
      .click();
    await waitForStones(page, count);
  }
  await page.click("#draw");
  await page.waitForFunction(() => /declines|agreed/.test(document.querySelector("#detail")?.textContent || ""));
  assert.deepEqual(problems, []);
});
