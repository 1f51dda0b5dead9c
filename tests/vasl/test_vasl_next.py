"""From save to save: the save of the next scenario, made from a campaign and a base save."""

from __future__ import annotations

import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import golden_campaign
import msgspec
import pytest
from in_process import run_pbcg
from vasl_modules import build_file, module
from vasl_scenes import INSIDE, before_night_two, damaged, random_writer
from vasl_writer import (
    NATION,
    PASSWORD,
    Chip,
    Layer,
    Writer,
    chip_of,
    fortification_chip,
    marker,
    palette,
    palette_chips,
    plain,
    write_position,
)

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Fortification, Position
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.scenario.scenario_facts import is_isolated, order_of
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.play.campaign_game.vasl_save_next import recorded_setups, save_of_state
from asl_pbcg.refit.helpers.retention import still_there
from asl_pbcg.refit.setup.recorded_setup import newly_bought
from asl_pbcg.refit.setup.setup_rules import setups
from asl_pbcg.vasl.archive import commands, read_text
from asl_pbcg.vasl.editor import SaveEditor
from asl_pbcg.vasl.heap import SECTIONS
from asl_pbcg.vasl.names import facts, meaning
from asl_pbcg.vasl.next_save import is_title
from asl_pbcg.vasl.next_scenario import NextReport
from asl_pbcg.vasl.read_scene import read_scene
from asl_pbcg.vasl.save_board import centre, find_board, find_hex
from asl_pbcg.vasl.save_counters import read_counters, read_tokens
from asl_pbcg.vasl.scene import Scene

DATES = [(name, date) for name in ("cg1", "cg2")
         for date in golden_campaign.settings(name)["dates"][:-1]]  # fmt: skip


class Evening:
    """A golden campaign that was played: what stood on the map, and what came of it."""

    def __init__(self, name: str, place: Path) -> None:
        self.place = place
        self.states = golden_campaign.play(name, place, records=False).states
        self.dates = golden_campaign.settings(name)["dates"]
        session = open_campaign(place / golden_campaign.FILE)
        self.entries = list(session.journal.standing())
        session.journal.close()
        self.stock = place / "palette.vsav"
        self.stock.write_bytes(palette().content())

    def position(self, date: str) -> Position:
        """The end position of a CG Date."""
        before: Campaign = self.states[["new", *self.dates][self.dates.index(date)]]
        data = read_yaml_or_json(self.place / f"{date}.position.yaml")
        return plain(settle_position(before, data))

    def base(self, date: str, seed: int = 0, **fields: Any) -> Path:
        """The save at the end of the scenario of a CG Date; with a seed its board lies anywhere."""
        if seed:
            writer = random_writer(seed)
            fields |= {"placed": writer.placed, "board": writer.board, "map": writer.map}
            dialect = ("", "old", "new")[seed % 3]  # with a label that it can write
            fields |= {
                "dialect": dialect,
                "label": {"old": "\\begins/;", "new": "a\\/;b"}.get(dialect, ""),
            }
            fields["always_stacks"] = seed % 2 == 0
        path = self.place / f"{date}.vsav"
        path.write_bytes(
            write_position(self.position(date), Writer(complete=True, **fields)).content()
        )
        return path

    def next(
        self,
        date: str,
        base: Path,
        side: Side | None = None,
        onto: Path | None = None,
        **more: Any,
    ) -> tuple[Path, NextReport]:
        """The save of the scenario after a CG Date."""
        state = self.states[date]
        recorded = recorded_setups(self.entries, state.date)
        more = {"palettes": [self.stock]} | more
        content, report = save_of_state(state, recorded, base, side, onto, **more)
        path = self.place / f"{date}.{side or 'umpire'}.{'onto' if onto else 'next'}.vsav"
        path.write_bytes(content)
        return path, report


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Evening]:
    """Both golden campaigns."""
    return {name: Evening(name, tmp_path_factory.mktemp(name)) for name in ("cg1", "cg2")}


# -- what a save shows, beside the board too -------------------------------------------------


def scene_of(path: Path, state: Campaign, tmp_path: Path) -> tuple[Scene, dict[str, str]]:
    """What a save shows once its stacks beside the board lie on free hexes, and their titles."""
    board = state.board
    editor = SaveEditor.open(path)
    placed = find_board(editor.boards)
    free = iter([name for name in INSIDE if name not in board.buildings])
    taken = {each.location.hex for each in (*state.pieces, *state.fortifications, *state.terrain)
             if each.at and each.location.on_map}  # fmt: skip
    titles = {}
    for stack, ids in editor.stacks().items():
        _, x, y = editor.place(stack)
        if placed.holds(x, y):
            continue
        title = editor.label_of(ids[-1])
        assert is_title(title) and ": " not in title
        hex = next(name for name in free if name not in taken)
        titles[hex] = title
        spot = placed.in_save(*centre(board.grid, hex))
        editor.move_stack(stack, round(spot[0]), round(spot[1]))
    moved = tmp_path / "moved.vsav"
    moved.unlink(missing_ok=True)
    editor.write(moved)
    return read_scene(moved, board, state.catalogue), titles


def told(section: str, status: Any) -> frozenset[str]:
    """The statuses that a save can show of a piece."""
    known = {word for of in facts().statuses.values() for word in of.get(section, ())}
    return frozenset({*map(str, status)} & {*known, "prisoner"})


def shown_pieces(scene: Scene, titles: dict[str, str]) -> Counter[Any]:
    """Every piece of a save: where, what, how, and who holds it."""
    by_key = {seen.key: seen for seen in scene.pieces}
    return Counter(
        (
            titles.get(seen.hex, seen.at),
            seen.section,
            seen.type or "a prisoner",
            seen.side,
            told(seen.section, seen.status),
            by_key[seen.holder].type if seen.holder else "",
        )
        for seen in scene.pieces
    )


def expected_pieces(state: Campaign, recorded: dict[Side, Position]) -> Counter[Any]:
    """Every piece of the OB, where 9.620 and the rules before have it."""
    listed = {each.id for setup in recorded.values() for each in setup.pieces}
    holder = {id: piece for piece in state.pieces for id in (*piece.possesses, *piece.tows)}
    by_id = {piece.id: piece for piece in state.pieces}
    limits = {each.piece.id: each for side in Side for each in setups(state, side)}

    def place(piece: Any) -> str:
        with_it = holder.get(piece.id) or by_id.get(piece.guarded_by) or by_id.get(piece.aboard)
        if with_it:
            return place(with_it)
        limit = limits[piece.id]
        stays = is_isolated(state, piece) or (piece.kind == "gun" and piece.on_map)
        if (
            piece.id in listed
            or limit.fixed
            or (stays and piece.on_map and still_there(state, piece))
        ):
            return str(limit.fixed or piece.at)
        name = limit.entry or piece.area
        areas = {area.id for area in state.areas.areas[piece.side]}
        held = ", held off map" if limit.words == "is held off map" else ""
        return f"{piece.side.title}, {'Setup' if name in areas else 'Entry'} Area {name}{held}"

    return Counter(
        (
            place(piece),
            piece.section,
            "a prisoner" if piece.is_prisoner else piece.type,
            None if piece.is_prisoner else piece.maker,
            told(piece.section, ["prisoner"] if piece.is_prisoner else piece.status),
            holder[piece.id].type if piece.id in holder and piece.is_weapon else "",
        )
        for piece in state.pieces
        if piece.section
    )


def ground(scene: Scene, titles: dict[str, str]) -> Counter[Any]:
    """Fortifications, terrain and gliders of a save."""
    return Counter(
        [(each.kind, titles.get(each.at, each.at), each.size, each.strength)
         for each in scene.fortifications]
        + [(each.kind, each.at, None, each.type) for each in scene.terrain]
        + [(each.state, each.at, None, "") for each in scene.gliders]
    )  # fmt: skip


def expected_ground(state: Campaign) -> Iterator[Any]:
    for each in (*state.fortifications, *newly_bought(state, unplaced=True)):
        sized = each.kind in ("foxhole", "ap-mines", "at-mines")
        size = (each.size or 1) if sized else None
        at = each.at or f"{each.owner.title if each.owner else ''}, Fortifications"
        yield each.kind, at, size, each.strength
    for change in state.terrain:  # a burnt-out wreck has no type on VASL
        type = "" if change.kind == "burnt-out-wreck" else change.type
        yield change.kind, change.at, None, type
    yield from ((each.state, each.at, None, "") for each in state.gliders)


@pytest.mark.parametrize(("name", "date"), DATES)
def test_every_piece_stands_once_in_its_place(
    name: str, date: str, evenings: dict[str, Evening], tmp_path: Path
) -> None:
    evening = evenings[name]
    state = evening.states[date]
    path, report = evening.next(date, evening.base(date, evening.dates.index(date)))
    scene, titles = scene_of(path, state, tmp_path)
    recorded = recorded_setups(evening.entries, state.date)
    assert shown_pieces(scene, titles) == expected_pieces(state, recorded)
    assert ground(scene, titles) == Counter(expected_ground(state))
    assert not scene.unknown and not scene.markers and not scene.dummies
    missing = Counter(each.name for each in report.done if each.what == "missing")
    bought = {f'{side.title} "?"': n for side, n in state.dummies.items()}
    assert missing == Counter(bought)  # a "?" is never copied: it has a password in it
    again, repeated = evening.next(date, path)
    assert again.read_bytes() == path.read_bytes()
    assert not [each for each in repeated.done if each.what not in ("doubtful", "missing")]
    assert PASSWORD not in str(report.done)


# -- one side's eyes -------------------------------------------------------------------------


TOKENS = {Side.BRITISH: "tea-at-four", Side.GERMAN: "kartoffel-7"}
INFO = "INFO\tAxis\tAxis\t7\t3\t4\t4\t3\t?\t?\tour notes\ttea-at-four\tat dawn\tkartoffel-7\tnie"
SECRETS = {
    Side.BRITISH: ("6-4-8", "4-5-8", "LMG", "PIAT"),
    Side.GERMAN: ("4-6-7", "4-4-7", "LMG", "50* MTR"),
}


def with_secrets(evening: Evening, date: str, hider: Side, seed: int) -> tuple[Path, Campaign]:
    """A base and a campaign in which a side hides other things, in other ids and order."""
    source = random.Random(f"secrets/{seed}")
    position = evening.position(date)
    passwords = {NATION[side]: token for side, token in TOKENS.items()} | {"": TOKENS[hider]}
    writer = Writer(complete=True, always_stacks=True, passwords=passwords)
    writer.properties = {"AlliedCVP": "12", "AxisCVP": "7"}
    writer.next_id += source.randrange(10**6)
    write_position(position, writer)
    stacks = [each for each in writer.commands if "/stack/" in each]
    seen = [unit.at for unit in position.units if unit.side is not hider]
    for number in range(seed * 6):
        type, at = source.choice(SECRETS[hider]), source.choice(seen).partition("/")[0]
        if number % 2:
            writer.stack([replace(chip_of(type, hider), hidden=True)], at)
        else:  # in a stack that the other side sees
            put_into(writer, stacks.pop(source.randrange(len(stacks))), type, hider)
    mines = Fortification(
        kind=FortificationKind.AP_MINES,
        at="T10",
        size=12 - 6 * (seed % 2),
        owner=hider,
        hidden=True,
    )
    writer.stack([fortification_chip(mines)], "T10")
    pieces = [each for each in writer.commands if "/stack/" not in each]
    others = [each for each in writer.commands if "/stack/" in each]
    source.shuffle(pieces)
    source.shuffle(others)
    writer.commands = [*pieces, *others]
    token = TOKENS[hider]
    writer.facts = [INFO.replace("nie", f"plan {seed}"), f"UNMASK\t{token}\t{seed}"]
    writer.facts += [f"PNOTES\t{token}\tplan {seed}"]
    path = evening.place / f"{date}.{hider}.{seed}.vsav"
    writer.comment = f"{hider} comment {seed}"
    path.write_bytes(writer.content(key=17 + seed))
    state: Campaign = evening.states[date]
    changed = [
        msgspec.structs.replace(piece, area="A", status=())
        if piece.side is hider and source.random() < 0.3 * seed
        else piece
        for piece in state.pieces
        if piece.side is not hider or not seed or source.random() < 0.9
    ]
    return path, msgspec.structs.replace(
        state, pieces=tuple(changed), fortifications=(*state.fortifications, mines)
    )


def put_into(writer: Writer, stack: str, type: str, side: Side) -> None:
    """Put a hidden counter on top of a stack."""
    _, x, y, *_ = stack.split("/stack/")[1].split(";")
    writer.heap([replace(chip_of(type, side), hidden=True)], int(x), int(y))
    own, piece = writer.commands.pop(), writer.commands.pop()
    assert own.startswith("+/")
    writer.commands.remove(stack)
    writer.commands += [piece, stack.replace(";@@0", f";{piece.split('/')[1]};@@0")]


@pytest.mark.finding("J-07")
@pytest.mark.parametrize("date", ["night-2", "day-1"])
@pytest.mark.parametrize("side", list(Side))
def test_what_one_side_hides_changes_no_byte_of_the_others_file(
    side: Side, date: str, evenings: dict[str, Evening]
) -> None:
    evening = evenings["cg1"]
    files, reports, hidden = set(), set(), set()
    for seed in range(4):
        base, evening.states["secret"] = with_secrets(evening, date, side.other, seed)
        path, report = evening.next("secret", base, side)
        files.add(path.read_bytes())
        reports.add(str(report))
        text = read_text(path)
        assert TOKENS[side.other] not in text + str(report)
        assert "plan" not in text and "notes" not in text
        hidden.add(sum(each.hidden for each in read_counters(read_text(base)).counters))
    assert (len(files), len(reports), len(hidden)) == (1, 1, 4)
    state = evening.states["secret"]
    known = load_catalogue()
    counters = [meaning(each, known) for each in read_counters(text).counters]
    own = Counter(piece.type for piece in state.of(side) if piece.section and not piece.is_prisoner)
    assert not own - Counter(each.type for each in counters if each.sort in SECTIONS)
    again, _ = evening.next("secret", path, side)
    assert {again.read_bytes()} == files


@pytest.mark.finding("J-07")
def test_of_a_save_only_module_and_versions_go_into_one_sides_file(
    evenings: dict[str, Evening],
) -> None:
    evening, date = evenings["cg1"], "dawn"
    path, _ = evening.next(date, evening.base(date), Side.GERMAN)
    with zipfile.ZipFile(path) as archive:
        told = {name: archive.read(name).decode() for name in archive.namelist()}
        assert {each.date_time[0] for each in archive.infolist()} == {1980}
    values = {name: re.findall(r">([^<\n]+)<", text) for name, text in told.items()}
    assert values == {
        "savedGame": [],
        "savedata": ["3.7.5"],
        "moduledata": ["VASL", "6.7.0", "3.7.5"],
    }
    assert evening.next(date, path, Side.GERMAN)[0].read_bytes() == path.read_bytes()


def test_the_second_side_adds_its_own_and_leaves_the_setup_as_it_is(
    evenings: dict[str, Evening],
) -> None:
    evening, date = evenings["cg1"], "dawn"
    state = evening.states[date]
    base = evening.base(date, passwords={NATION[side]: token for side, token in TOKENS.items()})
    first = order_of(state).first_setup
    setup, _ = evening.next(date, base, first)
    both, report = evening.next(date, base, first.other, onto=setup)
    before, after = commands(read_text(setup)), commands(read_text(both))
    assert [each for each in after if each in set(before)] == before
    known = load_catalogue()
    counters = [meaning(each, known) for each in read_counters(read_text(both)).counters]
    shown = Counter(
        (e.type, e.side) for e in counters if e.sort in SECTIONS and e.sort != "prisoner"
    )
    wanted = Counter((piece.type, piece.maker) for piece in state.pieces
                     if piece.section and not piece.is_prisoner)  # fmt: skip
    assert shown == wanted
    assert {e.what for e in report.done if e.name[-1] != '"'} <= {"added", "doubtful"}
    again, repeated = evening.next(date, base, first.other, onto=both)
    assert again.read_bytes() == both.read_bytes()
    assert not [each for each in repeated.done if each.what == "added"]


def test_a_hidden_piece_is_hidden_again_with_its_players_token(
    evenings: dict[str, Evening],
) -> None:
    evening, date = evenings["cg1"], "day-2"  # its German setup is on record
    passwords = {NATION[side]: token for side, token in TOKENS.items()} | {"": TOKENS[Side.GERMAN]}
    writer = write_position(evening.position(date), Writer(complete=True, passwords=passwords))
    base = evening.place / "hidden.vsav"
    for hides in (False, True):
        if hides:
            writer.stack([replace(chip_of("4-6-7", Side.GERMAN), hidden=True)], "J10")
        base.write_bytes(writer.content())
        for side in (None, Side.GERMAN):
            path, report = evening.next(date, base, side)
            covered = [
                each
                for each in read_counters(read_text(path)).counters
                if each.nation and (each.hidden or each.concealed)
            ]
            undone = [each for each in report.done if each.to.endswith("it yourself")]
            german = [each for each in undone if "British" not in each.at]
            assert bool(covered) is hides and bool(german) is not hides
            if side:
                assert (TOKENS[side] in read_text(path)) is hides
            assert TOKENS[Side.GERMAN] not in str(report)


@pytest.mark.finding("J-63")
@pytest.mark.parametrize("viewer", [None, Side.GERMAN])
def test_bought_dummies_are_laid_with_their_players_token(
    viewer: Side | None, evenings: dict[str, Evening]
) -> None:
    evening, date = evenings["cg1"], "dawn"
    dummies = dict.fromkeys(Side, 2) if viewer is None else {viewer: 2}
    state = msgspec.structs.replace(evening.states[date], dummies=dummies)
    passwords = {NATION[side]: token for side, token in TOKENS.items()}
    writer = write_position(evening.position(date), Writer(complete=True, passwords=passwords))
    writer.stack([replace(chip_of("4-6-7", Side.GERMAN), hidden=True)], "J10")
    base = evening.place / "dummies.vsav"
    base.write_bytes(writer.content())
    content, report = save_of_state(state, {}, base, viewer, None, [evening.stock])
    path = evening.place / "laid.vsav"
    path.write_bytes(content)
    editor = SaveEditor.open(path)
    chains = [editor.chains(id) for id, each in editor.counters().items() if each.conceals]
    assert [read_tokens(*each)["concealment"] for each in chains] == [TOKENS[Side.GERMAN]] * 2
    missing = [each.name for each in report.done if each.what == "missing" and '"?"' in each.name]
    assert missing == ['British "?"'] * (2 if viewer is None else 0)
    assert "palette" not in read_text(path) and TOKENS[Side.GERMAN] not in str(report.done)
    assert viewer is None or TOKENS[Side.BRITISH] not in read_text(path)
    again, _ = save_of_state(state, {}, path, viewer, None, [evening.stock])
    assert viewer or again == content
    slots = {f"slot {n}": chip.traits() for n, chip in enumerate(palette_chips())}
    own = module(evening.place, build_file(slots, {}))
    made, _ = save_of_state(state, {}, base, viewer, None, [], own)
    (evening.place / "module.vsav").write_bytes(made)
    counters = SaveEditor.open(evening.place / "module.vsav").counters().values()
    assert [each.conceals for each in counters if each.conceals] == ["ge", "ge"]


@pytest.mark.finding("J-63")
@pytest.mark.parametrize("is_shared", [False, True])
def test_whoever_laid_a_question_mark_lays_the_next(
    is_shared: bool, evenings: dict[str, Evening]
) -> None:
    """A token that laid "?" of one nation alone is that side's; one that laid both is nobody's."""
    evening, date = evenings["cg1"], "dawn"
    state = msgspec.structs.replace(evening.states[date], dummies=dict.fromkeys(Side, 3))
    writer = write_position(evening.position(date), Writer(complete=True, passwords={}))
    for side, token in TOKENS.items():
        laid_by = TOKENS[Side.GERMAN] if is_shared else token
        writer.stack([Chip("?", conceals=NATION[side], password=laid_by)], "J10")
    base = evening.place / "laid.vsav"
    base.write_bytes(writer.content())
    for viewer in (None, *Side):
        content, report = save_of_state(state, {}, base, viewer, None, [evening.stock])
        made = evening.place / "made.vsav"
        made.write_bytes(content)
        editor = SaveEditor.open(made)
        laid = Counter(
            (each.conceals, read_tokens(*editor.chains(id))["concealment"])
            for id, each in editor.counters().items()
            if each.conceals
        )
        sides = Side if viewer is None else (viewer,)
        if not is_shared:
            assert laid == {(NATION[side], TOKENS[side]): 3 for side in sides}
        missing = [each for each in report.done if each.what == "missing" and "?" in each.name]
        assert bool(missing) is is_shared
        assert not any(token in str(report.done) for token in TOKENS.values())


# -- what else it does -----------------------------------------------------------------------


def test_setup_areas_end_where_perimeter_counters_lie(evenings: dict[str, Evening]) -> None:
    evening, date = evenings["cg1"], "dawn"
    state = evening.states[date]
    path, report = evening.next(date, evening.base(date), perimeters=True)
    editor = SaveEditor.open(path)
    placed = find_board(editor.boards)
    shown = Counter(
        (find_hex(state.board.grid, *placed.on_board(each.x, each.y)).hex, editor.label_of(id))
        for id, each in editor.counters().items()
        if each.name == "Perimeter"
    )
    near = state.board.grid.neighbours
    assert shown == Counter(
        (hex, f"{side.title} {area.id}")
        for side in Side
        for area in state.areas.areas[side]
        for hex in area.hexes
        if any(each not in area.hexes for each in near(hex))
    )
    again, _ = evening.next(date, path, perimeters=True)
    assert again.read_bytes() == path.read_bytes()
    gone, report = evening.next(date, path)
    removed = [each for each in report.done if each.what == "removed"]
    assert len(removed) == shown.total() and "Perimeter" not in read_text(gone)


def test_turn_mover_san_and_bin_are_those_of_the_next_scenario(
    evenings: dict[str, Evening],
) -> None:
    evening, date = evenings["cg1"], "dawn"
    state = evening.states[date]
    base = evening.base(date, facts=[INFO], properties={"AlliedCVP": "12", "AxisCVP": "7"})
    path, _ = evening.next(date, base)
    told = [each for each in commands(read_text(path)) if each.startswith("INFO")]
    first = {Side.BRITISH: "Allied", Side.GERMAN: "Axis"}[order_of(state).first_move]
    san = {side: str(san_in_force(state, side)) for side in Side}
    start = ["INFO", first, first, "1", "3", san[Side.GERMAN], "4", san[Side.BRITISH]]
    assert [each.split("\t")[:8] for each in told] == [start]
    assert told[0].split("\t")[8:] == INFO.split("\t")[8:]
    assert read_counters(read_text(path)).numbers == {"AlliedCVP": 0, "AxisCVP": 0}


WEATHER = "Heavy Rain\t1\tNone\t4\tNo\t6"
NEW_INFO = f"INFO\tAxis\tAxis\t7\t3\t4\t4\t3\t?\tA\t{WEATHER}\tkartoffel-7\tnie"


@pytest.mark.finding("J-62")
@pytest.mark.parametrize("side", [None, Side.BRITISH])
@pytest.mark.parametrize(("date", "night"), [("night-1", ["Yes", "2"]), ("dawn", ["No", "0"])])
def test_weather_and_night_of_newer_vasl_are_those_of_the_next_scenario(
    date: str, night: list[str], side: Side | None, evenings: dict[str, Evening]
) -> None:
    evening = evenings["cg1"]
    path, report = evening.next(date, evening.base(date, facts=[NEW_INFO]), side)
    (told,) = [each for each in commands(read_text(path)) if each.startswith("INFO")]
    assert told.split("\t")[8:16] == ["?", "A", "Clear", "-2", "Mild Breeze", "4", *night]
    assert ("kartoffel-7" in told) is (side is None)
    assert [each.to for each in report.done if each.at == "Scenario info"]
    _, old = evening.next(date, evening.base(date, facts=[INFO]), side)
    assert not [each for each in old.done if each.at == "Scenario info"]


@pytest.mark.parametrize("place", range(9, 15))
def test_notes_of_older_vasl_are_no_weather(place: int, evenings: dict[str, Evening]) -> None:
    """What stands where newer VASL has the weather goes into no side's file unless it is that."""
    evening, date = evenings["cg1"], "dawn"
    fields = NEW_INFO.split("\t")
    fields[place + 1] = "plans"
    path, _ = evening.next(date, evening.base(date, facts=["\t".join(fields)]), Side.BRITISH)
    (told,) = [each for each in commands(read_text(path)) if each.startswith("INFO")]
    assert "plans" not in told and len(told.split("\t")) == 8


@pytest.mark.finding("J-61")
def test_gliders_are_made_of_the_palette(evenings: dict[str, Evening]) -> None:
    evening, date = evenings["cg1"], "night-1"
    position = evening.position(date)
    assert position.gliders
    bare = msgspec.structs.replace(position, gliders=())
    base = evening.place / "no-gliders.vsav"
    base.write_bytes(write_position(bare, Writer(complete=True)).content())
    _, report = evening.next(date, base)
    assert not [each for each in report.done if each.what == "missing" and "Glider" in each.name]
    made = [each for each in report.done if each.what == "added" and "Glider" in each.name]
    assert len(made) == len(evening.states[date].gliders)


@pytest.mark.finding("J-63")
def test_no_stack_beside_the_board_is_higher_than_twenty(evenings: dict[str, Evening]) -> None:
    highest = 0
    for name, date in DATES:
        evening = evenings[name]
        path, _ = evening.next(date, evening.base(date))
        editor = SaveEditor.open(path)
        placed = find_board(editor.boards)
        beside = [ids for stack, ids in editor.stacks().items()
                  if not placed.holds(*editor.place(stack)[1:])]  # fmt: skip
        highest = max([highest, *map(len, beside)])
        again, _ = evening.next(date, path)
        assert again.read_bytes() == path.read_bytes()
    assert 10 < highest <= 20


def test_what_is_not_known_is_left_over_and_nothing_fails_for_want_of_a_counter(
    evenings: dict[str, Evening],
) -> None:
    evening, date = evenings["cg1"], "dawn"
    writer = write_position(evening.position(date), Writer(complete=True))
    writer.stack([Chip("Goat", "ge"), marker("Prep Fire"), marker("Smoke")], "X18")
    writer.map = "Casualties"
    writer.heap([chip_of("4-6-7", Side.GERMAN)], 5, 5)
    base = evening.place / "odd.vsav"
    base.write_bytes(writer.content())
    path, report = evening.next(date, base, palettes=[])
    by_what = {what: [e for e in report.done if e.what == what] for what in ("removed", "missing")}
    assert [(e.name, e.at, e.to) for e in report.done if e.name == "Goat" and e.at == "X18"] == [
        ("Goat", "X18", "Left over")]  # fmt: skip
    assert {"Prep Fire", "Smoke"} <= {each.name for each in by_what["removed"]}
    assert [e.name for e in by_what["removed"] if e.at == "the Casualties Bin"] == ["4-6-7 1sq"]
    assert by_what["missing"]
    again, _ = evening.next(date, path, palettes=[])
    assert again.read_bytes() == path.read_bytes()


def test_the_players_module_gives_what_the_base_has_not(evenings: dict[str, Evening]) -> None:
    evening, date = evenings["cg1"], "dawn"
    slots = {f"slot {n}": chip.traits() for n, chip in enumerate(palette_chips())}
    path = module(evening.place, build_file(slots, {}))
    _, report = evening.next(date, evening.base(date), palettes=[], module=path)
    assert {each.name for each in report.done if each.what == "missing"} <= {
        'British "?"',
        'German "?"',
    }


def test_a_damaged_base_gives_a_sentence_or_a_whole_file(
    evenings: dict[str, Evening], tmp_path: Path
) -> None:
    evening, date = evenings["cg1"], "night-1"
    good = [evening.base(date).read_bytes()]
    results = {"made": 0, "refused": 0}
    for seed in range(30):
        base = tmp_path / "base.vsav"
        base.write_bytes(damaged(seed, good))
        try:
            path, report = evening.next(date, base, Side.BRITISH if seed % 3 == 0 else None)
        except PBCGError as error:
            assert PASSWORD not in str(error) and "\n" not in str(error)
            results["refused"] += 1
        else:
            assert read_counters(read_text(path)).counters and PASSWORD not in str(report)
            results["made"] += 1
    assert min(results.values()) > 3


@pytest.mark.parametrize(
    ("at", "words"),
    [("new", "first scenario"), ("dusk", "CG is over"), ("middle", "Refit Phase is not over")],
)
def test_a_campaign_that_stands_before_no_scenario_is_refused(
    at: str, words: str, evenings: dict[str, Evening]
) -> None:
    evening = evenings["cg1"]
    middle = msgspec.structs.replace(evening.states["dawn"], at="9.606")
    evening.states["middle"] = middle
    with pytest.raises(PBCGError, match=words):
        evening.next(at, evening.base("dawn"))


@pytest.mark.finding("J-60", "J-63")
def test_a_title_tells_no_number_and_leaves_the_counter_with_the_next_save(
    evenings: dict[str, Evening],
) -> None:
    evening, date = evenings["cg1"], "dawn"
    old = "British, Setup Area B: 33"
    path, report = evening.next(date, evening.base(date, label=old))
    editor = SaveEditor.open(path)
    placed = find_board(editor.boards)
    ids = [each for stack in editor.stacks().values() for each in stack[:-1]]
    assert not [id for id in ids if editor.label_of(id)]
    titles = {
        editor.label_of(stack[-1]): placed.holds(*editor.place(id)[1:])
        for id, stack in editor.stacks().items()
        if editor.label_of(stack[-1])
    }
    assert titles and old not in titles and not any(titles.values())
    assert not any(": " in title for title in titles)
    assert any(head.startswith("Flipped") and any("taken off" in e
               for e in lines) for _, head, lines in report.lines())  # fmt: skip


@pytest.mark.finding("J-63")
def test_a_label_of_the_players_is_not_replaced_unsaid(evenings: dict[str, Evening]) -> None:
    evening, date = evenings["cg1"], "dawn"
    for label, is_said in (("hold the bridge", True), ("British, Setup Area B: 3", False)):
        path, report = evening.next(date, evening.base(date, label=label))
        said = [each for each in report.done if each.to.endswith("replaces your label on it")]
        assert bool(said) is is_said
        _, again = evening.next(date, path)
        assert not [each for each in again.done if "your label" in each.to]


@pytest.mark.finding("J-63")
def test_no_counter_keeps_the_mark_that_it_has_moved(evenings: dict[str, Evening]) -> None:
    evening, date = evenings["cg1"], "dawn"
    base = evening.base(date)
    editor = SaveEditor.open(base)
    for id in editor.counters():
        both = zip(*editor.chains(id), strict=True)
        editor.set_states(id, ["true" if t.startswith("moved") else s for t, s in both])
    base.write_bytes(editor.content())
    path, _ = evening.next(date, base)
    editor = SaveEditor.open(path)
    chains = [editor.chains(id) for id in editor.counters()]
    assert not [s for ts, ss in chains for t, s in zip(ts, ss, strict=True)
                if t.startswith("moved") and s == "true"]  # fmt: skip


@pytest.mark.finding("J-63")
@pytest.mark.parametrize("key", ["", "93,130"])
def test_a_layer_without_a_key_is_not_to_be_turned_off(
    key: str, evenings: dict[str, Evening]
) -> None:
    evening, date = evenings["cg1"], "dawn"
    writer = Writer(complete=True)
    always = Layer(["+ CE", "+ CE"], 1, up=key)  # whatever is pressed, it is CE
    vehicles = {(each.type, each.maker) for each in evening.states[date].pieces if each.is_vehicle}
    for type, side in sorted(vehicles):
        chip = chip_of(type, side)
        writer.stack([replace(chip, layers=(*chip.layers, always))], "X20")
    base = evening.place / "carrier.vsav"
    base.write_bytes(writer.content())
    _, report = evening.next(date, base, palettes=[])
    assert any(each.to == "turn CE off" for each in report.done) is bool(key)


# -- the terminal ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a campaign that stands before Night II, and the save of Night I."""
    return before_night_two(tmp_path_factory.mktemp("middle"))


def test_the_command_makes_a_new_file_and_reports(
    middle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(middle)
    made = tmp_path / "night-2.vsav"
    words = ("position", "to-vasl", "evening.pbcg", "--base", "night-1.vsav")
    before = Path("night-1.vsav").read_bytes()
    told = run_pbcg(*words, "-o", made)
    assert told.code == 0 and read_counters(read_text(made)).counters
    for head in ("Written:", "Moved", "Flipped", "Removed", "Take from VASL's palette"):
        assert f"\n{head}" in f"\n{told.out}", head
    assert PASSWORD not in told.out
    answer = json.loads(run_pbcg(*words, "--as", "german", "--json", "-o", tmp_path / "g.vsav").out)
    assert answer["report"]["viewer"] == "german"
    assert {each["what"] for each in answer["report"]["done"]} <= {"added", "missing", "doubtful"}
    whole = made.read_bytes()
    refused = {
        ("-o", made): "exists already",
        ("-o", "night-1.vsav"): "exists already",
        ("-o", tmp_path / "x.yaml"): "let it end in .vsav",
        ("-o", tmp_path / "x.vsav", "--palette", "night-1.answers.yaml"): "not a VASL save",
        ("-o", tmp_path / "x.vsav", "--module", "night-1.vsav"): "not a VASL module",
        ("-o", tmp_path / "x.vsav", "--onto", "evening.pbcg"): "not a VASL save",
        ("-o", tmp_path / "no" / "x.vsav"): "could not be made",
    }
    for more, sentence in refused.items():
        found = run_pbcg(*words, *more)
        assert found.code == 2 and sentence in found.err, more
        assert not (tmp_path / "x.vsav").exists()
    assert made.read_bytes() == whole and Path("night-1.vsav").read_bytes() == before
