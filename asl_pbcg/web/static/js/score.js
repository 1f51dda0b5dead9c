// How an area game stands and went: VP line by line, what the levels need, score card, film, report.

import { blob, get, go, post, remove } from "./api.js";
import { capital, h, put, say } from "./dom.js";

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
  parts.push(film(game), branch(game), found.over ? report(game) : "");
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

function download(made, name) {
  const link = h("a", { href: URL.createObjectURL(made), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}

const stem = (game) => game.state.file.replace(/\.pbcg$/, "");

function film(game) {
  const button = h("button", { data: { action: "film" }, on: { click: async () => {
    button.disabled = true;
    try {
      download(await blob(`${game.base}/area/film.html`), `${stem(game)}-film.html`);
    } catch (error) {
      await game.wrong(error);
    } finally {
      button.disabled = false;
    }
  } } }, "Film (HTML)");
  return [h("h2", {}, "Film"), h("p", { class: "quiet" }, "The game event by event as you saw it: a slider, dice, arrows of fire, the words. A page that opens anywhere."), h("div", { class: "row" }, button)];
}

/** A new game that goes on from a turn of the curve or a frame of the film. */
function branch(game) {
  const number = (id, label, most) => h("label", {}, `${label} `, h("input", { type: "number", id, min: 1, max: most, size: 5 }));
  const turn = number("branch-turn", "turn", 16), frame = number("branch-frame", "or frame of the film", 999999);
  const name = h("input", { id: "branch-name", maxlength: 60, value: `${stem(game)} again` });
  const value = (label) => Number(label.querySelector("input").value) || 0;
  const button = h("button", { data: { action: "branch" }, on: { click: async () => {
    try {
      const { id } = await post(`${game.base}/area/branch`, { name: name.value, turn: value(turn), frame: value(frame) });
      go({ game: id, view: null });
    } catch (error) {
      await game.wrong(error);
    }
  } } }, "Play on from there");
  return [h("h2", {}, "Play on from here"), h("p", { class: "quiet" }, "A new game that goes on from an earlier moment; this one stays as it is."), h("div", { class: "row" }, turn, frame, h("label", {}, "called ", name), button)];
}

function report(game) {
  const told = h("span", { class: "quiet", role: "status" });
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "How far the report is" });
  let given = false; // up
  const button = h("button", { data: { action: "report" }, on: { click: async () => {
    button.disabled = true;
    try {
      await post(`${game.base}/area/report`);
      bar.hidden = stop.hidden = false;
      for (given = false; !given;) {
        const { done, page } = await get(`${game.base}/area/report`);
        bar.value = done;
        told.textContent = page ? "" : `Imagined games are played: ${Math.round(done * 100)}%`;
        if (page) {
          download(new Blob([page], { type: "text/html" }), `${stem(game)}-report.html`);
          break;
        }
        if (!bar.isConnected) return;
        await new Promise((wake) => setTimeout(wake, 700));
      }
    } catch (error) {
      if (!given) await game.wrong(error);
    } finally {
      button.disabled = false;
      bar.hidden = stop.hidden = true;
      told.textContent = "";
    }
  } } }, "Report (HTML)");
  const stop = h("button", { hidden: true, data: { action: "give-report-up" }, on: { click: () => {
    given = true;
    remove(`${game.base}/area/report`).catch((error) => game.wrong(error));
  } } }, "Give it up");
  return [h("h2", {}, "Report"), h("p", { class: "quiet" }, "Expected VP turn by turn, turning points, the orders that cost most, the balance of luck and decisions. It takes a minute or more; you may look elsewhere meanwhile and ask again. “pbcg st analyse” also gives your place among 10,000 games."),
    h("div", { class: "row" }, button, bar, told, stop)];
}
