// The living map of the area game: what happens is shown as it happens, orders are given on it.

import { Lost, Refusal, get, text } from "./api.js";
import { Board } from "./board.js";
import { counter, spots, stack } from "./areacounters.js";
import { h, put, say, svg } from "./dom.js";
import { diceFaces, oddsBar } from "./prompt.js";

const SPEEDS = [["0", "at once"], ["160", "fast"], ["480", "as told"], ["1200", "slowly"]];
const ON_MAP = new Set(["act", "declare", "action", "declare_action", "fire", "declare_fire"]); // asked on the map itself
const KEPT = "pbcg-speed";
const quick = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

export class AreaMapView {
  constructor(host, game) {
    this.host = host;
    host.view = this;
    this.game = game;
    this.chosen = [];
    this.moment = 0;
    let speed = "160";
    try {
      speed = localStorage.getItem(KEPT) ?? (quick() ? "0" : speed);
    } catch {
      // a page that may not keep anything plays fast
    }
    this.speed = Number(speed);
    this.window = h("div", { class: "board areaboard" });
    this.facts = h("div", { class: "facts panel", hidden: true, role: "region", "aria-label": "The stack" });
    this.lesson = h("div", { class: "lesson panel", hidden: true, role: "region", "aria-label": "The best things to do", "aria-live": "polite" });
    this.news = h("div", { class: "newsreel", hidden: true, role: "status" });
    const zoom = h("div", { class: "zoom" },
      h("button", { "aria-label": "Closer", data: { action: "closer" }, on: { click: () => this.board?.zoom(1.35) } }, "+"),
      h("button", { "aria-label": "Further", data: { action: "further" }, on: { click: () => this.board?.zoom(0.74) } }, "−"),
      h("button", { "aria-label": "The whole map", on: { click: () => this.board?.fit() } }, "□"));
    this.finder = h("form", { class: "finder", on: { submit: (event) => { event.preventDefault(); this.goTo(this.finder.elements.hex.value); } } },
      h("input", { type: "search", name: "hex", "aria-label": "Go to area", placeholder: "Area", size: 5, maxlength: 6, autocomplete: "off" }));
    const speeds = h("label", { class: "speed" }, h("span", {}, "Shown "),
      h("select", { name: "speed", "aria-label": "How fast what happens is shown", on: { change: (event) => this.setSpeed(event.target.value) } },
        SPEEDS.map(([value, words]) => h("option", { value, selected: value === speed || undefined }, words))));
    this.teach = h("button", { data: { action: "best" }, on: { click: () => this.best() } }, "What is best? ", h("kbd", {}, "?"));
    this.ends = h("button", { data: { action: "end-phase" }, hidden: true, on: { click: () => this.end() } }, "End the phase ", h("kbd", {}, "e"));
    this.guide = h("div", { class: "guide panel", hidden: true, role: "region", "aria-label": "The guide", "aria-live": "polite" });
    this.typed = h("form", { class: "finder typed", on: { submit: (event) => { event.preventDefault(); this.give(); } } },
      h("input", { type: "text", name: "line", "aria-label": "Order by counter, as 23 XR g", placeholder: "Order: 23 XR g", size: 14, maxlength: 120, autocomplete: "off", spellcheck: "false" }));
    this.strip = h("button", { class: "strip", hidden: true, on: { click: () => game.pane("side") } });
    put(host, this.window, h("div", { class: "tools" }, this.finder, zoom, speeds, this.teach, this.typed, this.ends), this.news, this.strip);
    this.news.addEventListener("click", () => this.skip());
    this.narrow = globalThis.matchMedia("(max-width: 800px)");
    this.settle = () => (this.narrow.matches ? host : game.tray).append(this.guide, this.lesson, this.facts);
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
    this.order("end");
  }

  /** The order that was typed, as at the terminal. */
  async give() {
    const field = this.typed.elements.line;
    const line = field.value.trim();
    if (!line) return;
    this.skip();
    if (await this.game.orders(line)) {
      field.value = "";
      field.focus();
    }
  }

  typing() {
    this.typed.elements.line.focus();
  }

  /** Away with what lies over the rest: the advice first, then the stack. */
  escape() {
    if (!this.lesson.hidden) this.hideLesson();
    else this.choose([]);
  }

  // -- drawing ------------------------------------------------------------------------------

  async refresh(state) {
    const base = `${this.game.base}/area`;
    if (!this.board) {
      this.ready ??= (async () => {
        const places = await get(`${base}/places`);
        this.board = new Board(this.window, places, "The map");
        this.board.root.prepend(svg("defs", {}, ["british", "german", ""].map((side) => svg("marker", { id: `shot${side}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L10 5L0 10z", class: `shothead ${side}` })))));
        this.board.world.insertBefore(this.board.layers.show, this.board.layers.labels); // what a ring says is not under a counter
        this.board.onMoved = () => this.board.root.style.setProperty("--label", Math.max(1, 1.75 / this.board.k).toFixed(2));
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
    if (known !== undefined && state.seq > known && this.speed) {
      try {
        ({ events } = await get(`${base}/events`, { after: known }));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error; // it cannot be shown again: the map says how it is
      }
    }
    const map = await get(`${base}/map`);
    if (moment !== this.moment) return;
    this.choose([]);
    this.hideLesson();
    this.map = map;
    this.game.drawStanding(map);
    if (events.length) await this.play(events, moment);
    if (moment !== this.moment) return;
    this.lie(map.counters);
    this.drawControl();
    this.showGuide(map.lesson);
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

  // -- what happens ---------------------------------------------------------------------------

  setSpeed(value) {
    this.speed = Number(value);
    try {
      localStorage.setItem(KEPT, value);
    } catch {
      // not kept then
    }
    if (!this.speed) this.skip();
  }

  skip() {
    this.skipped = true;
    this.wake?.();
  }

  pause(time) {
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, time);
    });
  }

  async play(events, moment) {
    this.skipped = false;
    this.host.dataset.playing = "yes";
    for (const event of events) {
      if (this.skipped || moment !== this.moment) break;
      if (!this.lying) this.lie({});
      const now = event === events[0] ? event.changed : { ...this.lying, ...event.changed };
      const moved = this.moves(now);
      const shot = event.from.length > 0;
      const matters = event.kind !== "answer" || moved.length;
      if (matters) this.tell(event);
      const seen = shot ? event.at : moved.at(-1)?.[2];
      if (seen) this.bring(seen);
      if (shot) this.shoot(event);
      else this.board.layers.pointer.replaceChildren();
      if (shot) await this.pause(this.speed * 1.2);
      if (event.kind === "answer" || !shot) await this.slide(moved);
      this.lie(now);
      this.flash(event);
      if (matters) await this.pause(this.speed * (event.kind === "roll" ? 1.3 : 1));
    }
    this.board.layers.pointer.replaceChildren();
    this.news.hidden = true;
    delete this.host.dataset.playing;
  }

  /** Into the window with an area that is not well inside it; the map still fills the window. */
  bring(area) {
    const { board } = this;
    board.look(area);
    const held = (at, room, long) => (long > room ? Math.min(0, Math.max(room - long, at)) : at);
    board.x = held(board.x, board.size[0], board.geometry.width * board.k);
    board.y = held(board.y, board.size[1], board.geometry.height * board.k);
    board.draw();
  }

  /** The pieces that lie in another area than before. */
  moves(now) {
    const before = new Map();
    for (const [area, pieces] of Object.entries(this.lying ?? {})) for (const piece of pieces) if (piece.key) before.set(piece.key, area);
    const found = [];
    for (const [area, pieces] of Object.entries(now)) {
      for (const piece of pieces) {
        const from = before.get(piece.key);
        if (from && from !== area && this.board.centre(from) && this.board.centre(area)) found.push([piece, from, area]);
      }
    }
    return found;
  }

  async slide(moved) {
    if (!moved.length || this.skipped) return;
    const group = svg("g", { class: "sliding" });
    const by = new Map();
    for (const [piece, from, to] of moved) by.set(`${from} ${to}`, [...(by.get(`${from} ${to}`) ?? []), piece]);
    const going = [];
    for (const [way, pieces] of by) {
      const [from, to] = way.split(" ").map((area) => this.board.centre(area));
      const places = spots(pieces.length);
      const one = svg("g", {}, pieces.slice(0, places.length).map((piece, n) => counter(piece, from[0] + places[n][0], from[1] + places[n][1], places[n][2])));
      group.append(one);
      for (const piece of pieces) this.board.layers.counters.querySelector(`[data-piece="${CSS.escape(piece.key)}"]`)?.setAttribute("opacity", ".25");
      going.push(one.animate([{ transform: "translate(0, 0)" }, { transform: `translate(${to[0] - from[0]}px, ${to[1] - from[1]}px)` }], { duration: this.speed * 1.2, easing: "ease-in-out", fill: "forwards" }));
    }
    this.board.layers.pointer.replaceChildren(group);
    await Promise.race([Promise.all(going.map((each) => each.finished)), this.pause(this.speed * 1.5)]);
    group.remove();
  }

  shoot(event) {
    const to = this.board.centre(event.at);
    if (!to) return;
    const drawn = event.from.map((area) => {
      const from = this.board.centre(area);
      if (!from) return "";
      if (area === event.at) return svg("circle", { cx: to[0], cy: to[1], r: 17, class: `shot ${event.side}` });
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const far = Math.hypot(dx, dy) || 1;
      const [x, y] = [(dx / far) * 11, (dy / far) * 11];
      const d = `M${from[0] + x} ${from[1] + y}L${to[0] - x} ${to[1] - y}`;
      return svg("g", { data: { shot: `${area} ${event.at}` } }, svg("path", { d, class: "shotcasing" }), svg("path", { d, class: `shot ${event.side}`, "marker-end": `url(#shot${event.side})` }));
    });
    this.board.layers.pointer.replaceChildren(...drawn.filter(Boolean));
  }

  /** Rings round the counters that were turned over or lost something. */
  flash(event) {
    if (!event.at || event.kind !== "roll") return;
    const at = this.board.centre(event.at);
    if (at && event.effect && event.effect !== "no effect") this.board.layers.pointer.append(svg("circle", { cx: at[0], cy: at[1], r: 20, class: "hit" }));
  }

  tell(event) {
    put(this.news, event.dice.length ? diceFaces(event.dice) : "",
      h("span", { class: "said" }, event.text, event.effect ? h("b", {}, ` ${event.effect}`) : ""),
      h("small", {}, event.title), h("small", { class: "toend" }, "click: to the end"));
    this.news.hidden = false;
  }

  // -- orders ---------------------------------------------------------------------------------

  offer(asked) {
    this.asked = asked;
    this.strip.hidden = !asked;
    put(this.strip, asked ? [this.game.state.date.startsWith("Turn") ? h("small", {}, `${this.game.state.date.split(" of ")[0]} `) : "", asked.text] : "");
    this.strip.classList.toggle("main", Boolean(asked) && !ON_MAP.has(asked.id));
    if (!this.board || !this.map) return;
    const { subject, targets, firers, at, counters } = this.map;
    const numbers = new Map(Object.values(counters).flat().map((each) => [each.key, each.id]));
    for (const each of this.game.asked.querySelectorAll("[data-number-of]")) each.textContent = numbers.get(each.dataset.numberOf) ?? "";
    this.teach.hidden = this.typed.hidden = !asked;
    this.ends.hidden = !ON_MAP.has(asked?.id);
    this.board.layers.show.replaceChildren();
    if (this.host.dataset.playing || this.map.seq !== this.game.state.seq) return; // the map comes after the question
    this.board.layers.pointer.replaceChildren();
    if (subject.length) this.choose(subject);
    for (const each of targets) this.board.layers.show.append(this.ring(each.area, "target"));
    if (at) {
      this.shoot({ from: firers, at, side: "british" });
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

  /** Choose units by their keys: where they can go is shown, and what one of them can do. */
  async choose(keys) {
    this.chosen = keys;
    this.ways = null;
    this.board?.layers.show.replaceChildren();
    if (!keys.length) {
      this.facts.hidden = true;
      return;
    }
    const seq = this.map.seq;
    let found;
    try {
      found = await get(`${this.game.base}/area/ways?${keys.map((key) => `unit=${encodeURIComponent(key)}`).join("&")}`);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Lost)) throw error;
      if (error instanceof Refusal && this.chosen === keys) {
        this.chosen = [];
        this.facts.hidden = true;
        say(error.message, { bad: true });
      }
      return;
    }
    if (this.chosen !== keys || seq !== this.map.seq) return;
    this.ways = found;
    const rings = found.ways.map((way) => this.ring(way.area, way.risk >= 0.5 ? "grave" : way.risk > 0 ? "risky" : "safe",
      this.price(way)));
    this.board.layers.show.replaceChildren(this.ring(found.area, "start"), ...rings);
    this.host.dataset.ways = found.ways.length;
    this.panel();
  }

  panel() {
    const { area, actions, ways, units, left } = this.ways;
    const can = new Set(this.able());
    const all = this.lying[area] ?? [];
    const pieces = all.filter((each) => each.key && !each.carrier).sort((one, other) => can.has(other.key) - can.has(one.key));
    const words = (piece) => [piece.words, ...all.filter((each) => each.carrier === piece.key).map((each) => each.words)].join(", ");
    const picked = new Set(this.chosen);
    const subject = new Set(this.map.subject);
    const rows = pieces.map((piece) => {
      const may = can.has(piece.key);
      return h("li", {}, h("button", {
        class: "plain piece", "aria-pressed": String(picked.has(piece.key)), disabled: !may, data: { unit: piece.key },
        on: { click: () => this.toggle(piece.key) },
      }, svg("svg", { viewBox: "-10 -10 20 20", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", { class: "what" }, words(piece)), left[piece.key] === undefined ? "" : h("small", {}, `${left[piece.key]} MP`)),
      may && picked.size + can.size > 2 && !(picked.size === 1 && picked.has(piece.key)) ? h("button", { class: "plain justone", "aria-label": `${piece.words}: alone`, on: { click: () => this.choose([piece.key]) } }, "alone") : "");
    });
    this.facts.dataset.ordering = "";
    put(this.facts, h("h2", { tabindex: "-1" }, `${area} ${this.board.geometry.hexes[area].words.split(",")[0]}`,
      h("button", { class: "plain close", "aria-label": "Close", on: { click: () => this.choose([]) } }, "✕")),
    h("ul", { class: "pieces" }, rows),
    pieces.filter((each) => can.has(each.key)).length > 1 && !subject.size ? h("p", { class: "quiet" }, "A click takes one along or leaves it here.") : "",
    ways.length ? h("p", { class: "quiet" }, "Click a ring, or drag there: MP, the risk of Opportunity Fire, ? turns up a counter.")
      : units.length && !actions.length ? h("p", { class: "quiet" }, "Nothing more to do here.") : "",
    ways.length ? h("div", { class: "goings", role: "group", "aria-label": "Where to" }, ways.map((way) => h("button", {
      class: way.risk >= 0.5 ? "grave" : way.risk > 0 ? "risky" : "safe", data: { to: way.area }, title: this.board.geometry.hexes[way.area].words, "aria-label": `to ${way.area} ${this.board.geometry.hexes[way.area].words}: ${way.mp} MP${way.percent ? `, ${way.percent} risk` : ""}${way.hidden ? ", turns up a counter" : ""}`,
      on: { click: () => this.goWay(way), ...this.pointTo(way.area) },
    }, h("b", {}, way.area), ` ${this.price(way)}`))) : "",
    h("div", { class: "acts" }, actions.map((each) => h("button", {
      data: { word: each.word }, title: each.rule, on: { click: () => this.order(each.order ?? this.line([each.word])) },
    }, h("b", {}, each.text), h("small", {}, each.consequence), oddsBar(Object.entries(each.odds))))),
    subject.size && this.asked?.options.some((each) => each.id === "stop") ? h("button", { data: { action: "stop" }, on: { click: () => this.game.answer("stop") } }, "Nothing more for now") : "");
    this.facts.hidden = false;
    this.game.tray.parentNode.scrollTop = 0;
    this.clear(area);
    if (document.activeElement?.id === "question") this.facts.querySelector("h2").focus({ preventScroll: true }); // Tab goes on to what can be ordered
  }

  /** On a narrow window the panel lies over the map: the area must be above it. */
  clear(area) {
    if (!this.narrow.matches || !this.board.size) return;
    const high = this.board.size[1];
    const [, y] = this.board.onScreen(area);
    if (y > high * 0.4) this.board.move(0, high * 0.3 - y);
  }

  /** What a way costs, as its ring says it. */
  price(way) {
    return [`${way.mp}`, way.percent, way.hidden ? "?" : ""].filter(Boolean).join(" ");
  }

  pointTo(area) {
    const on = () => this.board.layers.pointer.replaceChildren(this.ring(area, "here"));
    const off = () => this.board.layers.pointer.replaceChildren();
    return { mouseenter: on, focusin: on, mouseleave: off, focusout: off };
  }

  /** The units that may be ordered now. */
  able() {
    return this.map.able;
  }

  toggle(key) {
    const keys = this.chosen.includes(key) ? this.chosen.filter((each) => each !== key) : [...this.chosen, key];
    const inside = (each) => Boolean((this.lying[this.ways.area] ?? []).find((piece) => piece.key === each)?.inside);
    // Those in the bunker and those beside it do not go together.
    if (keys.length) this.choose(keys.filter((each) => inside(each) === inside(keys.includes(key) ? key : keys[0])));
  }

  /** The order in one line, as it would be typed. */
  line(words) {
    const { subject } = this.map;
    const same = subject.length && subject.length === this.chosen.length && subject.every((each) => this.chosen.includes(each));
    if (same) return words.join(" ");
    return [subject.length ? "." : "", ...this.ways.units, ...words].filter(Boolean).join(" ");
  }

  way(area) {
    return this.ways?.ways.find((each) => each.area === area);
  }

  goWay(way) {
    if (way.safer && way.safer.risk < way.risk) {
      put(this.facts, h("h2", {}, `To ${way.area}`), h("div", { class: "acts" },
        [[way, "the quickest way"], [way.safer, "the safest way"]].map(([each, words], n) => h("button", { class: n ? "" : "main", data: { way: n ? "safest" : "quickest" }, on: { click: () => this.order(this.line(each.path)) } },
          h("b", {}, `${words}: ${each.path.join(" ")}`), h("small", {}, `${each.mp} MP, ${each.percent || "no"} risk`)))),
      h("button", { class: "plain", on: { click: () => this.panel() } }, "Stay"));
      return;
    }
    this.order(this.line(way.path));
  }

  async order(line) {
    if (!line || this.game.busy) return;
    this.skip();
    this.host.dataset.ordered = line;
    await this.game.orders(line);
  }

  tap(area) {
    this.skip();
    if (!area || !this.map) {
      this.choose([]);
      return;
    }
    const way = this.way(area);
    if (way) {
      this.goWay(way);
      return;
    }
    const targets = this.map.targets.filter((each) => each.area === area);
    if (targets.length) {
      this.aim(area, targets);
      return;
    }
    const ours = (this.lying[area] ?? []).filter((each) => each.side === "british" && each.key && !each.carrier).map((each) => each.key);
    const able = new Set(this.able());
    const keys = ours.filter((key) => able.has(key));
    const stay = new Set(this.lying[area]?.filter((each) => each.inside).map((each) => each.key));
    // Those in the bunker and those beside it are two places.
    const outside = keys.filter((key) => !stay.has(key));
    if (keys.length && this.movable()) this.choose(outside.length ? outside : keys);
    else this.look(area);
  }

  movable() {
    return ["act", "declare", "action", "declare_action"].includes(this.asked?.id);
  }

  aim(area, targets) {
    delete this.facts.dataset.ordering;
    put(this.facts, h("h2", {}, `Fire at ${area}`, h("button", { class: "plain close", "aria-label": "Close", on: { click: () => (this.facts.hidden = true) } }, "✕")),
      h("div", { class: "acts" }, targets.map((each) => h("button", {
        data: { word: each.word }, on: {
          click: () => this.order(each.word), mouseenter: () => this.shoot({ from: each.from, at: area, side: "british" }),
          focusin: () => this.shoot({ from: each.from, at: area, side: "british" }),
        },
      }, h("b", {}, each.text), h("small", {}, each.consequence), oddsBar(Object.entries(each.odds))))));
    this.facts.hidden = false;
    this.clear(area);
    this.shoot({ from: [...new Set(targets.flatMap((each) => each.from))], at: area, side: "british" });
  }

  look(area) {
    delete this.facts.dataset.ordering;
    const pieces = this.lying[area] ?? [];
    const side = this.map.control[area];
    put(this.facts, h("h2", {}, `${area} ${this.board.geometry.hexes[area].words.split(",")[0]}`,
      h("button", { class: "plain close", "aria-label": "Close", on: { click: () => (this.facts.hidden = true) } }, "✕")),
    h("p", { class: "quiet" }, [this.board.geometry.hexes[area].words.split(", ").slice(1).join(", "), side ? `last held by the ${side === "british" ? "British" : "Germans"}` : ""].filter(Boolean).join("; ")),
    h("ul", { class: "pieces" }, pieces.map((piece) => h("li", { class: "piece" }, svg("svg", { viewBox: "-10 -10 20 20", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", {}, piece.words)))));
    this.facts.hidden = false;
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
      const chosen = this.chosen.length && this.ways?.area === grabbed.area;
      if (!chosen) this.tap(grabbed.area);
      const able = (this.lying[grabbed.area] ?? []).filter((each) => each.side === "british" && each.key && !each.carrier && (!this.chosen.length || this.chosen.includes(each.key)));
      grabbed.node = svg("g", { class: "ghost" }, able.slice(0, 4).map((piece, n) => counter(piece, n * 3, n * 3)));
      if (able.length) this.board.layers.labels.append(grabbed.node);
    }
    if (grabbed.node) {
      const box = this.window.getBoundingClientRect();
      const [x, y] = [(event.clientX - box.left - this.board.x) / this.board.k, (event.clientY - box.top - this.board.y) / this.board.k];
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
    for (let n = 0; n < 40 && !this.ways; n += 1) await new Promise((done) => setTimeout(done, 25));
    const way = area && this.ways?.area === grabbed.area && this.way(area);
    if (way) this.goWay(way);
    else say(area ? `They cannot reach ${area} now.` : "Drop them on an area.", { bad: true });
  }

  /** The guide of the first game: what it says, and its orders by a button. */
  showGuide(lesson) {
    this.guide.hidden = !lesson || (this.learned && !lesson.orders.length);
    if (!lesson) return;
    put(this.guide, h("h2", {}, lesson.title, lesson.orders.length ? "" : h("button", { class: "plain close", "aria-label": "Close", on: { click: () => { this.learned = this.guide.hidden = true; } } }, "✕")), h("p", {}, lesson.say),
      lesson.orders.length ? h("button", { class: "main", data: { action: "lesson" }, on: { click: () => this.lessonOrders(lesson.orders) } }, `Do this: ${lesson.orders.filter((each) => each !== "ee").join(", ")}`) : "",
      lesson.orders.length ? h("p", { class: "quiet" }, "Or do it on the map: click the stack, leave out who stays, click the ring.") : "");
  }

  async lessonOrders(orders) {
    for (const line of orders) if (!(await this.game.orders(line))) return;
  }

  // -- the teacher ------------------------------------------------------------------------------

  hideLesson() {
    this.lesson.hidden = true;
    this.teaching = 0;
  }

  /** The three best things to do now: a first answer at once, better ones while one looks. */
  async best() {
    const teaching = (this.teaching = (this.taught = (this.taught ?? 0) + 1));
    const seq = this.game.state.seq;
    const until = performance.now() + 5000;
    put(this.lesson, h("h2", {}, "What is best?"), h("p", { class: "quiet" }, "Imagined games are played from here …"));
    this.lesson.hidden = false;
    for (let more = true; more && this.teaching === teaching && performance.now() < until;) {
      let found;
      try {
        found = await get(`${this.game.base}/area/best`, { seq });
      } catch (error) {
        if (this.teaching !== teaching) return;
        if (!(error instanceof Refusal)) throw error;
        put(this.lesson, this.lessonHead(), h("p", {}, error.message));
        return;
      }
      if (this.teaching !== teaching) return;
      ({ more } = found);
      this.showLesson(found, more && performance.now() < until);
    }
  }

  lessonHead() {
    return h("h2", {}, "What is best?", h("button", { class: "plain close", "aria-label": "Close", on: { click: () => this.hideLesson() } }, "✕"));
  }

  showLesson(found, more) {
    put(this.lesson, this.lessonHead(),
      h("ol", { class: "advice" }, found.best.map((each, n) => h("li", { data: { advice: n + 1 } },
        each.order ? h("kbd", {}, each.order) : "", " ", h("b", {}, each.words), h("p", {}, h("span", { class: "vp" }, `${each.vp.toFixed(1)} VP`), `${each.games > 1 ? ` ± ${each.error.toFixed(1)}` : ""}, ${Math.round(each.win * 100)}% for a victory`),
        each.why ? h("p", { class: "quiet" }, each.why) : "",
        h("button", { data: { action: `do-${n + 1}` }, on: { click: () => this.follow(each.answers) } }, "Do this")))),
      h("p", { class: "quiet" }, `${found.best[0]?.games ?? 0} imagined games each, the same dice for all${more ? " …" : "."}`));
    this.lesson.dataset.games = found.best[0]?.games ?? 0;
  }

  async follow(answers) {
    this.hideLesson();
    for (const answer of answers) if (!(await this.game.answer(answer))) return;
  }

  // -- what every map has -----------------------------------------------------------------------

  point(option) {
    if (!this.board || !this.map || this.host.dataset.playing) return;
    const names = option ? [...`${option.id} ${option.text}`.matchAll(/\b([A-Z]{1,3}\d{0,2})\b/g)].map(([, name]) => name).filter((name) => this.board.geometry.hexes[name]) : [];
    if (this.map.at && !option) return;
    this.board.layers.pointer.replaceChildren(...[...new Set(names)].slice(0, 3).map((name) => this.ring(name, "here")));
  }

  showPlace() {
    const area = this.ways?.area ?? this.map?.at ?? this.map?.targets[0]?.area;
    if (area) this.board.look(area, true);
    else this.lookAround();
  }

  find() {
    this.finder.elements.hex.focus();
  }

  goTo(typed) {
    const area = typed.trim().toUpperCase();
    if (!this.board?.geometry.hexes[area]) return say(`There is no area "${area}".`, { bad: true });
    this.board.look(area, true);
    return this.look(area);
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
    this.skip();
    this.board?.close();
  }
}
