// A dialog that makes the VASL save of the next scenario from that of the last one.

import { Refusal, post } from "../api.js";
import { ask, h, put, saveFile } from "../dom.js";

const DONE = new Set(["moved", "added", "removed"]); // what needs no look
const MOST = 12 * 1024 * 1024; // bytes of all files together; in base64 they are what the server takes

/** `whose` is the query that says for whose eyes it is made, as for sheets. */
export async function makeNextSave(game, whose) {
  await ask("VASL save of the next scenario", (close) => {
    const file = (name, accept, more = {}) => h("input", { type: "file", accept, name, data: { action: `${name}-save` }, ...more });
    const field = (label, input) => h("label", { class: "savefile" }, label, input);
    const base = file("base", ".vsav", { required: true, "aria-label": "The save of the scenario just played", "aria-describedby": "save-how", autofocus: true });
    const onto = file("onto", ".vsav");
    const palettes = file("palettes", ".vsav", { multiple: true });
    const module = file("module", ".vmod");
    const sees = whose.eyes || game.state.eyes || game.state.viewer;
    const side = sees === "umpire" && h("select", { name: "side" },
      h("option", { value: "" }, "The umpire's: everything"), h("option", { value: "german" }, "The German player's"), h("option", { value: "british" }, "The British player's"));
    const perimeters = h("input", { type: "checkbox", name: "perimeters" });
    const told = h("div", { role: "status", data: { told: "" } });
    const make = async (event) => {
      event.preventDefault();
      put(told, h("p", { class: "quiet" }, "One moment …"));
      try {
        const parts = [...base.files, ...onto.files, ...palettes.files];
        const part = module.files[0] && (await withBuildFileAlone(module.files[0]));
        if ([...parts, ...(part ? [part] : [])].reduce((sum, each) => sum + each.size, 0) > MOST) throw new Refusal(413, { sentence: "These files are too large: 12 MB together at most." });
        const [last, ...others] = await Promise.all(parts.map((each) => packed(each, each.name)));
        const made = await post(`${game.base}/position/next-save`, {
          base: last, onto: onto.files.length ? others.shift() : null, palettes: others, module: part ? await packed(part, module.files[0].name) : null,
          side: side ? side.value : "", perimeters: perimeters.checked,
        }, whose);
        save(made.file, base.files[0].name.replace(/(\.vsav)?$/i, "-next.vsav"));
        put(told, h("p", {}, `The save is made. Pieces that stay as they were: ${made.stayed}.`),
          made.report.map(({ what, head, lines }) => h("details", { open: !DONE.has(what) }, h("summary", {}, head), h("ul", {}, lines.map((line) => h("li", {}, line))))));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        put(told, h("p", {}, error.message));
      }
    };
    return h("form", { class: "savereview", on: { submit: (event) => make(event).catch((error) => { close(); return game.wrong(error); }) } },
      h("h2", {}, "VASL save of the next scenario"),
      h("p", { class: "quiet", id: "save-how" }, `Give the save of the scenario just played (.vsav). It stays as it is; the new one holds what ${side ? "the chosen" : "this"} player may see.`),
      base,
      h("details", { data: { more: "" } }, h("summary", {}, "More files: the other side's setup, more counters"),
        field("The other side's setup (.vsav): the side that sets up second is added to it, the setup stays as it is", onto),
        field("Other saves (.vsav, up to 8), to copy counters from that the first one lacks", palettes),
        field("Your VASL module (.vmod), for what no save has; only its list of counters is sent", module),
        h("p", { class: "quiet" }, "All files together: 12 MB at most.")),
      side && h("label", { class: "row" }, "For whose eyes:", side),
      h("label", { class: "row" }, perimeters, "Perimeter counters where Setup Areas end"), told,
      h("div", { class: "row end" }, h("button", { type: "button", data: { action: "close" }, on: { click: () => close() } }, "Close"),
        h("button", { class: "main", type: "submit", data: { action: "make-save" } }, "Make it")));
  });
}

/** A file as a message holds it. */
function packed(file, name) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done({ name: name.slice(-60), content: reader.result.split(",")[1] ?? "" });
    reader.onerror = () => fail(new Refusal(0, { sentence: `${name} cannot be read: choose it again.` }));
    reader.readAsDataURL(file);
  });
}

const ENTRY = 0x02014b50, END = 0x06054b50; // how parts of a zip archive begin

/** A module has some 100 MB of pictures: make an archive with its build file alone.
 * What is not a module goes to the server as it begins, which says what is wrong. */
async function withBuildFileAlone(file) {
  const view = async (from, to) => new DataView(await file.slice(from, to).arrayBuffer());
  try {
    const tail = await view(-(65535 + 22));
    let at = tail.byteLength - 22;
    while (tail.getUint32(at, true) !== END) at -= 1;
    const start = tail.getUint32(at + 16, true);
    const list = await view(start, start + tail.getUint32(at + 12, true));
    for (let entry = 0, next; entry < list.byteLength && list.getUint32(entry, true) === ENTRY; entry = next) {
      const [name, extra, note] = [28, 30, 32].map((each) => list.getUint16(entry + each, true));
      next = entry + 46 + name + extra + note;
      if (!/^buildFile(\.xml)?$/.test(new TextDecoder().decode(list.buffer.slice(entry + 46, entry + 46 + name)))) continue;
      const first = list.getUint32(entry + 42, true);
      const local = await view(first, first + 30);
      const held = file.slice(first, first + 30 + local.getUint16(26, true) + local.getUint16(28, true) + list.getUint32(entry + 20, true));
      const head = new DataView(list.buffer.slice(entry, next));
      head.setUint32(42, 0, true); // it comes first now
      return new Blob([held, head, archiveEnd(1, head.byteLength, held.size)]);
    }
    return new Blob([archiveEnd(0, 0, 0)]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw new Refusal(0, { sentence: `${file.name} cannot be read: choose it again.` });
    return file.slice(0, 100);
  }
}

function archiveEnd(entries, size, at) {
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, END, true);
  end.setUint16(8, entries, true);
  end.setUint16(10, entries, true);
  end.setUint32(12, size, true);
  end.setUint32(16, at, true);
  return end;
}

function save(base64, name) {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  saveFile(new Blob([bytes]), name);
}
