// Points and moves as text: h8, lists of moves, links. Knows nothing of the page.

/**
 * A point: column from the left and row from the bottom, from 0. A move may choose among several captures, from 1.
 * @typedef {{ x: number, y: number, choice?: number }} Point
 */

/** Smallest and largest side of a board. */
export const SIDES = { least: 5, most: 20 };

/** @param {Point} point */
export const nameOf = (point) => String.fromCharCode(97 + point.x) + (point.y + 1);

/** @param {Point | null | undefined} a @param {Point | null | undefined} b */
export const isSame = (a, b) => !!a && !!b && a.x === b.x && a.y === b.y;

/** Whether moves are the same, with the captures that they choose; without a choice, the first. @param {Point | null} a @param {Point} b */
export const isSameMove = (a, b) => !!a && isSame(a, b) && (a.choice || 1) === (b.choice || 1);

/** A move with the capture that it chooses, if it is not the first: `h8/2`. @param {Point} move */
export const nameOfMove = (move) => nameOf(move) + (Number(move.choice) > 1 ? `/${move.choice}` : "");

/** @param {Point[]} moves */
export const formatMoves = (moves) => moves.map(nameOf).join("");

/**
 * The moves in a text such as `h8i9`, `h8 i9` or `1. h8 2. i9`.
 * @param {string} text @param {boolean} [hasChoices] whether moves may choose among captures, such as `h8/2`
 * @returns {Point[] | null} `null` if the text is anything else.
 */
export function parseMoves(text, hasChoices = false) {
  const bare = text.replace(/\b\d+\s*[.)]\s*/g, " ").replace(/[\s,;|-]+/g, "");
  const isList = hasChoices ? /^([a-z]\d{1,2}(\/\d)?)*$/i : /^([a-z]\d{1,2})*$/i;
  if (!isList.test(bare)) return null;
  return Array.from(bare.matchAll(/([a-z])(\d{1,2})(?:\/(\d))?/gi), ([, letter, row, choice]) => ({
    x: letter.toLowerCase().charCodeAt(0) - 97,
    y: Number(row) - 1,
    ...(Number(choice) > 1 && { choice: Number(choice) }),
  }));
}

/**
 * Whether the moves are different points of a board.
 * @param {Point[]} moves @param {number} size
 */
export function fits(moves, size) {
  const names = new Set(moves.map(nameOf));
  return names.size === moves.length && moves.every(({ x, y }) => x >= 0 && y >= 0 && x < size && y < size);
}

/**
 * The smallest usual board for moves: 15, or 20 if they need it.
 * @param {Point[]} moves
 */
export const sizeFor = (moves) => (moves.every(({ x, y }) => x < 15 && y < 15) ? 15 : SIDES.most);

/**
 * Bytes as text for addresses.
 * @param {string} text
 */
export function toLinkText(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * The text that {@link toLinkText} was given, or `null`.
 * @param {string} text
 */
export function fromLinkText(text) {
  try {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
  } catch {
    return null;
  }
}
