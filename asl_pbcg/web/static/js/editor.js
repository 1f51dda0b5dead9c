// Entering the end position, or one's setup: trays, drag and drop, Control by brush, areas that
// redraw as one goes. Every change is an order that the server carries out on the one draft.

import { Lost, Refusal, awaitServer, get, post, put as putTo, send } from "./api.js";
import { counter, words } from "./counters.js";
import { ask, capital, h, put, say, sideBadge, svg } from "./dom.js";
import { Dragging } from "./editdrag.js";
import { fade, point, show, stacksOf } from "./layers.js";
import { vaslReview } from "./vasl.js";

const SECTIONS = ["units", "equipment", "vehicles"];
const STATES = {
  units: [["broken", "b"], ["dm"], ["disrupted"], ["wounded", "w"], ["walking-wounded"], ["prisoner", "p"], ["unarmed"], ["concealed"], ["encircled"], ["pinned"], ["cx"], ["berserk"], ["fanatic"], ["heroic"], ["exited"]],
  equipment: [["malfunctioned", "x"], ["captured"], ["dm"], ["emplaced"], ["low-ammo"], ["hooked"], ["exited"]],
  vehicles: [["immobilized", "i"], ["abandoned"], ["bogged"], ["mired"], ["shocked"], ["stunned"], ["uk"], ["ma-malfunctioned", "x"], ["ma-disabled"], ["bmg-malfunctioned"], ["cmg-malfunctioned"], ["captured"], ["recall"], ["low-ammo"], ["motion"], ["encircled"], ["exited"]],
};
const AT_SETUP = {
  units: [["concealed"], ["hidden"]], equipment: [["hidden"], ["emplaced"]], vehicles: [["concealed"], ["hidden"]],
};
const THINGS = [
  ["glider", "landed", "Glider, landed"], ["glider", "wrecked", "Glider, wrecked"],
  ["fortifications", "trench", "Trench"], ["fortifications", "foxhole", "Foxhole"], ["fortifications", "wire", "Wire"],
  ["fortifications", "pillbox", "Pillbox"], ["fortifications", "minefield", "Minefield counter"],
  ["terrain", "blaze", "Blaze"], ["terrain", "flame", "Flame"], ["terrain", "rubble-stone", "Stone rubble"], ["terrain", "rubble-wood", "Wooden rubble"],
  ["terrain", "shellhole", "Shellhole"], ["terrain", "wreck", "Wreck"], ["terrain", "burnt-out-wreck", "Burnt-out wreck"], ["terrain", "burning-wreck", "Burning wreck"],
];

export async function openEditor(asked, game) {
  const editor = new Editor(asked, game);
  await editor.begin();
  game.editor = editor;
}

class Editor {
  constructor(asked, game) {
    this.asked = asked;
    this.game = game;
    this.path = `${game.base}/position`;
    this.chosen = new Set();
    this.mode = "move";
    this.level = 0;
    this.waiting = []; // changes that the server has not got yet, each a list of orders
    this.hex = "";
    this.dragging = new Dragging(this);
    this.onKey = (event) => this.key(event);
  }

  async begin() {
    const found = await get(this.path);
    this.setup = found.task === "setup" ? found.side : "";
    this.places = found.places;
    this.pieces = new Map(found.pieces.map((each) => [each.entry.id, each]));
    this.take(found);
    this.under = this.game.map.map;
    this.panel = h("aside", { class: "side editor", "aria-label": this.setup ? "Setting up" : "Entering the end position", data: { editor: this.setup || "end" } });
    this.game.side.hidden = true;
    this.game.main.append(this.panel);
    this.frame();
    await this.game.map.ready;
    this.dragging.hook();
    addEventListener("keydown", this.onKey, true);
    this.draw();
    this.panel.querySelector("button, input")?.focus();
  }

  close() {
    removeEventListener("keydown", this.onKey, true);
    this.dragging.unhook();
    fade(this.game.map.board, []);
    this.panel.remove();
    this.game.side.hidden = false;
    this.game.editor = null;
    this.game.map.last = "";
    this.game.draw().catch((error) => this.game.wrong(error));
  }

  take(found) {
    this.number = found.number;
    this.position = found.position;
    for (const name of [...SECTIONS, "gliders", "fortifications", "terrain"]) this.position[name] ??= [];
    this.position.control ??= {};
    for (const side of ["british", "german"]) this.position.control[side] ??= [];
    for (const name of SECTIONS) {
      for (const each of this.position[name]) {
        if (!this.pieces.has(each.id)) this.pieces.set(each.id, { section: name, kind: { units: "squad", equipment: "sw", vehicles: "vehicle" }[name], entry: each, group: "" });
      }
    }
    this.faults = found.faults;
    this.areas = found.areas;
    this.strategic = new Set(found.strategic);
    this.may = { undo: found.undo, redo: found.redo };
  }

  // -- the draft --------------------------------------------------------------------------

  entries() {
    return SECTIONS.flatMap((name) => this.position[name]);
  }

  entry(id) {
    return this.entries().find((each) => each.id === id);
  }

  info(entry) {
    return this.pieces.get(entry.id) ?? { section: SECTIONS.find((name) => this.position[name].includes(entry)), kind: "other", entry };
  }

  /** Give orders to the draft, as one change; what came of it is drawn. */
  order(...orders) {
    this.waiting.push(orders);
    return this.work();
  }

  work() {
    this.working ??= this.workAll().finally(() => (this.working = null));
    return this.working;
  }

  async workAll() {
    this.tellSaved("saving …");
    while (this.waiting.length) {
      const orders = this.waiting.shift();
      try {
        const found = await post(`${this.path}/orders`, { number: this.number, orders });
        if (this.waiting.length) this.number = found.number; // what is shown already stays
        else this.take(found);
      } catch (error) {
        if (error instanceof Lost) await this.again(orders);
        else if (error instanceof Refusal && error.status === 409) {
          this.waiting = [];
          this.take(await get(this.path));
          say(error.message, { bad: true });
        } else if (error instanceof Refusal) {
          this.take(await get(this.path));
          say(error.message, { bad: true });
        } else throw error;
      }
    }
    this.draw();
    this.panel.dataset.judged = this.number;
    this.tellSaved("kept");
  }

  /** After a lost connection: what did not arrive is given again, what did is not. */
  async again(orders) {
    await awaitServer(async () => {
      const found = await get(this.path);
      if (found.number === this.number) this.waiting.unshift(orders);
      this.take(found);
    });
  }

  /** Somebody else has changed the draft. */
  async changedElsewhere(number) {
    if (this.working || number === this.number) return;
    this.take(await get(this.path));
    this.draw();
  }

  undo(back = true) {
    if (this.waiting.length || this.may[back ? "undo" : "redo"]) this.order({ do: back ? "undo" : "redo" });
  }

  place(ids, at) {
    const refused = ids.map((id) => this.refusal(id, at)).find(Boolean);
    if (refused) return say(refused, { bad: true });
    for (const id of ids) { // shown at once; the server says what goes along
      const known = this.pieces.get(id);
      if (!this.entry(id) && known) this.position[known.section].push(JSON.parse(JSON.stringify(known.entry)));
      if (this.entry(id)) this.entry(id).at = at;
    }
    return this.order({ do: "put", ids, at });
  }

  unplace(ids) {
    this.chosen.clear();
    return this.order({ do: "off", ids });
  }

  /** Why a piece may not be set up somewhere; "" if it may. */
  refusal(id, at) {
    const place = this.setup && this.places[this.pieces.get(id)?.place];
    if (!place) return "";
    const off = at.startsWith("off-map");
    const fits = place.hexes ? !off && place.hexes.includes(at.split("/")[0]) : off;
    return fits ? "" : `${id} ${place.words} (${place.rule}).`;
  }

  /** Fade the hexes where chosen pieces may not set up. */
  fadeFor(ids) {
    if (!this.setup) return;
    const lists = [...ids].map((id) => this.places[this.pieces.get(id)?.place]?.hexes ?? []);
    const open = new Set(lists.length ? lists.reduce((all, each) => all.filter((hex) => each.includes(hex))) : []);
    fade(this.game.map.board, lists.length ? Object.keys(this.game.map.board.geometry.hexes).filter((hex) => !open.has(hex)) : []);
  }

  control(hex, side) {
    const place = this.level ? `${hex}/${this.level}` : hex;
    const held = this.position.control;
    if (side && !this.strategic.has(hex) && !held[side].includes(place)) return;
    const has = side && held[side].includes(place);
    if (has && this.painting === "paint") return;
    if (!has && this.painting === "wipe" && side) return;
    if (!side && !["british", "german"].some((each) => held[each].includes(place))) return;
    this.painting ??= has ? "wipe" : "paint";
    const to = has ? "" : side;
    for (const each of ["british", "german"]) held[each] = held[each].filter((one) => one !== place);
    if (to) held[to].push(place);
    const last = this.waiting.at(-1)?.[0]; // a stroke that is not sent yet grows
    if (last?.do === "control" && last.side === to) last.places.push(place);
    else this.order({ do: "control", side: to, places: [place] });
    this.game.map.map.control = held;
    this.game.map.drawControl();
  }

  putThing(hex) {
    const [list, kind] = this.thing;
    this.hex = hex;
    if (list === "glider") return this.order({ do: "ground", name: "glider", kind, at: hex });
    if (list === "terrain") return this.order({ do: "ground", name: kind, at: hex });
    const size = kind === "foxhole" ? { size: Number(this.size.value) } : {};
    return this.order({ do: "ground", name: kind, at: hex, side: this.owner.value, ...size });
  }

  states(section) {
    return (this.setup ? AT_SETUP : STATES)[section] ?? [];
  }

  setState(name) {
    const entries = [...this.chosen].map((id) => this.entry(id)).filter((each) => each && this.states(this.info(each).section).some(([one]) => one === name));
    if (!entries.length) return say("Choose a piece on the map first.");
    const on = !entries.every((each) => (each.status ?? []).includes(name));
    return this.order({ do: "status", ids: entries.map((each) => each.id), name, on });
  }

  changeLevel(by) {
    if (["british", "german", "none"].includes(this.mode)) {
      this.level = Math.max(0, Math.min(4, this.level + by));
      this.drawTools();
      return undefined;
    }
    const ids = [...this.chosen].filter((id) => this.entry(id));
    return ids.length ? this.order({ do: "level", ids, by }) : undefined;
  }

  /** Turn Guns and vehicles: the covered arc lies between two neighbours, clockwise. */
  face() {
    const board = this.game.map.board;
    const entries = [...this.chosen].map((id) => this.entry(id)).filter((each) => each && ["gun", "vehicle"].includes(this.info(each).kind));
    if (!entries.length) return say("Only Guns and vehicles have a facing.");
    return this.order(...entries.map((entry) => {
      const around = neighbours(board.geometry, entry.at.split("/")[0]);
      const pairs = around.map((each, n) => [each, around[(n + 1) % around.length]]).filter(([a, b]) => a && b).map((pair) => pair.join("/"));
      const key = this.info(entry).kind === "vehicle" ? "vca" : "ca";
      return { do: "face", ids: [entry.id], at: pairs[(pairs.indexOf(entry[key]) + 1) % pairs.length] };
    }));
  }

  possess() {
    const entries = [...this.chosen].map((id) => this.entry(id)).filter(Boolean);
    const unit = entries.find((each) => this.info(each).section === "units");
    const items = entries.filter((each) => this.info(each).section === "equipment");
    if (!unit || !items.length) return say("Choose one unit and what it possesses.");
    return this.order({ do: "give", ids: [unit.id, ...items.map((each) => each.id)] });
  }

  /** The one chosen unit of a side guards the chosen units of the other. */
  guard() {
    const units = [...this.chosen].map((id) => this.entry(id)).filter((each) => each && this.info(each).section === "units");
    const taken = units.filter((each) => each.status?.includes("prisoner"));
    const others = units.filter((each) => !taken.includes(each));
    const guard = others.find((each) => others.every((one) => one === each || one.side !== each.side)) ?? others[0];
    const prisoners = units.filter((each) => each !== guard && each.side !== guard?.side);
    if (!guard || !prisoners.length) return say("Choose one unit, and the prisoners that it guards.");
    return this.order({ do: "guard", ids: [guard.id, ...prisoners.map((each) => each.id)] });
  }

  // -- drawing ------------------------------------------------------------------------------

  frame() {
    this.saved = h("span", { class: "quiet", "aria-live": "polite" });
    this.tools = h("div", { class: "edtools" });
    this.trays = h("div", { class: "trays" });
    this.faultBox = h("section", { class: "faults", "aria-label": "What is wrong" });
    this.hexBox = h("section", { class: "edhex", "aria-label": "Chosen pieces" });
    this.progress = h("div", { class: "progress" });
    const vasl = h("input", { type: "file", accept: ".vsav", class: "visually-hidden", id: "draft-vasl", data: { action: "vasl" } });
    vasl.addEventListener("change", async () => {
      const file = vasl.files[0];
      vasl.value = "";
      if (!file) return;
      const found = await vaslReview(file, this.game);
      if (found) await this.replace(found);
    });
    const book = h("input", { type: "file", accept: ".yaml,.yml,.json,.xlsx", class: "visually-hidden", id: "draft-file", data: { action: "start-file" } });
    book.addEventListener("change", () => this.startFrom(book));
    put(this.panel,
      h("header", { class: "edhead" }, h("h2", {}, this.setup ? `${capital(this.setup)} setup, ${this.game.state.date}` : `End position of ${this.game.state.date}`),
        h("p", { class: "row" },
          h("button", { data: { action: "undo-draft" }, on: { click: () => this.undo() } }, "Undo"), h("button", { data: { action: "redo-draft" }, on: { click: () => this.undo(false) } }, "Redo"),
          this.setup ? "" : h("details", { class: "startfrom" }, h("summary", {}, "Start from …"), h("div", { class: "panel" },
            h("button", { class: "plain", on: { click: () => this.putBack() } }, "put everything where it stood"),
            h("label", { class: "filebutton", for: "draft-vasl" }, "a VASL save …"), vasl,
            h("label", { class: "filebutton", for: "draft-file" }, "a workbook, YAML or JSON …"), book,
            h("button", { class: "plain", on: { click: () => this.startAgain({ do: "empty" }) } }, "an empty board"))),
          this.saved)),
      this.progress, this.tools, this.hexBox, this.faultBox, this.trays,
      h("footer", { class: "edfoot row end" },
        h("button", { data: { action: "close-draft" }, on: { click: () => this.close() } }, "Later (all is kept)"),
        h("button", { class: "main", data: { action: "give" }, on: { click: () => this.give() } }, this.setup ? "Give this setup" : "Give this position")));
    this.trays.addEventListener("pointerdown", (event) => this.dragging.grabTray(event));
  }

  tellSaved(words) {
    this.saved.textContent = words;
  }

  model() {
    if (this.setup) {
      const others = (this.under?.counters ?? []).filter((each) => !this.pieces.has(each.id));
      return { ...this.under, counters: [...others, ...this.counters()] };
    }
    return {
      areas: this.areas, first_setup: [], control: this.position.control, fortifications: this.position.fortifications,
      terrain: this.position.terrain, gliders: this.position.gliders,
      counters: this.counters(),
    };
  }

  counters() {
    return this.entries().map((each) => ({ ...each, kind: this.info(each).kind, status: each.status ?? [], possesses: each.possesses ?? [] }));
  }

  draw() {
    keepFocus(this.panel, () => {
      this.drawMap();
      this.drawProgress();
      this.drawTools();
      this.drawHex();
      this.drawFaults();
      this.drawTrays();
    });
  }

  drawMap() {
    const map = this.game.map;
    map.map = this.model();
    map.drawAll();
    this.mark();
  }

  mark() {
    const board = this.game.map.board;
    if (!board) return;
    show(board, []);
    const hexes = new Set([...this.chosen].map((id) => this.entry(id)?.at?.split("/")[0]).filter(Boolean));
    if (this.hex) hexes.add(this.hex);
    point(board, hexes, true);
    for (const each of board.layers.counters.querySelectorAll("[data-piece]")) each.classList.toggle("chosen", this.chosen.has(each.dataset.piece));
    this.fadeFor(this.chosen);
  }

  left() {
    const placed = new Set(this.entries().map((each) => each.id));
    return [...this.pieces.values()].filter((each) => !placed.has(each.entry.id));
  }

  drawProgress() {
    const left = this.left().length;
    const all = this.pieces.size;
    put(this.progress, h("p", {}, left ? `${all - left} of ${all} pieces stand on the map; ${left} to place` : `All ${all} pieces are placed.`),
      h("progress", { max: all || 1, value: all - left, "aria-label": "Pieces placed" }),
      left ? h("p", { class: "quiet" }, this.setup ? "What stays in the trays is set up on the map alone." : "What stays in the trays was Eliminated in play; what may never have entered is asked next.") : "");
    for (const name of ["undo", "redo"]) this.panel.querySelector(`[data-action=${name}-draft]`).setAttribute("aria-disabled", String(!this.may[name]));
  }

  drawTools() {
    if (this.setup) return;
    const key = [this.mode, this.level, this.thing].join();
    if (key === this.toolsDrawn) return;
    this.toolsDrawn = key;
    const modes = [["move", "Move", "m"], ["british", "British Control", "1"], ["german", "German Control", "2"], ["none", "No Control", "0"]];
    this.owner ??= h("select", { "aria-label": "Whose Fortification" }, ["german", "british"].map((each) => h("option", { value: each }, capital(each))));
    this.size ??= h("select", { "aria-label": "Its size" }, [1, 2, 3].map((each) => h("option", { value: each }, `size ${each}`)));
    this.thingBox ??= h("select", { "aria-label": "Put something on the map", data: { action: "thing" }, on: { change: () => {
      this.thing = THINGS[Number(this.thingBox.value)];
      this.setMode(this.thingBox.value === "" ? "move" : "put");
    } } }, h("option", { value: "" }, "Put …"), THINGS.map(([, , title], n) => h("option", { value: n }, title)));
    put(this.tools, h("div", { class: "modes", role: "group", "aria-label": "What a click does" },
      modes.map(([name, title, key]) => h("button", { class: `mode ${name}`, "aria-pressed": String(this.mode === name), data: { mode: name }, on: { click: () => this.setMode(name) } }, title, " ", h("kbd", {}, key)))),
    h("div", { class: "row" }, this.thingBox, this.thing?.[0] === "fortifications" && this.mode === "put" ? [this.owner, this.thing[1] === "foxhole" ? this.size : ""] : "",
      h("button", { class: "plain", data: { action: "infer" }, title: "Who stands alone in a Location Controls it (A26.11)", on: { click: () => this.order({ do: "infer" }) } }, "Control from who stands where"),
      this.mode === "move" || this.mode === "put" ? "" : h("span", { class: "row" }, h("span", { class: "quiet" }, this.level ? `level ${this.level}` : "ground level"),
        h("button", { "aria-label": "Level up", on: { click: () => this.changeLevel(1) } }, "▲"), h("button", { "aria-label": "Level down", on: { click: () => this.changeLevel(-1) } }, "▼"))),
    this.mode === "move" ? "" : this.drawMark());
  }

  /** The brush without a mouse: hexes are typed. */
  drawMark() {
    const field = h("input", { type: "text", name: "mark", size: 14, maxlength: 200, placeholder: "Hexes, as Z14 Z15", "aria-label": "Hexes to mark", autocomplete: "off" });
    const mark = (event) => {
      event.preventDefault();
      const hexes = field.value.toUpperCase().split(/[\s,;]+/).filter(Boolean);
      const unknown = hexes.filter((hex) => !this.game.map.board.geometry.hexes[hex]);
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

  setMode(mode) {
    this.mode = mode;
    if (mode !== "put") {
      this.thing = null;
      this.thingBox.value = "";
    }
    this.game.map.window.classList.toggle("brush", mode !== "move");
    this.drawTools();
  }

  drawHex() {
    const chosen = [...this.chosen];
    const placed = chosen.map((id) => this.entry(id)).filter(Boolean);
    const here = this.hex ? (stacksOf(this.model()).get(this.hex) ?? []) : [];
    const things = this.hex ? ["gliders", "fortifications", "terrain"].flatMap((list) => this.position[list].map((each) => ({ list, each })).filter(({ each }) => each.at.split("/")[0] === this.hex)) : [];
    const key = JSON.stringify([chosen, this.hex, placed, here, things]);
    if (key === this.hexDrawn) return;
    this.hexDrawn = key;
    if (!chosen.length && !here.length && !things.length) {
      put(this.hexBox, h("p", { class: "quiet" }, "Drag counters from the trays to the map. A click on a stack chooses it; Shift and drag moves the whole stack."));
      return;
    }
    const names = new Map();
    for (const each of placed) for (const [name, key] of this.states(this.info(each).section)) names.set(name, key);
    const field = h("input", { type: "text", name: "at", size: 7, maxlength: 14, placeholder: "Hex", "aria-label": "Place at", autocomplete: "off" });
    const go = (event) => {
      event.preventDefault();
      const at = field.value.trim();
      const clean = at.toLowerCase().startsWith("off") ? `off-map ${at.split(/\s+/)[1]?.toUpperCase() ?? ""}` : at.toUpperCase().replace("/PILLBOX", "/pillbox");
      const hex = clean.split("/")[0];
      if (!clean.startsWith("off-map") && !this.game.map.board.geometry.hexes[hex]) return say(`There is no hex "${hex}" in play.`, { bad: true });
      this.place([...this.chosen], clean);
      if (!clean.startsWith("off-map")) this.game.map.board.look(hex);
      this.chosen.clear();
      this.draw();
      return this.trays.querySelector("button")?.focus();
    };
    put(this.hexBox,
      here.length ? h("fieldset", { class: "here" }, h("legend", {}, this.hex), [...here].reverse().map((piece) => h("label", {},
        h("input", { type: "checkbox", checked: this.chosen.has(piece.id), data: { choose: piece.id }, on: { change: (event) => { if (event.target.checked) this.chosen.add(piece.id); else this.chosen.delete(piece.id); this.drawHex(); this.mark(); } } }),
        svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", {}, words(piece), piece.at.includes("/") ? h("small", {}, ` ${piece.at}`) : "")))) : "",
      things.length ? h("ul", { class: "listed" }, things.map(({ list, each }) => h("li", {}, `${each.kind ?? `glider ${each.state}`} ${each.size ?? ""} ${each.owner ?? ""} `,
        h("button", { class: "plain", "aria-label": "Remove it", on: { click: () => this.order({ do: "clear", name: list === "gliders" ? "glider" : each.kind, at: each.at }) } }, "✕")))) : "",
      chosen.length ? h("form", { class: "row", on: { submit: go } }, h("span", {}, `${chosen.length} chosen:`), field, h("button", { type: "submit", data: { action: "place" } }, "Place"),
        placed.length ? [h("button", { type: "button", "aria-label": "Level up", on: { click: () => this.changeLevel(1) } }, "▲"), h("button", { type: "button", "aria-label": "Level down", on: { click: () => this.changeLevel(-1) } }, "▼"),
          h("button", { type: "button", on: { click: () => this.face() } }, "Turn ", h("kbd", {}, "f")), h("button", { type: "button", on: { click: () => this.possess() } }, "Possess ", h("kbd", {}, "o")),
          this.setup ? "" : h("button", { type: "button", on: { click: () => this.guard() } }, "Guard ", h("kbd", {}, "k")),
          h("button", { type: "button", data: { action: "unplace" }, on: { click: () => this.unplace(chosen) } }, "Off the map")] : "") : "",
      names.size ? h("div", { class: "states", role: "group", "aria-label": "State" }, [...names].map(([name, key]) => h("button", {
        "aria-pressed": String(placed.every((each) => (each.status ?? []).includes(name))), data: { state: name }, on: { click: () => this.setState(name) },
      }, name, key ? [" ", h("kbd", {}, key)] : ""))) : "");
  }

  drawFaults() {
    const key = JSON.stringify(this.faults);
    if (key === this.faultsDrawn) return;
    this.faultsDrawn = key;
    put(this.faultBox, this.faults.length ? [h("h3", {}, this.faults.length === 1 ? "One thing is wrong" : `${this.faults.length} things are wrong`),
      h("ol", {}, this.faults.slice(0, 30).map((each) => h("li", {}, h("button", { class: "plain", on: { click: () => this.goTo(each) } }, each.sentence))))]
      : h("p", { class: "quiet good" }, "✓ Nothing is wrong with this position."));
  }

  goTo(fault) {
    const id = fault.where.match(/"([^"]+)"/)?.[1];
    const entry = id && this.entry(id);
    const hex = (entry?.at ?? fault.value ?? "").split("/")[0];
    if (entry) this.chosen = new Set([id]);
    if (this.game.map.board.geometry.hexes[hex]) {
      this.hex = hex;
      this.game.map.board.look(hex, true);
    }
    this.drawHex();
    this.mark();
  }

  /** The trays; what has not changed stays as it is, so that no click or drag is lost. */
  drawTrays() {
    const groups = new Map();
    for (const each of this.left()) {
      const name = `${each.entry.side} ${each.group || { squad: "MMC", half_squad: "MMC", crew: "MMC", leader: "SMC", hero: "SMC", armor_leader: "SMC", sw: "Support Weapons", gun: "Guns", vehicle: "Vehicles" }[each.kind] || each.kind}`;
      groups.set(name, [...(groups.get(name) ?? []), each]);
    }
    const before = this.trayOf ?? new Map();
    this.trayOf = new Map([...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, list]) => {
      const ids = list.map((each) => each.entry.id);
      const known = before.get(name);
      return [name, known?.ids.join() === ids.join() ? known : { ids, ...this.tray(name, list, ids) }];
    }));
    const now = [...this.trayOf.values()].map((each) => each.section);
    if (now.length !== this.trays.children.length || now.some((each, n) => this.trays.children[n] !== each)) put(this.trays, now);
    this.markTrays();
  }

  tray(name, list, ids) {
    const [side, ...rest] = name.split(" ");
    const all = h("button", { class: "plain", on: { click: () => {
      const every = ids.every((id) => this.chosen.has(id));
      ids.forEach((id) => (every ? this.chosen.delete(id) : this.chosen.add(id)));
      this.markTrays();
      this.drawHex();
      this.fadeFor(this.chosen);
    } } });
    const section = h("section", { class: "tray" }, h("header", {}, sideBadge(side, rest.join(" ")), all),
      h("div", { class: "traylist" }, list.map((each) => h("button", {
        class: "traypiece", "aria-label": words(each.entry), title: words(each.entry), data: { tray: each.entry.id },
        on: { click: () => this.toggle(each.entry.id) },
      }, svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter({ ...each.entry, kind: each.kind }, 0, 0))))));
    return { section, all };
  }

  markTrays() {
    for (const { ids, section, all } of this.trayOf.values()) {
      const every = ids.every((id) => this.chosen.has(id));
      all.textContent = every ? "none" : `all ${ids.length}`;
      all.setAttribute("aria-pressed", String(every));
      for (const each of section.querySelectorAll("[data-tray]")) {
        each.classList.toggle("chosen", this.chosen.has(each.dataset.tray));
        each.setAttribute("aria-pressed", String(this.chosen.has(each.dataset.tray)));
      }
    }
  }

  toggle(id) {
    if (this.dragging.moved) return;
    if (this.chosen.has(id)) this.chosen.delete(id);
    else this.chosen.add(id);
    this.markTrays();
    this.drawHex();
    this.fadeFor(this.chosen);
  }

  tap(hex) {
    if (this.mode === "put" && hex) {
      this.putThing(hex);
      return;
    }
    const unplaced = [...this.chosen].filter((id) => !this.entry(id));
    if (hex && unplaced.length) {
      this.hex = hex;
      this.place([...this.chosen], hex);
      this.chosen.clear();
      this.draw();
      return;
    }
    this.hex = hex ?? "";
    this.chosen = new Set(hex ? (stacksOf(this.model()).get(hex) ?? []).map((each) => each.id).filter((id) => this.entry(id)) : []);
    this.drawHex();
    this.mark();
  }

  // -- keys and ends --------------------------------------------------------------------------

  key(event) {
    if (document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      this.undo(!event.shiftKey);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox]), select, textarea")) return;
    const state = { b: "broken", w: "wounded", p: "prisoner", i: "immobilized" }[event.key];
    const run = state ? () => this.setState(state) : {
      x: () => this.setState([...this.chosen].some((id) => this.info(this.entry(id) ?? {}).section === "vehicles") ? "ma-malfunctioned" : "malfunctioned"),
      f: () => this.face(), o: () => this.possess(), ...(this.setup ? {} : { k: () => this.guard(), m: () => this.setMode("move"), 1: () => this.setMode("british"), 2: () => this.setMode("german"), 0: () => this.setMode("none") }),
      PageUp: () => this.changeLevel(1), PageDown: () => this.changeLevel(-1), Delete: () => this.chosen.size && this.unplace([...this.chosen]),
      u: () => this.undo(), g: () => this.game.map.find(), Escape: () => { this.chosen.clear(); this.hex = ""; this.draw(); },
    }[event.key];
    event.stopImmediatePropagation();
    if (!run) return;
    event.preventDefault();
    run();
  }

  /** Pieces of this viewer's that are not on the map go where they last stood. */
  putBack() {
    if (!this.left().some((each) => each.entry.at)) return say("Nothing else is known to have stood anywhere.");
    return this.startAgain({ do: "last" });
  }

  startAgain(order) {
    this.begun();
    return this.order(order);
  }

  /** Another position stands there now: nothing of the old one is chosen, the menu closes. */
  begun() {
    this.chosen.clear();
    this.hex = "";
    this.panel.querySelector(".startfrom").open = false;
  }

  /** Begin with what a workbook or another position file holds. */
  async startFrom(input) {
    const file = input.files[0];
    input.value = "";
    if (!file) return;
    try {
      const read = await send(`${this.path}/file`, file, { name: file.name.slice(-60) });
      await this.replace(read.value);
      say(`${file.name}: ${read.summary}`);
    } catch (error) {
      if (!(error instanceof Refusal)) await this.game.wrong(error);
      else await ask("This file", (close) => [h("h2", {}, file.name), h("pre", { class: "wrong" }, error.message),
        h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
    }
  }

  /** Go on with another position as a whole. */
  async replace(found) {
    await this.working;
    const position = { format: "pbcg-position/1", date: this.position.date, ...found };
    try {
      await putTo(this.path, { number: this.number, position });
    } catch (error) {
      await this.game.wrong(error);
    }
    this.begun();
    this.take(await get(this.path));
    this.draw();
    this.panel.dataset.judged = this.number;
  }

  async give() {
    await this.working;
    if (this.faults.length) {
      say("Some things are wrong yet; they stand in the list.", { bad: true });
      this.goTo(this.faults[0]);
      return;
    }
    const left = this.left().length;
    const sure = await ask(this.setup ? "Give this setup" : "Give this position", (close) => [
      h("h2", {}, this.setup ? "Give this setup?" : "Give this position?"),
      h("p", {}, !left ? "Every piece is placed." : this.setup ? `${left === 1 ? "1 piece is" : `${left} pieces are`} set up on the map alone; what is given is kept and checked.` : `${left === 1 ? "1 piece is" : `${left} pieces are`} not on the map, so Eliminated in play. What may never have entered is asked next.`),
      h("div", { class: "row end" }, h("button", { on: { click: () => close(false) } }, "Not yet"), h("button", { class: "main", data: { action: "give-now" }, on: { click: () => close(true) } }, "Give it"))]);
    if (!sure) return;
    const position = this.position;
    this.close();
    await this.game.answer(position);
  }
}

const NAMES = ["tray", "choose", "state", "mode", "action"];

/** Draw parts of a panel anew; what had the focus has it still, and what was typed stays. */
function keepFocus(panel, run) {
  const had = document.activeElement;
  const inside = panel.contains(had);
  const name = inside && NAMES.find((each) => had.dataset[each] !== undefined);
  const again = name ? `[data-${name}="${CSS.escape(had.dataset[name])}"]` : inside && had.name ? `[name="${CSS.escape(had.name)}"]` : "";
  const typed = inside && had.type === "text" ? had.value : "";
  const tray = inside && name === "tray";
  run();
  if (!inside || had.isConnected) return;
  const now = (again ? panel.querySelector(again) : null) ?? (tray ? panel.querySelector("[data-tray]") : null);
  if (!now) return;
  now.focus({ preventScroll: true });
  if (typed) now.value = typed;
}

/** The neighbours of a hex, clockwise from the top; undefined where the map ends. */
export function neighbours(geometry, hex) {
  const [x, y] = geometry.hexes[hex].centre;
  const high = geometry.hex_height;
  const near = Object.entries(geometry.hexes);
  return [0, 1, 2, 3, 4, 5].map((n) => {
    const angle = (n * Math.PI) / 3;
    const at = [x + Math.sin(angle) * high, y - Math.cos(angle) * high];
    return near.find(([, place]) => Math.hypot(place.centre[0] - at[0], place.centre[1] - at[1]) < high / 4)?.[0];
  });
}
