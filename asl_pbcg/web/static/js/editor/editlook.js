// A proposed end position, read on the map: nothing can be changed here, and "Agree" names what is shown.

import { nameOf, words } from "../board/counters.js";
import { capital, h, put, say } from "../dom.js";
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
    await this.position.begin();
    const { game, proposal } = this;
    this.stack = h("section", { class: "look", "aria-live": "polite" });
    this.panel = h("aside", { class: "side editor", "aria-label": "A proposed end position", data: { look: proposal.digest } });
    game.side.hidden = true;
    game.main.append(this.panel);
    game.editor = this;
    const own = proposal.by === game.state.viewer;
    put(this.panel, h("header", { class: "edhead" }, h("h2", {}, own ? "You propose this end position" : `The ${capital(proposal.by)} player proposes this end position`)),
      this.missing(), h("p", { class: "quiet" }, "A click on the map says who stands there. Nothing can be changed here."), this.stack,
      h("footer", { class: "edfoot row end" }, h("button", { data: { action: "close-look" }, on: { click: () => this.close() } }, "Back to the question"),
        own ? "" : h("button", { class: "main", data: { action: "agree-look" }, on: { click: () => this.agree() } }, "Agree to it")));
    addEventListener("keydown", this.onKey, true);
    await game.map.ready;
    game.map.map = this.position.model();
    game.map.drawAll();
    this.panel.querySelector("button")?.focus();
  }

  /** What is not on the map by it: that is what one most easily overlooks. */
  missing() {
    const left = this.position.left();
    const gone = [...left.map((each) => each.entry), ...this.position.eliminated().map((id) => this.position.pieces.get(id)?.entry ?? { id, type: "" })];
    return [h("p", {}, `${this.position.entries().length} pieces stand on the map; ${gone.length ? `${gone.length} do not` : "all that is known is there"}.`),
      gone.length ? h("details", { class: "gone" }, h("summary", {}, "Not on the map by it"),
        h("ul", { class: "listed" }, gone.map((each) => h("li", {}, `${capital(each.side ?? "")} ${nameOf(each)}`.trim())))) : ""];
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
