// The board on which a player's own map is entered: his picture, the reconstruction, the draft.

import { Board } from "../board/board.js";
import { h, svg } from "../dom.js";
import { Laying, fill } from "./ownmappicture.js";

const WIDE = 1000; // units of the view, along the longer side
const AROUND = 90; // metres around what is drawn without a picture
const SIGN = 17; // metres from the middle of a sign to its edge, about
const TURNS = [...Array(12).keys()].map((n) => (n * Math.PI) / 6);
const READABLE = 9.5; // pixels of an id at least, whatever the scale
const ASIDE = 2.4; // a tap so many signs away from an area is not meant for it

const points = (list) => list.map((each) => each.map((one) => one.toFixed(1)).join(",")).join(" ");
const ring = ([x, y], r, count, turn = 0) => [...Array(count).keys()].map((n) => (2 * Math.PI * n) / count + turn).map((t) => [x + r * Math.cos(t), y + r * Math.sin(t)]);

/** The sign of an area, by its shape as it is printed. */
function sign(shape, at, r) {
  const [x, y] = at;
  const circle = (radius) => svg("circle", { cx: x, cy: y, r: radius });
  if (shape === "square") return [svg("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8 })];
  if (shape === "oval") return [svg("ellipse", { cx: x, cy: y, rx: r * 1.35, ry: r * 0.9 })];
  if (shape === "triangle") return [svg("polygon", { points: points(ring(at, r * 1.2, 3, -Math.PI / 2)) })];
  if (shape === "hexagon") return [svg("polygon", { points: points(ring(at, r, 6)) })];
  return shape === "double_circle" ? [circle(r), circle(r * 0.62)] : [circle(r)];
}

export class OwnMapBoard {
  /** `page` is told of taps and drags: tap(place, area), grab(place, area), drag(place), drop(moved). */
  constructor(box, draft, page) {
    this.box = box;
    this.draft = draft;
    this.page = page;
    this.picture = null;
    this.fade = { picture: 1, theirs: 0.55, ours: 1 };
    this.chosen = { area: "", from: "", marked: [], water: "" };
  }

  /** Show another picture, or none; the view begins anew. */
  frame(picture) {
    this.picture = picture;
    this.board?.close();
    const all = [...this.draft.start.reconstruction.areas, ...this.draft.map.areas].map((each) => each.at);
    const side = (n, most) => Math[most ? "max" : "min"](...all.map((each) => each[n])) + (most ? AROUND : -AROUND);
    this.corners = [[side(0, false), side(1, false)], [side(0, true), side(1, true)]];
    const [[west, south], [east, north]] = this.corners;
    const [wide, high] = picture ? [picture.width, picture.height] : [east - west, north - south];
    const scale = WIDE / Math.max(wide, high);
    [this.width, this.height] = [wide * scale, high * scale];
    const host = h("div", { class: "board painted" });
    this.box.querySelector(".board")?.remove();
    this.box.append(host);
    this.lay();
    this.board = new Board(host, this.geometry(), "The map");
    const whole = { width: this.width, height: this.height };
    this.image = picture ? svg("image", { href: picture.url, preserveAspectRatio: "none", ...whole }) : svg("rect", { class: "sheet", rx: 8, ...whole });
    this.board.world.prepend(this.image);
    this.board.onTap = (event) => this.page.tap(this.placeOf(event), this.areaOf(event));
    this.board.onGrab = (event) => this.page.grab(this.placeOf(event), this.areaOf(event));
    this.board.onDrag = (event) => this.page.drag(this.placeOf(event));
    this.board.onDrop = (event, moved) => this.page.drop(moved && event.type === "pointerup", this.placeOf(event), this.areaOf(event));
    this.board.onMoved = () => this.sizeIds();
    host.addEventListener("keydown", (event) => this.page.key(event), true);
    this.draw();
  }

  /** Lay the ground under the view: by the points that were set, or so that it fills it. */
  lay() {
    const [[west, south], [east, north]] = this.corners;
    const extent = [[west, south], [west, north], [east, south], [east, north]];
    this.laying = new Laying(this.picture ? this.draft.points : [], fill(...this.corners, this.width, this.height), extent, this.draft.state.way);
    const [one, two] = [this.laying.toView([0, 0]), this.laying.toView([SIGN, 0])];
    this.r = Math.min(16, Math.max(4, Math.hypot(one[0] - two[0], one[1] - two[1])));
  }

  geometry() {
    const hexes = {};
    for (const area of this.draft.map.areas) {
      const centre = this.laying.toView(area.at);
      hexes[area.id] = { centre, corners: TURNS.map((t) => [centre[0] + this.r * Math.cos(t), centre[1] + this.r * Math.sin(t)]), words: area.name };
    }
    return { width: this.width, height: this.height, hexes, hex_height: this.r * ASIDE, radius: this.r };
  }

  /** Ids fill their signs; where that is too small to read they stand below them. */
  sizeIds() {
    const [inside, least] = [this.r * 0.85, READABLE / this.board.k];
    const { style } = this.board.root;
    style.setProperty("--id", `${Math.max(inside, least).toFixed(2)}px`);
    style.setProperty("--below", `${least > inside ? (this.r + least * 0.45).toFixed(2) : 0}px`);
  }

  viewOf(event) {
    return this.board.placeAt(event.clientX, event.clientY);
  }

  /** The middle of the window, as an event there would tell it. */
  centre() {
    const { left, top, width, height } = this.board.host.getBoundingClientRect();
    return { clientX: left + width / 2, clientY: top + height / 2 };
  }

  placeOf(event) {
    return this.laying.toMap(this.viewOf(event));
  }

  areaOf(event) {
    return this.board.hexAt(event.clientX, event.clientY);
  }

  /** The number of the point of a course that lies at a place, or -1. */
  pointOf(name, place) {
    const [x, y] = this.laying.toView(place);
    return this.draft.course(name).findIndex((each) => {
      const [u, v] = this.laying.toView(each);
      return Math.hypot(u - x, v - y) < this.r;
    });
  }

  // -- drawing ------------------------------------------------------------------------------------

  draw() {
    if (!this.board) return;
    this.lay();
    const { layers } = this.board;
    this.board.geometry = this.geometry();
    this.sizeIds();
    layers.hexes.replaceChildren();
    this.board.hexesAt();
    this.image.setAttribute("opacity", this.picture ? this.fade.picture : 1);
    layers.areas.setAttribute("opacity", this.fade.theirs);
    for (const name of ["control", "signs", "labels"]) layers[name].setAttribute("opacity", this.fade.ours);
    layers.areas.replaceChildren(...(this.fade.theirs ? this.theirs() : []));
    layers.control.replaceChildren(...this.waters(), ...this.lines(), ...this.arrows());
    layers.signs.replaceChildren(...this.draft.map.areas.map((area) => this.signOf(area, "osign")));
    layers.labels.replaceChildren(...this.draft.map.areas.map((area) => this.label(area, "olabel")));
    layers.show.replaceChildren(...this.marks());
  }

  at(id) {
    const area = this.draft.area(id);
    return area && this.laying.toView(area.at);
  }

  signOf(area, kind) {
    const { kind: ground, terrain } = this.draft.start.choices.shapes[area.shape] ?? {};
    return svg("g", { class: `${kind} ${ground === "flight" ? "flight" : terrain} ${area.road ? "road" : ""} ${(area.features ?? []).join(" ")}` }, sign(area.shape, this.laying.toView(area.at), this.r));
  }

  label(area, kind) {
    const [x, y] = this.laying.toView(area.at);
    return svg("text", { class: kind, x, y, dy: ".36em" }, area.id);
  }

  /** The reconstruction, to be held against the picture. */
  theirs() {
    const { areas } = this.draft.start.reconstruction;
    return [...areas.map((area) => this.signOf(area, "tsign")), ...areas.map((area) => this.label(area, "tlabel"))];
  }

  line(from, to, kind) {
    const [[x1, y1], [x2, y2]] = [from, to];
    return svg("line", { x1, y1, x2, y2, class: kind });
  }

  lines() {
    return this.draft.map.lines.flatMap((each) => {
      const [from, to] = [this.at(each.a), this.at(each.b)];
      if (!from || !to) return [];
      const kind = `oline ${each.kind} ${each.road ? "road" : ""} ${each.hexagon_link ? "link" : ""}`;
      return [this.line(from, to, "ocase"), this.line(from, to, kind), each.kind === "double" ? this.line(from, to, "ocore") : ""].filter(Boolean);
    });
  }

  arrows() {
    return this.draft.map.arrows.flatMap((each) => {
      const [from, to] = [this.at(each.from), this.at(each.to)];
      if (!from || !to) return [];
      const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      const [dx, dy] = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
      const aside = each.colour === "red" ? this.r * 0.22 : -this.r * 0.22; // both colours may join the same two
      const along = (n, out = 0) => [from[0] + dx * n - dy * (aside + out), from[1] + dy * n + dx * (aside + out)];
      const tip = far - this.r * 1.15;
      return [this.line(along(this.r), along(tip - this.r * 0.5), `oarrow ${each.colour}`),
        svg("polygon", { class: `ohead ${each.colour}`, points: points([along(tip), along(tip - this.r * 0.7, this.r * 0.36), along(tip - this.r * 0.7, -this.r * 0.36)]) })];
    });
  }

  waters() {
    return ["canal", "orne"].flatMap((name) => {
      const course = this.draft.course(name).map((each) => this.laying.toView(each));
      const active = this.chosen.water === name;
      return [svg("polyline", { class: `owater ${active ? "active" : ""}`, points: points(course) }),
        ...(active ? course.map(([x, y]) => svg("circle", { class: "opoint", cx: x, cy: y, r: this.r * 0.5 })) : [])];
    });
  }

  marks() {
    const { area, from, marked } = this.chosen;
    const circle = (id, kind) => {
      const at = this.at(id);
      return at ? [svg("circle", { class: kind, cx: at[0], cy: at[1], r: this.r * 1.6 })] : [];
    };
    const crosses = this.picture && this.chosen.fitting ? this.draft.points.flatMap(({ name, on: [x, y] }) => [
      svg("path", { class: "ocross", d: `M${x - this.r} ${y}H${x + this.r}M${x} ${y - this.r}V${y + this.r}` }),
      svg("text", { class: "oname", x, y: y - this.r * 1.2, "font-size": this.r }, name)]) : [];
    return [...marked.flatMap((id) => circle(id, "omarked")), ...circle(from, "ofrom"), ...circle(area, "ochosen"), ...crosses];
  }

  look(id) {
    this.board?.look(id, false);
  }

  close() {
    this.board?.close();
  }
}
