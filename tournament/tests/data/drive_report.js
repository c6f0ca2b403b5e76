"use strict";
// Acts on a report like a user; the test reads what it observes. `<`, `>` and `&` must not occur in it.
const see = {};
const one = (id) => document.getElementById(id);
const stones = () => Array.from(document.querySelectorAll("#board .stone:not(.off)"), (stone) => stone.dataset.point);
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const point = (target, type, x, y, more) => target.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, bubbles: true, pointerType: "touch", ...more }));
const choose = (id, value) => {
  one(id).value = value;
  one(id).dispatchEvent(new Event("input", { bubbles: true }));
};

one("viewer").focus();
see.start = stones();
for (let i = 0; i !== 3; i++) press("ArrowRight");
see["three right"] = stones();
press("ArrowLeft");
see["one left"] = stones();
press("End");
see.end = stones();
see["winning rows"] = document.querySelectorAll("#board .rows:not(.off) path").length;
press("ArrowRight");
see["beyond the end"] = stones();
press("Home");
see.home = stones();
point(one("board"), "pointerdown", 200, 300);
point(one("board"), "pointermove", 146, 300);
point(one("board"), "pointerup", 146, 300);
see.swipe = stones();
one("forward").click();
see.button = stones();
const graph = one("graph").getBoundingClientRect();
point(one("graph"), "pointerdown", graph.left + graph.width / 2, graph.top + 20);
see["middle of the graph"] = stones();
document.querySelector("#board .stone").dispatchEvent(new MouseEvent("click", { bubbles: true }));
see.stone = stones();
see["cross rows"] = document.querySelectorAll("#cross tbody tr").length;
see.ratings = document.querySelectorAll("#ratings .rated").length;
see.courses = document.querySelectorAll("#timeline .course .line").length;
see.listed = document.querySelectorAll("#list a").length;
choose("ending", "failure");
see.failures = document.querySelectorAll("#list a").length;
// The numbers of some links, and of the games that they open.
const opened = (links) => {
  let [counted, shown] = [0, 0];
  for (const link of links) {
    counted += Number(/[0-9]+/.exec(link.getAttribute("aria-label") || link.textContent)[0]);
    link.click();
    shown += document.querySelectorAll("#list a").length;
  }
  return [counted, shown];
};
see.given = opened(document.querySelectorAll("#ending-bars .given"));
see["lost on time"] = opened(Array.from(document.querySelectorAll(".late a")));
one("clear").click();
choose("ending", "=crash");
document.querySelector("#list a").click();
see.evidence = one("evidence").textContent.replace(/[<>&]/g, " ");
choose("ending", "=foul");
document.querySelector("#list a").click();
see.foul = [".rows.foul:not(.off) path", ".crossed:not(.off)"].map((mark) => document.querySelector(`#board ${mark}`) !== null);
one("clear").click();
see.width = document.documentElement.scrollWidth === document.documentElement.clientWidth;
document.querySelector('#list [data-game="1"]').click();
press("n");
see["next game"] = document.querySelector("#players .where b").textContent;
press("p");
press("Home");
press(" ");
setTimeout(() => {
  see.played = stones();
  see.errors = window.errors || [];
  const pre = document.createElement("pre");
  pre.id = "seen";
  pre.textContent = JSON.stringify(see);
  document.body.append(pre);
}, 2500);
