// The values of both engines over a game, with the time of each move below.

const VALUE_HEIGHT = 116;
const TIME_HEIGHT = 30;
const PAD = { left: 6, right: 6, top: 12 };

/** A value as a height from -1 (white wins) to 1 (black wins); what is won or lost lies at the rim. */
function heightOf(stone) {
  const { value } = stone;
  const side = stone.black ? 1 : -1;
  if (value.mate !== undefined) return side * value.side;
  const scale = 1.5 * scaleOf(stone.engine);
  return (side * 0.88 * value.score) / (Math.abs(value.score) + scale);
}

/** The graph in `box`: `show` a game, `mark` a ply of it; `onpick(ply)` when a move is chosen on it. */
function valueGraph(box, onpick) {
  let stones = [];
  let opening = 0;
  let place = 0;
  let width = 0;
  let cursor = s("line", {});
  const middle = PAD.top + VALUE_HEIGHT / 2;
  const full = PAD.top + VALUE_HEIGHT + TIME_HEIGHT + 6;
  const inner = () => width - PAD.left - PAD.right;
  const scaleX = (ply) => PAD.left + (inner() * ply) / Math.max(1, stones.length);
  const y = (height) => middle - (height * (VALUE_HEIGHT - 10)) / 2;
  const across = (name, at) => s("line", { class: name, x1: PAD.left, x2: width - PAD.right, y1: at, y2: at });
  const hint = (x, at, anchor, text) => s("text", { class: "hint", x, y: at, "text-anchor": anchor }, text);

  function mark(ply) {
    place = ply;
    cursor.setAttribute("x1", scaleX(ply));
    cursor.setAttribute("x2", scaleX(ply));
  }
  function dot(stone) {
    const mate = stone.value.mate !== undefined;
    const title = s("title", {}, `${stone.ply}. ${stone.word}: ${showValue(stone.value)}`);
    return s("circle", { class: mate ? "dot mate" : "dot", cx: scaleX(stone.ply), cy: y(heightOf(stone)), r: mate ? 3 : 2.2 }, title);
  }
  function series(black) {
    const known = stones.filter((stone) => stone.black === black && stone.value);
    const at = known.map((stone) => `${scaleX(stone.ply).toFixed(1)} ${y(heightOf(stone)).toFixed(1)}`);
    return s("g", { class: `series ${black ? "black" : "white"}` },
      at.length > 1 && s("path", { d: `M${at.join("L")}` }), known.map(dot));
  }
  function bars() {
    const base = full - 2;
    const longest = Math.max(1, ...stones.map((stone) => stone.ms || 0));
    const bar = Math.max(1, Math.min(8, (inner() / Math.max(1, stones.length)) * 0.7));
    return stones.filter((stone) => stone.ms !== undefined).map((stone) => {
      const height = Math.max(1, (stone.ms / longest) * TIME_HEIGHT);
      return s("rect", {
        class: stone.black ? "bar black" : "bar white",
        x: scaleX(stone.ply) - bar / 2, y: base - height, width: bar, height,
      }, s("title", {}, `${stone.ply}. ${stone.word}: ${duration(stone.ms)}`));
    });
  }
  const redraw = responsive(box, (now) => {
    width = now;
    cursor = s("line", { class: "cursor", y1: PAD.top - 4, y2: full - 2 });
    mark(place);
    const silent = !stones.some((stone) => stone.value);
    return s("svg", { width, height: full, viewBox: `0 0 ${width} ${full}`, "aria-hidden": true },
      opening > 0 && s("rect", {
        class: "opened", x: scaleX(0), y: PAD.top - 4, width: scaleX(opening) - scaleX(0), height: full - PAD.top + 2,
      }),
      across("rim", y(1)), across("rim", y(-1)), across("zero", middle),
      hint(PAD.left + 2, y(1) + 13, "start", "Black wins"),
      hint(PAD.left + 2, y(-1) - 6, "start", "White wins"),
      silent && hint(width / 2, middle - 6, "middle", "The engines reported no values"),
      series(true), series(false), bars(), cursor);
  });

  const pick = (event) => {
    const left = box.getBoundingClientRect().left + PAD.left;
    const ply = Math.round(((event.clientX - left) / inner()) * stones.length);
    onpick(Math.max(0, Math.min(stones.length, ply)));
  };
  box.addEventListener("pointerdown", pick);
  box.addEventListener("pointermove", (event) => event.buttons & 1 && pick(event));

  function show(unpacked) {
    ({ stones, opening } = unpacked);
    redraw();
  }
  return { show, mark };
}
