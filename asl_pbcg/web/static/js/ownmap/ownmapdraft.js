// The draft of a player's own map: changes that can be undone, kept in this browser alone.

const KEPT = "pbcg-own-map";
const MOST = 300; // so many changes can be undone
const NEAR = 60; // metres from an area of the reconstruction to one that is taken for it

function kept() {
  try {
    const before = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    const { areas, lines, arrows, water } = before?.map ?? {};
    return [areas, lines, arrows, before?.points].every(Array.isArray) && water ? before : null;
  } catch {
    return null; // a page that may keep nothing begins anew
  }
}

const ends = (line) => [line.a, line.b].sort().join(" ");
const number = (value) => Math.round(value * 10) / 10;

export class MapDraft {
  /** `changed(origin)` hears of every change; `start` is what the server begins a map with. */
  constructor(start, changed) {
    this.start = start;
    this.changed = changed;
    this.past = [];
    this.future = [];
    const before = kept();
    this.state = before?.map ? { map: before.map, points: before.points, way: before.way ?? "" } : { map: structuredClone(start.reconstruction), points: [], way: "" };
    this.saved = before?.saved ?? this.text;
    this.begun = Boolean(before?.map);
  }

  get map() {
    return this.state.map;
  }

  /** The areas of the draft that name where two points of a picture lie, as { name, at, on }. */
  get points() {
    return this.state.points;
  }

  get text() {
    return JSON.stringify(this.state.map);
  }

  area(id) {
    return this.map.areas.find((each) => each.id === id);
  }

  isFlight(id) {
    return this.start.choices.shapes[this.area(id)?.shape]?.kind === "flight";
  }

  // -- changes --------------------------------------------------------------------------------

  /** Change the state by `edit(map, state)`; `origin` names the form that shows it already. */
  change(edit, origin = "") {
    const before = JSON.stringify(this.state);
    edit(this.state.map, this.state);
    if (JSON.stringify(this.state) === before) return;
    this.past = [...this.past.slice(-MOST), before];
    this.future = [];
    this.keep();
    this.changed(origin);
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return;
    to.push(JSON.stringify(this.state));
    this.state = JSON.parse(from.pop());
    this.keep();
    this.changed("");
  }

  keep() {
    try {
      localStorage.setItem(KEPT, JSON.stringify({ ...this.state, saved: this.saved }));
      this.fails = false;
    } catch {
      this.fails = true;
    }
  }

  begin(map) {
    this.change((_, state) => { state.map = structuredClone(map); });
  }

  set(id, facts, origin) {
    this.change(() => {
      const area = this.area(id);
      for (const [key, value] of Object.entries(facts)) {
        if (value === "" || value === false || value?.length === 0) delete area[key];
        else area[key] = value;
      }
      if ("shape" in facts) this.suit(area);
    }, origin);
  }

  /** Keep of an area what its shape may have; a flight area comes from one edge or the other. */
  suit(area) {
    const flight = this.start.choices.shapes[area.shape].kind === "flight";
    if (flight) area.edge ??= area.at[1] > 0 ? "north" : "south";
    else delete area.edge;
    if (flight) for (const key of ["bank", "road"]) delete area[key];
    if (area.shape !== "oval") delete area.entry;
  }

  move(id, [x, y], origin) {
    this.set(id, { at: [number(x), number(y)] }, origin);
  }

  /** Add an area, called as the one that the reconstruction has near there; the id is the answer. */
  add(shape, [x, y]) {
    const taken = new Set(this.map.areas.map((each) => each.id));
    const { kind } = this.start.choices.shapes[shape];
    const far = ({ at }) => Math.hypot(at[0] - x, at[1] - y);
    const near = this.start.reconstruction.areas.filter((each) => far(each) < NEAR && !taken.has(each.id) && this.start.choices.shapes[each.shape].kind === kind);
    const { id, name } = near.sort((one, two) => far(one) - far(two))[0]
      ?? [...Array(1000).keys()].map((n) => ({ id: `A${n + 1}`, name: `A${n + 1}` })).find((each) => !taken.has(each.id));
    this.change((map) => {
      const area = { id, name, shape, at: [number(x), number(y)] };
      this.suit(area);
      map.areas.push(area);
    });
    return id;
  }

  remove(id) {
    this.change((map) => {
      map.areas = map.areas.filter((each) => each.id !== id);
      map.lines = map.lines.filter((each) => each.a !== id && each.b !== id);
      map.arrows = map.arrows.filter((each) => each.from !== id && each.to !== id);
      this.setZones(map, id, []);
    });
  }

  /** Call an area by another id wherever it is named; a sentence if that cannot be. */
  rename(id, next, origin) {
    if (id === next) return "";
    if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,5}$/.test(next)) return "An id has 1 to 6 letters, digits, dots or dashes.";
    if (this.area(next)) return `${next} is the id of ${this.area(next).name} already.`;
    this.change((map) => {
      const other = (name) => (name === id ? next : name);
      for (const each of map.areas) each.id = other(each.id);
      for (const each of map.lines) [each.a, each.b] = [other(each.a), other(each.b)];
      for (const each of map.arrows) [each.from, each.to] = [other(each.from), other(each.to)];
      for (const each of map.zones ?? []) each.areas = each.areas.map(other);
    }, origin);
    return "";
  }

  zones(id) {
    return (this.map.zones ?? []).filter((each) => each.areas.includes(id)).map((each) => each.name);
  }

  setZones(map, id, names) {
    const zones = (map.zones ?? []).map((each) => ({ ...each, areas: each.areas.filter((one) => one !== id) }));
    for (const name of names) {
      const zone = zones.find((each) => each.name === name);
      if (zone) zone.areas.push(id);
      else zones.push({ name, areas: [id] });
    }
    const left = zones.filter((each) => each.areas.length);
    if (left.length) map.zones = left;
    else delete map.zones;
  }

  // -- lines and arrows -----------------------------------------------------------------------

  linesOf(id) {
    return this.map.lines.filter((each) => each.a === id || each.b === id);
  }

  /** Make the line between two areas, or take it away if it is there; what was done is told. */
  toggleLine(a, b, facts) {
    const same = (each) => ends(each) === ends({ a, b });
    const there = this.map.lines.some(same);
    this.change((map) => {
      map.lines = there ? map.lines.filter((each) => !same(each)) : [...map.lines, { a, b, ...facts }];
    });
    return there ? `The line ${a} to ${b} is removed.` : `${a} and ${b} are joined by a ${facts.kind} line.`;
  }

  setLine(line, facts, origin) {
    this.change((map) => {
      const one = map.lines.find((each) => ends(each) === ends(line));
      for (const [key, value] of Object.entries(facts)) {
        if (value === false) delete one[key];
        else one[key] = value;
      }
    }, origin);
  }

  /** As `toggleLine`; another arrow of that colour out of the area gives way. */
  toggleArrow(from, to, colour) {
    const there = this.map.arrows.some((each) => each.from === from && each.to === to && each.colour === colour);
    this.change((map) => {
      map.arrows = map.arrows.filter((each) => each.from !== from || each.colour !== colour);
      if (!there) map.arrows.push({ from, to, colour });
    });
    return there ? `The ${colour} arrow ${from} to ${to} is removed.` : `A ${colour} arrow leads from ${from} to ${to}.`;
  }

  // -- waters -----------------------------------------------------------------------------------

  course(name) {
    return this.map.water[name]?.course ?? [];
  }

  /** Put a point into a course: between the two it lies beside, or at the nearer end. */
  addToCourse(name, [x, y]) {
    this.change((map) => {
      map.water[name] ??= { width: name === "canal" ? 50 : 42, course: [] };
      const { course } = map.water[name];
      const far = ([px, py]) => Math.hypot(px - x, py - y);
      let at = course.length && far(course[0]) < far(course.at(-1)) ? 0 : course.length;
      for (let n = 1; n < course.length; n += 1) {
        const gap = far(course[n - 1]) + far(course[n]) - Math.hypot(course[n][0] - course[n - 1][0], course[n][1] - course[n - 1][1]);
        if (gap < 20) at = n;
      }
      course.splice(at, 0, [number(x), number(y)]);
    });
  }

  moveInCourse(name, n, [x, y]) {
    this.change((map) => { map.water[name].course[n] = [number(x), number(y)]; });
  }

  removeFromCourse(name, n) {
    this.change((map) => {
      map.water[name].course.splice(n, 1);
      if (!map.water[name].course.length) delete map.water[name];
    });
  }

  // -- points by which a picture is laid under the map ----------------------------------------------

  setPoint(name, at, on) {
    this.change((_, state) => { state.points = [...state.points.filter((each) => each.name !== name), { name, at, on }]; });
  }

  setWay(way) {
    this.change((_, state) => { state.way = way; });
  }

  removePoint(name) {
    this.change((_, state) => { state.points = state.points.filter((each) => each.name !== name); });
  }

  // -- the file -----------------------------------------------------------------------------------

  get isSaved() {
    return this.saved === this.text;
  }

  markSaved() {
    this.saved = this.text;
    this.keep();
  }

  /** The map as the file that `pbcg st map check` reads: an item to a line. */
  toYaml() {
    const { water, areas, lines, arrows, zones, ...head } = this.map;
    const list = (name, items) => (items?.length ? [`${name}:`, ...items.map((each) => `  - ${flow(each)}`), ""] : name === "zones" ? [] : [`${name}: []`, ""]);
    return [
      "# A map of the area game, entered on the page of pbcg. Places are in metres, x east and y north.",
      ...Object.entries(head).map(([key, value]) => `${key}: ${flow(value)}`), "",
      ...(Object.keys(water).length ? ["water:", ...Object.entries(water).map(([name, each]) => `  ${name}: ${flow(each)}`)] : ["water: {}"]), "",
      ...list("areas", areas), ...list("lines", lines), ...list("arrows", arrows), ...list("zones", zones),
    ].join("\n");
  }
}

/** A value as YAML on one line; JSON's way to quote text is YAML's too. */
function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (value && typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${key}: ${flow(each)}`).join(", ")}}`;
  if (typeof value === "string" && /^[a-z]+(_[a-z]+)*$/.test(value) && !["true", "false", "null", "yes", "no", "on", "off"].includes(value)) return value;
  return JSON.stringify(value);
}
