"""Every kind of file and line that players give, spoiled: part of ``benchmarks/hostile.py``.

Each is first read as plain data and then one to three of its values are changed for another kind
of value, taken away, doubled or moved, so that what comes behind the reading of YAML is reached
too: whole positions and such by count, saves, changes, setups, answers, orders, settings, maps,
corrections of the board, layouts, typed lines. Sessions take what was read and go on with it; it
is undone afterwards.
"""

from __future__ import annotations

import contextlib
import copy
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml
from bending import bent
from campaign_generator import CampaignAnswers
from kills import ROOT, Reached
from vasl_scenes import damaged, random_position
from vasl_writer import write_position

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.kernel.answers import ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.open_game import OpenGame

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 5, -1, 10**18, 10**30, 0.5, -1e308, "", " ", "x", "²", "9" * 5000,
    "X18", "ZZ99", "X18/9", "british", "none", "\x1b[2J", "\x00", "‮", "A" * 3000, "a\nb", "1e999",
    [], {}, [[1]], [None], ["X18"], [{}], {"x": 1}, {"": None}, [[[[[[[]]]]]]], [1] * 300,
    {str(n): n for n in range(300)}, "🎲", "-1", "2026-11-22", "true", "default", "0x10",
)  # fmt: skip
"""What a value may be changed for; a file can hold each of them."""
COUNTED: dict[str, Any] = {
    "format": "pbcg-position/1",
    "date": "night-1",
    "units": [
        {"count": 6, "type": "6-4-8", "at": "N11", "side": "british"},
        {"count": 2, "type": "4-4-7", "at": "L9", "side": "german", "status": ["broken", "dm"]},
        {"count": 1, "type": "9-2", "at": "X18", "side": "british", "name": "Howard"},
        {"type": "9-1", "at": "L9", "side": "german", "formation": "gr-736"},
    ],
    "equipment": [{"count": 2, "type": "LMG", "at": "L9", "side": "german"}],
    "vehicles": [{"count": 1, "type": "35-S 739(f)", "at": "Y17", "side": "german"}],
    "fortifications": [{"kind": "trench", "at": "X20"}],
    "control": {"british": ["X18"], "german": ["L9"]},
}
CORRECTIONS: dict[str, Any] = {
    "format": "pbcg-board/1",
    "note": "as printed",
    "hexes": {"Y17": {"hedge": ["N", "NE"]}, "A23": {"terrain": []}},
    "hexsides": {"LL10/MM10": {"hedge": True, "wall": False}},
}
EDITS = (
    "648 piat 92 x18", "6 338 n11", "447 k9 k12", "648 br dm y19", "out g-447-3", "british",
    "control british x17-x20", "trench w21", "glider x22 wrecked", "blaze v13", "last", "list",
    "faults", "infer", "undo", "redo", "b-648-1 has b-lmg-1", "g-447-3 z15/1",
)  # fmt: skip


CHECKED = (
    "position at the scenario's end", "position by count", "changes", "setup", "answers given",
    "board corrected", "drop sheet", "settings", "map of the area game", "layout of a sheet",
)  # fmt: skip
"""What is taken as it is before it is spoiled."""


class _Back(Exception):
    """What was done is to be undone."""


@contextlib.contextmanager
def undo_afterwards(session: Session[Any]) -> Iterator[None]:
    """What is answered within is forgotten afterwards."""
    with contextlib.suppress(_Back), session.together():
        yield
        raise _Back


def spoil(value: Any, source: random.Random) -> Any:
    """Plain data with one to three of its values changed."""
    value = copy.deepcopy(value)
    for _ in range(source.randint(1, 3)):
        parts = list(_parts(value))
        if not parts:
            return _value(source)
        part, key = source.choice(parts)
        _change(part, key, value, source)
    return value


def _value(source: random.Random) -> Any:
    return copy.deepcopy(source.choice(VALUES))


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _parts(value[key])


def _change(part: Any, key: Any, whole: Any, source: random.Random) -> None:
    how = source.randrange(8)
    if how < 3:
        part[key] = _value(source)
    elif how == 3:
        del part[key]
    elif how == 4:
        part[key] = copy.deepcopy(source.choice(list(_leaves(whole)) or [None]))
    elif how == 5:
        part[key] = source.choice(([part[key]], {"x": part[key]}, str(part[key])))
    elif isinstance(part, list):
        part[key:key] = [copy.deepcopy(part[key])] * source.choice((1, 1, 1, 200))
    else:
        part[str(source.choice(VALUES))[:200]] = part.pop(key)


def _leaves(value: Any) -> Iterator[Any]:
    for part, key in _parts(value):
        if not isinstance(part[key], dict | list):
            yield part[key]


class Files:
    """The files and lines there are, and who reads them; the campaigns stand in ``folder``."""

    def __init__(self, folder: Path) -> None:
        from asl_pbcg.campaign.board.board import load_board
        from asl_pbcg.campaign.module.catalogue import load_catalogue

        self.folder = folder
        self.board, self.catalogue = load_board(), load_catalogue()
        self._games: dict[str, OpenGame] = {}
        self.spoil = spoil
        self._scenario()
        self._before_setup()
        self.position = self._asked("scenario")
        self.setup_document = self._asked("later")
        self.saves = [write_position(random_position(seed)).content() for seed in range(6)]
        self.given = {name: self._answers_of(name) for name in ("scenario", "campaign", "st")}
        self.orders = yaml.safe_load((folder / "orders.yaml").read_text(encoding="utf-8"))
        self.evening = [
            line
            for line in (ROOT / "docs" / "examples" / "megagame_evening.txt")
            .read_text(encoding="utf-8")
            .splitlines()
            if line.strip() and not line.startswith("#")
        ]
        self.kinds: dict[str, Callable[[random.Random], None]] = {
            "position at the scenario's end": self.whole_position,
            "position by count": self.counted,
            "save": self.save,
            "changes": self.changes,
            "setup": self.setup,
            "answers given": self.answers_given,
            "fact corrected": self.fact_corrected,
            "board corrected": self.board_corrected,
            "line of an edit": self.edit,
            "typed answer": self.typed,
            "drop sheet": self.drop_sheet,
            "settings": self.settings,
            "map of the area game": self.area_map,
            "layout of a sheet": self.layout,
            "megagame line": self.mega_line,
        }
        self._check()

    def _check(self) -> None:
        """Settle that each file is taken as it is before anything is wrong with it."""
        self.spoil = lambda value, source: value
        for name in CHECKED:
            try:
                self.kinds[name](random.Random(1))
            except PBCGError as error:
                raise AssertionError(f"{name} is refused as it is: {error}") from error
        self.spoil = spoil

    # -- preparing ------------------------------------------------------------------------

    def _scenario(self) -> None:
        """A campaign at the end of a scenario, where a position is asked for."""
        from asl_pbcg.play.campaign_game.campaign_plug import create_campaign

        path = self.folder / "scenario.pbcg"
        meta = {"settings": {"campaign": "CG1"}, "seed": 6, "dice": "seeded"}
        with create_campaign(path, meta) as game:
            there = Reached(game.session, "0.2", 0)
            answers = CampaignAnswers(6, game.session)
            drive(game.session, answers, game.session.program_dice, until=there)

    def _before_setup(self) -> None:
        """A campaign in which a side may give its setup."""
        path = self.folder / "later.pbcg"
        shutil.copy(self.folder / "campaign.pbcg", path)
        with OpenGame.open(path) as game:
            there = Reached(game.session, "9.620.2", 0)
            answers = CampaignAnswers(6, game.session)
            drive(game.session, answers, game.session.program_dice, until=there)

    def _is_document(self, session: Session[Any]) -> bool:
        return isinstance(session.pending, Prompt) and session.pending.kind == "document"

    def game(self, name: str) -> OpenGame:
        """A game of its own, open for writing."""
        if name not in self._games:
            path = self.folder / f"own-{name}.pbcg"
            shutil.copy(self.folder / f"{name}.pbcg", path)
            self._games[name] = OpenGame.open(path)
        return self._games[name]

    def _asked(self, name: str) -> Any:
        """What random play gives where a document is asked for."""
        session = self.game(name).session
        assert self._is_document(session), (name, session.pending)
        documents = []
        for seed in range(30):
            found = CampaignAnswers(seed, session).answer(session.pending)  # type: ignore[arg-type]
            if isinstance(found, dict):
                documents.append(msgspec.to_builtins(found))
        assert documents, name
        return max(documents, key=lambda found: len(str(found)))

    def _answers_of(self, name: str) -> list[dict[str, Any]]:
        """What random play answers next in a game, as answers files have it."""
        session = self.game(name).session
        before = session.journal.last
        found: list[dict[str, Any]] = []
        with undo_afterwards(session):
            campaign = name != "st"
            answers = CampaignAnswers(1, session) if campaign else RandomAnswers(1)
            drive(
                session, answers, session.program_dice,
                until=lambda: session.journal.last > before + 25,
            )  # fmt: skip
            for entry in session.journal.standing(before):
                about = f" {entry.about}" if entry.about else ""
                body = entry.body["dice"] if isinstance(entry.body, dict) and (
                    "dice" in entry.body) else entry.body  # fmt: skip
                found.append({f"{entry.point}{about}": body})
        assert len(found) > 5, name
        return found

    def _written(self, value: Any, source: random.Random, name: str = "given") -> Path:
        """Plain data as a file, in YAML or JSON."""
        path = self.folder / f"{name}.{source.choice(('yaml', 'json'))}"
        with contextlib.suppress(yaml.YAMLError, UnicodeError):
            if path.suffix == ".yaml":
                text = yaml.safe_dump(value, allow_unicode=source.random() < 0.5, sort_keys=False)
            else:
                text = json.dumps(value, ensure_ascii=source.random() < 0.5)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return path

    def _document(self, name: str, path: Path) -> None:
        """Let a game read a document and go on with it."""
        game = self.game(name)
        asked = game.session.pending
        assert isinstance(asked, Prompt)
        document = game.plug.read_document(game.session, asked, str(path), "")
        with undo_afterwards(game.session):
            game.session.answer(document)
            self._go_on(game)

    def _go_on(self, game: OpenGame) -> None:
        """Whatever was taken in, the game is shown and goes on."""
        session = game.session
        campaign = isinstance(session.state, Campaign)
        answers = CampaignAnswers(2, session) if campaign else RandomAnswers(2)
        before = session.journal.last
        drive(
            session, answers, session.program_dice, until=lambda: session.journal.last > before + 6
        )
        game.plug.facts(session, "umpire")
        session.lines()

    # -- positions and what a campaign asks for -------------------------------------------

    def whole_position(self, source: random.Random) -> None:
        """A position of every piece, given to its campaign."""
        self._document("scenario", self._written(self.spoil(self.position, source), source))

    def counted(self, source: random.Random) -> None:
        """A position by count, by itself and given to a campaign."""
        from asl_pbcg.campaign.entry.position_files import read_position

        path = self._written(self.spoil(COUNTED, source), source)
        with contextlib.suppress(PBCGError):
            read_position(path, self.board, self.catalogue)
        self._document("scenario", path)

    def save(self, source: random.Random) -> None:
        """A VASL save."""
        from asl_pbcg.play.campaign_game.vasl_save import checked_save

        path = self.folder / "given.vsav"
        path.write_bytes(damaged(source.randrange(10**9), self.saves))
        checked_save(path, self.board)

    def changes(self, source: random.Random) -> None:
        """Changes since the last position."""
        keys = [key for key in self.position if key not in ("format", "date")]
        base = {key: self.position[key] for key in source.sample(keys, min(3, len(keys)))}
        whole = {"format": "pbcg-changes/1", "date": self.position.get("date"), **base,
                 "removed": ["b-648-1"]}  # fmt: skip
        self._document("scenario", self._written(self.spoil(whole, source), source))

    def setup(self, source: random.Random) -> None:
        """A setup of one side."""
        self._document("later", self._written(self.spoil(self.setup_document, source), source))

    def answers_given(self, source: random.Random) -> None:
        """An answers file, given to the game it is for."""
        name = source.choice(list(self.given))
        whole = {"format": "pbcg-answers/1", "dice": source.choice(("campaign", "listed")),
                 "answers": self.given[name], "otherwise": {"9.618": [3, 4]}}  # fmt: skip
        path = self._written(self.spoil(whole, source), source)
        game = self.game(name)
        read = ListedAnswers.read(
            path,
            lambda named: game.plug.read_document(game.session, game.session.pending, named, ""),
        )
        with undo_afterwards(game.session):
            drive(game.session, read, game.session.program_dice)

    def fact_corrected(self, source: random.Random) -> None:
        """A correction of any fact of a campaign; the step in progress is played again."""
        game = self.game(source.choice(("campaign", "scenario", "later")))
        session = game.session
        state = msgspec.json.decode(msgspec.json.encode(session.state))
        parts, leaves = list(_parts(state)), list(_leaves(state))
        path = self._path_to(state, source)
        value = source.choice((_value(source), source.choice(leaves),
                               copy.deepcopy(source.choice(parts)[0])))  # fmt: skip
        session.plan(path, value)
        with undo_afterwards(session):
            session.correct(path, value, "it was otherwise")
            self._go_on(game)

    def _path_to(self, state: Any, source: random.Random) -> str:
        path, found = [], state
        while isinstance(found, dict | list) and found and (not path or source.random() < 0.85):
            keys = list(found) if isinstance(found, dict) else list(range(len(found)))
            key = source.choice(keys)
            found = found[key]
            named = found.get("id") if isinstance(found, dict) else None
            path.append(str(named or key))
        return "/".join(path)

    def board_corrected(self, source: random.Random) -> None:
        """Corrections of the board, laid over it."""
        from asl_pbcg.campaign.board.board_corrections import read_corrections
        from asl_pbcg.campaign.module.board_check import check_board

        found = read_corrections(self._written(self.spoil(CORRECTIONS, source), source), self.board)
        board = found.lay_over(self.board)
        if source.random() < 0.1:
            list(check_board(board))

    def edit(self, source: random.Random) -> None:
        """Short orders of ``pbcg position edit``."""
        from asl_pbcg.campaign.entry.draft_orders import Editor
        from asl_pbcg.campaign.entry.position_draft import Draft
        from asl_pbcg.campaign.terms import Side

        state = self.game("scenario").session.state
        editor = Editor(Draft(state, state.board, state.catalogue), source.choice(list(Side)))
        for _ in range(4):
            line = source.choice(EDITS)
            with contextlib.suppress(PBCGError):
                editor.do(bent(line, source) if source.random() < 0.7 else line)

    def typed(self, source: random.Random) -> None:
        """What is typed at a prompt, in words."""
        from asl_pbcg.play.typed_answers import read_words

        game = self.game(source.choice(("campaign", "scenario", "later", "st")))
        asked = game.session.pending
        assert isinstance(asked, Prompt)
        words = [option.id for option in asked.options] + [each.text for each in asked.options]
        typed = str(source.choice(VALUES)) + source.choice((*words, "", "-", ",", " "))
        with undo_afterwards(game.session):
            game.session.answer(read_words(asked, typed))

    # -- the other games ------------------------------------------------------------------

    def drop_sheet(self, source: random.Random) -> None:
        """Orders of a drop with a map and settings of its own, and its first turn."""
        from asl_pbcg.airborne.drop_settings import default_settings, settings_of
        from asl_pbcg.cli.drop.drop_playing import begin_sealed, read_sheet
        from asl_pbcg.kernel.dice import SeededDice

        settings = default_settings()
        if source.random() < 0.4:
            settings = settings_of(self._part_of(settings.to_data(), source), "settings")
        orders = self.orders
        if source.random() < 0.4:
            terrain = {"forest": ["C4", "C5"], "marsh": ["D6"]}
            orders = {**orders, "map": {"columns": 30, "rows": 20, "terrain": terrain}}
        path = self._written(self.spoil(orders, source), source)
        sheet, spec = read_sheet(path, "", settings)
        session = begin_sealed(None, sheet, spec, settings)
        with contextlib.suppress(IllegalAnswer):
            drive(session, RandomAnswers(3), SeededDice(3),
                  until=lambda: session.journal.last > 12)  # fmt: skip

    def _part_of(self, data: Any, source: random.Random) -> Any:
        some = source.sample(list(data), min(len(data), 4))
        return self.spoil({key: data[key] for key in some}, source)

    def settings(self, source: random.Random) -> None:
        """Settings of the area game, the megagame and drops, and house rules."""
        from asl_pbcg.airborne.drop_settings import read_settings as drop_settings
        from asl_pbcg.campaign.module.house_rules import campaign_rulings
        from asl_pbcg.megagame.mega_settings import MEGA_RULINGS, UmpireSettings
        from asl_pbcg.st.settings import ST_RULINGS

        kind = source.randrange(4)
        if kind == 0:
            known = {
                name: source.choice(list(r.choices)) for name, r in ST_RULINGS.settable.items()
            }
            ST_RULINGS.settings(self.spoil({**known, "mode": "variable"}, source))
        elif kind == 1:
            values = {name: r.default for name, r in MEGA_RULINGS.items() if r.default is not None}
            UmpireSettings.read(self._written(self._part_of(values, source), source))
        elif kind == 2:
            from asl_pbcg.airborne.drop_settings import default_settings

            data = {"format": "pbcg-drop-settings/1", **default_settings().to_data()}
            drop_settings(self._written(self._part_of(data, source), source))
        else:
            typed = [f"C-05={source.choice(VALUES)}", f"{source.choice(VALUES)}"]
            campaign_rulings().read_typed(typed, "--house-rule")

    def area_map(self, source: random.Random) -> None:
        """A map of the area game."""
        from asl_pbcg.st.board.map_load import load_map

        if not hasattr(self, "_map"):
            self._map = yaml.safe_load((ROOT / "data/st/map.yaml").read_text("utf-8"))
        load_map(self._written(self.spoil(self._map, source), source))

    def layout(self, source: random.Random) -> None:
        """A layout of a printed sheet."""
        from asl_pbcg.records.templates import read_layout

        shipped = sorted((ROOT / "templates").glob("*.yaml"))
        path = source.choice(shipped)
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        given = self._written(self.spoil(data, source), source, path.stem)
        read_layout(given, read_layout(path))

    def mega_line(self, source: random.Random) -> None:
        """Lines of a megagame evening, as a script has them."""
        import click
        import typer

        from asl_pbcg.cli.mega.mega_commands import app
        from asl_pbcg.cli.mega.mega_evening import settle_typed
        from asl_pbcg.cli.mega.mega_line import OpenTable
        from asl_pbcg.megagame.table_log import TableLog

        group = typer.main.get_command(app)
        if not hasattr(self, "_table_log"):
            self._table_log = TableLog.open(
                Path(shutil.copy(self.folder / "mega.pbcg", self.folder / "own"))
            )
            for line in self.evening[:11]:
                settle_typed(group, OpenTable(self._table_log, folder=self.folder), line)
        session = self._table_log.session
        line = source.choice(self.evening)
        with contextlib.suppress(click.exceptions.Exit), undo_afterwards(session):
            table = OpenTable(self._table_log, folder=self.folder)
            settle_typed(group, table, bent(line, source) if source.random() < 0.9 else line)
