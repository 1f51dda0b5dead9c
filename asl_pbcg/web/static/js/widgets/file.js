// A prompt that asks for a position or a setup: enter it on the map, or give a file.

import { Refusal, send } from "../api.js";
import { h } from "../dom.js";
import { heldAgainstOB } from "../review.js";

const ON_MAP = { position: "Enter it on the map", setup: "Set up on the map", hidden: "Place them on the map" };

export function draw(asked, game) {
  const wrong = h("pre", { class: "wrong", role: "alert", hidden: true });
  const file = h("input", { type: "file", accept: ".yaml,.yml,.json,.xlsx", class: "visually-hidden", id: "position-file", data: { action: "file" } });
  const value = { given: undefined };
  const summary = h("p", { class: "quiet", hidden: true });
  const giveIt = async () => {
    const answer = asked.widget === "position" ? await heldAgainstOB(value.given, game) : value.given;
    if (answer !== undefined) await game.answer(answer);
  };
  const give = h("button", { class: "main", hidden: true, data: { action: "send" }, on: { click: giveIt } }, asked.widget === "position" ? "Give this position" : "Give it");
  file.addEventListener("change", async () => {
    const chosen = file.files[0];
    file.value = "";
    if (!chosen) return;
    wrong.hidden = true;
    try {
      const read = await send(`${game.base}/position/file`, chosen, { name: chosen.name.slice(-60) });
      value.given = read.value;
      summary.textContent = `${chosen.name}: ${read.summary}`;
      summary.hidden = give.hidden = false;
      give.focus();
    } catch (error) {
      if (!(error instanceof Refusal)) return game.wrong(error);
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  });
  const editor = ON_MAP[asked.widget]
    ? h("button", { class: "main", data: { action: "enter" }, on: { click: () => enter(asked, game) } }, ON_MAP[asked.widget])
    : "";
  const none = asked.default !== null && asked.default !== undefined
    ? h("button", { data: { action: "default" }, on: { click: () => game.answer(asked.default) } }, `Answer “${asked.default}”`) : "";
  return h("div", { class: "stackform" },
    h("div", { class: "row" }, editor, h("label", { class: "filebutton", for: "position-file" }, "Take a file …"), file, none),
    h("p", { class: "quiet" }, asked.widget === "position" ? "A workbook, YAML or JSON. A VASL save is taken in “Enter it on the map”, under “Start from”." : "A workbook, YAML or JSON."),
    summary, wrong, give);
}

async function enter(asked, game) {
  try {
    const { openEditor } = await import("../editor/editor.js");
    await openEditor(asked, game);
  } catch (error) {
    await game.wrong(error);
  }
}
