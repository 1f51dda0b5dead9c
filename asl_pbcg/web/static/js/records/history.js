// Looking back: the map of every date under a slider, losses and points by date, the dice.

import { get, text } from "../api.js";
import { Board } from "../board/board.js";
import { capital, h, put, sideBadge, svg } from "../dom.js";
import { tableButtons } from "./tables.js";
import { defs, drawAreas, drawControl, drawCounters, drawSigns, LAYERS } from "../board/layers.js";

export async function lookingBack(page, game) {
  const [{ dates }, { falls }] = await Promise.all([get(`${game.base}/history`), get(`${game.base}/dice`)]);
  const stops = [...dates.filter((each) => each.over), { date: "", title: "Now" }];
  const window = h("div", { class: "board" });
  const box = h("div", { class: "backmap" }, window);
  const label = h("output", { class: "backlabel" });
  const slider = h("input", { type: "range", min: 0, max: stops.length - 1, value: stops.length - 1, step: 1, "aria-label": "CG Date", data: { action: "slider" } });
  const seesOne = Boolean(game.state.eyes) || game.state.viewer !== "both";
  const tables = [["dates", "CG Dates"], ["dice", "Dice"], ["luck", "Luck"], ...(seesOne ? [["losses", "Honours and losses"]] : [])];
  put(page, h("div", { class: "reading wide" }, h("h1", {}, "Looking back"),
    h("p", { class: "row", data: { tables: "" } }, h("span", { class: "quiet" }, "Download as CSV or Excel:"),
      tables.map(([name, title]) => h("span", { class: "row" }, title, tableButtons(game, name, title)))),
    h("section", { class: "backbox" }, h("div", { class: "row" }, label, slider), box),
    h("section", {}, h("h2", {}, "By CG Date"), dates.length ? plots(dates) : h("p", { class: "quiet" }, "The first scenario is still to be played.")),
    dates.some((each) => each.diary?.length) ? h("section", {}, h("h2", {}, "Notes"), diary(dates)) : "",
    h("section", {}, h("h2", {}, "The dice"), dice(falls))));
  const [geometry, drawing] = await Promise.all([get(`${game.base}/board`), text(`${game.base}/board.svg`)]);
  const board = new Board(window, geometry, "The map of that date");
  board.root.prepend(defs());
  board.paint(drawing);
  const all = new Set(LAYERS.map(([name]) => name));
  const kept = new Map();
  const show = async () => {
    const stop = stops[Number(slider.value)];
    label.textContent = stop.date ? `After ${stop.title}` : "Now";
    slider.setAttribute("aria-valuetext", label.textContent);
    try {
      if (!kept.has(stop.date)) kept.set(stop.date, await get(`${game.base}/map`, stop.date ? { at: stop.date } : {}));
    } catch (error) {
      await game.wrong(error);
      return;
    }
    if (stops[Number(slider.value)] !== stop) return;
    const map = kept.get(stop.date);
    box.dataset.date = stop.date || "now";
    drawAreas(board, map, all);
    drawControl(board, map, all);
    drawSigns(board, map, all);
    drawCounters(board, map, all);
  };
  slider.addEventListener("input", show);
  board.onTap = (event) => {
    const id = event.target.closest?.("[data-piece]")?.dataset.piece;
    if (id) game.map.piece(id);
  };
  await show();
}

function diary(dates) {
  return h("dl", { class: "diary" }, dates.filter((each) => each.diary?.length).map((each) => [h("dt", {}, each.title), each.diary.map((words) => h("dd", {}, words))]));
}

const PLOTS = [
  ["Casualty VP lost", [["british", "british_cvp_lost", "British"], ["german", "german_cvp_lost", "German"]]],
  ["CPP of the German", [["german", "cpp_available", "available"], ["soft", "cpp_spent", "spent"]]],
  ["FPP spent", [["british", "british_fpp_spent", "British"], ["german", "german_fpp_spent", "German"]]],
];

function plots(dates) {
  const found = PLOTS.map(([title, series]) => [title, series.filter(([, key]) => dates.some((each) => typeof each[key] === "number"))]).filter(([, series]) => series.length);
  if (!found.length) return h("p", { class: "quiet" }, "No losses or points are on record yet that this viewer may know.");
  return h("div", { class: "plots" }, found.map(([title, series]) => plot(title, series, dates)));
}

function plot(title, series, dates) {
  const most = Math.max(1, ...series.flatMap(([, key]) => dates.map((each) => each[key] ?? 0)));
  const wide = 46 * dates.length + 30;
  const bar = 30 / series.length;
  return h("figure", { class: "plot" }, h("figcaption", {}, h("strong", {}, title), " ", series.map(([colour, , name]) => h("span", { class: `key ${colour}` }, name))),
    svg("svg", { viewBox: `0 0 ${wide} 120`, role: "img", "aria-label": `${title}: ${dates.map((each) => `${each.title} ${series.map(([, key, name]) => `${name} ${each[key] ?? "none"}`).join(", ")}`).join("; ")}` },
      svg("path", { d: `M24 95H${wide}`, class: "axis" }),
      dates.map((each, n) => [
        svg("text", { x: 44 + n * 46, y: 110, "text-anchor": "middle" }, each.title),
        series.map(([colour, key], m) => (typeof each[key] === "number" ? [
          svg("rect", { x: 29 + n * 46 + m * bar, y: 95 - (80 * each[key]) / most, width: bar - 2, height: Math.max(0.6, (80 * each[key]) / most), class: `bar ${colour}` }),
          svg("text", { x: 29 + n * 46 + m * bar + bar / 2 - 1, y: 91 - (80 * each[key]) / most, "text-anchor": "middle", class: "figure" }, each[key])] : "")),
      ])));
}

const chance = (share) => (share >= 0.001 && share <= 0.999 ? `${(100 * share).toFixed(1)}%` : `${(100 * share).toFixed(3)}%`);

function dice(falls) {
  if (!falls.length) return h("p", { class: "quiet" }, "Nothing has been thrown yet that this viewer has seen.");
  return h("div", { class: "falls" }, falls.map((fall) => {
    const ways = expected(fall.dice);
    const most = Math.max(...fall.faces, ...ways.map((each) => each * fall.count));
    const step = 150 / fall.faces.length;
    return h("figure", { class: "fall" },
      h("figcaption", {}, sideBadge(fall.side, fall.side ? capital(fall.side) : "Nobody's"), ` ${fall.count} ${{ 1: "dr", 2: "DR" }[fall.dice] ?? `${fall.dice}d6`}`),
      svg("svg", { viewBox: "0 0 156 74", role: "img", "aria-label": `How often each total came: ${fall.faces.map((count, n) => `${n + fall.dice}: ${count}`).join(", ")}` },
        fall.faces.map((count, n) => [
          svg("rect", { x: 3 + n * step, y: 58 - (52 * count) / most, width: step - 2, height: (52 * count) / most, class: "bar plainbar" }),
          svg("path", { d: `M${2 + n * step} ${58 - (52 * ways[n] * fall.count) / most}h${step}`, class: "expected" }),
          svg("text", { x: 3 + n * step + step / 2 - 1, y: 69, "text-anchor": "middle" }, n + fall.dice)])),
      h("p", {}, `mean ${fall.mean.toFixed(2)}, expected ${fall.expected}`),
      h("p", { class: "quiet" }, fall.lower === null ? "Too few to say more." : `A series as low or lower: ${chance(fall.lower)}; as high or higher: ${chance(fall.higher)}.`));
  }));
}

/** The exact chance of each total of so many dice. */
function expected(count) {
  let ways = [1];
  for (let n = 0; n < count; n += 1) {
    const next = Array(ways.length + 5).fill(0);
    ways.forEach((each, at) => [0, 1, 2, 3, 4, 5].forEach((face) => (next[at + face] += each / 6)));
    ways = next;
  }
  return ways;
}
