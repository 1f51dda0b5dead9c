// How an area game stands and went: VP line by line, what the levels need, score card, film, report.

import { blob, get, go, post } from "../api.js";
import { playOnFrom } from "./areabranch.js";
import { reportSection } from "./areareport.js";
import { capital, h, put, saveFile, say, stemOf } from "../dom.js";

const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

export async function score(page, game) {
  const found = await get(`${game.base}/area/score`);
  const parts = [h("h1", {}, "Score"), h("p", { class: "quiet" }, [capital(found.title), found.challenge ? `challenge of ${found.challenge}` : ""].filter(Boolean).join(", "))];
  if (found.vp === undefined) {
    put(page, h("div", { class: "reading" }, parts, h("p", {}, "Nothing is set up yet.")));
    return;
  }
  parts.push(h("p", { class: "verdict" }, h("b", {}, `${found.vp} VP`), ` ${found.level}`, found.over ? "" : h("span", { class: "quiet" }, " if the game ended now")),
    ladder(found),
    h("table", { class: "scores" }, h("thead", {}, h("tr", {}, ["For what", "Count", "VP each", "VP", "Rule"].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, found.scores.map((each) => h("tr", { class: each.count ? "" : "none" }, h("th", { scope: "row" }, each.text), h("td", {}, each.count), h("td", {}, signed(each.each)), h("td", {}, h("b", {}, signed(each.vp))), h("td", { class: "rule" }, each.rule))))));
  if (found.coming.length) parts.push(h("h2", {}, "To come"), h("ul", {}, found.coming.map((each) => h("li", {}, each))));
  if (found.away.length) parts.push(h("h2", {}, "Lost or not in play"), h("p", {}, found.away.join(", ")));
  if (found.card) parts.push(card(found.card));
  if (found.challenge) parts.push(comparison(game, found.challenge));
  parts.push(film(game), branch(game, found));
  if (found.over) parts.push(reportSection(game, (made) => saveFile(new Blob([made], { type: "text/html" }), `${stem(game)}-report.html`)));
  put(page, h("div", { class: "reading" }, parts));
}

/** The levels of victory as a scale, with a mark where the game stands. */
function ladder(found) {
  const top = Math.max(found.vp, ...found.needed.map((each) => each.vp)) + 8;
  const at = (vp) => `${(100 * Math.max(0, vp)) / top}%`;
  return h("div", { class: "ladder" },
    h("div", { class: "bar", "aria-hidden": "true" }, h("span", { class: "reached", style: { width: at(found.vp) } }),
      found.needed.map((each) => h("i", { style: { left: at(each.vp) } }))),
    h("ul", {}, found.needed.map((each) => h("li", { class: found.vp >= each.vp ? "reached" : "" }, h("b", {}, each.vp), ` ${each.level}`))));
}

function card(words) {
  const text = h("pre", { class: "scorecard", tabindex: "0", "aria-label": "Score card" }, words);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(words);
      say("The score card is copied: paste it where you like.");
    } catch {
      getSelection().selectAllChildren(text);
      say("It is marked: copy it with Ctrl+C.");
    }
  };
  return [h("h2", {}, "Score card"), text, h("div", { class: "row" }, h("button", { data: { action: "copy" }, on: { click: copy } }, "Copy it"))];
}

const stem = (game) => stemOf(game.state.file);

function film(game) {
  const button = h("button", { data: { action: "film" }, on: { click: async () => {
    button.disabled = true;
    try {
      saveFile(await blob(`${game.base}/area/film.html`), `${stem(game)}-film.html`);
    } catch (error) {
      await game.wrong(error);
    } finally {
      button.disabled = false;
    }
  } } }, "Save as HTML");
  return [h("h2", {}, "Film"), h("p", { class: "quiet" }, "The game event by event as you saw it: a slider, dice, arrows of fire, the words. From any frame you can play on in a new game. Saved it is a page that opens anywhere."),
    h("div", { class: "row" }, h("button", { class: "main", data: { action: "watch" }, on: { click: () => go({ view: "film" }) } }, "Watch the film"), button)];
}

/** A new game that goes on from a turn; the film and the curve of the report have every moment. */
function branch(game, found) {
  const turn = h("select", { "aria-label": "Turn", data: { action: "turn" } }, [...Array(found.turn).keys()].map((n) => h("option", { value: n + 1 }, `turn ${n + 1}`)));
  return [h("h2", {}, "Play on from here"), h("p", { class: "quiet" }, "A new game that goes on from an earlier moment; this one stays as it is."),
    h("div", { class: "row" }, turn, h("button", { data: { action: "branch" }, on: { click: () => playOnFrom(game, { turn: Number(turn.value) }, `turn ${turn.value}`) } }, "Play on from there …"))];
}

/** The challenge's cards: those of the folder, and those that friends have sent. */
function comparison(game, day) {
  const pasted = h("textarea", { rows: 4, maxlength: 100000, "aria-label": "Score cards that others have sent", placeholder: "Paste score cards of others here" });
  const table = h("div", { class: "cardtable", tabindex: 0, role: "region", "aria-label": "Score cards compared" });
  const button = h("button", { data: { action: "compare" }, on: { click: async () => {
    button.disabled = true;
    try {
      const { cards } = await post(`${game.base}/area/cards`, { text: pasted.value });
      put(table, h("table", { class: "scores" }, h("thead", {}, h("tr", {}, ["Played by", "VP", "Level", "Turns", "Undone", "Card", "Remark"].map((each) => h("th", { scope: "col" }, each)))),
        h("tbody", {}, cards.map((each) => h("tr", { class: each.remark ? "none" : "" }, h("th", { scope: "row" }, each.played_by || "not said"), h("td", {}, each.vp), h("td", {}, each.level), h("td", {}, each.turns), h("td", {}, each.undone), h("td", {}, h("code", {}, each.mark)), h("td", {}, each.remark))))));
    } catch (error) {
      await game.wrong(error);
    } finally {
      button.disabled = false;
    }
  } } }, "Compare");
  return [h("h2", {}, `The challenge of ${day}, compared`), h("p", { class: "quiet" }, "All games of this date in the folder, best first, with the cards you paste. A card that was altered or is of another game is said."), pasted, h("div", { class: "row" }, button), table];
}
