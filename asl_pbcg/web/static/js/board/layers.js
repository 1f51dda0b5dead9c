// What lies on the board: Control, Setup Areas, No Man's Land, Isolation, Fortifications, counters.

import { capital, svg } from "../dom.js";
import { SIZE, counter, sign, words } from "./counters.js";

export const LAYERS = [
  ["areas", "Setup Areas"], ["nml", "No Man's Land"], ["isolated", "Isolation"], ["control", "Control"],
  ["forts", "Fortifications"], ["entry", "Entry Areas"], ["names", "Names"], ["counters", "Counters"],
];
/** The hex of a Location, which is written as hex and level: Z15/1. */
export const hexOf = (place) => place.split("/")[0];
/** Whether a piece waits off map, at an Entry Area: off-map A7. */
export const isOffMap = (place) => place.startsWith("off-map");
const levelOf = (place) => place.split("/")[1];

const SIDES = ["N", "NE", "SE", "S", "SW", "NW"];

const ring = (place) => `M${place.corners.map((each) => each.join(" ")).join("L")}Z`;

export function defs() {
  const hatch = (id, side, angle) => svg("pattern", { id, width: 6.5, height: 6.5, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${angle})` },
    svg("path", { d: "M0 0V6.5", class: `hatch ${side}` }));
  return svg("defs", {}, hatch("hatch-british", "british", 45), hatch("hatch-german", "german", -45),
    svg("pattern", { id: "dots", width: 6.4, height: 11.2, patternUnits: "userSpaceOnUse" },
      svg("circle", { cx: 1.6, cy: 2.8, r: 0.75, class: "dot" }), svg("circle", { cx: 4.8, cy: 8.4, r: 0.75, class: "dot" })));
}

/** The outer edges of a set of hexes, as one path. */
function boundary(geometry, hexes) {
  const count = new Map();
  const key = (a, b) => (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? `${a}|${b}` : `${b}|${a}`);
  for (const name of hexes) {
    const place = geometry.hexes[name];
    if (!place) continue;
    place.corners.forEach((corner, n) => {
      const next = place.corners[(n + 1) % 6];
      // Corners of two hexes may differ in the last figure.
      const near = ([x, y]) => [Math.round(x * 2), Math.round(y * 2)];
      const edge = key(near(corner), near(next));
      count.set(edge, count.has(edge) ? null : [corner, next]);
    });
  }
  return [...count.values()].filter(Boolean).map(([a, b]) => `M${a.join(" ")}L${b.join(" ")}`).join("");
}

const union = (geometry, hexes) => hexes.filter((each) => geometry.hexes[each]).map((each) => ring(geometry.hexes[each])).join("");

function plate(board, side, label, hex, isolated, count, data, busy) {
  const middle = board.centre(hex);
  if (!middle) return "";
  const at = busy ? [middle[0], middle[1] - 17] : middle;
  const wide = Math.max(19, 9 + 6.6 * label.length);
  const shape = side === "british" ? svg("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 9 })
    : svg("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 1.5 });
  const more = count ? svg("g", { class: "held", transform: `translate(${wide / 2 + 3} 0)` },
    svg("rect", { x: 0, y: -7, width: 21, height: 14, rx: 3 }), svg("text", { x: 10.5, y: 4, "text-anchor": "middle" }, `▪${count}`)) : "";
  const name = `${capital(side)} Setup Area ${label}${isolated ? ", Isolated" : ""}${count ? `, ${count} piece${count === 1 ? "" : "s"}` : ""}`;
  return svg("g", { class: `plate ${side} ${isolated ? "isolated" : ""}`, transform: `translate(${at[0]} ${at[1]}) scale(${busy ? 0.72 : 1})`, role: "img", "aria-label": name, data },
    svg("g", { class: "grows" }, shape, svg("text", { y: 5, "text-anchor": "middle" }, label), more));
}

/** A hex of an area where its plate covers little: the one nearest the area's middle. */
function middle(board, hexes, busy) {
  const all = hexes.map((each) => [each, board.centre(each)]).filter(([, at]) => at);
  const free = all.filter(([each]) => !busy.has(each));
  const places = free.length ? free : all;
  if (!places.length) return undefined;
  const cx = places.reduce((sum, [, at]) => sum + at[0], 0) / places.length;
  const cy = places.reduce((sum, [, at]) => sum + at[1], 0) / places.length;
  return places.reduce((best, each) => (Math.hypot(each[1][0] - cx, each[1][1] - cy) < Math.hypot(best[1][0] - cx, best[1][1] - cy) ? each : best))[0];
}

export function areasOf(map) {
  if (map.areas) {
    return Object.entries(map.areas.sides).flatMap(([side, found]) => found.setup_areas.map((area) => ({ ...area, side })));
  }
  return (map.first_setup ?? []).map((area) => ({ ...area, isolated: false, strategic_locations: [], first: true }));
}

/** Draw areas, No Man's Land and Isolation again. `shown` is a set of layer names. */
export function drawAreas(board, map, shown) {
  const { geometry, layers } = board;
  const shade = [];
  const lines = [];
  const labels = [];
  const nml = map.areas?.no_mans_land ?? [];
  if (shown.has("nml") && nml.length) {
    const d = union(geometry, nml);
    shade.push(svg("path", { d, class: "nml", data: { layer: "no-mans-land" } }), svg("path", { d, fill: "url(#dots)" }));
  }
  const held = new Map();
  for (const piece of map.counters ?? []) {
    if (piece.area && !piece.at) held.set(`${piece.side} ${piece.area}`, (held.get(`${piece.side} ${piece.area}`) ?? 0) + 1);
  }
  const busy = new Set((map.counters ?? []).map((each) => each.at && hexOf(each.at)).filter(Boolean));
  for (const list of [map.fortifications, map.terrain, map.gliders]) for (const each of list ?? []) busy.add(hexOf(each.at));
  const clips = [];
  areasOf(map).forEach((area, n) => {
    const hexes = area.hexes;
    const d = union(geometry, hexes);
    const data = { area: `${area.side}-${area.id}` };
    if (d && shown.has("areas")) {
      shade.push(svg("path", { d, class: `area ${area.side}`, data }));
      clips.push(svg("clipPath", { id: `area-${n}` }, svg("path", { d })));
      const edge = boundary(geometry, hexes);
      lines.push(svg("g", { "clip-path": `url(#area-${n})` }, svg("path", { d: edge, class: "casing" }), svg("path", { d: edge, class: `edge ${area.side}` })));
    }
    if (d && area.isolated && shown.has("isolated")) shade.push(svg("path", { d, fill: `url(#hatch-${area.side})`, data: { layer: "isolated" } }));
    if (shown.has("areas")) {
      const at = middle(board, hexes, busy) ?? area.strategic_locations?.slice(0, 1).map(hexOf)[0];
      labels.push(plate(board, area.side, area.id, at, area.isolated, held.get(`${area.side} ${area.id}`), data, busy.has(at)));
    }
  });
  layers.shade.replaceChildren(...shade);
  layers.areas.replaceChildren(...clips, ...lines);
  layers.labels.replaceChildren(...labels.filter(Boolean));
}

/** Draw who Controls which Strategic Location. */
export function drawControl(board, map, shown) {
  const found = [];
  if (shown.has("control")) {
    const seen = new Map();
    for (const side of ["british", "german"]) {
      for (const place of map.control?.[side] ?? []) {
        const [hex, level] = [hexOf(place), levelOf(place)];
        const at = board.centre(hex);
        if (!at) continue;
        const depth = seen.get(hex) ?? 0;
        seen.set(hex, depth + 1);
        const by = 0.86 - depth * 0.16;
        const points = board.geometry.hexes[hex].corners.map(([x, y]) => `${at[0] + (x - at[0]) * by},${at[1] + (y - at[1]) * by}`).join(" ");
        found.push(svg("polygon", { points, class: `held ${side}`, role: "img", "aria-label": `${place} ${capital(side)}-Controlled`, data: { control: side, location: place } }));
        if (level) found.push(svg("text", { x: at[0], y: at[1] - 12 + depth * 6, class: `level ${side}`, "text-anchor": "middle" }, level));
      }
    }
  }
  board.layers.control.replaceChildren(...found);
}

const spot = (n, of) => (of > 1 ? [(n - (of - 1) / 2) * 11, 11] : [0, 11]);

/** Draw Fortifications, fires, wrecks and gliders. */
export function drawSigns(board, map, shown) {
  const by = new Map();
  const put = (at, draw) => {
    const hex = hexOf(at);
    if (board.centre(hex)) by.set(hex, [...(by.get(hex) ?? []), draw]);
  };
  if (shown.has("forts")) {
    for (const each of map.fortifications ?? []) {
      const says = [each.kind, each.size ? `${each.size}` : "", each.strength, each.owner, each.hidden ? "hidden" : "", each.at].filter(Boolean).join(" ");
      put(each.at, (x, y) => sign(each.kind, x, y, each.owner, says, { fortification: each.kind, at: each.at }));
    }
  }
  for (const each of map.terrain ?? []) put(each.at, (x, y) => sign(each.kind, x, y, each.side, `${each.kind} ${each.type ?? ""} ${each.at}`, { terrain: each.kind, at: each.at }));
  const drawn = [];
  for (const [hex, list] of by) {
    const [cx, cy] = board.centre(hex);
    list.forEach((draw, n) => {
      const [dx, dy] = spot(n, list.length);
      drawn.push(draw(cx + dx, cy + dy));
    });
  }
  const listed = (map.counters ?? []).some((each) => each.type === "Glider" && each.at);
  for (const each of listed ? [] : (map.gliders ?? [])) {
    const at = board.centre(hexOf(each.at));
    if (at) drawn.push(counter({ id: `glider ${each.at}`, type: each.state === "wrecked" ? "wreck" : "Glider", kind: "glider", side: "british", status: each.state === "wrecked" ? ["abandoned"] : [] }, at[0], at[1] - 3, SIZE * 0.9));
  }
  board.layers.signs.replaceChildren(...drawn);
}

/** The counters of each hex, whoever possesses something above what he possesses. */
export function stacksOf(map) {
  const items = new Map((map.counters ?? []).map((each) => [each.id, each]));
  const carried = new Set((map.counters ?? []).flatMap((each) => each.possesses ?? []));
  const stacks = new Map();
  const push = (piece, hex) => stacks.set(hex, [...(stacks.get(hex) ?? []), piece]);
  for (const piece of map.counters ?? []) {
    if (!piece.at || isOffMap(piece.at) || carried.has(piece.id)) continue;
    const hex = hexOf(piece.at);
    for (const id of piece.possesses ?? []) if (items.has(id)) push(items.get(id), hex);
    push(piece, hex);
  }
  return stacks;
}

const SHOWN = 4;

/** Draw all counters in their stacks; `skip` hides those that are being dragged. */
export function drawCounters(board, map, shown, skip) {
  const found = [];
  if (shown.has("counters")) {
    for (const [hex, all] of stacksOf(map)) {
      const at = board.centre(hex);
      const stack = skip ? all.filter((each) => !skip.has(each.id)) : all;
      if (!at || !stack.length) continue;
      found.push(drawStack(stack, hex, at));
    }
  }
  board.layers.counters.replaceChildren(...found);
}

function drawStack(stack, hex, at) {
  const sides = new Set(stack.map((each) => each.side));
  const group = svg("g", { class: "stack", role: "group", "aria-label": `${hex}: ${stack.map(words).join("; ")}`, data: { stack: hex } });
  const split = sides.size > 1;
  [...sides].forEach((side, n) => {
    const own = stack.filter((each) => each.side === side);
    const top = own.slice(-SHOWN);
    const dx = split ? (n ? 7 : -7) : 0;
    top.forEach((piece, depth) => {
      const back = top.length - 1 - depth;
      group.append(counter(piece, at[0] + dx + back * 1.9 - 1.5, at[1] - back * 1.9 + 1.5, split ? SIZE * 0.82 : SIZE));
    });
    if (own.length > 1) {
      group.append(svg("g", { class: `count ${side}`, transform: `translate(${at[0] + dx - 15} ${at[1] - 9})` }, // beside the strength and the marks
        svg("circle", { r: 5.6 }), svg("text", { y: 2.7, "text-anchor": "middle" }, own.length)));
    }
  });
  // The counters cover the printed name: it steps aside, to the lower edge of the hex.
  group.append(svg("text", { x: at[0], y: at[1] + 21, class: "stackname", "text-anchor": "middle", "aria-hidden": "true" }, hex));
  return group;
}

/** Shade hexes that an option is about. */
export function point(board, hexes, strong) {
  board.layers.pointer.replaceChildren(...[...hexes].filter((each) => board.geometry.hexes[each]).map((each) =>
    svg("path", { d: ring(board.geometry.hexes[each]), class: strong ? "here" : "may", data: { pointed: each } })));
}

/** Mark the hex that was clicked; none without one. */
export function markHex(board, hex) {
  const place = board.geometry.hexes[hex];
  board.layers.clicked.replaceChildren(...(place ? [svg("path", { d: ring(place), class: "clickcase" }), svg("path", { d: ring(place), class: "click", data: { clicked: hex } })] : []));
}

/** Fade the hexes that are refused. */
export function fade(board, hexes) {
  const d = union(board.geometry, hexes);
  board.layers.veil.replaceChildren(...(d ? [svg("path", { d, class: "veiled" })] : []));
}

/** The way an option leads over, from hex to hex. */
export function drawPath(board, path) {
  const at = path.map((each) => board.centre(hexOf(each))).filter(Boolean);
  if (at.length < 2) return [];
  const d = `M${at.map((each) => each.join(" ")).join("L")}`;
  const [x, y] = at.at(-1);
  return [svg("path", { d, class: "waycase" }), svg("path", { d, class: "way", data: { path: path.join(" ") } }), svg("circle", { cx: x, cy: y, r: 7, class: "wayend" })];
}

export function show(board, hexes) {
  board.layers.show.replaceChildren(...[...hexes].filter((each) => board.geometry.hexes[each]).map((each) =>
    svg("path", { d: ring(board.geometry.hexes[each]), class: "choice", data: { choice: each } })));
}

export { SIDES };
