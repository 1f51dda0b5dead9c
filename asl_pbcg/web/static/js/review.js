// A file or position that the server has questions about: one after the other, then it is taken.

import { Refusal, post, send } from "./api.js";
import { ask, h, put, say } from "./dom.js";
import { differenceList } from "./editor/difference.js";
import { drawAsked } from "./prompt.js";

/** The position that a VASL save and the answers about it make, or undefined if it was not taken. */
export async function vaslReview(file, game) {
  const name = file.name.slice(-60);
  const position = await review("A VASL save", name, game, (answers) =>
    send(`${game.base}/position/vasl`, file, { answers: JSON.stringify(answers), name }));
  if (position) say(`${file.name} is taken.`);
  return position;
}

/**
 * The end position after what looks like a slip in it is settled, or undefined if it is not to be given.
 * ``counted``: the player has been told how many pieces are missing, and gives it all the same.
 */
export async function heldAgainstOB(position, game, counted = false) {
  const hold = async (answers) => {
    const found = await post(`${game.base}/position/held`, { position, answers });
    if (!counted || found.asked?.topic.kind !== "missing") return found;
    answers.push(found.asked.options[0].id);
    return hold(answers);
  };
  try {
    const found = await hold([]);
    return found.position ?? await review("The end position", "Before this position is taken", game, hold);
  } catch (error) {
    await game.wrong(error);
    return undefined;
  }
}

/** Ask what the server asks; ``request`` gives it the answers so far. */
function review(label, heading, game, request) {
  return ask(label, (close) => {
    const box = h("div", { class: "asked" });
    const told = h("div", { class: "loglines saved" });
    const count = h("p", { class: "quiet", "aria-live": "polite" }, "Reading …");
    const given = [];
    const back = h("button", { disabled: true, on: { click: () => { given.pop(); step(); } } }, "One back");
    const step = async () => {
      try {
        const found = await request(given);
        back.disabled = !given.length;
        count.textContent = found.counted ?? "";
        const lines = found.lines ?? [];
        put(told, found.asked?.topic.kind === "difference" ? differenceList(lines) : lines.slice(-8).map((line) => h("li", { class: "line note" }, line.text)));
        if (!found.asked) {
          if (found.told) say(found.told, { bad: true });
          close(found.position ?? undefined);
          return;
        }
        drawAsked(box, found.asked, {
          answer: (value) => { given.push(value); step(); }, say, point: () => {},
        });
      } catch (error) {
        if (!(error instanceof Refusal)) {
          await game.wrong(error);
          return;
        }
        say(error.message, { bad: true });
        if (!given.length) {
          close();
          return;
        }
        given.pop(); // the question it answered stands there still
      }
    };
    step();
    return h("div", { class: "savereview" }, h("h2", {}, heading), count, box, told,
      h("div", { class: "row end" }, back, h("button", { on: { click: () => close() } }, "Leave it")));
  });
}
