// Buying RG: cards with price, limits and what they bring; a basket that changes until "receive".

import { Refusal, get, post } from "../api.js";
import { capital, h, put } from "../dom.js";
import { oddsBar } from "../prompt.js";

const KEPT = "pbcg-basket";
const isEnd = (option) => option.topic.kind === "end";

/** The basket of one question, kept in this tab until it is received, also when the page is loaded again. */
const kept = {
  read(owner) {
    try {
      const found = JSON.parse(sessionStorage.getItem(KEPT));
      return found?.owner === owner ? found.basket : [];
    } catch {
      return []; // a page that may keep nothing begins again
    }
  },
  write(owner, basket) {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ owner, basket }));
    } catch {
      // not kept then
    }
  },
};

/** What is bought is settled here and answered in one go: all of it is taken, or nothing. */
export function draw(asked, game) {
  const box = h("div", { class: "purchase" });
  new Purchase(box, asked, game).begin().catch((error) => game.wrong(error));
  return box;
}

class Purchase {
  constructor(box, asked, game) {
    this.box = box;
    this.asked = asked;
    this.game = game;
    this.now = asked; // what would be asked after the basket
    this.basket = []; // {id, name, place: {id, text} or null, price: words}
    this.choosing = null; // the RG whose area is being chosen, with the question for it
    this.chances = { groups: {}, basket: [] };
    this.owner = [game.id, game.state.viewer, game.state.eyes, asked.seq].join(" ");
  }

  async begin() {
    this.draw();
    const before = kept.read(this.owner);
    if (before.length) {
      await this.attempt(async () => this.put(before, (await this.ahead(this.answers(before))).asked));
      if (this.basket.length) return;
    }
    this.chances = await this.weigh();
    this.draw();
  }

  answers(list = this.basket) {
    return list.flatMap((each) => (each.place ? [each.id, each.place.id] : [each.id]));
  }

  ahead(answers) {
    return post(`${this.game.base}/ahead`, { seq: this.asked.seq, answers });
  }

  weigh() {
    return get(`${this.game.base}/what-if`, { group: this.basket.map((each) => (each.place ? `${each.id}@${each.place.id}` : each.id)) });
  }

  /** Try a step; what the rules refuse is said, and the basket stays as it was. */
  async attempt(run) {
    if (this.busy) return;
    this.busy = true;
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 409) await this.game.wrong(error);
      else this.game.say(error.message, { bad: true });
    } finally {
      this.busy = false;
    }
  }

  pick(option) {
    return this.attempt(async () => {
      const { asked } = await this.ahead([...this.answers(), option.id]);
      const item = { id: option.id, name: option.topic.name, place: null };
      if (asked?.widget === "basket-place") {
        this.choosing = { item, asked };
        this.draw();
        this.box.querySelector(".places button")?.focus();
        return;
      }
      await this.put([...this.basket, item], asked);
    });
  }

  place(option) {
    const { item } = this.choosing;
    return this.attempt(async () => {
      const next = [...this.basket, { ...item, place: { id: option.id, text: option.text }, price: option.consequence }];
      await this.put(next, (await this.ahead(this.answers(next))).asked);
    });
  }

  remove(n) {
    return this.attempt(async () => {
      const next = this.basket.filter((_, each) => each !== n);
      await this.put(next, (await this.ahead(this.answers(next))).asked);
    });
  }

  async put(basket, asked) {
    this.basket = basket;
    kept.write(this.owner, basket);
    // Where nothing more can be bought the step goes on by itself: "done" is not asked then.
    this.over = asked?.widget !== "basket";
    this.now = this.over ? { options: this.asked.options.filter((each) => !isEnd(each)).map((each) => ({ ...each, refused: each.refused || "Nothing more can be bought with what is left.", rule: each.refused ? each.rule : this.asked.rule })) } : asked;
    this.choosing = null;
    this.chances = await this.weigh();
    this.draw();
    this.box.querySelector("[data-action=receive]")?.focus({ preventScroll: true });
  }

  receive() {
    const [value, ...more] = [...this.answers(), ...(this.over ? [] : this.now.options.filter(isEnd).map((each) => each.id))];
    kept.write("", []);
    return this.game.answer(value, more);
  }

  // -- drawing ------------------------------------------------------------------------------

  draw() {
    const { now, choosing } = this;
    this.game.map?.offer(choosing ? choosing.asked : this.asked, choosing ? (id) => this.place(choosing.asked.options.find((each) => each.id === id)) : undefined);
    put(this.box, this.drawBasket(), choosing ? this.drawPlaces() : this.drawCards(now));
  }

  drawBasket() {
    const { basket, chances } = this;
    const left = this.now.options.find(isEnd)?.consequence ?? "";
    return h("section", { class: "basket", "aria-label": "The basket", "aria-live": "polite" },
      h("h3", {}, basket.length ? `The basket: ${chances.price ?? ""} CPP` : "The basket is empty"),
      basket.length ? h("ol", { class: "basketlist" }, basket.map((each, n) => h("li", { data: { bought: each.id } },
        h("span", {}, each.name, each.place ? h("span", { class: "quiet" }, ` ${each.place.text}, ${each.price}`) : ""),
        h("button", { class: "plain", "aria-label": `Put ${each.id} back`, data: { action: "put-back" }, on: { click: () => this.remove(n) } }, "✕")))) : "",
      chances.basket.length ? h("details", { class: "help whatif" }, h("summary", {}, "What this brings, exactly"), spreadTable(chances.basket)) : "",
      h("div", { class: "row" }, h("button", { class: "main", data: { action: "receive" }, on: { click: () => this.receive() } },
        basket.length ? `Receive ${basket.length === 1 ? "it" : `these ${basket.length}`}` : "Buy nothing"),
      h("span", { class: "quiet" }, left)));
  }

  drawPlaces() {
    const { item, asked } = this.choosing;
    return h("section", { class: "places" }, h("h3", {}, asked.text),
      h("p", { class: "quiet" }, "A click on the map chooses as well."),
      h("ul", { class: "options" }, asked.options.map((option) => h("li", { on: { mouseenter: () => this.game.map?.point(option), focusin: () => this.game.map?.point(option), mouseleave: () => this.game.map?.point(null), focusout: () => this.game.map?.point(null) } },
        h("button", { class: "option", data: { place: option.id }, "aria-disabled": option.refused ? "true" : undefined, on: { click: () => (option.refused ? this.game.say(option.refused) : this.place(option)) } },
          h("span", { class: "name" }, option.text), h("span", { class: "consequence" }, option.refused || option.consequence))))),
      h("button", { class: "plain", on: { click: () => { this.choosing = null; this.draw(); } } }, `Not ${item.id} after all`));
  }

  drawCards(now) {
    const open = now.options.filter((option) => !isEnd(option));
    const card = (option, n) => {
      const { name: title, brings } = option.topic;
      const found = this.chances.groups[option.id];
      return h("li", {}, h("button", { class: "rgcard", data: { option: option.id, key: n < 9 ? n + 1 : undefined }, "aria-disabled": option.refused ? "true" : undefined, on: { click: () => (option.refused ? this.game.say([option.refused, option.rule ? ` (${option.rule})` : ""].join("")) : this.pick(option)) } },
        h("span", { class: "name" }, h("strong", {}, title)), h("span", { class: "consequence" }, option.consequence), h("span", {}, brings ?? ""),
        found?.strength && Object.keys(found.strength).length ? oddsBar(Object.entries(found.strength).map(([name, each]) => [capital(name), { words: each.percent, share: each.share }])) : "",
        found ? h("span", { class: "quiet brings" }, found.spreads.filter((each) => each.kind !== "leader").map((each) => `${each.mean.toFixed(each.mean % 1 ? 2 : 0)} ${each.what}`).join(", ")) : "",
        option.refused ? h("span", { class: "refused" }, [option.refused, option.rule ? ` (${option.rule})` : ""].join("")) : ""));
    };
    const can = open.filter((option) => !option.refused);
    const cannot = open.filter((option) => option.refused);
    return h("section", { class: "choosing", "aria-label": "Reinforcement Groups" },
      h("p", { class: "quiet" }, "Below the price: the chance of Full and of Depleted Strength, and the mean of what comes."),
      h("ul", { class: "rgcards" }, can.map(card)),
      cannot.length ? h("details", { class: "refusals" }, h("summary", {}, `${cannot.length} cannot be bought now`), h("ul", { class: "rgcards" }, cannot.map((option) => card(option, 99)))) : "");
  }
}

/** How many of each thing come, with the chance of each count. */
function spreadTable(spreads) {
  return h("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "What this brings" }, h("table", { class: "exact spreads" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "what"), h("th", { scope: "col" }, "mean"), h("th", { scope: "col" }, "per CPP"), h("th", { scope: "col" }, "how many, and how likely"))),
    h("tbody", {}, spreads.map((each) => h("tr", { data: { spread: each.what } }, h("th", { scope: "row" }, each.what), h("td", {}, each.mean.toFixed(2)), h("td", {}, each.per_cpp?.toFixed(2) ?? ""),
      h("td", {}, each.chances.map((one) => h("span", { class: "chance", title: one.chance }, `${one.count}: `, h("b", {}, one.percent), "  "))))))));
}
