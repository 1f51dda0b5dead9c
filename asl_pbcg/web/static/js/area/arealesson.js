// The teacher beside the living map: the best things to do now, and the guide of the first game.

import { Refusal, get } from "../api.js";
import { h, put } from "../dom.js";

// What imagined games say of a choice; nothing before there are enough of them.
function numbersOf(told) {
  if (!told) return h("p", { class: "quiet" }, "too few games so far for a number");
  const [win, low, high] = [told.win, told.low, told.high].map((share) => `${Math.round(share * 100)}%`);
  return h("p", {}, h("span", { class: "vp" }, `${told.vp.toFixed(1)} VP`), ` ± ${told.error.toFixed(1)}, ${win} (${low} to ${high}) for a victory`);
}

export class Lesson {
  constructor(view) {
    this.view = view;
    this.panel = h("div", { class: "lesson panel", hidden: true, role: "region", "aria-label": "The best things to do", "aria-live": "polite" });
    this.guide = h("div", { class: "guide panel", hidden: true, role: "region", "aria-label": "The guide", "aria-live": "polite" });
  }

  /** The guide of the first game: what it says, and its orders by a button; who goes his own way closes it. */
  guideBy(lesson) {
    this.guide.hidden = !lesson || this.closed;
    if (!lesson) return;
    put(this.guide, h("h2", {}, lesson.title, h("button", { class: "plain close", "aria-label": "Close", on: { click: () => { this.closed = this.guide.hidden = true; } } }, "✕")), h("p", {}, lesson.say),
      lesson.orders.length ? h("button", { class: "main", data: { action: "lesson" }, on: { click: () => this.give(lesson.orders) } }, `Do this: ${lesson.orders.filter((each) => each !== "ee").join(", ")}`) : "",
      lesson.orders.length ? h("p", { class: "quiet" }, "Or do it on the map: click the stack, leave out who stays, click the ring.") : "");
  }

  async give(orders) {
    for (const line of orders) if (!(await this.view.game.orders(line))) return;
  }

  hide() {
    this.panel.hidden = true;
    this.teaching = 0;
  }

  /** The three best things to do now: a first answer at once, better ones while one looks. */
  async best() {
    const teaching = (this.teaching = (this.taught = (this.taught ?? 0) + 1));
    const seq = this.view.game.state.seq;
    const begun = performance.now();
    let numbered = false;
    const goesOn = () => performance.now() - begun < (numbered ? 5000 : 20000); // a busy machine takes longer to a number
    put(this.panel, h("h2", {}, "What is best?"), h("p", { class: "quiet" }, "Imagined games are played from here …"));
    this.panel.hidden = false;
    for (let more = true; more && this.teaching === teaching && goesOn();) {
      let found;
      try {
        found = await get(`${this.view.game.base}/area/best`, { seq });
      } catch (error) {
        if (this.teaching !== teaching) return;
        if (!(error instanceof Refusal)) throw error;
        put(this.panel, this.head(), h("p", {}, error.message));
        return;
      }
      if (this.teaching !== teaching) return;
      ({ more } = found);
      numbered = found.best.every((each) => each.numbers);
      this.show(found, more && goesOn());
    }
  }

  head() {
    return h("h2", {}, "What is best?", h("button", { class: "plain close", "aria-label": "Close", on: { click: () => this.hide() } }, "✕"));
  }

  show(found, more) {
    put(this.panel, this.head(),
      h("ol", { class: "advice" }, found.best.map((each, n) => h("li", { value: each.place, data: { advice: n + 1 } },
        each.order ? h("kbd", {}, each.order) : "", " ", h("b", {}, each.words), numbersOf(each.numbers),
        each.why ? h("p", { class: "quiet" }, each.why) : "",
        h("button", { data: { action: `do-${n + 1}` }, on: { click: () => this.follow(each.answers) } }, "Do this")))),
      h("p", { class: "quiet" }, `${found.best[0]?.games ?? 0} imagined game${found.best[0]?.games === 1 ? "" : "s"} each, the same dice for all${more ? " …" : "."}${found.equal ? ` ${found.equal}` : ""}`));
    this.panel.dataset.games = found.best[0]?.games ?? 0;
  }

  async follow(answers) {
    this.hide();
    for (const answer of answers) if (!(await this.view.game.answer(answer))) return;
  }
}
