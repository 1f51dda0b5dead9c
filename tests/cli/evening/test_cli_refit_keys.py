"""The keys at a prompt of the Refit Phase: odds, position, map, who looks, undo of one's own."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from play_help import Sitting, scripted
from rich.console import Console
from sentences import Tells

from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.cli.evening.refit_command import RefitManner
from asl_pbcg.cli.evening.refit_show import print_map, print_position, write_map
from asl_pbcg.cli.terminal.screen import fitted_head
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.kernel.tables import ResultRow, RollTable
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.campaign_game.campaign_facts import heading
from asl_pbcg.play.campaign_game.campaign_map import pieces_seen, position_seen
from asl_pbcg.play.campaign_game.campaign_plug import undone_words
from asl_pbcg.play.help_texts import REFIT_HELP
from asl_pbcg.play.typed_answers import find_option

BEGINNING = {"settings": {"campaign": "CG2"}, "seed": 4, "dice": "seeded"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A campaign whose German purchases are made and whose British ones wait."""
    made = create_campaign(tmp_path_factory.mktemp("keys") / "evening.pbcg", BEGINNING)
    for answer in ("I5", "A7", "done"):
        made.answer(answer)
    drive(made, RandomAnswers(1), SeededDice(4), until=lambda: _waits_for(made, Side.BRITISH))
    yield made
    made.journal.close()


def _waits_for(session: Any, side: Side) -> bool:
    return bool(session.pending and session.pending.side == side)


def roll(**given: int) -> Roll:
    table = RollTable(
        title="Escape", rule="9.606", dice="2d6", drm={},
        rows=(ResultRow(to=8, result="escapes", says="Escapes"), ResultRow(at=9, result="replaced"),
              ResultRow(start=10, result="eliminated")),
    )  # fmt: skip
    return Roll(id="9.606.8", text="Escape of a squad", table=table, given=given, side="british")


# -- Odds and explanation -------------------------------------------------------------------


def test_odds_are_exact_and_the_table_is_explained(tells: Tells, session: Any) -> None:
    sitting = Sitting(scripted(session.state, roll()), "o", "x", "")
    screen = " ".join(sitting.play().split())
    assert sitting.finished
    tells(screen, "Original", "DR", "2", "8", "26/36", "72%")
    assert "replaced Original DR 9 4/36 11%" in screen
    tells(screen, "Original", "DR", "10", "12", "6/36", "17%")
    tells(screen, "Final 8", "Final 9", "Final 10", "Escapes")


def test_a_result_that_an_original_brings_too_is_told_in_its_own_words(session: Any) -> None:
    table = RollTable(
        title="Escape", rule="9.606", dice="2d6", drm={},
        rows=(ResultRow(original=2, result="escapes", says="Escapes, as it is 2"),
              ResultRow(to=8, result="escapes", says="Escapes"),
              ResultRow(start=9, result="replaced")),
    )  # fmt: skip
    pending = Roll(id="9.606.8", text="Escape of a squad", table=table, side="british")
    screen = " ".join(Sitting(scripted(session.state, pending), "o", "").play().split())
    assert "DR 2 to 8 26/36" in screen


def test_real_dice_may_be_typed_in_a_row(tells: Tells, session: Any) -> None:
    """F-51: two throws of a kind in one line, as the drops take them; the rest is told."""
    game = scripted(session.state, roll(), roll(), dice="manual")
    game.typed_dice = True
    sitting = Sitting(game, "3 4 5", "3 4 5 6 1 1")
    screen = sitting.play()
    assert sitting.finished
    tells(screen, "needs 2", "2d6", "3")
    assert [line.roll.dice for line in game.lines("umpire") if line.roll] == [(3, 4), (5, 6)]


def test_odds_where_nothing_is_rolled(tells: Tells, session: Any) -> None:
    prompt = Prompt(id="9.605.1", text="Which?", options=(Option("a", "a"),), rule="9.6051")
    sitting = Sitting(scripted(session.state, prompt), "o", "x", "?", "a")
    screen = sitting.play()
    assert sitting.finished
    tells(screen, "rolled")
    assert screen.count("No Man's Land") == 2  # the rule and the help, in players' words
    assert "9.6051-b" not in screen


def test_enter_is_told_in_the_words_of_the_screen(session: Any) -> None:
    """No id that nobody saw; of a long answer its number."""
    options = (Option("on", "go on"), Option("b-1", "6-4-8 A-1"), Option("x", "nobody " * 9))
    some: dict[str, Any] = {"kind": "choose-some", "least": 0, "most": 3}
    for default, kind, told in (
        ("on", {}, "[number or word, Enter for go on]"),
        ("x", {}, "[number or word, Enter for 3]"),
        (["b-1"], some, "[numbers, all or none, Enter for 6-4-8 A-1]"),
        (["on", "x"], some, "[numbers, all or none, Enter for 1 3]"),
        ([], some, "[numbers, all or none, Enter for none]"),
    ):
        prompt = Prompt(id="q", text="?", options=options, default=default, **kind)
        assert told in Sitting(scripted(session.state, prompt), "").play()


def test_undo_tells_what_was_asked_and_answered() -> None:
    """No decision point that a player never saw; of a secret nothing for the other side."""
    entry = Entry(kind="answer", step="dawn/9.606", point="pass", side="german", seq=7, body="on")
    line = LogLine(
        kind="answer", step="dawn/9.606", text="Nothing is asked of the Germans here. go on",
        side="german", point="pass", seq=7,
    )  # fmt: skip
    assert undone_words(entry, [line], also_secret=False) == line.text
    hidden = [msgspec.structs.replace(line, secret=True)]
    entry = msgspec.structs.replace(entry, secret=True)
    assert undone_words(entry, hidden, also_secret=True) == line.text
    other = undone_words(entry, hidden, also_secret=False)
    assert "German" in other and "go on" not in other


# -- Position and map -----------------------------------------------------------------------


def test_each_side_sees_its_own_off_map_pieces_alone(session: Any) -> None:
    state = session.state
    company = {piece.id for piece in state.pieces if piece.rg == "I5-1"}
    assert company
    for eyes, sees in (("german", True), ("umpire", True), ("british", False), ("", False)):
        seen = {line.id for line in pieces_seen(state, eyes)}
        assert bool(company & seen) is sees, eyes
    assert "b-50l-at-1" in {line.id for line in pieces_seen(state, "german")}  # X20, by the OB


def test_position_near_a_hex(session: Any) -> None:
    out = io.StringIO()
    print_position(Console(file=out, width=110), session.state, "british", "X20")
    assert "50L AT 1b" in out.getvalue()
    assert "b-648-1;" not in out.getvalue()  # not on map yet
    print_position(Console(file=out, width=110), session.state, "british", None)
    assert "Setup Area A" in out.getvalue()


def test_the_map_has_no_hidden_fortification_of_the_other_side(session: Any) -> None:
    from asl_pbcg.campaign.position import Fortification
    from asl_pbcg.campaign.position_words import FortificationKind
    from asl_pbcg.campaign.state.campaign_state import change

    mines = Fortification(
        kind=FortificationKind.AP_MINES, at="P10", owner=Side.BRITISH, size=6, hidden=True
    )
    state = change(session.state, fortifications=(mines,))
    assert position_seen(state, "german").fortifications == ()
    assert position_seen(state, "").fortifications == ()
    assert position_seen(state, "british").fortifications == (mines,)


def test_map_in_the_terminal_and_as_a_picture(session: Any, tmp_path: Path) -> None:
    out = io.StringIO()
    print_map(Console(file=out, width=110), session.state, "british", "Y20")
    assert "Y20o" in out.getvalue()  # the bridge, Controlled by nobody yet
    assert all(len(line) <= 110 for line in out.getvalue().splitlines())
    small = io.StringIO()
    print_map(Console(file=small, width=40), session.state, "british", "A1")  # map corner
    assert "A1" in small.getvalue()
    path = write_map(session.state, "british", "Y20", tmp_path / "evening.pbcg")
    assert path.name == "evening-map-british-Y20.png"
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_keys_take_a_hex(tells: Tells, session: Any) -> None:
    prompt = Prompt(id="q", text="?", options=(Option("a", "a"),), where="Y20", side="british")
    typed = ("p", "p Q99", "p all", "t", "s", "a")
    sitting = Sitting(scripted(session.state, prompt), *typed, viewer="british")
    screen = sitting.play()
    assert sitting.finished and not sitting.left
    tells(screen, "within 3", "Y20")
    assert "Q99" in screen  # no hex: a sentence, and the question stands
    assert "Setup Area A" in screen
    assert "9.618  RG Strength" in screen
    assert "British FPP:   30" in screen


# -- Who looks ------------------------------------------------------------------------------


SECRET = Prompt(id="q", text="Whose?", options=(Option("a", "a"),), side="british", secret=True)
OPEN = Prompt(id="r", text="Both?", options=(Option("a", "a"),))


def test_the_screen_changes_hands(session: Any) -> None:
    sitting = Sitting(scripted(session.state, SECRET, OPEN), "", "a", "", "a")
    screen = sitting.play()
    assert sitting.finished
    order = ["Only the British player", "Whose?", "British: read this", "\x1b[3J", "Both?"]
    places = [screen.index(words) for words in order]
    assert places == sorted(places)


def test_q_at_a_hand_over_leaves_and_nothing_else_passes_for_enter(session: Any) -> None:
    sitting = Sitting(scripted(session.state, SECRET), "what", "q")
    screen = sitting.play()
    assert not sitting.finished and not sitting.left
    assert "Whose?" not in screen


def test_a_question_mark_helps_where_the_screen_changes_hands(session: Any) -> None:
    for typed in ("?", "help"):
        screen = Sitting(scripted(session.state, SECRET), typed, "q").play()
        assert "types all" in screen and "Whose?" not in screen
        curtain = "Only the British player"
        assert screen.count(curtain) == 2  # asked again below the help


@pytest.mark.finding("J-73")
def test_enter_alone_shows_the_question_and_complains_of_nothing(session: Any) -> None:
    sitting = Sitting(scripted(session.state, OPEN), "", "a")
    screen = sitting.play()
    assert sitting.finished
    assert screen.count("Both?") == 2
    assert "Enter" not in screen.rpartition("Both?")[2]


def test_who_plays_both_sides_is_asked_once(session: Any) -> None:
    sitting = Sitting(scripted(session.state, SECRET, OPEN, SECRET), "all", "a", "a", "a")
    assert sitting.play().count("Only the") == 1
    assert sitting.finished


def test_one_side_alone_is_told_when_it_is_the_others_turn(tells: Tells, session: Any) -> None:
    sitting = Sitting(scripted(session.state, SECRET), viewer="german")
    screen = sitting.play()
    assert not sitting.finished
    tells(screen, "British")
    assert "Whose?" not in screen


def test_what_both_settle_one_side_alone_does_not(session: Any) -> None:
    game = scripted(session.state, OPEN)
    sitting = Sitting(game, "a", viewer="german")
    assert "must agree" in " ".join(sitting.play().split())
    assert not sitting.finished and not game.entries()
    again = Sitting(game, "accept", "q", viewer="german").play()
    assert "You propose" in again and "Nothing is" in again
    sitting = Sitting(game, "accept", viewer="british")
    assert "German player" in sitting.play()
    assert sitting.finished
    assert [entry.kind for entry in game.entries() if entry.kind != "checkpoint"] == ["answer"]


def test_undo_takes_back_ones_own_answers_alone(tells: Tells, session: Any) -> None:
    mine = Prompt(id="m", text="Mine?", options=(Option("a", "a"),), side="german")
    game = scripted(session.state, mine, OPEN)
    Sitting(game, "a", viewer="german").play()
    assert len(game.session.journal.standing()) == 1
    sitting = Sitting(game, "u", "q", viewer="british")
    tells(" ".join(sitting.play().split()), "together")
    assert len(game.session.journal.standing()) == 1
    Sitting(game, "u", viewer="german").play()
    assert game.session.journal.standing() == []


def test_many_faults_do_not_flood_the_screen(tells: Tells, session: Any) -> None:
    sitting = Sitting(scripted(session.state, OPEN))
    sitting.terminal.complain("\n".join(f"fault {n}" for n in range(90)))
    assert "fault 11" in sitting.screen
    assert "fault 12" not in sitting.screen
    tells(sitting.screen, "78 more")


def test_options_refused_alike_are_one_line(session: Any) -> None:
    why = "Only a crew or HS can be its crew."
    options = tuple(
        Option(f"g{n}", f"4-4-7 g{n}", refused=why if n != 7 else "", rule="A21.22")
        for n in range(1, 31)
    )
    prompt = Prompt(id="q", text="Who remans it?", options=options, side="german")
    sitting = Sitting(scripted(session.state, prompt), "7", viewer="german")
    screen = sitting.play()
    assert sitting.finished
    assert screen.count(why) == 1
    assert "4-4-7 g1, 4-4-7 g2 and 27 more" in screen
    assert "7    4-4-7 g7" in screen  # its number stays what it was


@pytest.mark.parametrize(
    ("at", "date", "determined", "words"),
    [
        ("9.617", "dawn", "", "Campaign Game II"),
        ("scenario", "dawn", "", "RePh after Dawn"),
        ("9.606", "dawn", "dawn", "RePh after Dawn"),
        ("9.617", "day-1", "dawn", "RePh after Dawn"),
        ("scenario", "day-1", "dawn", "RePh after Day I"),
        ("9.603", "day-1", "", "RePh after Day I"),
    ],
)
def test_which_reph_it_is(session: Any, at: str, date: str, determined: str, words: str) -> None:
    from asl_pbcg.campaign.state.campaign_state import change
    from asl_pbcg.campaign.state.ob_merge import to_position
    from asl_pbcg.campaign.terms import CGDate

    state = change(session.state, at=at, date=CGDate(date))
    if determined:
        then = change(session.state, date=CGDate(determined))
        state = change(state, determined=to_position(then))
    assert heading(state) == words


@pytest.mark.rule("9.62023-a")
def test_a_template_does_not_repeat_who_moved_first(tmp_path: Path) -> None:
    from asl_pbcg.campaign.state.campaign_state import change
    from asl_pbcg.play.campaign_game.to_fill_in import position_to_fill_in

    session = create_campaign(tmp_path / "evening.pbcg", BEGINNING)
    session.correct("moved_first", "german", "so it was at Dawn")
    session.correct("ww_box", {"6-4-8": 2}, "so it was at Dawn")
    assert session.state == change(session.state, moved_first=Side.GERMAN)
    session.journal.close()
    position = position_to_fill_in(session.state)
    assert position.moved_first is None
    assert position.ww_box == ()
    assert position.units


@pytest.mark.finding("F-33")
def test_a_purchase_fits_80_by_24_with_its_complaint(tells: Tells, tmp_path: Path) -> None:
    from asl_pbcg.play.campaign_game.campaign_plug import create_campaign as begin

    with begin(tmp_path / "a.pbcg", BEGINNING) as game:
        sitting = Sitting(game, "", "zebra", width=80, height=24)
        screen = sitting.play()
        shown = screen.partition("\x1b[3J")[2] or screen
        question = shown[shown.index("CPP left. Buy an RG?") :].splitlines()
        assert len(question) + 2 <= 24  # its head, then all down to the line after the complaint
        assert all(len(line) <= 80 for line in question)
        assert any(line.split()[:2] == ["17", "M1"] for line in question)
        tells(screen, "25 CPP")
        assert any("zebra" in line and "choice" in line for line in question)


class LongHead(RefitManner):
    def head(self, asked: Any) -> list[str]:
        title = "9.6071 Equipment Possession and Hidden Fortifications"
        return ["RePh after Night I", title, "British", "b-458-3"]


def test_a_long_head_gives_up_the_title_not_whose_question_it_is(session: Any) -> None:
    prompt = Prompt(id="9.6071.1", rule="9.6071", text="Which?", options=(Option("a", "A"),))
    game = scripted(session.state, prompt)
    lines = Sitting(game, "a", width=80, manner=LongHead()).play().splitlines()
    head = next(line for line in lines if line.startswith("RePh"))
    assert len(head) <= 80 and "…   British   b-458-3 ─" in head
    kept = "RePh after Night I   9.6071 Equipment"
    assert head.startswith(kept)
    short = ["RePh after Night I", "9.613 Shift"]
    assert fitted_head(short, 80) == "   ".join(short)


def test_of_many_choices_with_long_odds_each_is_told_whole(session: Any) -> None:
    """What stands beside a choice gives way, not the piece that is chosen."""
    beside = "to Setup Area C; alone +1 across an enemy Setup Area, +1 two HS-equivalents = +2"
    options = tuple(
        Option(f"b-{number}", f"6-4-8 b-648-{number}", consequence=beside)
        for number in range(1, 13)
    )
    prompt = Prompt(id="q", text="Who goes?", options=options, kind="choose-some", most=12)
    lines = Sitting(scripted(session.state, prompt), width=80, height=24).play().splitlines()
    shown = [line for line in lines if "b-648-" in line]
    assert len(shown) == 12 and all(len(line) <= 80 for line in shown)
    named = [(str(n), "6-4-8", f"b-648-{n}") for n in range(1, 13)]
    assert [tuple(line.split()[:3]) for line in shown] == named
    assert all(beside[:15] in line for line in shown)


def test_a_head_is_cut_between_words_and_in_a_narrow_window_the_game_gives_way() -> None:
    title = "9.6042 Encirclement, Minefields, Bog, and Shock"
    head = ["RePh after Dawn", title, "British", "N11"]
    cut_head = "9.6042 Encirclement, Minefields…   British"
    assert cut_head in fitted_head(head, 72)
    for width in range(40, 81):
        fitted = fitted_head(head, width)
        assert len(fitted) <= width and fitted.split()[-2:] == ["British", "N11"], fitted
        assert "9.6042" in fitted


def test_a_side_is_named_once_where_it_is_also_what_is_asked_about(session: Any) -> None:
    prompt = Prompt(id="q", text="SAN?", options=(Option("a", "A"),), side="german", where="german")
    screen = Sitting(scripted(session.state, prompt), "a").play()
    assert screen.lower().count("german") == 1


def test_what_was_typed_ahead_does_not_pass_a_curtain(session: Any) -> None:
    """The rest of a line answers nothing that comes behind it, for the other player least."""
    asked = (SECRET, Prompt(id="r", text="Both?", options=(Option("a", "a"), Option("b", "b"))))
    sitting = Sitting(scripted(session.state, *asked), "", "a; b", "", "a")
    screen = sitting.play()
    assert sitting.finished
    curtain = screen.index("British: read this")
    assert screen.index("Not done: b") < curtain
    values = [line.body for line in sitting.game.entries() if line.kind == "answer"]
    assert values == ["a", "a"]


@pytest.mark.parametrize(
    ("kind", "told"),
    [("text", "in your own words"), ("number", "a whole number"), ("document", "a file")],
)
def test_help_says_how_this_kind_of_answer_is_typed(session: Any, kind: str, told: str) -> None:
    bounds = {"least": 0, "most": 3} if kind == "number" else {}
    prompt = Prompt(id="q", text="What?", kind=kind, default=1, **bounds)  # type: ignore[arg-type]
    screen = " ".join(Sitting(scripted(session.state, prompt), "?", "").play().split())
    assert told in screen and "unique" not in screen


def test_the_example_of_a_fortification_can_be_typed(session: Any) -> None:
    example = REFIT_HELP.content.points["9.619.1"].partition(": ")[2]
    kinds = session.state.charts.fortifications.kinds
    options = tuple(Option(id, kind.name) for id, kind in kinds.items())
    prompt = Prompt(id="9.619.1", text="?", options=options)
    assert find_option(prompt, example.partition(";")[0]).id.startswith("foxhole")


def test_how_many_dummies_there_are_is_told(session: Any) -> None:
    state = msgspec.structs.replace(session.state, dummies={Side.BRITISH: 6})
    printed = io.StringIO()
    print_position(Console(file=printed, width=80), state, "british", None)
    assert '"?" x6' in printed.getvalue()


def test_the_keys_stand_below_a_long_hint_and_are_never_cut(session: Any) -> None:
    """With real dice the hint says how they are typed; how one leaves stays in sight."""
    game = scripted(session.state, roll(), dice="manual")
    game.typed_dice = True
    sitting = Sitting(game, "3 4", width=40)
    assert "q leave" in sitting.play()
