// What the page remembers: settings, the open game, and the challenge, in which a win unlocks the next level. If the
// browser stores nothing, the page still works.

/**
 * @typedef {object} Settings
 * @property {string} language `auto`, or a name of {@link import("./language.js").LANGUAGES}
 * @property {"auto" | "light" | "dark"} theme
 * @property {"none" | "last" | "all"} numbers
 * @property {"auto" | "always" | "never"} confirm a second tap places the stone
 * @property {boolean} forbidden
 * @property {boolean} threatsBlack
 * @property {boolean} threatsWhite
 * @property {boolean} database the database's moves are on the board
 * @property {"black" | "white"} side whose chance is shown
 * @property {number} lines
 * @property {"quick" | "normal" | "deep"} review how long a review searches
 * @property {boolean} shortcuts letters act
 */

/** @type {Settings} */
const DEFAULTS = {
  language: "auto",
  theme: "auto",
  numbers: "last",
  confirm: "auto",
  forbidden: true,
  threatsBlack: false,
  threatsWhite: false,
  database: true,
  side: "black",
  lines: 3,
  review: "normal",
  shortcuts: true,
};
const SETTINGS_KEY = "kakugo.settings";
const GAME_KEY = "kakugo.game";
const RECENT_KEY = "kakugo.recent";
const CHALLENGE_KEY = "kakugo.challenge";
/** Number of levels. */
export const LEVELS = 10;
/** The last level of the challenge that is played by the rule freestyle. */
const LAST_FREESTYLE = 5;
/** The board of every level of the challenge. */
export const CHALLENGE_SIZE = 15;
/** Games that are kept when another takes their place. */
const MOST_RECENT = 20;
/** Time between a change and its saving, in milliseconds. */
const SAVE_AFTER = 300;

/** @param {string} key @param {"localStorage" | "sessionStorage"} [place] @returns {any} */
export function load(key, place = "localStorage") {
  try {
    // A browser that blocks storage throws when this property is read.
    return JSON.parse(globalThis[place].getItem(key) || "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} data @param {"localStorage" | "sessionStorage"} [place] */
export function store(key, data, place = "localStorage") {
  try {
    globalThis[place].setItem(key, JSON.stringify(data));
    return true;
  } catch {
    return false;
  }
}

/**
 * Stores what is more important than the earlier games, of which the oldest make room.
 * @param {string} key @param {unknown} data
 */
function keep(key, data) {
  if (store(key, data)) return true;
  const list = recentGames();
  store(RECENT_KEY, []);
  const isKept = store(key, data);
  storeRecent(list);
  return isKept;
}

/** The settings, with what was remembered of them. */
export function openSettings() {
  const saved = load(SETTINGS_KEY) || {};
  const known = Object.entries(DEFAULTS).map(([key, value]) => [
    key,
    typeof saved[key] === typeof value ? saved[key] : value,
  ]);
  /** @type {Settings} */
  const values = Object.fromEntries(known);
  /** @type {Set<() => void>} */
  const listeners = new Set();
  return {
    values,
    /** @param {Partial<Settings>} changes */
    set(changes) {
      Object.assign(values, changes);
      keep(SETTINGS_KEY, values);
      for (const listener of listeners) listener();
    },
    /** @param {() => void} listener */
    onChange(listener) {
      listeners.add(listener);
    },
  };
}

/**
 * Saves a game a moment after each change, and when the page is left.
 * @param {() => unknown} pack @param {() => boolean} isTimed whether a clock runs, which changes all the time
 * @param {(isSaved: boolean) => void} onSaved
 */
export function autosave(pack, isTimed, onSaved) {
  let timer = 0;
  const save = () => {
    clearTimeout(timer);
    timer = 0;
    // Each tab has its own game; a new tab takes up the last one.
    const data = pack();
    store(GAME_KEY, data, "sessionStorage");
    onSaved(keep(GAME_KEY, data));
  };
  const leave = () => (timer || isTimed()) && save();
  window.addEventListener("pagehide", leave);
  // The only event for a page that a phone ends in the background.
  document.addEventListener("visibilitychange", () => document.hidden && leave());
  return () => {
    timer ||= window.setTimeout(save, SAVE_AFTER);
  };
}

/** The game that was open last, in this tab or else anywhere. */
export const savedGame = () => load(GAME_KEY, "sessionStorage") || load(GAME_KEY);

/** The highest level of the challenge that was won, 0 before the first win. */
function challengeWon() {
  const won = load(CHALLENGE_KEY)?.won;
  return Number.isInteger(won) && won > 0 ? won : 0;
}

/** The highest level of the challenge that may be played. */
export const unlockedLevel = () => Math.min(LEVELS, challengeWon() + 1);

/** The rule of a level of the challenge. @param {number} level */
export const ruleAt = (level) => (level <= LAST_FREESTYLE ? "freestyle" : "renju");

/** Notes a win in the challenge. @param {number} level */
export const noteWin = (level) => keep(CHALLENGE_KEY, { won: Math.max(level, challengeWon()) });

/**
 * Games that made way for others, the newest first.
 * @returns {{ at: number, tree: any }[]}
 */
export function recentGames() {
  const list = load(RECENT_KEY);
  return Array.isArray(list) ? list.filter((one) => Number.isFinite(one?.at) && one.tree) : [];
}

/** Takes a game out of {@link recentGames}: it is open again. @param {number} at when it was kept */
export function takeGame(at) {
  const others = recentGames().filter((one) => one.at !== at);
  store(RECENT_KEY, others);
}

/** Stores earlier games; what has no room goes, the oldest first. @param {ReturnType<typeof recentGames>} list */
function storeRecent(list) {
  while (list.length > 0 && !store(RECENT_KEY, list)) list.pop();
}

/** Keeps a game that makes way for another. @param {import("./tree.js").GameTree} tree */
export function keepGame(tree) {
  if (tree.count < 3 && !tree.start) return;
  storeRecent([{ at: Date.now(), tree: tree.pack(true) }, ...recentGames()].slice(0, MOST_RECENT));
}

/**
 * Forces light or dark, or follows the system: the style's own rules for dark are switched.
 * @param {Settings["theme"]} theme
 */
export function applyTheme(theme) {
  const wanted = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[theme];
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSMediaRule)) continue;
      const isDark = darkRules.has(rule) || rule.media.mediaText.includes("prefers-color-scheme: dark");
      if (!isDark) continue;
      darkRules.add(rule);
      rule.media.mediaText = wanted;
    }
  }
  document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
}

/** Keeps the page for use without a network, where it comes with a service worker. */
export function keepPage() {
  if (!document.querySelector('link[rel="manifest"]') || !("serviceWorker" in navigator)) return;
  // A browser that refuses it, as in some private windows, only needs the network again.
  navigator.serviceWorker.register("service_worker.js").catch(() => {});
}

/** @type {WeakSet<CSSMediaRule>} */
const darkRules = new WeakSet();
