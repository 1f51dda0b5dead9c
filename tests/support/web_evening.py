"""An evening of CG II: played at the terminal first, then in the page by mouse or by keyboard.

The terminal settles what is answered and thrown; the page is given the same, each answer as a
person would give it there, and the journals are compared.
"""

from __future__ import annotations

import io
import json
import os
import random
from pathlib import Path
from typing import Any

import msgspec
import yaml
from rich.console import Console
from web_player import PagePlayer, _quoted

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.cli.evening.refit_command import RefitManner
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.helpers.subjects import PASS

GOLDEN = Path(__file__).parent.parent / "golden_cg2" / "dawn.position.yaml"
PIECES = 60
END = "0.2"
WANTED = {
    "9.617.1": ["I4", "V3", "V10", "done"],
    "9.619.1": ["foxhole-2s", "done"],
    "0.1": ["dr"],
}
"""What is bought, and how a scenario ends; the first of them that is open is taken."""
SECTIONS = ("units", "equipment", "vehicles")
Entries = list[tuple[Any, ...]]


# -- the position ---------------------------------------------------------------------------


class Layout:
    """Where 60 pieces stand after Dawn: hex by hex, and who Controls what.

    The British stand as in the golden campaign, the German pieces in the golden German hexes.
    """

    def __init__(self, pieces: list[dict[str, Any]], base: dict[str, Any]) -> None:
        golden = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))
        self.base = base
        self.pieces = {each["entry"]["id"]: each for each in pieces}
        placed = {each["id"] for name in SECTIONS for each in base.get(name, ())}
        listed = {each["id"]: each for name in SECTIONS for each in golden[name]}
        own = [id for id in self.pieces if id in listed and id not in placed and _plain(listed[id])]
        others = [
            id for id, each in self.pieces.items()
            if each["entry"]["side"] == "german" and id not in placed and id not in own
            and each["kind"] != "vehicle"
        ]  # fmt: skip
        homes = ["Z14", "L9", "J9", "K13", "K12", "II13", "GG8", "HH8"]
        self.at = {id: str(listed[id]["at"]) for id in own if id.startswith("b-")}
        for number, id in enumerate(others[:18]):
            self.at[id] = homes[number // 3]
        self.at = dict(list(self.at.items())[-PIECES:])
        assert len(self.at) == PIECES, len(self.at)
        self.status = {
            id: listed[id]["status"] for id in self.at
            if id in listed and set(listed[id].get("status", ())) <= {"broken", "wounded", "pinned"}
            and listed[id].get("status")
        }  # fmt: skip
        self.holders = self._holders()
        self.control = {
            side: [place for place in golden["control"][side] if "/" not in place][:count]
            for side, count in (("british", 12), ("german", 14))
        }

    def _holders(self) -> dict[str, list[str]]:
        """Where one unit stands with SW it has them."""
        found = {}
        for hex in self.hexes():
            units = [id for id in self.in_hex(hex) if self.pieces[id]["kind"] in _ABLE]
            weapons = [id for id in self.in_hex(hex) if self.pieces[id]["kind"] == "sw"]
            if len(units) == 1 and weapons and len(self.in_hex(hex)) == 1 + len(weapons):
                found[units[0]] = weapons
        return found

    def hexes(self) -> list[str]:
        """The Locations in the order in which they are entered."""
        return list(dict.fromkeys(self.at.values()))

    def in_hex(self, hex: str) -> list[str]:
        """The pieces of a Location, as the trays have them."""
        return [id for id in self.pieces if self.at.get(id) == hex]

    def write(self, file: Path, order: dict[str, int]) -> None:
        """Write it as players write a position."""
        position = {**self.base}
        for name in SECTIONS:
            position[name] = [*self.base.get(name, ())]
        for hex in self.hexes():
            for id in self.in_hex(hex):
                piece = self.pieces[id]
                entry = {**piece["entry"], "at": hex}
                if id in self.status:
                    entry["status"] = self.status[id]
                if id in self.holders:
                    entry["possesses"] = self.holders[id]
                position[piece["section"]].append(entry)
        position["control"] = {
            side: sorted(held, key=lambda place: order[place])
            for side, held in self.control.items()
        }
        file.write_text(yaml.safe_dump(position, sort_keys=False), encoding="utf-8")


_ABLE = ("squad", "half_squad", "crew")


def _plain(entry: dict[str, Any]) -> bool:
    """Whether a golden entry stands at ground level, free, with nothing unusual."""
    at = str(entry["at"])
    odd = {"prisoner", "captured", "emplaced", "exited", "heroic", "encircled", "malfunctioned"}
    return "/" not in at and "off" not in at and not odd & {*entry.get("status", ())}


# -- at the terminal ----------------------------------------------------------------------


class TerminalPlayer:
    """Plays the evening at a terminal; what he types he decides by ``source``."""

    def __init__(self, file: Path, folder: Path, seed: int = 5) -> None:
        self.file, self.folder = file, folder
        self.source = random.Random(seed)
        self.out = io.StringIO()
        self.lines = 0
        self.layout: Layout | None = None
        self.bought: dict[str, int] = {}

    def play(self) -> None:
        """From the first purchase to the scenario after the Refit Phase."""
        console = Console(
            file=self.out, width=100, height=40, force_terminal=True, color_system=None,
            highlight=False, legacy_windows=False,
        )  # fmt: skip
        console.input = self._type  # type: ignore[assignment, method-assign]
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            with OpenGame.open(self.file) as game:
                self.game = game
                self.terminal = Terminal(Seat(game, "both"), RefitManner(), console)
                self.terminal.manner.begin()
                assert self.terminal.play(self._over), self.out.getvalue()[-1500:]
        finally:
            os.chdir(before)

    def _over(self) -> bool:
        asked = self.game.session.pending
        if asked is not None and asked.id == END and self.layout is None:
            state = self.game.session.state
            self._write_position(state)
            self.terminal.given[END] = read_document("dawn.yaml", state)
        return self.layout is not None and asked is not None and asked.id == "0.1"

    def _type(self, mark: Any = "", **_: Any) -> str:
        self.lines += 1
        assert self.lines < 900, self.out.getvalue()[:]
        asked = self.terminal.seat.pending
        typed = "" if asked is None or str(mark) != " > " else self._typed(asked)
        self.out.write(f"{mark}{typed}\n")
        return typed

    def _typed(self, asked: Prompt | Roll) -> str:
        if isinstance(asked, Roll):
            faces = [self.source.randint(1, asked.spec.sides) for _ in range(asked.spec.count)]
            return " ".join(map(str, faces))
        value = self._value(asked)
        if isinstance(value, list):
            return ", ".join(map(str, value)) or "none"
        return str(value)

    def _value(self, asked: Prompt) -> Any:
        legal = [each.id for each in asked.options if not each.refused]
        if asked.id in WANTED:
            wanted, done = WANTED[asked.id], self.bought.get(f"{asked.id}{asked.side}", 0)
            self.bought[f"{asked.id}{asked.side}"] = done + 1
            return next(each for each in [*wanted[done:], *wanted[-1:], *legal] if each in legal)
        if asked.id in ("9.62022", "0.2.5a"):
            return self._place(asked)
        if asked.kind == "choose":
            return self.source.choice(legal)
        if asked.kind == "choose-some":
            count = max(asked.least, min(len(legal), asked.most or len(legal), 1))
            return self.source.sample(legal, count)
        return asked.default if asked.default is not None else asked.least or "yes"

    def _place(self, asked: Prompt) -> str:
        """The first hex that is none of those refused."""
        for hex in self.game.session.state.board.grid.all:
            try:
                return str(asked.check(str(hex)))
            except PBCGError:
                continue
        return str(asked.default)

    def _write_position(self, state: Campaign) -> None:
        from asl_pbcg.web.draft_trays import first_draft, tray

        begun = msgspec.json.encode((tray(state, "", played=True), first_draft(state)))
        self.layout = Layout(*msgspec.json.decode(begun))
        order = {str(hex): number for number, hex in enumerate(state.board.grid.all)}
        self.layout.write(self.folder / "dawn.yaml", order)


def entries_of(file: Path) -> list[dict[str, Any]]:
    """The entries of a journal without time and chain: what, where, about what, the answer."""
    with OpenGame.open(file, look=True) as game:
        found = [msgspec.to_builtins(each) for each in game.entries()]
    kept = ("seq", "kind", "step", "point", "about", "side", "secret", "body")
    return [{name: each[name] for name in kept} for each in found]


# -- in the page --------------------------------------------------------------------------


class EveningPlayer(PagePlayer):
    """Gives in the page what the terminal was given, by mouse or by keyboard alone."""

    def __init__(
        self, page: Any, script: list[dict[str, Any]], layout: Layout, keyboard: bool
    ) -> None:
        super().__init__(page, 1, keyboard)
        self.script = [each for each in script if each["kind"] != "checkpoint"]
        self.layout = layout
        self.drags = 0
        self.strokes = 0
        self.entering = 0
        """Actions while the position was entered."""

    def finish(self) -> None:
        """Give all of it."""
        while True:
            now = self.now()
            if "curtain" in now:
                super().step(now)
                continue
            while self.script and self.script[0]["point"] == PASS:  # the page goes on by itself
                self.script.pop(0)
            if not self.script:
                assert now["prompt"] == "0.1"
                return
            assert now["prompt"] == self.script[0]["point"], (now, self.script[0])
            self.step(now)

    @property
    def _next(self) -> Any:
        return self.script.pop(0)["body"]

    # -- one answer ---------------------------------------------------------------------------

    def _roll(self, now: dict[str, str]) -> None:
        faces = self._next
        if self.keyboard:
            for number, face in enumerate(faces):
                self.page.focus(f"[name=die{number}]")
                self._key(str(face))
            self._key("Enter")
            return
        for number, face in enumerate(faces):
            self._press(f'[data-die="{number}"] [data-face="{face}"]')
        self._press("[data-action=typed]")

    def _key(self, key: str) -> None:
        self.actions += 1
        self.strokes += 1
        self.page.keyboard.press(key)

    def _write(self, selector: str, text: str) -> None:
        self.actions += len(text)
        self.strokes += len(text)
        self.page.focus(selector)
        self.page.locator(selector).first.fill("")
        self.page.keyboard.type(text)

    def _choose(self, now: dict[str, str]) -> None:
        if now["prompt"] == "9.617.1":
            self._basket()
            return
        self._press(f".asked button[data-option={_quoted(str(self._next))}]")

    def _basket(self) -> None:
        """The whole basket, and receive it; where nothing more can be bought nobody says done."""
        self.page.wait_for_selector(".purchase .basket")
        count = 0
        while self.script and self.script[0]["point"] in ("9.617.1", "9.617.2"):
            value = self._next
            if value == "done":
                break
            count += 1
            self._press(f".rgcards [data-option={_quoted(value)}]")
            if self.script[0]["point"] == "9.617.2":
                place = f".places [data-place={_quoted(self._next)}]"
                self.page.wait_for_selector(place)
                self._press(place)
            self.page.wait_for_function(
                "(count) => document.querySelectorAll('[data-bought]').length === count", arg=count
            )
        self._press("[data-action=receive]")

    def _choose_some(self, now: dict[str, str]) -> None:
        wanted = {*map(str, self._next)}
        open_now = self._options(".asked input[data-option]")
        for each in open_now:
            if self._checked(each) != (each in wanted):
                self._tick(f".asked input[data-option={_quoted(each)}]")
        self._press(".asked [data-action=send]")

    def _number(self, now: dict[str, str]) -> None:
        wanted = int(self._next)
        if self.keyboard:
            self._write(".asked [name=number]", str(wanted))
            self._key("Enter")
            return
        for _ in range(100):
            less = wanted - int(self.page.input_value(".asked [name=number]"))
            if not less:
                break
            self._press(f'.asked [aria-label="one {"more" if less > 0 else "less"}"]')
        self._press(".asked [data-action=send]")

    def answer_text(self, now: dict[str, str]) -> None:
        value = str(self._next)
        if now["prompt"] != "9.62022" or value == "later":
            super().answer_text(now)
        elif self.keyboard:
            self._write(".placing [name=text]", value)
            self._key("Enter")
        else:
            self.page.wait_for_selector(".veiled", state="attached")
            self.drag(".chip", value)

    def _document(self, now: dict[str, str]) -> None:
        value = self._next
        if now["prompt"] == END:
            begun = self.actions
            self._press("[data-action=enter]")
            self.page.wait_for_selector("[data-editor]")
            self._press("[data-action=played]")
            self.page.wait_for_selector("[data-action=played]", state="detached")
            self._enter()
            self.entering = self.actions - begun
            self._press("[data-action=give]")
            self._press("dialog [data-option=go-on]")
            self.page.wait_for_selector("[data-editor]", state="detached")
        else:
            assert value in ("none", "", None)
            self._press(".asked [data-action=default]")

    # -- the end position ---------------------------------------------------------------------

    def drag(self, start: str, hex: str) -> None:
        """Drag with the mouse from a thing to a hex."""
        self.actions += 1
        self.drags += 1
        self.page.locator(start).first.evaluate("(it) => it.scrollIntoView({ block: 'center' })")
        x, y = self._middle(start)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        to_x, to_y = self._middle(f'.layer.hexes [data-hex="{hex}"]')
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
        self.page.mouse.move(to_x, to_y)
        self.page.mouse.up()

    def _middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _enter(self) -> None:
        for hex in self.layout.hexes():
            ids = self.layout.in_hex(hex)
            for id in ids if self.keyboard or len(ids) > 1 else ():
                self._tick(f'[data-tray="{id}"]')
            if self.keyboard:
                self._write("[name=at]", hex)
                self._key("Enter")
            else:
                self.drag(f'[data-tray="{ids[0]}"]', hex)
        self._kept()
        for holder, _ in self.layout.holders.items():
            self._choose_at(self.layout.at[holder])
            if self.keyboard:
                self._key("o")
            else:
                self._press('.edhex button:has-text("Possess")')
            self._kept()
        for id, status in self.layout.status.items():
            self._choose_at(self.layout.at[id], id)
            for each in status:
                key = {"broken": "b", "wounded": "w"}.get(each)
                if self.keyboard and key:
                    self._key(key)
                else:
                    self._press(f'[data-state="{each}"]')
            self._kept()
        for side in ("british", "german"):
            self._press(f"[data-mode={side}]")
            self._paint(self.layout.control[side])
        self._kept()
        faults = self.page.locator(".faults ol li")
        assert faults.all_inner_texts() == []

    def _choose_at(self, hex: str, only: str = "") -> None:
        """Choose the stack of a hex, or one piece of it."""
        if self.keyboard:
            self._key("g")
            self._write(".finder input", hex)
            self._key("Enter")
        else:
            self.actions += 1
            self.page.mouse.click(*self._middle(f'.layer.hexes [data-hex="{hex}"]'))
        self.page.wait_for_function(
            "(hex) => document.querySelector('.here legend')?.textContent === hex", arg=hex
        )
        if only:
            for each in self.layout.in_hex(hex):
                if each != only:
                    self._tick(f'[data-choose="{each}"]')

    def _paint(self, hexes: list[str]) -> None:
        """Paint Control: each hex with a click, or typed in one line."""
        if self.keyboard:
            self._write("[name=mark]", " ".join(hexes))
            self._key("Enter")
            return
        for hex in hexes:
            self.actions += 1
            self.page.mouse.click(*self._middle(f'.layer.hexes [data-hex="{hex}"]'))

    def _kept(self) -> None:
        """Wait until the draft is kept."""
        self.page.wait_for_function(
            "() => document.querySelector('.edhead .quiet').textContent === 'kept'"
        )


def plain(entries: list[dict[str, Any]]) -> list[str]:
    """Entries as lines, so that a difference is read at once."""
    return [json.dumps(each, sort_keys=True) for each in entries]
