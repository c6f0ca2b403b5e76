// The board with its stones, and points.

import { s } from "./dom.js";

/** Columns and rows of `15x15`. */
function sides(size) {
  const [width, height] = size.split("x").map(Number);
  return { width, height: height || width };
}

/** `h8i9` as points with `x` from the left and `y` from the bottom, both from 0, and the text. */
function parsePoints(text) {
  return Array.from(text.matchAll(/([a-z])(\d+)/gi), ([word, letter, number]) => ({
    word: word.toLowerCase(),
    x: letter.toLowerCase().charCodeAt(0) - 97,
    y: Number(number) - 1,
  }));
}

/** The stones and blocked points of a FEN. */
function parsePosition(fen) {
  const placed = [];
  const blocked = [];
  const rows = fen.split(" ")[0].split("/");
  rows.forEach((row, index) => {
    const y = rows.length - 1 - index;
    let x = 0;
    for (const [word] of row.matchAll(/\d+|[xo#]/gi)) {
      const point = { x, y, word: `${letter(x)}${y + 1}` };
      if (word === "#") blocked.push(point);
      else if (/[xo]/i.test(word)) placed.push({ ...point, black: /x/i.test(word) });
      x += Number(word) || 1;
    }
  });
  return { placed, blocked };
}

const letter = (x) => String.fromCharCode(97 + x);

/** Lines and star points of a board; a cell is 1 wide, the lowest left point is 0,0 and y grows downwards on paper. */
function gridOf(width, height) {
  const lines = [];
  for (let x = 0; x < width; x++) lines.push(`M${x} 0V${1 - height}`);
  for (let y = 0; y < height; y++) lines.push(`M0 ${-y}H${width - 1}`);
  const grid = [s("path", { class: "lines", d: lines.join("") }), s("rect", {
    class: "edge", x: 0, y: 1 - height, width: width - 1, height: height - 1,
  })];
  const stars = [];
  if (width % 2 && height % 2 && width >= 9 && height >= 9) stars.push([(width - 1) / 2, (height - 1) / 2]);
  if (width === height && (width === 15 || width === 19)) {
    const far = width - 4;
    stars.push([3, 3], [3, far], [far, 3], [far, far]);
  }
  return grid.concat(stars.map(([x, y]) => s("circle", { class: "star", cx: x, cy: -y, r: 0.1 })));
}

/** The way from the first to the last point of a row. */
function rowPath(row) {
  const [first, last] = [row[0], row[row.length - 1]];
  return `M${first.x} ${-first.y}L${last.x} ${-last.y}`;
}

/** Wood, lines and names of an empty board, with `layers` upon it. */
function boardFrame(width, height, ...layers) {
  const names = [];
  for (let x = 0; x < width; x++) names.push(s("text", { class: "name", x, y: 0.98 }, letter(x)));
  for (let y = 0; y < height; y++) names.push(s("text", { class: "name", x: -0.86, y: -y + 0.12 }, String(y + 1)));
  const gradient = (id, ...stops) => s("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" },
    stops.map(([offset, name]) => s("stop", { offset, class: name })));
  return s("svg", { viewBox: `-1.3 ${-height + 0.3} ${width + 0.98} ${height + 0.98}`, role: "img" },
    s("defs", {}, gradient("black-stone", [0, "b0"], [1, "b1"]), gradient("white-stone", [0.3, "w0"], [1, "w1"])),
    s("rect", { class: "wood", x: -1.3, y: -height + 0.3, width: width + 0.98, height: height + 0.98, rx: 0.35 }),
    gridOf(width, height), s("g", { class: "names", "aria-hidden": true }, names), layers);
}

/** A stone with `inner` upon it. */
const stoneShape = (point, isBlack, attributes, ...inner) =>
  s("g", { class: `stone ${isBlack ? "black" : "white"}`, "data-point": point.word, ...attributes },
    s("circle", { class: "shadow", cx: point.x + 0.03, cy: -point.y + 0.05, r: 0.46 }),
    s("circle", { class: "body", cx: point.x, cy: -point.y, r: 0.455 }), inner);

/** A number on a stone. */
const stoneNumber = (point, label) =>
  s("text", { class: `number d${label.length}`, x: point.x, y: -point.y }, label);

/**
 * A board that shows a game; `show(ply)` puts its first stones on it. Stones of the opening have a ring for a number, and
 * `label` replaces the number of the ply; rows are those that end the game, by a foul if `isFoul`. Stones that are
 * `placed` before the first move, and `blocked` points, are always there.
 */
function largeBoard(unpacked, onpick) {
  const { width, height, stones, rows, opening, isFoul, placed = [], blocked = [] } = unpacked;
  const marks = s("g", { class: `rows ${isFoul ? "foul" : "five"}` },
    rows.map((row) => s("path", { d: rowPath(row) })));
  const drawn = stones.map((stone) => {
    const inner = stone.opening
      ? s("circle", { class: "opened", cx: stone.x, cy: -stone.y, r: 0.2 })
      : stoneNumber(stone, String(stone.label || stone.ply));
    return stoneShape(stone, stone.black, { onclick: () => onpick(stone.ply) }, inner);
  });
  const walls = blocked.map(({ x, y }) => s("rect", { class: "wall", x: x - 0.4, y: -y - 0.4, width: 0.8, height: 0.8, rx: 0.1 }));
  const before = placed.map((stone) => stoneShape(stone, stone.black, {}));
  const last = s("circle", { class: "last", r: 0.455 });
  const cross = s("path", { class: "crossed", d: "M-.2-.2L.2 .2M.2-.2L-.2 .2" });
  const svg = boardFrame(width, height, walls, marks, s("g", {}, before, drawn), last, cross);
  function show(ply) {
    drawn.forEach((stone, index) => stone.classList.toggle("off", index >= ply));
    const stone = stones[ply - 1];
    const ended = ply === stones.length;
    const foul = ended && rows.length > 0 && isFoul;
    marks.classList.toggle("off", !ended);
    last.classList.toggle("off", !stone);
    cross.classList.toggle("off", !foul);
    if (stone) {
      last.setAttribute("cx", String(stone.x));
      last.setAttribute("cy", String(-stone.y));
      cross.setAttribute("transform", `translate(${stone.x} ${-stone.y})`);
    }
    svg.setAttribute("aria-label", stone
      ? `${width} by ${height} board after ${ply} of ${stones.length} stones; the last is ${stone.black ? "black" : "white"} on ${stone.word}${ply <= opening ? ", of the opening" : ""}`
      : placed.length + blocked.length > 0
        ? `Position before the first move on a ${width} by ${height} board`
        : `Empty ${width} by ${height} board`);
  }
  return { svg, show };
}

export { boardFrame, gridOf, largeBoard, letter, parsePoints, parsePosition, rowPath, sides, stoneNumber, stoneShape };
