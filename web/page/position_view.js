// What the board shows of the desk: a picture as plain data.

import { nameOf } from "./notation.js";
import { isHexagonal } from "./rules.js";
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
 * @param {Pick<import("./board_view.js").Picture, "forbidden" | "threats" | "excluded" | "known">} over
 * @returns {import("./board_view.js").Picture}
 */
function board(desk, settings, over) {
  const { tree, refusal } = desk;
  const opening = desk.mode === "play" && desk.match?.tip === tree.current ? desk.match.opening : null;
  const node = tree.current;
  const path = tree.path();
  const end = tree.end();
  const label = (/** @type {number} */ ply) =>
    ply > 0 && (settings.numbers === "all" || (settings.numbers === "last" && ply === node.ply)) ? String(ply) : "";
  const isBlackToMove = tree.isBlackToMove();
  const rows = refusal?.judged ? refusal.judged.rows : end ? node.judged?.rows || [] : [];
  const stones = stonesOf(tree, path, node.judged?.state);
  return {
    stones: [
      ...stones.map((stone) => ({ ...stone, label: label(stone.ply) })),
      ...(opening?.task === "stones" ? givenStones(opening, node.ply) : []),
    ],
    blocked: tree.start?.blocked || [],
    removed: node.judged?.state?.removed || [],
    last: node.move,
    rows: { points: rows, isFoul: !!refusal || end?.why === "foul" },
    ...over,
    // Renju forbids points to Black, whichever side is to move; other games to the side to move.
    barred: tree.rule === "renju" || isBlackToMove ? "black" : "white",
    branches: opening ? openingMarks(opening) : letteredPoints(desk, stones),
    area: opening?.task === "stones" ? areaOf(opening.due, tree.size) : null,
    hint: desk.hint,
    refused: refusal?.judged ? { point: refusal.point, isBlack: isBlackToMove } : null,
    isBlackToMove,
    mayPlay: desk.mayPlay(),
    candidates: [],
    ghosts: [],
  };
}

/**
 * The stones of a position: those that were set up and of the moves, or of a state, with the number of their moves, 0 for
 * others.
 * @param {import("./tree.js").GameTree} tree
 * @param {import("./tree.js").Node[]} path @param {import("./tree.js").State | undefined} state
 * @returns {{ point: import("./notation.js").Point, isBlack: boolean, ply: number }[]}
 */
function stonesOf(tree, path, state) {
  const placed = tree.start?.stones.map((stone) => ({ ...stone, ply: 0 })) || [];
  if (!state) {
    const played = path.map((at) => ({
      point: /** @type {any} */ (at.move),
      isBlack: tree.isByBlack(at),
      ply: at.ply,
    }));
    return [...placed, ...played];
  }
  const plies = new Map(path.map((at) => [nameOf(/** @type {any} */ (at.move)), at.ply]));
  const stones = state.stones.map((stone) => ({ ...stone, ply: plies.get(nameOf(stone.point)) || 0 }));
  return stones.sort((a, b) => a.ply - b.ply);
}

/**
 * Free points with a text: variations, and labels of the file on other points.
 * @param {Desk} desk @param {{ point: import("./notation.js").Point }[]} stones
 */
function letteredPoints({ mode, tree }, stones) {
  const { children, labels } = tree.current;
  const variations = mode === "analyse" && children.length > 1 ? children : [];
  const letters = variations.map((child, index) => ({
    point: /** @type {any} */ (child.move),
    text: String.fromCharCode(65 + (index % 26)),
  }));
  const taken = new Set([...stones, ...letters].map(({ point }) => nameOf(point)));
  // Of a label and a shape on one point, the label is shown.
  const shown = new Map(labels.map((label) => [nameOf(label.point), label]));
  const free = Array.from(shown.values()).filter(({ point }) => !taken.has(nameOf(point)));
  return [...letters, ...free.map(({ point, text }) => ({ point, text: text.slice(0, 3) }))];
}

/**
 * Fifth moves that are offered, by either side.
 * @param {import("./opening.js").Opening} opening
 */
function openingMarks({ task, given, due }) {
  const points = task === "offer" ? given : due?.offered || [];
  return points.map((point, index) => ({ point, text: String.fromCharCode(65 + index) }));
}

/**
 * Stones of an answer that is not complete.
 * @param {import("./opening.js").Opening} opening @param {number} ply
 */
const givenStones = ({ given }, ply) =>
  given.map((point, index) => ({
    point,
    isBlack: (ply + index) % 2 === 0,
    label: String(ply + index + 1),
    ply: ply + index + 1,
  }));

/**
 * The square in which or outside which a stone is to be placed.
 * @param {import("./opening.js").Due | null} due @param {number} size
 */
function areaOf(due, size) {
  if (!due || due.area.side === 0) return null;
  const [x, y] = [size >> 1, size - 1 - (size >> 1)];
  return { x, y, reach: due.area.side >> 1 };
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
  // In Gomoku Roku only the engine knows whose a later move is.
  const isBlack = (/** @type {number} */ index) =>
    index > 0 && isHexagonal(desk.tree.rule) ? null : (index % 2 === 0) === (toMove === "black");
  const ghosts = shown.some((point) => desk.tree.stoneAt(point))
    ? []
    : shown.map((point, index) => ({ point, isBlack: isBlack(index), label: String(ply + index + 1) }));
  return { candidates, ghosts };
}

/** A position that is being set up. @param {import("./tree.js").Start} start @returns {import("./board_view.js").Picture} */
function setup({ stones, blocked, toMove }) {
  return {
    blocked,
    stones: stones.map(({ point, isBlack }) => ({ point, isBlack, label: "", ply: 0 })),
    last: null,
    rows: { points: [], isFoul: false },
    forbidden: [],
    barred: "black",
    excluded: [],
    known: [],
    threats: [],
    branches: [],
    removed: [],
    area: null,
    hint: null,
    refused: null,
    isBlackToMove: toMove === "black",
    mayPlay: false,
    candidates: [],
    ghosts: [],
  };
}

export const pictureOn = { board, lines, setup };
