// The chosen pieces of the editor: their state and facing, who possesses, guards, tows and is aboard.

import { counter, stateWords, words } from "../board/counters.js";
import { h, put, say, svg } from "../dom.js";
import { hexOf, stacksOf } from "../board/layers.js";

const STATES = {
  units: [["broken", "b"], ["dm"], ["disrupted"], ["wounded", "w"], ["walking-wounded"], ["prisoner", "p"], ["unarmed"], ["concealed"], ["encircled"], ["pinned"], ["cx"], ["berserk"], ["fanatic"], ["heroic"], ["exited"]],
  equipment: [["malfunctioned", "x"], ["captured"], ["dm"], ["emplaced"], ["low-ammo"], ["hooked"], ["exited"]],
  vehicles: [["immobilized", "i"], ["abandoned"], ["bogged"], ["mired"], ["shocked"], ["stunned"], ["uk"], ["ma-malfunctioned", "x"], ["ma-disabled"], ["bmg-malfunctioned"], ["cmg-malfunctioned"], ["captured"], ["recall"], ["low-ammo"], ["motion"], ["encircled"], ["exited"]],
};
const AT_SETUP = {
  units: [["concealed"], ["hidden"]], equipment: [["hidden"], ["emplaced"]], vehicles: [["concealed"], ["hidden"]],
};

const UNSEEN = { units: [["hidden"], ["cloaked"]], equipment: [["hidden"]], vehicles: [["hidden"]] }; // how a side alone knows of it

export class ChosenPieces {
  constructor(editor) {
    this.editor = editor;
    this.node = h("section", { class: "edhex", "aria-label": "Chosen pieces" });
  }

  states(section) {
    const { task } = this.editor.draft;
    return [...((task === "setup" ? AT_SETUP : STATES)[section] ?? []), ...(task === "hidden" ? UNSEEN[section] : [])];
  }

  setState(name) {
    const entries = [...this.editor.chosen].map((id) => this.editor.draft.entry(id)).filter((each) => each && this.states(this.editor.draft.info(each).section).some(([one]) => one === name));
    if (!entries.length) return say("Choose a piece on the map first.");
    const on = !entries.every((each) => (each.status ?? []).includes(name));
    return this.editor.draft.order({ do: "status", ids: entries.map((each) => each.id), name, on });
  }

  changeLevel(by) {
    if (["british", "german", "none"].includes(this.editor.brush.mode)) {
      this.editor.brush.level = Math.max(0, Math.min(4, this.editor.brush.level + by));
      this.editor.brush.draw();
      return undefined;
    }
    const ids = [...this.editor.chosen].filter((id) => this.editor.draft.entry(id));
    return ids.length ? this.editor.draft.order({ do: "level", ids, by }) : undefined;
  }

  /** Turn Guns and vehicles: the covered arc lies between two neighbours, clockwise. */
  face() {
    const board = this.editor.game.map.board;
    const entries = [...this.editor.chosen].map((id) => this.editor.draft.entry(id)).filter((each) => each && ["gun", "vehicle"].includes(this.editor.draft.info(each).kind));
    if (!entries.length) return say("Only Guns and vehicles have a facing.");
    return this.editor.draft.order(...entries.map((entry) => {
      const around = neighbours(board.geometry, hexOf(entry.at));
      const pairs = around.map((each, n) => [each, around[(n + 1) % around.length]]).filter(([a, b]) => a && b).map((pair) => pair.join("/"));
      const key = this.editor.draft.info(entry).kind === "vehicle" ? "vca" : "ca";
      return { do: "face", ids: [entry.id], at: pairs[(pairs.indexOf(entry[key]) + 1) % pairs.length] };
    }));
  }

  possess() {
    const entries = [...this.editor.chosen].map((id) => this.editor.draft.entry(id)).filter(Boolean);
    const unit = entries.find((each) => this.editor.draft.info(each).section === "units");
    const items = entries.filter((each) => this.editor.draft.info(each).section === "equipment");
    if (!unit || !items.length) return say("Choose one unit and what it possesses.");
    return this.editor.draft.order({ do: "give", ids: [unit.id, ...items.map((each) => each.id)] });
  }

  /** The chosen units go aboard the one chosen vehicle; it tows the chosen Guns. */
  aboard() {
    const entries = [...this.editor.chosen].map((id) => this.editor.draft.entry(id)).filter(Boolean);
    const of = (section, more = () => true) => entries.filter((each) => this.editor.draft.info(each).section === section && more(each)).map((each) => each.id);
    const [vehicle, ...others] = of("vehicles");
    const held = new Set(entries.flatMap((each) => each.possesses ?? []));
    const units = of("units");
    const guns = of("equipment", (each) => this.editor.draft.info(each).kind === "gun" && !held.has(each.id));
    if (!vehicle || others.length || !(units.length || guns.length)) return say("Choose one vehicle, and who is aboard or the Gun that it tows.");
    return this.editor.draft.order(...(units.length ? [{ do: "aboard", ids: [vehicle, ...units] }] : []), ...(guns.length ? [{ do: "tow", ids: [vehicle, ...guns] }] : []));
  }

  /** The one chosen unit of a side guards the chosen units of the other. */
  guard() {
    const units = [...this.editor.chosen].map((id) => this.editor.draft.entry(id)).filter((each) => each && this.editor.draft.info(each).section === "units");
    const taken = units.filter((each) => each.status?.includes("prisoner"));
    const others = units.filter((each) => !taken.includes(each));
    const guard = others.find((each) => others.every((one) => one === each || one.side !== each.side)) ?? others[0];
    const prisoners = units.filter((each) => each !== guard && each.side !== guard?.side);
    if (!guard || !prisoners.length) return say("Choose one unit, and the prisoners that it guards.");
    return this.editor.draft.order({ do: "guard", ids: [guard.id, ...prisoners.map((each) => each.id)] });
  }

  unplace(ids) {
    this.editor.chosen.clear();
    return this.editor.draft.order({ do: "off", ids });
  }

  eliminate(ids) {
    this.editor.chosen.clear();
    return this.editor.draft.order({ do: "eliminate", ids });
  }

  draw() {
    this.editor.line.draw();
    this.editor.drawBar();
    const chosen = [...this.editor.chosen];
    const placed = chosen.map((id) => this.editor.draft.entry(id)).filter(Boolean);
    const here = this.editor.hex ? (stacksOf(this.editor.model()).get(this.editor.hex) ?? []) : [];
    const things = this.editor.hex ? ["gliders", "fortifications", "terrain"].flatMap((list) => this.editor.draft.position[list].map((each) => ({ list, each })).filter(({ each }) => hexOf(each.at) === this.editor.hex)) : [];
    const key = JSON.stringify([chosen, this.editor.hex, placed, here, things]);
    if (key === this.hexDrawn) return undefined;
    this.hexDrawn = key;
    this.node.hidden = !here.length && !things.length && !placed.length;
    if (this.node.hidden) return put(this.node);
    const names = new Map();
    for (const each of placed) for (const [name, key] of this.states(this.editor.draft.info(each).section)) names.set(name, key);
    return put(this.node,
      here.length ? h("fieldset", { class: "here" }, h("legend", {}, this.editor.hex), [...here].reverse().map((piece) => h("label", {},
        h("input", { type: "checkbox", checked: this.editor.chosen.has(piece.id), data: { choose: piece.id }, on: { change: (event) => { if (event.target.checked) this.editor.chosen.add(piece.id); else this.editor.chosen.delete(piece.id); this.draw(); this.editor.mark(); } } }),
        svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", {}, words(piece), piece.at.includes("/") ? h("small", {}, ` ${piece.at}`) : "")))) : "",
      things.length ? h("ul", { class: "listed" }, things.map(({ list, each }) => h("li", {}, `${each.kind?.replaceAll("-", " ") ?? `glider ${each.state}`} ${each.size ?? ""} ${each.owner ?? ""} `,
        h("button", { class: "plain", "aria-label": "Remove it", on: { click: () => this.editor.draft.order({ do: "clear", name: list === "gliders" ? "glider" : each.kind, at: each.at }) } }, "✕")))) : "",
      placed.length ? h("div", { class: "row deeds" }, h("button", { type: "button", "aria-label": "Level up", on: { click: () => this.changeLevel(1) } }, "▲"), h("button", { type: "button", "aria-label": "Level down", on: { click: () => this.changeLevel(-1) } }, "▼"),
          h("button", { type: "button", on: { click: () => this.face() } }, "Turn ", h("kbd", {}, "f")), h("button", { type: "button", on: { click: () => this.possess() } }, "Possess ", h("kbd", {}, "o")),
          h("button", { type: "button", data: { action: "aboard" }, on: { click: () => this.aboard() } }, "Aboard, tow ", h("kbd", {}, "a")),
          this.editor.draft.own ? "" : h("button", { type: "button", on: { click: () => this.guard() } }, "Guard ", h("kbd", {}, "k")),
          h("button", { type: "button", data: { action: "unplace" }, on: { click: () => this.unplace(chosen) } }, "Off the map")) : "",
      names.size ? h("div", { class: "states", role: "group", "aria-label": "State" }, [...names].map(([name, key]) => h("button", {
        "aria-pressed": String(placed.every((each) => (each.status ?? []).includes(name))), data: { state: name }, on: { click: () => this.setState(name) },
      }, stateWords([name]), key ? [" ", h("kbd", {}, key)] : ""))) : "");
  }
}

/** The neighbours of a hex, clockwise from the top; undefined where the map ends. */
function neighbours(geometry, hex) {
  const [x, y] = geometry.hexes[hex].centre;
  const high = geometry.hex_height;
  const near = Object.entries(geometry.hexes);
  return [0, 1, 2, 3, 4, 5].map((n) => {
    const angle = (n * Math.PI) / 3;
    const at = [x + Math.sin(angle) * high, y - Math.cos(angle) * high];
    return near.find(([, place]) => Math.hypot(place.centre[0] - at[0], place.centre[1] - at[1]) < high / 4)?.[0];
  });
}
