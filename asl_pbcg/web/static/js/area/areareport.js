// The report on an area game in the page: the curve, whose points open the game, and the words.

import { get, post, remove } from "../api.js";
import { playOnFrom } from "./areabranch.js";
import { h, put, svg } from "../dom.js";

const [HEIGHT, LEFT, FOOT] = [220, 34, 22];
const NARROW = "(max-width: 800px)";

/** The section of the report; `save` keeps the page that stands alone. */
export function reportSection(game, save) {
  const at = `${game.base}/area/report`;
  const told = h("span", { class: "quiet", role: "status" });
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "How far the report is" });
  const box = h("div", { class: "report" });
  let given = false; // up
  const button = h("button", { data: { action: "report" }, on: { click: async () => {
    button.disabled = true;
    try {
      await post(at);
      bar.hidden = stop.hidden = false;
      for (given = false; !given;) {
        const found = await get(at);
        bar.value = found.done;
        told.textContent = found.page ? "" : `Imagined games are played: ${Math.round(found.done * 100)}%`;
        if (found.page) {
          draw(box, found, game, save);
          break;
        }
        if (!bar.isConnected) return;
        await new Promise((wake) => setTimeout(wake, 700));
      }
    } catch (error) {
      if (!given) await game.wrong(error);
    } finally {
      button.disabled = false;
      bar.hidden = stop.hidden = true;
      told.textContent = "";
    }
  } } }, "Make the report");
  const stop = h("button", { hidden: true, data: { action: "give-report-up" }, on: { click: () => {
    given = true;
    remove(at).catch((error) => game.wrong(error));
  } } }, "Give it up");
  return [h("h2", {}, "Report"), h("p", { class: "quiet" }, "Expected VP turn by turn, turning points, the orders that cost most, the balance of luck and decisions, your place among games of the good player. It takes a minute or more; you may look elsewhere meanwhile and ask again."),
    h("div", { class: "row" }, button, bar, told, stop), box];
}

function draw(box, { page, curve, sections }, game, save) {
  const chosen = h("p", { class: "row curvepoint", role: "status" }, h("span", { class: "quiet" }, "A point of the curve opens the game there."));
  const choose = (point) => {
    const where = { turn: point.turn, german: point.german };
    const words = `turn ${point.turn}, ${point.phase}`;
    put(chosen, h("span", {}, h("b", {}, `Turn ${point.turn}`), `, ${point.phase}: ${point.vp} VP (give or take ${point.error})`), h("button", { data: { action: "branch" }, on: { click: () => playOnFrom(game, where, words, `turn ${point.turn}`) } }, "Play on from here …"));
  };
  put(box, curve.length ? [drawn(curve, choose), chosen] : "",
    sections.map(([heading, lines]) => [h("h3", {}, heading), h("ul", { class: "listed" }, lines.map((each) => h("li", {}, each)))]),
    h("div", { class: "row" }, h("button", { data: { action: "save-report" }, on: { click: () => save(page) } }, "Save as HTML")));
}

/** The curve; the points of phases that were played are buttons. */
function drawn(curve, choose) {
  const narrow = globalThis.matchMedia(NARROW).matches;
  const width = narrow ? 350 : 640;
  const [least, most] = [Math.min(...curve.map((each) => each.vp - each.error)) - 2, Math.max(...curve.map((each) => each.vp + each.error)) + 2];
  const x = (n) => LEFT + ((width - LEFT - 10) * n) / Math.max(1, curve.length - 1);
  const y = (vp) => HEIGHT - FOOT - ((vp - least) / (most - least)) * (HEIGHT - FOOT - 8);
  const step = [1, 2, 5, 10, 20].find((each) => (most - least) / each <= 8) ?? 50;
  const ticks = [...Array(Math.floor(most / step) - Math.ceil(least / step) + 1).keys()].map((n) => (Math.ceil(least / step) + n) * step);
  const first = (point, n) => point.end || ((!n || curve[n - 1].turn !== point.turn) && (!narrow || point.turn % 3 === 1));
  return svg("svg", { class: "curve", viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": "Expected VP, turn by turn" },
    ticks.map((vp) => [svg("path", { d: `M${LEFT} ${y(vp)}H${width - 10}`, class: "grid" }), svg("text", { x: LEFT - 5, y: y(vp) + 3, "text-anchor": "end" }, vp)]),
    curve.map((point, n) => [svg("path", { d: `M${x(n)} ${y(point.vp - point.error)}V${y(point.vp + point.error)}`, class: "error" }),
      first(point, n) ? svg("text", { x: x(n), y: HEIGHT - 7, "text-anchor": "middle" }, point.end ? "end" : point.turn) : ""]),
    svg("path", { d: `M${curve.map((point, n) => `${x(n)} ${y(point.vp)}`).join("L")}`, class: "line" }),
    curve.map((point, n) => (point.end ? svg("circle", { cx: x(n), cy: y(point.vp), r: 3.5, class: "last" })
      : svg("g", { class: "point", role: "button", tabindex: 0, "aria-label": `Turn ${point.turn}, ${point.phase}: ${point.vp} VP`, data: { point: n },
        on: { click: () => choose(point), keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(point); } } } },
      svg("circle", { cx: x(n), cy: y(point.vp), r: 9, class: "reach" }), svg("circle", { cx: x(n), cy: y(point.vp), r: 3.5 })))));
}
