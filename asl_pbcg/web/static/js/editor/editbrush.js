// What a click on the map of the editor does: move, paint Control, put a Fortification or terrain.

import { capital, h, put } from "../dom.js";

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
    this.modes = h("div", { class: "modes", role: "group", "aria-label": "What a click does" });
    this.more = h("div", { class: "row" });
    this.node = h("div", { class: "edtools" }, h("div", { class: "toolrow" }, editor.backwards, this.modes), this.more, editor.line.node);
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
    this.editor.line.draw();
    if (this.editor.draft.own) return;
    const key = [this.mode, this.level, this.thing].join();
    if (key === this.toolsDrawn) return;
    this.toolsDrawn = key;
    const modes = [["move", "Move", "Move pieces", "m"], ["british", "British", "British Control", "1"], ["german", "German", "German Control", "2"], ["none", "Nobody", "No Control", "0"]];
    this.owner ??= h("select", { "aria-label": "Whose Fortification" }, ["german", "british"].map((each) => h("option", { value: each }, capital(each))));
    this.thingBox ??= h("select", { "aria-label": "Put something on the map", data: { action: "thing" }, on: { change: () => {
      this.thing = THINGS[Number(this.thingBox.value)];
      this.set(this.thingBox.value === "" ? "move" : "put");
    } } }, h("option", { value: "" }, "Put …"), THINGS.map(([, , title], n) => h("option", { value: n }, title)));
    put(this.modes, modes.map(([name, title, called, sign]) => h("button", {
      class: `mode ${name}`, "aria-pressed": String(this.mode === name), "aria-label": called, title: `${called} (${sign})`, data: { mode: name }, on: { click: () => this.set(name) },
    }, title)), this.thingBox);
    put(this.more, this.mode === "move" ? "" : this.mode === "put"
      ? this.thing[0] === "fortifications" && [this.owner, this.thing[1] in SIZES ? this.sizeBox(this.thing[1]) : ""]
      : [h("span", { class: "quiet" }, this.level ? `level ${this.level}` : "ground level"),
        h("button", { "aria-label": "Level up", on: { click: () => this.editor.picked.changeLevel(1) } }, "▲"), h("button", { "aria-label": "Level down", on: { click: () => this.editor.picked.changeLevel(-1) } }, "▼"),
        h("button", { class: "plain", data: { action: "infer" }, title: "Who stands alone in a Location Controls it (A26.11)", on: { click: () => this.editor.draft.order({ do: "infer" }) } }, "Control from who stands where")]);
  }

  /** Mark hexes that were typed, one after the other. */
  markAll(hexes) {
    for (const hex of hexes) {
      this.painting = null;
      if (this.mode === "put") this.putThing(hex);
      else this.control(hex, this.mode === "none" ? "" : this.mode);
    }
    this.painting = null;
  }

  /** Who chooses a piece means to move it: the brush is laid down. */
  rest() {
    if (this.mode !== "move") this.set("move");
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
