// Buttons, keys and fingers that step through a game.

import { $, s } from "./shared/dom.js";

const ICONS = {
  "to-start": "M6 5v14M19 5l-10 7 10 7z",
  back: "M16 5L6 12l10 7z",
  forward: "M8 5l10 7-10 7z",
  "to-end": "M18 5v14M5 5l10 7-10 7z",
};
const STEPS = { "to-start": -1000, back: -1, forward: 1, "to-end": 1000 };

/** @param {import("./desk.js").Desk} desk */
export function bindSteps(desk) {
  for (const [id, path] of Object.entries(ICONS)) {
    $(id).replaceChildren(s("svg", { viewBox: "0 0 24 24", "aria-hidden": true }, s("path", { d: path })));
    $(id).addEventListener("click", () => desk.step(/** @type {Record<string, number>} */ (STEPS)[id]));
  }
}

/** Switches off the buttons that lead nowhere. @param {import("./desk.js").Desk} desk */
bindSteps.show = (desk) => {
  const { current } = desk.tree;
  for (const [id, steps] of Object.entries(STEPS)) {
    /** @type {HTMLButtonElement} */ ($(id)).disabled = steps < 0 ? !current.parent : !desk.onward();
  }
};

/** @type {Record<string, string>} */
const BRACKETS = { BracketLeft: "[", BracketRight: "]" };

/** The name of a key; of a character of another script than Latin, the name of its place. @param {KeyboardEvent} event */
function nameOf({ key, code }) {
  const isForeign = /^[^\0-~\p{Script=Latin}]$/u.test(key);
  const name = isForeign ? BRACKETS[code] || code.replace("Key", "") : key;
  return name.length === 1 ? name.toLowerCase() : name;
}

/**
 * Keys for the whole page. They only ever step, start or stop: none throws work away.
 * @param {() => boolean} areLettersOn
 * @param {{ analyse: () => void, new: () => void, undo: () => void, step: (steps: number) => void }} acts
 */
export function bindKeys(areLettersOn, acts) {
  /** @type {Record<string, () => void>} */
  const keys = {
    "[": () => acts.step(-1),
    "]": () => acts.step(1),
    ArrowLeft: () => acts.step(-1),
    ArrowRight: () => acts.step(1),
    Home: () => acts.step(-1000),
    End: () => acts.step(1000),
    a: acts.analyse,
    n: acts.new,
    u: acts.undo,
  };
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const name = nameOf(event);
    const act = keys[name];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (/^[\p{L}\p{M}]$/u.test(event.key) && !areLettersOn()) return;
    if (document.querySelector("dialog[open]")) return;
    if (target.closest("input:not([type=checkbox]), textarea, select")) return;
    event.preventDefault();
    act();
  });
}
