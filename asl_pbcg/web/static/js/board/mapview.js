// The map of a campaign: the board, what lies on it, and what is asked, shown on it.

import { get, text } from "../api.js";
import { Board } from "./board.js";
import { counter, learnMarks, nameOf, stateWords, words } from "./counters.js";
import { capital, h, put, say, sideBadge, svg } from "../dom.js";
import { LAYERS, areasOf, defs, drawAreas, drawControl, drawCounters, drawPath, drawSigns, fade, hexOf, markHex, point, show, stacksOf } from "./layers.js";

const ASKS_FOR_HEX = ["hex", "placement"]; // the widgets of questions that a hex answers
const KEPT = "pbcg-layers";
const PRINTED = [["names", "names"], ["names", "place-names"], ["entry", "entry-areas"]]; // layers that are groups of the picture

export class MapView {
  constructor(host, game) {
    this.host = host;
    this.game = game;
    this.shown = new Set(LAYERS.map(([name]) => name));
    try {
      for (const name of JSON.parse(localStorage.getItem(KEPT) ?? "[]")) this.shown.delete(name);
    } catch {
      // a page that may not keep anything shows all layers
    }
    this.window = h("div", { class: "board" });
    this.fan = h("div", { class: "fan", hidden: true });
    this.facts = h("div", { class: "facts panel", hidden: true, role: "region", "aria-label": "The hex" });
    this.caption = h("p", { class: "caption" });
    this.layers = h("details", { class: "layermenu panel" }, h("summary", {}, "Layers"),
      h("div", { class: "layerlist" }, LAYERS.map(([name, title]) => h("label", {}, h("input", { type: "checkbox", checked: this.shown.has(name), data: { layer: name }, on: { change: (event) => this.toggle(name, event.target.checked) } }), title))));
    const zoom = h("div", { class: "zoom" },
      h("button", { "aria-label": "Closer", data: { action: "closer" }, on: { click: () => this.board?.zoom(1.35) } }, "+"),
      h("button", { "aria-label": "Further", data: { action: "further" }, on: { click: () => this.board?.zoom(0.74) } }, "−"),
      h("button", { "aria-label": "The whole board", on: { click: () => this.board?.fit() } }, "□"));
    this.finder = h("form", { class: "finder", on: { submit: (event) => { event.preventDefault(); this.goTo(this.finder.elements.hex.value); } } },
      h("input", { type: "search", name: "hex", "aria-label": "Go to hex", placeholder: "Hex", size: 5, maxlength: 6, autocomplete: "off" }));
    host.classList.add("barred"); // the tools stand above the map, over no hex
    put(host, h("div", { class: "tools" }, this.finder, this.layers, zoom), this.window, this.caption, this.facts, this.fan);
  }

  async refresh(state) {
    const base = this.game.base;
    if (!this.board) {
      this.ready ??= (async () => {
        const [geometry, drawing] = await Promise.all([get(`${base}/board`), text(`${base}/board.svg`)]);
        this.board = new Board(this.window, geometry);
        this.board.root.prepend(defs());
        this.board.onTap = (event, hex) => this.tap(event, hex);
        this.board.onHover = (event) => this.hover(event);
        this.board.onMoved = () => this.hideFan();
        this.drawing = drawing;
        this.painted = this.paint();
      })();
      try {
        await this.ready;
      } catch (error) {
        this.ready = undefined;
        throw error;
      }
    }
    if (this.game.editor) return;
    const map = await get(`${base}/map`);
    if (this.game.editor) return;
    const step = state.steps.find((each) => each.state === "now");
    this.caption.textContent = step ? (step.rule ? `In ${step.rule} ${step.title}` : "The end of the scenario") : "";
    if (JSON.stringify(map) !== this.last) {
      this.last = JSON.stringify(map);
      this.map = map;
      learnMarks(Object.fromEntries((map.counters ?? []).map((each) => [each.id, each.mark])));
      this.drawAll();
    }
    await this.painted;
  }

  /** Put nothing on the map that these eyes may not see. */
  forget() {
    this.map = null;
    this.last = "";
    this.hideFan();
    this.leaveHex();
    if (this.board) for (const name of ["shade", "areas", "control", "veil", "signs", "show", "counters", "labels", "pointer", "path"]) this.board.layers[name].replaceChildren();
  }

  drawAll() {
    if (!this.map || !this.board) return;
    drawAreas(this.board, this.map, this.shown);
    drawControl(this.board, this.map, this.shown);
    drawSigns(this.board, this.map, this.shown);
    drawCounters(this.board, this.map, this.shown);
  }

  /** Control alone, while it is painted. */
  drawControl() {
    drawControl(this.board, this.map, this.shown);
  }

  /** Paint the board as the layers say: what is printed on it comes and goes with its picture. */
  paint() {
    const left = PRINTED.filter(([layer]) => !this.shown.has(layer)).map(([, group]) => group);
    return this.board.paint(this.drawing, left);
  }

  toggle(name, on) {
    if (on) this.shown.add(name);
    else this.shown.delete(name);
    try {
      localStorage.setItem(KEPT, JSON.stringify(LAYERS.map(([each]) => each).filter((each) => !this.shown.has(each))));
    } catch {
      // not kept then
    }
    this.drawAll();
    if (PRINTED.some(([layer]) => layer === name) && this.board) this.painted = this.paint();
  }

  resize() {
    this.board?.resize();
  }

  close() {
    this.board?.close();
  }

  // -- what is asked, on the map ------------------------------------------------------------

  /** The hexes of what is spoken of: places, Setup Areas and Entry Areas of a side, where pieces stand. */
  hexesOf({ places = [], areas = [], pieces = [] }, side) {
    if (!this.board || !this.map) return new Set();
    const found = [...places, ...this.map.counters.filter((each) => each.at && pieces.includes(each.id)).map((each) => each.at)].map(hexOf);
    const entries = Object.values(this.map.areas?.sides ?? {}).flatMap((each) => each.entry_areas);
    const setups = areasOf(this.map).filter((each) => !side || each.side === side);
    for (const area of [...entries, ...setups]) if (areas.includes(area.id)) found.push(...area.hexes);
    return new Set(found.filter((hex) => this.board.geometry.hexes[hex]));
  }

  /** Show on the map what is asked; `answer` takes the answer that a click there gives. */
  offer(asked, answer) {
    this.asked = asked;
    this.takeBrush();
    this.answerWith = answer ?? ((id) => this.game.answer(id));
    const limited = asked && this.limited?.id === asked.id && this.limited.seq === asked.seq;
    this.refused = limited ? this.limited.refused : null;
    if (this.board) fade(this.board, Object.keys(this.refused ?? {}));
    if (!this.board || !this.map) return;
    const here = asked ? this.hexesOf(asked.topic, asked.side) : new Set();
    point(this.board, here, true);
    this.board.layers.path.replaceChildren();
    const all = new Set();
    for (const option of asked?.options ?? []) {
      if (!option.refused) for (const hex of this.hexesOf(option.topic, asked.side)) all.add(hex);
    }
    show(this.board, all.size < 60 ? all : []);
    const first = [...here][0];
    if (first && asked.id !== this.lookedFor) this.board.look(first);
    this.lookedFor = asked?.id;
  }

  /** Whose Control it is, as the server says; what is painted and not answered yet lies over it. */
  get control() {
    return this.map?.control;
  }

  showControl(control) {
    if (this.board && this.map) drawControl(this.board, { ...this.map, control }, this.shown);
  }

  /** A question that is answered with a brush has the pointer on the map as long as it stands. */
  takeBrush() {
    const brush = this.game.brush;
    if (!this.board || this.game.editor) return;
    const paints = brush && brush.asked.id === this.asked?.id && brush.asked.seq === this.asked.seq;
    if (!paints) {
      if (!brush) return;
      this.game.brush = null;
      this.window.classList.remove("brush");
      for (const name of ["onGrab", "onDrag", "onDrop"]) this.board[name] = undefined;
      this.showControl(this.control);
      return;
    }
    const touch = (event) => {
      const hex = this.board.hexAt(event.clientX, event.clientY);
      if (hex) brush.touch(hex);
    };
    this.board.onGrab = () => Boolean(brush.mode);
    this.board.onDrag = touch;
    this.board.onDrop = (event, moved) => {
      if (!moved) touch(event);
      brush.end();
    };
    brush.show();
  }

  /** Fade the hexes where what is asked may not be put; a click there tells why. */
  limit(refused, { id, seq }) {
    this.limited = { id, seq, refused };
    this.refused = refused;
    if (this.board) fade(this.board, Object.keys(refused));
  }

  point(option) {
    if (!this.board || !this.map) return;
    this.board.layers.path?.replaceChildren(...(option?.path?.length > 1 ? drawPath(this.board, option.path) : []));
    if (option) point(this.board, this.hexesOf(option.topic, this.asked?.side), false);
    else point(this.board, this.asked ? this.hexesOf(this.asked.topic, this.asked.side) : [], true);
  }

  showPlace(asked) {
    const hexes = asked ? this.hexesOf(asked.topic, asked.side) : new Set();
    const first = [...hexes][0];
    if (!first) return say("This is not about one place on the map.");
    this.board.look(first, true);
    point(this.board, hexes, true);
    return this.window.focus();
  }

  /** Away with what lies over the map: the layers first, then the hex. */
  escape() {
    if (this.layers.open) this.layers.open = false;
    else this.leaveHex();
  }

  /** Away with the panel of the hex that was clicked, and with its mark. */
  leaveHex() {
    this.facts.hidden = true;
    if (this.board) markHex(this.board);
  }

  find() {
    this.finder.elements.hex.focus();
    this.finder.elements.hex.select(); // a new hex takes the place of the last
  }

  goTo(typed) {
    const hex = typed.trim().toUpperCase();
    if (!this.board?.geometry.hexes[hex]) return say(`There is no hex "${hex}" in play.`, { bad: true });
    this.board.look(hex, true);
    this.window.focus({ preventScroll: true }); // keys mean the map again
    if (this.game.editor) return this.game.editor.tap(hex);
    return this.tell(hex);
  }

  // -- pointer ------------------------------------------------------------------------------

  async tap(event, hex) {
    this.hideFan();
    if (!hex) {
      this.leaveHex();
      return;
    }
    markHex(this.board, hex);
    const asked = this.asked;
    if (this.refused?.[hex]) {
      say(this.refused[hex], { bad: true });
      return;
    }
    if (asked?.kind === "choose") {
      const fits = asked.options.filter((option) => !option.refused && this.hexesOf(option.topic, asked.side).has(hex));
      if (fits.length === 1) {
        this.confirm(hex, fits[0]);
        return;
      }
    }
    if (ASKS_FOR_HEX.includes(asked?.widget)) {
      this.confirm(hex, { id: hex, text: hex });
      return;
    }
    await this.tell(hex);
  }

  /** A click on the map answers too, after a look at what it would answer. */
  confirm(hex, option) {
    put(this.facts, h("h2", {}, hex), h("p", {}, option.text),
      h("div", { class: "row" }, h("button", { class: "main", data: { action: "map-answer" }, on: { click: () => { this.leaveHex(); this.answerWith(option.id); } } }, "Choose this"),
        h("button", { on: { click: () => this.tell(hex) } }, "Look at the hex"),
        h("button", { class: "plain", "aria-label": "Close", on: { click: () => this.leaveHex() } }, "✕")));
    this.facts.hidden = false;
    this.facts.querySelector("button").focus({ preventScroll: true });
  }

  async tell(hex) {
    markHex(this.board, hex);
    let info;
    try {
      info = await get(`${this.game.base}/hexes/${hex}`);
    } catch (error) {
      await this.game.wrong(error);
      return;
    }
    const control = ["british", "german"].flatMap((side) => (this.map?.control?.[side] ?? []).filter((each) => hexOf(each) === hex).map((each) => h("li", {}, sideBadge(side, `${each} ${capital(side)}-Controlled`))));
    const areas = areasOf(this.map ?? {}).filter((area) => area.hexes.includes(hex)).map((area) => h("li", {}, sideBadge(area.side, `Setup Area ${area.id}${area.isolated ? ", Isolated" : ""}`)));
    const nml = this.map?.areas?.no_mans_land?.includes(hex) ? h("li", {}, h("span", { class: "badge" }, "No Man's Land")) : "";
    const forts = [...(this.map?.fortifications ?? []), ...(this.map?.terrain ?? [])].filter((each) => hexOf(each.at) === hex)
      .map((each) => h("li", {}, [each.kind, each.size, each.strength, each.type, each.ca ? `CA ${each.ca}` : "", each.at !== hex ? each.at : ""].filter(Boolean).join(" ")));
    const stack = stacksOf(this.map ?? {}).get(hex) ?? [];
    put(this.facts,
      h("h2", {}, hex, " ", h("button", { class: "plain close", "aria-label": "Close", on: { click: () => this.leaveHex() } }, "✕")),
      h("p", { class: "quiet" }, hexWords(info)),
      h("ul", { class: "tags" }, areas, nml, control), forts.length ? h("ul", { class: "listed" }, forts) : "",
      stack.length ? h("ul", { class: "pieces" }, [...stack].reverse().map((piece) => h("li", {}, h("button", { class: "plain piece", data: { look: piece.id }, on: { click: () => this.piece(piece.id) } },
        svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", {}, words(piece)))))) : "");
    this.facts.hidden = false;
  }

  async piece(id) {
    try {
      const found = await get(`${this.game.base}/pieces/${encodeURIComponent(id)}`);
      const { pieceCard } = await import("../records/pages.js");
      await pieceCard(found, this.game);
    } catch (error) {
      await this.game.wrong(error);
    }
  }

  hover(event) {
    if (event.pointerType === "touch") return;
    if (this.refused) {
      const hex = this.board.hexAt(event.clientX, event.clientY);
      this.caption.textContent = this.refused[hex] || (hex ? `${hex}: here it may stand` : "");
    }
    const stack = event.target.closest?.("[data-stack]");
    const hex = stack?.dataset.stack;
    if (hex === this.fanned) return;
    this.hideFan();
    if (!hex) return;
    this.fanned = hex;
    this.timer = setTimeout(() => this.fanOut(hex), 180);
  }

  fanOut(hex) {
    const pieces = stacksOf(this.map ?? {}).get(hex) ?? [];
    if (!pieces.length) return;
    const [x, y] = this.board.onScreen(hex);
    put(this.fan, h("p", { class: "fanhead" }, hex), pieces.map((piece) => h("figure", {}, svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter(piece, 0, 0)),
      h("figcaption", {}, piece.type ? nameOf(piece) : "?", (piece.status ?? []).length ? h("small", {}, stateWords(piece.status)) : ""))));
    this.fan.hidden = false;
    const wide = this.fan.offsetWidth;
    const high = this.fan.offsetHeight;
    const box = this.host.getBoundingClientRect();
    const reach = 22 * this.board.k;
    this.fan.style.left = `${Math.max(8, Math.min(box.width - wide - 8, x - wide / 2))}px`;
    const top = this.window.offsetTop;
    this.fan.style.top = `${top + (y - reach - high > 8 ? y - reach - high : y + reach)}px`;
  }

  hideFan() {
    clearTimeout(this.timer);
    this.fanned = undefined;
    this.fan.hidden = true;
  }
}

function hexWords(info) {
  const sides = (name) => (info[name]?.length ? `${name.replace("_", " ")} ${info[name].join(", ")}` : "");
  return [
    info.terrain.map((each) => each.replace("_", " ")).join(", "),
    info.building ? `${info.building} building${info.building_name ? ` (${info.building_name})` : ""}` : "",
    info.bridge ? "bridge" : "", info.road ? `${info.road} road` : "", `level ${info.level}`,
    sides("hedge"), sides("wall"), sides("fence"), sides("cliff"), info.in_play ? "" : "out of play",
  ].filter(Boolean).join("; ");
}
