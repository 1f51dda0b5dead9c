// A line of numbers, each with its name and bounds; what a die shows is clicked as its face.

import { capital, h } from "../dom.js";
import { pips } from "../prompt.js";

export function draw(asked, game) {
  const fields = asked.fields.map((each, n) => (each.die ? dieField : numberField)(each, n));
  const send = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const empty = asked.fields.find((_, n) => !data.get(`number${n}`));
    if (empty) game.say(`${empty.text}: which? ${empty.least} to ${empty.most}.`, { bad: true });
    else game.answer(asked.fields.map((_, n) => data.get(`number${n}`)).join(" "));
  };
  return h("form", { class: "numbers", on: { submit: send } }, fields,
    h("div", { class: "row" }, h("button", { class: "main", type: "submit", data: { action: "send" } }, "Answer"),
      asked.default ? h("button", { type: "button", data: { action: "default" }, on: { click: () => game.answer(asked.default) } }, capital(asked.default)) : ""));
}

function numberField({ text, least, most }, n) {
  const field = h("input", { type: "number", name: `number${n}`, id: `number${n}`, min: least, max: most, inputmode: "numeric" });
  const step = (by) => () => { field.value = Math.min(most, Math.max(least, (Number(field.value) || (by > 0 ? least - 1 : most + 1)) + by)); };
  return h("div", { class: "row" }, h("label", { for: `number${n}` }, text),
    h("button", { type: "button", "aria-label": `${text}: one less`, on: { click: step(-1) } }, "−"), field,
    h("button", { type: "button", "aria-label": `${text}: one more`, on: { click: step(1) } }, "+"), h("span", { class: "quiet" }, `${least} to ${most}`));
}

function dieField({ text, least, most }, n) {
  return h("fieldset", { class: "dieface" }, h("legend", {}, text), h("div", { class: "row" },
    Array.from({ length: most - least + 1 }, (_, at) => least + at).map((face) => h("label", { class: "plainface", data: { face } },
      h("input", { type: "radio", name: `number${n}`, value: face, class: "visually-hidden", "aria-label": `${text}: ${face}` }), pips(face)))));
}
