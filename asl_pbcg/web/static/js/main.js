// Where in the page we are: the home page, or one game. The fragment of the address says so.

import { Lost, Refusal, awaitServer, place } from "./api.js";
import { h, put, say } from "./dom.js";
import { home } from "./home.js";
import { game } from "./game.js";

const app = document.getElementById("app");
let leave = () => {};
let shown = "";

async function show() {
  const { key, game: id } = place();
  if (!key) {
    put(app, h("main", { class: "plainpage" }, h("h1", {}, "pbcg"),
      h("p", { class: "quiet" }, "This address has no key. Open the one that pbcg serve has printed.")));
    return;
  }
  const wanted = `${key} ${id ?? ""}`;
  if (wanted === shown) {
    dispatchEvent(new Event("pbcg-view"));
    return;
  }
  shown = wanted;
  leave();
  leave = () => {};
  try {
    leave = (await (id ? game(app, id) : home(app))) ?? (() => {});
  } catch (error) {
    shown = "";
    if (error instanceof Lost) await awaitServer(show);
    else if (error instanceof Refusal) {
      const back = id ? h("p", {}, h("a", { href: `#key=${encodeURIComponent(key)}` }, "To the games")) : "";
      put(app, h("main", { class: "plainpage" }, h("h1", {}, "pbcg"), h("p", {}, error.message), back));
    } else {
      say("Something went wrong in this page; everything answered is kept. Load it again.", { bad: true, stay: true });
      throw error;
    }
  }
}

addEventListener("hashchange", show);
addEventListener("popstate", show);
addEventListener("pbcg-place", show);
show();
