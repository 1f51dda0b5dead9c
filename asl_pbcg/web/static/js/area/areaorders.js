// The stack that is chosen on the living map: where it can go, what it can do, at whom it fires.

import { Lost, Refusal, get } from "../api.js";
import { counter } from "./areacounters.js";
import { h, put, say, svg } from "../dom.js";
import { oddsBar } from "../prompt.js";

const choiceWords = (option) => [h("b", {}, option.text), h("small", {}, option.consequence), oddsBar(Object.entries(option.odds))];

export class Orders {
  constructor(view) {
    this.view = view;
    this.chosen = [];
    this.facts = h("div", { class: "facts panel", hidden: true, role: "region", "aria-label": "The stack" });
  }

  /** Choose units by their keys: where they can go is shown, and what one of them can do. */
  async choose(keys) {
    this.chosen = keys;
    this.ways = null;
    this.view.board?.layers.show.replaceChildren();
    if (!keys.length) {
      this.facts.hidden = true;
      return;
    }
    const seq = this.view.map.seq;
    let found;
    try {
      found = await get(`${this.view.game.base}/area/ways?${keys.map((key) => `unit=${encodeURIComponent(key)}`).join("&")}`);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Lost)) throw error;
      if (error instanceof Refusal && this.chosen === keys) {
        this.chosen = [];
        this.facts.hidden = true;
        say(error.message, { bad: true });
      }
      return;
    }
    if (this.chosen !== keys || seq !== this.view.map.seq) return;
    this.ways = found;
    const rings = found.ways.map((way) => this.view.ring(way.area, way.risk >= 0.5 ? "grave" : way.risk > 0 ? "risky" : "safe",
      this.price(way)));
    this.view.board.layers.show.replaceChildren(this.view.ring(found.area, "start"), ...rings);
    this.view.host.dataset.ways = found.ways.length;
    this.panel();
  }

  panel() {
    const { area, actions, ways, units, left } = this.ways;
    const can = new Set(this.view.map.able);
    const all = this.view.lying[area] ?? [];
    const pieces = all.filter((each) => each.key && !each.carrier).sort((one, other) => can.has(other.key) - can.has(one.key));
    const words = (piece) => [piece.words, ...all.filter((each) => each.carrier === piece.key).map((each) => each.words)].join(", ");
    const picked = new Set(this.chosen);
    const subject = new Set(this.view.map.subject);
    const rows = pieces.map((piece) => {
      const may = can.has(piece.key);
      return h("li", {}, h("button", {
        class: "plain piece", "aria-pressed": String(picked.has(piece.key)), disabled: !may, data: { unit: piece.key },
        on: { click: () => this.toggle(piece.key) },
      }, svg("svg", { viewBox: "-10 -10 20 20", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", { class: "what" }, words(piece)), left[piece.key] === undefined ? "" : h("small", {}, `${left[piece.key]} MP`)),
      may && picked.size + can.size > 2 && !(picked.size === 1 && picked.has(piece.key)) ? h("button", { class: "plain justone", "aria-label": `${piece.words}: alone`, on: { click: () => this.choose([piece.key]) } }, "alone") : "");
    });
    const stop = this.view.asked?.options.find((each) => each.topic.kind === "stop");
    this.facts.dataset.ordering = "";
    const had = this.facts.contains(document.activeElement) && document.activeElement.dataset.unit;
    put(this.facts, h("h2", { tabindex: "-1" }, `${area} ${this.view.board.geometry.hexes[area].name}`,
      h("button", { class: "plain close", "aria-label": "Close", on: { click: () => this.choose([]) } }, "✕")),
    h("ul", { class: "pieces" }, rows),
    pieces.filter((each) => can.has(each.key)).length > 1 && !subject.size ? h("p", { class: "quiet" }, "A click takes one along or leaves it here.") : "",
    ways.length ? h("p", { class: "quiet" }, "Click a ring, or drag there: MP, the risk of Opportunity Fire, ? turns up a counter.")
      : units.length && !actions.length ? h("p", { class: "quiet" }, "Nothing more to do here.") : "",
    ways.length ? h("div", { class: "goings", role: "group", "aria-label": "Where to" }, ways.map((way) => h("button", {
      class: way.risk >= 0.5 ? "grave" : way.risk > 0 ? "risky" : "safe", data: { to: way.area }, title: this.view.board.geometry.hexes[way.area].words, "aria-label": `to ${way.area} ${this.view.board.geometry.hexes[way.area].words}: ${way.mp} MP${way.percent ? `, ${way.percent} risk` : ""}${way.hidden ? ", turns up a counter" : ""}`,
      on: { click: () => this.goWay(way), ...this.pointTo(way.area) },
    }, h("b", {}, way.area), ` ${this.price(way)}`))) : "",
    h("div", { class: "acts" }, actions.map(({ word, order, option }) => h("button", {
      data: { word }, title: option.rule, on: { click: () => this.order(order ?? this.line([word])) },
    }, ...choiceWords(option)))),
    subject.size && stop ? h("button", { data: { action: "stop" }, on: { click: () => this.view.game.answer(stop.id) } }, "Nothing more for now") : "");
    this.facts.hidden = false;
    this.view.game.tray.parentNode.scrollTop = 0;
    this.clear(area);
    const again = had && this.facts.querySelector(`[data-unit="${CSS.escape(had)}"]`);
    if (again) again.focus({ preventScroll: true });
    else if (document.activeElement?.id === "question") this.facts.querySelector("h2").focus({ preventScroll: true }); // Tab goes on to what can be ordered
  }

  /** On a narrow window the panel lies over the map: the area must be above it. */
  clear(area) {
    if (!this.view.narrow.matches || !this.view.board.size) return;
    const high = this.view.board.size[1];
    const [, y] = this.view.board.onScreen(area);
    if (y > high * 0.4) this.view.board.move(0, high * 0.3 - y);
  }

  /** What a way costs, as its ring says it. */
  price(way) {
    return [`${way.mp}`, way.percent, way.hidden ? "?" : ""].filter(Boolean).join(" ");
  }

  pointTo(area) {
    const on = () => this.view.board.layers.pointer.replaceChildren(this.view.ring(area, "here"));
    const off = () => this.view.board.layers.pointer.replaceChildren();
    return { mouseenter: on, focusin: on, mouseleave: off, focusout: off };
  }

  toggle(key) {
    const keys = this.chosen.includes(key) ? this.chosen.filter((each) => each !== key) : [...this.chosen, key];
    const inside = (each) => Boolean((this.view.lying[this.ways.area] ?? []).find((piece) => piece.key === each)?.inside);
    // Those in the bunker and those beside it do not go together.
    if (keys.length) this.choose(keys.filter((each) => inside(each) === inside(keys.includes(key) ? key : keys[0])));
  }

  /** The order in one line, as it would be typed. */
  line(words) {
    const { subject } = this.view.map;
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
    if (!line || this.view.game.busy) return;
    this.view.shown.skip();
    this.view.host.dataset.ordered = line;
    await this.view.game.orders(line);
  }

  aim(area, targets) {
    delete this.facts.dataset.ordering;
    put(this.facts, h("h2", {}, `Fire at ${area}`, h("button", { class: "plain close", "aria-label": "Close", on: { click: () => (this.facts.hidden = true) } }, "✕")),
      h("div", { class: "acts" }, targets.map((each) => h("button", {
        data: { word: each.word }, on: {
          click: () => this.order(each.word), mouseenter: () => this.view.shown.shoot({ from: each.from, at: area, side: "british" }),
          focusin: () => this.view.shown.shoot({ from: each.from, at: area, side: "british" }),
        },
      }, ...choiceWords(each.option)))));
    this.facts.hidden = false;
    this.clear(area);
    this.view.shown.shoot({ from: [...new Set(targets.flatMap((each) => each.from))], at: area, side: "british" });
  }

  look(area) {
    delete this.facts.dataset.ordering;
    const pieces = this.view.lying[area] ?? [];
    const side = this.view.map.control[area];
    put(this.facts, h("h2", {}, `${area} ${this.view.board.geometry.hexes[area].name}`,
      h("button", { class: "plain close", "aria-label": "Close", on: { click: () => (this.facts.hidden = true) } }, "✕")),
    h("p", { class: "quiet" }, [this.view.board.geometry.hexes[area].ground, side ? `last held by the ${side === "british" ? "British" : "Germans"}` : ""].filter(Boolean).join("; ")),
    h("ul", { class: "pieces" }, pieces.map((piece) => h("li", { class: "piece" }, svg("svg", { viewBox: "-10 -10 20 20", "aria-hidden": "true" }, counter(piece, 0, 0)), h("span", {}, piece.words)))));
    this.facts.hidden = false;
  }
}
