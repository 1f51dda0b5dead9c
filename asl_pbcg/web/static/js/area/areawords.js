// The words beside areas of the area game's map: they step aside for counters, small ones are dropped.

import { SIZE, spots } from "./areacounters.js";
import { svg } from "../dom.js";

const NEAR = 1.15; // below this scale words grow against it, and those that are small anyhow are dropped
const MOST = 1.6;
const SMALL = 6; // size of the words that are dropped then: set-up labels, landing numbers
const WIDE = 0.66; // of a letter, to its size
const STEPS = [[0, 0], [0, 1], [0, -1], [0, 2], [0, -2], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1], [0, 3], [0, -3], [1, 2], [-1, 2], [1, -2], [-1, -2]];
const BESIDE = 3; // so many of these for a small word: farther off it would be another area's

const apart = (one, other) => one[2] < other[0] || other[2] < one[0] || one[3] < other[1] || other[3] < one[1];

/** The boxes of the counters in each area, with the tags above them. */
function stackBoxes(board, lying) {
  return Object.entries(lying).filter(([area, pieces]) => pieces.length && board.centre(area)).map(([area, pieces]) => {
    const [x, y] = board.centre(area);
    const all = spots(pieces.length);
    const [left, top] = [Math.min(...all.map(([dx, , side]) => dx - side / 2)), Math.min(...all.map(([, dy, side]) => dy - side / 2))];
    return [x + left, y + top - SIZE * 0.45, x + Math.max(...all.map(([dx, , side]) => dx + side / 2)), y + Math.max(...all.map(([, dy, side]) => dy + side / 2))];
  });
}

/** Where the words stand: each at its place, else as near as there is room; undefined without any. */
function placed(board, words, lying) {
  const grow = Math.min(MOST, Math.max(1, NEAR / board.k));
  const far = board.k < NEAR;
  const taken = stackBoxes(board, lying);
  return [...words].sort((one, other) => other.size - one.size).map((word) => {
    const size = word.size * grow;
    if (far && word.size < SMALL) return undefined;
    const wide = word.text.length * size * WIDE;
    for (const [right, down] of word.size < SMALL ? STEPS.slice(0, BESIDE) : STEPS) {
      const [x, y] = [word.x + right * (wide / 2 + SIZE), word.y + down * (size + SIZE * 0.6)];
      const box = [x - wide / 2, y - size * 0.8, x + wide / 2, y + size * 0.2];
      if (taken.every((each) => apart(each, box))) {
        taken.push(box);
        return svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(2), fill: word.colour }, word.text);
      }
    }
    return undefined;
  }).filter(Boolean);
}

/** Keeps the words of a board; `lie` says what lies on it, and so does every zoom. */
export class AreaWords {
  constructor(board) {
    this.board = board;
    this.layer = svg("g", { class: "layer awords", "aria-hidden": "true" });
    board.world.insertBefore(this.layer, board.layers.counters);
    this.lying = {};
  }

  lie(lying) {
    this.lying = lying;
    this.scale = undefined;
    this.draw();
  }

  /** Draw them again where the scale is another; counters drop their small numbers with them. */
  draw() {
    const scale = Math.round(Math.min(this.board.k, NEAR) * 20);
    if (scale === this.scale) return;
    this.scale = scale;
    this.board.root.classList.toggle("small", this.board.k < NEAR);
    this.board.root.style.setProperty("--tag", Math.min(MOST, Math.max(1, NEAR * 1.15 / this.board.k)).toFixed(2));
    this.layer.replaceChildren(...placed(this.board, this.board.geometry.words ?? [], this.lying));
  }
}
