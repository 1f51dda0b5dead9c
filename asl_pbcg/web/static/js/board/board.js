// The board: painted once to a bitmap, with everything that changes as live SVG above it.

import { h, svg } from "../dom.js";

const SHARP = 2.4; // pixels of the bitmap to a user unit
const FAR = 7;
const NEAR = 1; // below this scale labels and badges grow against it, up to so many times
const MOST = 1.7;
const SMALL = 0.8; // below this scale the small picture is shown: a large one made small looks ragged
const KEYS = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };

export class Board {
  /** `geometry` as the server gives it; `host` is the element that it fills. */
  constructor(host, geometry, says = "The map") {
    this.host = host;
    this.geometry = geometry;
    this.k = 1;
    this.x = 0;
    this.y = 0;
    this.pointers = new Map();
    this.canvas = h("canvas", { class: "ground", "aria-hidden": "true" });
    this.small = h("canvas", { class: "ground small", "aria-hidden": "true" });
    this.world = svg("g", { class: "world" });
    this.layers = {};
    this.root = svg("svg", { class: "live", role: "group", "aria-label": says }, this.world);
    host.append(this.canvas, this.small, this.root);
    host.tabIndex = 0;
    host.setAttribute("role", "application");
    host.setAttribute("aria-label", `${says}: arrow keys move it, plus and minus zoom, 0 shows all`);
    const inside = svg("clipPath", { id: "frame" }, svg("rect", { x: 20, y: 20, width: geometry.width - 40, height: geometry.height - 40 }));
    this.world.append(inside);
    for (const name of ["shade", "areas", "control", "veil", "signs", "show", "hexes", "counters", "labels", "pointer", "clicked", "path"]) {
      this.world.append((this.layers[name] = svg("g", { class: `layer ${name}`, ...(["shade", "areas", "control", "veil", "hexes"].includes(name) ? { "clip-path": "url(#frame)" } : {}) })));
    }
    this.hexesAt();
    this.listen();
    this.sized = new ResizeObserver(() => this.resize());
    this.sized.observe(host);
  }

  close() {
    this.sized.disconnect();
  }

  /** Paint the board once; `drawing` is its SVG as text, `without` the groups to leave out. */
  async paint(drawing, without = []) {
    const { width, height } = this.geometry;
    const kept = without.reduce((text, id) => text.replace(`<g id="${id}"`, `<g id="${id}" display="none"`), drawing);
    const whole = kept.replace("<svg ", `<svg width="${width * SHARP}" height="${height * SHARP}" `);
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([whole], { type: "image/svg+xml" }));
    await image.decode();
    this.canvas.width = Math.round(width * SHARP);
    this.canvas.height = Math.round(height * SHARP);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.canvas.getContext("2d").drawImage(image, 0, 0, this.canvas.width, this.canvas.height);
    URL.revokeObjectURL(image.src);
    this.shrink();
    this.host.classList.add("painted");
  }

  /** The picture for the whole board at once, made small once and well. */
  shrink() {
    const { width, height } = this.geometry;
    const by = Math.min(1.2, SMALL * (globalThis.devicePixelRatio || 1));
    Object.assign(this.small, { width: Math.round(width * by), height: Math.round(height * by) });
    this.small.style.width = `${width}px`;
    this.small.style.height = `${height}px`;
    const context = this.small.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, this.small.width, this.small.height);
  }

  hexesAt() {
    const hexes = [];
    for (const [name, place] of Object.entries(this.geometry.hexes)) {
      hexes.push(svg("polygon", { points: place.corners.map((each) => each.join(",")).join(" "), data: { hex: name } },
        svg("title", {}, `${name}: ${place.words}`)));
    }
    this.layers.hexes.append(...hexes);
  }

  centre(hex) {
    return this.geometry.hexes[hex]?.centre;
  }

  /** The place of the board under a place of the window. */
  placeAt(clientX, clientY) {
    const box = this.host.getBoundingClientRect();
    return [(clientX - box.left - this.x) / this.k, (clientY - box.top - this.y) / this.k];
  }

  /** The hex under a place of the window, or undefined. */
  hexAt(clientX, clientY) {
    const [x, y] = this.placeAt(clientX, clientY);
    let near;
    let least = (this.geometry.hex_height * 0.58) ** 2;
    for (const [name, place] of Object.entries(this.geometry.hexes)) {
      const far = (place.centre[0] - x) ** 2 + (place.centre[1] - y) ** 2;
      if (far < least) [least, near] = [far, name];
    }
    return near;
  }

  /** Where a hex lies in the window, in pixels from the host's corner. */
  onScreen(hex) {
    const [x, y] = this.centre(hex);
    return [this.x + x * this.k, this.y + y * this.k];
  }

  // -- looking ------------------------------------------------------------------------

  resize() {
    const box = this.host.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const first = !this.size;
    this.size = [box.width, box.height];
    this.least = Math.min(box.width / this.geometry.width, box.height / this.geometry.height) * 0.98;
    if (first) this.fit();
    else this.move(0, 0);
  }

  fit() {
    if (!this.size) return;
    const [width, height] = this.size;
    // On a narrow window the whole board would be too small to read: fill it instead.
    const fill = Math.max(width / this.geometry.width, height / this.geometry.height);
    this.k = width < 700 ? Math.max(this.least, Math.min(fill, 0.85)) : this.least;
    const wide = this.geometry.width * this.k;
    this.x = Math.max((width - wide) / 2, Math.min(this.covered?.() ?? 0, width - wide)); // clear of what lies over it at the left
    this.y = (height - this.geometry.height * this.k) / 2;
    this.draw();
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.keepIn();
    this.draw();
  }

  keepIn() {
    if (!this.size) return;
    const [width, height] = this.size;
    const room = 90;
    this.x = Math.min(width - room, Math.max(room - this.geometry.width * this.k, this.x));
    this.y = Math.min(height - room, Math.max(room - this.geometry.height * this.k, this.y));
  }

  zoom(by, atX = (this.size?.[0] ?? 0) / 2, atY = (this.size?.[1] ?? 0) / 2) {
    const next = Math.min(FAR, Math.max(this.least * 0.8, this.k * by));
    const real = next / this.k;
    this.x = atX - (atX - this.x) * real;
    this.y = atY - (atY - this.y) * real;
    this.k = next;
    this.keepIn();
    this.draw();
  }

  /** Bring a hex into view, in the middle unless it is well inside already. */
  look(hex, closer = false) {
    if (!this.centre(hex) || !this.size) return;
    if (closer && this.k < 1.3) this.k = 1.3;
    const [width, height] = this.size;
    const [x, y] = this.onScreen(hex);
    if (!closer && x > 80 && y > 80 && x < width - 80 && y < height - 80) return;
    const [cx, cy] = this.centre(hex);
    this.x = width / 2 - cx * this.k;
    this.y = height / 2 - cy * this.k;
    this.keepIn();
    this.draw();
  }

  draw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      const { x, y, k } = this;
      const far = k < SMALL;
      const shown = far ? this.small : this.canvas;
      this.canvas.hidden = far;
      this.small.hidden = !far;
      shown.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
      this.world.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
      this.root.classList.toggle("far", k < 0.75);
      this.root.style.setProperty("--far", Math.min(MOST, Math.max(1, NEAR / k)).toFixed(2));
      this.onMoved?.();
    });
  }

  // -- pointer and keys ---------------------------------------------------------------

  listen() {
    const { host, pointers } = this;
    host.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = host.getBoundingClientRect();
      const by = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : event.deltaMode ? 0.05 : 0.0016));
      this.zoom(Math.min(1.6, Math.max(0.6, by)), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    host.addEventListener("pointerdown", (event) => {
      if (event.button > 1 || event.target.closest?.("button, input, .fan, .panel")) return;
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.travelled = pointers.size > 1 ? 99 : 0;
      if (pointers.size === 1) {
        this.claimed = this.onGrab?.(event) ?? false;
      } else if (this.claimed) { // two fingers zoom: what the first one held stays where it was
        this.claimed = false;
        this.onDrop?.(event, true);
      }
    });
    host.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) {
        this.onHover?.(event);
        return;
      }
      const now = [event.clientX, event.clientY];
      if (pointers.size === 2) {
        const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
        const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
        const is = Math.hypot(now[0] - other[0], now[1] - other[1]);
        const box = host.getBoundingClientRect();
        if (was > 0) this.zoom(is / was, (now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top);
      } else {
        this.travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (this.travelled > 5) host.setPointerCapture?.(event.pointerId);
        if (this.claimed) this.onDrag?.(event);
        else if (this.travelled > 5) {
          host.classList.add("dragging");
          this.move(now[0] - before[0], now[1] - before[1]);
        }
      }
      pointers.set(event.pointerId, now);
    });
    const up = (event) => {
      if (!pointers.delete(event.pointerId)) return;
      host.classList.remove("dragging");
      if (this.claimed) this.onDrop?.(event, this.travelled > 5);
      else if (event.type === "pointerup" && this.travelled <= 5) this.onTap?.(event, this.hexAt(event.clientX, event.clientY));
      this.claimed = false;
    };
    host.addEventListener("pointerup", up);
    host.addEventListener("pointercancel", up);
    host.addEventListener("keydown", (event) => {
      if (event.target !== host) return;
      const move = KEYS[event.key];
      if (move) this.move(...move);
      else if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(0.8);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
