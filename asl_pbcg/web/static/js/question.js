// What one game asks, or that nothing waits, or the curtain between two players at one screen.

import { capital, h, playerWords, put, say, sideBadge } from "./dom.js";
import { changeDialog } from "./records/correcting.js";
import { explain } from "./help.js";
import { drawAsked } from "./prompt.js";

/** What is asked, beside the map; a curtain if the other side's eyes may be on the page. */
export function drawQuestion(game) {
  const { state } = game;
  const asked = state.asked;
  game.map?.offer(null);
  game.brush = null;
  if (!asked) {
    drawNothing(game);
    return;
  }
  if (asked.asked === "curtain") {
    drawCurtain(game, asked);
    return;
  }
  const before = game.asked.querySelector("[data-prompt]")?.dataset;
  drawAsked(game.asked, asked, game);
  for (const each of asked.proposals ?? []) game.asked.firstChild.append(proposalOf(each, asked, game));
  game.asked.firstChild.append(h("footer", { class: "askfoot" },
    backButtons(game),
    h("button", { class: "plain", data: { action: "explain" }, on: { click: () => explain(asked) } }, "Explain ", h("kbd", {}, "x")),
    h("button", { class: "plain", data: { action: "show" }, on: { click: () => game.showPlace() } }, "Show on the map ", h("kbd", {}, "m"))));
  game.map?.offer(asked);
  if (game.table.keepsInSight || (before && before.prompt !== asked.id)) bringInSight(game);
}

/** Undo, redo what was just undone, and correct. */
function backButtons(game) {
  return [h("button", { class: "plain", data: { action: "undo" }, on: { click: () => game.undo() } }, "Undo ", h("kbd", {}, "u")),
    game.state.redo && h("button", { class: "plain", data: { action: "redo" }, on: { click: () => game.redo() } }, "Redo ", h("kbd", {}, "z")),
    game.offers("correct") && h("button", { class: "plain", data: { action: "change" }, on: { click: () => changeDialog(game) } }, "Correct … ", h("kbd", {}, "c"))];
}

/** On a narrow window all beside the map scrolls together, on a wide one what is asked by itself, on a low one the page. */
function bringInSight(game) {
  for (const each of [game.side, game.tray.parentNode]) each.scrollTop = 0;
  const { top, bottom } = document.getElementById("question").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) game.asked.scrollIntoView();
}

/** What a side proposes; its buttons send the digest of just these words. */
function proposalOf(proposal, asked, game) {
  const own = proposal.by === game.state.viewer;
  const agree = () => game.settle(proposal.digest, true);
  return h("p", { class: "proposal", data: { proposal: own ? "own" : proposal.by, digest: proposal.digest } },
    own ? `You have proposed: ${proposal.words}. The other player must agree. ` : `${capital(playerWords(game.state, proposal.by))} proposes: ${proposal.words}. `,
    own ? "" : [h("button", { class: "main", data: { action: "agree" }, on: { click: agree } }, "Agree"), " "],
    asked.kind === "document" ? [h("button", { data: { action: "look" }, on: { click: () => lookAt(proposal, asked, game) } }, "Look at it on the map"), " "] : "",
    h("button", { class: "plain", data: { action: "decline" }, on: { click: () => game.settle(proposal.digest, false) } }, own ? "Withdraw" : "Decline"));
}

/** Show a proposed position on the map as it is proposed, for nobody to change. */
async function lookAt(proposal, asked, game) {
  try {
    const { openProposal } = await import("./editor/editlook.js");
    await openProposal(proposal, asked, game);
  } catch (error) {
    await game.wrong(error);
  }
}

function drawNothing(game) {
  const { state } = game;
  const waits = state.waiting_for;
  put(game.asked, h("section", { class: "ask nothing", data: { prompt: "" }, "aria-label": "What is asked" },
    waits ? [h("h2", { id: "question", tabindex: "-1" }, waits === "both" ? "Both sides are asked." : `It is the turn of ${playerWords(state, waits)}.`),
      h("p", { class: "quiet" }, "This page goes on by itself when it is yours.")]
      : game.table.nothing(state),
    h("footer", { class: "askfoot" }, backButtons(game))));
}

function drawCurtain(game, asked) {
  const { state } = game;
  const leaving = asked.leaving;
  const done = h("button", { class: "main", data: { action: "curtain" } });
  const open = h("button", { class: "plain", data: { action: "open" }, on: { click: () => game.look("umpire") } }, "One person plays both sides: show everything");
  if (leaving) {
    done.textContent = "Read: draw the curtain";
    done.onclick = () => game.look("");
    put(game.asked, h("section", { class: `ask curtain ${leaving}`, data: { curtain: "" } },
      h("p", { class: "crest" }, sideBadge(leaving)), h("h2", { id: "question", tabindex: "-1" }, `${capital(leaving)}: read what came of it, then draw the curtain.`),
      h("p", { class: "quiet" }, "What is secret leaves this page then."), h("div", { class: "row" }, done)));
  } else {
    done.textContent = `I am ${playerWords(state, asked.side)}: lift the curtain`;
    done.onclick = () => game.look(asked.side);
    put(game.asked, h("section", { class: `ask curtain ${asked.side}`, data: { curtain: asked.side } },
      h("p", { class: "crest" }, sideBadge(asked.side)), h("h2", { id: "question", tabindex: "-1" }, `Only ${playerWords(state, asked.side)} should look now.`),
      h("p", { class: "quiet" }, "What is asked in secret comes to this page when the curtain is lifted; where nothing is, the page goes on by itself."),
      h("div", { class: "row" }, done), open));
  }
  done.focus({ preventScroll: true });
}
