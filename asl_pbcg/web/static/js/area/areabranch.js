// A new area game that goes on from an earlier moment of this one; this one stays as it is.

import { Refusal, go, post } from "../api.js";
import { ask, h, stemOf } from "../dom.js";

/** Ask for a name and begin it; `where` is what the server is told, `words` what the player reads. */
export async function playOnFrom(game, where, words, name = words) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const field = h("input", { name: "name", maxlength: 60, required: true, autocomplete: "off", value: `${stemOf(game.state.file)}, ${name}` });
  const made = await ask("Play on from here", (close) => h("form", { on: { submit: async (event) => {
    event.preventDefault();
    try {
      close((await post(`${game.base}/area/branch`, { name: field.value.trim(), ...where })).id);
    } catch (error) {
      wrong.textContent = error instanceof Refusal ? error.message : "The server does not answer.";
      wrong.hidden = false;
    }
  } } },
  h("h2", {}, "Play on from here"), h("p", {}, `A new game that goes on from ${words}. This one stays as it is.`),
  h("label", { class: "field" }, "Name of the file", field), wrong,
  h("div", { class: "row end" }, h("button", { type: "button", on: { click: () => close() } }, "Cancel"), h("button", { class: "main", type: "submit", data: { action: "branch-now" } }, "Play on"))));
  if (made) go({ game: made, view: null });
}
