// The panes beside a player's own map: an area with its lines, the picture, faults, differences.

import { capital, h, put } from "../dom.js";

const PRINTED = { pegasus_bridge: "Pegasus Bridge", ranville_bridge: "Ranville Bridge", setup: "Set-up area", mg: "MG", at_gun: "AT gun" };
const words = (name) => PRINTED[name] ?? capital(name.replaceAll("_", " "));
const option = (value, title, chosen) => h("option", { value, selected: value === chosen }, title);
const label = (title, field) => h("label", { class: "field" }, title, field);
const check = (title, checked, field, on) => h("label", { class: "tick" }, h("input", { type: "checkbox", checked, data: { field }, on: { change: (event) => on(event.target.checked) } }), title);
const areaTitle = (area) => (area.name === area.id ? area.id : `${area.id} ${area.name}`);
const byId = (one, two) => one.id.localeCompare(two.id, "en", { numeric: true });

function select(field, chosen, options, on) {
  return h("select", { data: { field }, on: { change: (event) => on(event.target.value) } }, options.map(([value, title]) => option(value, title, chosen)));
}

function input(field, value, on, more = {}) {
  return h("input", { type: "text", autocomplete: "off", maxlength: 60, value, data: { field }, on: { change: (event) => on(event.target.value.trim(), event.target) }, ...more });
}

// -- an area ------------------------------------------------------------------------------------

export function areaPane(page) {
  const { draft } = page;
  const { choices } = draft.start;
  const all = [...draft.map.areas].sort(byId);
  const list = select("choose", page.chosen.area, [["", all.length ? "Choose an area …" : "No area yet"], ...all.map((each) => [each.id, areaTitle(each)])], (id) => page.choose(id, { look: true }));
  const head = label("Area", list);
  const area = draft.area(page.chosen.area);
  if (!area) {
    return [head, h("p", { class: "quiet" }, "Choose one here or on the map. “New area” above the map sets one where you click; without a mouse:"),
      h("button", { data: { action: "add-here" }, on: { click: () => page.choose(draft.add("circle", page.middle()), { look: true }) } }, "New area in the middle of the view")];
  }
  const flight = draft.isFlight(area.id);
  const now = () => draft.area(page.chosen.area);
  const set = (facts, origin = "area") => draft.set(page.chosen.area, facts, origin);
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const rename = (next, field) => {
    const refused = draft.rename(page.chosen.area, next, "area");
    wrong.hidden = !refused;
    wrong.textContent = refused;
    if (refused) field.value = page.chosen.area;
    else page.renamed(next, list);
  };
  const place = (n, title) => label(title, input(n ? "y" : "x", area.at[n], (value, field) => {
    const at = [...now().at];
    if (value === "" || !Number.isFinite(Number(value))) field.value = at[n];
    else draft.move(page.chosen.area, Object.assign(at, { [n]: Number(value) }), "area");
  }, { type: "number", step: 5 }));
  const shape = select("shape", area.shape, Object.entries(choices.shapes).map(([each, { kind, terrain }]) => [each, `${words(each)}: ${kind === "flight" ? "flight area" : terrain}`]), (value) => set({ shape: value }, ""));
  const features = choices.features.map((each) => check(words(each), (area.features ?? []).includes(each), `feature-${each}`, (on) => {
    const held = new Set(now().features ?? []);
    if (on) held.add(each);
    else held.delete(each);
    set({ features: choices.features.filter((one) => held.has(one)) });
  }));
  return [head, h("ul", { class: "ofaults", data: { here: "" }, "aria-live": "polite" }),
    h("div", { class: "pair" },
      label("Id", input("id", area.id, rename, { maxlength: 6 })),
      label("Name", input("name", area.name, (value, field) => { field.value = value || page.chosen.area; set({ name: field.value }); }))), wrong,
    label("Shape", shape),
    h("div", { class: "pair" }, place(0, "Metres east"), place(1, "Metres north")),
    flight ? label("Its gliders come from the", select("edge", area.edge, choices.edges.map((each) => [each, words(each)]), (value) => set({ edge: value })))
      : [label("Bank", select("bank", area.bank ?? "", [["", "By its place"], ...choices.banks.map((each) => [each, words(each)])], (value) => set({ bank: value }))),
        check("A road area", area.road, "road", (on) => set({ road: on }))],
    area.shape === "oval" ? label("Entry of", select("entry", area.entry ?? "", [["", "Choose …"], ...choices.entries.map((each) => [each, each])], (value) => set({ entry: value }))) : "",
    h("fieldset", { class: "ticks" }, h("legend", {}, "Features"), features),
    linesOf(page), arrowsOf(page),
    h("details", {}, h("summary", {}, "Drawn only: label, look, landing zone"), h("div", { class: "stackform" },
      label("Label", input("label", area.label ?? "", (value) => set({ label: value }))),
      label("Look", select("look", area.look ?? "", [["", "None"], ...choices.looks.map((each) => [each, words(each)])], (value) => set({ look: value }))),
      label("Landing zones, with commas", input("zones", draft.zones(area.id).join(", "), (value) => draft.change((map) => draft.setZones(map, page.chosen.area, value.split(",").map((each) => each.trim()).filter(Boolean)), "area"))))),
    h("div", { class: "row" }, h("button", { data: { action: "remove-area" }, on: { click: () => { draft.remove(page.chosen.area); page.choose(""); } } }, "Remove this area"))];
}

/** Which areas a line or arrow could go to, the nearest first. */
function others(draft, id, fits) {
  const from = draft.area(id);
  const far = (each) => Math.hypot(each.at[0] - from.at[0], each.at[1] - from.at[1]);
  return draft.map.areas.filter((each) => each.id !== id && fits(each)).sort((one, two) => far(one) - far(two)).map((each) => [each.id, `${areaTitle(each)}, ${Math.round(far(each))} m`]);
}

function linesOf(page) {
  const { draft } = page;
  const box = h("fieldset", { class: "olines", data: { lines: "" } });
  const id = () => page.chosen.area;
  const redraw = () => {
    const kinds = draft.start.choices.kinds.map((each) => [each, words(each)]);
    const own = draft.linesOf(id());
    put(box, h("legend", {}, `Lines (${own.length})`),
      own.map((each) => {
        const other = each.a === id() ? each.b : each.a;
        const set = (facts) => draft.setLine(each, facts, "area");
        const kind = select(`kind-${other}`, each.kind, kinds, (value) => set({ kind: value }));
        kind.setAttribute("aria-label", `Line to ${other}`);
        return h("div", { class: "oitem", data: { line: other } },
          h("button", { class: "plain", "aria-label": `Go to ${other}`, on: { click: () => page.choose(other, { look: true }) } }, other), kind,
          check("Road", each.road, `road-${other}`, (on) => set({ road: on })),
          check("Link", each.hexagon_link, `link-${other}`, (on) => set({ hexagon_link: on })),
          h("button", { class: "plain", "aria-label": `Remove the line to ${other}`, data: { field: `cut-${other}` }, on: { click: () => { draft.toggleLine(id(), other, {}); } } }, "✕"));
      }),
      join("line", others(draft, id(), (each) => !own.some((line) => [line.a, line.b].includes(each.id))), kinds, (other, kind) => draft.toggleLine(id(), other, { kind }), "A line to"));
  };
  redraw();
  return box;
}

function arrowsOf(page) {
  const { draft } = page;
  const id = page.chosen.area;
  const colours = draft.start.choices.colours.map((each) => [each, words(each)]);
  const touching = draft.map.arrows.filter((each) => each.from === id || each.to === id);
  const flight = draft.isFlight(id);
  if (!flight && !touching.length) return "";
  return h("fieldset", { class: "olines" }, h("legend", {}, `Arrows (${touching.length})`),
    touching.map((each) => {
      const said = each.from === id ? `${words(each.colour)} to ${each.to}` : `${words(each.colour)} from ${each.from}`;
      return h("div", { class: "oitem", data: { arrow: `${each.from} ${each.to}` } }, h("span", { class: "grow" }, said),
        h("button", { class: "plain", "aria-label": `Remove the arrow ${said}`, on: { click: () => { draft.toggleArrow(each.from, each.to, each.colour); } } }, "✕"));
    }),
    flight ? join("arrow", others(draft, id, () => true), colours, (other, colour) => draft.toggleArrow(id, other, colour), "An arrow to") : "");
}

function join(name, targets, kinds, make, title) {
  const to = h("select", { "aria-label": title, data: { field: `${name}-to` } }, targets.map(([value, said]) => option(value, said)));
  const kind = h("select", { "aria-label": `Kind of ${name}`, data: { field: `${name}-kind` } }, kinds.map(([value, said]) => option(value, said)));
  return targets.length ? h("div", { class: "oitem" }, to, kind, h("button", { data: { action: `add-${name}`, field: `${name}-add` }, on: { click: () => make(to.value, kind.value) } }, "Add")) : "";
}

// -- the picture --------------------------------------------------------------------------------

const WAYS = [["", "a photo: seen at a slant"], ["stretched", "stretched: put together from copies"], ["turned", "a flat scan: turned and scaled only"]];

export function picturePane(page) {
  const { draft, board } = page;
  const { picture, fade, laying } = board;
  const take = h("input", { type: "file", accept: "image/*", class: "visually-hidden", data: { action: "picture" }, on: { change: (event) => page.takePicture(event.target.files[0]) } });
  const slide = (name, title) => label(title, h("input", { type: "range", min: 0, max: 1, step: 0.05, value: fade[name], data: { fade: name, field: `fade-${name}` }, on: { input: (event) => page.setFade(name, Number(event.target.value)) } }));
  const places = page.knownPlaces();
  return [
    h("div", { class: "row" }, h("label", { class: "filebutton" }, picture ? "Another picture …" : "A scan or photo of your map …", take),
      picture ? h("button", { data: { action: "forget" }, on: { click: () => page.takePicture(null) } }, "Forget it") : ""),
    h("p", { class: "quiet" }, picture ? `${picture.name}, ${picture.width} by ${picture.height} pixels. ` : "", "It stays in this browser: nothing of it is sent, not even to pbcg."),
    picture ? slide("picture", "Picture") : "", slide("theirs", "The program's reconstruction"), slide("ours", "Your draft"),
    picture ? [h("h3", {}, "Lay it under the map"),
      label("It is", select("way", draft.state.way, WAYS, (value) => draft.setWay(value))),
      h("p", { class: "quiet" }, "Choose a place, then click where it lies on the picture. A scan needs two points, a stretched one three, a photo four; more even out what misses. Then move each area to where it is printed."),
      h("div", { class: "row" }, label("Place", select("fit", page.fitting, places.map((each) => [each.id, `${areaTitle(each)}${draft.points.some((one) => one.name === each.id) ? " ✓" : ""}`]), (value) => page.fit(value))),
        h("button", { "aria-pressed": String(page.mode === "fit"), class: "mode", data: { action: "fit" }, on: { click: () => page.setMode("fit") } }, "Click it")),
      laying.wanting ? h("p", { class: "wrong", role: "alert" }, "These points lie too much on one line, or one is wrong: the picture cannot be laid by them all. Add one beside the line, or remove the wrong one.") : "",
      h("ul", { class: "plainlist", data: { points: laying.way } }, draft.points.map((each) => h("li", { class: "oitem", data: { point: each.name } }, h("span", { class: "grow" }, `${each.name}: ${Math.round(laying.miss(each))} m off`),
        h("button", { class: "plain", "aria-label": `Remove the point ${each.name}`, on: { click: () => draft.removePoint(each.name) } }, "✕"))))] : ""];
}

// -- the map as a whole -------------------------------------------------------------------------

export function mapPane(page) {
  const { draft } = page;
  const { map } = draft;
  const load = h("input", { type: "file", accept: ".yaml,.yml,.json", class: "visually-hidden", data: { action: "load" }, on: { change: (event) => { page.load(event.target.files[0]); event.target.value = ""; } } });
  const set = (key, value) => draft.change((now) => {
    if (value === "") delete now[key];
    else now[key] = value;
  }, "map");
  const amount = (key, title, value, keep) => label(title, input(key, value ?? "", (typed) => keep(typed === "" ? "" : Number(typed)), { type: "number", step: "any", min: 0 }));
  const width = (name, title) => (map.water[name] ? amount(`width-${name}`, title, map.water[name].width, (value) => value && draft.change((now) => { now.water[name].width = value; }, "map")) : "");
  return [
    h("h3", {}, "The file"),
    h("div", { class: "row" }, h("button", { class: "main", data: { action: "save" }, on: { click: () => page.save() } }, "Save as a file"),
      h("label", { class: "filebutton" }, "Load a file …", load),
      page.begins ? h("button", { data: { action: "play" }, on: { click: () => page.play() } }, "New area game on it …") : ""),
    h("p", { class: "quiet" }, "The draft is kept in this browser, for this folder. Saved, it is a file that every command of the area game takes: ", h("code", {}, "pbcg st new … --map own-map.yaml"), "."),
    h("h3", {}, "Begin again"),
    h("div", { class: "row" }, h("button", { data: { action: "reconstruction" }, on: { click: () => page.begin(draft.start.reconstruction) } }, "With the reconstruction"),
      h("button", { data: { action: "blank" }, on: { click: () => page.begin(draft.start.blank) } }, "With a blank map")),
    h("h3", {}, "What it is"),
    label("Title", input("title", map.title, (value, field) => { field.value = value || map.title; set("title", field.value); })),
    label("Origin", select("origin", map.origin, [["printed", "The printed map"], ["reconstruction", "A reconstruction"]], (value) => set("origin", value))),
    h("div", { class: "pair" }, width("canal", "Canal, metres wide"), width("orne", "Orne, metres wide")),
    amount("sight_radius", "Sight radius in metres (as the rules have it: 24)", map.sight_radius, (value) => set("sight_radius", value)),
    h("div", { class: "row" }, h("span", {}, map.compass ? `Compass rose: ${map.compass.join(" east, ")} north` : "Compass rose: in a corner"),
      h("button", { class: "mode", "aria-pressed": String(page.mode === "compass"), data: { action: "compass" }, on: { click: () => page.setMode("compass") } }, "Click it"),
      map.compass ? h("button", { on: { click: () => draft.change((now) => { delete now.compass; }) } }, "Leave it out") : "")];
}

// -- faults and differences ------------------------------------------------------------------------

const lead = (page, each, said, n, kind) => h("li", { data: { [kind]: each.areas.join(" ") } }, each.areas.length
  ? h("button", { class: "plain leads", data: { field: `${kind}-${n}` }, on: { click: () => page.mark(each.areas) } }, said) : h("p", { class: "leads" }, said));

export function faultPane(page) {
  const { found } = page;
  if (!found) return h("p", { class: "quiet" }, "The map is being checked …");
  const { counts, faults } = found;
  if (!counts) {
    return [h("p", { class: "quiet" }, "What pbcg st map check says. Click one to see where it is."),
      h("ul", { class: "plainlist" }, faults.map((each, n) => lead(page, each, each.sentence, n, "fault")))];
  }
  const sum = (all) => Object.values(all).reduce((one, two) => one + two, 0);
  return [h("p", { data: { sound: "" } }, h("strong", {}, "Nothing breaks a rule.")),
    h("p", {}, `${sum(counts.land)} land areas, ${counts.flight} flight areas, ${counts.arrows} arrows, ${sum(counts.lines)} lines.`)];
}

const KINDS = [["area", "Areas"], ["fact", "Shape, road, features and names"], ["place", "Places"], ["line", "Lines"], ["arrow", "Arrows"], ["water", "Waters"]];

export function differencePane(page) {
  const all = page.found?.differences;
  if (!all) return h("p", { class: "quiet" }, "The map is being compared …");
  if (!all.length) return h("p", {}, "Nothing differs from the reconstruction.");
  return [h("p", { class: "quiet" }, "From the program's reconstruction, area by area of the same id. The print is right: a difference is no fault."),
    KINDS.map(([kind, title]) => {
      const own = all.filter((each) => each.kind === kind);
      return own.length ? h("details", { open: page.open.has(kind), data: { kind }, on: { toggle: (event) => page.open[event.target.open ? "add" : "delete"](kind) } }, h("summary", {}, `${title} (${own.length})`),
        h("ul", { class: "plainlist" }, own.map((each, n) => lead(page, each, each.words, `${kind}-${n}`, "difference")))) : "";
    })];
}
