// "It is your turn": in the title of the page, and as a sound for who wants one.

import { h } from "./dom.js";

const KEPT = "pbcg-sound";

/** Whether something is asked of the one side that looks on. */
export const hark = (state) => state.sides.length > 1 && state.sides.includes(state.viewer) && Boolean(state.asked);

const wantsSound = () => {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false; // a page that may keep nothing is silent
  }
};

/** Two short notes where a state that was heard of brings the turn. */
export function soundIfTurned(before, now) {
  if (hark(now) && !hark(before) && wantsSound()) play();
}

function play() {
  const context = new AudioContext();
  [660, 880].forEach((pitch, n) => {
    const start = context.currentTime + n * 0.16;
    const tone = new OscillatorNode(context, { frequency: pitch });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0.12, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.15);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.16);
  });
  setTimeout(() => context.close(), 1000);
}

/** The choice of a sound, kept on this machine; it is heard once when it is chosen. */
export function soundBox() {
  return h("label", { class: "row" }, h("input", { type: "checkbox", checked: wantsSound(), data: { action: "sound" }, on: { change: (event) => {
    try {
      localStorage.setItem(KEPT, event.target.checked ? "on" : "off");
    } catch {
      // not kept then
    }
    if (event.target.checked) play();
  } } }), "A sound when it is my turn");
}
