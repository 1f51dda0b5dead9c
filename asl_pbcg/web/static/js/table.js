// Where the pages of games differ: a table for each kind of map, chosen by what the server offers.

import { capital, h } from "./dom.js";
import { AREAS } from "./area/areatable.js";
import { MapView } from "./board/mapview.js";

/** A game without a map; the others say what is different with them. */
const PLAIN = {
  class: "",
  map: null, // makes the view of the map
  pane: "side", // what a narrow window shows first
  undoPath: "undo",
  find: "a hex, a piece",
  dates: ["CG Date", "All dates"],
  tellsRolls: true, // what dice brought stands above the next question
  latest: (lines) => lines,
  headings: false, // whether the name of a step stands above its lines
  sides: (state) => state.sides,
  nothing: (state) => [question("Nothing waits."), h("p", {}, capital(state.next ? `${state.next}.` : ""))],
};

const HEXES = { ...PLAIN, map: async (host, game) => new MapView(host, game) };
const TABLES = { board: HEXES, areas: { ...PLAIN, ...AREAS } };

/** The table at which a game is played. */
export const tableOf = (state) => TABLES[state.features.find((each) => TABLES[each])] ?? PLAIN;

/** What stands where a question would. */
export const question = (words) => h("h2", { id: "question", tabindex: "-1" }, words);

/** The views of a game, by name and title. */
export const tabs = (state) => [["table", "Table"], ["score", "Score"], ["log", "Log"], ["sheets", "Sheets"], ["back", "Looking back"]]
  .filter(([name]) => !["score", "back"].includes(name) || state.features.includes(name));

