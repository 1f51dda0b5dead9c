// The living map of the area game: what happens is shown as it happens, orders are given on it.

import { Refusal, get, text } from "../api.js";
import { Board } from "../board/board.js";
import { counter, spots, stack } from "./areacounters.js";
import { AreaWords } from "./areawords.js";
import { Lesson } from "./arealesson.js";
import { Orders } from "./areaorders.js";
import { Shown } from "./areashown.js";
import { h, put, say, svg } from "../dom.js";

const ON_MAP = new Set(["units", "actions", "targets"]); // asked on the map itself

export class AreaMapView {
  constructor(host, game) {
    this.host = host;
    host.view = this;
    this.game = game;
    this.moment = 0;
    this.shown = new Shown(this);
    this.orders = new Orders(this);
    this.lesson = new Lesson(this);
    this.window = h("div", { class: "board areaboard" });
    const zoom = h("div", { class: "zoom" },
      h("button", { "aria-label": "Closer", data: { action: "closer" }, on: { click: () => this.board?.zoom(1.35) } }, "+"),
      h("button", { "aria-label": "Further", data: { action: "further" }, on: { click: () => this.board?.zoom(0.74) } }, "−"),
      h("button", { "aria-label": "The whole map", on: { click: () => this.board?.fit() } }, "□"));
    this.finder = h("form", { class: "finder", on: { submit: (event) => { event.preventDefault(); this.goTo(this.finder.elements.hex.value); } } },
      h("input", { type: "search", name: "hex", "aria-label": "Go to area", placeholder: "Area", size: 5, maxlength: 6, autocomplete: "off" }));
    this.teach = h("button", { data: { action: "best" }, on: { click: () => this.lesson.best() } }, "What is best? ", h("kbd", {}, "?"));
    this.ends = h("button", { data: { action: "end-phase" }, hidden: true, on: { click: () => this.end() } }, "End the phase ", h("kbd", {}, "e"));
    this.typed = h("form", { class: "finder typed", on: { submit: (event) => { event.preventDefault(); this.give(); } } },
      h("input", { type: "text", name: "line", "aria-label": "Order by counter, as 23 XR g", placeholder: "Order: 23 XR g", size: 14, maxlength: 120, autocomplete: "off", spellcheck: "false" }));
    this.strip = h("button", { class: "strip", hidden: true, on: { click: () => game.pane("side") } });
    this.tools = h("div", { class: "tools" }, this.finder, zoom, this.shown.speeds, this.teach, this.typed, this.ends);
    put(host, this.window, this.tools, this.shown.news, this.strip);
    this.narrow = globalThis.matchMedia("(max-width: 800px)");
    this.settle = () => (this.narrow.matches ? host : game.tray).append(this.lesson.guide, this.lesson.panel, this.orders.facts);
    this.narrow.addEventListener("change", this.settle);
    this.settle();
  }

  /** The phase is over; twice if units have done nothing yet, as at the terminal. */
  end() {
    if (this.ends.hidden) return;
    const seq = String(this.map?.seq);
    if (this.map?.idle && this.ends.dataset.sure !== seq) {
      this.ends.dataset.sure = seq;
      say(`${this.map.idle} can still act. Once more ends the phase.`);
      return;
    }
    this.orders.order("end");
  }

  /** The order that was typed, as at the terminal. */
  async give() {
    const field = this.typed.elements.line;
    const line = field.value.trim();
    if (!line) return;
    this.shown.skip();
    if (await this.game.orders(line)) {
      field.value = "";
      field.focus();
    }
  }

  typing() {
    this.typed.elements.line.focus();
  }

  /** To the end of what is shown; then away with what lies over the rest, the advice before the stack. */
  escape() {
    if (this.host.dataset.playing) this.shown.skip();
    else if (!this.lesson.panel.hidden) this.lesson.hide();
    else this.orders.choose([]);
  }

  // -- drawing ------------------------------------------------------------------------------

  async refresh(state) {
    const base = `${this.game.base}/area`;
    if (!this.board) {
      this.ready ??= (async () => {
        const places = await get(`${base}/places`);
        this.board = new Board(this.window, places, "The map");
        this.board.covered = () => (globalThis.matchMedia("(min-width: 1200px)").matches ? this.tools.offsetLeft + this.tools.offsetWidth : 0); // a column there, a row elsewhere
        this.board.root.prepend(svg("defs", {}, ["british", "german", ""].map((side) => svg("marker", { id: `shot${side}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L10 5L0 10z", class: `shothead ${side}` })))));
        this.board.world.insertBefore(this.board.layers.show, this.board.layers.labels); // what a ring says is not under a counter
        this.words = new AreaWords(this.board);
        this.board.onMoved = () => {
          this.board.root.style.setProperty("--label", Math.max(1, 1.75 / this.board.k).toFixed(2));
          this.words.draw();
        };
        this.window.addEventListener("pointerover", (event) => this.lift(event));
        this.board.onTap = (event, area) => this.tap(area);
        this.board.onGrab = (event) => this.grab(event);
        this.board.onDrag = (event) => this.drag(event);
        this.board.onDrop = (event, moved) => this.drop(event, moved);
        this.painted = text(`${base}/ground.svg`).then((drawing) => this.board.paint(drawing));
        this.painted.catch(() => {});
      })();
      try {
        await this.ready;
      } catch (error) {
        this.ready = undefined;
        throw error;
      }
    }
    const moment = ++this.moment;
    const known = this.map?.seq ?? (this.game.fresh ? 0 : undefined);
    this.game.fresh = false;
    let events = [];
    if (known !== undefined && state.seq > known && this.shown.speed) {
      try {
        ({ events } = await get(`${base}/events`, { after: known }));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error; // it cannot be shown again: the map says how it is
      }
    }
    const map = await get(`${base}/map`);
    if (moment !== this.moment) return;
    this.orders.choose([]);
    this.lesson.hide();
    this.map = map;
    this.game.drawStanding(map);
    if (events.length) await this.shown.play(events, moment);
    if (moment !== this.moment) return;
    this.lie(map.counters);
    this.drawControl();
    this.lesson.guideBy(map.lesson);
    this.offer(state.asked);
    if (!this.looked && map.ready) {
      this.looked = true;
      this.lookAround();
    }
  }

  /** Put the counters on the map as they lie now; stacks that are as they were stay. */
  lie(counters) {
    this.lying = counters;
    const from = performance.now();
    const before = this.drawn ?? new Map();
    this.drawn = new Map();
    for (const [area, pieces] of Object.entries(counters)) {
      if (!pieces.length || !this.board.centre(area)) continue;
      const words = JSON.stringify(pieces);
      const old = before.get(area);
      const node = old?.words === words ? old.node : stack(area, pieces, this.board.centre(area));
      for (const each of node.querySelectorAll("[opacity]")) each.removeAttribute("opacity");
      this.drawn.set(area, { words, node });
    }
    this.board.layers.counters.replaceChildren(...[...this.drawn.values()].map((each) => each.node));
    this.words.lie(counters);
    const boxes = Object.entries(counters).filter(([area, pieces]) => pieces.length && !this.board.centre(area));
    this.board.layers.labels.replaceChildren(...boxes.flatMap(([name, pieces], n) => this.aside(name, pieces, n)));
    this.host.dataset.redrawn = (performance.now() - from).toFixed(1);
  }

  /** The stack under the pointer lies above those that overlap it. */
  lift(event) {
    const over = event.target.closest?.(".astack");
    if (over && over !== over.parentNode.lastChild && !this.board.pointers.size && !this.host.dataset.playing) over.parentNode.append(over);
  }

  /** A box beside the ground: the gliders in the air, the Demo Bridge box. */
  aside(name, pieces, n) {
    const y = 30 + n * 30;
    return [svg("g", { class: "abox", role: "group", "aria-label": `${name}: ${pieces.map((each) => each.words).join("; ")}` },
      svg("rect", { x: 8, y: y - 17, width: 16 + Math.max(3, Math.min(9, pieces.length)) * 13.4, height: 28, rx: 3 }),
      svg("text", { x: 13, y: y - 9 }, name),
      pieces.slice(0, 9).map((piece, at) => counter(piece, 20 + at * 13.4, y + 1.5, 12.6)))];
  }

  drawControl() {
    const held = Object.entries(this.map.control).filter(([place]) => this.board.geometry.hexes[place] && !this.lying[place]?.some((each) => each.side !== "marker"));
    this.board.layers.control.replaceChildren(...held.map(([area, side]) => svg("polygon", {
      points: this.board.geometry.hexes[area].corners.map((each) => each.join(",")).join(" "), class: `ahold ${side}`, data: { control: side, area },
    })));
  }

  /** Fill the window with the part of the map where the British are. */
  lookAround() {
    const ours = Object.entries(this.lying).filter(([area, pieces]) => this.board.centre(area) && pieces.some((each) => each.side === "british" && each.key)).map(([area]) => this.board.centre(area));
    const [width, height] = this.board.size ?? [0, 0];
    if (!ours.length || !width) return;
    const spread = Math.max(...ours.map(([, each]) => each)) - Math.min(...ours.map(([, each]) => each));
    if (spread > this.board.geometry.height * 0.5 && !this.map.lesson) {
      this.board.fit(); // just landed, north and south
      return;
    }
    const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
    const [x, y] = (this.map.lesson && this.board.centre("N10")) || [middle(ours.map(([each]) => each)), middle(ours.map(([, each]) => each))];
    this.board.k = Math.max(this.board.least, Math.min(width / 520, 1.7));
    this.board.x = Math.min(0, Math.max(width - this.board.geometry.width * this.board.k, width / 2 - x * this.board.k));
    this.board.y = height / 2 - y * this.board.k;
    this.board.keepIn();
    this.board.draw();
  }

  // -- orders ---------------------------------------------------------------------------------

  offer(asked) {
    this.asked = asked;
    this.strip.hidden = !asked;
    const turn = this.game.state.date_short;
    put(this.strip, asked ? [turn ? h("small", {}, `${turn} `) : "", asked.text] : "");
    this.strip.classList.toggle("main", Boolean(asked) && !ON_MAP.has(asked.widget));
    if (!this.board || !this.map) return;
    const { subject, targets, firers, at, counters } = this.map;
    const numbers = new Map(Object.values(counters).flat().map((each) => [each.key, each.id]));
    for (const each of this.game.asked.querySelectorAll("[data-number-of]")) each.textContent = numbers.get(each.dataset.numberOf) ?? "";
    this.teach.hidden = this.typed.hidden = !asked;
    this.ends.hidden = !ON_MAP.has(asked?.widget);
    this.board.layers.show.replaceChildren();
    if (this.host.dataset.playing || this.map.seq !== this.game.state.seq) return; // the map comes after the question
    this.board.layers.pointer.replaceChildren();
    if (subject.length) this.orders.choose(subject);
    for (const each of targets) this.board.layers.show.append(this.ring(each.area, "target"));
    if (at) {
      this.shown.shoot({ from: firers, at, side: "british" });
      this.board.layers.show.append(this.ring(at, "target"));
    }
  }

  ring(area, kind, words = "") {
    const [x, y] = this.board.centre(area);
    const lying = spots((this.lying?.[area] ?? []).length); // the ring goes round all counters
    const r = Math.max(this.board.geometry.radius * 1.5, ...lying.map(([dx, dy, size]) => Math.max(Math.abs(dx), Math.abs(dy)) + size / 2 + 3));
    return svg("g", { class: `aring ${kind}`, data: { ring: area } }, svg("circle", { cx: x, cy: y, r }),
      words ? svg("g", { transform: `translate(${x} ${y + r + 4.5})` }, svg("g", { class: "words" }, svg("rect", { x: -words.length * 1.9 - 2, y: -4.2, width: words.length * 3.8 + 4, height: 8, rx: 4 }), svg("text", { y: 2 }, words))) : "");
  }

  tap(area) {
    this.shown.skip();
    if (!area || !this.map) {
      this.orders.choose([]);
      return;
    }
    const way = this.orders.way(area);
    if (way) {
      this.orders.goWay(way);
      return;
    }
    const targets = this.map.targets.filter((each) => each.area === area);
    if (targets.length) {
      this.orders.aim(area, targets);
      return;
    }
    const ours = (this.lying[area] ?? []).filter((each) => each.side === "british" && each.key && !each.carrier).map((each) => each.key);
    const able = new Set(this.map.able);
    const keys = ours.filter((key) => able.has(key));
    const stay = new Set(this.lying[area]?.filter((each) => each.inside).map((each) => each.key));
    // Those in the bunker and those beside it are two places.
    const outside = keys.filter((key) => !stay.has(key));
    if (keys.length && this.movable()) this.orders.choose(outside.length ? outside : keys);
    else this.orders.look(area);
  }

  movable() {
    return ["units", "actions"].includes(this.asked?.widget);
  }

  // -- dragging ---------------------------------------------------------------------------------

  grab(event) {
    const under = event.target.closest?.("[data-stack]")?.dataset.stack ?? this.board.hexAt(event.clientX, event.clientY); // the gap between two counters is theirs
    if (!under || !this.map || !this.movable() || !this.lying[under]?.some((each) => each.key)) return false;
    this.grabbed = { area: under };
    return true;
  }

  async drag(event) {
    const { grabbed } = this;
    if (!grabbed) return;
    if (!grabbed.ghost && this.board.travelled > 5) {
      grabbed.ghost = true;
      const chosen = this.orders.chosen.length && this.orders.ways?.area === grabbed.area;
      if (!chosen) this.tap(grabbed.area);
      const able = (this.lying[grabbed.area] ?? []).filter((each) => each.side === "british" && each.key && !each.carrier && (!this.orders.chosen.length || this.orders.chosen.includes(each.key)));
      grabbed.node = svg("g", { class: "ghost" }, able.slice(0, 4).map((piece, n) => counter(piece, n * 3, n * 3)));
      if (able.length) this.board.layers.labels.append(grabbed.node);
    }
    if (grabbed.node) {
      const [x, y] = this.board.placeAt(event.clientX, event.clientY);
      grabbed.node.setAttribute("transform", `translate(${x} ${y})`);
    }
  }

  async drop(event, moved) {
    const { grabbed } = this;
    this.grabbed = null;
    grabbed?.node?.remove();
    const area = this.board.hexAt(event.clientX, event.clientY);
    if (event.type !== "pointerup") return;
    if (!moved || !grabbed || area === grabbed.area) {
      if (!moved) this.tap(grabbed?.area ?? area);
      return;
    }
    for (let n = 0; n < 40 && !this.orders.ways; n += 1) await new Promise((done) => setTimeout(done, 25));
    const way = area && this.orders.ways?.area === grabbed.area && this.orders.way(area);
    if (way) this.orders.goWay(way);
    else say(area ? `They cannot reach ${area} now.` : "Drop them on an area.", { bad: true });
  }

  // -- what every map has -----------------------------------------------------------------------

  point(option) {
    if (!this.board || !this.map || this.host.dataset.playing) return;
    const areas = (option?.topic.places ?? []).filter((area) => this.board.geometry.hexes[area]);
    if (this.map.at && !option) return;
    this.board.layers.pointer.replaceChildren(...areas.slice(0, 3).map((area) => this.ring(area, "here")));
  }

  showPlace() {
    const area = this.orders.ways?.area ?? this.map?.at ?? this.map?.targets[0]?.area;
    if (area) this.board.look(area, true);
    else this.lookAround();
  }

  find() {
    this.finder.elements.hex.focus();
    this.finder.elements.hex.select(); // a new hex takes the place of the last
  }

  goTo(typed) {
    const area = typed.trim().toUpperCase();
    if (!this.board?.geometry.hexes[area]) return say(`There is no area "${area}".`, { bad: true });
    this.board.look(area, true);
    this.window.focus({ preventScroll: true }); // keys mean the map again
    return this.orders.look(area);
  }

  forget() {
    this.map = null;
    this.drawn = undefined;
    this.board?.layers.counters.replaceChildren();
  }

  resize() {
    this.board?.resize();
  }

  close() {
    this.narrow.removeEventListener("change", this.settle);
    this.moment += 1;
    this.shown.skip();
    this.board?.close();
  }
}
