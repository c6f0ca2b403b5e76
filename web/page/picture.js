// The board as a picture of its own: SVG with its styles written in, still or moving, or PNG.

/** Properties of style that a picture needs. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-dasharray",
  "stop-color",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "opacity",
  "display",
];
/** Side of a PNG, in pixels. */
const PNG_SIDE = 1200;

/** Time for each move of an animation, and moves' time for the end, in milliseconds. */
const MOVE_MS = 900;
const PAUSE_MOVES = 3;
/** With motion reduced by the system, the picture shows the last position. */
const STILL = "@media (prefers-reduced-motion: reduce) { [data-point] { opacity: 1 !important } }";

/** @param {SVGElement} svg */
export const pictureOf = (svg) => textOf(drawn(svg, null));

/**
 * The moves to the position that is shown, one after the other, again and again.
 * @param {SVGElement} svg @param {number} placed number of set-up stones, which precede the stones of the moves
 */
export const animationOf = (svg, placed) => textOf(drawn(svg, placed));

/** Lets a stone appear with its move. @param {Element} stone @param {number} number @param {number} count */
function animate(stone, number, count) {
  const share = (number / (count + PAUSE_MOVES)).toFixed(4);
  const animation = document.createElementNS("http://www.w3.org/2000/svg", "animate");
  for (const [name, value] of Object.entries({
    attributeName: "opacity",
    calcMode: "discrete",
    values: "0;1",
    keyTimes: `0;${share}`,
    dur: `${((count + PAUSE_MOVES) * MOVE_MS) / 1000}s`,
    repeatCount: "indefinite",
  }))
    animation.setAttribute(name, value);
  stone.append(animation);
}

/**
 * A copy of the board with its styles written in.
 * @param {SVGElement} svg
 * @param {number | null} placed stones that stand from the beginning of an animation; `null` for a still picture
 */
function drawn(svg, placed) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      // References are to this page's address; in the picture they are to itself.
      if (value) to[index].setAttribute(property, value.replace(/url\("?[^"#]*(#[\w-]+)"?\)/, "url($1)"));
    }
    to[index].removeAttribute("class");
  });
  if (placed !== null) {
    const stones = to.filter((_, index) => from[index].matches(".stones > .stone")).slice(placed);
    stones.forEach((stone, index) => animate(stone, index + 1, stones.length));
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = STILL;
    copy.prepend(style);
  }
  // A stone under the pointer is not on the board. Marks belong to the last position, blocked points to every one.
  const unwanted = placed === null ? ".hover" : ".layer:not(.stones, .blocked)";
  to.forEach((element, index) => from[index].matches(unwanted) && element.replaceChildren());
  copy.querySelectorAll('[display="none"]').forEach((element) => element.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("aria-hidden");
  copy.setAttribute("width", String(PNG_SIDE));
  copy.setAttribute("height", String(PNG_SIDE));
  return copy;
}

/** @param {SVGElement} svg */
const textOf = (svg) => new XMLSerializer().serializeToString(svg);

/** @param {SVGElement} svg @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureOf(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PNG_SIDE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, PNG_SIDE, PNG_SIDE);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))),
  );
}
