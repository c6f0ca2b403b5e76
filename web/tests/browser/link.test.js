// A link to the engine that breaks while the page waits for an answer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, put, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer("--tabs", "4");

/**
 * A page whose connection breaks each time that it sends a certain line, for a given number of times.
 * @param {RegExp} line
 */
async function openBreaking(line) {
  const { page, problems } = await open();
  let breaks = 0;
  let broken = 0;
  await page.routeWebSocket(/\/engine$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (breaks === 0 || !line.test(String(message))) return server.send(message);
      breaks--;
      broken++;
      server.close();
      socket.close();
    });
  });
  await page.reload();
  await page.waitForSelector("#ready", { state: "attached" });
  await page.waitForSelector("#link-state", { state: "hidden" });
  /** @param {number} times */
  const breakNext = (times) => (breaks = times);
  return { page, problems, breakNext, broken: () => broken };
}

test("the engine is asked again for its move after the link has broken twice", async () => {
  const { page, problems, breakNext, broken } = await openBreaking(/^BOARD/m);
  await begin(page, { side: "black", level: 1 });
  breakNext(3);
  await put(page, "h8");
  await waitForText(page, "#detail", /^The engine has not answered\. It will be asked again\.$/);
  await waitForStones(page, 2);
  await waitForText(page, "#status", "Your turn");
  assert.equal(broken(), 3);
  assert.deepEqual(problems, []);
});

test("the engine is asked again for its answer in an opening after the link has broken twice", async () => {
  const { page, problems, breakNext } = await openBreaking(/^PROCEDURE/m);
  breakNext(2);
  await begin(page, { side: "white", level: 1, opening: "swap2" });
  await waitForText(page, "#detail", /^The engine has not answered\. It will be asked again\.$/);
  await waitForStones(page, 3);
  await waitForText(page, "#status", "Choose your side");
  await waitForText(page, "#detail", /^(?!The engine has not answered)/);
  assert.deepEqual(problems, []);
});

test("an answer in an opening is not taken without the engine's judgement, nor twice", async () => {
  const { page, problems, breakNext } = await openBreaking(/^YXPROCEDURE/m);
  await begin(page, { side: "black", level: 1, rule: "renju", opening: "rif" });
  await waitForText(page, "#status", "Place the opening");
  for (const point of ["h8", "h9"]) await put(page, point);
  breakNext(2);
  // No opening of renju has a stone there.
  await put(page, "a1");
  await waitForText(page, "#detail", /^a1 can't be played: the engine does not answer\.$/);
  await waitForStones(page, 0);
  for (const point of ["h8", "h9"]) await put(page, point);
  await page.evaluate(() => {
    const cell = /** @type {HTMLElement} */ (document.querySelector('[data-point="h10"].cell'));
    for (let times = 0; times < 3; times++) cell.click();
  });
  const answers = await page.waitForFunction(() => {
    const { match } = JSON.parse(sessionStorage.getItem("kakugo.game") || "{}");
    return match?.opening?.answers.length > 1 && match.opening.answers;
  });
  const [own, next] = /** @type {string[]} */ (await answers.jsonValue());
  assert.equal(own, "h8h9h10");
  assert.match(next, /^(SWAP|STAY)$/);
  assert.deepEqual(problems, []);
});

test("an analysis that breaks the link each time ends, and can be started again", async () => {
  const { page, problems, breakNext } = await openBreaking(/^YXNBEST/m);
  await page.click("#mode-analyse");
  breakNext(2);
  await page.click("#analyse");
  await waitForText(page, "#analyse", "Stop");
  await waitForText(page, "#analyse", "Analyse");
  await page.click("#analyse");
  await page.waitForSelector(".lines li .move");
  assert.deepEqual(problems, []);
});
