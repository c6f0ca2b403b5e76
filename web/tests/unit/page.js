// A page for modules that draw: elements with attributes, children and listeners. It also finds the modules of
// `src/page`, which the server adds to the page as `shared`. Modules that draw are imported after this one, by
// `await import`.

import { register } from "node:module";

const shared = new URL("../../../src/page/", import.meta.url).href;
const hook = `
  const shared = ${JSON.stringify(shared)};
  export const resolve = (name, context, next) => next(name.replace(/^\\.\\/shared\\//, shared), context);
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

/** An element as far as the page's modules use it. */
class Part {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    /** @type {Record<string, string>} */
    this.attributes = {};
    /** @type {(Part | string)[]} */
    this.nodes = [];
    /** @type {Part | null} */
    this.parent = null;
    /** @type {Record<string, ((event: any) => void)[]>} */
    this.listeners = {};
    this.hidden = false;
    this.disabled = false;
    this.open = false;
    this.value = "";
    this.title = "";
    this.clientWidth = 300;
    this.style = { setProperty() {}, getPropertyValue: () => "" };
  }

  get children() {
    return this.nodes.filter((node) => node instanceof Part);
  }

  get options() {
    return this.children;
  }

  get textContent() {
    return this.nodes.map((/** @type {any} */ node) => node.textContent ?? node).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }

  get className() {
    return this.attributes.class || "";
  }

  set className(names) {
    this.attributes.class = names;
  }

  get classList() {
    const names = new Set(this.className.split(" ").filter(Boolean));
    const keep = (/** @type {() => void} */ change) => {
      change();
      this.className = [...names].join(" ");
    };
    return {
      add: (/** @type {string} */ name) => keep(() => names.add(name)),
      remove: (/** @type {string} */ name) => keep(() => names.delete(name)),
      toggle: (/** @type {string} */ name, /** @type {boolean} */ isOn) =>
        keep(() => (isOn ? names.add(name) : names.delete(name))),
    };
  }

  get dataset() {
    const data = Object.entries(this.attributes).filter(([name]) => name.startsWith("data-"));
    return Object.fromEntries(data.map(([name, value]) => [name.slice(5), value]));
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  /** @param {string} name @param {any} value */
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  /** @param {string} name */
  removeAttribute(name) {
    delete this.attributes[name];
  }

  /** @param {(Part | string)[]} nodes */
  append(...nodes) {
    for (const node of nodes) if (node instanceof Part) node.parent = this;
    this.nodes.push(...nodes);
  }

  /** @param {Part} node */
  appendChild(node) {
    this.append(node);
    return node;
  }

  /** @param {(Part | string)[]} nodes */
  prepend(...nodes) {
    this.replaceChildren(...nodes, ...this.nodes);
  }

  /** @param {(Part | string)[]} nodes */
  replaceChildren(...nodes) {
    this.nodes = [];
    this.append(...nodes);
  }

  remove() {
    if (this.parent) this.parent.nodes = this.parent.nodes.filter((node) => node !== this);
  }

  /** @returns {Part} */
  cloneNode() {
    const copy = new Part(this.tag);
    Object.assign(copy.attributes, this.attributes);
    copy.append(...this.nodes.map((node) => (node instanceof Part ? node.cloneNode() : node)));
    return copy;
  }

  /** @param {string} selector */
  matches(selector) {
    return fits(this, selector);
  }

  /** @param {string} selector @returns {Part[]} */
  querySelectorAll(selector) {
    return this.children.flatMap((child) => [
      ...(fits(child, selector) ? [child] : []),
      ...child.querySelectorAll(selector),
    ]);
  }

  /** @param {string} selector */
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] || null;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: this.clientWidth };
  }

  /** @param {string} name @param {(event: any) => void} listener */
  addEventListener(name, listener) {
    (this.listeners[name] ||= []).push(listener);
  }

  /** An event, which the elements around it receive too. @param {string} name @param {object} [event] */
  fire(name, event = {}) {
    for (let at = /** @type {Part | null} */ (this); at; at = at.parent)
      for (const listener of at.listeners[name] || []) listener({ target: this, preventDefault() {}, ...event });
  }

  focus() {}

  close() {
    this.open = false;
  }

  showModal() {
    this.open = true;
  }
}

/**
 * Whether an element fits `*`, `tag`, `.a`, `[name="value"]`, `.a > .b` or `.a:not(.b, .c)`.
 * @param {Part} part @param {string} selector @returns {boolean}
 */
function fits(part, selector) {
  const [own, around] = selector.split(" > ").reverse();
  if (around && !(part.parent && fits(part.parent, around))) return false;
  const [, simple, others] = /** @type {RegExpExecArray} */ (/^(.*?)(?::not\((.*)\))?$/.exec(own));
  if (others?.split(", ").some((other) => fits(part, other))) return false;
  const attribute = /^\[([\w-]+)="?(.*?)"?\]$/.exec(simple);
  if (attribute) return part.getAttribute(attribute[1]) === attribute[2];
  if (simple.startsWith(".")) return part.className.split(" ").includes(simple.slice(1));
  return simple === "*" || simple === part.tag;
}

/** @type {Record<string, Part>} */
const named = {};

/** The element of the page with a name. @param {string} id @returns {any} */
export const part = (id) => (named[id] ||= new Part("div"));

/** What the page remembers. @type {Record<string, string>} */
export const stored = {};

const storage = {
  getItem: (/** @type {string} */ key) => stored[key] ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ text) => void (stored[key] = text),
};

Object.assign(globalThis, {
  localStorage: storage,
  sessionStorage: storage,
  ResizeObserver: class {
    observe() {}
  },
  // No timer of the page keeps a test alive.
  window: { addEventListener() {}, setInterval() {}, setTimeout: () => 0 },
  document: {
    addEventListener() {},
    querySelector: () => null,
    getElementById: part,
    createElement: (/** @type {string} */ tag) => new Part(tag),
    createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => new Part(tag),
  },
});
