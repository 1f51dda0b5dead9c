// The other views of a game: the log, the sheets, looking back.

import { fetchFile, get, go, place } from "../api.js";
import { changeDialog } from "./correcting.js";
import { ask, capital, h, isIdle, put, saveFile, say, sideBadge, svg, stemOf } from "../dom.js";
import { counter, learnMarks, nameOf, stateWords } from "../board/counters.js";
import { noteForm, ownNotes } from "./notes.js";
import { sealBox } from "./seals.js";
import { tableButtons } from "./tables.js";
import { logLine } from "../prompt.js";
import { lookingBack } from "./history.js";

// -- the log --------------------------------------------------------------------------------

const KINDS = [["", "Everything"], ["answer", "Decisions"], ["roll", "Rolls"], ["note", "What followed"], ["correction", "Corrections"], ["assertion", "Compared with paper"], ["remark", "Notes"]];

const LOOKED = "pbcg-looked";

/** How many lines stood in the log when these eyes last looked; from now on as many as `count`. */
function lookedBefore(game, count) {
  const name = [LOOKED, game.id, game.state.viewer, game.state.eyes].join(" ");
  try {
    const before = localStorage.getItem(name);
    localStorage.setItem(name, count);
    return before === null ? count : Number(before);
  } catch {
    return count; // a page that may keep nothing knows of no earlier look
  }
}

/** The lines of a step; those in a row in which nothing happened are folded into one. */
function folded(lines, draw) {
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (isIdle(line) && last?.idle) last.lines.push(line);
    else found.push({ idle: isIdle(line), lines: [line] });
  }
  return found.flatMap(({ idle, lines: own }) => (idle && own.length > 1
    ? h("li", { class: "line note idle" }, h("details", {}, h("summary", {}, `${own.length} lines: nothing happened`), h("ol", { class: "loglines" }, own.map(draw))))
    : own.map(draw)));
}

/** What can be done from a line: back to before it, or a correction of the piece that it names. */
function lineActs(line, game, undoLine) {
  const piece = line.topic?.pieces?.[0];
  return h("span", { class: "lineacts" },
    game.offers("correct") && ["answer", "roll"].includes(line.kind) ? h("button", { class: "plain", data: { undoLine: line.n }, on: { click: () => undoLine(line) } }, "Undo to here …") : "",
    game.offers("correct") && !["correction", "remark"].includes(line.kind) ? h("button", { class: "plain", data: { correctLine: line.n }, on: { click: () => changeDialog(game, { piece }, "", `About: ${line.text}`) } }, "Correct this …") : "");
}

async function log(page, game) {
  const { lines } = await get(`${game.base}/log`);
  const { state, table } = game;
  const find = h("input", { type: "search", placeholder: `Words, a rule, ${table.find} …`, "aria-label": "Find in the log" });
  const kind = h("select", { "aria-label": "What" }, KINDS.map(([value, title]) => h("option", { value }, title)));
  const side = h("select", { "aria-label": "Whose" }, ["", ...table.sides(state)].map((each) => h("option", { value: each }, each ? capital(each) : "Both sides")));
  const dates = [...new Map(lines.map(({ at }) => [at.part, at.part_title]))];
  const date = h("select", { "aria-label": table.dates[0] }, h("option", { value: "" }, table.dates[1]), dates.map(([part, title]) => h("option", { value: part }, title)));
  const order = h("select", { "aria-label": "Order" }, h("option", { value: "newest" }, "Newest step first"), h("option", { value: "oldest" }, "Oldest first"));
  const count = h("p", { class: "quiet", "aria-live": "polite" });
  const list = h("div", { class: "logsteps" });
  const own = h("div"), sealed = h("div");
  const wanted = place().step;
  const looked = lookedBefore(game, lines.length);
  const news = looked < lines.length
    ? h("label", { class: "row" }, h("input", { type: "checkbox", data: { action: "since" }, on: { input: () => draw() } }), `Since you last looked (${lines.length - looked})`) : "";
  const undoLine = async (line) => {
    const reason = await game.reason(`“${line.text}” and everything since is undone. The reason stays in the log.`);
    if (reason && (await game.undo("", reason, false, line.n))) go({ view: null });
  };
  const drawLine = (line) => {
    const element = logLine(line, lineActs(line, game, undoLine));
    return line.n === looked && looked ? [h("li", { class: "sincelast" }, "Since you last looked"), element] : element;
  };
  const draw = () => {
    const word = find.value.trim().toLowerCase();
    const kept = lines.filter((line) => (!kind.value || line.kind === kind.value) && (!side.value || line.side === side.value)
      && (!date.value || line.at.part === date.value)
      && (!news || !news.firstChild.checked || line.n >= looked)
      && (!wanted || line.at.station === wanted)
      && (!word || `${line.text} ${line.rule} ${line.where ?? ""} ${line.point ?? ""}`.toLowerCase().includes(word)));
    count.textContent = `${kept.length} of ${lines.length} lines`;
    const steps = [];
    for (const line of kept) {
      if (steps.at(-1)?.step !== line.step) steps.push({ step: line.step, lines: [] });
      steps.at(-1).lines.push(line);
    }
    if (order.value === "newest") steps.reverse();
    put(list, steps.map(({ step, lines: own }) => h("section", { class: "logstep", data: { logstep: step } },
      h("header", {}, h("h2", {}, own[0].at.title), own.some((line) => line.kind === "answer" || line.kind === "roll")
        ? h("button", { class: "plain", data: { undo: step }, on: { click: () => undoTo(own[0], game) } }, "Undo to here …") : ""),
      h("ol", { class: "loglines" }, word || kind.value ? own.map(drawLine) : folded(own, drawLine)))));
  };
  for (const each of [find, kind, side, date, order]) each.addEventListener("input", draw);
  put(page, h("div", { class: "reading" }, h("h1", {}, "The log"),
    h("div", { class: "row filters" }, find, kind, side, date, order, news,
      game.offers("back") ? [h("span", { class: "quiet" }, "Download as"), tableButtons(game, "log", "The log")] : "",
      wanted ? h("button", { on: { click: () => go({ step: null }) } }, `Only ${state.steps.find((each) => each.id === wanted)?.title ?? wanted} ✕`) : ""),
    game.offers("notes") ? [noteForm(game, "", () => log(page, game)), own, sealed] : "", count, list));
  if (game.offers("notes")) {
    await ownNotes(game, own, () => log(page, game));
    await sealBox(game, sealed, () => log(page, game));
  }
  draw();
}

async function undoTo({ step, at }, game) {
  const reason = await game.reason(`Everything since the first question of ${at.title} is undone. The reason stays in the log.`);
  if (reason && (await game.undo(step, reason, false, null, at.title))) go({ view: null });
}

// -- sheets ---------------------------------------------------------------------------------

async function sheets(page, game, whose = "") {
  const shared = game.state.viewer === "both" && !game.state.eyes;
  if (shared && !whose) {
    const look = (side, title) => h("button", { class: side, data: { whose: side }, on: { click: () => sheets(page, game, side).catch((error) => game.wrong(error)) } }, title);
    put(page, h("div", { class: "reading" }, h("h1", {}, "Print and play"),
      h("p", {}, "Whose sheets? They show what that player alone may know."),
      h("div", { class: "row" }, look("british", "The British player's"), look("german", "The German player's"), look("umpire", "All, with open cards"))));
    return;
  }
  const forWhom = whose ? { eyes: whose } : {};
  const found = (await get(`${game.base}/sheets`, forWhom)).sheets;
  const paper = h("select", { "aria-label": "Paper" }, h("option", { value: "a4" }, "A4"), h("option", { value: "letter" }, "Letter"));
  const view = h("div", { class: "preview" });
  const making = h("span"); // while a file is made: a button to give it up
  let previewed = null;
  const all = [{ name: "all", title: "Everything together" }, ...found];
  const list = h("ul", { class: "sheetlist" }, all.map((each) => h("li", { data: { sheet: each.name } },
    h("button", { class: "plain look", on: { click: () => preview(each) } }, each.title),
    h("span", { class: "row" },
      h("button", { "aria-label": `${each.title} as PDF`, data: { download: `${each.name}.pdf` }, on: { click: () => download(each.name, "pdf") } }, "PDF"),
      h("button", { "aria-label": `${each.title} as Excel`, data: { download: `${each.name}.xlsx` }, on: { click: () => download(each.name, "xlsx") } }, "Excel"),
      !each.is_table ? "" : tableButtons(game, each.name, each.title, forWhom, [["csv", "CSV"]])))));
  put(page, h("div", { class: "reading wide" }, h("h1", {}, "Print and play"),
    h("p", { class: "quiet" }, whose === "umpire" ? "With everything both sides keep secret." : "What this player may see; nothing of the other side's secrets is on it."),
    h("div", { class: "row" }, whose ? sideBadge(whose === "umpire" ? "" : whose) : "", h("button", { class: "main", data: { action: "print-all" }, on: { click: () => download("all", "pdf") } }, "All sheets, ready to print"), paper, making,
      game.offers("paper") ? h("button", { data: { action: "compare-paper" }, on: { click: comparePaper } }, "Compare with paper …") : "",
      game.offers("board") ? h("button", { data: { action: "next-save" }, on: { click: nextSave } }, "VASL save of the next scenario …") : ""),
    h("div", { class: "sheets" }, list, view)));

  async function comparePaper() {
    try {
      await (await import("./paper.js")).comparePaper(game, forWhom);
    } catch (error) {
      await game.wrong(error);
    }
  }

  async function nextSave() {
    try {
      await (await import("./nextsave.js")).makeNextSave(game, forWhom);
    } catch (error) {
      await game.wrong(error);
    }
  }

  const sheet = (name, signal, more = {}) => fetchFile(`${game.base}/sheets/${name}`, { paper: paper.value, ...forWhom, ...more }, signal);

  const remarkOf = (answer) => decodeURIComponent(answer.headers.get("x-remark") ?? "");

  async function download(name, kind) {
    const stop = new AbortController(); // the server gives a sheet up that nobody waits for
    const work = Math.random().toString(36).slice(2);
    const bar = h("progress", { max: 1, value: 0, "aria-label": "How far the sheets are" });
    put(making, bar, " ", h("button", { data: { action: "give-up" }, on: { click: () => stop.abort() } }, "Give up printing"));
    const watch = setInterval(async () => {
      try {
        bar.value = (await get(`/api/progress/${work}`)).done;
      } catch {
        // it is told where the sheets are awaited
      }
    }, 600);
    try {
      const answer = await sheet(`${name}.${kind}`, stop.signal, { work });
      if (remarkOf(answer)) say(remarkOf(answer), { stay: true });
      saveFile(await answer.blob(), `${stemOf(game.state.file)}-${name}.${kind}`);
    } catch (error) {
      if (error.name !== "AbortError") await game.wrong(error);
    } finally {
      clearInterval(watch);
      put(making);
    }
  }

  async function preview(each) {
    previewed?.abort();
    const { signal } = (previewed = new AbortController());
    put(view, h("p", { class: "quiet" }, "One moment …"));
    try {
      const pages = [];
      for (let n = 1, of = 1; n <= Math.min(of, 12); n += 1) {
        const answer = await sheet(`${each.name}/pages/${n}.png`, signal);
        of = Number(answer.headers.get("x-pages"));
        pages.push(h("img", { src: URL.createObjectURL(await answer.blob()), alt: `${each.title}, page ${n} of ${of}`, data: { page: n } }));
        put(view, h("h2", {}, each.title), remarkOf(answer) ? h("p", { role: "status" }, remarkOf(answer)) : "", pages, of > n ? h("p", { class: "quiet" }, `${of} pages`) : "");
      }
    } catch (error) {
      if (error.name !== "AbortError") await game.wrong(error);
    }
  }

  preview(found[0] ?? all[0]);
}

// -- a piece --------------------------------------------------------------------------------

// One line for each deed; the CG Date stands before the first of it.
function service(lines) {
  return h("table", { class: "stations" }, h("tbody", {}, lines.map((line, at) => h("tr", { data: { station: line.date } },
    lines[at - 1]?.title === line.title ? h("td") : h("th", { scope: "row" }, line.title), h("td", {}, h("span", { class: "rule" }, line.rule)),
    h("td", {}, line.text, line.entries.length ? h("span", { class: "quiet" }, ` [${line.entries.join(", ")}]`) : "")))));
}

export async function pieceCard(found, game) {
  learnMarks({ [found.id]: found.mark });
  await ask(nameOf(found), (close) => [
    h("div", { class: "piececard" },
      svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter({ ...found, kind: found.kind }, 0, 0)),
      h("div", {}, h("h2", {}, nameOf(found)), h("p", { class: "row" }, sideBadge(found.side)),
        h("p", { class: "quiet" }, [found.place, stateWords(found.status ?? []), found.formation, found.rg].filter(Boolean).join(", ")),
        found.carries?.length ? h("p", { class: "quiet" }, `possesses ${found.carries.join(", ")}`) : "")),
    h("h3", {}, "Service record"),
    found.lines?.length ? service(found.lines) : h("p", { class: "quiet" }, "Nothing has been told of it yet."),
    [...(found.ancestors ?? []), ...(found.descendants ?? [])].map((kin) => h("details", { data: { kin: kin.id } },
      h("summary", {}, `${kin.relation}: ${kin.name}`), service(kin.lines))),
    found.notes?.length ? [h("h3", {}, "Notes"), h("ul", { class: "listed" }, found.notes.map((each) => h("li", {}, each)))] : "",
    game.offers("notes") ? noteForm(game, found.id, () => close(), nameOf(found)) : "",
    h("div", { class: "row end" },
      game.offers("correct") ? h("button", { data: { action: "correct-piece" }, on: { click: () => { close(); changeDialog(game, { piece: found.id }, "", nameOf(found)); } } }, "Correct …") : "",
      h("button", { class: "main", on: { click: () => close() } }, "Good"))]);
}

const score = async (page, game) => (await import("../area/score.js")).score(page, game);

const film = async (page, game) => (await import("../area/film.js")).film(page, game);

export const pages = { log, sheets, score, film, back: lookingBack };
