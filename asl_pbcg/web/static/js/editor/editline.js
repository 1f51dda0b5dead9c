// The one field of the editor: the hex of what is chosen, hexes to mark, or orders as at the terminal.

import { hexOf, isOffMap } from "../board/layers.js";
import { capital, h, say } from "../dom.js";

/** What the field is for: its name, what it is called, an example, and its button. */
const USES = {
  at: { called: "Place at", example: "Hex, as Z15", title: "Z15, Z15/1, Z21/pillbox, or off-map A7 at an Entry Area", action: "place", button: "Place" },
  mark: { called: "Hexes to mark", example: "Hexes, as Z14 Z15", title: "", action: "mark", button: "Mark" },
  typed: { called: "Pieces and where they stand", example: "Type, as 6 648 n11", title: "Orders as at the terminal", action: "typed", button: "Do it" },
};

export class Line {
  constructor(editor) {
    this.editor = editor;
    this.count = h("span", { class: "quiet" });
    this.side = h("select", { "aria-label": "Whose pieces" }, ["british", "german"].map((each) => h("option", { value: each }, capital(each))));
    this.field = h("input", { type: "text", maxlength: 200, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    this.give = h("button", { type: "submit" });
    this.gone = h("button", { type: "button", data: { action: "eliminate" }, on: { click: () => editor.picked.eliminate([...editor.chosen]) } }, "Eliminated");
    this.node = h("form", { class: "row typing", on: { submit: (event) => { event.preventDefault(); this.submit(); } } }, this.count, this.side, this.field, this.give, this.gone);
  }

  get use() {
    if (this.editor.brush.mode !== "move") return "mark";
    return this.editor.chosen.size ? "at" : "typed";
  }

  draw() {
    const { use } = this;
    const { own } = this.editor.draft;
    this.node.hidden = Boolean(own) && use !== "at"; // at setup nothing else is typed
    if (use !== this.field.name) {
      const { called, example, title, action, button } = USES[use];
      Object.assign(this.field, { name: use, value: "", ariaLabel: called, placeholder: example, title });
      this.give.dataset.action = action;
      this.give.textContent = button;
    }
    this.side.hidden = use !== "typed";
    this.gone.hidden = use !== "at" || Boolean(own);
    this.count.textContent = use === "at" ? `${this.editor.chosen.size} chosen:` : "";
  }

  /** Begin to type: `key` is the first sign. */
  begin(key = "") {
    this.field.focus();
    this.field.value = key;
  }

  submit() {
    const typed = this.field.value.trim();
    if (!typed) return undefined;
    if (this.use === "mark") return this.mark(typed);
    const off = typed.toLowerCase().startsWith("off");
    if (this.use === "at" && (off || !/\s/.test(typed))) return this.place(typed, off);
    return this.order(typed);
  }

  place(typed, off) {
    const at = off ? `off-map ${typed.split(/\s+/)[1]?.toUpperCase() ?? ""}` : typed.toUpperCase().replace("/PILLBOX", "/pillbox");
    const { map } = this.editor.game;
    const hex = hexOf(at);
    if (!isOffMap(at) && !map.board.geometry.hexes[hex]) return say(`There is no hex "${hex}" in play.`, { bad: true });
    this.editor.place([...this.editor.chosen], at);
    if (!isOffMap(at)) map.board.look(hex);
    this.editor.chosen.clear();
    this.editor.draw();
    return this.editor.trays.node.querySelector("button")?.focus();
  }

  /** An order of the terminal, as many pieces as a line holds. */
  async order(name) {
    const { draft } = this.editor;
    const before = draft.number;
    await draft.order({ do: "type", name, side: this.side.value });
    if (draft.number !== before) this.field.value = "";
  }

  /** The brush without a mouse: hexes are typed. */
  mark(typed) {
    const hexes = typed.toUpperCase().split(/[\s,;]+/).filter(Boolean);
    const unknown = hexes.find((hex) => !this.editor.game.map.board.geometry.hexes[hex]);
    if (unknown) return say(`There is no hex "${unknown}" in play.`, { bad: true });
    this.editor.brush.markAll(hexes);
    this.field.value = "";
    return undefined;
  }
}
