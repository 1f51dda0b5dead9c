// What a click on the map of the editor does: move, paint Control, put a Fortification or terrain.

import { capital, h, put, say } from "../dom.js";

const THINGS = [
  ["glider", "landed", "Glider, landed"], ["glider", "wrecked", "Glider, wrecked"],
  ["fortifications", "trench", "Trench"], ["fortifications", "foxhole", "Foxhole"], ["fortifications", "wire", "Wire"],
  ["fortifications", "pillbox", "Pillbox"], ["fortifications", "minefield", "Minefield counter"],
  ["fortifications", "ap-mines", "A-P mines"], ["fortifications", "at-mines", "A-T mines"],
  ["terrain", "blaze", "Blaze"], ["terrain", "flame", "Flame"], ["terrain", "rubble-stone", "Stone rubble"], ["terrain", "rubble-wood", "Wooden rubble"],
  ["terrain", "shellhole", "Shellhole"], ["terrain", "wreck", "Wreck"], ["terrain", "burnt-out-wreck", "Burnt-out wreck"], ["terrain", "burning-wreck", "Burning wreck"],
];

/** Of what has a size: the largest, and what it is called. */
const SIZES = { foxhole: [3, "size"], "ap-mines": [12, "factors"], "at-mines": [12, "factors"] };

export class Brush {
  constructor(editor) {
    this.editor = editor;
    this.node = h("div", { class: "edtools" });
    this.mode = "move";
    this.level = 0;
  }

  control(hex, side) {
    const place = this.level ? `${hex}/${this.level}` : hex;
    const held = this.editor.draft.position.control;
    if (side && !this.editor.draft.strategic.has(hex) && !held[side].includes(place)) return;
    const has = side && held[side].includes(place);
    if (has && this.painting === "paint") return;
    if (!has && this.painting === "wipe" && side) return;
    if (!side && !["british", "german"].some((each) => held[each].includes(place))) return;
    this.painting ??= has ? "wipe" : "paint";
    const to = has ? "" : side;
    for (const each of ["british", "german"]) held[each] = held[each].filter((one) => one !== place);
    if (to) held[to].push(place);
    const last = this.editor.draft.waiting.at(-1)?.[0]; // a stroke that is not sent yet grows
    if (last?.do === "control" && last.side === to) last.places.push(place);
    else this.editor.draft.order({ do: "control", side: to, places: [place] });
    this.editor.game.map.map.control = held;
    this.editor.game.map.drawControl();
  }

  putThing(hex) {
    const [list, kind] = this.thing;
    this.editor.hex = hex;
    if (list === "glider") return this.editor.draft.order({ do: "ground", name: "glider", kind, at: hex });
    if (list === "terrain") return this.editor.draft.order({ do: "ground", name: kind, at: hex });
    const size = kind in SIZES ? { size: Number(this.sizeBox(kind).value) } : {};
    return this.editor.draft.order({ do: "ground", name: kind, at: hex, side: this.owner.value, ...size });
  }

  sizeBox(kind) {
    const [most, called] = SIZES[kind];
    this.sizes ??= {};
    this.sizes[kind] ??= h("select", { "aria-label": "Its size" }, Array.from({ length: most }, (_, n) => h("option", { value: n + 1 }, `${called} ${n + 1}`)));
    return this.sizes[kind];
  }

  draw() {
    if (this.editor.draft.own) return;
    const key = [this.mode, this.level, this.thing].join();
    if (key === this.toolsDrawn) return;
    this.toolsDrawn = key;
    const modes = [["move", "Move", "m"], ["british", "British Control", "1"], ["german", "German Control", "2"], ["none", "No Control", "0"]];
    this.owner ??= h("select", { "aria-label": "Whose Fortification" }, ["german", "british"].map((each) => h("option", { value: each }, capital(each))));
    this.thingBox ??= h("select", { "aria-label": "Put something on the map", data: { action: "thing" }, on: { change: () => {
      this.thing = THINGS[Number(this.thingBox.value)];
      this.set(this.thingBox.value === "" ? "move" : "put");
    } } }, h("option", { value: "" }, "Put …"), THINGS.map(([, , title], n) => h("option", { value: n }, title)));
    put(this.node, h("div", { class: "modes", role: "group", "aria-label": "What a click does" },
      modes.map(([name, title, key]) => h("button", { class: `mode ${name}`, "aria-pressed": String(this.mode === name), data: { mode: name }, on: { click: () => this.set(name) } }, title, " ", h("kbd", {}, key)))),
    h("div", { class: "row" }, this.thingBox, this.thing?.[0] === "fortifications" && this.mode === "put" ? [this.owner, this.thing[1] in SIZES ? this.sizeBox(this.thing[1]) : ""] : "",
      h("button", { class: "plain", data: { action: "infer" }, title: "Who stands alone in a Location Controls it (A26.11)", on: { click: () => this.editor.draft.order({ do: "infer" }) } }, "Control from who stands where"),
      this.mode === "move" || this.mode === "put" ? "" : h("span", { class: "row" }, h("span", { class: "quiet" }, this.level ? `level ${this.level}` : "ground level"),
        h("button", { "aria-label": "Level up", on: { click: () => this.editor.picked.changeLevel(1) } }, "▲"), h("button", { "aria-label": "Level down", on: { click: () => this.editor.picked.changeLevel(-1) } }, "▼"))),
    this.mode === "move" ? this.drawTyped() : this.drawMark());
  }

  /** Pieces typed as at the terminal, as many as a line holds. */
  drawTyped() {
    this.typedSide ??= h("select", { "aria-label": "Whose pieces" }, ["british", "german"].map((each) => h("option", { value: each }, capital(each))));
    this.typed ??= h("input", { type: "text", name: "typed", size: 24, maxlength: 200, placeholder: "Type pieces, as 6 648 n11", "aria-label": "Pieces and where they stand", autocomplete: "off" });
    const place = async (event) => {
      event.preventDefault();
      const name = this.typed.value.trim();
      if (!name) return;
      const before = this.editor.draft.number;
      await this.editor.draft.order({ do: "type", name, side: this.typedSide.value });
      if (this.editor.draft.number !== before) this.typed.value = "";
    };
    return h("form", { class: "row", on: { submit: place } }, this.typedSide, this.typed, h("button", { type: "submit", data: { action: "typed" } }, "Place"));
  }

  /** The brush without a mouse: hexes are typed. */
  drawMark() {
    const field = h("input", { type: "text", name: "mark", size: 14, maxlength: 200, placeholder: "Hexes, as Z14 Z15", "aria-label": "Hexes to mark", autocomplete: "off" });
    const mark = (event) => {
      event.preventDefault();
      const hexes = field.value.toUpperCase().split(/[\s,;]+/).filter(Boolean);
      const unknown = hexes.filter((hex) => !this.editor.game.map.board.geometry.hexes[hex]);
      if (unknown.length) return say(`There is no hex "${unknown[0]}" in play.`, { bad: true });
      for (const hex of hexes) {
        this.painting = null;
        if (this.mode === "put") this.putThing(hex);
        else this.control(hex, this.mode === "none" ? "" : this.mode);
      }
      this.painting = null;
      field.value = "";
      return undefined;
    };
    return h("form", { class: "row", on: { submit: mark } }, field, h("button", { type: "submit", data: { action: "mark" } }, "Mark"));
  }

  set(mode) {
    this.mode = mode;
    if (mode !== "put") {
      this.thing = null;
      this.thingBox.value = "";
    }
    this.editor.game.map.window.classList.toggle("brush", mode !== "move");
    this.draw();
  }
}
