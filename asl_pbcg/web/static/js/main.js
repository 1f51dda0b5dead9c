// Where in the page we are: the home page, or one game. The fragment of the address says so.

import { Lost, Refusal, awaitServer, get, place, setEyes } from "./api.js";
import { h, put, say } from "./dom.js";
import { lookAfterFocus } from "./focus.js";
import { home } from "./home.js";
import { Game } from "./game.js";

const app = document.getElementById("app");
let leave = () => {};
let shown = "";
let turn = 0; // counts the pages that were wanted: what comes for one that was left is not shown

async function show() {
  const { key, game: id, page } = place();
  if (!key) {
    put(app, h("main", { class: "plainpage" }, h("h1", {}, "pbcg"),
      h("p", { class: "quiet" }, "This address has no key. Open the one that pbcg serve has printed.")));
    return;
  }
  const wanted = `${key} ${id ?? ""} ${page ?? ""}`;
  if (wanted === shown) {
    dispatchEvent(new Event("pbcg-view"));
    return;
  }
  shown = wanted;
  const now = ++turn;
  leave();
  leave = () => {};
  setEyes("");
  try {
    if (page === "own-map" && !id) {
      const { ownMap } = await import("./ownmap/ownmap.js");
      const made = await ownMap(app);
      if (now !== turn) made.end();
      else leave = () => made.end();
      return;
    }
    const found = await (id ? get(`/api/games/${id}`) : get("/api/games", { quick: true }));
    if (now !== turn) return;
    if (!id) home(app, found);
    else {
      const one = new Game(app, id, found);
      leave = () => one.end();
      await one.begin();
    }
  } catch (error) {
    if (now !== turn) return;
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

lookAfterFocus();
addEventListener("hashchange", show);
addEventListener("popstate", show);
addEventListener("pbcg-place", show);
show();
