// Elements from words: every text becomes a text node, so nothing a player wrote is ever markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, kids) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    } else if (name === "data") {
      for (const [key, each] of Object.entries(value)) {
        if (each !== undefined && each !== null) element.dataset[key] = each;
      }
    } else if (name === "style") {
      for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    } else if (name === "value" || name === "checked" || name === "disabled") {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  add(element, kids);
  return element;
}

// A type or an id as 4-4-7 or b-8-0-1: a line is never broken within it.
const NAMED = /([^\s,;:()]*\d[^\s,;:()]*-[^\s,;:()]+|[^\s,;:()]+-[^\s,;:()]*\d[^\s,;:()]*)/;
const LONGEST = 24;
const PLAIN = new Set(["option", "title", "textarea", "kbd", "pre"]);

function words(element, text) {
  const flat = element.namespaceURI === SVG || PLAIN.has(element.localName) || !NAMED.test(text);
  if (flat) return document.createTextNode(text);
  const all = document.createElement("w-text"); // one box, also where the parts of a row are boxes
  all.append(...text.split(new RegExp(NAMED, "g")).filter(Boolean).map((part) => {
    if (!NAMED.test(part) || part.length > LONGEST) return document.createTextNode(part);
    const whole = document.createElement("w-whole");
    whole.textContent = part;
    return whole;
  }));
  return all;
}

export function add(element, kids) {
  for (const kid of kids.flat(Infinity)) {
    if (kid === undefined || kid === null || kid === false || kid === "") continue;
    element.append(kid instanceof Node ? kid : words(element, String(kid)));
  }
}

export const h = (tag, props, ...kids) => fill(document.createElement(tag), props, kids);
export const svg = (tag, props, ...kids) => fill(document.createElementNS(SVG, tag), props, kids);

export function put(element, ...kids) {
  element.replaceChildren();
  add(element, kids);
  return element;
}

/** The name of a game's file without its ending. */
export const stemOf = (file) => file.replace(/\.(pbcg|mega)$/, "");

/** Whether nothing happens by a line of the log, or nothing is asked by a prompt. */
export const isIdle = (each) => each?.topic?.kind === "idle";

export const capital = (word) => (word ? word[0].toUpperCase() + word.slice(1) : "");

export function sideBadge(side, words) {
  const name = words ?? (side ? capital(side) : "Both sides");
  return h("span", { class: `badge ${side || ""}` }, h("span", { class: "mark", "aria-hidden": "true" }), name);
}

/** A side with the names of its players, where they are known: "British: Anne". */
export function sideWords(state, side) {
  const names = state?.players?.[side] ?? [];
  return [capital(side), ...(names.length ? [`: ${names.join(", ")}`] : [])].join("");
}

/** A side's player by side and name: "the British player (Anne)". */
export function playerWords(state, side) {
  const names = state?.players?.[side] ?? [];
  return `the ${capital(side)} player${names.length ? ` (${names.join(", ")})` : ""}`;
}

let noticeTimer = 0;

/** Say a sentence at the foot of the page; `bad` ones stay longer. */
export function say(sentence, { bad = false, stay = false } = {}) {
  const box = document.getElementById("notice");
  clearTimeout(noticeTimer);
  box.textContent = sentence;
  box.classList.toggle("bad", bad);
  if (!stay) noticeTimer = setTimeout(hush, bad ? 9000 : 4500);
}

export function hush() {
  clearTimeout(noticeTimer);
  document.getElementById("notice").textContent = "";
}

/** Show a dialog built by `build(close)`; resolves with what close was given. */
export function ask(label, build) {
  return new Promise((resolve) => {
    const box = h("dialog", { "aria-label": label });
    let given;
    const close = (value) => {
      given = value;
      box.close();
    };
    add(box, [build(close)]);
    box.addEventListener("close", () => {
      box.remove();
      resolve(given);
    });
    document.body.append(box);
    box.showModal();
  });
}

/** Have the browser save `content`, a blob or file, as `name`. */
export function saveFile(content, name) {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}
