// Who Controls what is confirmed, or painted anew: with a brush on the map, or by typed hexes.

import { Refusal, post } from "../api.js";
import { capital, h, put } from "../dom.js";

const MODES = [["", "Look"], ["british", "British"], ["german", "German"], ["nobody", "Nobody"]];

export function draw(asked, game) {
  return new ControlBrush(asked, game).node;
}

class ControlBrush {
  constructor(asked, game) {
    Object.assign(this, { asked, game, mode: "", level: 0 });
    this.changes = new Map(); // from a Location to who Controls it now
    this.stroke = new Set(); // Locations of the stroke that is being painted
    this.modes = h("div", { class: "modes", role: "group", "aria-label": "What a click on the map does" }, MODES.map(([name, title]) =>
      h("button", { type: "button", class: `mode ${name}`, data: { mode: name || "look" }, on: { click: () => this.set(name) } }, title)));
    this.levels = h("select", { "aria-label": "Level", on: { change: () => { this.level = Number(this.levels.value); } } }, [0, 1, 2, 3, 4].map((each) => h("option", { value: each }, each ? `level ${each}` : "ground level")));
    this.typed = h("input", { type: "text", name: "mark", size: 12, maxlength: 200, placeholder: "Or type: Z14 Z15/1", "aria-label": "Locations to mark", autocomplete: "off" });
    const mark = (event) => {
      event.preventDefault();
      for (const place of this.typed.value.split(/[\s,;]+/).filter(Boolean)) this.paint(place.toUpperCase().replace("PILLBOX", "pillbox"), this.mode || "nobody");
      this.typed.value = "";
      this.end();
    };
    this.list = h("ul", { class: "listed", "aria-label": "What changes" });
    this.outcome = h("p", { class: "quiet", "aria-live": "polite" });
    this.send = h("button", { class: "main", type: "button", data: { action: "send" }, on: { click: () => game.answer(this.value || asked.default) } });
    this.node = h("div", { class: "painting" }, this.modes,
      h("form", { class: "row", on: { submit: mark } }, this.levels, this.typed, h("button", { type: "submit", data: { action: "mark" } }, "Mark")),
      this.list, this.outcome, h("div", { class: "row" }, this.send));
    game.brush = this;
    game.map?.takeBrush();
    this.set("");
    this.tell();
  }

  get value() {
    return [...this.changes].map(([place, holder]) => `${place} ${holder}`).join(", ");
  }

  set(mode) {
    this.mode = mode;
    for (const each of this.modes.children) each.setAttribute("aria-pressed", String(each.dataset.mode === (mode || "look")));
    this.game.map?.window.classList.toggle("brush", Boolean(mode));
  }

  /** Paint a hex of the map at the level that is chosen. */
  touch(hex) {
    this.paint(this.level ? `${hex}/${this.level}` : hex, this.mode);
  }

  paint(place, holder) {
    if (this.stroke.has(place)) return;
    this.stroke.add(place);
    if (this.holder(place) === holder) this.changes.delete(place);
    else this.changes.set(place, holder);
    this.show();
  }

  /** Who Controls a Location before anything is painted. */
  holder(place) {
    const control = this.game.map?.control ?? {};
    return Object.keys(control).find((side) => control[side].includes(place)) ?? "nobody";
  }

  show() {
    const control = this.game.map?.control;
    if (!control) return;
    this.game.map.showControl(Object.fromEntries(Object.entries(control).map(([side, places]) => [side,
      [...places.filter((each) => !this.changes.has(each)), ...[...this.changes].filter(([, holder]) => holder === side).map(([place]) => place)]])));
  }

  /** A stroke is over: what it may not paint is taken off again, with the reason. */
  async end() {
    const stroke = [...this.stroke];
    this.stroke.clear();
    this.outcome.textContent = "";
    while (this.value) {
      try {
        const { asked } = await post(`${this.game.base}/ahead`, { seq: this.asked.seq, answers: [this.value] });
        this.outcome.textContent = asked?.text ?? "";
        break;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status === 409) {
          await this.game.wrong(error);
          return;
        }
        this.game.say(error.message, { bad: true });
        const wrong = stroke.filter((place) => this.changes.has(place));
        const named = wrong.filter((place) => error.data.topic?.places?.includes(place));
        for (const place of named.length ? named : wrong.length ? wrong : [...this.changes.keys()]) this.changes.delete(place);
      }
    }
    this.show();
    this.tell();
  }

  tell() {
    put(this.list, [...this.changes].map(([place, holder]) => h("li", { class: "row", data: { change: place } }, h("span", {}, `${place}: ${capital(holder)}`),
      h("button", { class: "plain", type: "button", "aria-label": `Leave ${place} as it was`, on: { click: () => { this.changes.delete(place); this.end(); } } }, "✕"))));
    const count = this.changes.size;
    this.send.textContent = count ? `Make ${count === 1 ? "this change" : `these ${count} changes`}` : "Yes, confirmed";
  }
}
