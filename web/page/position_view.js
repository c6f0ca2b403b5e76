// What the board shows of the desk: a picture as plain data.

import { nameOf } from "./notation.js";
import { t } from "./strings.js";
import { blackRate, percentText, rateOf, valueText } from "./values.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./live.js").Line} Line
 */

/**
 * Stones, marks and rows.
 * @param {Desk} desk
 * @param {import("./settings.js").Settings} settings
 * @param {import("./notation.js").Point[]} forbidden
 * @returns {import("./board_view.js").Picture}
 */
function board(desk, settings, forbidden) {
  const { tree, refusal } = desk;
  const node = tree.current;
  const path = tree.path();
  const end = tree.end();
  const label = (/** @type {number} */ ply) =>
    settings.numbers === "all" || (settings.numbers === "last" && ply === node.ply) ? String(ply) : "";
  const isBlackToMove = tree.isBlackToMove();
  const rows = refusal?.judged ? refusal.judged.rows : end ? node.judged?.rows || [] : [];
  return {
    stones: path.map((at) => ({
      point: /** @type {any} */ (at.move),
      isBlack: at.ply % 2 === 1,
      label: label(at.ply),
      ply: at.ply,
    })),
    last: node.move,
    rows: { points: rows, isFoul: !!refusal || end?.why === "foul" },
    forbidden: settings.forbidden && !end && isBlackToMove ? forbidden : [],
    branches:
      desk.mode === "analyse" && node.children.length > 1
        ? node.children.map((child, index) => ({
            point: /** @type {any} */ (child.move),
            text: String.fromCharCode(65 + (index % 26)),
          }))
        : [],
    hint: desk.hint,
    refused: refusal?.judged ? { point: refusal.point, isBlack: isBlackToMove } : null,
    isBlackToMove,
    mayPlay: desk.mayPlay(),
    candidates: [],
    ghosts: [],
  };
}

/**
 * Candidates of an analysis, and the line that is looked at.
 * @param {Desk} desk @param {Line[]} found
 * @param {{ line: Line, count: number } | null} looked @param {import("./desk.js").Side} side
 */
function lines(desk, found, looked, side) {
  const toMove = desk.sideToMove();
  const { ply } = desk.tree.current;
  const best = found[0]?.rate ?? 0;
  const candidates = desk.tree.end()
    ? []
    : found.map((line, rank) => {
        const value = blackRate(line, toMove);
        return {
          point: line.moves[0],
          text: percentText(value, side),
          isBest: rank === 0,
          // Pale where a move is much worse than the best.
          strength: Math.max(0.35, 1 - 2 * (best - line.rate)),
          label:
            line.mate === undefined
              ? t("analysis.candidate", { rate: `${Math.round(100 * rateOf(value, side))}\u202f%`, side: t(side) })
              : valueText(value, side),
        };
      });
  const shown = looked ? looked.line.moves.slice(0, looked.count) : [];
  const taken = new Set(desk.tree.moves().map(nameOf));
  const ghosts = shown.some((point) => taken.has(nameOf(point)))
    ? []
    : shown.map((point, index) => ({ point, isBlack: (ply + index) % 2 === 0, label: String(ply + index + 1) }));
  return { candidates, ghosts };
}

export const pictureOn = { board, lines };
