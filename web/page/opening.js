// Swap and swap2: three stones, then the choice of a side. Whose decision it is, and what its answer means.

import { nameOf, parseMoves } from "./notation.js";

/**
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./notation.js").Point} Point
 *
 * An opening that is not over. The first person begins with Black.
 * @typedef {object} Opening
 * @property {"swap" | "swap2"} name
 * @property {boolean} isFirst whether the person is the first of the two
 * @property {string[]} answers so far: stones as `h8i9j8`, `SWAP`, `STAY`
 * @property {number} toPlace stones that the person has yet to place
 * @property {Point[]} placed stones of the answer that is being given
 *
 * The decision that is due: by whom, with which side so far, and what it may be.
 * @typedef {{ isPersons: boolean, side: Side, stones: number, mayChoose: boolean }} Decision
 */

/** @param {"swap" | "swap2"} name @param {boolean} isFirst @returns {Opening} */
export const newOpening = (name, isFirst) => ({ name, isFirst, answers: [], toPlace: 0, placed: [] });

/** @param {string} answer */
const isChoice = (answer) => answer === "SWAP" || answer === "STAY";

/** The decision that is due; `null` when the opening is over. @param {Opening} opening @returns {Decision | null} */
export function decisionOf({ name, isFirst, answers }) {
  if (answers.some(isChoice)) return null;
  const step = answers.length;
  const isOfFirst = step !== 1;
  return {
    isPersons: isOfFirst === isFirst,
    side: isOfFirst ? "black" : "white",
    stones: step === 0 ? 3 : step === 1 && name === "swap2" ? 2 : 0,
    mayChoose: step > 0,
  };
}

/** The side of the person after the answers so far. @param {Opening} opening @returns {Side} */
export function personsSide({ isFirst, answers }) {
  const isBlack = isFirst !== answers.includes("SWAP");
  return isBlack ? "black" : "white";
}

/** Stones of all answers. @param {Opening} opening */
export const stonesOf = ({ answers }) =>
  answers.reduce((sum, answer) => sum + (isChoice(answer) ? 0 : (parseMoves(answer) || []).length), 0);

/** An answer for the protocol. @param {string} answer @param {(point: Point) => string} format */
export const toProtocol = (answer, format) =>
  isChoice(answer) ? answer : (parseMoves(answer) || []).map(format).join(" ");

/**
 * An answer of the protocol; `null` if it is none.
 * @param {string} line
 * @param {(text: string) => Point | null} read
 */
export function fromProtocol(line, read) {
  if (isChoice(line)) return line;
  const points = line.split(" ").map(read);
  return points.length > 0 && points.every(Boolean)
    ? points.map((point) => nameOf(/** @type {Point} */ (point))).join("")
    : null;
}

/** What was saved, if it is an opening. @param {any} data @returns {Opening | null} */
export function unpackOpening(data) {
  const isFine =
    (data?.name === "swap" || data?.name === "swap2") &&
    typeof data.isFirst === "boolean" &&
    Array.isArray(data.answers) &&
    data.answers.every(
      (/** @type {any} */ answer) => typeof answer === "string" && (isChoice(answer) || parseMoves(answer)),
    );
  // Stones of an unfinished answer are placed again.
  return isFine ? { ...newOpening(data.name, data.isFirst), answers: data.answers } : null;
}
