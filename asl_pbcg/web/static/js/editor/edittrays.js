// The trays of the editor: pieces that do not stand on the map yet.

import { counter, words } from "../board/counters.js";
import { h, put, sideBadge, svg } from "../dom.js";

export class Trays {
  constructor(editor) {
    this.editor = editor;
    this.node = h("div", { class: "trays", on: { pointerdown: (event) => editor.dragging.grabTray(event) } });
    this.reveal = h("p", { class: "row" }, h("button", { data: { action: "played" }, on: { click: () => editor.draft.played() } }, "The scenario is played: show what RG brought"));
  }

  /** The trays; what has not changed stays as it is, so that no click or drag is lost. */
  draw() {
    const groups = new Map();
    for (const each of this.editor.draft.left()) {
      const title = each.group || { squad: "MMC", half_squad: "MMC", crew: "MMC", leader: "SMC", hero: "SMC", armor_leader: "SMC", sw: "Support Weapons", gun: "Guns", vehicle: "Vehicles" }[each.kind] || each.kind;
      const name = `${each.entry.side} ${title}`;
      groups.set(name, { title, list: [...(groups.get(name)?.list ?? []), each] });
    }
    const before = this.trayOf ?? new Map();
    this.trayOf = new Map([...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, { title, list }]) => {
      const ids = list.map((each) => each.entry.id);
      const known = before.get(name);
      return [name, known?.ids.join() === ids.join() ? known : { ids, ...this.tray(title, list, ids) }];
    }));
    const now = [...this.trayOf.values()].map((each) => each.section);
    if (this.editor.draft.hidesGroups) now.unshift(this.reveal);
    if (now.length !== this.node.children.length || now.some((each, n) => this.node.children[n] !== each)) put(this.node, now);
    this.mark();
  }

  tray(title, list, ids) {
    const { side } = list[0].entry;
    const all = h("button", { class: "plain", on: { click: () => {
      const every = ids.every((id) => this.editor.chosen.has(id));
      this.editor.brush.rest();
      ids.forEach((id) => (every ? this.editor.chosen.delete(id) : this.editor.chosen.add(id)));
      this.mark();
      this.editor.picked.draw();
      this.editor.fadeFor(this.editor.chosen);
    } } });
    const section = h("section", { class: "tray" }, h("header", {}, sideBadge(side, title), all),
      h("div", { class: "traylist" }, list.map((each) => h("button", {
        class: "traypiece", "aria-label": words(each.entry), title: words(each.entry), data: { tray: each.entry.id },
        on: { click: () => this.toggle(each.entry.id) },
      }, svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, counter({ ...each.entry, kind: each.kind }, 0, 0))))));
    return { section, all };
  }

  mark() {
    for (const { ids, section, all } of this.trayOf.values()) {
      const every = ids.every((id) => this.editor.chosen.has(id));
      all.textContent = every ? "none" : `all ${ids.length}`;
      all.setAttribute("aria-pressed", String(every));
      for (const each of section.querySelectorAll("[data-tray]")) {
        each.classList.toggle("chosen", this.editor.chosen.has(each.dataset.tray));
        each.setAttribute("aria-pressed", String(this.editor.chosen.has(each.dataset.tray)));
      }
    }
  }

  toggle(id) {
    if (this.editor.dragging.moved) return;
    this.editor.brush.rest();
    if (this.editor.chosen.has(id)) this.editor.chosen.delete(id);
    else this.editor.chosen.add(id);
    this.mark();
    this.editor.picked.draw();
    this.editor.fadeFor(this.editor.chosen);
  }
}
