// The database in the analysis: its moves on the board and in a list, and the comment on the position.

import { $, h } from "./shared/dom.js";
import { askDatabase, gamesOf, inGroups, scoreOf, valueOf } from "./database.js";
import { CutOff } from "./engine.js";
import { isSame, nameOf } from "./notation.js";
import { isVariant } from "./rules.js";
import { t } from "./strings.js";
import { percentText, rateOf, valueText } from "./values.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./database.js").Known} Known
 * @typedef {import("./database.js").KnownMove} KnownMove
 * @typedef {import("./database.js").KnownPosition} KnownPosition
 */

/** Longest text of a point that fits on the board, in characters. */
const SHORT = 3;

/** What is known after a question failed; one that broke the link is not asked again. @param {Error} error @returns {Known | null} */
const unanswered = (error) =>
  error instanceof CutOff ? { moves: [], here: null, best: null, comment: "", error: t("refused.silent") } : null;

/**
 * @param {Desk} desk @param {import("./engine.js").EngineClient} engine
 * @param {ReturnType<typeof import("./settings.js").openSettings>} settings
 * @param {{ play: (point: Point) => void, look: (point: Point | null) => void, redraw: () => void }} page
 */
export function makeDatabase(desk, engine, settings, page) {
  /** Answers by position; a position that was asked about has an entry. @type {WeakMap<Node, Known | null>} */
  let known = new WeakMap();
  /** What the list shows, so that it is built only when that changes. */
  let listed = "";
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  box.addEventListener("change", () => settings.set({ database: box.checked }));
  $("database-switch").append(h("label", { class: "switch" }, box, h("span", {}, t("database.on-board"))));

  const isShown = () => desk.mode === "analyse" && engine.database !== "" && !isVariant(desk.tree.rule);
  /** @param {Node} [node] */
  const answer = (node = desk.tree.current) => (isShown() && known.get(node)) || null;

  async function ask() {
    const node = desk.tree.current;
    const moves = desk.tree.fromEmpty(node);
    if (!isShown() || !moves || known.has(node) || !engine.isUp) return;
    known.set(node, null);
    const asked = known;
    const { size, rule } = desk.tree;
    const found = await askDatabase(engine, { size, rule, moves }).catch(unanswered);
    if (found) asked.set(node, found);
    else asked.delete(node);
    if (desk.tree.current === node) page.redraw();
  }

  function update() {
    const { current } = desk.tree;
    ask();
    $("database-panel").hidden = !isShown();
    if (!isShown()) return;
    box.checked = settings.values.database;
    $("database-name").textContent = engine.database;
    $("database-name").title = engine.database;
    const mover = desk.sideToMove();
    const { side } = settings.values;
    const found = answer();
    const isPlain = !!desk.tree.fromEmpty(current);
    const state = JSON.stringify([mover, side, found, isPlain, current.ply]);
    // Until the answer comes, what is listed stays in its place, and nobody can choose it.
    const isPending = isPlain && !found && known.has(current);
    $("database-box").inert = isPending;
    if (isPending) return;
    $("database-legend").hidden = !settings.values.database || !found?.moves.length;
    $("database-legend").textContent = t("database.legend", { side: t(side) });
    if (state === listed) return;
    listed = state;
    $("database-comment").textContent = found?.comment || "";
    $("database-here").replaceChildren(...here(found?.here || null, mover === "black" ? "white" : "black", side));
    $("database-moves").replaceChildren(...groups().map((moves) => row(moves, mover, side, found?.best || null)));
    $("database-box").hidden = !found?.comment && !found?.here && !found?.moves.length;
    $("database-box").scrollTop = 0;
    $("database-state").textContent = stateOf(found, isPlain);
  }

  /** What is known, moves that are the same by symmetry together, the best first. */
  const groups = () => inGroups(answer()?.moves || [], desk.tree.fromEmpty() || [], desk.tree.size, desk.sideToMove());

  /** @param {KnownMove[]} moves @param {Side} mover @param {Side} side @param {Point | null} best */
  function row(moves, mover, side, best) {
    const [move] = moves;
    const buttons = moves.map(({ point }) =>
      h(
        "button",
        {
          class: `move by-${mover}`,
          type: "button",
          onclick: () => page.play(point),
          onpointerenter: () => page.look(point),
          onpointerleave: () => page.look(null),
          onfocus: () => page.look(point),
          onblur: () => page.look(null),
        },
        nameOf(point),
      ),
    );
    const isBest = moves.some(({ point }) => isSame(point, best));
    const details = detailsOf(move, mover, side, [
      isBest && t("database.best"),
      move.hasComment && t("database.commented"),
    ]);
    return h("li", { class: "line" }, rateCell(move, mover, side), h("div", {}, buttons, details));
  }

  /** The position itself. @param {KnownPosition | null} position @param {Side} mover made the last move @param {Side} side */
  function here(position, mover, side) {
    if (!position) return [];
    const name = h("b", {}, t("database.here"));
    return [rateCell(position, mover, side), h("div", {}, name, detailsOf(position, mover, side, []))];
  }

  return {
    update,
    /** Forgets what was known: another database is open, or none. */
    renew() {
      known = new WeakMap();
      page.redraw();
    },
    /** The moves as marks on the board. @returns {import("./board_view.js").Known[]} */
    marks() {
      if (!settings.values.database) return [];
      const mover = desk.sideToMove();
      return groups().flatMap((moves, rank) =>
        moves.map((move) => ({
          ...markOf(move, mover, settings.values.side),
          isBest: rank === 0 && !!valueOf(move, mover),
        })),
      );
    },
  };
}

/** What is said in place of a list, or above it. @param {Known | null} found @param {boolean} isPlain */
function stateOf(found, isPlain) {
  if (!isPlain) return t("database.not-here");
  if (!found) return "";
  if (found.error) return t("database.error", { reason: found.error });
  return found.moves.length > 0 || found.here || found.comment ? "" : t("database.nothing");
}

/** @param {KnownPosition} move @param {Side} mover @param {Side} side */
function rateCell(move, mover, side) {
  const value = valueOf(move, mover);
  const rate = h("b", { class: "rate" }, rateText(move, mover, side));
  if (value) {
    rate.title = valueText(value, side);
    rate.style.setProperty("--rate", `${100 * rateOf(value, side)}%`);
  }
  return rate;
}

/** A chance or a win in the list. @param {KnownPosition} move @param {Side} mover @param {Side} side */
function rateText(move, mover, side) {
  const value = valueOf(move, mover);
  if (!value) return { "!": "!", x: "\u00d7" }[move.label] || move.label;
  if (value.mate) return `${value.mate > 0 === (side === "black") ? "+" : "\u2212"}M${Math.abs(value.mate)}`;
  // A bound of the position after the move is the opposite bound of the move.
  const isAtLeast = (move.bound === 1) === (side === mover);
  const bound = value.mate === undefined && move.bound !== 3 ? (isAtLeast ? "\u2265" : "\u2264") : "";
  return bound + percentText(value, side);
}

/** @param {KnownPosition} move @param {Side} mover @param {Side} side @param {(string | false)[]} marks */
function detailsOf(move, mover, side, [best, comment]) {
  const count = gamesOf(move);
  const rate = count > 0 && move.games ? Math.round(100 * scoreOf(move.games, side === mover)) : 0;
  const parts = [
    best,
    move.label === "!" && t("database.forced"),
    move.label === "x" && t("database.blocked"),
    move.bound !== 0 && move.depth > 0 && t("database.depth", { depth: move.depth }),
    count > 0 && t("database.games", { count, rate }),
    comment,
  ].filter(Boolean);
  return [
    move.text && h("span", { class: "point-text" }, move.text),
    h("span", { class: "soft" }, parts.join(" \u00b7 ")),
  ];
}

/**
 * A move on the board: its value, or else its text, its label, or the results of its games.
 * @param {KnownMove} move @param {Side} mover @param {Side} side
 */
function markOf(move, mover, side) {
  const { point } = move;
  const value = valueOf(move, mover);
  if (value) {
    const rate = value.mate === undefined ? `${percentText(value, side)}\u202f%` : valueText(value, side);
    const said = value.mate === undefined ? t("analysis.candidate", { rate, side: t(side) }) : rate;
    return { point, text: percentText(value, side), isOfGames: false, label: t("database.mark", { text: said }) };
  }
  const games = gamesOf(move);
  const score = move.games && games > 0 ? `${Math.round(100 * scoreOf(move.games, side === mover))}` : "";
  const [sign] = [rateText(move, mover, side)];
  const text = move.text ? [...move.text].slice(0, SHORT).join("") : sign || score || "\u00b7";
  const isOfGames = !move.text && !sign && score !== "";
  const said =
    move.text || sign || (score && t("database.games", { count: games, rate: score })) || t("database.known");
  return { point, text, isOfGames, label: t("database.mark", { text: said }) };
}
