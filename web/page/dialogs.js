// The dialogs for a new game and for the settings.

import { $, h } from "./shared/dom.js";
import { LANGUAGES } from "./language.js";
import { SIDES } from "./notation.js";
import { PROCEDURES, suits } from "./opening.js";
import { GAMES, RULES, isGame, isHexagonal, isVariant } from "./rules.js";
import { CHALLENGE_SIZE, LEVELS, load, ruleAt, store, unlockedLevel } from "./settings.js";
import { t } from "./strings.js";

/** Clocks on offer: minutes and seconds a move. */
const CLOCKS = [null, [3, 2], [5, 5], [10, 5], [30, 10]];
/** The choice of a game outside the Gomocup family. */
const OTHER = "other";
/** The choice before any other. */
const FIRST_CHOICE = { rule: "freestyle", game: "pente", size: 15, clock: 0, side: "black", opening: "", level: 4 };
/** Where the last choice is remembered. */
const CHOICE_KEY = "kakugo.new";

/**
 * A choice of one among several, as buttons.
 * @param {HTMLElement} box @param {string} name @param {[string, string][]} options value and text
 */
function radios(box, name, options) {
  box.replaceChildren(
    ...options.map(([value, text]) =>
      h("label", { class: "choice" }, h("input", { type: "radio", name, value }), h("span", {}, text)),
    ),
  );
}

/** Fills the choices of the dialog for a new game. */
function fillChoices() {
  radios(
    $("rule-choices"),
    "rule",
    [...RULES, OTHER].map((rule) => [rule, t(`rule.${rule}`)]),
  );
  $("game-choice").append(...Object.keys(GAMES).map((name) => h("option", { value: name }, t(`rule.${name}`))));
  radios($("side-choices"), "side", [
    ["black", t("black")],
    ["white", t("white")],
    ["random", t("new.random")],
    ["both", t("new.both")],
  ]);
  for (let size = SIDES.least; size <= SIDES.most; size++)
    $("size-choice").append(h("option", { value: size }, `${size} \u00d7 ${size}`));
  $("clock-choice").append(
    ...CLOCKS.map((clock, index) =>
      h(
        "option",
        { value: index },
        clock ? t("clock.some", { minutes: clock[0], seconds: clock[1] }) : t("clock.none"),
      ),
    ),
  );
  $("opening-choice").append(
    ...["", ...Object.keys(PROCEDURES)].map((name) =>
      h("option", { value: name }, t(`opening-name.${name || "none"}`)),
    ),
  );
}

/**
 * @param {(options: any) => void} onStart
 * @returns {() => void} opens the dialog
 */
export function makeNewGame(onStart) {
  const dialog = /** @type {HTMLDialogElement} */ ($("new-dialog"));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  fillChoices();
  const field = (/** @type {string} */ name) => /** @type {any} */ (form.elements.namedItem(name));
  const explain = () => {
    const isOther = field("rule").value === OTHER;
    const isBoth = field("side").value === "both";
    const rule = isOther ? field("game").value : field("rule").value;
    $("game-box").hidden = !isOther || field("challenge").checked;
    $("rule-text").textContent = isGame(rule) ? t(`rule-text.${rule}`) : "";
    field("size").disabled = isHexagonal(rule);
    const opening = field("opening");
    for (const option of opening.options)
      option.disabled = option.value !== "" && !suits(option.value, rule, Number(field("size").value));
    if (opening.selectedOptions[0]?.disabled) opening.value = "";
    const isChallenge = field("challenge").checked && !isBoth;
    field("level").max = String(isChallenge ? unlockedLevel() : LEVELS);
    $("level-shown").textContent = field("level").value;
    $("level-text").textContent = isChallenge
      ? t("challenge.text", { level: unlockedLevel() })
      : t(`level.${field("level").value}`);
    for (const id of ["level-choice", "challenge-choice"]) /** @type {any} */ ($(id)).disabled = isBoth;
    for (const id of ["opening-choice", "clock-choice"])
      /** @type {any} */ ($(id)).disabled = isChallenge || (isBoth && id === "opening-choice");
    field("size").disabled ||= isChallenge;
    /** @type {HTMLFieldSetElement} */ ($("rule-field")).disabled = isChallenge;
    if (isChallenge) $("rule-text").textContent = t(`rule-text.${ruleAt(Number(field("level").value))}`);
  };
  form.addEventListener("input", (event) => {
    const { name } = /** @type {HTMLInputElement} */ (event.target);
    // Each game has its usual board.
    if (name === "game" || name === "rule") field("size").value = String(boardOf(field));
    explain();
  });
  restore(field);
  explain();
  // Not a button of the form: the form's first one is pressed by Enter in any field.
  $("new-cancel").addEventListener("click", () => dialog.close());
  // The browser gives the focus back first; then the game may take it.
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "start") return;
    dialog.returnValue = "";
    const choice = {
      rule: field("rule").value,
      game: field("game").value,
      size: Number(field("size").value),
      clock: Number(field("clock").value),
      side: field("side").value,
      opening: field("opening").value,
      level: Number(field("level").value),
    };
    const isChallenge = field("challenge").checked && choice.side !== "both";
    store(CHOICE_KEY, choice);
    const clock = CLOCKS[choice.clock];
    const side = choice.side === "random" ? (Math.random() < 0.5 ? "black" : "white") : choice.side;
    if (isChallenge) {
      const { level } = choice;
      return onStart({ rule: ruleAt(level), size: CHALLENGE_SIZE, level, human: side, clock: null, isChallenge });
    }
    onStart({
      rule: choice.rule === OTHER ? choice.game : choice.rule,
      size: choice.size,
      level: choice.level,
      opening: choice.opening,
      human: side,
      clock: clock && { initialMs: clock[0] * 60000, incrementMs: clock[1] * 1000 },
    });
  });
  return () => {
    explain();
    dialog.showModal();
  };
}

/** The usual board of the game that is chosen. @param {(name: string) => any} field */
function boardOf(field) {
  const game = field("game").value;
  return field("rule").value === OTHER && isVariant(game) ? GAMES[game] : 15;
}

/** The last choice for a new game. */
export const lastChoice = () => ({ ...FIRST_CHOICE, ...load(CHOICE_KEY) });

/** Puts the last choice into the fields. @param {(name: string) => any} field */
function restore(field) {
  for (const [name, value] of Object.entries(lastChoice())) {
    const control = field(name);
    const before = control.value;
    control.value = String(value);
    if (control.value === "" && value !== "") control.value = before;
  }
}

/** Settings with the values that they may have. */
const CHOICES = {
  language: ["auto", ...Object.keys(LANGUAGES)],
  theme: ["auto", "light", "dark"],
  numbers: ["none", "last", "all"],
  confirm: ["auto", "always", "never"],
  side: ["black", "white"],
  review: ["quick", "normal", "deep"],
};
/** Keys and the texts about them. */
const KEYS = [
  ["\u2190 \u2191 \u2192 \u2193", "keys.arrows"],
  ["Enter", "keys.enter"],
  ["[  ]", "keys.brackets"],
  ["A", "keys.analyse"],
  ["N", "keys.new"],
  ["U", "keys.undo"],
];

/**
 * @param {ReturnType<typeof import("./settings.js").openSettings>} settings
 */
export function makeSettings(settings) {
  const dialog = /** @type {HTMLDialogElement} */ ($("settings-dialog"));
  const values = /** @type {Record<string, any>} */ (settings.values);
  const selects = Object.entries(CHOICES).map(([name, options]) => {
    const select = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { name },
        options.map((value) =>
          name === "language" && value !== "auto"
            ? h("option", { value, lang: value }, LANGUAGES[value])
            : h("option", { value }, t(`settings.${name}.${value}`)),
        ),
      )
    );
    select.value = values[name];
    select.addEventListener("change", () => {
      settings.set({ [name]: select.value });
      // The texts are everywhere; the game is there again.
      if (name === "language") location.reload();
    });
    return h("label", { class: "field" }, h("span", {}, t(`settings.${name}`)), select);
  });
  const checks = ["forbidden", "shortcuts"].map((name) => {
    const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", name }));
    box.checked = values[name];
    box.addEventListener("change", () => settings.set({ [name]: box.checked }));
    return h("label", { class: "field check" }, h("span", {}, t(`settings.${name}`)), box);
  });
  $("settings-fields").replaceChildren(...selects, ...checks);
  $("keys").replaceChildren(...KEYS.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(text))]));
  $("settings").addEventListener("click", () => dialog.showModal());
}
