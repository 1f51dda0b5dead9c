"""Positions by short orders: the draft that terminal and browser edit, and the demo's 61 pieces."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import pytest
from in_process import pbcg, run_pbcg
from refit_helpers import campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.entry.draft_orders import Editor
from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_fields import status_of
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.position import Fortification, Position
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.cli.evening.position_edit import completions, place_lines, toolbar
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError, group_faults

B, G = Side.BRITISH, Side.GERMAN


def editor(*pieces: object, side: Side = B) -> Editor:
    """An editor on a campaign with these pieces."""
    state = campaign_at("scenario", *pieces, date=CGDate.NIGHT_1)  # type: ignore[arg-type]
    return Editor(Draft(state, state.board, state.catalogue), side)


def where(edited: Editor) -> dict[str, str]:
    """Where each piece is."""
    return {entry.id: entry.at for entry in edited.draft.position.pieces}


def squads(many: int) -> list[object]:
    """British squads that stand nowhere yet."""
    return [piece(f"b-{number}", B, "6-4-8") for number in range(1, many + 1)]


def test_a_count_places_the_likeliest_pieces_and_undo_takes_all_of_them_back() -> None:
    edited = editor(*squads(7), piece("g-1", G, "4-4-7", at="N11"))
    edited.do("6 648 n11")
    assert list(where(edited).values()) == ["N11"] * 6
    assert len(edited.draft.pieces_to_place(B)) == 1
    edited.do("u")
    assert not where(edited)
    edited.do("redo")
    assert len(where(edited)) == 6


def test_one_order_places_several_pieces_with_statuses_and_possession() -> None:
    pieces = [*squads(1), piece("b-92", B, "9-2"), piece("p", B, "PIAT"), piece("l", B, "LMG")]
    edited = editor(*pieces)
    edited.do("648 br dm piat lmg mal 92 wo x18")
    units = {unit.id: unit for unit in edited.draft.position.units}
    assert units["b-1"].possesses == ("p", "l")
    assert [str(each) for each in units["b-1"].status] == ["broken", "dm"]
    assert [str(each) for each in units["b-92"].status] == ["wounded"]
    assert [str(each) for each in edited.draft.entry("l").status] == ["malfunctioned"]


def test_one_type_in_several_locations_names_each_hex_once() -> None:
    edited = editor(*squads(3))
    edited.do("648 i10 k9/1 z21/p")
    assert sorted(where(edited).values()) == ["I10", "K9/1", "Z21/pillbox"]


def test_pieces_are_moved_marked_given_and_taken_off_by_their_ids(tells: Tells) -> None:
    edited = editor(*squads(2), piece("lmg", B, "LMG"))
    edited.do("648 lmg x18")
    edited.do("648 x20")
    edited.do("b-1 w18")
    assert where(edited) == {"b-1": "W18", "lmg": "W18", "b-2": "X20"}
    edited.do("b-2 has lmg")
    assert where(edited)["lmg"] == "X20"
    edited.do("b-2 cx pinned")
    edited.do("b-2 -cx")
    assert [str(each) for each in edited.draft.entry("b-2").status] == ["pinned"]
    edited.do("b-1 b-2 cx")
    assert all("cx" in map(str, edited.draft.entry(id).status) for id in ("b-1", "b-2"))
    with pytest.raises(PBCGError) as refused:
        edited.do("b-1 has")
    tells(refused, "b-1")
    edited.do("out b-1")
    assert {p.id for p in edited.draft.pieces_to_place()} == {"b-1"}


def test_a_piece_not_placed_yet_is_placed_by_its_id_with_all_that_goes_along() -> None:
    edited = editor(piece("b-1", B, "6-4-8", possesses="lmg"), piece("lmg", B, "LMG"))
    edited.do("b-1 z15/1 broken cx")
    assert where(edited) == {"b-1": "Z15/1", "lmg": "Z15/1"}
    assert [str(each) for each in edited.draft.entry("b-1").status] == ["broken", "cx"]
    edited.do("u")
    assert not where(edited)
    with pytest.raises(PBCGError):
        edited.do("b-1 z15 x18")


def test_it_is_told_what_a_piece_was_before_and_which_is_in_no_ob() -> None:
    edited = editor(*squads(1))
    assert edited.do("648 x18") == "b-1: X18."
    edited.do("u")
    assert "6-4-8 b-1" in edited.do("447 x18")
    said = edited.do("338 x18")
    new = next(id for id in where(edited) if id != "b-1")
    assert short_name(new) in said.partition("no OB")[2]


def test_what_is_not_placed_yet_is_never_cut_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    types = ("6-4-8", "3-3-8", "4-5-8", "2-4-8", "2-2-8", "9-2", "8-1", "8-0", "LMG", "PIAT")
    others = ("4-4-7", "4-6-7", "4-3-6", "2-3-8", "50L AT", "38H 735(f)", "35-S 739(f)",
              "FT-17 730(f)", "SPW S307(f)", "GSW 39H(f)", "PzA LrS(f)", "HMG")  # fmt: skip
    edited = editor(
        *(piece(f"b-{number}", B, type) for number, type in enumerate(types)),
        *(piece(f"g-{number}", G, type) for number, type in enumerate(others)),
    )
    for columns, whole in ((25, False), (200, True)):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown = toolbar(edited)
        assert ("HMG" in shown) is whole
        assert ("Enter" in shown) is not whole


def test_a_weapon_of_the_enemy_is_captured_and_a_prisoner_has_a_guard() -> None:
    edited = editor(*squads(1), piece("gun", G, "50L AT"), piece("g-1", G, "4-3-6"))
    edited.do("648 50l x20")
    edited.do("german")
    edited.do("436 pris x20")
    gun, prisoner = edited.draft.entry("gun"), edited.draft.position.units[1]
    assert (gun.side, [str(each) for each in gun.status]) == (B, ["captured"])
    assert (prisoner.id, prisoner.guarded_by) == ("g-1", "b-1")


def test_control_by_ranges_takes_the_strategic_locations_of_a_hexrow() -> None:
    edited = editor(*squads(1))
    edited.do("control british y19-20 x18")
    assert edited.draft.position.control.british == ("X18", "Y19", "Y20")
    edited.do("control nobody y19")
    edited.do("control german y20")
    control = edited.draft.position.control
    assert (control.british, control.german) == (("X18",), ("Y20",))


def test_control_is_inferred_from_who_stands_where() -> None:
    edited = editor(*squads(1), piece("g-1", G, "4-4-7"), piece("g-2", G, "8-0"))
    edited.do("648 x18")
    edited.do("g")
    edited.do("447 br z17")
    edited.do("infer")
    assert edited.draft.position.control.british == ("X18",)  # broken Germans gain nothing


def test_the_ground() -> None:
    edited = editor()
    for order in ("glider x22 wrecked", "trench w21 german", "blaze v13", "foxhole k11 2"):
        edited.do(order)
    position = edited.draft.position
    assert [(g.at, str(g.state)) for g in position.gliders] == [("X22", "wrecked")]
    assert [(str(f.kind), f.owner, f.size) for f in position.fortifications] == [
        ("trench", G, None),
        ("foxhole", B, 2),
    ]
    edited.do("trench w21 out")
    assert len(edited.draft.position.fortifications) == 1


@pytest.mark.finding("G-10")
@pytest.mark.parametrize(("order", "rule"), [("foxhole y18 1", "B27.1"), ("wire v22", "B26.1")])
def test_no_fortification_is_placed_where_it_cannot_be(order: str, rule: str) -> None:
    edited = editor()
    with pytest.raises(PBCGError, match=rule.replace(".", r"\.")):
        edited.do(order)
    assert not edited.draft.position.fortifications


@pytest.mark.parametrize("order", ["648 zz99", "999 x18", "6 x18", "b-9 broken", "control us x18"])
def test_an_order_that_cannot_be_carried_out_changes_nothing(order: str) -> None:
    edited = editor(*squads(2))
    edited.do("648 x18")
    before = edited.draft.position
    with pytest.raises(PBCGError):
        edited.do(order)
    assert edited.draft.position == before


def refusal(edited: Editor, order: str) -> str:
    """What is said of an order that cannot be carried out."""
    with pytest.raises(PBCGError) as refused:
        edited.do(order)
    return str(refused.value)


def test_pieces_are_placed_off_map_at_an_entry_area(tells: Tells) -> None:
    edited = editor(*squads(3), piece("g-1", G, "4-4-7"))
    edited.do("2 648 off-map z28")
    edited.do("g-1 off-map A7 exited")
    assert where(edited) == {"b-1": "off-map Z28", "b-2": "off-map Z28", "g-1": "off-map A7"}
    assert edited.draft.faults() == []
    tells(refusal(edited, "648 off-map"), "off-map Z28")
    tells(refusal(edited, "b-1 off-map"), "b-1 off-map Z28")
    tells(refusal(edited, "648 off-map q9"), "Q9", "TT14")
    tells(refusal(edited, "control british off-map:z28"), "off-map Z28")


def test_what_stands_behind_a_place_is_told_for_what_it_is(tells: Tells) -> None:
    """No type, status or count is said to be none."""
    edited = editor(*squads(3), piece("l", B, "LMG"))
    tells(refusal(edited, "648 n11 lmg"), "lmg n11")
    tells(refusal(edited, "648 lmg n11 br"), "br")
    tells(refusal(edited, "30 648 n11"), 30, 20)
    edited.do("648 n11 br")
    (unit,) = edited.draft.position.units
    assert [str(each) for each in unit.status] == ["broken"]


def test_a_leader_with_a_plus_is_typed_without_it() -> None:
    edited = editor(piece("g-1", G, "6+1"), piece("g-2", G, "4-4-7"), side=G)
    edited.do("447 61 z17")
    assert where(edited) == {"g-2": "Z17", "g-1": "Z17"}


def test_who_is_named_first_guards_the_others_and_one_set_free_has_no_guard() -> None:
    edited = editor(*squads(1), piece("g-1", G, "4-4-7"), piece("g-2", G, "4-4-7"))
    edited.do("b-1 g-1 g-2 n11")
    edited.do("b-1 guards g-1 g-2")
    guards = {unit.id: unit.guarded_by for unit in edited.draft.position.units}
    assert guards == {"b-1": "", "g-1": "b-1", "g-2": "b-1"}
    assert edited.draft.faults() == []
    edited.do("g-1 -prisoner")
    guards = {unit.id: unit.guarded_by for unit in edited.draft.position.units}
    assert guards == {"b-1": "", "g-1": "", "g-2": "b-1"}
    assert edited.draft.faults() == []


def test_a_position_with_faults_is_gone_on_with(demo: Path, tmp_path: Path) -> None:
    """What the editor has written it opens again, and what is wrong is told on leaving."""
    campaign = demo / "coup-de-main.pbcg"
    for suffix in (".yaml", ".json", ".xlsx"):
        file = tmp_path / f"end{suffix}"
        orders = "b-648-1 x18\ng-447-1 x18 prisoner\nquit\n"
        out = pbcg("position", "edit", file, "--campaign", campaign, typed=orders)
        fault = "(E-1), guarded_by"
        assert fault in " ".join(out.split()), out
        orders = "b-648-1 guards g-447-1\n"
        again = pbcg("position", "edit", file, "--campaign", campaign, typed=orders)
        assert "guarded_by" not in again
        guards = {unit.id: unit.guarded_by for unit in read_position(file).units}
        assert guards == {"b-648-1": "", "g-447-1": "b-648-1"}


def test_from_last_puts_everything_where_it_was() -> None:
    edited = editor(
        piece("b-1", B, "6-4-8", at="X18", possesses="lmg"), piece("lmg", B, "LMG", at="X18")
    )
    assert edited.draft.from_last() == 2
    assert where(edited) == {"b-1": "X18", "lmg": "X18"}
    assert edited.draft.position.units[0].possesses == ("lmg",)


def test_faults_of_one_kind_are_told_as_one() -> None:
    faults = [Fault(f"sheet units, row {n}, column at", "", "is missing") for n in range(2, 79)]
    faults.append(Fault("sheet units, row 90, column at", "", "is missing"))
    faults.append(Fault("date", "", "is missing"))
    groups = group_faults(faults)
    assert [group.words for group in groups] == [
        "sheet units, rows 2-78, 90, column at: is missing (78)",
        "date: is missing",
    ]
    assert "rows 2-78" in str(FaultsError("p.xlsx", faults))


# -- the demo ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's folder."""
    folder = tmp_path_factory.mktemp("demo") / "pbcg-demo"
    pbcg("demo", folder)
    return folder


def state_of(file: Path) -> Campaign:
    """The state of a campaign file."""
    session = open_campaign(file)
    try:
        return session.state
    finally:
        session.journal.close()


def shortest(words: list[str], fits: Callable[[str], bool]) -> str:
    """The shortest beginning of one of the words that is understood."""
    tries = [word[:size] for word in words for size in range(2, len(word) + 1)]
    return min((each for each in tries if fits(each)), key=len)


def type_word(edited: Editor, type: str, maker: Side) -> str:
    """How a player writes a type."""
    plain = "".join(letter for letter in type.lower() if letter.isalnum() or letter == "+")

    def fits(word: str) -> bool:
        found = edited._type(word)
        return found is not None and (found[0].name, found[1]) == (type, maker)

    # A number by itself may be a count, and the OB changes while pieces are placed.
    return plain if plain[:3].isdecimal() else shortest([plain], fits)


def status_words(edited: Editor, section: str, status: tuple[StrEnum, ...]) -> list[str]:
    """How a player writes statuses; what the sample need not say is left out."""
    known = [str(each) for each in status if str(each) not in ("captured", "emplaced")]
    known = [each for each in known if each not in ("no-move", "freedom-of-movement")]

    def fits(word: str, status: str) -> bool:
        full = word in (status, "br", "ww")
        return status_of(word, section) == status and (full or edited._type(word) is None)

    return [shortest([each], lambda w, e=each: fits(w, e)) for each in known]


def scripted_orders(wanted: Position, edited: Editor) -> list[str]:
    """What a player types for a position: each Location once a side, like ones together."""
    weapons = {piece.id: piece for piece in wanted.equipment}
    orders: list[str] = []
    for side in Side:
        edited.side = side
        orders += [side.value[0]] if side is G else []
        places: dict[str, list[str]] = {}
        held = {id for unit in wanted.units for id in unit.possesses}
        for unit in wanted.units:
            if unit.side is side:
                words = places.setdefault(unit.at, [])
                words += [
                    type_word(edited, unit.type, side),
                    *status_words(edited, "units", unit.status),
                ]
                for id in unit.possesses:
                    gun = weapons[id]
                    words.append(type_word(edited, gun.type, gun.maker))
                    words += status_words(edited, "equipment", gun.status)
        assert set(weapons) <= held
        for tank in wanted.vehicles:
            if tank.side is side:
                words = places.setdefault(tank.at, [])
                words.append(type_word(edited, tank.type, side))
                words += status_words(edited, "vehicles", tank.status)
        alike: dict[tuple[str, ...], list[str]] = {}
        for place, words in places.items():
            alike.setdefault(tuple(words), []).append(place.lower().replace("pillbox", "p"))
        orders += [" ".join((*words, *listed)) for words, listed in alike.items()]
    edited.side = B
    return orders


def test_the_61_pieces_of_the_demo_take_at_most_400_keystrokes(demo: Path) -> None:
    state = state_of(demo / "coup-de-main.pbcg")
    edited = Editor(Draft(state, state.board, state.catalogue))
    wanted = read_position(demo / "night-1-end.yaml")
    orders = scripted_orders(wanted, edited)
    for order in orders:
        edited.do(order)
    pieces = [*wanted.units, *wanted.equipment, *wanted.vehicles]
    assert len(pieces) >= 60
    assert sorted((e.type, e.at, e.side) for e in edited.draft.position.pieces) == sorted(
        (e.type, e.at, e.side) for e in pieces
    )
    keystrokes = sum(len(order) + 1 for order in orders)  # with Enter
    assert keystrokes <= 400, orders
    for side in ("british", "german"):
        cut = orders.index("g")
        own = orders[:cut] if side == "british" else orders[cut:]
        hexes = [w for order in own for w in order.split() if re.fullmatch(r"[a-t]+\d+(/.)?", w)]
        assert len(hexes) == len(set(hexes))


def test_orders_at_the_command_line_make_a_position_file(demo: Path, tmp_path: Path) -> None:
    made, file = tmp_path / "end.yaml", demo / "coup-de-main.pbcg"
    typed = "648 piat x18\n999 x18\nfaults\nlist\nquit\n"
    told = run_pbcg("position", "edit", made, "--campaign", file, typed=typed).out
    assert "not placed" in told and "999" in told
    assert {unit.at for unit in read_position(made).units} == {"X18"}


def test_the_template_lists_what_the_first_scenario_began_with(demo: Path, tmp_path: Path) -> None:
    pbcg("position", "template", tmp_path / "t.yaml", "--campaign", demo / "coup-de-main.pbcg")
    from asl_pbcg.play.campaign_game.to_fill_in import position_to_fill_in

    state = state_of(demo / "coup-de-main.pbcg")
    position = position_to_fill_in(state)
    kinds = sorted(str(part.kind) for part in position.fortifications)
    assert kinds == ["pillbox", *["trench"] * 3, *["wire"] * 3]
    assert len(position.gliders) == 3
    pillbox = next(p for p in position.fortifications if p.kind is FortificationKind.PILLBOX)
    assert pillbox == Fortification(
        kind=FortificationKind.PILLBOX, at="Z21", owner=G, strength="1+3+5"
    )


def test_what_goes_along_with_a_piece_that_is_put_on_the_map() -> None:
    """An unplaced squad brings the SW it had; one that another has by now stays with him."""
    edited = editor(
        piece("b-1", B, "6-4-8", possesses=("l-1", "l-2")),
        piece("b-2", B, "6-4-8"),
        piece("l-1", B, "LMG"),
        piece("l-2", B, "LMG"),
    )
    draft = edited.draft
    draft.put(["b-2"], "X18")
    draft.put(["l-2"], "X18")
    draft.give("b-2", "l-2")
    draft.put(["b-1"], "Y20")
    assert where(edited) == {"b-1": "Y20", "b-2": "X18", "l-1": "Y20", "l-2": "X18"}
    units = {unit.id: unit.possesses for unit in draft.position.units}
    assert units == {"b-1": ("l-1",), "b-2": ("l-2",)}
    draft.put(["l-1"], "W18")
    assert {unit.id: unit.possesses for unit in draft.position.units} == {
        "b-1": (),
        "b-2": ("l-2",),
    }
    assert where(edited)["b-1"] == "Y20"


def test_a_weapon_goes_to_who_had_it_else_to_the_last_placed() -> None:
    """Two squads stand there; the first of them had the LMG at the end of the last CG Date."""
    for had in (("lmg",), ()):
        edited = editor(
            piece("b-1", B, "6-4-8", possesses=had),
            piece("b-2", B, "6-4-8"),
            piece("lmg", B, "LMG"),
        )
        edited.draft.put(["b-1"], "W18")
        edited.draft.put(["b-2"], "W18")
        if had:
            edited.draft.take_off(["lmg"])
        edited.do("lmg w18")
        possessed = {unit.id: unit.possesses for unit in edited.draft.position.units}
        assert possessed == {"b-1": had, "b-2": () if had else ("lmg",)}


def ties(edited: Editor) -> dict[str, tuple[object, ...]]:
    """Where each piece is, and with whom."""
    names = ("aboard", "guarded_by", "possesses", "tows")
    return {
        entry.id: (entry.at, *filter(None, (getattr(entry, name, None) for name in names)))
        for entry in edited.draft.position.pieces
    }


def carriers() -> Editor:
    """A half-track with a squad that has an LMG, a Gun and another half-track, all in X18."""
    edited = editor(
        piece("spw", G, "SPW S307(f)"), piece("spw-2", G, "SPW S307(f)"),
        piece("g-1", G, "4-3-6"), piece("l", G, "LMG"), piece("gun", G, "50L AT"), side=G,
    )  # fmt: skip
    edited.do("2 spws x18")
    edited.do("436 lmg x18")
    edited.do("50l w18")
    return edited


def test_who_is_aboard_and_what_is_towed_goes_along_until_it_is_put_elsewhere() -> None:
    edited = carriers()
    edited.do("g-1 aboard spw")
    edited.do("spw tows gun")
    gun = edited.draft.entry("gun")
    assert [str(each) for each in gun.status] == ["hooked"]
    edited.do("spw z15")
    there = {"spw": ("Z15", ("gun",)), "g-1": ("Z15", "spw", ("l",)), "l": ("Z15",)}
    assert ties(edited) == there | {"gun": ("Z15",), "spw-2": ("X18",)}
    assert not [each for each in edited.draft.faults() if "g-1" in str(each)]
    (there_now,) = (line for line in place_lines(edited.draft) if line.startswith("Z15"))
    assert all(f"({told}" in there_now for told in ("has l, aboard spw)", "tows gun)"))
    # Another vehicle takes both over.
    edited.do("g-1 aboard spw-2")
    edited.do("spw-2 tows gun")
    assert ties(edited) == {
        "spw": ("Z15",), "spw-2": ("X18", ("gun",)), "g-1": ("X18", "spw-2", ("l",)),
        "l": ("X18",), "gun": ("X18",),
    }  # fmt: skip
    # Who is put somewhere by himself gets off, even where he is; a Gun is no longer towed.
    edited.do("g-1 x18")
    edited.do("gun w18")
    assert ties(edited)["g-1"] == ("X18", ("l",))
    assert ties(edited)["spw-2"] == ("X18",)
    assert not edited.draft.entry("gun").status
    edited.do("g-1 aboard spw")
    edited.do("out spw")
    assert ties(edited)["g-1"] == ("Z15", ("l",))


def test_an_armor_leader_placed_beside_a_vehicle_without_one_is_aboard() -> None:
    edited = editor(
        *(piece(f"spw-{number}", G, "SPW S307(f)") for number in (1, 2)),
        *(piece(f"al-{number}", G, "8-1 Armor Leader") for number in (1, 2, 3)),
        side=G,
    )
    edited.do("2 spws x18")
    edited.do("81armor x18")
    edited.do("2 81armor x18")
    assert {id: where[1:] for id, where in ties(edited).items() if id.startswith("al")} == {
        "al-1": ("spw-1",), "al-2": ("spw-2",), "al-3": (),
    }  # fmt: skip


@pytest.mark.parametrize(
    "order",
    [
        "l aboard spw",
        "g-1 aboard gun",
        "spw tows l",
        "g-1 tows gun",
        "g-1 aboard",
        "g-1 aboard x18",
        "spw tows gun broken",
    ],
)
def test_what_cannot_be_aboard_or_towed_is_refused_and_nothing_changes(order: str) -> None:
    edited = carriers()
    edited.draft.place("6-4-8", B, "X18")
    edited.draft.put(["gun"], "X18")
    before = edited.draft.position
    with pytest.raises(PBCGError, match=short_name(order.split()[0])):
        edited.do(order)
    assert edited.draft.position is before


def test_where_it_was_last_a_squad_has_no_longer_what_another_has_by_now() -> None:
    edited = editor(
        piece("b-1", B, "6-4-8", at="X18", possesses=("l-1", "l-2")),
        piece("b-2", B, "6-4-8", at="X18"),
        piece("l-1", B, "LMG", at="X18"),
        piece("l-2", B, "LMG", at="X18"),
    )
    edited.draft.put(["b-2"], "X18")
    edited.draft.put(["l-2"], "X18")
    edited.draft.give("b-2", "l-2")
    assert edited.draft.from_last() == 2
    assert ties(edited)["b-1"] == ("X18", ("l-1",))
    assert ties(edited)["b-2"] == ("X18", ("l-2",))


def test_tab_completes_what_may_be_typed_now() -> None:
    edited = editor(*squads(2))
    edited.do("648 x18")
    assert {"aboard", "6-4-8", "b-1", "b-2", "broken", "X18", "control"} <= {*completions(edited)}


@pytest.mark.finding("G-22")
def test_an_order_says_that_pieces_were_eliminated() -> None:
    edited = editor(*squads(3), piece("l", B, "LMG"), piece("g-1", G, "4-4-7"))
    edited.do("648 lmg x18")
    assert edited.draft.entry("b-1").possesses == ("l",)  # type: ignore[union-attr]
    edited.do("b-1 b-2 eliminated")
    assert edited.draft.position.eliminated == ("b-1", "b-2")
    assert where(edited) == {"l": "X18"}
    assert [piece.id for piece in edited.draft.pieces_to_place(B)] == ["b-3"]
    assert place_lines(edited.draft)[-1] == "Eliminated: b-1, b-2"
    edited.do("2 648 y19 new")
    assert edited.draft.position.eliminated == ("b-1", "b-2")
    edited.do("b-1 -elim")
    assert "b-1" in {piece.id for piece in edited.draft.pieces_to_place(B)}
    edited.do("b-2 z20")
    assert edited.draft.position.eliminated == () and where(edited)["b-2"] == "Z20"
    edited.do("undo")
    assert edited.draft.position.eliminated == ("b-2",)


@pytest.mark.finding("G-22")
def test_what_was_eliminated_is_named_by_its_id(tells: Tells) -> None:
    edited = editor(*squads(2))
    with pytest.raises(PBCGError) as caught:
        edited.do("648 eliminated")
    tells(str(caught.value), "b-1", "b-2", "eliminated")
    with pytest.raises(PBCGError) as caught:
        edited.do("b-1 x18 eliminated")
    tells(str(caught.value), "x18", "Eliminated")


@pytest.mark.finding("G-23")
def test_what_no_ob_can_have_is_asked_about(tells: Tells) -> None:
    edited = editor(*(piece(f"g-{n}", G, "4-4-7") for n in range(12)), side=G)
    with pytest.raises(PBCGError) as caught:
        edited.do("9 447 i10 k9 k12 l9 m12 n11 n12")
    tells(str(caught.value), 51, "4-4-7", "new")
    assert not where(edited)
    edited.do("9 447 i10")
    edited.do("4 447 k9 New")
    assert len(where(edited)) == 13
    for order in ("81 k9", "50l k9", "35-s k9"):  # a leader, a Gun, a vehicle
        with pytest.raises(PBCGError, match="no OB"):
            edited.do(order)
    edited.do("247 k9")  # an HS Deployed in play
    assert len(where(edited)) == 14


@pytest.mark.finding("G-23")
def test_a_second_pillbox_is_asked_about() -> None:
    known = (Fortification(kind=FortificationKind.PILLBOX, at="Z21", owner=G),)
    state = campaign_at("scenario", date=CGDate.NIGHT_1, fortifications=known)
    edited = Editor(Draft(state, state.board, state.catalogue), G)
    for order in ("pillbox w21", "pillbox z21"):
        with pytest.raises(PBCGError, match="no OB"):
            edited.do(order)
    edited.do("pillbox z21 out")
    edited.do("pillbox z21")
    edited.do("pillbox w21 new")
    edited.do("foxhole k11")
    assert [part.at for part in edited.draft.position.fortifications] == ["Z21", "W21", "K11"]


@pytest.mark.finding("G-23")
@pytest.mark.parametrize("type", ["51 MTR (airborne)", "Carrier 3 in.", "35-S 739(f)", "50L AT"])
def test_every_type_is_known_by_the_name_that_is_shown(type: str) -> None:
    side = G if type in ("35-S 739(f)", "50L AT") else B
    edited = editor(piece("a", side, type), piece("b", B, "6-4-8"), side=side)
    edited.do(f"{type} x18")
    assert where(edited) == {"a": "X18"}
    edited.do("undo")
    edited.do(f"1 {type.lower()} 648 x20")
    assert where(edited) == {"a": "X20", "b": "X20"}


@pytest.mark.finding("G-23")
def test_every_name_of_the_catalogue_is_a_word_of_an_order() -> None:
    edited = editor(*squads(1))
    for side in Side:
        edited.side = side
        for type in edited.draft.catalogue:
            if type.side is side:
                (name,) = edited._whole_names(type.name.split()) or [""]
                found = edited._type(name.lower())
                assert found and found[0].name == type.name, type.name


@pytest.mark.finding("G-23")
@pytest.mark.rule("9.51-a")
@pytest.mark.parametrize(("at", "id"), [("M14", "g-b"), ("JJ10", "g-c")])
def test_the_leader_of_the_near_company_comes_first(at: str, id: str) -> None:
    companies = ("Panzer Pionier Kompanie 1", "Panzer Pionier Kompanie 2")
    far, near = companies if id == "g-b" else companies[::-1]
    state = campaign_at(
        "scenario",
        piece("g-a", G, "6+1", formation=far),
        piece(id, G, "6+1", formation=near),
        date=CGDate.NIGHT_1,
        determined=False,
    )
    edited = Editor(Draft(state, state.board, state.catalogue), G)
    edited.do(f"61 {at}")
    assert where(edited) == {id: at}


@pytest.mark.finding("G-23")
def test_where_others_of_a_company_stand_it_is_near() -> None:
    names = [("g-1", "Kompanie 9"), ("g-2", "Kompanie 8")]
    edited = editor(
        *(piece(id, G, "8-0", formation=name) for id, name in names),
        piece("s-1", G, "4-4-7", formation="Kompanie 9"),
        piece("s-2", G, "4-4-7", formation="Kompanie 8"),
        side=G,
    )
    edited.do("s-1 a7")
    edited.do("s-2 x20")
    edited.do("80 x21")
    assert where(edited)["g-2"] == "X21" and "g-1" not in where(edited)


@pytest.mark.finding("G-23")
def test_a_half_squad_of_one_class_is_not_taken_for_another() -> None:
    edited = editor(piece("g-238", G, "2-3-8"), piece("g-468", G, "4-6-8"), side=G)
    edited.do("248 x20")
    assert set(where(edited)) != {"g-238"}
    edited.do("238 x21")
    assert where(edited)["g-238"] == "X21"
    assert edited.draft.entry("g-238").type == "2-3-8"


@pytest.mark.finding("G-23")
def test_where_a_group_enters_is_no_entry_area(tells: Tells) -> None:
    edited = editor(piece("g-238", G, "2-3-8", area="TT12"), side=G)
    with pytest.raises(PBCGError) as caught:
        edited.do("238 off-map tt12")
    tells(str(caught.value), "TT12", "CG16")
