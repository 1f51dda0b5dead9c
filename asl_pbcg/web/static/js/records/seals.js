// Seals: eight words to say aloud that prove later what a side held.

import { get, post } from "../api.js";
import { capital, h, put, say } from "../dom.js";

let isOpen = false; // whether the box stood open before the page was drawn again

/** The seals of the campaign: to make one, to read one's own, to open it, and to check the other's. */
export async function sealBox(game, box, then) {
  const { seals } = await get(`${game.base}/seals`);
  const { viewer, eyes } = game.state;
  const words = h("input", { type: "text", name: "words", maxlength: 200, placeholder: "The eight words you heard", "aria-label": "The words of a seal", autocomplete: "off" });
  const told = h("div", { role: "status" });
  const change = async (path, body, done) => {
    try {
      await post(`${game.base}/seals${path}`, body);
      say(done);
      await then();
    } catch (error) {
      await game.wrong(error);
    }
  };
  const check = async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return;
    try {
      const found = await get(`${game.base}/seals/check`, { words: words.value });
      put(told, found.sentences.map((each) => h("p", {}, each)), found.seal.text ? h("pre", {}, found.seal.text) : "");
    } catch (error) {
      await game.wrong(error);
    }
  };
  const side = game.state.sides.includes(eyes || viewer);
  put(box, h("details", { class: "seals", open: isOpen, on: { toggle: (event) => { isOpen = event.target.open; } } }, h("summary", {}, seals.length ? `Seals (${seals.length})` : "Seals"),
    h("p", { class: "quiet" }, "Eight words that tell nothing now and prove later what a side had bought, hidden and set up at this CG Date."),
    h("ul", { class: "listed" }, seals.map((seal) => h("li", { data: { seal: seal.number } },
      `${capital(seal.side)}, ${seal.title}: `, h("strong", {}, seal.words), seal.opened ? " (opened)" : "",
      seal.own && !seal.opened ? h("button", { type: "button", data: { action: "open-seal" }, on: { click: () => change("/opened", { words: seal.words }, "Opened: both can read it.") } }, "Open to both") : "",
      seal.text ? h("details", {}, h("summary", {}, "What was sealed"), h("pre", {}, seal.text)) : ""))),
    side ? h("button", { type: "button", data: { action: "seal" }, on: { click: () => change("", {}, "Sealed: tell the other player the words.") } }, "Seal what I hold") : "",
    h("form", { class: "row", data: { form: "seal-check" }, on: { submit: check } }, words, h("button", { type: "submit", data: { action: "check-seal" } }, "Check")), told));
}
