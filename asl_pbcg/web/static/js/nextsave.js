// A dialog that makes the VASL save of the next scenario from that of the last one.

import { Refusal, send } from "./api.js";
import { ask, h, put } from "./dom.js";

/** `whose` is the query that says for whose eyes it is made, as for sheets. */
export async function makeNextSave(game, whose) {
  await ask("VASL save of the next scenario", (close) => {
    const base = h("input", { type: "file", accept: ".vsav", required: true, name: "base", "aria-label": "The save of the scenario just played", "aria-describedby": "save-how", data: { action: "base-save" }, autofocus: true });
    const perimeters = h("input", { type: "checkbox", name: "perimeters" });
    const told = h("div", { role: "status", data: { told: "" } });
    const make = async (event) => {
      event.preventDefault();
      const file = base.files[0];
      put(told, h("p", { class: "quiet" }, "One moment …"));
      try {
        const made = await send(`${game.base}/position/next-save`, file, { ...whose, name: file.name.slice(-60), perimeters: perimeters.checked });
        save(made.file, file.name.replace(/(\.vsav)?$/i, "-next.vsav"));
        put(told, h("p", {}, `The save is made. Pieces that stay as they were: ${made.stayed}.`),
          made.report.map(({ head, lines }) => h("details", { open: !/^(Moved|Added|Removed)/.test(head) }, h("summary", {}, head), h("ul", {}, lines.map((line) => h("li", {}, line))))));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        put(told, h("p", {}, error.message));
      }
    };
    return h("form", { class: "savereview", on: { submit: (event) => make(event).catch((error) => { close(); return game.wrong(error); }) } },
      h("h2", {}, "VASL save of the next scenario"),
      h("p", { class: "quiet", id: "save-how" }, "Give the save of the scenario just played (.vsav). It stays as it is; the new one holds what this player may see."),
      base, h("label", { class: "row" }, perimeters, "Perimeter counters where Setup Areas end"), told,
      h("div", { class: "row end" }, h("button", { type: "button", data: { action: "close" }, on: { click: () => close() } }, "Close"),
        h("button", { class: "main", type: "submit", data: { action: "make-save" } }, "Make it")));
  });
}

function save(base64, name) {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const link = h("a", { href: URL.createObjectURL(new Blob([bytes])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}
