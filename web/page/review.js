// The review of a game that several engines share: each takes a few moves at a time. The result is the same for any number
// of engines. Knows nothing of the page.

import { Cancelled } from "./engine.js";
import { askJoin, askPart, askReview } from "./study.js";

/**
 * @typedef {import("./engine.js").EngineClient} EngineClient
 * @typedef {import("./engine.js").Position} Position
 * @typedef {import("./study.js").Effort} Effort
 * @typedef {import("./study.js").Reviewed} Reviewed
 * @typedef {import("./tree.js").Summary} Summary
 *
 * Moves in a row, by the numbers of the first and the last, with what is known of them.
 * @typedef {{ first: number, last: number, reviewed: Reviewed[], line: string }} Part
 */

/**
 * Fewest and most moves of a part. The positions around its ends are searched twice, and what an engine has found of a part is
 * lost when the review is stopped.
 */
const MOVES = { least: 3, most: 8 };

/**
 * Splits a game: smaller parts towards the end, so that the engines end at about the same time.
 * @param {number} count moves @param {number} engines
 */
export function split(count, engines) {
  /** @type {Part[]} */
  const parts = [];
  for (let first = 1; first <= count;) {
    const left = count - first + 1;
    const wanted = Math.max(MOVES.least, Math.min(MOVES.most, Math.ceil(left / (2 * engines))));
    const length = left - wanted < MOVES.least ? left : wanted;
    parts.push({ first, last: first + length - 1, reviewed: [], line: "" });
    first += length;
  }
  return parts;
}

/**
 * Reviews games, and remembers the parts of the last one.
 * @param {EngineClient} engine
 */
export function makeReviewer(engine) {
  let known = { key: "", parts: /** @type {Part[]} */ ([]) };

  /**
   * As {@link askReview}.
   * @param {Position} game @param {Effort} effort @param {(reviewed: Reviewed) => void} onMove
   * @returns {{ result: Promise<Summary | null>, cancel: () => void }}
   */
  return function review(game, effort, onMove) {
    const count = Math.min(engine.most, Math.floor(game.moves.length / MOVES.least));
    if (count < 2) return askReview(engine, game, effort, onMove);
    const key = JSON.stringify([game.size, game.rule, game.start, game.moves, effort, count]);
    if (known.key !== key) known = { key, parts: split(game.moves.length, count) };
    return shareParts(engine, count, known.parts, game, effort, onMove);
  };
}

/**
 * Lets an engine and others beside it review the parts that are not known yet.
 * @param {EngineClient} engine @param {number} count engines @param {Part[]} parts
 * @param {Position} game @param {Effort} effort @param {(reviewed: Reviewed) => void} onMove
 */
function shareParts(engine, count, parts, game, effort, onMove) {
  let isWanted = true;
  const open = parts.filter((part) => !part.line);
  /** What ends the work of each engine. @type {Set<() => void>} */
  const ends = new Set();
  for (const part of parts) if (part.line) part.reviewed.forEach(onMove);

  /** @param {EngineClient} from @param {Part} part */
  async function ask(from, part) {
    part.reviewed = [];
    const asked = askPart(from, game, effort, part, (reviewed) => {
      if (!isWanted) return;
      part.reviewed.push(reviewed);
      onMove(reviewed);
    });
    ends.add(asked.cancel);
    const line = await asked.result.finally(() => ends.delete(asked.cancel));
    part.line = line || "";
    return !!line;
  }

  /** Takes parts until none is left. A helper that fails gives its part back. */
  async function help() {
    const helper = engine.another();
    if (!helper) return;
    const broken = new Promise((resolve) => (helper.onState = (state) => state === "up" || resolve(false)));
    const close = () => helper.close();
    ends.add(close);
    for (let part = open.shift(); part; part = open.shift()) {
      const isDone = await Promise.race([ask(helper, part).catch(() => false), broken]);
      if (isDone) continue;
      if (isWanted) open.unshift(part);
      break;
    }
    ends.delete(close);
    close();
  }

  async function run() {
    const helpers = Array.from({ length: Math.min(count, open.length) - 1 }, help);
    for (let isReady = false; !isReady;) {
      for (let part = open.shift(); part; part = open.shift()) if (!(await ask(engine, part))) return null;
      await Promise.all(helpers);
      isReady = open.length === 0;
    }
    if (!isWanted) throw new Cancelled();
    return askJoin(
      engine,
      game,
      parts.map((part) => part.line),
    );
  }

  const result = run().finally(end);
  result.catch(() => {});
  function end() {
    isWanted = false;
    for (const one of [...ends]) one();
  }
  return { result, cancel: end };
}
