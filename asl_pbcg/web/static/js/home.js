// Home: every game of the folder as a card, last played first; new ones; what is done with a file.

import { Refusal, fetchFile, get, go, post, remove, send } from "./api.js";
import { add, ask, capital, h, put, saveFile, say, sideBadge, stemOf } from "./dom.js";
import { links, renew } from "./keys.js";

export const begun = new Set(); // games that were begun in this page

const VIEWERS = {
  both: "Both players at this screen", british: "The British player", german: "The German player",
  umpire: "The umpire",
};
const MANY = 4; // with more games than these there is a field to search in

let leaving = new AbortController(); // pictures on their way are given up when the page is left
addEventListener("pbcg-place", () => leaving.abort());

export function home(app, found) {
  document.title = "pbcg";
  leaving.abort();
  leaving = new AbortController();
  const may = found.forms.length > 0;
  const list = h("ul", { class: "cards" });
  const main = h("main", { class: "home" },
    h("header", {},
      h("div", {},
        h("h1", {}, "Pegasus Bridge"),
        h("p", { class: "lead" }, `${VIEWERS[found.viewer]} · folder ${found.folder}`)),
      may ? h("div", { class: "row" },
        found.forms.map((each, n) => h("button", { class: n === found.forms.length - 1 ? "main" : undefined, data: { begin: each.kind }, on: { click: () => begin(each) } }, each.button))) : ""),
    found.games.length > MANY ? search(list, found.games.length) : "",
    found.games.length ? list : h("div", { class: "empty" },
      h("h2", {}, "No game in this folder yet"),
      h("p", { class: "quiet" }, may ? "Begin a campaign, or try the sample: it stands before Night I of Coup de Main."
        : "When one is begun it appears here.")));
  main.append(h("footer", { class: "homefoot" },
    may ? h("p", {}, h("button", { class: "plain", data: { action: "own-map" }, on: { click: () => go({ page: "own-map" }) } }, "Enter your own map …"),
      h("span", { class: "quiet" }, " of the area game, from a scan or photo of the printed one.")) : "",
    may ? h("p", {}, h("button", { class: "plain", data: { action: "links" }, on: { click: () => links() } }, "The link for the other player …"),
      h("span", { class: "quiet" }, " to paste into a chat, or as a picture for a phone.")) : "",
    h("button", { class: "plain", data: { action: "renew" }, on: { click: () => renew() } }, "A new key …"),
    h("span", { class: "quiet" }, " shuts out whoever has the present address of this viewer.")));
  put(app, main);
  const keeper = found.keeps ? { app, names: found.games.map((each) => nameOf(each)) } : null;
  const seen = new IntersectionObserver((all) => {
    for (const { target, isIntersecting } of all) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      comeIntoView(target, keeper);
    }
  }, { rootMargin: "100px" });
  for (const each of found.games) {
    const made = card(each, keeper);
    list.append(made);
    seen.observe(made);
  }
}

const nameOf = (each) => stemOf(each.file);

/** A field that hides the cards without its words. */
function search(list, count) {
  const told = h("span", { class: "quiet", role: "status" });
  const look = (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const each of list.children) {
      const text = each.textContent.toLowerCase();
      each.hidden = !words.every((word) => text.includes(word));
    }
    const fit = [...list.children].filter((each) => !each.hidden).length;
    told.textContent = words.length ? `${fit} of ${count} games` : "";
  };
  return h("div", { class: "row search", role: "search" },
    h("input", { type: "search", placeholder: "Search the games", "aria-label": "Search the games", data: { action: "search" }, on: { input: look } }), told);
}

function played(at) {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? "" : `played ${when.toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" })}`;
}

function card(each, keeper) {
  const open = () => go({ game: each.id, view: null });
  const words = h("div", { class: "words" });
  const name = nameOf(each);
  if (each.fault) {
    add(words, [h("h2", {}, name), h("p", { class: "quiet" }, each.fault)]);
  } else {
    add(words, [
      h("h2", {}, h("button", { on: { click: open }, data: { game: each.id } }, name)),
      each.read ? [h("p", {}, each.title),
        h("p", { class: "meta" },
          h("span", { class: "quiet" }, [each.called, each.date].filter(Boolean).join(" · ")),
          each.waiting_for ? sideBadge(each.waiting_for === "both" ? "" : each.waiting_for,
            each.waiting_for === "both" ? "Both sides" : capital(each.waiting_for))
            : h("span", { class: "badge" }, "nothing waits"))] : h("p", { class: "quiet" }, "being read …"),
      h("p", { class: "quiet when" }, played(each.played)),
    ]);
  }
  const more = keeper ? h("button", { class: "plain more", "aria-label": `Rename, copy, download or delete ${name}`, title: "Rename, copy, download, delete", data: { more: each.id }, on: { click: () => keep(each, keeper) } }, "⋯") : "";
  const made = h("li", { class: "card", data: { card: each.id } }, h("div", { class: "picture", "aria-hidden": "true" }), words, more);
  made.game = each;
  return made;
}

/** Read what is not yet on a card that is looked at, and have its picture drawn. */
async function comeIntoView(made, keeper) {
  const { signal } = leaving;
  let whole = made;
  try {
    if (!made.game.read) {
      const read = await get(`/api/games/${made.game.id}/card`);
      if (signal.aborted) return;
      whole = card(read, keeper);
      whole.hidden = made.hidden;
      const focused = made.querySelector("[data-game]") === document.activeElement;
      made.replaceWith(whole);
      if (focused) whole.querySelector("[data-game]")?.focus();
    }
    const { features, id } = whole.game;
    if (!features.includes("board") && !features.includes("areas")) return;
    const box = whole.querySelector(".picture");
    put(box, h("span", {}, "The map is being drawn …"));
    const drawn = await fetchFile(`/api/games/${id}/picture.png`, {}, signal);
    const image = h("img", { alt: "", src: URL.createObjectURL(await drawn.blob()), on: { load: () => URL.revokeObjectURL(image.src) } });
    put(box, image);
  } catch {
    put(whole.querySelector(".picture")); // a card without a picture is a card all the same
  }
}

/** What is done with the file of a game. */
async function keep(each, { app, names }) {
  const name = nameOf(each);
  const at = `/api/games/${each.id}`;
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const field = h("input", { type: "text", maxlength: 60, value: name, autocomplete: "off", required: true });
  const done = await ask(name, (close) => {
    const doing = (work) => async () => {
      wrong.hidden = true;
      try {
        close(await work());
      } catch (error) {
        wrong.textContent = error instanceof Refusal ? error.message : "The server does not answer.";
        wrong.hidden = false;
      }
    };
    const rename = doing(async () => {
      await post(`${at}/name`, { name: field.value });
      return `“${name}” is called “${field.value.trim()}” now.`;
    });
    const copy = doing(async () => {
      const free = [...Array(99).keys()].map((n) => `${name} copy${n ? ` ${n + 1}` : ""}`).find((one) => !names.includes(one));
      await post(`${at}/copy`, { name: free });
      return `“${free}” is a copy of “${name}” as it stands.`;
    });
    const download = doing(async () => {
      saveFile(await (await fetchFile(`${at}/file`)).blob(), each.file);
    });
    const drop = doing(async () => {
      const { file } = await remove(at);
      return `“${name}” lies in the folder as “${file}”; move it back to play on.`;
    });
    const sure = (event) => {
      event.target.replaceWith(h("button", { type: "button", data: { action: "delete-sure" }, on: { click: drop } }, "Yes, delete it"));
      form.querySelector("[data-action=delete-sure]").focus();
    };
    const form = h("form", { on: { submit: (event) => { event.preventDefault(); rename(); } } },
      h("h2", {}, name), h("label", { class: "field" }, "Name of the file", field), wrong,
      h("div", { class: "row" },
        h("button", { class: "main", data: { action: "rename" } }, "Rename"),
        h("button", { type: "button", data: { action: "copy" }, on: { click: copy } }, "Copy"),
        h("button", { type: "button", data: { action: "download" }, on: { click: download } }, "Download"),
        h("button", { type: "button", data: { action: "delete" }, on: { click: sure } }, "Delete …"),
        h("button", { type: "button", class: "plain", on: { click: () => close() } }, "Cancel")),
      h("p", { class: "quiet" }, "The file has everything both sides keep secret. A deleted game is moved into the folder “deleted games”."));
    return form;
  });
  if (!done) return;
  say(done);
  home(app, await get("/api/games", { quick: true }));
}

/** Ask how a game begins, and begin it; `file` is the file that its form asks for, if it is there. */
export async function begin(wanted, file) {
  const made = await ask(wanted.title, (close) => form(wanted, close, file));
  if (!made) return;
  begun.add(made);
  go({ game: made, view: null, page: null });
}

function field({ name, label, kind, options, default: first, help }) {
  if (kind === "file") {
    return h("div", {}, h("label", { class: "field" }, label, h("input", { type: kind, name, accept: ".xlsx,.yaml,.yml,.json" })), help ? h("p", { class: "quiet" }, help) : "");
  }
  if (kind === "choice" && options.length > 4) {
    return h("label", { class: "field" }, label, h("select", { name }, options.map(([value, title]) => h("option", { value, selected: value === first }, title))));
  }
  if (kind !== "choice") {
    const value = kind === "date" ? today() : first;
    return h("label", { class: "field" }, label, h("input", { type: kind, name, maxlength: 60, value, required: kind === "date", autocomplete: "off" }));
  }
  return h("fieldset", { class: "choices" }, h("legend", {}, label),
    options.map(([value, title, more], n) => h("label", {},
      h("input", { type: "radio", name, value, checked: first ? value === first : n === 0 }),
      h("span", {}, h("strong", {}, title), more ? h("span", { class: "quiet" }, ` ${more}`) : ""))));
}

function today() {
  const now = new Date();
  return [now.getFullYear(), String(now.getMonth() + 1).padStart(2, "0"), String(now.getDate()).padStart(2, "0")].join("-");
}

/** The form of a game to begin: what the server asks for, and the name of its file. */
function form(wanted, close, file) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const fields = wanted.fields.map((each) => ({ ...each, box: field(each) }));
  const name = h("input", { type: "text", name: "name", maxlength: 60, value: wanted.file, autocomplete: "off" });
  const asked = () => fields.filter((each) => !each.box.hidden && each.kind !== "file");
  const chosen = (data) => Object.fromEntries(asked().map((each) => [each.name, data.get(each.name).trim()]));
  const given = (data) => fields.filter((each) => each.kind === "file" && !each.box.hidden).map((each) => data.get(each.name)).find((each) => each.size);
  const word = (value) => value instanceof File ? value.name : value;
  const settle = (event) => {
    const data = new FormData(event.currentTarget);
    for (const each of fields) each.box.hidden = each.only.length > 0 && !each.only.some(([other, choice]) => word(data.get(other)) === choice);
    // What is of a date is called by it, unless the player has thought of a name.
    const date = fields.find((each) => each.kind === "date" && !each.box.hidden);
    if (name.value === wanted.file || /^\d{4}-\d\d-\d\d$/.test(name.value)) name.value = date ? data.get(date.name) : wanted.file;
  };
  const submit = async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button.main");
    button.disabled = true;
    try {
      const data = new FormData(event.target), sent = given(data);
      const about = { kind: wanted.kind, name: name.value.trim(), ...chosen(data) };
      const made = sent ? await send("/api/games/file", sent, { ...about, file: sent.name.slice(-60) }) : await post("/api/games", about);
      close(made.id);
    } catch (error) {
      button.disabled = false;
      wrong.textContent = error instanceof Refusal ? error.message : "The server does not answer.";
      wrong.hidden = false;
    }
  };
  const made = h("form", { on: { submit, change: settle } },
    h("h2", {}, wanted.title), fields.map((each) => each.box), h("label", { class: "field" }, "Name of the file", name), wrong,
    h("div", { class: "row end" },
      h("button", { type: "button", on: { click: () => close() } }, "Cancel"),
      h("button", { class: "main", type: "submit" }, "Begin")));
  if (file) {
    const holds = new DataTransfer();
    holds.items.add(file);
    made.querySelector("input[type=file]").files = holds.files;
  }
  settle({ currentTarget: made });
  return made;
}
