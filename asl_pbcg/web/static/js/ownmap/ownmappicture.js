// The picture of the player's own map: read from a file, kept in this browser alone, and laid
// under the map by points that are known in both.

import { h } from "../dom.js";

const MOST_BYTES = 60 * 1024 * 1024;
const MOST_SIDE = 16000; // pixels; browsers show no larger picture whole
const BASE = "pbcg-own-map";

/** Read a picture from a file; throws an Error with a sentence for the player. */
export async function readPicture(file) {
  const name = file.name || "This file";
  if (!file.size) throw new Error(`${name} is empty.`);
  if (file.size > MOST_BYTES) throw new Error(`${name} is too large: a picture may have ${MOST_BYTES / 1024 / 1024} MB. Scan it with fewer dots to the inch.`);
  const image = h("img", { alt: "" });
  const url = URL.createObjectURL(file);
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new Error(`${name} is not a picture that this browser shows: take a JPEG, PNG or WebP file.`);
  }
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  if (!(width > 1 && height > 1) || Math.max(width, height) > MOST_SIDE) {
    URL.revokeObjectURL(url);
    throw new Error(`${name} is ${width} by ${height} pixels; 2 to ${MOST_SIDE} along each side can be shown.`);
  }
  return { file, name, url, width, height };
}

/** Ask the browser's own store for something; null where it keeps nothing. */
function store(work) {
  return new Promise((done) => {
    try {
      const opening = indexedDB.open(BASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("pictures");
      opening.onerror = () => done(null);
      opening.onsuccess = () => {
        const base = opening.result;
        const asked = work(base.transaction("pictures", "readwrite").objectStore("pictures"));
        asked.onsuccess = () => (base.close(), done(asked.result ?? null));
        asked.onerror = () => (base.close(), done(null));
      };
    } catch {
      done(null);
    }
  });
}

export const keepPicture = (file) => store((all) => all.put(file, "map"));
export const forgetPicture = () => store((all) => all.delete("map"));
export async function keptPicture() {
  const file = await store((all) => all.get("map"));
  return file instanceof Blob ? readPicture(file).catch(() => null) : null;
}

// -- from metres on the ground to units of the view ----------------------------------------------------

/** Solve `rows` · x = `right` by least squares; null if they do not tell x. */
function solve(rows, right) {
  const n = rows[0].length;
  const a = [...Array(n).keys()].map((i) => [...Array(n).keys()].map((j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)).concat(rows.reduce((sum, row, k) => sum + row[i] * right[k], 0)));
  const largest = Math.max(...a.map((row, i) => Math.abs(row[i])));
  for (let i = 0; i < n; i += 1) {
    const best = [...Array(n - i).keys()].map((k) => k + i).reduce((one, two) => (Math.abs(a[two][i]) > Math.abs(a[one][i]) ? two : one));
    [a[i], a[best]] = [a[best], a[i]];
    if (Math.abs(a[i][i]) < 1e-9 * largest) return null;
    for (let k = 0; k < n; k += 1) {
      if (k === i) continue;
      const by = a[k][i] / a[i][i];
      for (let j = i; j <= n; j += 1) a[k][j] -= by * a[i][j];
    }
  }
  return a.map((row, i) => row[n] / row[i]);
}

const KILO = 1000; // both sides in thousands: sums of squares stay even
/** The ways to lay a picture, with the points each needs: the first, from the one that is wanted on,
 * that comes out sound is taken. */
const WAYS = [
  [4, "perspective", (all) => {
    const x = solve(all.flatMap(([x, y, u, v]) => [[x, y, 1, 0, 0, 0, -x * u, -y * u], [0, 0, 0, x, y, 1, -x * v, -y * v]]), all.flatMap(([, , u, v]) => [u, v]));
    return x && [...x, 1];
  }],
  [3, "stretched", (all) => {
    const rows = all.map(([x, y]) => [x, y, 1]);
    const [u, v] = [solve(rows, all.map((each) => each[2])), solve(rows, all.map((each) => each[3]))];
    return u && v && [...u, ...v, 0, 0, 1];
  }],
  [2, "turned", (all) => { // north is up in metres, down in the view
    const x = solve(all.flatMap(([x, y]) => [[x, y, 1, 0], [-y, x, 0, 1]]), all.flatMap(([, , u, v]) => [u, v]));
    return x && [x[0], x[1], x[2], x[1], -x[0], x[3], 0, 0, 1];
  }],
];

const apply = (m, [x, y]) => {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
};

function invert([a, b, c, d, e, f, g, i, j]) {
  return [e * j - f * i, c * i - b * j, b * f - c * e, f * g - d * j, a * j - c * g, c * d - a * f, d * i - e * g, b * g - a * i, a * e - b * d];
}

/** Where metres fall in the view: `points` are { at, on }, `extent` the corners that must come out. */
export class Laying {
  constructor(points, first, extent, wanted) {
    const all = points.map(({ at, on }) => [...at, ...on].map((each) => each / KILO));
    this.way = "";
    this.m = first;
    const from = Math.max(0, WAYS.findIndex(([, name]) => name === wanted));
    for (const [least, name, fit] of WAYS.slice(from)) {
      const found = all.length >= least ? fit(all) : null;
      const depth = ([x, y]) => found[6] * x + found[7] * y + found[8];
      if (!found || found.some((each) => !Number.isFinite(each)) || !extent.every((each) => depth(each.map((one) => one / KILO)) > 0.15)) continue;
      if (Math.abs(found[0] * found[4] - found[1] * found[3]) < 1e-6) continue;
      [this.m, this.way] = [found, name];
      break;
    }
    if (!this.way && all.length) { // as it lay at first, put where the first point is
      const [u, v] = apply(first, all[0]);
      this.m = first.map((each, n) => each + (n === 2 ? all[0][2] - u : n === 5 ? all[0][3] - v : 0));
      this.way = "moved";
    }
    this.back = invert(this.m);
    const found = WAYS.findIndex(([, name]) => name === this.way);
    this.wanting = all.length > 2 && (found < 0 || found > Math.max(1, from));
  }

  toView([x, y]) {
    return apply(this.m, [x / KILO, y / KILO]).map((each) => each * KILO);
  }

  toMap([u, v]) {
    return apply(this.back, [u / KILO, v / KILO]).map((each) => each * KILO);
  }

  /** Metres by which a point misses the place it stands for. */
  miss({ at, on }) {
    const [x, y] = this.toMap(on);
    return Math.hypot(x - at[0], y - at[1]);
  }
}

/** The laying that fills a view of `width` by `height` with the ground between two corners. */
export function fill([west, south], [east, north], width, height) {
  const scale = Math.min(width / (east - west), height / (north - south));
  const left = (width - scale * (east - west)) / 2 - scale * west;
  const top = (height - scale * (north - south)) / 2 + scale * north;
  return [scale, 0, left / KILO, 0, -scale, top / KILO, 0, 0, 1];
}
