// What happens in the area game, shown on the living map as it happens: dice, moves, arrows of fire.

import { counter, spots } from "./areacounters.js";
import { h, put, svg } from "../dom.js";
import { diceFaces } from "../prompt.js";

const SPEEDS = [["0", "at once"], ["160", "fast"], ["480", "as told"], ["1200", "slowly"]];
const KEPT = "pbcg-speed";
const quick = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

export class Shown {
  constructor(view) {
    this.view = view;
    let speed = "160";
    try {
      speed = localStorage.getItem(KEPT) ?? (quick() ? "0" : speed);
    } catch {
      // a page that may not keep anything plays fast
    }
    this.speed = Number(speed);
    this.news = h("div", { class: "newsreel", hidden: true, role: "status", on: { click: () => this.skip() } });
    this.speeds = h("label", { class: "speed" }, h("span", {}, "Shown "),
      h("select", { name: "speed", "aria-label": "How fast what happens is shown", on: { change: (event) => this.setSpeed(event.target.value) } },
        SPEEDS.map(([value, words]) => h("option", { value, selected: value === speed || undefined }, words))));
  }

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
    this.view.host.dataset.playing = "yes";
    for (const event of events) {
      if (this.skipped || moment !== this.view.moment) break;
      if (!this.view.lying) this.view.lie({});
      const now = event === events[0] ? event.changed : { ...this.view.lying, ...event.changed };
      const moved = this.moves(now);
      const shot = event.from.length > 0;
      const matters = event.kind !== "answer" || moved.length;
      if (matters) this.tell(event);
      const seen = shot ? event.at : moved.at(-1)?.[2];
      if (seen) this.bring(seen);
      if (shot) this.shoot(event);
      else this.view.board.layers.pointer.replaceChildren();
      if (shot) await this.pause(this.speed * 1.2);
      if (event.kind === "answer" || !shot) await this.slide(moved);
      this.view.lie(now);
      this.flash(event);
      if (matters) await this.pause(this.speed * (event.kind === "roll" ? 1.3 : 1));
    }
    this.view.board.layers.pointer.replaceChildren();
    this.news.hidden = true;
    delete this.view.host.dataset.playing;
  }

  /** Into the window with an area that is not well inside it; the map still fills the window. */
  bring(area) {
    const { board } = this.view;
    board.look(area);
    const held = (at, room, long) => (long > room ? Math.min(0, Math.max(room - long, at)) : at);
    board.x = held(board.x, board.size[0], board.geometry.width * board.k);
    board.y = held(board.y, board.size[1], board.geometry.height * board.k);
    board.draw();
  }

  /** The pieces that lie in another area than before. */
  moves(now) {
    const before = new Map();
    for (const [area, pieces] of Object.entries(this.view.lying ?? {})) for (const piece of pieces) if (piece.key) before.set(piece.key, area);
    const found = [];
    for (const [area, pieces] of Object.entries(now)) {
      for (const piece of pieces) {
        const from = before.get(piece.key);
        if (from && from !== area && this.view.board.centre(from) && this.view.board.centre(area)) found.push([piece, from, area]);
      }
    }
    return found;
  }

  async slide(moved) {
    if (!moved.length || this.skipped) return;
    const group = svg("g", { class: "sliding" });
    const by = new Map();
    for (const [piece, from, to] of moved) by.set(`${from} ${to}`, { from, to, pieces: [...(by.get(`${from} ${to}`)?.pieces ?? []), piece] });
    const going = [];
    for (const way of by.values()) {
      const { pieces } = way;
      const [from, to] = [way.from, way.to].map((area) => this.view.board.centre(area));
      const places = spots(pieces.length);
      const one = svg("g", {}, pieces.slice(0, places.length).map((piece, n) => counter(piece, from[0] + places[n][0], from[1] + places[n][1], places[n][2])));
      group.append(one);
      for (const piece of pieces) this.view.board.layers.counters.querySelector(`[data-piece="${CSS.escape(piece.key)}"]`)?.setAttribute("opacity", ".25");
      going.push(one.animate([{ transform: "translate(0, 0)" }, { transform: `translate(${to[0] - from[0]}px, ${to[1] - from[1]}px)` }], { duration: this.speed * 1.2, easing: "ease-in-out", fill: "forwards" }));
    }
    this.view.board.layers.pointer.replaceChildren(group);
    await Promise.race([Promise.all(going.map((each) => each.finished)), this.pause(this.speed * 1.5)]);
    group.remove();
  }

  shoot(event) {
    const to = this.view.board.centre(event.at);
    if (!to) return;
    const drawn = event.from.map((area) => {
      const from = this.view.board.centre(area);
      if (!from) return "";
      if (area === event.at) return svg("circle", { cx: to[0], cy: to[1], r: 17, class: `shot ${event.side}` });
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const far = Math.hypot(dx, dy) || 1;
      const [x, y] = [(dx / far) * 11, (dy / far) * 11];
      const d = `M${from[0] + x} ${from[1] + y}L${to[0] - x} ${to[1] - y}`;
      return svg("g", { data: { shot: `${area} ${event.at}` } }, svg("path", { d, class: "shotcasing" }), svg("path", { d, class: `shot ${event.side}`, "marker-end": `url(#shot${event.side})` }));
    });
    this.view.board.layers.pointer.replaceChildren(...drawn.filter(Boolean));
  }

  /** Rings round the counters that were turned over or lost something. */
  flash(event) {
    const at = event.struck && this.view.board.centre(event.at);
    if (at) this.view.board.layers.pointer.append(svg("circle", { cx: at[0], cy: at[1], r: 20, class: "hit" }));
  }

  tell(event) {
    put(this.news, event.dice.length ? diceFaces(event.dice) : "",
      h("span", { class: "said" }, event.text, event.effect ? h("b", {}, ` ${event.effect}`) : ""),
      h("small", {}, event.title), h("small", { class: "toend" }, "click or Esc: to the end"));
    this.news.hidden = false;
  }
}
