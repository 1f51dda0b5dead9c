// Counters, drawn by ourselves: side colour, printed values, and the state they are in.

import { svg } from "../dom.js";

export const SIZE = 25;

const MAN = "M0-4.1a1.5 1.5 0 1 1 .01 0zM-1.9 4.2l.5-4.6q.1-3 1.4-3t1.4 3l.5 4.6h-1.3L0 1.2-.6 4.2z";

/** One letter and words for each state that is marked on a counter, the gravest first. */
export const MARKS = {
  prisoner: ["P", "prisoner"], broken: ["B", "broken"], disrupted: ["D", "Disrupted"], dm: ["dm", "DM"],
  wounded: ["W", "wounded"], "walking-wounded": ["w", "Walking Wounded"], unarmed: ["U", "Unarmed"],
  malfunctioned: ["X", "malfunctioned"], captured: ["C", "captured"], immobilized: ["I", "Immobilized"],
  abandoned: ["A", "Abandoned"], bogged: ["b", "Bogged"], mired: ["m", "Mired"], stunned: ["S", "Stunned"],
  shocked: ["Sh", "Shocked"], uk: ["UK", "Unconfirmed Kill"], recall: ["R", "Recall"], berserk: ["Be", "Berserk"],
  fanatic: ["F", "Fanatic"], heroic: ["H", "Heroic"], encircled: ["E", "Encircled"], pinned: ["p", "pinned"],
  cx: ["CX", "CX"], "low-ammo": ["L", "Low Ammo"], "ma-malfunctioned": ["x", "MA malfunctioned"],
  "ma-disabled": ["x", "MA disabled"], HIP: ["H", "HIP"], hidden: ["H", "hidden"], cloaked: ["c", "cloaked"],
  concealed: ["?", "concealed"],
};

const BAD = new Set(["prisoner", "broken", "disrupted", "malfunctioned", "abandoned", "ma-malfunctioned", "ma-disabled"]);

const men = (places, size = 1) => places.map(([x, y]) => svg("path", { d: MAN, transform: `translate(${x} ${y}) scale(${size})`, class: "ink" }));

const PICTURES = {
  squad: () => men([[-6.2, -3], [0, -4.4], [6.2, -3]]),
  half_squad: () => men([[-3.4, -3.6], [3.4, -3.6]]),
  crew: () => [...men([[-5.5, -3.6], [5.5, -3.6]], 0.85), svg("circle", { cx: 0, cy: -3, r: 2.4, class: "line" })],
  leader: () => [...men([[0, -3.6]], 1.15), svg("path", { d: "M5-8.5l.8 1.7 1.8.2-1.3 1.3.3 1.8L5-4.4l-1.6.9.3-1.8-1.3-1.3 1.8-.2z", class: "ink" })],
  hero: () => men([[0, -3.6]], 1.25),
  armor_leader: () => men([[0, -3.6]], 1.15),
  sw: () => [svg("path", { d: "M-8-3.4H8.4M-8-3.4l-2.2 3M-3.8-3.4v3M4-3.2L2 1M4-3.2L6 1", class: "line" }), svg("rect", { x: -7, y: -5, width: 7, height: 3, rx: 0.6, class: "ink" })],
  gun: () => [svg("path", { d: "M0-9.6V-1M-4.2-1h8.4M-3 3.2L0-1l3 4.2", class: "line" }), svg("circle", { cx: -5.6, cy: -1, r: 2, class: "ink" }), svg("circle", { cx: 5.6, cy: -1, r: 2, class: "ink" })],
  vehicle: () => [svg("rect", { x: -8.6, y: -7.6, width: 15, height: 9.4, rx: 1.6, class: "line" }), svg("path", { d: "M-8.6-5.6h15M-8.6-.2h15", class: "thin" }), svg("circle", { cx: -1.4, cy: -2.9, r: 2.6, class: "ink" }), svg("path", { d: "M-1-2.9H9.6", class: "line" })],
  glider: () => [svg("path", { d: "M0-10.4q1.5 1 1.2 5.2L11-3.8v1.7L1.1-2 .6 2.6l2.8 1.2v1h-6.8v-1l2.8-1.2L-1.1-2-11-2.1v-1.7l9.8-1.4Q-1.5-9.4 0-10.4z", class: "ink" })],
  other: () => [],
};

const marks = new Map();

/** Keep what the server says tells pieces from others of their type, by id. */
export function learnMarks(found) {
  for (const [id, mark] of Object.entries(found)) marks.set(id, mark);
}

/** The name of a piece as prompts and sheets have it: 4-5-8 B-1. */
export const nameOf = (piece) => `${piece.type} ${marks.get(piece.id) ?? piece.id}`;

/** What is true of a piece, in players' words. */
export const stateWords = (status) => status.map((each) => MARKS[each]?.[1] ?? each.replaceAll("-", " ")).join(", ");

/** The words a screen reader and a tooltip say of a counter. */
export function words(piece) {
  const state = piece.status?.length ? ` (${stateWords(piece.status)})` : "";
  return `${nameOf(piece)}${state}`;
}

/** One counter at (x, y), its centre. */
export function counter(piece, x, y, size = SIZE) {
  const status = piece.status ?? [];
  const hidden = status.includes("concealed") && !piece.type;
  const classes = ["counter", piece.side, piece.kind ?? "other", status.some((each) => BAD.has(each)) ? "bad" : ""].join(" ");
  const half = SIZE / 2;
  const label = piece.type ?? "?";
  const plain = label.length <= 7;
  const group = svg("g", { class: classes, data: { piece: piece.id, at: piece.at || undefined }, transform: `translate(${x} ${y}) scale(${size / SIZE})`, role: "img", "aria-label": words(piece) },
    svg("rect", { x: -half, y: -half, width: SIZE, height: SIZE, rx: 2.4, class: "card" }),
    hidden ? "" : (PICTURES[piece.kind] ?? PICTURES.other)(),
    svg("text", {
      x: 0, y: 9.6, class: "value", "text-anchor": "middle",
      "font-size": plain ? 8.2 : 6, ...(plain && label.length < 6 ? {} : { textLength: 22, lengthAdjust: "spacingAndGlyphs" }),
    }, label));
  const marks = Object.keys(MARKS).filter((each) => status.includes(each)).slice(0, 3);
  marks.forEach((each, n) => {
    const [letter] = MARKS[each];
    group.append(svg("g", { class: `mark ${BAD.has(each) ? "badmark" : ""}`, transform: `translate(${half - 3.6 - n * 7} ${-half + 3.6})` },
      svg("circle", { r: 3.9 }), svg("text", { y: 2, "text-anchor": "middle", "font-size": letter.length > 1 ? 4.2 : 5.6 }, letter)));
  });
  if (status.includes("broken") || status.includes("prisoner")) group.append(svg("path", { d: `M${-half + 1.5} ${half - 8.5}H${half - 1.5}`, class: "strike" }));
  return group;
}

const SIGNS = {
  trench: "M-9 2l3-4 3 4 3-4 3 4 3-4 3 4", foxhole: "M-7-2a7 6 0 0 0 14 0z", wire: "M-9 0q3-6 6 0t6 0 6 0M-9 0q3 6 6 0t6 0 6 0",
  pillbox: "M-7-5h14v10h-14zM-3 0h6", "ap-mines": "M-6 3h12M-3 3v-4h6v4M0-1v-4", "at-mines": "M-6 3h12M-3 3v-4h6v4M0-1v-4", minefield: "M-6 3h12M-3 3v-4h6v4M0-1v-4",
  blaze: "M0 7q-6-2-5-7 2 2 2-1 0-5 4-7 0 4 3 6 3 3 1 7-1 2-5 2z", flame: "M0 6q-4-1-3-5 1 1 1-1 0-3 3-5 0 3 2 5 2 2 0 5-1 1-3 1z",
  "rubble-stone": "M-7 4h14l-3-5-3 2-2-5-3 4z", "rubble-wood": "M-7 3L7-3M-6-3L6 4M0-5v9", shellhole: "M-6 0a6 4 0 1 0 12 0a6 4 0 1 0-12 0",
  breach: "M-6-4h4v8h-4M6-4H2v8h4", "trail-break": "M-7 0h4M3 0h4M-2-3l4 6", wreck: "M-8-3h14v7h-14zM-5-6L5 5M5-6L-5 5",
  "burnt-out-wreck": "M-8-3h14v7h-14zM-5-6L5 5M5-6L-5 5", "burning-wreck": "M-8-2h14v6h-14zM0-2q-3-2 0-6 3 3 0 6",
};
const FIRES = new Set(["blaze", "flame", "burning-wreck"]);

/** A Fortification or change of terrain, as a small sign. */
export function sign(kind, x, y, side, says, data = {}) {
  return svg("g", { class: `sign ${kind} ${side ?? ""} ${FIRES.has(kind) ? "fire" : ""}`, transform: `translate(${x} ${y}) scale(.78)`, role: "img", "aria-label": says, data },
    svg("circle", { r: 10.5 }), svg("path", { d: SIGNS[kind] ?? "M-5-5h10v10h-10z" }));
}
