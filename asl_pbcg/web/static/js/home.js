// Home: every game of the folder as a card, and new ones.

import { Refusal, blob, go, post, send as upload } from "./api.js";
import { add, ask, capital, h, put, say, sideBadge } from "./dom.js";
import { renew } from "./keys.js";

export const begun = new Set(); // games that were begun in this page

const VIEWERS = {
  both: "Both players at this screen", british: "The British player", german: "The German player",
  umpire: "The umpire",
};

export function home(app, found) {
  document.title = "pbcg";
  const may = found.forms.length > 0;
  const list = h("ul", { class: "cards" });
  const main = h("main", { class: "home" },
    h("header", {},
      h("div", {},
        h("h1", {}, "Pegasus Bridge"),
        h("p", { class: "lead" }, `${VIEWERS[found.viewer]} · folder ${found.folder}`)),
      may ? h("div", { class: "row" },
        found.forms.map((each, n) => h("button", { class: n === found.forms.length - 1 ? "main" : undefined, data: { begin: each.kind }, on: { click: () => begin(each) } }, each.button))) : ""),
    found.games.length ? list : h("div", { class: "empty" },
      h("h2", {}, "No game in this folder yet"),
      h("p", { class: "quiet" }, may ? "Begin a campaign, or try the sample: it stands before Night I of Coup de Main."
        : "When one is begun it appears here.")));
  main.append(h("footer", { class: "homefoot" }, h("button", { class: "plain", data: { action: "renew" }, on: { click: () => renew() } }, "A new key …"),
    h("span", { class: "quiet" }, " shuts out whoever has the present address of this viewer.")));
  put(app, main);
  add(list, found.games.map(card));
}

function card(each) {
  const picture = h("div", { class: "picture", "aria-hidden": "true" });
  const open = () => go({ game: each.id, view: null });
  const words = h("div", { class: "words" });
  const name = each.file.replace(/\.(pbcg|mega)$/, "");
  if (each.fault) {
    add(words, [h("h2", {}, name), h("p", { class: "quiet" }, each.fault)]);
  } else {
    add(words, [
      h("h2", {}, h("button", { on: { click: open }, data: { game: each.id } }, name)),
      h("p", {}, each.title),
      h("p", { class: "meta" },
        h("span", { class: "quiet" }, [each.called, each.date].filter(Boolean).join(" · ")),
        each.waiting_for ? sideBadge(each.waiting_for === "both" ? "" : each.waiting_for,
          each.waiting_for === "both" ? "Both sides" : capital(each.waiting_for))
          : h("span", { class: "badge" }, "nothing waits")),
    ]);
  }
  if (each.features.includes("board") || each.features.includes("areas")) drawPicture(picture, each.id);
  return h("li", { class: "card", data: { card: each.id } }, picture, words);
}

async function drawPicture(box, id) {
  try {
    const image = h("img", { alt: "" });
    image.src = URL.createObjectURL(await blob(`/api/games/${id}/picture.png`));
    box.append(image);
  } catch {
    // a card without a picture is a card all the same
  }
}

async function begin(wanted) {
  const made = await ask(wanted.title, (close) => form(wanted, close));
  if (!made) return;
  begun.add(made);
  go({ game: made, view: null });
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
function form(wanted, close) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const fields = wanted.fields.map((each) => ({ ...each, box: field(each) }));
  const name = h("input", { type: "text", name: "name", maxlength: 60, value: wanted.file, autocomplete: "off" });
  const asked = () => fields.filter((each) => !each.box.hidden && each.kind !== "file");
  const chosen = (data) => Object.fromEntries(asked().map((each) => [each.name, data.get(each.name).trim()]));
  const given = (data) => fields.filter((each) => each.kind === "file").map((each) => data.get(each.name)).find((each) => each.size);
  const word = (value) => value instanceof File ? value.name : value;
  const settle = (event) => {
    const data = new FormData(event.currentTarget);
    for (const each of fields) each.box.hidden = each.only.length > 0 && !each.only.some((one) => word(data.get(one.split("=")[0])) === one.split("=")[1]);
    // What is of a date is called by it, unless the player has thought of a name.
    const date = fields.find((each) => each.kind === "date" && !each.box.hidden);
    if (name.value === wanted.file || /^\d{4}-\d\d-\d\d$/.test(name.value)) name.value = date ? data.get(date.name) : wanted.file;
  };
  const send = async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button.main");
    button.disabled = true;
    try {
      const data = new FormData(event.target), file = given(data);
      const about = { kind: wanted.kind, name: name.value.trim(), ...chosen(data) };
      const made = file ? await upload("/api/games/file", file, { ...about, file: file.name.slice(-60) }) : await post("/api/games", about);
      close(made.id);
    } catch (error) {
      button.disabled = false;
      wrong.textContent = error instanceof Refusal ? error.message : "The server does not answer.";
      wrong.hidden = false;
    }
  };
  const made = h("form", { on: { submit: send, change: settle } },
    h("h2", {}, wanted.title), fields.map((each) => each.box), h("label", { class: "field" }, "Name of the file", name), wrong,
    h("div", { class: "row end" },
      h("button", { type: "button", on: { click: () => close() } }, "Cancel"),
      h("button", { class: "main", type: "submit" }, "Begin")));
  settle({ currentTarget: made });
  return made;
}
