// The rules that the page offers, with their codes in the protocol. What they mean is the engine's business.

/** @typedef {"freestyle" | "standard" | "renju" | "caro" | "caro-exact"} RuleName */

/** @type {Record<RuleName, number>} */
export const RULE_CODES = { freestyle: 0, standard: 1, renju: 4, caro: 8, "caro-exact": 9 };

export const RULES = /** @type {RuleName[]} */ (Object.keys(RULE_CODES));

/** @param {unknown} name @returns {name is RuleName} */
export const isRule = (name) => typeof name === "string" && Object.hasOwn(RULE_CODES, name);

/** SGF's names of rules, and back. */
const SGF_NAMES = {
  freestyle: "Freestyle",
  standard: "Standard",
  renju: "Renju",
  caro: "Caro",
  "caro-exact": "Caro exact",
};

/** @param {RuleName} rule */
export const sgfRule = (rule) => SGF_NAMES[rule];

/** @param {string} text @returns {RuleName | null} */
export function ruleOf(text) {
  const plain = text.toLowerCase().replace(/[^a-z]/g, "");
  if (plain.includes("caro")) return plain.includes("exact") ? "caro-exact" : "caro";
  if (plain.includes("renju")) return "renju";
  if (plain.includes("standard")) return "standard";
  return plain.includes("free") || plain.includes("gomoku") ? "freestyle" : null;
}
