// Undo, redo and correct: one dialog for all three, and the correction a side proposes.

import { Refusal, get } from "../api.js";
import { ask, capital, h, put, say } from "../dom.js";

/**
 * What can be changed of what stands: the last answer, the last undo, a fact. A refused correction
 * comes back with what was typed and why it was refused.
 */
export async function changeDialog(game, typed = {}, refused = "", about = "") {
  const { state } = game;
  let facts;
  try {
    ({ facts } = await get(`${game.base}/corrections`, { piece: typed.piece ?? "" }));
  } catch (error) {
    await game.wrong(error);
    return;
  }
  const wish = await ask("Undo, redo, correct", (close) => [h("div", { class: "stackform" },
    h("h2", {}, "Undo, redo, correct"), about && h("p", { class: "quiet" }, about),
    h("div", { class: "row" },
      h("button", { data: { action: "dialog-undo" }, on: { click: () => close("undo") } }, "Undo the last answer ", h("kbd", {}, "u")),
      h("button", { data: { action: "dialog-redo" }, disabled: !state.redo, on: { click: () => close("redo") } }, "Redo what was undone ", h("kbd", {}, "z"))),
    h("p", { class: "quiet" }, "To go back to the beginning of a step, use the log: “Undo to here” at a line or a step."),
    correctForm(state, close, typed, refused, facts)),
  ]);
  if (wish === "undo") await game.undo();
  else if (wish === "redo") await game.redo();
  else if (wish) {
    const why = await correct(game, wish);
    if (why) await changeDialog(game, { ...wish, piece: typed.piece }, why, about);
  }
}

/** The value of a fact as one chooses or types it. */
function valueField(fact) {
  if (fact.several) {
    return h("fieldset", { class: "choices" }, fact.choices.map(({ value, text }) => h("label", {},
      h("input", { type: "checkbox", name: "chosen", value, checked: fact.values.includes(value) }), ` ${text}`)));
  }
  const [value] = fact.values;
  if (!fact.choices.length) return h("input", { name: "chosen", type: "text", maxlength: 2000, autocomplete: "off", "aria-label": fact.label, value });
  return h("select", { name: "chosen", "aria-label": fact.label }, fact.choices.map((each) => h("option", { value: each.value, selected: each.value === value }, each.text)));
}

/** What was chosen, as the server reads what is typed. */
function written(fact, data) {
  const quoted = data.getAll("chosen").map((each) => JSON.stringify(each));
  if (fact.several) return `[${quoted.join(", ")}]`;
  return fact.is_number ? data.get("chosen") : quoted[0];
}

function correctForm(state, close, entered, refused, facts) {
  const field = (name, label, more) => [h("label", { for: `correct-${name}` }, label),
    h("input", { id: `correct-${name}`, name, type: "text", required: true, autocomplete: "off", value: entered[name] ?? "", autofocus: Boolean(refused) && name === "typed", ...more })];
  const value = h("div", { class: "factvalue" });
  const which = h("select", { id: "correct-which", name: "which" },
    facts.map((fact, n) => h("option", { value: n, selected: Boolean(entered.chosen) && fact.path === entered.path }, `${fact.label}: ${factWords(fact)}`)),
    h("option", { value: "", selected: Boolean(entered.path) && !entered.chosen }, "another fact, by its path"));
  const drawValue = () => {
    const fact = facts[which.value];
    const values = fact && fact.path === entered.path && entered.chosen ? entered.chosen : fact?.values;
    put(value, fact ? [h("span", {}, "Is"), valueField({ ...fact, values })] : [
      field("path", "Path", { maxlength: 200, placeholder: "san/german, pieces/A-1/at", value: entered.path ?? (entered.piece ? `pieces/${entered.piece}/` : "") }),
      field("typed", "Is", { maxlength: 2000, placeholder: "4, Y20, [broken, dm]" }),
      h("p", { class: "quiet" }, "pieces/+ restores a piece that has left its OB (its name) or adds one: {side: british, type: 6-4-8, at: Y20}.")]);
  };
  which.addEventListener("input", drawValue);
  drawValue();
  const form = h("form", { class: "correct", data: { form: "correct", of: entered.piece ?? "" } },
    h("h3", {}, "Correct a fact"),
    refused && h("p", { class: "wrong", role: "alert" }, refused),
    h("label", { for: "correct-which" }, "What"), which, value,
    field("reason", "Why", { maxlength: 300 }),
    h("p", { class: "quiet" }, state.sides.includes(state.viewer)
      ? "Names and notes of your own pieces are corrected at once. Anything else is proposed: the other player reads it and has to agree."
      : "The correction stays in the log with its reason."),
    entered.piece ? "" : h("p", { class: "quiet" }, "A piece is corrected from its card on the map, or from a line of the log."),
    h("div", { class: "row end" }, h("button", { type: "button", on: { click: () => close() } }, "Cancel"),
      h("button", { class: "main", type: "submit", data: { action: "correct" } }, state.sides.includes(state.viewer) ? "Correct or propose" : "Correct")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const fact = facts[which.value];
    const wish = fact ? { path: fact.path, typed: written(fact, data), chosen: data.getAll("chosen") } : { path: data.get("path").trim(), typed: data.get("typed") };
    close({ ...wish, reason: data.get("reason").trim() });
  });
  return form;
}

/** The present value of a fact in the words of its choices. */
function factWords({ values, choices }) {
  const texts = new Map(choices.map(({ value, text }) => [value, text]));
  return values.map((value) => texts.get(value) ?? value).join(", ") || "none";
}

/** Send a correction; where answers would find no place, list them and ask first. Return why it was refused. */
async function correct(game, { path, typed, reason }) {
  const before = game.state.correction;
  let done;
  try {
    done = await sent(game, "corrections", { path, typed, reason }, "The correction");
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
