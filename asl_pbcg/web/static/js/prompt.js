// What is asked: a prompt or a roll, complete without map and mouse.

import { h, put, sideBadge, sideWords } from "./dom.js";

const MANY = 14;

/** Exact odds as one thin bar and a list in words. `odds` is [[name, {words, share}], …]. */
export function oddsBar(odds) {
  if (!odds.length) return "";
  const bar = h("span", { class: "oddsbar", "aria-hidden": "true" });
  const list = h("span", { class: "oddslist" });
  odds.forEach(([name, { words, share }], number) => {
    const colour = `c${(number % 5) + 1}`;
    bar.append(h("span", { class: colour, style: { width: `${100 * share}%` } }));
    list.append(h("span", { class: "chance" }, h("i", { class: colour, "aria-hidden": "true" }), `${name} `, h("b", {}, words)));
  });
  return h("span", { class: "odds" }, bar, list);
}

const rollOdds = (asked) => asked.odds.map((each) => [each.says, { words: each.percent, share: each.share }]);

export const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0");

/** The modifiers of a roll, one by one with rule numbers. */
function modifiers(drm, total) {
  if (!drm?.length) return "";
  return h("ul", { class: "drm" },
    drm.map((each) => h("li", {}, h("b", {}, signed(each.value)), h("span", {}, each.why), h("span", { class: "rule" }, each.rule))),
    drm.length > 1 ? h("li", { class: "total" }, h("b", {}, signed(total ?? drm.reduce((sum, each) => sum + each.value, 0))), h("span", {}, "together"), h("span")) : "");
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** Dice as they lie. */
export function diceFaces(faces, sides = 6) {
  return h("span", { class: "dice", role: "img", "aria-label": `dice ${faces.join(", ")}` }, faces.map((face) => (sides === 6
    ? pips(face) : h("span", { class: "die number" }, face))));
}

export const pips = (face) => h("span", { class: "die" }, [...Array(9).keys()].map((n) => h("i", { class: PIPS[face]?.includes(n) ? "on" : "" })));

/** A die thrown at the table: its face is typed, or clicked. */
function thrownDie(n, count, sides) {
  const name = count > 1 ? `Die ${n + 1}` : "The die";
  const field = h("input", {
    type: "number", min: 1, max: sides, required: true, class: "face", name: `die${n}`,
    "aria-label": name, inputmode: "numeric", autocomplete: "off",
  });
  const faces = sides === 6 ? h("span", { class: "faces" }, [1, 2, 3, 4, 5, 6].map((face) => h("button", {
    type: "button", class: "plain", tabindex: "-1", "aria-label": `${name}: ${face}`, data: { face }, on: { click: () => { field.value = face; } },
  }, pips(face)))) : "";
  return h("span", { class: "thrown", data: { die: n } }, field, faces);
}

function head(asked, game) {
  return h("header", { class: "askhead" },
    h("p", { class: "where" }, [asked.step, asked.rule].filter(Boolean).join(" · ")),
    h("p", { class: "who" }, game.alone ? "" : sideBadge(asked.side, asked.side ? sideWords(game.state, asked.side) : undefined), deciderBox(asked, game), asked.secret ? h("span", { class: "badge" }, "secret") : "",
      asked.where && asked.where !== asked.side && !game.alone ? h("span", { class: "badge place", data: { where: asked.where } }, asked.where) : ""));
}

function refusalWords(option, asked) {
  return [option.refused, option.rule && option.rule !== asked.rule ? ` (${option.rule})` : ""].join("");
}

/**
 * Draw what is asked into `box`. Of `game` are needed answer(value), say(words), point(option or null)
 * and, where dice are thrown, roll({all, faces}).
 */
export function drawAsked(box, asked, game) {
  const body = asked.asked === "roll" ? rollBody(asked, game) : promptBody(asked, game);
  const card = h("section", {
    class: `ask ${asked.side || "all"}`, "aria-label": "What is asked",
    data: { prompt: asked.id, kind: asked.kind ?? "roll", seq: asked.seq },
  }, head(asked, game), h("h2", { id: "question", tabindex: "-1" }, asked.text), body);
  if (asked.help && !game.explains) {
    card.append(h("details", { class: "help" }, h("summary", {}, `Explain ${asked.rule}`), h("p", {}, asked.help)));
  }
  put(box, card);
}

function rollBody(asked, game) {
  const { dice_name: dice, count, sides } = asked;
  const odds = rollOdds(asked);
  const exact = h("details", { class: "help" }, h("summary", {}, "Exact odds"),
    h("table", { class: "exact" }, asked.odds.map((each) => h("tr", {}, h("th", { scope: "row" }, each.says), h("td", {}, each.chance), h("td", {}, each.percent)))));
  const main = asked.typed
    ? h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); typed(event.target); } } },
      [...Array(count).keys()].map((n) => thrownDie(n, count, sides)),
      h("button", { class: "main", type: "submit", data: { action: "typed" } }, `This ${dice} was thrown`))
    : h("div", { class: "row" },
      h("button", { class: "main", data: { action: "roll" }, on: { click: () => game.roll({}) } }, `Roll the ${dice}`, " ", h("kbd", {}, "r")),
      h("button", { data: { action: "roll-all" }, on: { click: () => game.roll({ all: true }) } }, "Roll all that need no decision", " ", h("kbd", {}, "R")));
  const typed = (form) => game.roll({ faces: [...form.querySelectorAll(".face")].map((each) => Number(each.value)) });
  return h("div", { class: "rollbody" }, modifiers(asked.drm), oddsBar(odds), asked.odds.length ? exact : "", main);
}

const KINDS = { choose, "choose-some": chooseSome, number, text: words };
const moves = (asked, game) => KINDS[asked.kind](asked, game, Boolean(game.ahead));
/** How each widget is drawn, as `draw(asked, game)`; any other is a module of its own. */
const WIDGETS = {
  choice: choose, many: chooseSome, number, text: words, hex: words, units: unitList, actions: choose, targets: choose, "basket-place": choose,
  escape: moves, shift: moves,
};

function promptBody(asked, game) {
  if (WIDGETS[asked.widget]) return WIDGETS[asked.widget](asked, game);
  const byKind = () => KINDS[asked.kind]?.(asked, game) ?? "";
  if (!game.base) return byKind();
  // What few questions need is fetched with the first that does.
  const box = h("div", { data: { widget: asked.widget } });
  import(`./widgets/${asked.widget}.js`).then(({ draw }) => draw(asked, game), byKind).then((body) => put(box, body)).catch((error) => game.wrong(error));
  return box;
}

function beside(option, asked) {
  return [
    option.consequence ? h("span", { class: "consequence" }, option.consequence) : "",
    oddsBar(Object.entries(option.odds ?? {})),
    option.refused ? h("span", { class: "refused" }, refusalWords(option, asked)) : "",
  ];
}

/** A field that leaves only the options with a word in them, for long lists. */
function filtered(list, options) {
  if (options.length <= MANY) return list;
  const find = h("input", {
    type: "search", placeholder: `Find among ${options.length}`, "aria-label": "Find among the options", class: "find",
    on: { input: () => {
      const wanted = find.value.trim().toLowerCase();
      for (const each of list.children) each.hidden = wanted && !each.textContent.toLowerCase().includes(wanted);
    } },
  });
  return [find, list];
}

function pointing(option, game) {
  return {
    mouseenter: () => game.point(option), focusin: () => game.point(option),
    mouseleave: () => game.point(null), focusout: () => game.point(null),
  };
}

/** Units of the area game place by place: each with the number of its counter, once the map knows it. */
function unitList(asked, game) {
  const groups = new Map();
  const of = (kind) => asked.options.filter((option) => option.topic.kind === kind);
  for (const option of of("unit")) groups.set(option.topic.group, [...(groups.get(option.topic.group) ?? []), option]);
  const button = (option, ...words) => h("button", { class: "unitrow", data: { option: option.id }, on: { ...pointing(option, game), click: () => game.answer(option.id) } }, words);
  return h("div", { class: "units" }, [...groups].map(([group, options]) => {
    const stack = of("stack").find((each) => each.topic.group === group);
    const place = options[0].consequence;
    return h("section", { class: "unitplace", "aria-label": place }, h("header", {}, h("h3", {}, place), stack ? button(stack, "all together") : ""),
      options.map((option) => button(option, h("b", { class: "number", data: { numberOf: option.id } }), h("span", {}, option.text))));
  }), of("end").map((option) => button(option, h("span", {}, option.text))));
}

function choose(asked, game, ahead = false) {
  const open = asked.options.filter((option) => !option.refused);
  const refused = asked.options.filter((option) => option.refused);
  const row = (option, n) => h("li", { on: pointing(option, game) },
    h("button", {
      class: `option ${option.id === asked.default ? "default" : ""}`, data: { option: option.id, key: n < 9 ? n + 1 : undefined },
      "aria-disabled": option.refused ? "true" : undefined,
      on: { click: () => (option.refused ? game.say(refusalWords(option, asked)) : game.answer(option.id)) },
    },
    h("span", { class: "name" }, !option.refused && n < 9 ? h("kbd", {}, n + 1) : "", h("span", {}, option.text || option.id)), beside(option, asked)),
    ahead && !option.refused ? whatThen(() => option.id, option.text, game) : "");
  const list = h("ul", { class: "options" }, open.map(row));
  return h("div", { class: "choosing" }, filtered(list, open), refusedList(refused, asked, (option) => row(option, 99)), ahead ? everyWay(game) : "");
}

/** Refused options: few are shown, many alike are folded away with the reason they share. */
function refusedList(refused, asked, row) {
  if (!refused.length) return "";
  const groups = new Map();
  for (const option of refused) {
    const why = refusalWords(option, asked);
    groups.set(why, [...(groups.get(why) ?? []), option]);
  }
  return h("div", { class: "refusals" }, [...groups].map(([why, options]) => (options.length <= 3
    ? h("ul", { class: "options" }, options.map(row))
    : h("details", {}, h("summary", {}, `${options.length} refused: ${why}`), h("ul", { class: "options" }, options.map(row))))));
}

function chooseSome(asked, game, ahead = false) {
  const open = asked.options.filter((option) => !option.refused);
  const most = asked.most || open.length;
  const start = new Set(Array.isArray(asked.default) ? asked.default : []);
  const count = h("p", { class: "quiet", "aria-live": "polite" });
  const send = h("button", { class: "main", data: { action: "send" } });
  const boxes = open.map((option, n) => {
    const box = h("input", { type: "checkbox", value: option.id, checked: start.has(option.id), data: { option: option.id, key: n < 9 ? n + 1 : undefined } });
    return h("li", { on: pointing(option, game) }, h("label", { class: "option" },
      h("span", { class: "name" }, box, h("span", {}, option.text || option.id)), beside(option, asked)));
  });
  const list = h("ul", { class: "options" }, boxes);
  const weights = open.every((each) => "sp" in each.topic) && new Map(open.map((each) => [each.id, each.topic.sp]));
  const chosen = () => [...list.querySelectorAll("input:checked")].map((each) => each.value);
  const tell = () => {
    const now = chosen().length;
    const span = asked.least === most ? `${most}` : `${asked.least} to ${most}`;
    const sp = weights ? `, ${chosen().reduce((sum, id) => sum + weights.get(id), 0)} SP` : "";
    count.textContent = `${now} chosen${sp}; ${span} may be.`;
    send.textContent = now ? `These ${now}` : "None of these";
    send.disabled = now < asked.least || now > most;
  };
  list.addEventListener("change", tell);
  send.addEventListener("click", () => game.answer(chosen()));
  tell();
  const refused = asked.options.filter((option) => option.refused);
  const row = (option) => h("li", {}, h("span", { class: "option", data: { option: option.id }, "aria-disabled": "true" },
    h("span", { class: "name" }, option.text || option.id), beside(option, asked)));
  const all = open.length > 1 && most >= open.length
    ? h("button", { on: { click: () => { list.querySelectorAll("input").forEach((each) => (each.checked = true)); tell(); } } }, "All") : "";
  const then = ahead ? whatThen(chosen, "these", game) : "";
  return h("div", { class: "choosing" }, filtered(list, open), refusedList(refused, asked, row), h("div", { class: "sendbar" }, count, h("div", { class: "row" }, send, all)), then, ahead ? everyWay(game) : "");
}

/** A button that tells what would be asked after an answer, with its odds; nothing is answered. */
function whatThen(value, words, game) {
  const told = h("div", { class: "then", "aria-live": "polite" });
  const button = h("button", { class: "plain whatthen", "aria-label": `What then? ${words}`, data: { action: "ahead" }, on: { click: async () => {
    if (told.childElementCount) return put(told);
    const found = await game.ahead(value());
    if (!found) return undefined;
    const { asked, sentence } = found;
    if (sentence) return put(told, h("p", { class: "quiet" }, sentence));
    if (!asked) return put(told, h("p", { class: "quiet" }, "Then this is settled, or the other player is asked."));
    const open = (asked.options ?? []).filter((option) => !option.refused);
    return put(told, h("p", { class: "quiet" }, asked.text), asked.asked === "roll" ? [modifiers(asked.drm), oddsBar(rollOdds(asked))]
      : h("ul", {}, open.slice(0, 12).map((option) => h("li", {}, option.text, option.consequence ? h("span", { class: "quiet" }, ` ${option.consequence}`) : "", oddsBar(Object.entries(option.odds ?? {}))))));
  } } }, "What then?");
  return h("div", { class: "ahead" }, button, told);
}

/** Every destination and every grouping with its exact chances, before Escape and Shift. */
function everyWay(game) {
  const box = h("div", { "aria-live": "polite" });
  const found = h("details", { class: "help everyway", data: { action: "moves" }, on: { toggle: async () => {
    if (!found.open || box.childElementCount) return;
    const { moves } = await game.moves();
    put(box, moves.length ? moves.map((each) => placeMoves(each, game)) : h("p", { class: "quiet" }, "Nothing can go anywhere."));
  } } }, h("summary", {}, "Every destination and grouping, exactly"), box);
  return found;
}

function placeMoves(place, game) {
  const many = (left, whole, what) => (whole ? `${left.toFixed(2)} of ${whole} ${what}` : "");
  const row = (each) => h("tr", { data: { going: each.units.join(" "), to: each.to }, on: pointing({ topic: { areas: [each.area] }, path: each.path }, game) },
    h("th", { scope: "row" }, each.words, h("span", { class: "quiet" }, ` ${each.to}`)),
    h("td", {}, oddsBar(Object.entries(each.odds)), h("span", { class: "quiet" }, each.beside),
      each.whole || each.smc ? h("span", { class: "quiet" }, ` On the average ${[many(each.left, each.whole, "HS-equivalents"), many(each.leaders, each.smc, "SMC")].filter(Boolean).join(" and ")} get there.`) : ""));
  const grouping = (each) => h("tr", { data: { grouping: each.stacks.length } }, h("th", { scope: "row" }, each.words), h("td", {}, h("b", {}, each.all_arrive), `; ${each.left.toFixed(2)} HS-equivalents${each.leaders ? `, ${each.leaders.toFixed(2)} SMC` : ""}`));
  return h("section", { class: "moves" }, h("h3", {}, place.where),
    h("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": `From ${place.where}` }, h("table", { class: "exact spreads" }, h("tbody", {}, place.going.map(row))),
      place.groupings.length ? h("table", { class: "exact spreads" }, h("caption", {}, "As stacks: the chance that none is Eliminated, and what gets there on the average"), h("tbody", {}, place.groupings.map(grouping))) : ""));
}

function number(asked, game) {
  const field = h("input", {
    type: "number", min: asked.least, max: asked.most, required: true, name: "number", inputmode: "numeric",
    value: asked.default ?? asked.least, "aria-labelledby": "question",
  });
  const step = (by) => () => { field.value = Math.min(asked.most, Math.max(asked.least, Number(field.value || 0) + by)); };
  return h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); game.answer(Number(field.value)); } } },
    h("button", { type: "button", "aria-label": "one less", on: { click: step(-1) } }, "−"), field,
    h("button", { type: "button", "aria-label": "one more", on: { click: step(1) } }, "+"),
    h("span", { class: "quiet" }, `${asked.least} to ${asked.most}`),
    h("button", { class: "main", type: "submit", data: { action: "send" } }, "Answer"));
}

function words(asked, game) {
  const field = h("input", { type: "text", name: "text", maxlength: 500, value: asked.default ?? "", "aria-labelledby": "question", autocomplete: "off" });
  return h("form", { class: "row grow", on: { submit: (event) => { event.preventDefault(); game.answer(field.value); } } },
    field, h("button", { class: "main", type: "submit", data: { action: "send" } }, "Answer"));
}

const TOLD = 8;

/** What the dice of one command brought, in the order they fell, above what is asked next. */
export function rolledNow(lines) {
  const count = lines.filter((line) => line.kind === "roll").length;
  if (!count) return "";
  const box = h("section", { class: "rollednow", "aria-label": "What the dice brought" },
    h("h3", {}, count === 1 ? "The dice" : `${count} rolls`, " ", h("button", { class: "plain close", "aria-label": "Close what the dice brought", on: { click: () => box.remove() } }, "✕")),
    h("ol", { class: "loglines" }, lines.slice(0, TOLD).map((line) => logLine({ ...line, roll: line.roll && { ...line.roll, drm: [] } }))),
    lines.length > TOLD ? h("details", {}, h("summary", {}, `${lines.length - TOLD} more lines`), h("ol", { class: "loglines" }, lines.slice(TOLD).map((line) => logLine(line)))) : "");
  return box;
}

/** A line of the log. */
export function logLine(line, more = []) {
  const roll = line.roll;
  return h("li", { class: `line ${line.kind} ${line.side || ""}`, data: { line: line.n } },
    h("div", { class: "said" },
      roll?.dice?.length ? diceFaces(roll.dice, roll.sides ?? 6) : "",
      h("span", { class: "what" }, line.text, line.by ? h("span", { class: "quiet" }, ` ${line.by}`) : ""), h("span", { class: "rule" }, line.rule ?? "")),
    roll?.drm?.length ? modifiers(roll.drm, roll.total_drm) : "", more);
}

/** Who of several players of the side decides; another one may be chosen. */
function deciderBox(asked, game) {
  const names = game.state?.players?.[asked.side] ?? [];
  if (names.length < 2) return "";
  const box = h("select", { "aria-label": "Who decides", data: { action: "hand" } }, asked.decider ? "" : h("option", { value: "" }, "who decides?"),
    names.map((name) => h("option", { value: name, selected: name === asked.decider }, name)));
  box.addEventListener("change", () => game.hand(box.value, asked.side));
  return box;
}
