// What the page remembers, in a browser that the test plays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { autosave } from "../../page/settings.js";

test("a page that is left saves what a clock has changed", () => {
  /** @type {Record<string, () => void>} */
  const listeners = {};
  /** @type {string[]} */
  const saved = [];
  const addEventListener = (/** @type {string} */ name, /** @type {() => void} */ listener) =>
    void (listeners[name] = listener);
  const storage = { setItem: (/** @type {string} */ _, /** @type {string} */ text) => void saved.push(text) };
  const page = { addEventListener, hidden: true };
  Object.assign(globalThis, { window: page, document: page, localStorage: storage, sessionStorage: storage });
  let isTimed = false;
  let leftMs = 5000;
  autosave(
    () => leftMs,
    () => isTimed,
    () => {},
  );
  listeners.pagehide();
  assert.deepEqual(saved, [], "nothing has changed");
  isTimed = true;
  leftMs = 4000;
  listeners.pagehide();
  assert.deepEqual(saved, ["4000", "4000"], "in this tab, and for a new one");
  leftMs = 3000;
  listeners.visibilitychange();
  assert.deepEqual(saved.slice(2), ["3000", "3000"], "a phone may end the page in the background");
});
