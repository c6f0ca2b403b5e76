// The board as a picture of its own: SVG with its styles written in, or PNG.

/** Properties of style that a picture needs. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
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

/** @param {SVGElement} svg */
export function pictureOf(svg) {
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
  copy.querySelectorAll('[display="none"]').forEach((element) => element.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("aria-hidden");
  copy.setAttribute("width", String(PNG_SIDE));
  copy.setAttribute("height", String(PNG_SIDE));
  return new XMLSerializer().serializeToString(copy);
}

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
