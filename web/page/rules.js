// The rules and games that the page offers, as the protocol names them. What they mean is the engine's business.

/** @typedef {"freestyle" | "standard" | "renju" | "caro" | "caro-exact"} FamilyRule */
/** @typedef {FamilyRule | keyof typeof GAMES} RuleName a rule of the Gomocup family, or another game */

/** Games outside the Gomocup family, with their usual boards. */
export const GAMES = {
  pente: 19,
  keryo: 19,
  ninuki: 15,
  gomoku42: 19,
  "gomoku42-web": 19,
  gomoku33: 15,
  roku: 11,
  "roku-ninuki": 11,
  "roku-handicap": 11,
  "roku-dynamic": 11,
  "roku-thrilling": 11,
};

/** @param {unknown} name @returns {name is keyof typeof GAMES} */
export const isVariant = (name) => typeof name === "string" && Object.hasOwn(GAMES, name);

/** Whether a game is played on the hexagon of Gomoku Roku. @param {string} name */
export const isHexagonal = (name) => name === "roku" || name.startsWith("roku-");

/** Whether a game can be played on a board of a size: the hexagon has one of its own. @param {RuleName} rule @param {number} size */
export const suitsBoard = (rule, size) => !isHexagonal(rule) || (isVariant(rule) && size === GAMES[rule]);

/** @type {Record<FamilyRule, number>} */
export const RULE_CODES = { freestyle: 0, standard: 1, renju: 4, caro: 8, "caro-exact": 9 };

export const RULES = /** @type {FamilyRule[]} */ (Object.keys(RULE_CODES));

/** @param {unknown} name @returns {name is FamilyRule} */
export const isRule = (name) => typeof name === "string" && Object.hasOwn(RULE_CODES, name);

/** @param {unknown} name @returns {name is RuleName} */
export const isGame = (name) => isRule(name) || isVariant(name);

/** Games of other families, whose names may contain those of rules. @param {string} text */
export const isOtherGame = (text) => /pente|ninuki|keryo|capture|roku|33|42/i.test(text);

/** SGF's names of rules, and back. @type {Record<string, string>} */
const SGF_NAMES = {
  freestyle: "Freestyle",
  standard: "Standard",
  renju: "Renju",
  caro: "Caro",
  "caro-exact": "Caro exact",
};

/** @param {RuleName} rule */
export const sgfRule = (rule) => SGF_NAMES[rule];

/** The rule that a text names: opening procedures mean renju. @param {string} text @returns {FamilyRule | null} */
export function ruleOf(text) {
  const plain = text.toLowerCase().replace(/[^a-z]/g, "");
  if (plain.includes("caro")) return plain.includes("exact") ? "caro-exact" : "caro";
  if (/renju|\brif|soos.rv|taragu|tarannikov|sakata|yamagu|連珠|连珠|(^|[^无無])禁手/i.test(text)) return "renju";
  if (/standard|exact|标准|標準/.test(plain + text)) return "standard";
  if (/free|gomoku/.test(plain)) return "freestyle";
  return RULES.find((rule) => text === String(RULE_CODES[rule])) || null;
}
