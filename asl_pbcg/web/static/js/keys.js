// A new key in place of the one that has become known.

import { Refusal, get, go, post } from "./api.js";
import { ask, h, say } from "./dom.js";

const WHOSE = { british: "The British player's", german: "The German player's", umpire: "The umpire's, who sees all" };

/** The links of an evening: each to paste into a chat, with a picture for a phone. */
export async function links() {
  try {
    const found = (await get("/api/links")).links;
    await ask("Links", (close) => [
      h("h2", {}, "The link for the other player"),
      h("p", { class: "quiet" }, found[0].near ? "These open on this machine alone. For another home start pbcg serve with --lan in a network of your own, or with --host and the name of a tunnel." : "Whoever has a link sees what its viewer sees: hand it over in private."),
      ...found.map((each) => h("details", { class: "link", open: each.viewer === "german" || undefined, data: { link: each.viewer } },
        h("summary", {}, WHOSE[each.viewer]),
        h("div", { class: "row" },
          h("input", { readonly: true, value: each.address, "aria-label": `${WHOSE[each.viewer]} link`, on: { focus: (event) => event.target.select() } }),
          h("button", { data: { copy: each.viewer }, on: { click: () => copy(each.address) } }, "Copy")),
        h("img", { class: "qr", src: each.picture, alt: `${WHOSE[each.viewer]} link as a QR picture` }))),
      h("div", { class: "row end" }, h("button", { class: "main", on: { click: () => close(true) } }, "Done"))]);
  } catch (error) {
    say(error instanceof Refusal ? error.message : "The server does not answer.", { bad: true });
  }
}

async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    say("Copied.");
  } catch {
    say("This browser copies nothing by itself: select the link and copy it.", { bad: true });
  }
}

/** A new key for who looks on: the old address is worth nothing from then on. */
export async function renew() {
  const sure = await ask("A new key", (close) => [
    h("h2", {}, "A new key?"),
    h("p", {}, "Every other page that was opened with the address of this one is shut out; this one goes on."),
    h("div", { class: "row end" }, h("button", { on: { click: () => close(false) } }, "Leave it"),
      h("button", { class: "main", data: { action: "renew-now" }, on: { click: () => close(true) } }, "Make a new key"))]);
  if (!sure) return;
  try {
    const { key } = await post("/api/key");
    go({ key }, true);
    say("This page has a new key: its address is the one to give away now.");
  } catch (error) {
    say(error instanceof Refusal ? error.message : "The server does not answer.", { bad: true });
  }
}
