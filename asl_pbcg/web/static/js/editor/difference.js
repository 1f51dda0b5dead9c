// What a position changes: a list by hex, before anyone agrees to it.

import { h } from "../dom.js";

const SIGNS = { gone: "−", unlisted: "?", new: "+", moved: "→", changed: "·", control: "⚑", ground: "▦" };

/** The lines of a difference; one that is clicked goes to its places by ``go``, if the map can be seen. */
export function differenceList(lines, go) {
  return h("ul", { class: "difference" }, lines.map((line) => {
    const words = [h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[line.topic.kind] ?? ""), line.text];
    const places = line.topic.places ?? [];
    return h("li", { data: { what: line.topic.kind } }, go && places.length ? h("button", { class: "plain", on: { click: () => go(places) } }, words) : words);
  }));
}
