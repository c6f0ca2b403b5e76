// The reviews of the page, and black's win rate along a game.

const data = JSON.parse($("data").textContent);
const { games } = data;

const ERRORS = ["inaccuracy", "mistake", "blunder", "missed-win"];
const isError = (move) => ERRORS.includes(move.mark);
const words = (mark) => mark.replace("-", " ");
const isBlack = (move) => move.color === "black";
/** Black's win rate after a move. */
const rateAfter = (move) => (isBlack(move) ? move.winrate_after : 1 - move.winrate_after);
const rounded = (rate) => `${Math.round(100 * rate)}\u202f%`;
const playerName = (game, black) => (black ? game.black : game.white) || (black ? "Black" : "White");
/** The better line of a move that was an error. */
const betterLine = (move) => (move && isError(move) && move.best && move.best !== move.move ? move.line : null);

const GRAPH_HEIGHT = 120;
const PAD = { left: 6, right: 6, top: 14, bottom: 6 };

/** The graph in `box`: `show` a game, `mark` a ply of it; `onpick(ply)` when a move is chosen on it. */
function rateGraph(box, onpick) {
  let moves = [];
  let place = 0;
  let width = 0;
  let cursor = s("line", {});
  const inner = () => width - PAD.left - PAD.right;
  const x = (ply) => PAD.left + (inner() * ply) / Math.max(1, moves.length);
  const y = (rate) => PAD.top + (1 - rate) * GRAPH_HEIGHT;
  const across = (name, rate) => s("line", { class: name, x1: PAD.left, x2: width - PAD.right, y1: y(rate), y2: y(rate) });
  const hint = (at, text) => s("text", { class: "hint", x: PAD.left + 2, y: at }, text);

  function mark(ply) {
    place = ply;
    cursor.setAttribute("x1", x(ply));
    cursor.setAttribute("x2", x(ply));
  }
  const redraw = responsive(box, (now) => {
    width = now;
    const full = PAD.top + GRAPH_HEIGHT + PAD.bottom;
    cursor = s("line", { class: "cursor", y1: PAD.top - 4, y2: full });
    mark(place);
    const points = moves.map((move) => `${x(move.ply).toFixed(1)} ${y(rateAfter(move)).toFixed(1)}`).join("L");
    const dots = moves.filter(isError).map((move) => s("circle", {
      class: `error mark-${move.mark}`, cx: x(move.ply), cy: y(rateAfter(move)), r: 3.5,
    }, s("title", {}, `${move.ply}. ${move.move}: ${words(move.mark)}`)));
    return s("svg", { width, height: full, viewBox: `0 0 ${width} ${full}`, "aria-hidden": true },
      points && s("path", { class: "area", d: `M${x(1)} ${y(0)}L${points}L${x(moves.length)} ${y(0)}Z` }),
      across("rim", 1), across("rim", 0), across("zero", 0.5),
      hint(y(1) + 13, "Black wins"), hint(y(0) - 5, "White wins"),
      points && s("path", { class: "curve", d: `M${points}` }), dots, cursor);
  });
  const pick = (event) => {
    const left = box.getBoundingClientRect().left + PAD.left;
    const ply = Math.round(((event.clientX - left) / inner()) * moves.length);
    onpick(Math.max(0, Math.min(moves.length, ply)));
  };
  box.addEventListener("pointerdown", pick);
  box.addEventListener("pointermove", (event) => event.buttons & 1 && pick(event));

  function show(game) {
    moves = game.moves;
    redraw();
  }
  return { show, mark };
}
