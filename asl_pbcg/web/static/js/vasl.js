// A VASL save: what it cannot tell is asked, one question after the other.

import { Refusal, send } from "./api.js";
import { ask, h, put, say } from "./dom.js";
import { drawAsked } from "./prompt.js";

/** The position that a save and the answers about it make, or undefined if it was not taken. */
export function vaslReview(file, game) {
  return ask("A VASL save", (close) => {
    const box = h("div", { class: "asked" });
    const told = h("ol", { class: "loglines saved" });
    const count = h("p", { class: "quiet", "aria-live": "polite" }, "Reading …");
    const given = [];
    const back = h("button", { disabled: true, on: { click: () => { given.pop(); step(); } } }, "One back");
    const step = async () => {
      try {
        const found = await send(`${game.base}/position/vasl`, file, { answers: JSON.stringify(given), name: file.name.slice(-60) });
        back.disabled = !given.length;
        count.textContent = found.counted;
        put(told, found.lines.slice(-8).map((line) => h("li", { class: "line note" }, line.text)));
        if (found.position) {
          say(`${file.name} is taken.`);
          close(found.position);
          return;
        }
        drawAsked(box, found.asked, {
          answer: (value) => { given.push(value); step(); }, say, point: () => {}, roll: () => {},
          document: () => "",
        });
      } catch (error) {
        if (!(error instanceof Refusal)) {
          await game.wrong(error);
          return;
        }
        say(error.message, { bad: true });
        if (given.length) {
          given.pop();
          if (error.data.rule !== undefined && found(box)) return;
          step();
        } else close();
      }
    };
    const found = (place) => place.childElementCount > 0;
    step();
    return h("div", { class: "savereview" }, h("h2", {}, file.name.slice(-60)), count, box, told,
      h("div", { class: "row end" }, back, h("button", { on: { click: () => close() } }, "Leave it")));
  });
}
