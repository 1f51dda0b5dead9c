// A Fortification that was bought is dragged to its hex; hexes that are refused fade and tell why.

import { Refusal, get } from "../api.js";
import { sign } from "../board/counters.js";
import { h, put, svg } from "../dom.js";
import { point } from "../board/layers.js";

/** The prompt for the hex of `asked`: a counter to drag, a field to type in, and "later". */
export function draw(asked, game) {
  const picture = () => svg("svg", { viewBox: "-13 -13 26 26", "aria-hidden": "true" }, sign(asked.topic.kind, 0, 0, asked.side, asked.text));
  const field = h("input", { type: "text", name: "text", size: 8, maxlength: 12, placeholder: "Hex", "aria-labelledby": "question", autocomplete: "off" });
  const why = h("p", { class: "quiet", "aria-live": "polite" });
  let found = { legal: [], refused: {} };
  const give = (hex) => (found.refused[hex] ? tell(found.refused[hex]) : game.answer(hex));
  const tell = (words) => {
    why.textContent = words;
    why.classList.add("refused");
  };
  const chip = h("button", { class: "plain chip", type: "button", "aria-label": "Drag it to its hex, or type the hex", data: { action: "drag-place" } }, picture());
  chip.addEventListener("click", () => field.focus());
  chip.addEventListener("pointerdown", (event) => dragChip(event, game, picture, () => found, give, tell));
  const body = h("div", { class: "placing" },
    h("div", { class: "row" }, chip, h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); give(field.value.trim().toUpperCase()); } } }, field,
      h("button", { class: "main", type: "submit", data: { action: "send-hex" } }, "Put it here")),
    h("button", { type: "button", data: { action: "send" }, on: { click: () => game.answer(asked.default) } }, "Later")), why);
  (async () => {
    try {
      found = await get(`${game.base}/places`);
    } catch (error) {
      if (!(error instanceof Refusal)) await game.wrong(error);
      return;
    }
    if (!body.isConnected) return;
    put(why, `Drag it to one of the ${found.legal.length} bright hexes; the others are refused and tell why.`);
    game.map?.limit(found.refused, asked);
  })();
  return body;
}

function dragChip(event, game, picture, found, give, tell) {
  if (event.button || !game.map?.board) return;
  event.preventDefault();
  const { board, window: frame } = game.map;
  const ghost = h("div", { class: "ghost", "aria-hidden": "true" }, picture());
  const over = (now) => {
    const box = frame.getBoundingClientRect();
    const inside = now.clientX > box.left && now.clientX < box.right && now.clientY > box.top && now.clientY < box.bottom;
    return inside ? board.hexAt(now.clientX, now.clientY) : undefined;
  };
  const move = (now) => {
    if (!ghost.isConnected) document.body.append(ghost);
    ghost.style.transform = `translate(${now.clientX - 40}px, ${now.clientY - 40}px)`;
    const hex = over(now);
    const refused = found().refused[hex];
    point(board, hex ? [hex] : [], false);
    ghost.classList.toggle("barred", Boolean(refused));
    if (refused) tell(refused);
  };
  const up = (now) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", up);
    const moved = ghost.isConnected;
    ghost.remove();
    point(board, [], false);
    const hex = moved && now.type === "pointerup" && over(now);
    if (hex) give(hex);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
}
