// Opening procedures: the answers so far, the decision that is due as the engine names it, answers as text, and the requests for
// both in the words of the engine's protocol. The rules of each procedure are the engine's business.

import { formatPoint, isRefusal, limitLines, pointOf } from "./live.js";
import { nameOf, parseMoves } from "./notation.js";
import { isRule } from "./rules.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./engine.js").EngineClient} EngineClient
 *
 * The decision that is due. `side` is the side that the person who decides has so far.
 * @typedef {object} Due
 * @property {boolean} isFirst whether the first person decides
 * @property {Side} side
 * @property {boolean} isOver whether the game goes on as usual
 * @property {number} stones stones to place
 * @property {{ where: string, side: number }} area where a stone may be placed: `anywhere`, `centre`, `within`, `outside`
 * @property {number} fifths the largest number of fifth moves that may be asked for, or 0
 * @property {boolean} maySwap
 * @property {number} offer number of fifth moves to offer
 * @property {Point[]} offered fifth moves to choose from
 *
 * An opening that is not over.
 * @typedef {object} Opening
 * @property {string} name
 * @property {boolean} isFirst whether the person is the first of the two, who begins with Black
 * @property {string[]} answers so far: stones as `h8i9j8`, with a number `h8 FIFTHS 3`, `OFFER h8i9`, `CHOOSE h8`, `SWAP`, `STAY`
 * @property {Due | null} due until it is known
 * @property {"" | "stones" | "offer" | "choose"} task what the person does on the board now
 * @property {Point[]} given points of the answer that is being given
 */

/** Every procedure, with whether it is one of renju. @type {Record<string, boolean>} */
export const PROCEDURES = {
  swap: false,
  swap2: false,
  pro: false,
  "long-pro": false,
  rif: true,
  "renju-swap": true,
  yamaguchi: true,
  "soosorv-8": true,
  "taraguchi-10": true,
};
/** Smallest side of a board for the procedures that begin at its centre. */
const LEAST_SIDE = 9;

/**
 * Whether a procedure can begin a game; games outside the Gomocup family have none.
 * @param {string} name @param {string} rule @param {number} size
 */
export const suits = (name, rule, size) =>
  isRule(rule) &&
  (name === "swap" ||
    name === "swap2" ||
    (size >= LEAST_SIDE && (!PROCEDURES[name] || (rule === "renju" && size % 2 === 1))));

/**
 * The key of the text about the stones that are due. After several stones, or a stone with a number of fifths, the other person
 * chooses a side; after a single stone anywhere, nobody does.
 * @param {Due} due
 */
export const areaKey = ({ area, stones, fifths }) =>
  `opening-area.${stones > 1 || fifths > 0 ? "anywhere" : area.where === "anywhere" ? "free" : area.where}`;

/** @param {string} name @param {boolean} isFirst @returns {Opening} */
export const newOpening = (name, isFirst) => ({ name, isFirst, answers: [], due: null, task: "", given: [] });

/** Whether the decision that is due is the person's. @param {Opening} opening */
export const isPersons = ({ due, isFirst }) => !!due && due.isFirst === isFirst;

/** The side of the person. @param {Opening} opening @returns {Side} */
export function personsSide(opening) {
  const { due } = opening;
  if (!due) return opening.isFirst ? "black" : "white";
  const other = due.side === "black" ? "white" : "black";
  return isPersons(opening) ? due.side : other;
}

/** The answer's points, and what stands before and after them. @param {string} answer */
function partsOf(answer) {
  const [, word = "", moves = "", count = ""] =
    /^(?:(SWAP|STAY|OFFER|CHOOSE)\b ?)?([a-z\d ]*?)(?: ?FIFTHS (\d+))?$/.exec(answer) || [];
  return { word, points: parseMoves(moves) || [], count };
}

/** Stones of all answers. @param {Opening} opening */
export const stonesOf = ({ answers }) =>
  answers.reduce((sum, answer) => {
    const { word, points } = partsOf(answer);
    return sum + (word === "OFFER" ? 0 : points.length);
  }, 0);

/** The stones that an answer places. @param {string} answer */
export function placedBy(answer) {
  const { word, points } = partsOf(answer);
  return word === "OFFER" ? [] : points;
}

/** The number of fifth moves that an answer asks for, in words. @param {string[]} answers */
export function fifthsText(answers) {
  const [, count] = /FIFTHS (\d+)/.exec(answers.join()) || [];
  return count ? ` ${t("opening.fifths")}: ${count}.` : "";
}

/** An answer for the protocol. @param {string} answer @param {number} size */
function toProtocol(answer, size) {
  const { word, points, count } = partsOf(answer);
  const placed = points.map((point) => formatPoint(point, size));
  return [word, ...placed, count && `FIFTHS ${count}`].filter(Boolean).join(" ");
}

/** An answer of the protocol; `null` if the line is not an answer. @param {string} line @param {number} size */
function fromProtocol(line, size) {
  if (line === "SWAP" || line === "STAY") return line;
  const found = /^(?:(OFFER|CHOOSE) )?(\d+,\d+(?: \d+,\d+)*)(?: (FIFTHS \d+))?$/.exec(line);
  const points = found ? found[2].split(" ").map((word) => pointOf(word, size)) : [];
  if (!found || !points.every(Boolean)) return null;
  const names = points.map((point) => nameOf(/** @type {Point} */ (point))).join("");
  return [found[1], names, found[3]].filter(Boolean).join(" ");
}

/** The decision that the engine names; `null` if the line names none. @param {string} line @param {number} size @returns {Due | null} */
function readDue(line, size) {
  const found = /^DUE (first|second) (black|white) (.*)$/.exec(line);
  if (!found) return null;
  const [, person, side, decision] = found;
  const number = (/** @type {RegExp} */ pattern) => Number(pattern.exec(decision)?.[1] || 0);
  // The 26 openings of renju are within the central 5x5.
  const isOpening = decision.startsWith("OPENING");
  const area = /\bSTONE (anywhere|centre|within|outside) ?(\d+)?/.exec(decision);
  const chosen = /^CHOOSE (.*)$/.exec(decision);
  const offered = chosen ? chosen[1].split(" ").map((word) => pointOf(word, size)) : [];
  return {
    isFirst: person === "first",
    side: /** @type {Side} */ (side),
    isOver: decision === "MOVE",
    stones: isOpening ? 3 : area ? 1 : number(/\bSTONES (\d+)/),
    area: isOpening ? { where: "within", side: 5 } : { where: area?.[1] || "anywhere", side: Number(area?.[2] || 0) },
    fifths: number(/\bFIFTHS (\d+)/),
    maySwap: decision.startsWith("SWAP"),
    offer: number(/\bOFFER (\d+)/),
    offered: /** @type {Point[]} */ (offered.filter(Boolean)),
  };
}

/**
 * A procedure with its answers so far.
 * @param {string} command @param {Opening} opening @param {number} size
 */
const procedureLines = (command, { name, answers }, size) => [
  `${command} ${name}`,
  ...answers.map((answer) => toProtocol(answer, size)),
  "DONE",
];

/**
 * The decision that is due in an opening. Fails with the engine's reason if an answer breaks the rules.
 * @param {EngineClient} engine @param {{ size: number, rule: import("./rules.js").RuleName }} game @param {Opening} opening
 */
export function askDue(engine, { size, rule }, opening) {
  const lines = () => [
    ...engine.setUp({ size, rule, moves: [] }, "YXBOARD"),
    ...procedureLines("YXPROCEDURE", opening, size),
  ];
  return engine.ask("short", lines, (line, /** @type {(due: Due) => void} */ resolve, reject) => {
    const due = readDue(line, size);
    const refused = /^(?:ERROR|UNKNOWN) (?:answer \d+: )?(.*)$/.exec(line);
    if (due) resolve(due);
    if (refused) {
      const named = (/** @type {string} */ text) => nameOf(/** @type {Point} */ (pointOf(text, size)));
      reject(new Error(refused[1].replace(/\d+,\d+/g, named)));
    }
    return !!due || !!refused;
  }).result;
}

/**
 * The engine's answer in an opening; `null` if it refuses.
 * @param {EngineClient} engine @param {import("./engine.js").Position} position @param {Opening} opening
 * @param {import("./engine.js").Limits} limits
 */
export function askDecision(engine, position, opening, limits) {
  const { size } = position;
  const lines = () => [
    ...limitLines(limits),
    ...engine.setUp(position, "YXBOARD"),
    ...procedureLines("PROCEDURE", opening, size),
  ];
  return engine.ask("search", lines, (line, /** @type {(answer: string | null) => void} */ resolve) => {
    const answer = fromProtocol(line, size);
    const isEnd = !!answer || isRefusal(line);
    if (isEnd) resolve(answer);
    return isEnd;
  });
}

/** What was saved, if it is an opening. @param {any} data @returns {Opening | null} */
export function unpackOpening(data) {
  const isAnswer = (/** @type {any} */ answer) =>
    typeof answer === "string" && (partsOf(answer).word !== "" || partsOf(answer).points.length > 0);
  const isFine =
    Object.hasOwn(PROCEDURES, data?.name) &&
    typeof data.isFirst === "boolean" &&
    Array.isArray(data.answers) &&
    data.answers.every(isAnswer);
  // What was not finished is asked and answered again.
  return isFine ? { ...newOpening(data.name, data.isFirst), answers: data.answers } : null;
}
