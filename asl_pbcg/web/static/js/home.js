// Home: every game of the folder as a card, and new ones.

import { Refusal, blob, go, post } from "./api.js";
import { add, ask, capital, h, put, say, sideBadge } from "./dom.js";
import { renew } from "./keys.js";

const KINDS = { campaign: "Campaign", st: "Area game", drop: "Drop", mega: "Megagame table" };
const TITLES = { sample: "Try the sample", campaign: "New campaign", st: "New area game", guide: "Learn the area game" };
const NAMES = { sample: "sample", st: "bridge", guide: "guide" };
export const begun = new Set(); // area games that were begun in this page

const VIEWERS = {
  both: "Both players at this screen", british: "The British player", german: "The German player",
  umpire: "The umpire",
};

export function home(app, found) {
  document.title = "pbcg";
  const may = found.viewer === "both" || found.viewer === "umpire";
  const list = h("ul", { class: "cards" });
  const main = h("main", { class: "home" },
    h("header", {},
      h("div", {},
        h("h1", {}, "Pegasus Bridge"),
        h("p", { class: "lead" }, `${VIEWERS[found.viewer]} · folder ${found.folder}`)),
      may ? h("div", { class: "row" },
        h("button", { on: { click: () => begin("guide") }, data: { action: "guide" } }, "Learn the area game"),
        h("button", { on: { click: () => begin("st") }, data: { action: "area" } }, "New area game …"),
        h("button", { on: { click: () => begin("sample") }, data: { action: "sample" } }, "Try the sample"),
        h("button", { class: "main", on: { click: () => begin("campaign") }, data: { action: "new" } }, "New campaign …")) : ""),
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
        h("span", { class: "quiet" }, [KINDS[each.kind] ?? each.kind, each.date].filter(Boolean).join(" · ")),
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

async function begin(kind) {
  const made = await ask(TITLES[kind], (close) => form(kind, close));
  if (!made) return;
  begun.add(made);
  go({ game: made, view: null });
}

/** What a new area game may be. */
function areaFields(field) {
  const today = new Date();
  const date = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, "0")}-${String(today.getDate()).padStart(2, "0")}`;
  const levels = h("label", { class: "field", hidden: true, data: { only: "variable" } }, "How strong may the Germans be?",
    h("select", { name: "difficulty" }, [["easy", "easy: 57 VP for a victory"], ["medium", "medium"], ["hard", "hard"]].map(([value, words]) => h("option", { value }, words))));
  const day = h("label", { class: "field", hidden: true, data: { only: "challenge" } }, "Of which date?", h("input", { type: "date", name: "date", value: date, required: true }));
  const more = h("div", { class: "stackform" },
    choices("opponent", "2. Which Germans?", [["rules", "The rules' own", "as printed"], ["resolute", "Resolute", "a variant of ours: they mass, and retake lost bridges"]], "rules"),
    choices("dice", "3. Whose dice?", [["seeded", "The program rolls", ""], ["manual", "I throw real dice", "and type them"]], "seeded"));
  const kinds = choices("mode", "1. Which game?", [
    ["historical", "The historical game", "the real forces; begin here"],
    ["full_history", "Full history", "glider 4 is missing, as it was, and none is lost"],
    ["variable", "A variable game", "you load the gliders; a German set-up is drawn unseen"],
    ["challenge", "The challenge of a date", "the same set-up and dice for everyone"]], "historical");
  const file = field("name", "Its name", NAMES.st);
  kinds.addEventListener("change", (event) => {
    const { value } = event.target;
    for (const each of [levels, day]) each.hidden = each.dataset.only !== value;
    more.hidden = value === "challenge";
    const name = file.querySelector("input");
    if (name.value === NAMES.st || /^\d{4}-\d\d-\d\d$/.test(name.value)) name.value = value === "challenge" ? day.querySelector("input").value : NAMES.st;
  });
  day.addEventListener("change", () => { file.querySelector("input").value = day.querySelector("input").value; });
  return [kinds, levels, day, more, file];
}

function choices(name, legend, options, chosen) {
  return h("fieldset", { class: "choices" }, h("legend", {}, legend),
    options.map(([value, title, more]) => h("label", {},
      h("input", { type: "radio", name, value, checked: value === chosen }),
      h("span", {}, h("strong", {}, title), more ? h("span", { class: "quiet" }, ` ${more}`) : ""))));
}

function form(kind, close) {
  const sample = kind !== "campaign";
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const field = (name, label, value = "") => h("label", { class: "field" }, label,
    h("input", { type: "text", name, maxlength: 60, value, autocomplete: "off" }));
  const fields = kind === "st" ? areaFields(field) : sample ? [field("name", "Its name", NAMES[kind])] : [
    choices("campaign", "1. Which campaign?", [
      ["CG1", "CG I, Coup de Main", "from Night I, 5/6 June 1944"],
      ["CG2", "CG II, Hold Until Relieved", "from Dawn; both sides buy before the first scenario"]], "CG1"),
    h("fieldset", { class: "choices" }, h("legend", {}, "2. Who plays?"),
      h("div", { class: "row" }, field("british", "British"), field("german", "German"))),
    choices("dice", "3. Whose dice?", [
      ["seeded", "The program rolls", ""], ["manual", "We throw real dice", "and type them"]], "seeded"),
    field("name", "Name of the file", "evening"),
  ];
  const send = async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const wanted = { kind, name: data.get("name").trim() };
    if (kind === "st") {
      const challenge = data.get("mode") === "challenge";
      Object.assign(wanted, challenge ? { kind: "challenge", date: data.get("date") }
        : { mode: data.get("mode"), opponent: data.get("opponent"), dice: data.get("dice"), ...(data.get("mode") === "variable" ? { difficulty: data.get("difficulty") } : {}) });
    }
    if (!sample) for (const each of ["campaign", "british", "german", "dice"]) wanted[each] = data.get(each).trim();
    const button = event.target.querySelector("button.main");
    button.disabled = true;
    try {
      close((await post("/api/games", wanted)).id);
    } catch (error) {
      button.disabled = false;
      wrong.textContent = error instanceof Refusal ? error.message : "The server does not answer.";
      wrong.hidden = false;
    }
  };
  return h("form", { on: { submit: send } },
    h("h2", {}, TITLES[kind]), fields, wrong,
    h("div", { class: "row end" },
      h("button", { type: "button", on: { click: () => close() } }, "Cancel"),
      h("button", { class: "main", type: "submit" }, "Begin")));
}
