// The draft that is kept at the server: every change is an order, given in turn, and what came of it.

import { Lost, Refusal, awaitServer, get, post } from "../api.js";
import { learnMarks } from "../board/counters.js";
import { say } from "../dom.js";

const SECTIONS = ["units", "equipment", "vehicles"];

export class Draft {
  constructor(editor, query = {}) {
    this.editor = editor;
    this.path = `${editor.game.base}/position`;
    this.query = query; // a proposal that is looked at, instead of the draft
    this.waiting = []; // changes that the server has not got yet, each a list of orders
  }

  async begin() {
    const found = await get(this.path, this.query);
    this.task = found.task;
    this.own = found.side; // whose own draft it is; "" for the end position of both
    this.places = found.places;
    this.hidesGroups = found.hides_groups;
    this.pieces = new Map(found.pieces.map((each) => [each.entry.id, each]));
    this.take(found);
    return found;
  }

  take(found) {
    this.number = found.number;
    this.position = found.position;
    for (const name of [...SECTIONS, "gliders", "fortifications", "terrain"]) this.position[name] ??= [];
    this.position.control ??= {};
    for (const side of ["british", "german"]) this.position.control[side] ??= [];
    for (const name of SECTIONS) {
      for (const each of this.position[name]) {
        if (!this.pieces.has(each.id)) this.pieces.set(each.id, { section: name, kind: { units: "squad", equipment: "sw", vehicles: "vehicle" }[name], entry: each, group: "" });
      }
    }
    learnMarks(found.marks);
    this.faults = found.faults;
    this.remarks = found.remarks;
    this.areas = found.areas;
    this.strategic = new Set(found.strategic);
    this.may = { undo: found.undo, redo: found.redo };
  }

  entries() {
    return SECTIONS.flatMap((name) => this.position[name]);
  }

  entry(id) {
    return this.entries().find((each) => each.id === id);
  }

  info(entry) {
    return this.pieces.get(entry.id) ?? { section: SECTIONS.find((name) => this.position[name].includes(entry)), kind: "other", entry };
  }

  /** The players have played the scenario: what RG brought was seen in it and comes to the trays. */
  async played() {
    await this.order({ do: "played" });
    await this.begin();
    this.editor.draw();
  }

  /** Give orders to the draft, as one change; what came of it is drawn. */
  order(...orders) {
    this.waiting.push(orders);
    return this.work();
  }

  work() {
    this.working ??= this.workAll().finally(() => (this.working = null));
    return this.working;
  }

  async workAll() {
    this.editor.tellSaved("saving …");
    while (this.waiting.length) {
      const orders = this.waiting.shift();
      try {
        const found = await post(`${this.path}/orders`, { number: this.number, orders });
        if (this.waiting.length) this.number = found.number; // what is shown already stays
        else this.take(found);
      } catch (error) {
        if (error instanceof Lost) await this.again(orders);
        else if (error instanceof Refusal && error.status === 409) {
          this.waiting = [];
          this.take(await get(this.path));
          say(error.message, { bad: true });
        } else if (error instanceof Refusal) {
          this.take(await get(this.path));
          say(error.message, { bad: true });
        } else throw error;
      }
    }
    this.editor.draw();
    this.editor.panel.dataset.judged = this.number;
    this.editor.tellSaved("kept");
  }

  /** After a lost connection: what did not arrive is given again, what did is not. */
  async again(orders) {
    await awaitServer(async () => {
      const found = await get(this.path);
      if (found.number === this.number) this.waiting.unshift(orders);
      this.take(found);
    });
  }

  /** Somebody else has changed the draft. */
  async changedElsewhere(number) {
    if (this.working || number === this.number) return;
    this.take(await get(this.path));
    this.editor.draw();
  }

  undo(back = true) {
    if (this.waiting.length || this.may[back ? "undo" : "redo"]) this.order({ do: back ? "undo" : "redo" });
  }

  /** The ids of pieces that were Eliminated in play. */
  eliminated() {
    return this.position.eliminated ?? [];
  }

  left() {
    const placed = new Set([...this.entries().map((each) => each.id), ...this.eliminated()]);
    return [...this.pieces.values()].filter((each) => !placed.has(each.entry.id));
  }

  /** The position as the map draws it. */
  model() {
    const { control, fortifications, terrain, gliders } = this.position;
    return { areas: this.areas, first_setup: [], control, fortifications, terrain, gliders, counters: this.counters() };
  }

  counters() {
    return this.entries().map((each) => ({ ...each, kind: this.info(each).kind, status: each.status ?? [], possesses: each.possesses ?? [] }));
  }
}
