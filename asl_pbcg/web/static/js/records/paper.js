// A dialog that holds what stands on a roster on paper against the file.

import { get, post } from "../api.js";
import { ask, h, put } from "../dom.js";

export async function comparePaper(game, eyes) {
  const { forms } = await get(`${game.base}/assertions`, eyes);
  await ask("Compare with paper", (close) => {
    const field = h("textarea", { rows: 8, required: true, name: "facts", "aria-label": "Facts, one on each line", "aria-describedby": "paper-how", autofocus: true });
    const keep = h("input", { type: "checkbox", name: "keep" });
    const told = h("div", { role: "status", data: { told: "" } });
    const compare = async (event) => {
      event.preventDefault();
      const facts = field.value.split("\n").map((each) => each.trim()).filter(Boolean);
      try {
        const found = await post(`${game.base}/assertions`, { facts, keep: keep.checked }, eyes);
        const different = found.facts.filter((each) => !each.agrees);
        put(told, different.length ? h("ul", {}, different.map((each) => h("li", {}, each.sentence))) : h("p", {}, "File and paper agree."),
          found.kept ? h("p", { class: "quiet" }, "That is kept in the log.") : "");
      } catch (error) {
        if (!error.status) throw error;
        put(told, error.message.split("\n").map((each) => h("p", {}, each)));
      }
    };
    return h("form", { on: { submit: (event) => compare(event).catch((error) => { close(); return game.wrong(error); }) } },
      h("h2", {}, "Compare with paper"),
      h("p", { class: "quiet", id: "paper-how" }, "Write what stands on the roster on paper, one FACT=VALUE on each line; - for a blank."),
      h("details", {}, h("summary", {}, "The facts there are"), h("ul", {}, forms.map((each) => h("li", {}, h("code", {}, each))))),
      field, h("label", { class: "row" }, keep, "Keep it in the log if all agree"), told,
      h("div", { class: "row end" }, h("button", { type: "button", data: { action: "close" }, on: { click: () => close() } }, "Close"),
        h("button", { class: "main", type: "submit", data: { action: "compare" } }, "Compare")));
  });
}
