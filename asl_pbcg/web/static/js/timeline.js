// The steps of a game, in a row above the map.

import { go } from "./api.js";
import { ask, h, put } from "./dom.js";

/** The steps of the game in a row: done, now, to come. */
export function drawTimeline(timeline, state) {
  const now = state.steps.findIndex((each) => each.state === "now");
  put(timeline, state.steps.map((step, n) => {
    const label = step.label || (n ? step.title : "•");
    const words = `${step.rule} ${step.title}: ${{ done: "done", now: "now", "to-come": "to come" }[step.state]}${step.sentence ? `. ${step.sentence}` : ""}`;
    return h("li", { class: `step ${step.state}`, "aria-current": step.state === "now" ? "step" : undefined },
      h("button", { title: words, "aria-label": words, data: { step: step.id }, on: { click: () => tellStep(step) } },
        step.state === "done" ? h("b", {}, "✓") : "", h("span", {}, step.state === "now" ? step.title : label)));
  }));
  const current = timeline.children[now];
  if (current) timeline.scrollLeft = current.offsetLeft - timeline.clientWidth / 3;
}

async function tellStep(step) {
  await ask(step.title, (close) => [
    h("h2", {}, `${step.rule} ${step.title}`),
    h("p", {}, step.sentence || { done: "Done; nothing had to be asked.", now: "This step is in progress.", "to-come": "Still to come." }[step.state]),
    h("div", { class: "row end" },
      step.state === "done" ? h("button", { on: { click: () => { close(); go({ view: "log", step: step.id }); } } }, "In the log") : "",
      h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
}
