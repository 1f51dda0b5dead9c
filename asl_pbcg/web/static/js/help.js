// Keys, and what a rule means here.

import { ask, h } from "./dom.js";
import { soundBox } from "./turn.js";
import { renew } from "./keys.js";

const KEYS = [
  ["1 … 9", "the option with that number"], ["r", "roll"], ["R", "roll all that need no decision"],
  ["u", "undo the last answer"], ["z", "redo what was just undone"], ["c", "undo, redo, correct (campaign)"], ["x", "explain the rule"], ["m", "show on the map where it is"],
  ["g", "go to a hex"], ["q", "to the question"],
  ["?", "the three best things to do (area game)"], ["e", "end the phase (area game)"], ["o", "type an order by counter (area game)"], ["Esc", "away with the panel of a hex or stack, the layers, the advice; to the end of what is shown"], ["h", "these keys"], ["arrows, + − 0", "move and zoom the map, once it has the focus"],
];

export const keysHelp = () => ask("Keys", (close) => [
  h("h2", {}, "Keys"),
  h("table", { class: "keys" }, KEYS.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, does)))),
  h("p", { class: "quiet" }, "Everything that is asked can be answered with Tab, Space and Enter as well. Whatever was answered is kept at once; this page may be closed at any time."),
  soundBox(),
  h("div", { class: "row end" },
    h("button", { data: { action: "new-key" }, on: { click: () => (close(), renew()) } }, "Make my key again …"),
    h("button", { class: "main", autofocus: true, on: { click: () => close() } }, "Good"))]);

export const explain = (asked) => ask("Explain", (close) => [
  h("h2", {}, `${asked.rule} ${asked.step ?? ""}`),
  h("p", { class: "explained" }, asked.help || "See the rulebook at this number."),
  asked.odds?.length && asked.asked === "roll" ? h("table", { class: "exact" }, asked.odds.map((each) => h("tr", {}, h("th", { scope: "row" }, each.says), h("td", {}, each.chance), h("td", {}, each.percent)))) : "",
  h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
