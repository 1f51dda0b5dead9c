// A proposed end position, read on the map: nothing can be changed here, and "Agree" names what is shown.

import { words } from "../board/counters.js";
import { capital, h, put, say } from "../dom.js";
import { differenceList } from "./difference.js";
import { Draft } from "./editdraft.js";
import { hexOf, show } from "../board/layers.js";

export async function openProposal(proposal, asked, game) {
  const look = new ProposalLook(proposal, asked, game);
  await look.begin();
}

class ProposalLook {
  constructor(proposal, asked, game) {
    Object.assign(this, { proposal, asked, game });
    this.onKey = (event) => this.key(event);
    this.position = new Draft(this, { proposal: proposal.digest });
    this.draft = { changedElsewhere: () => this.check() };
  }

  async begin() {
    this.difference = (await this.position.begin()).difference;
    const { game, proposal } = this;
    this.stack = h("section", { class: "look", "aria-live": "polite" });
    this.panel = h("aside", { class: "side editor", "aria-label": "A proposed end position", data: { look: proposal.digest } });
    game.side.hidden = true;
    game.main.append(this.panel);
    game.editor = this;
    const own = proposal.by === game.state.viewer;
    put(this.panel, h("header", { class: "edhead" }, h("h2", {}, own ? "You propose this end position" : `The ${capital(proposal.by)} player proposes this end position`)),
      h("p", {}, `${this.position.entries().length} pieces stand on the map. ${capital(this.difference.summary)}.`), differenceList(this.difference.lines, (places) => this.go(places)),
      h("p", { class: "quiet" }, "A click on the map says who stands there. Nothing can be changed here."), this.stack,
      h("footer", { class: "edfoot row end" }, h("button", { data: { action: "close-look" }, on: { click: () => this.close() } }, "Back to the question"),
        own ? "" : h("button", { class: "main", data: { action: "agree-look" }, on: { click: () => this.agree() } }, "Agree to it")));
    addEventListener("keydown", this.onKey, true);
    await game.map.ready;
    game.map.map = this.position.model();
    game.map.drawAll();
    show(game.map.board, new Set(this.difference.lines.flatMap((line) => (line.topic.places ?? []).map(hexOf))));
    this.panel.querySelector("button")?.focus();
  }

  /** Mark the places of one line of the list. */
  go(places) {
    const hexes = places.map(hexOf);
    show(this.game.map.board, hexes);
    this.game.map.board.look(hexes.at(-1), true);
  }

  tap(hex) {
    const there = hex ? this.position.entries().filter((each) => hexOf(each.at) === hex) : [];
    show(this.game.map.board, hex ? [hex] : []);
    put(this.stack, hex ? h("h3", {}, hex) : "", there.length ? h("ul", { class: "listed" }, there.map((each) => h("li", {}, `${capital(each.side)} ${words(each)}${each.at === hex ? "" : `, ${each.at}`}`)))
      : hex ? h("p", { class: "quiet" }, "Nobody stands there.") : "");
  }

  key(event) {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.close();
  }

  /** What is looked at may be proposed no more. */
  check() {
    const { asked } = this.game.state;
    if (asked?.proposals?.some((each) => each.digest === this.proposal.digest)) return;
    this.close();
    say("The proposal has changed or was withdrawn: look again.", { bad: true });
  }

  async agree() {
    this.close();
    await this.game.settle(this.proposal.digest, true);
  }

  close() {
    removeEventListener("keydown", this.onKey, true);
    this.panel.remove();
    this.game.side.hidden = false;
    this.game.editor = null;
    this.game.map.last = "";
    this.game.draw().catch((error) => this.game.wrong(error));
  }
}
