// The page on which an owner of the printed game enters its map: over his picture, checked at once.

import { Lost, Refusal, get, go, send } from "../api.js";
import { ask, h, put, saveFile, say } from "../dom.js";
import { begin as beginGame } from "../home.js";
import { OwnMapBoard } from "./ownmapboard.js";
import { MapDraft } from "./ownmapdraft.js";
import { areaPane, differencePane, faultPane, mapPane, picturePane } from "./ownmapforms.js";
import { forgetPicture, keepPicture, keptPicture, readPicture } from "./ownmappicture.js";

const MODES = [["choose", "Choose"], ["area", "New area"], ["line", "Line"], ["arrow", "Arrow"], ["water", "Water"]];
const PANES = [["picture", "Picture", picturePane], ["area", "Area", areaPane], ["faults", "Faults", faultPane], ["differences", "Differences", differencePane], ["map", "File", mapPane]];
const SOON = 350; // milliseconds from the last change to the check
const STEPS = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] };
const FILE = "own-map.yaml";
const LARGE = 250 * 1024;

export class OwnMapPage {
  constructor(app, start, forms) {
    this.begins = forms.find((each) => each.fields.some((field) => field.kind === "file" && field.name === "map"));
    this.draft = new MapDraft(start, (origin) => this.changed(origin));
    this.found = null;
    this.mode = "choose";
    this.pane = "picture";
    this.open = new Set(["area", "fact", "line", "arrow"]);
    this.making = { shape: "circle", kind: "single", road: false, colour: "blue", water: "canal" };
    this.box = h("section", { class: "mapbox barred", "aria-label": "The map" });
    this.board = new OwnMapBoard(this.box, this.draft, this);
    this.chosen = this.board.chosen;
    this.fitting = this.knownPlaces()[0]?.id ?? "";
    this.tools = h("div", { class: "tools ownmaptools" });
    this.hint = h("p", { class: "caption", role: "status" });
    this.box.append(this.tools, this.hint);
    this.status = h("p", { class: "badge", role: "status", data: { check: "" } });
    this.back = h("button", { class: "plain back", on: { click: () => go({ page: null }) } }, "← Games");
    this.acts = h("div", { class: "row" });
    this.tabs = h("nav", { class: "tabs", "aria-label": "Beside the map" });
    this.side = h("div", { class: "ownpane stackform" });
    put(app, h("div", { class: "ownmap" },
      h("header", { class: "top" }, this.back, h("h1", {}, "Your own map"), this.status, h("span", { class: "grow" }), this.acts),
      h("main", { class: "table", on: { dragover: (event) => event.preventDefault(), drop: (event) => this.dropFile(event) } }, this.box, h("div", { class: "side" }, this.tabs, this.side))));
    document.title = "Your own map · pbcg";
    this.keys = (event) => this.press(event);
    addEventListener("keydown", this.keys);
  }

  async lookFirst() {
    this.board.frame(await keptPicture());
    this.drawAll();
    this.schedule(0);
    if (!this.draft.begun) this.draft.keep();
  }

  end() {
    removeEventListener("keydown", this.keys);
    clearTimeout(this.timer);
    this.board.close();
    this.ended = true;
  }

  // -- what changes ---------------------------------------------------------------------------------

  changed(origin) {
    if (this.chosen.area && !this.draft.area(this.chosen.area)) this.chosen.area = "";
    if (this.chosen.from && !this.draft.area(this.chosen.from)) this.chosen.from = "";
    this.board.draw();
    this.drawActs();
    if (!origin) this.drawPane(); // a form shows what is entered in it
    if (this.draft.fails) say("This browser keeps nothing for this page: save the map as a file before you leave.", { bad: true });
    this.schedule();
  }

  schedule(soon = SOON) {
    this.status.dataset.check = "waiting";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), soon);
  }

  async check() {
    const number = (this.checks = (this.checks ?? 0) + 1);
    let said;
    try {
      const found = await send("/api/area-map/check", this.draft.text, { name: "draft.json" });
      if (number !== this.checks || this.ended) return;
      this.found = found;
    } catch (error) {
      if (number !== this.checks || this.ended) return;
      if (!(error instanceof Lost) && !(error instanceof Refusal)) throw error;
      said = error instanceof Lost ? "The server does not answer; the draft is kept here." : error.message;
      if (error instanceof Lost) this.timer = setTimeout(() => this.check(), 4000);
    }
    const { faults = [], differences = [] } = this.found ?? {};
    this.status.dataset.check = said ? "failed" : "done";
    this.status.dataset.faults = faults.length;
    this.status.classList.toggle("bad", Boolean(said) || faults.length > 0);
    const count = (n, one, many) => `${n || "no"} ${n === 1 ? one : many}`;
    put(this.status, said ?? `${count(faults.length, "fault", "faults")} · ${count(differences.length, "difference", "differences")}`);
    this.drawTabs();
    if (this.pane === "faults" || this.pane === "differences") this.drawPane();
    this.tellHere();
  }

  // -- drawing ------------------------------------------------------------------------------------

  drawAll() {
    this.drawActs();
    this.drawTools();
    this.drawTabs();
    this.drawPane();
  }

  drawActs() {
    const { draft } = this;
    const act = (name, title, able, run) => h("button", { data: { action: name }, disabled: !able, on: { click: run } }, title);
    const held = document.activeElement?.dataset?.action;
    put(this.acts, act("undo", "Undo", draft.past.length, () => draft.undo()), act("redo", "Redo", draft.future.length, () => draft.redo()),
      act("save-now", draft.isSaved ? "Saved" : "Save", !draft.isSaved, () => this.save()));
    if (held) this.acts.querySelector(`[data-action="${held}"]:not(:disabled)`)?.focus();
  }

  drawTabs() {
    const number = { faults: this.found?.faults.length, differences: this.found?.differences.length };
    const held = document.activeElement?.dataset?.pane;
    put(this.tabs, PANES.map(([name, title]) => h("button", { class: "plain tab", data: { pane: name }, "aria-current": this.pane === name ? "page" : undefined, on: { click: () => this.show(name) } }, number[name] ? `${title} ${number[name]}` : title)));
    if (held) this.tabs.querySelector(`[data-pane="${held}"]`)?.focus();
  }

  drawPane() {
    const held = this.side.contains(document.activeElement) ? document.activeElement.dataset.field : "";
    const top = this.side.parentNode.scrollTop;
    const [, title, make] = PANES.find(([name]) => name === this.pane);
    put(this.side, h("h2", { class: "visually-hidden" }, title), make(this));
    this.side.parentNode.scrollTop = top;
    if (held) this.side.querySelector(`[data-field="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    this.tellHere();
  }

  /** Say beside an area what is wrong with it. */
  tellHere() {
    const list = this.side.querySelector("[data-here]");
    const own = (this.found?.faults ?? []).filter((each) => each.areas.includes(this.chosen.area));
    if (list) put(list, own.map((each) => h("li", {}, each.sentence)));
  }

  show(pane) {
    this.pane = pane;
    if (pane !== "picture" && this.mode === "fit") this.setMode("choose");
    this.side.parentNode.scrollTop = 0;
    this.drawTabs();
    this.drawPane();
  }

  drawTools() {
    const { making } = this;
    const { choices } = this.draft.start;
    const words = (each) => each.replaceAll("_", " ");
    const pick = (name, title, all) => h("select", { "aria-label": title, data: { making: name }, on: { change: (event) => { making[name] = event.target.value; this.setMode(this.mode); } } }, all.map((each) => h("option", { value: each, selected: making[name] === each }, words(each))));
    const more = {
      area: () => pick("shape", "Shape", Object.keys(choices.shapes)),
      line: () => [pick("kind", "Kind of line", choices.kinds), h("label", { class: "tick" }, h("input", { type: "checkbox", checked: making.road, data: { making: "road" }, on: { change: (event) => { making.road = event.target.checked; } } }), "road")],
      arrow: () => pick("colour", "Colour", choices.colours),
      water: () => pick("water", "Water", ["canal", "orne"]),
    };
    put(this.tools, h("div", { class: "row", role: "group", "aria-label": "What a click does" },
      MODES.map(([name, title]) => h("button", { class: "mode", "aria-pressed": String(this.mode === name), data: { mode: name }, on: { click: () => this.setMode(name) } }, title))),
    more[this.mode]?.() ?? "",
    h("div", { class: "zoom" }, h("button", { "aria-label": "Closer", on: { click: () => this.board.board.zoom(1.35) } }, "+"), h("button", { "aria-label": "Further", on: { click: () => this.board.board.zoom(0.74) } }, "−"), h("button", { "aria-label": "The whole map", on: { click: () => this.board.board.fit() } }, "□")));
    const { from } = this.chosen;
    this.hint.textContent = {
      choose: this.chosen.area ? "Drag the chosen area, or move it with Shift and the arrow keys." : "Click an area.",
      area: "Click where the middle of the area is printed.",
      line: from ? `From ${from}: click the area at the other end.` : "Click the two areas that a line joins; it is removed if it is there.",
      arrow: from ? `From ${from}: click the area that the arrow points at.` : "Click the area that the arrow leaves, then the one it points at.",
      water: "Click along the middle of the water, from edge to edge. Drag a point to move it, click it to remove it.",
      fit: `Click where ${this.fitting} lies on the picture.`,
      compass: "Click the middle of the compass rose.",
    }[this.mode];
  }

  setMode(mode) {
    this.mode = mode;
    this.chosen.from = "";
    this.chosen.water = mode === "water" ? this.making.water : "";
    this.chosen.fitting = mode === "fit";
    const held = document.activeElement?.dataset?.mode ?? document.activeElement?.dataset?.making;
    this.drawTools();
    if (held) this.tools.querySelector(`[data-mode="${held}"], [data-making="${held}"]`)?.focus();
    for (const each of this.side.querySelectorAll("[data-action=fit], [data-action=compass]")) each.setAttribute("aria-pressed", each.dataset.action === mode);
    this.board.draw();
  }

  // -- choosing -------------------------------------------------------------------------------------

  choose(id, { look = false } = {}) {
    this.chosen.area = id;
    this.chosen.marked = [];
    if (id) this.pane = "area";
    this.drawTabs();
    this.drawPane();
    this.drawTools();
    this.board.draw();
    if (look && id) this.board.look(id);
  }

  /** Show which areas a fault or a difference is about. */
  mark(areas) {
    const there = areas.filter((each) => this.draft.area(each));
    this.chosen.marked = there;
    this.chosen.area = there[0] ?? "";
    this.drawTools();
    this.board.draw();
    if (there.length) this.board.look(there[0]);
    else say(`${areas.join(" and ")} ${areas.length === 1 ? "is" : "are"} not on your map; the reconstruction shows where.`);
  }

  renamed(id, list) {
    const option = [...list.options].find((each) => each.value === this.chosen.area);
    this.chosen.area = id;
    if (option) Object.assign(option, { value: id, textContent: `${id} ${this.draft.area(id).name}` });
    this.board.draw();
  }

  /** The place in the middle of the view, where a cross stands while the keys move the map. */
  middle() {
    return this.board.placeOf(this.board.centre());
  }

  // -- on the map -------------------------------------------------------------------------------------

  tap(place, area) {
    const { draft, making, chosen } = this;
    if (this.mode === "choose") return this.choose(area ?? "");
    if (this.mode === "area") return area ? this.choose(area) : this.addArea(place);
    if (this.mode === "fit") return this.setPoint(this.board.laying.toView(place));
    if (this.mode === "compass") {
      draft.change((map) => { map.compass = place.map(Math.round); });
      return this.setMode("choose");
    }
    if (this.mode === "water") {
      const n = this.board.pointOf(making.water, place);
      return n >= 0 ? draft.removeFromCourse(making.water, n) : draft.addToCourse(making.water, place);
    }
    if (!area || area === chosen.from) chosen.from = "";
    else if (!chosen.from) chosen.from = area;
    else {
      const from = chosen.from;
      chosen.from = "";
      if (this.mode === "arrow") say(draft.toggleArrow(from, area, making.colour));
      else say(draft.toggleLine(from, area, { kind: making.kind, ...(making.road ? { road: true } : {}) }));
    }
    this.drawTools();
    return this.board.draw();
  }

  /** Add an area, ready to be called as one likes. */
  addArea(place) {
    this.choose(this.draft.add(this.making.shape, place));
    if (matchMedia("(pointer: fine)").matches) this.side.querySelector("[data-field=id]").select();
  }

  grab(place, area) {
    if (this.mode === "choose" && area && area === this.chosen.area) this.held = { area, was: this.draft.area(area).at };
    else if (this.mode === "water") {
      const n = this.board.pointOf(this.making.water, place);
      if (n >= 0) this.held = { n, was: this.draft.course(this.making.water)[n] };
    }
    return Boolean(this.held);
  }

  /** What is held lies at a place while it is dragged; no change of the draft until it is let go. */
  lay(at) {
    const { held } = this;
    if (held.area) this.draft.area(held.area).at = at;
    else this.draft.course(this.making.water)[held.n] = at;
  }

  drag(place) {
    if (!this.held) return;
    this.lay(place);
    this.due ??= requestAnimationFrame(() => {
      this.due = undefined;
      this.board.draw();
    });
  }

  drop(moved, place, area) {
    const { held } = this;
    if (!held) return;
    this.lay(held.was);
    this.held = null;
    if (!moved) {
      this.board.draw();
      this.tap(place, area);
    } else if (held.area) this.draft.move(held.area, place);
    else this.draft.moveInCourse(this.making.water, held.n, place);
  }

  /** A key on the map. */
  key(event) {
    const area = this.draft.area(this.chosen.area);
    if (event.key === "Escape" && (this.chosen.from || area)) {
      if (this.chosen.from) this.setMode(this.mode);
      else this.choose("");
    } else if (area && event.shiftKey && STEPS[event.key]) {
      const [east, north] = STEPS[event.key];
      this.draft.move(area.id, [area.at[0] + east, area.at[1] + north]);
    } else if (event.key === "Enter") this.tap(this.middle(), this.board.areaOf(this.board.centre()));
    else if (area && event.key === "Delete") this.draft.remove(area.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  press(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches?.("input[type=text], input[type=number], textarea")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.draft.undo();
    else if (key === "y" || key === "z") this.draft.redo();
    else if (key === "s") this.save();
    else return;
    event.preventDefault();
  }

  // -- the picture --------------------------------------------------------------------------------------

  /** The places of the reconstruction by which a picture is laid: bridges and entries first. */
  knownPlaces() {
    const { areas } = this.draft.start.reconstruction;
    const rank = (each) => (this.draft.start.bridges.includes(each.id) ? 0 : each.entry ? 1 : 2);
    return [...areas].sort((one, two) => rank(one) - rank(two) || one.id.localeCompare(two.id, "en", { numeric: true }));
  }

  fit(id) {
    this.fitting = id;
    this.setMode("fit");
  }

  setPoint(on) {
    const places = this.knownPlaces();
    const n = places.findIndex((each) => each.id === this.fitting);
    const { id, at } = places[n];
    this.fitting = places[(n + 1) % places.length].id;
    this.draft.setPoint(id, at, on);
    this.drawTools();
  }

  setFade(name, value) {
    this.board.fade[name] = value;
    this.board.draw();
  }

  async takePicture(file) {
    if (file === undefined) return;
    const { picture } = this.board;
    try {
      const next = file && await readPicture(file);
      if (picture) URL.revokeObjectURL(picture.url);
      if (picture && this.draft.points.length) this.draft.change((_, state) => { state.points = []; });
      this.board.frame(next);
      if (next && !await keepPicture(file)) say("This browser does not keep the picture: choose it again when you load this page again.");
      if (!next) await forgetPicture();
    } catch (error) {
      say(error.message, { bad: true });
    }
    if (this.board.picture) this.setMode("fit");
    else this.setMode("choose");
    this.drawPane();
  }

  async dropFile(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    if (/\.(ya?ml|json)$/i.test(file.name)) await this.load(file);
    else await this.takePicture(file);
  }

  // -- the file ---------------------------------------------------------------------------------------

  begin(map) {
    this.choose("");
    this.pane = "map";
    this.draft.begin(map);
    this.drawTabs();
    say("Undo brings the last map back.");
  }

  file() {
    return new File([this.draft.toYaml()], FILE, { type: "application/yaml" });
  }

  save() {
    saveFile(this.file(), FILE);
    this.draft.markSaved();
    this.drawActs();
  }

  async load(file) {
    if (!file) return;
    try {
      if (file.size > LARGE) throw new Refusal(413, { sentence: `${file.name} is too large for a map file: ${LARGE / 1024} KB is the most.` });
      const { map, unread } = await send("/api/area-map/check", await file.arrayBuffer(), { name: file.name.slice(-60) });
      if (!map.areas.length && unread.length) throw new Refusal(422, { sentence: `${file.name} holds no area that could be read: ${unread[0]}` });
      this.begin({ ...this.draft.start.blank, ...map });
      if (!unread.length) this.draft.markSaved();
      this.drawActs();
      if (unread.length) {
        await ask("What could not be read", (close) => [h("h2", {}, "This could not be read"), h("p", {}, `It is left out of the draft; ${file.name} is as it was.`),
          h("ul", { class: "record" }, unread.map((each) => h("li", {}, each))), h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
      }
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof Lost)) throw error;
      await ask("The file was not loaded", (close) => [h("h2", {}, "The file was not loaded"), h("p", { class: "wrong" }, error.message), h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
    }
  }

  play() {
    return beginGame(this.begins, this.file());
  }
}

export async function ownMap(app) {
  const [start, { forms }] = await Promise.all([get("/api/area-map"), get("/api/games", { quick: true })]);
  const page = new OwnMapPage(app, start, forms);
  await page.lookFirst();
  return page;
}
