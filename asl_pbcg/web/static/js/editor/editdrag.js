// Counters under the pointer: dragged on the map, from the trays, and Control painted in a stroke.

import { counter } from "../board/counters.js";
import { svg } from "../dom.js";
import { point, stacksOf } from "../board/layers.js";

export class Dragging {
  constructor(editor) {
    this.editor = editor;
    this.moved = false; // a click that ends a drag is not a click
  }

  hook() {
    const map = this.editor.game.map;
    const { board } = map;
    this.kept = [board.onTap, board.onGrab, board.onDrag, board.onDrop];
    map.hideFan();
    board.onGrab = (event) => this.grab(event);
    board.onDrag = (event) => this.drag(event);
    board.onDrop = (event, moved) => this.drop(event, moved);
    board.onTap = (event, hex) => this.editor.tap(hex);
  }

  unhook() {
    const { board, window } = this.editor.game.map;
    [board.onTap, board.onGrab, board.onDrag, board.onDrop] = this.kept;
    window.classList.remove("brush");
    this.let();
    point(board, [], true);
  }

  /** The ghost goes. */
  let() {
    this.ghost?.remove();
    this.ghost = null;
  }

  grab(event) {
    const { editor } = this;
    const { board } = editor.game.map;
    const hex = board.hexAt(event.clientX, event.clientY);
    if (editor.brush.mode !== "move") {
      if (editor.brush.mode === "put" || !hex) return false;
      editor.brush.painting = null;
      return true;
    }
    const piece = event.target.closest?.("[data-piece]")?.dataset.piece;
    const stack = event.target.closest?.("[data-stack]")?.dataset.stack;
    if (!stack) return false;
    this.pressed = { piece, stack };
    editor.game.map.hideFan();
    if (!(piece && editor.chosen.has(piece))) {
      const all = (stacksOf(editor.model()).get(stack) ?? []).map((each) => each.id).filter((id) => editor.draft.entry(id));
      this.wanted = event.shiftKey || !piece ? all : [piece].filter((id) => editor.draft.entry(id));
    } else this.wanted = [...editor.chosen];
    return true;
  }

  drag(event) {
    const { editor } = this;
    const { board } = editor.game.map;
    const hex = board.hexAt(event.clientX, event.clientY);
    if (editor.brush.mode !== "move") {
      if (hex) editor.brush.control(hex, editor.brush.mode === "none" ? "" : editor.brush.mode);
      return;
    }
    this.carry(event, this.wanted);
    this.over = hex;
  }

  drop(event, moved) {
    const { editor } = this;
    const { board } = editor.game.map;
    const hex = board.hexAt(event.clientX, event.clientY);
    this.let();
    if (editor.brush.mode !== "move") {
      if (!moved && hex) editor.brush.control(hex, editor.brush.mode === "none" ? "" : editor.brush.mode);
      editor.brush.painting = null;
      return;
    }
    if (event.type === "pointerup" && !moved) {
      editor.tap(this.pressed.stack);
      return;
    }
    if (event.type === "pointerup" && hex && this.wanted.length) {
      editor.place(this.wanted, hex);
      editor.chosen = new Set(this.wanted);
      editor.hex = hex;
    }
    editor.draw();
  }

  grabTray(event) {
    const { editor } = this;
    const id = event.target.closest("[data-tray]")?.dataset.tray;
    if (!id || event.button) return;
    const start = [event.clientX, event.clientY];
    this.moved = false;
    const ids = () => (editor.chosen.has(id) ? [...editor.chosen] : [id]);
    const move = (now) => {
      if (!this.moved && Math.hypot(now.clientX - start[0], now.clientY - start[1]) < 6) return;
      if (!this.moved) editor.fadeFor(ids());
      this.moved = true;
      this.carry(now, ids());
      this.over = this.under(now);
    };
    const up = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      this.let();
      if (!this.moved) return;
      const hex = now.type === "pointerup" && this.under(now);
      if (hex) {
        editor.place(ids(), hex);
        editor.chosen.clear();
        editor.hex = hex;
        editor.draw();
      } else editor.mark();
      setTimeout(() => (this.moved = false));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  /** The hex under the pointer, if it is over the map. */
  under(event) {
    const box = this.editor.game.map.window.getBoundingClientRect();
    const inside = event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom;
    return inside ? this.editor.game.map.board.hexAt(event.clientX, event.clientY) : undefined;
  }

  /** Counters that follow the pointer; the hex below is marked when it is another. */
  carry(event, ids) {
    const { editor } = this;
    if (!this.ghost) {
      const pieces = ids.map((id) => ({ ...(editor.draft.entry(id) ?? editor.draft.pieces.get(id)?.entry), kind: editor.draft.pieces.get(id)?.kind })).slice(0, 6);
      this.ghost = svg("svg", { class: "ghost", viewBox: "-16 -16 44 44", "aria-hidden": "true" }, pieces.map((each, n) => counter(each, n * 2.4, n * 2.4)));
      document.body.append(this.ghost);
    }
    this.ghost.style.transform = `translate(${event.clientX - 20}px, ${event.clientY - 20}px)`;
  }

  set over(hex) {
    if (hex === this.hex) return;
    this.hex = hex;
    point(this.editor.game.map.board, hex ? [hex] : [], false);
  }
}
