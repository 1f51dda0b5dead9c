// A file or position that the server has questions about: one after the other, then it is taken.

import { Refusal, post, send } from "./api.js";
import { ask, h, put, say } from "./dom.js";
import { differenceList } from "./editor/difference.js";
import { point } from "./board/layers.js";
import { drawAsked } from "./prompt.js";

/** The position that a VASL save and the answers about it make, or undefined if it was not taken. */
export async function vaslReview(file, game) {
  const name = file.name.slice(-60);
  const position = await review(askBeside, "A VASL save", name, game, (answers) =>
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
    return found.position ?? await review(ask, "The end position", "Before this position is taken", game, hold);
  } catch (error) {
    await game.wrong(error);
    return undefined;
  }
}

/** As `ask`, in place of the editor: the map beside it stays in reach. */
function askBeside(label, build, game) {
  return new Promise((resolve) => {
    const panel = h("aside", { class: "side editor", "aria-label": label, data: { review: "" } });
    game.editor.pause(true);
    put(panel, build((value) => {
      panel.remove();
      game.editor?.pause(false);
      resolve(value);
    }));
    game.main.append(panel);
  });
}

/** Mark on the map what is asked about. */
function markPlace(asked, game) {
  const { board } = game.map ?? {};
  const hexes = board?.geometry.hexes[asked.where] ? [asked.where] : [];
  if (!board) return;
  point(board, hexes, true);
  if (hexes.length) board.look(asked.where, true);
}

/** Ask what the server asks by `way`; ``request`` gives it the answers so far. */
function review(way, label, heading, game, request) {
  return way(label, (close) => {
    const box = h("div", { class: "asked" });
    const told = h("div", { class: "loglines saved" });
    const count = h("p", { class: "quiet", "aria-live": "polite" }, "Reading …");
    const given = [];
    const back = h("button", { disabled: true, on: { click: () => { given.pop(); step(); } } }, "One back");
    let rest = []; // the likeliest answer to what is asked now and to all after it
    const likeliest = h("button", { hidden: true, data: { action: "likeliest" }, on: { click: () => { given.push(...rest.slice(0, -1)); step(); } } });
    const step = async () => {
      try {
        const found = await request(given);
        back.disabled = !given.length;
        rest = found.likeliest ?? [];
        const of = given.length + rest.length;
        put(count, rest.length ? h("b", { data: { number: given.length + 1, of } }, `${given.length + 1} of ${of}. `) : "", found.counted ?? "");
        likeliest.hidden = rest.length < 3;
        likeliest.textContent = `Take what is likeliest for these ${rest.length - 1}`;
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
        if (way === askBeside) markPlace(found.asked, game);
        box.querySelector("#question")?.focus({ preventScroll: true });
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
      h("div", { class: "row end" }, likeliest, back, h("button", { on: { click: () => close() } }, "Leave it")));
  }, game);
}
