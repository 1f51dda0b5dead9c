// Undo, redo and correct: one dialog for all three, and the correction a side proposes.

import { Refusal } from "../api.js";
import { ask, capital, h, say } from "../dom.js";

/**
 * What can be changed of what stands: the last answer, the last undo, a fact. A refused correction
 * comes back with what was typed and why it was refused.
 */
export async function changeDialog(game, typed = {}, refused = "", about = "") {
  const { state } = game;
  const wish = await ask("Undo, redo, correct", (close) => [h("div", { class: "stackform" },
    h("h2", {}, "Undo, redo, correct"), about && h("p", { class: "quiet" }, about),
    h("div", { class: "row" },
      h("button", { data: { action: "dialog-undo" }, on: { click: () => close("undo") } }, "Undo the last answer ", h("kbd", {}, "u")),
      h("button", { data: { action: "dialog-redo" }, disabled: !state.redo, on: { click: () => close("redo") } }, "Redo what was undone ", h("kbd", {}, "z"))),
    h("p", { class: "quiet" }, "To go back to the beginning of a step, use the log: “Undo to here” at a line or a step."),
    correctForm(state, close, typed, refused)),
  ]);
  if (wish === "undo") await game.undo();
  else if (wish === "redo") await game.redo();
  else if (wish) {
    const why = await correct(game, wish);
    if (why) await changeDialog(game, wish, why, about);
  }
}

function correctForm(state, close, entered, refused) {
  const field = (name, label, more) => [h("label", { for: `correct-${name}` }, label),
    h("input", { id: `correct-${name}`, name, type: "text", required: true, autocomplete: "off", value: entered[name] ?? "", autofocus: Boolean(refused) && name === "typed", ...more })];
  const form = h("form", { class: "correct", data: { form: "correct" } },
    h("h3", {}, "Correct a fact"),
    refused && h("p", { class: "wrong", role: "alert" }, refused),
    field("path", "What", { maxlength: 200, placeholder: "san/german, pieces/A-1/at" }),
    field("typed", "Is", { maxlength: 2000, placeholder: "4, Y20, [broken, dm]" }),
    field("reason", "Why", { maxlength: 300 }),
    h("p", { class: "quiet" }, state.sides.includes(state.viewer)
      ? "Names and notes of your own pieces are corrected at once. Anything else is proposed: the other player reads it and has to agree."
      : "The correction stays in the log with its reason."),
    h("p", { class: "quiet" }, "pieces/+ restores a piece that has left its OB (its name) or adds one: {side: british, type: 6-4-8, at: Y20}."),
    h("div", { class: "row end" }, h("button", { type: "button", on: { click: () => close() } }, "Cancel"),
      h("button", { class: "main", type: "submit", data: { action: "correct" } }, state.sides.includes(state.viewer) ? "Correct or propose" : "Correct")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { path, typed, reason } = Object.fromEntries(new FormData(form));
    close({ path: path.trim(), typed, reason: reason.trim() });
  });
  return form;
}

/** Send a correction; where answers would find no place, list them and ask first. Return why it was refused. */
async function correct(game, wish) {
  const before = game.state.correction;
  let done;
  try {
    done = await sent(game, "corrections", wish, "The correction");
  } catch (error) {
    return error.message;
  }
  if (!done) return "";
  const { correction } = game.state;
  say(correction && JSON.stringify(correction) !== JSON.stringify(before) && correction.side === game.state.viewer
    ? "Proposed: the other player has to agree." : "Corrected.");
  return "";
}

async function sent(game, path, body, doing) {
  try {
    return await game.change(path, { seq: game.state.seq, ...body }, doing);
  } catch (error) {
    if (error instanceof Refusal && error.data.lost && !body.lose) {
      const sure = await ask("Answers without a place", (close) => [
        h("h2", {}, "These answers find no place at once"),
        h("ul", { class: "lost" }, error.data.lost.map((each) => h("li", {}, each))),
        h("p", { class: "quiet" }, "Each is given again by itself as soon as what it answers is asked."),
        h("div", { class: "row end" }, h("button", { data: { action: "leave" }, autofocus: true, on: { click: () => close(false) } }, "Leave it as it is"),
          h("button", { class: "main", data: { action: "lose" }, on: { click: () => close(true) } }, "Correct"))]);
      return sure ? sent(game, path, { ...body, lose: true }, doing) : false;
    }
    if (error instanceof Refusal && error.status === 422 && path === "corrections") throw error;
    await game.wrong(error);
    return false;
  }
}

/** What a side proposes to correct, with buttons for whoever may answer it; nothing if nothing is. */
export function proposedCorrection(game) {
  const { correction, viewer } = game.state;
  if (!correction) return "";
  const own = correction.side === viewer;
  const reply = async (agree) => {
    const done = await sent(game, "agreement", { proposal: correction.digest, agree }, "Your answer");
    if (done) say(agree ? "Corrected." : own ? "Withdrawn." : "Declined.");
  };
  return h("section", { class: "proposal", data: { correction: correction.side }, "aria-label": "A correction is proposed" },
    h("p", {}, own ? "You propose a correction: " : `The ${capital(correction.side)} player proposes a correction: `,
      `${correction.words} Reason: ${correction.reason}`),
    h("div", { class: "row" },
      !own && h("button", { class: "main", data: { action: "agree-correction" }, on: { click: () => reply(true) } }, "Agree to the correction"),
      h("button", { data: { action: "decline-correction" }, on: { click: () => reply(false) } }, own ? "Withdraw it" : "Decline it")));
}
