// Labels and shapes on points, as SGF files have them. Knows nothing of the page.

import { nameOf } from "./notation.js";

/**
 * @typedef {import("./notation.js").Point} Point
 *
 * A label on a point, or the sign of a shape.
 * @typedef {{ point: Point, text: string }} PointLabel
 */

/** Signs of the shapes, by their property. */
const SHAPES = { TR: "△", SQ: "□", CR: "○", MA: "×" };
/** Longest label that is kept, in characters. */
const MOST_LABEL = 20;
/** Number of labels of a position that are kept. */
const MOST_LABELS = 1000;

/**
 * The labels and shapes of a node of a file; those on no point are left out.
 * @param {Record<string, string[]>} properties @param {(text: string) => Point | null} pointOf
 * @returns {PointLabel[]}
 */
export function readLabels(properties, pointOf) {
  const shapes = Object.entries(SHAPES).flatMap(([name, sign]) => (properties[name] || []).map((at) => [at, sign]));
  const labels = (properties.LB || []).map((value) => [value.split(":", 1)[0], value.replace(/^[^:]*:?/, "")]);
  return [...shapes, ...labels]
    .slice(0, MOST_LABELS)
    .map(([at, text]) => ({ point: pointOf(at.trim()), text: text.slice(0, MOST_LABEL) }))
    .filter(/** @returns {label is PointLabel} */ (label) => !!label.point && label.text !== "");
}

/**
 * The properties of labels and shapes.
 * @param {PointLabel[]} labels @param {(point: Point) => string} letters @param {(text: string) => string} escape
 */
export function labelText(labels, letters, escape) {
  const signs = Object.entries(SHAPES);
  const property = (/** @type {string} */ name, /** @type {string[]} */ values) =>
    values.length > 0 ? name + values.map((value) => `[${value}]`).join("") : "";
  const shapes = signs.map(([name, sign]) =>
    property(
      name,
      labels.filter(({ text }) => text === sign).map(({ point }) => letters(point)),
    ),
  );
  const others = labels.filter(({ text }) => !signs.some(([, sign]) => text === sign));
  return (
    shapes.join("") +
    property(
      "LB",
      others.map(({ point, text }) => `${letters(point)}:${escape(text)}`),
    )
  );
}

/** A cross on each point. @param {Point[]} points @returns {PointLabel[]} */
export const crosses = (points) => points.map((point) => ({ point, text: SHAPES.MA }));

/** The labels without crosses on these points. @param {PointLabel[]} labels @param {Point[]} points */
export function withoutCrosses(labels, points) {
  const names = new Set(points.map(nameOf));
  return labels.filter(({ point, text }) => text !== SHAPES.MA || !names.has(nameOf(point)));
}

/** Labels as plain data. @param {PointLabel[]} labels */
export const packLabels = (labels) => labels.map(({ point, text }) => [nameOf(point), text]);

/**
 * The labels of {@link packLabels}; what is anything else is left out.
 * @param {any} data @param {(name: string) => Point | null} pointOf
 * @returns {PointLabel[]}
 */
export function unpackLabels(data, pointOf) {
  const read = (/** @type {any} */ label) => {
    const [name, text] = Array.isArray(label) ? label : [];
    const point = typeof name === "string" && typeof text === "string" ? pointOf(name) : null;
    return point && text ? [{ point, text: text.slice(0, MOST_LABEL) }] : [];
  };
  return Array.isArray(data) ? data.slice(0, MOST_LABELS).flatMap(read) : [];
}
