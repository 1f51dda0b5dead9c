// Entering the end position: trays, drag and drop, Control by brush, areas that redraw as one goes.

import { Lost, Refusal, awaitServer, get, put as putTo, send } from "./api.js";
import { counter, words } from "./counters.js";
import { ask, capital, h, put, say, sideBadge, svg } from "./dom.js";
import { point, show, stacksOf } from "./layers.js";
import { vaslReview } from "./vasl.js";

const SECTIONS = ["units", "equipment", "vehicles"];
const STATES = {
  units: [["broken", "b"], ["dm"], ["disrupted"], ["wounded", "w"], ["walking-wounded"], ["prisoner", "p"], ["unarmed"], ["concealed"], ["encircled"], ["pinned"], ["berserk"], ["fanatic"], ["heroic"]],
  equipment: [["malfunctioned", "x"], ["captured"], ["dm"], ["emplaced"], ["low-ammo"], ["hooked"]],
  vehicles: [["immobilized", "i"], ["abandoned"], ["bogged"], ["mired"], ["shocked"], ["stunned"], ["uk"], ["ma-malfunctioned", "x"], ["ma-disabled"], ["bmg-malfunctioned"], ["cmg-malfunctioned"], ["captured"], ["recall"], ["low-ammo"], ["motion"]],
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
    this.past = [];
    this.future = [];
    this.hex = "";
    this.actions = 0;
    this.onKey = (event) => this.key(event);
  }

  async begin() {
    const found = await get(this.path);
    this.take(found);
    this.pieces = new Map(found.pieces.map((each) => [each.entry.id, each]));
    this.panel = h("aside", { class: "side editor", "aria-label": "Entering the end position", data: { editor: "" } });
    this.game.side.hidden = true;
    this.game.main.append(this.panel);
    this.frame();
    await this.game.map.ready;
    this.hook();
    addEventListener("keydown", this.onKey, true);
    this.draw();
    this.panel.querySelector("button, input")?.focus();
  }

  close() {
    removeEventListener("keydown", this.onKey, true);
    this.unhook();
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
    this.judged(found);
  }

  judged(found) {
    this.faults = found.faults;
    this.areas = found.areas;
    this.strategic = new Set(found.strategic);
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

  /** A piece and all that goes along with it: what it possesses, tows, guards, carries. */
  along(ids) {
    const all = new Set();
    const visit = (id) => {
      if (all.has(id)) return;
      all.add(id);
      const entry = this.entry(id) ?? this.pieces.get(id)?.entry;
      for (const each of [...(entry?.possesses ?? []), ...(entry?.tows ?? [])]) visit(each);
      for (const each of this.entries()) if (each.guarded_by === id || each.aboard === id) visit(each.id);
    };
    ids.forEach(visit);
    return all;
  }

  change(run) {
    this.past.push(JSON.stringify(this.position));
    if (this.past.length > 300) this.past.shift();
    this.future = [];
    this.actions += 1;
    run(this.position);
    this.draw();
    this.save();
  }

  undo(back = true) {
    const from = back ? this.past : this.future;
    const to = back ? this.future : this.past;
    if (!from.length) return;
    to.push(JSON.stringify(this.position));
    this.position = JSON.parse(from.pop());
    this.draw();
    this.save();
  }

  save() {
    this.dirty = true;
    this.saving ??= this.saveAll().finally(() => (this.saving = null));
    return this.saving;
  }

  async saveAll() {
    while (this.dirty) {
      this.dirty = false;
      this.tellSaved("saving …");
      try {
        const found = await putTo(this.path, { number: this.number, position: this.position });
        this.number = found.number;
        this.judged(found);
        this.tellSaved("kept");
        this.drawJudged();
      } catch (error) {
        if (error instanceof Lost) {
          this.dirty = true;
          await awaitServer(async () => {});
        } else if (error instanceof Refusal && error.status === 409) {
          this.take(await get(this.path));
          this.draw();
          say(error.message, { bad: true });
        } else await this.game.wrong(error);
      }
    }
  }

  /** Somebody else has changed the draft. */
  async changedElsewhere(number) {
    if (this.saving || number === this.number) return;
    this.take(await get(this.path));
    this.draw();
  }

  place(ids, at) {
    const all = this.along(ids);
    this.change((position) => {
      for (const id of all) {
        let entry = this.entry(id);
        if (!entry) {
          const known = this.pieces.get(id);
          if (!known) continue;
          entry = JSON.parse(JSON.stringify(known.entry));
          position[known.section].push(entry);
        }
        entry.at = at;
        if (at.startsWith("off-map")) for (const key of ["ca", "vca", "tca", "bypass"]) delete entry[key];
      }
    });
  }

  unplace(ids) {
    const all = this.along(ids);
    this.change((position) => {
      for (const name of SECTIONS) position[name] = position[name].filter((each) => !all.has(each.id));
    });
    this.chosen.clear();
    this.draw();
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
    this.change(() => {
      for (const each of ["british", "german"]) held[each] = held[each].filter((one) => one !== place);
      if (side && !has) held[side].push(place);
    });
  }

  putThing(hex) {
    const [list, kind] = this.thing;
    this.change((position) => {
      if (list === "glider") position.gliders.push({ at: hex, state: kind });
      else if (list === "fortifications") position.fortifications.push({ kind, at: hex, owner: this.owner?.value || "german", ...(kind === "foxhole" ? { size: 1 } : {}) });
      else position.terrain.push({ kind, at: hex });
    });
    this.hex = hex;
    this.drawHex();
  }

  setState(name) {
    const entries = [...this.chosen].map((id) => this.entry(id)).filter(Boolean);
    if (!entries.length) return say("Choose a piece on the map first.");
    const on = !entries.every((each) => (each.status ?? []).includes(name));
    return this.change(() => {
      for (const entry of entries) {
        const section = SECTIONS.find((each) => this.position[each].includes(entry));
        if (!STATES[section].some(([each]) => each === name)) continue;
        const status = new Set(entry.status ?? []);
        if (on) status.add(name);
        else status.delete(name);
        entry.status = [...status];
      }
    });
  }

  changeLevel(by) {
    if (this.mode !== "move") {
      this.level = Math.max(0, Math.min(4, this.level + by));
      this.drawTools();
      return;
    }
    const entries = [...this.chosen].map((id) => this.entry(id)).filter((each) => each && !each.at.startsWith("off-map"));
    if (!entries.length) return;
    const ids = this.along(entries.map((each) => each.id));
    this.change(() => {
      for (const id of ids) {
        const entry = this.entry(id);
        const [hex, level = "0"] = entry.at.split("/");
        if (!/^\d$/.test(level)) continue;
        const next = Math.max(0, Math.min(4, Number(level) + by));
        entry.at = next ? `${hex}/${next}` : hex;
      }
    });
  }

  /** Turn Guns and vehicles: the covered arc lies between two neighbours, clockwise. */
  face() {
    const board = this.game.map.board;
    const entries = [...this.chosen].map((id) => this.entry(id)).filter((each) => each && ["gun", "vehicle"].includes(this.info(each).kind));
    if (!entries.length) return say("Only Guns and vehicles have a facing.");
    return this.change(() => {
      for (const entry of entries) {
        const hex = entry.at.split("/")[0];
        const around = neighbours(board.geometry, hex);
        const pairs = around.map((each, n) => [each, around[(n + 1) % around.length]]).filter(([a, b]) => a && b).map((pair) => pair.join("/"));
        const key = this.info(entry).kind === "vehicle" ? "vca" : "ca";
        entry[key] = pairs[(pairs.indexOf(entry[key]) + 1) % pairs.length];
      }
    });
  }

  possess() {
    const entries = [...this.chosen].map((id) => this.entry(id)).filter(Boolean);
    const unit = entries.find((each) => this.info(each).section === "units");
    const items = entries.filter((each) => this.info(each).section === "equipment");
    if (!unit || !items.length) return say("Choose one unit and what it possesses.");
    return this.change(() => {
      for (const each of this.entries()) if (each.possesses) each.possesses = each.possesses.filter((id) => !items.some((item) => item.id === id));
      unit.possesses = [...new Set([...(unit.possesses ?? []), ...items.map((each) => each.id)])];
      for (const item of items) item.at = unit.at;
    });
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
      if (found) this.replace(found);
    });
    const book = h("input", { type: "file", accept: ".yaml,.yml,.json,.xlsx", class: "visually-hidden", id: "draft-file", data: { action: "start-file" } });
    book.addEventListener("change", () => this.startFrom(book));
    put(this.panel,
      h("header", { class: "edhead" }, h("h2", {}, `End position of ${this.game.state.date}`),
        h("p", { class: "row" },
          h("button", { data: { action: "undo-draft" }, on: { click: () => this.undo() } }, "Undo"), h("button", { data: { action: "redo-draft" }, on: { click: () => this.undo(false) } }, "Redo"),
          h("details", { class: "startfrom" }, h("summary", {}, "Start from …"), h("div", { class: "panel" },
            h("button", { class: "plain", on: { click: () => this.putBack() } }, "put everything where it stood"),
            h("label", { class: "filebutton", for: "draft-vasl" }, "a VASL save …"), vasl,
            h("label", { class: "filebutton", for: "draft-file" }, "a workbook, YAML or JSON …"), book,
            h("button", { class: "plain", on: { click: () => this.replace({}) } }, "an empty board"))),
          this.saved)),
      this.progress, this.tools, this.hexBox, this.faultBox, this.trays,
      h("footer", { class: "edfoot row end" },
        h("button", { data: { action: "close-draft" }, on: { click: () => this.close() } }, "Later (all is kept)"),
        h("button", { class: "main", data: { action: "give" }, on: { click: () => this.give() } }, "Give this position")));
    this.trays.addEventListener("pointerdown", (event) => this.grabTray(event));
  }

  tellSaved(words) {
    this.saved.textContent = words;
  }

  model() {
    return {
      areas: this.areas, first_setup: [], control: this.position.control, fortifications: this.position.fortifications,
      terrain: this.position.terrain, gliders: this.position.gliders,
      counters: this.entries().map((each) => ({ ...each, kind: this.info(each).kind, status: each.status ?? [], possesses: each.possesses ?? [] })),
    };
  }

  draw() {
    this.drawMap();
    this.drawProgress();
    this.drawTools();
    this.drawHex();
    this.drawFaults();
    this.drawTrays();
  }

  drawMap() {
    const map = this.game.map;
    map.map = this.model();
    map.drawAll();
    this.mark();
  }

  /** After the server has judged the draft: areas and faults. */
  drawJudged() {
    this.drawMap();
    this.drawFaults();
    this.drawProgress();
    this.panel.dataset.judged = this.number;
  }

  mark() {
    const board = this.game.map.board;
    if (!board) return;
    show(board, []);
    const hexes = new Set([...this.chosen].map((id) => this.entry(id)?.at?.split("/")[0]).filter(Boolean));
    if (this.hex) hexes.add(this.hex);
    point(board, hexes, true);
    for (const each of board.layers.counters.querySelectorAll("[data-piece]")) each.classList.toggle("chosen", this.chosen.has(each.dataset.piece));
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
      left ? h("p", { class: "quiet" }, "What stays in the trays was Eliminated or never entered; that is asked next.") : "");
  }

  drawTools() {
    const modes = [["move", "Move", "m"], ["british", "British Control", "1"], ["german", "German Control", "2"], ["none", "No Control", "0"]];
    this.owner ??= h("select", { "aria-label": "Whose Fortification" }, ["german", "british"].map((each) => h("option", { value: each }, capital(each))));
    this.thingBox ??= h("select", { "aria-label": "Put something on the map", data: { action: "thing" }, on: { change: () => {
      this.thing = THINGS[Number(this.thingBox.value)];
      this.setMode(this.thingBox.value === "" ? "move" : "put");
    } } }, h("option", { value: "" }, "Put …"), THINGS.map(([, , title], n) => h("option", { value: n }, title)));
    put(this.tools, h("div", { class: "modes", role: "group", "aria-label": "What a click does" },
      modes.map(([name, title, key]) => h("button", { class: `mode ${name}`, "aria-pressed": String(this.mode === name), data: { mode: name }, on: { click: () => this.setMode(name) } }, title, " ", h("kbd", {}, key)))),
    h("div", { class: "row" }, this.thingBox, this.thing?.[0] === "fortifications" && this.mode === "put" ? this.owner : "",
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
    const things = this.hex ? ["gliders", "fortifications", "terrain"].flatMap((list) => this.position[list].map((each, n) => ({ list, n, each })).filter(({ each }) => each.at.split("/")[0] === this.hex)) : [];
    if (!chosen.length && !here.length && !things.length) {
      put(this.hexBox, h("p", { class: "quiet" }, "Drag counters from the trays to the map. A click on a stack chooses it; Shift and drag moves the whole stack."));
      return;
    }
    const names = new Map();
    for (const each of placed) for (const [name, key] of STATES[this.info(each).section] ?? []) names.set(name, key);
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
      things.length ? h("ul", { class: "listed" }, things.map(({ list, n, each }) => h("li", {}, `${each.kind ?? `glider ${each.state}`} ${each.size ?? ""} ${each.owner ?? ""} `,
        h("button", { class: "plain", "aria-label": "Remove it", on: { click: () => this.change((position) => position[list].splice(n, 1)) } }, "✕")))) : "",
      chosen.length ? h("form", { class: "row", on: { submit: go } }, h("span", {}, `${chosen.length} chosen:`), field, h("button", { type: "submit", data: { action: "place" } }, "Place"),
        placed.length ? [h("button", { type: "button", "aria-label": "Level up", on: { click: () => this.changeLevel(1) } }, "▲"), h("button", { type: "button", "aria-label": "Level down", on: { click: () => this.changeLevel(-1) } }, "▼"),
          h("button", { type: "button", on: { click: () => this.face() } }, "Turn ", h("kbd", {}, "f")), h("button", { type: "button", on: { click: () => this.possess() } }, "Possess ", h("kbd", {}, "o")),
          h("button", { type: "button", data: { action: "unplace" }, on: { click: () => this.unplace(chosen) } }, "Off the map")] : "") : "",
      names.size ? h("div", { class: "states", role: "group", "aria-label": "State" }, [...names].map(([name, key]) => h("button", {
        "aria-pressed": String(placed.every((each) => (each.status ?? []).includes(name))), data: { state: name }, on: { click: () => this.setState(name) },
      }, name, key ? [" ", h("kbd", {}, key)] : ""))) : "");
  }

  drawFaults() {
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

  drawTrays() {
    const groups = new Map();
    for (const each of this.left()) {
      const name = `${each.entry.side} ${each.group || { squad: "MMC", half_squad: "MMC", crew: "MMC", leader: "SMC", hero: "SMC", armor_leader: "SMC", sw: "Support Weapons", gun: "Guns", vehicle: "Vehicles" }[each.kind] || each.kind}`;
      groups.set(name, [...(groups.get(name) ?? []), each]);
    }
    put(this.trays, [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, list]) => {
      const [side, ...rest] = name.split(" ");
      const ids = list.map((each) => each.entry.id);
      const all = ids.every((id) => this.chosen.has(id));
      return h("section", { class: "tray" }, h("header", {}, sideBadge(side, rest.join(" ")), h("button", { class: "plain", "aria-pressed": String(all), on: { click: () => { ids.forEach((id) => (all ? this.chosen.delete(id) : this.chosen.add(id))); this.drawTrays(); this.drawHex(); } } }, all ? "none" : `all ${list.length}`)),
        h("div", { class: "traylist" }, list.map((each) => h("button", {
          class: `traypiece ${this.chosen.has(each.entry.id) ? "chosen" : ""}`, "aria-pressed": String(this.chosen.has(each.entry.id)), "aria-label": words(each.entry), title: words(each.entry), data: { tray: each.entry.id },
          on: { click: () => this.toggle(each.entry.id) },
        }, svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter({ ...each.entry, kind: each.kind }, 0, 0))))));
    }));
  }

  toggle(id) {
    if (this.dragged) return;
    if (this.chosen.has(id)) this.chosen.delete(id);
    else this.chosen.add(id);
    const button = this.trays.querySelector(`[data-tray="${CSS.escape(id)}"]`);
    button?.classList.toggle("chosen", this.chosen.has(id));
    button?.setAttribute("aria-pressed", String(this.chosen.has(id)));
    this.drawHex();
  }

  // -- dragging -----------------------------------------------------------------------------

  hook() {
    const map = this.game.map;
    const { board } = map;
    this.kept = [board.onTap, board.onGrab, board.onDrag, board.onDrop];
    map.hideFan();
    board.onGrab = (event) => this.grab(event);
    board.onDrag = (event) => this.drag(event);
    board.onDrop = (event, moved) => this.drop(event, moved);
    board.onTap = (event, hex) => this.tap(hex);
  }

  unhook() {
    const { board, window } = this.game.map;
    [board.onTap, board.onGrab, board.onDrag, board.onDrop] = this.kept;
    window.classList.remove("brush");
    this.ghost?.remove();
    point(board, [], true);
  }

  grab(event) {
    const { board } = this.game.map;
    const hex = board.hexAt(event.clientX, event.clientY);
    if (this.mode !== "move") {
      if (this.mode === "put" || !hex) return false;
      this.painting = null;
      return true;
    }
    const piece = event.target.closest?.("[data-piece]")?.dataset.piece;
    const stack = event.target.closest?.("[data-stack]")?.dataset.stack;
    if (!stack) return false;
    this.pressed = { piece, stack };
    this.game.map.hideFan();
    if (!(piece && this.chosen.has(piece))) {
      const all = (stacksOf(this.model()).get(stack) ?? []).map((each) => each.id);
      this.wanted = event.shiftKey || !piece ? all : [piece];
    } else this.wanted = [...this.chosen];
    return true;
  }

  drag(event) {
    const { board } = this.game.map;
    const hex = board.hexAt(event.clientX, event.clientY);
    if (this.mode !== "move") {
      if (hex) this.control(hex, this.mode === "none" ? "" : this.mode);
      return;
    }
    this.carry(event, this.wanted.filter((id) => this.entry(id)));
    point(board, hex ? [hex] : [], false);
  }

  drop(event, moved) {
    const { board } = this.game.map;
    const hex = board.hexAt(event.clientX, event.clientY);
    this.ghost?.remove();
    this.ghost = null;
    if (this.mode !== "move") {
      if (!moved && hex) this.control(hex, this.mode === "none" ? "" : this.mode);
      this.painting = null;
      return;
    }
    if (!moved) {
      this.tap(this.pressed.stack);
      return;
    }
    if (hex) {
      this.place(this.wanted, hex);
      this.chosen = new Set(this.wanted);
      this.hex = hex;
    }
    this.draw();
  }

  tap(hex) {
    if (this.mode === "put" && hex) {
      this.putThing(hex);
      return;
    }
    const unplaced = [...this.chosen].filter((id) => !this.entry(id));
    if (hex && unplaced.length) {
      this.place([...this.chosen], hex);
      this.chosen.clear();
      this.hex = hex;
      this.draw();
      return;
    }
    this.hex = hex ?? "";
    this.chosen = new Set(hex ? (stacksOf(this.model()).get(hex) ?? []).map((each) => each.id) : []);
    this.drawHex();
    this.mark();
  }

  grabTray(event) {
    const id = event.target.closest("[data-tray]")?.dataset.tray;
    if (!id || event.button) return;
    const start = [event.clientX, event.clientY];
    this.dragged = false;
    const ids = () => (this.chosen.has(id) ? [...this.chosen] : [id]);
    const move = (now) => {
      if (!this.dragged && Math.hypot(now.clientX - start[0], now.clientY - start[1]) < 6) return;
      this.dragged = true;
      this.carry(now, ids());
      const hex = this.over(now);
      point(this.game.map.board, hex ? [hex] : [], false);
    };
    const up = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      this.ghost?.remove();
      this.ghost = null;
      if (!this.dragged) return;
      const hex = now.type === "pointerup" && this.over(now);
      if (hex) {
        this.place(ids(), hex);
        this.chosen.clear();
        this.hex = hex;
        this.draw();
      }
      setTimeout(() => (this.dragged = false));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  over(event) {
    const box = this.game.map.window.getBoundingClientRect();
    const inside = event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom;
    return inside ? this.game.map.board.hexAt(event.clientX, event.clientY) : undefined;
  }

  /** Counters that follow the pointer. */
  carry(event, ids) {
    if (!this.ghost) {
      const pieces = ids.map((id) => ({ ...(this.entry(id) ?? this.pieces.get(id)?.entry), kind: this.pieces.get(id)?.kind })).slice(0, 6);
      this.ghost = svg("svg", { class: "ghost", viewBox: "-16 -16 44 44", "aria-hidden": "true" }, pieces.map((each, n) => counter(each, n * 2.4, n * 2.4)));
      document.body.append(this.ghost);
    }
    this.ghost.style.transform = `translate(${event.clientX - 20}px, ${event.clientY - 20}px)`;
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
      f: () => this.face(), o: () => this.possess(), m: () => this.setMode("move"), 1: () => this.setMode("british"), 2: () => this.setMode("german"), 0: () => this.setMode("none"),
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
    const known = this.left().filter((each) => each.entry.at);
    if (!known.length) return say("Nothing else is known to have stood anywhere.");
    return this.change((position) => known.forEach((each) => position[each.section].push(JSON.parse(JSON.stringify(each.entry)))));
  }

  /** Begin with what a workbook or another position file holds. */
  async startFrom(input) {
    const file = input.files[0];
    input.value = "";
    if (!file) return;
    try {
      const read = await send(`${this.path}/file`, file, { name: file.name.slice(-60) });
      this.replace(read.value);
      say(`${file.name}: ${read.summary}`);
    } catch (error) {
      if (!(error instanceof Refusal)) await this.game.wrong(error);
      else await ask("This file", (close) => [h("h2", {}, file.name), h("pre", { class: "wrong" }, error.message),
        h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
    }
  }

  replace(found) {
    this.change(() => {
      this.position = { format: "pbcg-position/1", date: this.position.date, ...found };
      for (const name of [...SECTIONS, "gliders", "fortifications", "terrain"]) this.position[name] ??= [];
      this.position.control = { british: [], german: [], ...(this.position.control ?? {}) };
      for (const name of SECTIONS) {
        for (const each of this.position[name]) {
          if (!this.pieces.has(each.id)) this.pieces.set(each.id, { section: name, kind: { units: "squad", equipment: "sw", vehicles: "vehicle" }[name], entry: each, group: "" });
        }
      }
    });
  }

  async give() {
    await this.saving;
    if (this.faults.length) {
      say("Some things are wrong yet; they stand in the list.", { bad: true });
      this.goTo(this.faults[0]);
      return;
    }
    const left = this.left().length;
    const sure = await ask("Give this position", (close) => [
      h("h2", {}, "Give this position?"),
      h("p", {}, left ? `${left} pieces are not on the map. Of each it is asked next whether it was Eliminated or never entered.` : "Every piece is on the map."),
      h("div", { class: "row end" }, h("button", { on: { click: () => close(false) } }, "Not yet"), h("button", { class: "main", data: { action: "give-now" }, on: { click: () => close(true) } }, "Give it"))]);
    if (!sure) return;
    const position = this.position;
    this.close();
    await this.game.answer(position);
  }
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
