// The film of an area game in the page: frame by frame on the map, and a new game from any of them.

import { get, text } from "../api.js";
import { stack } from "./areacounters.js";
import { AreaWords } from "./areawords.js";
import { playOnFrom } from "./areabranch.js";
import { Board } from "../board/board.js";
import { h, put, svg } from "../dom.js";
import { diceFaces } from "../prompt.js";

const SPEEDS = [["1500", "slow"], ["600", "even"], ["200", "fast"]];
const KEPT = 60; // frames between two for which all counters are kept
const TOLD = 12;

export async function film(page, game) {
  put(page, h("div", { class: "reading wide" }, h("h1", {}, "Film"), h("p", { class: "quiet", role: "status" }, "The film is being made …")));
  const base = `${game.base}/area`;
  const [{ frames }, places] = await Promise.all([get(`${base}/film`), get(`${base}/places`)]);
  const firsts = frames.flatMap((frame, n) => (n && frames[n - 1].at_step.part === frame.at_step.part ? [] : [[n, frame.at_step.part_title]]));
  const window = h("div", { class: "board areaboard" });
  const title = h("h2", { class: "filmtitle" });
  const words = h("p", { class: "filmwords", role: "status" });
  const told = h("ol", { class: "loglines filmtold" });
  const count = h("output", { class: "quiet" });
  const slider = h("input", { type: "range", min: 0, max: frames.length - 1, value: 0, step: 1, list: "film-turns", "aria-label": "Frame", data: { action: "frame" }, on: { input: () => show() } });
  const turns = h("select", { "aria-label": "Go to turn", on: { change: () => to(Number(turns.value)) } }, firsts.map(([n, name]) => h("option", { value: n }, name)));
  const speed = h("select", { "aria-label": "Speed", on: { change: () => running && (stop(), play()) } }, SPEEDS.map(([value, name]) => h("option", { value, selected: name === "even" }, name)));
  const run = h("button", { class: "main", data: { action: "play" }, on: { click: () => (running ? stop() : play()) } }, "Play");
  const step = (by, name, sign) => h("button", { "aria-label": name, data: { step: by }, on: { click: () => { stop(); to(at() + by); } } }, sign);
  put(page, h("div", { class: "reading wide film" },
    h("div", { class: "row" }, run, step(-1, "One frame back", "‹"), step(1, "One frame on", "›"), slider,
      h("datalist", { id: "film-turns" }, firsts.map(([n]) => h("option", { value: n }))), count, turns, speed),
    h("div", { class: "filmbox" }, h("div", { class: "backmap" }, window, h("div", { class: "tools" }, h("div", { class: "zoom" },
      h("button", { "aria-label": "Closer", data: { action: "closer" }, on: { click: () => board.zoom(1.35) } }, "+"),
      h("button", { "aria-label": "Further", on: { click: () => board.zoom(0.74) } }, "−"),
      h("button", { "aria-label": "The whole map", on: { click: () => board.fit() } }, "□")))),
      h("section", {}, title, words, h("div", { class: "row" }, h("button", { data: { action: "branch" }, on: { click: () => playOnFrom(game, { frame: at() + 1 }, `frame ${at() + 1}, ${frames[at()].title}`, `frame ${at() + 1}`) } }, "Play on from here …")), told))));
  const board = new Board(window, places, "The map of that frame");
  board.root.prepend(svg("defs", {}, ["british", "german", ""].map((side) => svg("marker", { id: `shot${side}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" }, svg("path", { d: "M0 0L10 5L0 10z", class: `shothead ${side}` })))));
  const written = new AreaWords(board);
  board.onMoved = () => written.draw();
  text(`${base}/ground.svg`).then((drawing) => board.paint(drawing)).catch(() => {});
  const kept = new Map([[0, frames[0].changed]]);
  let running = 0;

  const at = () => Number(slider.value);
  /** All counters at a frame: those of the nearest frame that is kept, and what changed since. */
  function lying(n) {
    let from = n;
    while (!kept.has(from)) from -= 1;
    let now = kept.get(from);
    while (from < n) {
      from += 1;
      now = { ...now, ...frames[from].changed };
      if (from % KEPT === 0) kept.set(from, now);
    }
    return now;
  }

  function show() {
    const frame = frames[at()], now = lying(at());
    written.lie(now);
    board.layers.counters.replaceChildren(...Object.entries(now).filter(([area, pieces]) => pieces.length && board.centre(area)).map(([area, pieces]) => stack(area, pieces, board.centre(area))));
    const end = board.centre(frame.at);
    board.layers.pointer.replaceChildren(...(end && frame.from.length ? frame.from.map((area) => board.centre(area)).filter(Boolean).map(([x, y]) => svg("path", { d: `M${x} ${y}L${end.join(" ")}`, class: `shot ${frame.side}`, "marker-end": `url(#shot${frame.side})` })) : []));
    const seen = frame.at || Object.keys(frame.changed).find((area) => board.centre(area));
    if (seen && at()) board.look(seen); // what happens is brought into view, on a map that was zoomed
    title.textContent = frame.title;
    put(words, frame.dice.length ? diceFaces(frame.dice) : "", ` ${frame.text} `, frame.effect ? h("b", {}, frame.effect) : "");
    put(told, frames.slice(Math.max(0, at() - TOLD), at()).reverse().map((each) => h("li", { class: "line" }, [each.text, each.effect].filter(Boolean).join(": "))));
    count.textContent = `${at() + 1} of ${frames.length}`;
    slider.setAttribute("aria-valuetext", `${count.textContent}, ${frame.title}`);
    turns.value = firsts.filter(([n]) => n <= at()).at(-1)[0];
  }
  function to(n) {
    slider.value = n;
    show();
  }
  function stop() {
    clearInterval(running);
    running = 0;
    run.textContent = "Play";
  }
  function play() {
    run.textContent = "Stop";
    running = setInterval(() => {
      if (!run.isConnected || at() >= frames.length - 1) stop();
      else to(at() + 1);
    }, Number(speed.value));
  }
  show();
}
