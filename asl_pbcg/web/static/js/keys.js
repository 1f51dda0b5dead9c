// A new key in place of the one that has become known.

import { Refusal, go, post } from "./api.js";
import { ask, h, say } from "./dom.js";

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
