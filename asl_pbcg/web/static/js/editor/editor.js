// Entering the end position, or one's setup: trays, drag and drop, Control by brush, areas that
// redraw as one goes. Every change is an order that the server carries out on the one draft.

import { Refusal, get, put as putTo, send } from "../api.js";
import { nameOf } from "../board/counters.js";
import { ask, capital, h, put, say } from "../dom.js";
import { Brush } from "./editbrush.js";
import { Draft } from "./editdraft.js";
import { Dragging } from "./editdrag.js";
import { ChosenPieces } from "./editpieces.js";
import { Line } from "./editline.js";
import { Trays } from "./edittrays.js";
import { fade, hexOf, isOffMap, point, show, stacksOf } from "../board/layers.js";
import { heldAgainstOB, vaslReview } from "../review.js";

/** What is entered, in words: of the end position, of a setup, of what a side alone knows. */
const TASKS = {
  end: {
    label: "Entering the end position", title: (date) => `End position of ${date}`, what: "this position",
    left: "What stays in the trays was Eliminated in play; what may never have entered is asked next.",
  },
  setup: {
    label: "Setting up", title: (date, side) => `${capital(side)} setup, ${date}`, what: "this setup",
    left: "What stays in the trays is set up on the map alone.",
    sure: (count) => `${count} set up on the map alone; what is given is kept and checked.`,
  },
  hidden: {
    label: "Placing hidden pieces", title: (date, side) => `${capital(side)} hidden pieces, ${date}`, what: "these hidden pieces",
    left: "Place what is hidden or Cloaked. The other player learns nothing of it.",
    sure: (count) => `${count} in the trays yet: Eliminated in play, or never entered. That is asked next.`,
  },
};

export async function openEditor(asked, game) {
  const editor = new Editor(asked, game);
  await editor.begin();
  game.editor = editor;
}

class Editor {
  constructor(asked, game) {
    this.asked = asked;
    this.game = game;
    this.chosen = new Set();
    this.hex = "";
    this.draft = new Draft(this);
    this.backwards = [["undo", "↶", "Undo"], ["redo", "↷", "Redo"]].map(([name, sign, called]) => h("button", { data: { action: `${name}-draft` }, "aria-label": called, title: called, on: { click: () => this.draft.undo(name === "undo") } }, sign));
    this.line = new Line(this);
    this.brush = new Brush(this);
    this.picked = new ChosenPieces(this);
    this.trays = new Trays(this);
    this.dragging = new Dragging(this);
    this.onKey = (event) => this.key(event);
  }

  get words() {
    return TASKS[this.draft.task];
  }

  async begin() {
    await this.draft.begin();
    this.under = this.game.map.map;
    this.panel = h("aside", { class: "side editor", "aria-label": this.words.label, data: { editor: this.draft.own || "end" } });
    this.game.side.hidden = true;
    this.game.main.append(this.panel);
    this.bar = h("div", { class: "chosenbar", "aria-live": "polite" });
    this.game.board.append(this.bar);
    this.game.nameTab("Trays");
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
    this.game.main.querySelector("[data-review]")?.remove();
    this.bar.remove();
    this.game.nameTab("Question");
    this.game.side.hidden = false;
    this.game.editor = null;
    this.game.map.last = "";
    this.game.draw().catch((error) => this.game.wrong(error));
  }

  // -- pieces put on the map ------------------------------------------------------------------

  place(ids, at) {
    const refused = ids.map((id) => this.refusal(id, at)).find(Boolean);
    if (refused) return say(refused, { bad: true });
    for (const id of ids) { // shown at once; the server says what goes along
      const known = this.draft.pieces.get(id);
      if (!this.draft.entry(id) && known) this.draft.position[known.section].push(JSON.parse(JSON.stringify(known.entry)));
      if (this.draft.entry(id)) this.draft.entry(id).at = at;
    }
    return this.draft.order({ do: "put", ids, at });
  }

  /** Why a piece may not be set up somewhere; "" if it may. */
  refusal(id, at) {
    const place = this.draft.own && this.draft.places[this.draft.pieces.get(id)?.place];
    if (!place) return "";
    const off = isOffMap(at);
    const fits = place.hexes ? !off && place.hexes.includes(hexOf(at)) : off;
    return fits ? "" : `${nameOf(this.draft.pieces.get(id).entry)} ${place.words} (${place.rule}).`;
  }

  /** Fade the hexes where chosen pieces may not set up. */
  fadeFor(ids) {
    if (!this.draft.places.length) return;
    const lists = [...ids].map((id) => this.draft.places[this.draft.pieces.get(id)?.place]?.hexes ?? []);
    const open = new Set(lists.length ? lists.reduce((all, each) => all.filter((hex) => each.includes(hex))) : []);
    fade(this.game.map.board, lists.length ? Object.keys(this.game.map.board.geometry.hexes).filter((hex) => !open.has(hex)) : []);
  }

  // -- drawing ------------------------------------------------------------------------------

  frame() {
    this.saved = h("span", { class: "quiet", "aria-live": "polite" });
    this.faultBox = h("section", { class: "faults", "aria-label": "What is wrong" });
    this.progress = h("div", { class: "progress" });
    this.hint = h("p", { class: "quiet" });
    const vasl = h("input", { type: "file", accept: ".vsav,.vlog", class: "visually-hidden", id: "draft-vasl", data: { action: "vasl" } });
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
      h("header", { class: "edhead" }, h("h2", {}, this.words.title(this.game.state.date, this.draft.own)),
        this.saved,
          this.draft.task === "hidden" ? h("button", { data: { action: "put-back" }, on: { click: () => this.putBack() } }, "Put everything where it stood") : "",
          this.draft.own ? "" : h("details", { class: "startfrom" }, h("summary", {}, "Start from …"), h("div", { class: "panel" },
            h("button", { class: "plain", on: { click: () => this.putBack() } }, "put everything where it stood"),
            h("label", { class: "filebutton", for: "draft-vasl" }, "a VASL save …"), vasl,
            h("label", { class: "filebutton", for: "draft-file" }, "a workbook, YAML or JSON …"), book,
            h("button", { class: "plain", on: { click: () => this.startAgain({ do: "empty" }) } }, "an empty board")))),
      this.brush.node, this.picked.node, this.progress, this.faultBox, this.trays.node, this.hint,
      h("footer", { class: "edfoot row end" },
        h("button", { data: { action: "close-draft" }, on: { click: () => this.close() } }, "Later (all is kept)"),
        h("button", { class: "main", data: { action: "give" }, on: { click: () => this.give() } }, `Give ${this.words.what}`)));
  }

  tellSaved(words) {
    this.saved.textContent = words;
  }

  model() {
    if (this.draft.own) {
      const others = (this.under?.counters ?? []).filter((each) => !this.draft.pieces.has(each.id));
      return { ...this.under, counters: [...others, ...this.draft.counters()] };
    }
    return this.draft.model();
  }

  draw() {
    keepFocus(this.panel, () => {
      this.drawMap();
      this.drawProgress();
      this.brush.draw();
      this.picked.draw();
      this.drawFaults();
      this.trays.draw();
    });
  }

  /** Where trays and map are two tabs, what is chosen stands on the map, too. */
  drawBar() {
    const names = [...new Set([...this.chosen].map((id) => this.called(id)))];
    const waits = [...this.chosen].some((id) => !this.draft.entry(id));
    const { mode } = this.brush;
    const chosen = `${this.chosen.size} chosen: ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}.`;
    put(this.bar, h("span", {}, mode === "put" ? "Tap hexes to put it there." : mode !== "move" ? "Tap hexes to paint Control."
      : waits ? `${chosen} Tap their hex.` : this.chosen.size ? `${chosen} Drag them, or change them under Trays.` : "Choose pieces under Trays, or tap a stack."),
    h("button", { class: "plain", on: { click: () => this.draft.undo() } }, "Undo"));
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
    const hexes = new Set([...this.chosen].map((id) => this.draft.entry(id)?.at).filter(Boolean).map(hexOf));
    if (this.hex) hexes.add(this.hex);
    point(board, hexes, true);
    for (const each of board.layers.counters.querySelectorAll("[data-piece]")) each.classList.toggle("chosen", this.chosen.has(each.dataset.piece));
    this.fadeFor(this.chosen);
  }

  drawProgress() {
    const left = this.draft.left().length;
    const all = this.draft.pieces.size;
    const gone = this.draft.eliminated();
    put(this.progress, h("p", {}, left ? `${all - left - gone.length} of ${all} pieces stand on the map; ${left} to place` : `All ${all} pieces are placed.`),
      h("progress", { max: all || 1, value: all - left, "aria-label": "Pieces placed" }),
      gone.length ? h("details", { class: "eliminated" }, h("summary", {}, `${gone.length} Eliminated`), h("ul", { class: "listed" }, gone.map((id) => h("li", {}, `${this.called(id)} `,
        h("button", { class: "plain", "aria-label": `${this.called(id)} was not Eliminated`, data: { restore: id }, on: { click: () => this.draft.order({ do: "eliminate", ids: [id], on: false }) } }, "✕"))))) : "");
    this.hint.textContent = left ? this.words.left : "";
    for (const name of ["undo", "redo"]) this.panel.querySelector(`[data-action=${name}-draft]`).setAttribute("aria-disabled", String(!this.draft.may[name]));
  }

  called(id) {
    return nameOf(this.draft.pieces.get(id)?.entry ?? { id, type: "" }).trim();
  }

  drawFaults() {
    const { faults, remarks } = this.draft;
    const key = JSON.stringify([faults, remarks]);
    if (key === this.faultsDrawn) return;
    this.faultsDrawn = key;
    put(this.faultBox, faults.length ? [h("h3", {}, faults.length === 1 ? "One thing is wrong" : `${faults.length} things are wrong`),
      h("ol", {}, faults.slice(0, 30).map((each) => h("li", {}, h("button", { class: "plain", on: { click: () => this.goTo(each) } }, each.sentence))))]
      : h("p", { class: "quiet good" }, remarks.length ? "✓ Nothing breaks a rule. Look again:" : "✓ Nothing is wrong."),
    remarks.length ? h("ul", { class: "remarks", tabindex: "0", "aria-label": "Look again" }, remarks.map((each) => h("li", {}, each))) : "");
  }

  goTo(fault) {
    const id = fault.topic.pieces?.[0];
    const entry = id && this.draft.entry(id);
    const hex = hexOf(entry?.at ?? fault.value ?? "");
    if (entry) this.chosen = new Set([id]);
    if (this.game.map.board.geometry.hexes[hex]) {
      this.hex = hex;
      this.game.map.board.look(hex, true);
    }
    this.picked.draw();
    this.mark();
  }

  tap(hex) {
    if (this.brush.mode === "put" && hex) {
      this.brush.putThing(hex);
      return;
    }
    const unplaced = [...this.chosen].filter((id) => !this.draft.entry(id));
    if (hex && unplaced.length) {
      this.hex = hex;
      this.place([...this.chosen], hex);
      this.chosen.clear();
      this.draw();
      return;
    }
    this.hex = hex ?? "";
    this.chosen = new Set(hex ? (stacksOf(this.model()).get(hex) ?? []).map((each) => each.id).filter((id) => this.draft.entry(id)) : []);
    this.picked.draw();
    this.mark();
  }

  // -- keys and ends --------------------------------------------------------------------------

  key(event) {
    if (document.querySelector("dialog[open]") || this.game.main.hidden || this.panel.hidden) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      this.draft.undo(!event.shiftKey);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox]), select, textarea")) return;
    const sign = /^[a-z0-9]$/i.test(event.key);
    const waits = [...this.chosen].some((id) => !this.draft.entry(id)); // what is not on the map has no state to change
    const state = { b: "broken", w: "wounded", p: "prisoner", i: "immobilized" }[event.key];
    const begin = () => this.line.begin(event.key);
    const run = sign && waits ? begin : state ? () => this.picked.setState(state) : {
      x: () => this.picked.setState([...this.chosen].some((id) => this.draft.info(this.draft.entry(id) ?? {}).section === "vehicles") ? "ma-malfunctioned" : "malfunctioned"),
      f: () => this.picked.face(), o: () => this.picked.possess(), a: () => this.picked.aboard(), ...(this.draft.own ? {} : { k: () => this.picked.guard(), m: () => this.brush.set("move"), 1: () => this.brush.set("british"), 2: () => this.brush.set("german"), 0: () => this.brush.set("none") }),
      PageUp: () => this.picked.changeLevel(1), PageDown: () => this.picked.changeLevel(-1), Delete: () => this.chosen.size && this.picked.unplace([...this.chosen]),
      t: () => this.line.begin(), u: () => this.draft.undo(), g: () => this.game.map.find(), Escape: () => { this.chosen.clear(); this.hex = ""; this.draw(); },
    }[event.key] ?? (sign && !this.line.node.hidden ? begin : null);
    if (!run) return; // the map moves by its own keys
    event.stopImmediatePropagation();
    event.preventDefault();
    run();
  }

  /** Pieces of this viewer's that are not on the map go where they last stood. */
  putBack() {
    if (!this.draft.left().some((each) => each.entry.at)) return say("Nothing else is known to have stood anywhere.");
    return this.startAgain({ do: "last" });
  }

  /** Whether another position may take the place of what somebody has placed. */
  mayReplace() {
    const many = this.draft.entries().length;
    if (!this.draft.number || !many) return true;
    return ask("Replace what stands there?", (close) => [
      h("h2", {}, "Replace what stands there?"),
      h("p", {}, `${many === 1 ? "1 piece stands" : `${many} pieces stand`} on the map. Undo would restore them.`),
      h("div", { class: "row end" }, h("button", { data: { action: "keep-draft" }, autofocus: true, on: { click: () => close(false) } }, "Leave them"), h("button", { class: "main", data: { action: "replace-draft" }, on: { click: () => close(true) } }, "Replace them"))]);
  }

  async startAgain(order) {
    if (order.do === "empty" && !await this.mayReplace()) return undefined;
    this.begun();
    return this.draft.order(order);
  }

  /** Another position stands there now: nothing of the old one is chosen, the menu closes. */
  begun() {
    this.chosen.clear();
    this.hex = "";
    const menu = this.panel.querySelector(".startfrom");
    if (menu) menu.open = false;
  }

  /** Begin with what a workbook or another position file holds. */
  async startFrom(input) {
    const file = input.files[0];
    input.value = "";
    if (!file) return;
    try {
      const read = await send(`${this.draft.path}/file`, file, { name: file.name.slice(-60) });
      if (await this.replace(read.value)) say(`${file.name}: ${read.summary}`);
    } catch (error) {
      if (!(error instanceof Refusal)) await this.game.wrong(error);
      else await ask("This file", (close) => [h("h2", {}, file.name), h("pre", { class: "wrong" }, error.message),
        h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
    }
  }

  /** Go on with another position as a whole; false where what stands there is to stay. */
  async replace(found) {
    await this.draft.working;
    if (!await this.mayReplace()) return false;
    const position = { format: "pbcg-position/1", date: this.draft.position.date, ...found };
    try {
      await putTo(this.draft.path, { number: this.draft.number, position });
    } catch (error) {
      await this.game.wrong(error);
    }
    this.begun();
    this.draft.take(await get(this.draft.path));
    this.draw();
    this.panel.dataset.judged = this.draft.number;
    return true;
  }

  /** While something else is asked beside the map nothing is placed on it. */
  pause(on) {
    this.panel.hidden = on;
    if (on) this.dragging.unhook();
    else {
      this.dragging.hook();
      this.draw();
    }
  }

  async give() {
    await this.draft.working;
    if (this.draft.faults.length) {
      say("Some things are wrong yet; they stand in the list.", { bad: true });
      this.goTo(this.draft.faults[0]);
      return;
    }
    const { number, position: shown } = this.draft; // what is on the screen now, and nothing that comes meanwhile
    if (this.draft.own && !await this.sure()) return;
    if (this.draft.number !== number) {
      say("The draft was changed meanwhile: look at it again.", { bad: true });
      return;
    }
    const nothing = this.draft.task === "hidden" && !this.draft.entries().length && !this.draft.position.fortifications.length;
    const own = nothing ? this.asked.default : shown;
    const position = this.draft.own ? own : await heldAgainstOB(shown, this.game, true);
    if (!position) return;
    this.close();
    await this.game.answer(position);
  }

  /** Ask whether one's own draft is meant so; an end position is looked at as a list of what it changes. */
  sure() {
    const left = this.draft.left().length;
    return ask(`Give ${this.words.what}`, (close) => [
      h("h2", {}, `Give ${this.words.what}?`),
      h("p", {}, left ? this.words.sure(left === 1 ? "1 piece is" : `${left} pieces are`) : "Every piece is placed."),
      h("div", { class: "row end" }, h("button", { on: { click: () => close(false) } }, "Not yet"), h("button", { class: "main", data: { action: "give-now" }, on: { click: () => close(true) } }, "Give it"))]);
  }
}

const NAMES = ["tray", "choose", "state", "mode", "action"];

/** Draw parts of a panel again; what had the focus has it still, and what was typed stays. */
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
