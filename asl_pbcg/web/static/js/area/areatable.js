// The table of an area game: turns and areas instead of CG Dates and hexes, orders on the map.

import { go } from "../api.js";
import { orderLines } from "./arealog.js";
import { h } from "../dom.js";

export const AREAS = {
  class: "areagame",
  map: async (host, game) => new (await import("./areamap.js")).AreaMapView(host, game),
  mapLater: true, // the question is there first
  pane: "map",
  undoPath: "area/undo",
  showsBeginning: true, // a game begun a moment ago in this page: the landing is shown
  newsScroll: true,
  keepsInSight: true,
  tellsRolls: false, // the map shows it
  find: "an area, a unit",
  dates: ["Turn", "All turns"],
  latest: orderLines,
  headings: true,
  sides: () => ["british", "german"],
  nothing: () => [h("h2", { id: "question", tabindex: "-1" }, "The game is over."), h("p", { data: { stands: "" } }),
    h("div", { class: "row" }, h("button", { class: "main", on: { click: () => go({ view: "score" }) } }, "Score card, film and report"))],
};
