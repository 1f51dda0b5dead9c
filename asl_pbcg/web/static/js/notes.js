// Notes of the players: on a piece, on a line of the log, or of the diary of a CG Date.

import { post } from "./api.js";
import { h, say } from "./dom.js";

/** A form for a note on `about`, a piece or hex, else of the diary; `then` runs once it is kept. */
export function noteForm(game, about, then) {
  const text = h("input", { type: "text", name: "note", maxlength: 1000, placeholder: about ? `A note on ${about}` : "A note for the diary", "aria-label": "The note", autocomplete: "off" });
  const line = h("input", { type: "text", name: "line", maxlength: 200, size: 18, placeholder: "on the line with …", "aria-label": "Words of the line it is about", autocomplete: "off" });
  const hidden = h("input", { type: "checkbox", name: "private" });
  const keep = async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    try {
      await post(`${game.base}/notes`, { text: text.value, about: about ?? "", line: about ? "" : line.value.trim(), private: hidden.checked });
      say("Kept.");
      await then();
    } catch (error) {
      await game.wrong(error);
    }
  };
  return h("form", { class: "row", data: { form: "note" }, on: { submit: keep } }, text, about ? "" : line,
    h("label", {}, hidden, " for my eyes only"), h("button", { type: "submit", data: { action: "note" } }, "Keep"));
}
