// What the page remembers, in a browser that the test plays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { autosave, openSettings, recentGames, savedGame } from "../../page/settings.js";

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

test("earlier games make room for the open game, the oldest first", () => {
  /** @type {Record<string, () => void>} */
  const listeners = {};
  const addEventListener = (/** @type {string} */ name, /** @type {() => void} */ listener) =>
    void (listeners[name] = listener);
  /** A storage with room for some characters. @param {number} room */
  const storage = (room) => {
    /** @type {Record<string, string>} */
    const kept = {};
    const getItem = (/** @type {string} */ key) => kept[key] ?? null;
    const setItem = (/** @type {string} */ key, /** @type {string} */ text) => {
      if (Object.values({ ...kept, [key]: text }).join("").length > room) throw new Error("full");
      kept[key] = text;
    };
    return { getItem, setItem };
  };
  const [page, local] = [{ addEventListener, hidden: true }, storage(9000)];
  Object.assign(globalThis, { window: page, document: page, localStorage: local, sessionStorage: storage(0) });
  const games = Array.from({ length: 20 }, (_, at) => ({ at: at + 1, tree: "x".repeat(400) }));
  local.setItem("kakugo.recent", JSON.stringify(games));
  let game = "y".repeat(3000);
  /** @type {boolean[]} */
  const saved = [];
  autosave(
    () => game,
    () => true,
    (isSaved) => void saved.push(isSaved),
  );
  listeners.pagehide();
  assert.deepEqual([saved, local.getItem("kakugo.game")], [[true], JSON.stringify(game)]);
  const left = recentGames().map(({ at }) => at);
  assert.deepEqual(
    left,
    Array.from({ length: 14 }, (_, at) => at + 1),
  );
  game = "z".repeat(9000);
  listeners.pagehide();
  assert.deepEqual(saved, [true, false]);
  assert.deepEqual(
    recentGames().map(({ at }) => at),
    left,
    "no earlier game goes for a game that has no room at all",
  );
});

test("a browser that refuses any storage remembers nothing, and does not fail", () => {
  const get = () => {
    throw new Error("denied");
  };
  for (const place of ["localStorage", "sessionStorage"])
    Object.defineProperty(globalThis, place, { configurable: true, get });
  const settings = openSettings();
  settings.set({ lines: 5 });
  assert.deepEqual([settings.values.lines, savedGame(), recentGames()], [5, null, []]);
  /** @type {Record<string, () => void>} */
  const listeners = {};
  const addEventListener = (/** @type {string} */ name, /** @type {() => void} */ listener) =>
    void (listeners[name] = listener);
  const page = { addEventListener, hidden: true };
  Object.assign(globalThis, { window: page, document: page });
  /** @type {boolean[]} */
  const saved = [];
  autosave(
    () => "game",
    () => true,
    (isSaved) => void saved.push(isSaved),
  );
  listeners.pagehide();
  assert.deepEqual(saved, [false]);
});
