// The only functions that add to the page: elements with attributes, and text that is never read as HTML.

const SVG = "http://www.w3.org/2000/svg";
/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Record<string, any> | null | undefined} attributes
 * @param {any[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/**
 * An HTML element. Attributes `onclick` and the like are listeners, `--x` are custom properties.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...any} children
 */
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...any} children
 */
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Draws `paint(width)` into `box` now and whenever its width changes. */
function responsive(box, paint) {
  let width = 0;
  const draw = (force) => {
    const now = Math.round(box.clientWidth);
    if (now === 0 || (now === width && !force)) return;
    width = now;
    box.replaceChildren(paint(width));
  };
  new ResizeObserver(() => draw(false)).observe(box);
  draw(true);
  return () => draw(true);
}

const plural = (count, one, many) => `${group(count)} ${count === 1 ? one : many || one + "s"}`;

/** 12345 as 12 345, with a narrow space that does not break. */
const group = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

const percent = (share) => `${(100 * share).toFixed(1)}\u202f%`;

/** Points with halves: 5½. */
function points(wins, draws) {
  const whole = wins + Math.floor(draws / 2);
  return draws % 2 ? `${whole ? group(whole) : ""}½` : group(whole);
}

const signed = (number) => (number < 0 ? `\u2212${-number}` : number > 0 ? `+${number}` : "0");

/** A time in milliseconds as people say it. */
function duration(ms) {
  if (ms > 0 && ms < 0.1) return "< 0.1 ms";
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59950) return `${(ms / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;
  // Rounded before it is split: no 1 min 60 s.
  const [seconds, minutes] = [Math.round(ms / 1000), Math.round(ms / 60000)];
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A count in thousands and millions. */
function short(count) {
  if (count < 10000) return group(count);
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e5 ? 1 : 0)} k`;
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} M` : `${(count / 1e9).toFixed(1)} G`;
}

/** About `count` round numbers from `low` to `high`: powers of ten, times one of `factors`. */
function ticks(low, high, count, factors = [1, 2, 5, 10]) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = factors.map((factor) => factor * power).find((step) => step >= rough) || 10 * power;
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) found.push(tick);
  return found;
}

export { $, duration, fill, group, h, percent, plural, points, responsive, s, short, signed, ticks };
