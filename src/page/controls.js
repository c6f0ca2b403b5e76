// Parts that every viewer of games has: icons, stones in text, scrolling, fingers.

/** How far a finger moves for one move, in pixels. */
const SWIPE_STEP = 26;

const ICONS = {
  "to-start": "M6 5v14M19 5l-10 7 10 7z",
  back: "M16 5L6 12l10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  forward: "M8 5l10 7-10 7z",
  "to-end": "M18 5v14M5 5l10 7-10 7z",
};

const icon = (name) => s("svg", { viewBox: "0 0 24 24", "aria-hidden": true }, s("path", { d: ICONS[name] }));
const disc = (black) => h("i", { class: `disc ${black ? "black" : "white"}`, role: "img", "aria-label": black ? "Black" : "White" });

/** Scrolls `box`, which is positioned, and nothing else, so far that `element` is seen. */
function reveal(element, box) {
  const top = element.offsetTop;
  if (top < box.scrollTop) box.scrollTop = top - 8;
  const below = top + element.offsetHeight - box.clientHeight;
  if (below > box.scrollTop) box.scrollTop = below + 8;
}

/** A finger that moves sideways over `box` steps through the game: to the left is on. */
function swipe(box, onstep) {
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse") from = event.clientX;
  });
  box.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const steps = Math.trunc((from - event.clientX) / SWIPE_STEP);
    if (steps === 0) return;
    from -= steps * SWIPE_STEP;
    onstep(steps);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) box.addEventListener(end, () => (from = null));
}
