// Names, clocks and the state of the game around the board.

import { $, h } from "./shared/dom.js";
import { t } from "./strings.js";
import { nameOf as pointName } from "./notation.js";
import { areaKey, fifthsText, isPersons } from "./opening.js";
import { endTitle, other } from "./play.js";
import { LEVELS } from "./settings.js";
import { percentText, rateOf, valueText } from "./values.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Side} Side
 */

/** Controls of openings. */
const OF_OPENINGS = ["take-black", "take-white", "opening-stones", "opening-offer", "fifths-box"];
/** Below this the clock shows tenths, in milliseconds. */
const TENTHS_BELOW = 20000;

/** @param {number} ms */
function clockText(ms) {
  const seconds = ms < TENTHS_BELOW ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = ms < TENTHS_BELOW ? (seconds % 60).toFixed(1) : String(seconds % 60);
  return `${minutes}:${rest.padStart(ms < TENTHS_BELOW ? 4 : 2, "0")}`;
}

/** @param {Desk} desk @param {import("./engine.js").EngineClient} engine */
export function makeSeats(desk, engine) {
  /** @type {Record<Side, HTMLElement | null>} */
  const clocks = { black: null, white: null };

  /** @param {Side} side */
  function nameOf(side) {
    const { match, tree } = desk;
    if (!match) return tree.facts[side] || t(side);
    if (match.human === "both") return t(side);
    return match.human === side
      ? t("you")
      : t(match.level === 10 ? "engine.full" : "engine.level", { level: match.level });
  }

  /** @param {HTMLElement} box @param {Side} side */
  function seat(box, side) {
    const { match, tree } = desk;
    const isTurn =
      desk.sideToMove(match && desk.mode === "play" ? match.tip : desk.tree.current) === side &&
      !match?.result &&
      !tree.end();
    clocks[side] = match?.clock ? h("time", { class: "clock" }, clockText(match.leftMs[side])) : null;
    box.className = `seat ${isTurn ? "turn" : ""} ${match?.result?.winner === side ? "won" : ""}`;
    box.replaceChildren(
      h("i", { class: `disc ${side}`, role: "img", "aria-label": t(side) }),
      h("span", { class: "who" }, nameOf(side)),
      h("span", { class: "soft count" }, tree.current.judged?.state?.status[side] || ""),
      ...(clocks[side] ? [/** @type {HTMLElement} */ (clocks[side])] : []),
    );
  }

  function draw() {
    const near = desk.match && desk.match.human === "white" ? "white" : "black";
    seat($("seat-near"), near);
    seat($("seat-far"), other(near));
  }
  window.setInterval(() => {
    for (const side of /** @type {Side[]} */ (["black", "white"])) {
      const clock = clocks[side];
      if (!clock || !desk.match) continue;
      const text = clockText(desk.match.leftMs[side]);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", desk.match.leftMs[side] < TENTHS_BELOW);
    }
  }, 100);

  /**
   * The line beneath the headline.
   * @param {import("./desk.js").Match} match @param {boolean} isHere @param {boolean} isHinting
   */
  function detail({ result, human, isChallenge, level }, isHere, isHinting) {
    if (desk.refusal) return desk.refusal.text;
    if (desk.note) return desk.note;
    if (isHinting) return t("hint.wait");
    if (desk.hint) return t("hint.shown", { point: pointName(desk.hint) });
    if (result) {
      const why = t(`why.${result.why}`, { side: t(result.winner ? other(result.winner) : "black") });
      const hasUnlocked = isChallenge && result.winner === human && level < LEVELS;
      return hasUnlocked ? `${why} ${t("challenge.unlocked", { level: level + 1 })}` : why;
    }
    if (!isHere) return t("turn.elsewhere-detail");
    const about = human === "both" ? "detail.both" : "detail.play";
    const { rule, size } = desk.tree;
    return t(about, { side: human === "both" ? "" : t(human), rule: t(`rule.${rule}`), size });
  }

  /**
   * The headline of a match, its second line, and the buttons that make sense.
   * @param {{ isThinking: boolean, isHinting: boolean }} state
   */
  function status({ isThinking, isHinting }) {
    const { match, tree } = desk;
    if (!match) return;
    const { result, human } = match;
    const isHere = tree.current === match.tip;
    const side = desk.sideToMove(match.tip);
    const count = match.tip.ply;
    if (match.opening && isHere) return opening(match, match.opening, isThinking);
    for (const id of OF_OPENINGS) $(id).hidden = true;
    $("status").textContent = !isHere
      ? t("turn.elsewhere", { ply: tree.current.ply, count })
      : result
        ? endTitle(match)
        : human === "both"
          ? t("turn.side", { side: t(side) })
          : t(human === side ? "turn.yours" : "turn.engine");
    $("detail").textContent = detail(match, isHere, isHinting);
    $("detail").classList.toggle("alert", !!desk.refusal);
    $("status").classList.toggle("busy", isThinking && isHere);
    const isAlone = match.isChallenge;
    set("undo", { hidden: isAlone || (!!result && result.why === "time"), disabled: !desk.beforeLastMove() });
    set("hint", { hidden: isAlone || !!result, disabled: !desk.mayPlay() || isHinting || !engine.isUp });
    const mayOffer = desk.mayPlay() && !isHinting && !engine.isBroken && match.tip.ply >= 10;
    set("draw", { hidden: !!result, disabled: !mayOffer });
    set("resign", { hidden: !!result, disabled: match.tip.ply === 0 });
    set("hurry", { hidden: !isThinking || isAlone, disabled: false });
    set("rematch", { hidden: !result, disabled: false });
    $("rematch").textContent = t(isAlone ? "challenge.next" : "play.rematch");
    set("study", { hidden: !result, disabled: false });
  }

  /**
   * The state of an opening, with the choices that are due.
   * @param {import("./desk.js").Match} match
   * @param {import("./opening.js").Opening} at
   * @param {boolean} isThinking
   */
  function opening(match, at, isThinking) {
    const { due, task } = at;
    const isMine = isPersons(at);
    const mayChoose = isMine && !!due?.maySwap && task === "";
    const left = (due ? (task === "offer" ? due.offer : due.stones) : 0) - at.given.length;
    $("status").textContent = !isMine
      ? t("turn.engine")
      : t(mayChoose || task === "" ? "opening.choose" : `opening-task.${task}`);
    $("status").classList.toggle("busy", isThinking);
    $("detail").classList.toggle("alert", !!desk.refusal);
    $("detail").textContent =
      desk.refusal?.text ||
      desk.note ||
      (!isMine || !due || (at.given[0] && !left)
        ? t(`opening-rule.${at.name}`)
        : mayChoose
          ? t(due.stones + due.offer > 0 ? "opening.choose-or-more" : "opening.choose-side") + fifthsText(at.answers)
          : task === "stones"
            ? t(areaKey(due), {
                side: t((match.tip.ply + at.given.length) % 2 === 0 ? "black" : "white"),
                count: left,
                area: due.area.side,
              })
            : t(`opening-help.${task}`, { count: left }));
    for (const id of ["undo", "hint", "draw", "resign", "rematch", "study"]) set(id, { hidden: true, disabled: false });
    set("hurry", { hidden: !isThinking, disabled: false });
    set("take-black", { hidden: !mayChoose, disabled: false });
    set("take-white", { hidden: !mayChoose, disabled: false });
    set("opening-stones", { hidden: !mayChoose || !due?.stones, disabled: false });
    set("opening-offer", { hidden: !mayChoose || !due?.offer, disabled: false });
    $("opening-stones").textContent = t(due?.stones === 1 ? "opening.one-more" : "opening.more");
    $("opening-offer").textContent = t("opening.offer", { count: due?.offer || 0 });
    fifths(isMine && task === "stones" ? due?.fifths || 0 : 0);
  }

  /** The choice of a number of fifth moves, up to `most`. @param {number} most */
  function fifths(most) {
    $("fifths-box").hidden = most === 0;
    const select = /** @type {HTMLSelectElement} */ ($("fifths"));
    if (select.options.length === most) return;
    select.replaceChildren(...Array.from({ length: most }, (_, index) => h("option", { value: index + 1 }, index + 1)));
    select.value = String(Math.min(most, 3));
  }

  /** The bar that shows who stands better. @param {import("./tree.js").Value | null} value @param {Side} side */
  function balance(value, side) {
    const box = $("balance");
    const text = value ? t("analysis.rate", { side: t(side) }) : "";
    box.style.setProperty("--black", value ? `${100 * value.black}%` : "50%");
    box.classList.toggle("unknown", !value);
    box.replaceChildren(
      h("span", { class: "share" }),
      h(
        "span",
        { class: "said" },
        !value
          ? "\u00a0"
          : value.mate === undefined
            ? `${text}: ${percentText(value, side)}\u202f%`
            : valueText(value, side),
      ),
    );
    if (value) box.setAttribute("aria-label", `${text} ${Math.round(100 * rateOf(value, side))}\u202f%`);
  }

  return { draw, status, balance };
}

/** @param {string} id @param {{ hidden: boolean, disabled: boolean }} state */
function set(id, { hidden, disabled }) {
  const button = /** @type {HTMLButtonElement} */ ($(id));
  button.hidden = hidden;
  button.disabled = disabled;
}
