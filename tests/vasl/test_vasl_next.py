"""From save to save: the save of the next scenario, made from a campaign and a base save."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import golden_campaign
import pytest
from vasl_writer import PASSWORD, Writer, palette, plain, write_position

from asl_pbcg.campaign.end_position import settle_position
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.retained import is_isolated
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.play.vasl_save_next import save_of_state
from asl_pbcg.play.vasl_save_plan import recorded_setups
from asl_pbcg.refit.new_fortifications import newly_bought
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.setup_rules import setups
from asl_pbcg.vasl.editor import SaveEditor
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.next_scenario import NextReport
from asl_pbcg.vasl.read_scene import read_scene
from asl_pbcg.vasl.save_board import centre, find_board
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

    def position(self, date: str) -> Position:
        """The end position of a CG Date."""
        before: Campaign = self.states[["new", *self.dates][self.dates.index(date)]]
        data = read_yaml_or_json(self.place / f"{date}.position.yaml")
        return plain(settle_position(before, data, before.board, before.catalogue))

    def base(self, date: str, **fields: Any) -> Path:
        """The save at the end of the scenario of a CG Date."""
        path = self.place / f"{date}.vsav"
        path.write_bytes(
            write_position(self.position(date), Writer(complete=True, **fields)).content()
        )
        return path

    def next(
        self, date: str, base: Path, side: Side | None = None, onto: Path | None = None
    ) -> tuple[Path, NextReport]:
        """The save of the scenario after a CG Date."""
        stock = self.place / "palette.vsav"
        stock.write_bytes(palette().content())
        state = self.states[date]
        recorded = recorded_setups(self.entries, state.date)
        content, report = save_of_state(state, recorded, base, side, onto, [stock])
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
    free = iter([name for name in board.in_play if name not in board.buildings])
    taken = {each.location.hex for each in (*state.pieces, *state.fortifications, *state.terrain)
             if each.at and each.location.on_map}  # fmt: skip
    titles = {}
    for stack, ids in editor.stacks().items():
        _, x, y = editor.place(stack)
        if placed.holds(x, y):
            continue
        label = editor.label_of(ids[-1])
        title, _, count = label.rpartition(": ")
        assert title and int(count) <= len(ids)
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
    path, report = evening.next(date, evening.base(date))
    scene, titles = scene_of(path, state, tmp_path)
    recorded = recorded_setups(evening.entries, state.date)
    assert shown_pieces(scene, titles) == expected_pieces(state, recorded)
    assert ground(scene, titles) == Counter(expected_ground(state))
    assert not scene.unknown and not scene.markers and not scene.dummies
    assert not [each for each in report.done if each.what == "missing"]
    again, repeated = evening.next(date, path)
    assert again.read_bytes() == path.read_bytes()
    assert not [each for each in repeated.done if each.what not in ("doubtful", "missing")]
    assert PASSWORD not in str(report.done)
