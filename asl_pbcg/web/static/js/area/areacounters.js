// Counters of the area game, drawn by ourselves as on the printed sheet.

import { svg } from "../dom.js";

export const SIZE = 17;
const FULL = 4;
const MOST = 9;

const box = () => svg("rect", { x: -4.6, y: -3.1, width: 9.2, height: 6.2, class: "line" });
const PICTURES = {
  infantry: () => [box(), svg("path", { d: "M-4.6-3.1L4.6 3.1M4.6-3.1L-4.6 3.1", class: "line" })],
  sapper: () => [box(), svg("path", { d: "M-2.6 1.7V-1.5H2.6V1.7M0-1.5V1.7", class: "line" })],
  hq: () => [box(), svg("text", { y: 1.9, class: "letters" }, "HQ")],
  leader: () => [svg("path", { d: "M0-4.2L1.1-1.3 4.2-1.3 1.7.6 2.6 3.6 0 1.8-2.6 3.6-1.7.6-4.2-1.3-1.1-1.3z", class: "ink" })],
  tank: () => [box(), svg("rect", { x: -3.2, y: -1.7, width: 6.4, height: 3.4, rx: 1.7, class: "line" })],
  mercedes: () => [svg("path", { d: "M-5 1.4V-.4L-1.9-.8-.6-2.9H2.4L3.2-.6 5 0V1.4z", class: "ink" }), svg("circle", { cx: -2.7, cy: 1.8, r: 1.2, class: "ink" }), svg("circle", { cx: 2.7, cy: 1.8, r: 1.2, class: "ink" })],
  glider: () => [svg("path", { d: "M-.6-4.4Q0-5 .6-4.4V-2L5.6-1.4V-.2L.6 0V2.4L2 3.2V3.9H-2V3.2L-.6 2.4V0L-5.6-.2V-1.4L-.6-2z", class: "ink" })],
  mg: () => [svg("path", { d: "M0 3.4V-4M-1.9-2.1L0-4.1 1.9-2.1M-1.9 3.4H1.9M-1.3 1.6H1.3", class: "line" })],
  at_gun: () => [svg("path", { d: "M0-4.2V1M-2.6 3.6L0 .4 2.6 3.6M-1.9-1.2H1.9", class: "line" })],
  piat: () => [svg("path", { d: "M-4 2.4L2.6-3.2M1-4L4-3.6 3.4-.8M-2.6 1.2L-1 3.6", class: "line" })],
  gammon: () => [svg("circle", { cy: .6, r: 2.7, class: "ink" }), svg("path", { d: "M0-2.2Q.4-4.2 2.2-4", class: "line" })],
  hidden: () => [svg("text", { y: 5, class: "query" }, "?")],
  bunker: () => [svg("path", { d: "M-4.6 2.4V1.2A4.6 4.6 0 0 1 4.6 1.2V2.4z", class: "ink" }), svg("path", { d: "M-3.4-3.6L3.4 3.6", class: "struck" })],
  prepared: () => [svg("path", { d: "M-5 2V-2H-2.4V.4H2.4V-2H5V2", class: "line" })],
  pow: () => [svg("text", { y: 2.4, class: "letters" }, "POW")],
  bridge: () => [svg("path", { d: "M-5.4-1.4H5.4M-5.4 1.4H5.4", class: "line" }), svg("path", { d: "M-2-3.4L.4-.6-1 .8 2 3.6", class: "struck" })],
};

/** One counter, its middle at (x, y). */
export function counter(piece, x, y, size = SIZE) {
  const half = SIZE / 2;
  const bare = piece.symbol === "hidden" || (piece.side ?? "marker") === "marker";
  const classes = ["chit", piece.side ?? "marker", piece.symbol, piece.state ?? "", (piece.badges ?? "").includes("S") ? "down" : ""].join(" ");
  const group = svg("g", {
    class: classes, transform: `translate(${x} ${y}) scale(${size / SIZE})`, role: "img",
    "aria-label": piece.words, data: { piece: piece.key || undefined },
  }, svg("title", {}, piece.words),
  svg("rect", { x: -half, y: -half, width: SIZE, height: SIZE, rx: 1.5, class: "card" }));
  group.append(svg("g", { transform: bare ? "" : "translate(0 -2.6)" }, (PICTURES[piece.symbol] ?? (() => []))()));
  if (!bare) {
    const number = piece.sp === undefined ? "" : String(piece.sp);
    const id = piece.id ?? "";
    if (id && number) group.append(svg("text", { x: -half + 1.2, y: half - 1.4, class: "id" }, id), svg("text", { x: half - 1.2, y: half - 1.2, class: "sp" }, number));
    else if (id || number) group.append(svg("text", { y: half - 1.2, class: number ? "sp alone" : "id alone", ...(id.length > 4 ? { textLength: 14.6, lengthAdjust: "spacingAndGlyphs" } : {}) }, number || id));
  }
  if (piece.state === "wrecked") group.append(svg("path", { d: `M${-half + 2} ${-half + 2}L${half - 2} ${half - 2}M${half - 2} ${-half + 2}L${-half + 2} ${half - 2}`, class: "struck" }));
  if (piece.state === "building") group.querySelector(".line")?.setAttribute("stroke-dasharray", "1.4 1");
  if (piece.inside) group.append(svg("path", { d: `M${-half - .6} ${-half + 3.2}A3 3 0 0 1 ${-half + 5.4} ${-half + 3.2}z`, class: "roof" }));
  [...(piece.badges ?? "")].slice(0, 2).forEach((letter, n) => group.append(svg("g", { class: "badge", transform: `translate(${half - 2 - n * 5.6} ${-half + 2})` },
    svg("circle", { r: 2.9 }), svg("text", { y: 1.6 }, letter))));
  return group;
}

/** Where the counters of an area lie round its middle: [dx, dy, size] each; the last counts more. */
export function spots(count) {
  const places = Math.min(count, MOST);
  if (!places) return [];
  const columns = places === 1 ? 1 : places <= FULL ? 2 : 3;
  const side = places <= FULL ? SIZE : SIZE * 0.74;
  const step = side + 0.9;
  const rows = Math.ceil(places / columns);
  return [...Array(places).keys()].map((n) => [
    ((n % columns) - (columns - 1) / 2) * step, (Math.floor(n / columns) - (rows - 1) / 2) * step, side]);
}

/** All counters of an area, its name on a tag above. */
export function stack(area, pieces, [x, y]) {
  const places = spots(pieces.length);
  const more = pieces.length > MOST ? pieces.length - MOST + 1 : 0;
  const shown = more ? pieces.slice(0, MOST - 1) : pieces;
  const group = svg("g", { class: "astack", role: "group", "aria-label": `${area}: ${pieces.map((each) => each.words).join("; ")}`, data: { stack: area } });
  const [dx, dy, side] = places[0];
  const wide = 5 + area.length * 3.6;
  group.append(svg("g", { class: "tag", transform: `translate(${x + dx - side / 2} ${y + dy - side / 2 - 3.4})` },
    svg("g", { class: "grows" }, svg("rect", { x: 0, y: -3.4, width: wide, height: 6.8, rx: 3.4 }), svg("text", { x: wide / 2, y: 2 }, area))));
  shown.forEach((piece, n) => group.append(counter(piece, x + places[n][0], y + places[n][1], places[n][2])));
  if (more) {
    const [mx, my, size] = places[MOST - 1];
    group.append(svg("g", { class: "chit marker", transform: `translate(${x + mx} ${y + my})` },
      svg("rect", { x: -size / 2, y: -size / 2, width: size, height: size, class: "card" }), svg("text", { y: 2.6, class: "sp alone" }, `+${more}`)));
  }
  return group;
}
