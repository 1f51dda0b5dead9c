// Notes of the players: on a piece, on a line of the log, or of the diary of a CG Date.

import { get, post } from "../api.js";
import { h, put, say } from "../dom.js";

/** A form for a note on `about`, a piece or hex, else of the diary; `then` runs once it is kept. */
export function noteForm(game, about, then, name = about) {
  const text = h("input", { type: "text", name: "note", maxlength: 1000, placeholder: about ? `A note on ${name}` : "A note for the diary", "aria-label": "The note", autocomplete: "off" });
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

/** The viewer's own notes, each with its words to correct and a button to withdraw it. */
export async function ownNotes(game, box, then) {
  const { notes } = await get(`${game.base}/notes`);
  put(box, notes.length ? h("details", { class: "ownnotes" }, h("summary", {}, `My notes (${notes.length})`),
    h("ul", { class: "listed" }, notes.map((note) => ownNote(game, note, then)))) : "");
}

function ownNote(game, note, then) {
  const text = h("input", { type: "text", name: "note", maxlength: 1000, value: note.text, "aria-label": `Words of note ${note.number}`, autocomplete: "off" });
  const revise = async (words, told) => {
    try {
      await post(`${game.base}/notes/${note.number}`, { text: words });
      say(told);
      await then();
    } catch (error) {
      await game.wrong(error);
    }
  };
  const keep = (event) => {
    event.preventDefault();
    if (text.value.trim() && text.value.trim() !== note.text) revise(text.value, "Corrected; the log keeps both.");
  };
  return h("li", {}, note.head ? `${note.head}: ` : "", h("form", { class: "row", data: { form: "own-note" }, on: { submit: keep } }, text,
    h("button", { type: "submit", data: { action: "correct-note" } }, "Correct"),
    h("button", { type: "button", data: { action: "withdraw-note" }, on: { click: () => revise("", "Withdrawn; the log keeps it.") } }, "Withdraw")));
}
