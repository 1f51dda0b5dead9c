// One game: timeline, map, what is asked, what has happened.

import { Lost, Refusal, awaitServer, get, go, listen, place, post, setEyes } from "./api.js";
import { ask, h, hush, isIdle, put, say, sideBadge, sideWords, stemOf } from "./dom.js";
import { logLine, rolledNow } from "./prompt.js";
import { changeDialog, proposedCorrection } from "./records/correcting.js";
import { explain, keysHelp } from "./help.js";
import { begun } from "./home.js";
import { drawQuestion } from "./question.js";
import { tableOf, tabs } from "./table.js";
import { hark, soundIfTurned } from "./turn.js";
import { drawTimeline } from "./timeline.js";

/** What answers or rolls; undone is nothing by it. */
const FORTH = new Set(["answers", "rolls"]);

export class Game {
  constructor(app, id, state) {
    this.app = app;
    this.id = id;
    this.state = state;
    this.table = tableOf(state);
    this.base = `/api/games/${id}`;
    this.told = 0;
    this.busy = false;
    this.turn = 0; // counts requests for the state: an answer that another has overtaken is stale
    this.missed = false; // something was heard while an answer was on its way
    this.onKey = (event) => this.key(event);
    this.onView = () => this.view();
  }

  async begin() {
    this.fresh = begun.delete(this.id) && this.table.showsBeginning;
    this.told = this.fresh ? 0 : this.state.line_count;
    this.frame();
    addEventListener("keydown", this.onKey);
    addEventListener("pbcg-view", this.onView);
    this.view();
    // Before anything is drawn: the curtain may be lifted while the board is still being painted.
    this.stop = listen(`${this.base}/events`, () => this.heard(), (refusal) => this.lost(refusal));
    await this.draw();
    if (document.activeElement === document.body) document.getElementById("question")?.focus({ preventScroll: true });
  }

  end() {
    this.turn += 1; // what is still on its way comes too late
    this.stop?.();
    if (this.editor) removeEventListener("keydown", this.editor.onKey, true);
    this.map?.close();
    removeEventListener("keydown", this.onKey);
    removeEventListener("pbcg-view", this.onView);
    setEyes("");
  }

  // -- the frame ----------------------------------------------------------------------

  frame() {
    const { state, table } = this;
    const views = tabs(state).map(([name, title]) =>
      h("button", { class: "tab plain", data: { view: name }, on: { click: () => go({ view: name === "table" ? null : name, step: null }) } }, title));
    this.who = h("span", { class: "viewer" });
    this.date = h("span", { class: "badge" });
    this.title = h("h1", {}, stemOf(state.file));
    this.timeline = h("ol", { class: "timeline" });
    this.steps = h("nav", { class: "stepsbar", "aria-label": "The steps" }, this.timeline);
    this.asked = h("div", { class: "asked", "aria-live": "polite" });
    this.offered = h("div", { class: "offered", "aria-live": "polite" }); // a correction that is proposed
    this.rolled = h("div", { class: "rolled", "aria-live": "polite" }); // what the dice of the last command brought
    this.latest = h("ol", { class: "latest", reversed: true, "aria-label": "What has happened, the latest first" });
    this.board = h("section", { class: "mapbox", "aria-label": "The map" });
    this.page = h("main", { class: "page", hidden: true });
    this.tray = h("div", { class: "tray" }); // what the map shows beside it where there is room
    this.score = h("button", { class: "plain vp", hidden: true, data: { action: "score" }, on: { click: () => go({ view: "score" }) } });
    this.side = h("aside", { class: "side" }, h("div", { class: "desk" }, this.tray, this.offered, this.rolled, this.asked),
      h("section", { class: "happened", tabindex: table.newsScroll ? "0" : undefined, "aria-label": "What has happened" }, this.latest));
    this.main = h("main", { class: "table" }, this.board, this.side);
    this.switch = h("nav", { class: "phone", "aria-label": "Question or map" },
      h("button", { data: { pane: "side" }, on: { click: () => this.pane("side") } }, "Question"),
      h("button", { data: { pane: "map" }, on: { click: () => this.pane("map") } }, "Map"));
    put(this.app, h("div", { class: `game ${table.class}` },
      h("header", { class: "top" },
        h("button", { class: "plain back", "aria-label": "All games", on: { click: () => go({ game: null, view: null }) } }, "‹ Games"),
        this.title, this.date, this.score, h("nav", { class: "tabs", "aria-label": "Views" }, views),
        h("span", { class: "grow" }), this.who,
        h("button", { class: "plain", "aria-label": "Keys and help", on: { click: () => keysHelp() } }, "?")),
      this.steps, this.main, this.page, this.switch));
    this.pane(state.asked ? table.pane : "side");
  }

  /** What a rule means here is a button below the question, and a key. */
  explains = true;

  /** Whether one player plays alone. */
  get alone() {
    return this.state.sides.length === 1;
  }

  /** Whether the server offers something for this game that not all games have. */
  offers(feature) {
    return this.state.features.includes(feature);
  }

  pane(name) {
    this.main.dataset.pane = name;
    for (const each of this.switch.children) each.setAttribute("aria-pressed", String(each.dataset.pane === name));
    if (name === "map") this.map?.resize();
  }

  /** Name what stands beside the map, where it is a tab of its own. */
  nameTab(words) {
    this.switch.firstChild.textContent = words;
  }

  async view() {
    const wanted = place().view ?? "table";
    const tab = wanted === "film" ? "score" : wanted; // the score leads to the film
    for (const each of this.app.querySelectorAll(".tab")) each.setAttribute("aria-current", each.dataset.view === tab ? "page" : "false");
    const table = wanted === "table";
    this.main.hidden = !table;
    this.switch.hidden = !table;
    this.steps.hidden = !table;
    this.page.hidden = table;
    if (table) {
      this.map?.resize();
      return;
    }
    try {
      const { pages } = await import("./records/pages.js");
      await pages[wanted]?.(this.page, this);
    } catch (error) {
      await this.wrong(error);
    }
  }

  // -- what the server says -------------------------------------------------------------

  async draw(keep = false) {
    const { state } = this;
    document.title = `${hark(state) ? "● Your turn · " : ""}${stemOf(state.file)} · pbcg`;
    this.date.textContent = state.date;
    this.date.hidden = !state.date;
    this.drawWho();
    drawTimeline(this.timeline, this.state);
    if (!keep) drawQuestion(this);
    put(this.offered, proposedCorrection(this));
    this.drawLatest();
    this.drawn = state;
    await this.drawMap();
  }

  drawWho() {
    const { viewer, eyes, sides } = this.state;
    this.who.hidden = sides.length === 1; // he plays alone
    const open = viewer === "both" && eyes === "umpire";
    const words = viewer !== "both" ? (viewer === "umpire" ? "Umpire" : sideWords(this.state, viewer)) : eyes && !open ? `${sideWords(this.state, eyes)} looks` : open ? "Open cards" : "Both look";
    put(this.who, sideBadge(viewer === "both" ? (open ? "" : eyes) : viewer === "umpire" ? "" : viewer, words));
  }

  /**
   * Draw what has come of an answer, a roll or a lifted curtain; lines from number `since` on are new.
   *
   * At one screen what asks nothing of a side is answered at once, and a curtain before which there is nothing to read
   * is drawn at once, so that the other player learns no more than that the curtain was lifted.
   */
  async goOn(since) {
    const { asked, viewer, lines } = this.state;
    this.told = since;
    if (viewer === "both" && isIdle(asked)) {
      try {
        return await this.change("answers", { seq: asked.seq, prompt: asked.id, value: asked.default }, "Your answer", since);
      } catch (error) {
        await this.draw();
        throw error;
      }
    }
    const reads = lines.some((line) => line.n >= since && line.secret && line.kind !== "answer" && !isIdle(line));
    if (asked?.leaving && !reads) return this.look("");
    return this.draw();
  }

  /** Change whose eyes are on a shared screen; what the page knew is fetched again. */
  async look(side) {
    setEyes(side);
    put(this.rolled);
    this.stop?.();
    this.map?.forget();
    const turn = ++this.turn;
    try {
      const state = await get(this.base);
      if (turn === this.turn) {
        this.state = state;
        await this.goOn(Math.min(this.told, state.line_count));
      }
      this.stop?.();
      this.stop = listen(`${this.base}/events`, () => this.heard(), (refusal) => this.lost(refusal));
    } catch (error) {
      await this.wrong(error);
    }
  }

  drawLatest() {
    const { state, table } = this;
    const lines = table.latest(state.lines).slice(-40).reverse();
    put(this.latest, lines.map((line, n) => {
      const element = logLine(line);
      if (line.n >= this.told) element.classList.add("new");
      const heading = table.headings && lines[n - 1]?.step !== line.step;
      return heading ? [h("li", { class: "phaseline" }, line.at.title), element] : element;
    }));
  }

  /** Of the area game: VP in the head of the page, and in what is said when it is over. */
  drawStanding({ vp, stands, over }) {
    this.score.hidden = vp === null;
    put(this.score, h("b", {}, vp), " VP");
    this.score.title = this.score.ariaLabel = stands;
    const told = this.asked.querySelector("[data-stands]");
    if (told && over) told.textContent = `${stands}.`;
  }

  async drawMap() {
    if (this.editor) return;
    if (!this.table.map) {
      this.board.hidden = true;
      this.main.classList.add("nomap");
      return;
    }
    const drawn = this.refreshMap().catch((error) => (error instanceof Lost ? awaitServer(() => this.drawMap()) : this.wrong(error)));
    if (!this.table.mapLater) await drawn;
  }

  async refreshMap() {
    this.mapView ??= this.table.map(this.board, this);
    this.map = await this.mapView;
    await this.map.refresh(this.state);
    if (!this.table.mapLater && this.state.asked?.asked !== "curtain") this.map.offer(this.state.asked);
  }

  // -- answering ------------------------------------------------------------------------

  async change(path, body, doing, since = this.state.line_count) {
    if (this.busy) return false;
    this.busy = true;
    this.turn++;
    this.asked.classList.add("waiting");
    put(this.rolled);
    const before = this.state;
    this.told = since;
    try {
      this.state = await post(`${this.base}/${path}`, body);
      this.busy = false;
      hush(); // what was said before is over
      await (FORTH.has(path) ? this.goOn(since) : this.draw());
      document.getElementById("question")?.focus({ preventScroll: true });
      return true;
    } catch (error) {
      this.busy = false;
      if (error instanceof Lost) {
        await awaitServer(async () => {
          this.state = await get(this.base);
          await this.draw();
          const kept = this.state.seq > before.seq;
          say(kept ? "The connection is back. Your answer was kept, or one from another window." : `The connection is back. ${doing} did not arrive: give it again.`, { bad: !kept });
        });
        return false;
      }
      if (error instanceof Refusal && error.status === 409 && error.data.state) {
        this.state = error.data.state;
        await this.draw();
        say(error.message, { bad: true });
        return false;
      }
      if (error instanceof Refusal && error.data.agreement) {
        const turn = ++this.turn;
        const state = await get(this.base);
        if (turn === this.turn) {
          this.state = state;
          await this.draw();
        }
        if (state.seq === before.seq) say(error.message); // the other player has not agreed yet
        return false;
      }
      throw error;
    } finally {
      this.busy = false;
      this.asked.classList.remove("waiting");
      if (this.missed) {
        this.missed = false;
        this.heard();
      }
    }
  }

  async answer(value, more = []) {
    const asked = this.state.asked;
    try {
      return await this.change("answers", { seq: asked.seq, prompt: asked.id, value, ...(more.length ? { more } : {}) }, "Your answer");
    } catch (error) {
      await this.wrong(error);
      return false;
    }
  }

  /** Agree to the proposal with a digest, decline or withdraw it. */
  async settle(proposal, agree) {
    try {
      if (await this.change("agreement", { seq: this.state.seq, proposal, agree }, "Your answer")) say(agree ? "Agreed." : "It is proposed no more.");
    } catch (error) {
      await this.wrong(error);
    }
  }

  async roll({ all = false, faces } = {}) {
    const asked = this.state.asked;
    try {
      const done = await this.change("rolls", { seq: asked.seq, roll: asked.id, all, ...(faces ? { faces } : {}) }, "Your roll");
      if (done && this.table.tellsRolls) put(this.rolled, rolledNow(this.state.lines.filter((line) => line.n >= this.told)));
    } catch (error) {
      await this.wrong(error);
    }
  }

  /** Hand what a side decides to one of its players. */
  async hand(name, side) {
    try {
      await this.change("hand", { name, side }, "Handing over");
    } catch (error) {
      await this.wrong(error);
    }
  }

  /** Orders of the area game, as they would be typed. */
  async orders(line) {
    try {
      const done = await this.change("area/orders", { seq: this.state.seq, line }, "Your order");
      if (done && this.state.said.length) say(this.state.said.join(" "), { bad: true });
      return done;
    } catch (error) {
      await this.wrong(error);
      return false;
    }
  }

  /** Undo the last answer; with a `step` all since its first question, with a `line` of the log all since that. */
  async undo(step = "", reason = "", sure = false, line = null, title = "that step") {
    const far = step || line !== null;
    const path = far ? "undo" : this.table.undoPath;
    try {
      const done = await this.change(path, { seq: this.state.seq, reason, step, ...(sure ? { sure } : {}), ...(line === null ? {} : { line }) }, "Undoing");
      if (done) say(step ? `Everything since ${title} is undone.` : far ? "That line and all since is undone." : "Undone.");
      return done;
    } catch (error) {
      if (error instanceof Refusal && error.data.needs_reason && !reason) {
        const given = await this.reason(error.message);
        return given ? this.undo(step, given, false, line, title) : false;
      }
      if (error instanceof Refusal && error.data.confirm && !sure) {
        return (await this.surely(error.message)) ? this.undo(step, reason, true, line, title) : false;
      }
      await this.wrong(error);
      return false;
    }
  }

  /** Redo what was just undone. */
  async redo() {
    if (!this.state.redo) return;
    try {
      if (await this.change("redo", { seq: this.state.seq }, "Redoing")) say("Redone.");
    } catch (error) {
      await this.wrong(error);
    }
  }

  surely(sentence) {
    return ask("Undo so much?", (close) => [
      h("h2", {}, "Undo so much?"), h("p", {}, sentence),
      h("div", { class: "row end" }, h("button", { data: { action: "leave" }, autofocus: true, on: { click: () => close(false) } }, "Leave it as it is"),
        h("button", { class: "main", data: { action: "undo-all" }, on: { click: () => close(true) } }, "Undo"))]);
  }

  reason(sentence) {
    return ask("A reason", (close) => {
      const field = h("input", { type: "text", maxlength: 300, required: true, name: "reason", "aria-label": "Reason" });
      return h("form", { on: { submit: (event) => { event.preventDefault(); close(field.value.trim()); } } },
        h("h2", {}, "A reason, please"), h("p", { class: "quiet" }, sentence), field,
        h("div", { class: "row end" }, h("button", { type: "button", on: { click: () => close("") } }, "Cancel"),
          h("button", { class: "main", type: "submit" }, "Undo")));
    });
  }

  say(sentence, how) {
    say(sentence, how);
  }

  /** What would be asked after an answer, or a sentence why it is none. */
  async ahead(value) {
    try {
      return await post(`${this.base}/ahead`, { seq: this.state.asked.seq, answers: [value] });
    } catch (error) {
      if (error instanceof Refusal && error.status === 422) return { sentence: error.message };
      await this.wrong(error);
      return null;
    }
  }

  /** Every way that an Escape or Shift may go, with its exact chances. */
  async moves() {
    try {
      return await get(`${this.base}/moves`);
    } catch (error) {
      await this.wrong(error);
      return { moves: [] };
    }
  }

  /** Show on the map what an option is about; nothing without one. */
  point(option) {
    this.map?.point(option);
  }

  showPlace() {
    this.pane("map");
    this.map?.showPlace(this.state.asked);
  }

  // -- events ---------------------------------------------------------------------------

  async heard() {
    if (this.busy) {
      this.missed = true;
      return;
    }
    const turn = ++this.turn;
    try {
      const state = await get(this.base);
      if (turn !== this.turn) {
        this.missed ||= this.busy;
        return;
      }
      if (JSON.stringify(state) === JSON.stringify(this.state)) return;
      // A question that is still the same stays as it is: nothing half typed is lost.
      if (this.editor) {
        if (state.asked?.id === this.state.asked?.id) {
          this.state = state;
          await this.editor.draft.changedElsewhere(state.draft);
          return;
        }
        this.state = state;
        this.editor.close();
        return;
      }
      const same = JSON.stringify(state.asked) === JSON.stringify(this.state.asked) && state.asked;
      soundIfTurned(this.state, state);
      this.state = state;
      await this.draw(Boolean(same));
    } catch (error) {
      if (!(error instanceof Lost)) await this.wrong(error);
    }
  }

  async lost(refusal) {
    if (refusal) {
      await this.wrong(refusal);
      return;
    }
    await awaitServer(() => this.heard());
  }

  async wrong(error) {
    if (error instanceof Lost) await awaitServer(() => this.heard());
    else if (error instanceof Refusal) {
      if (error.status === 401) {
        put(this.app, h("main", { class: "plainpage" }, h("h1", {}, "pbcg"), h("p", {}, error.message)));
        this.end();
        return;
      }
      say(error.message, { bad: true });
    } else throw error;
  }

  // -- keys -----------------------------------------------------------------------------

  key(event) {
    if (this.editor || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || (place().view ?? "table") !== "table") return;
    const field = event.target.closest?.("input:not([type=checkbox]), textarea, select");
    if (field && event.key === "Escape") document.getElementById("question")?.focus({ preventScroll: true });
    else if (field) return;
    const run = {
      r: () => this.asked.querySelector("[data-action=roll]")?.click(),
      R: () => this.asked.querySelector("[data-action=roll-all]")?.click(),
      u: () => this.undo(),
      z: () => this.redo(),
      c: () => this.offers("correct") && this.state.asked?.asked !== "curtain" && changeDialog(this),
      x: () => this.state.asked && explain(this.state.asked),
      m: () => this.showPlace(),
      g: () => this.map?.find(),
      q: () => document.getElementById("question")?.focus(),
      "?": () => (this.map?.lesson ? this.map.lesson.best() : keysHelp()),
      h: () => keysHelp(),
      o: () => this.map?.typing?.(),
      Escape: () => this.map?.escape?.(),
      e: () => this.map?.end?.(),
    }[event.key];
    if (run) {
      event.preventDefault();
      run();
      return;
    }
    if (/^[1-9]$/.test(event.key)) {
      const option = this.asked.querySelector(`[data-key="${event.key}"]`);
      if (option?.offsetParent) { // not while a stack is looked at: the list is away then
        event.preventDefault();
        option.click();
      }
    }
  }
}
