"""The area game at the keyboard: wrong input at every prompt, typing ahead, keys, help."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
from odds_help import odds_words
from sentences import Tells, says
from st_help import british, german, situation
from st_terminal import Stopping, Typist, memory_game

from asl_pbcg.cli.area_commands.st_help import rules_like
from asl_pbcg.cli.area_commands.st_play import Automatic
from asl_pbcg.kernel.answers import Leave, RandomAnswers, drive
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.st.british.orders import firer_word, firers_of
from asl_pbcg.st.germans.german_advance import Approach
from asl_pbcg.st.germans.german_column import drive as drive_tank
from asl_pbcg.st.rules.p9_bridge import bridge
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import PreparedPosition, State

WRONG = (
    "zzz",
    "99 98",
    "-1",
    "1.5",
    "§",
    "zzz; 1",
    "a",
    "a Nowhere",
    "x ST-NO-99",
    "m out.txt",
    "h me",
)
POINTS = set(load_data("st/help.yaml")["points"])
RARE = {"displaced_to", "repair", "remove_charge"}
KEYS = "h help"


class EveryPrompt:
    """A random player who lets a person try wrong input at the first prompt of each kind."""

    def __init__(self, session: Session[State], seed: int, folder: Path) -> None:
        self.session = session
        self.random = RandomAnswers(seed)
        self.met: set[str] = set()
        self.folder = folder

    def answer(self, prompt: Prompt) -> Any:
        if prompt.id not in self.met:
            self.met.add(prompt.id)
            try_wrong(self.session, prompt, self.folder)
        return self.random.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: Exception) -> None:
        raise AssertionError(f"{prompt.id} refused {error}")


def try_wrong(session: Session[State], prompt: Prompt, folder: Path) -> None:
    """Nothing wrong is taken, and each wrong line has its sentence."""
    before = session.journal.standing()
    for wrong in WRONG:
        asked_before, session._run.pending = session.pending, prompt
        typist = Typist(session, [wrong], file=folder / "game.pbcg")
        typist.manner._orders.ask_next()
        try:
            typist.play()
        finally:
            session._run.pending = asked_before
        said = typist.screen.split(f"> {wrong}\n")[-1]
        assert len(said.strip()) > 10, (prompt.id, wrong)
        assert "Traceback" not in said
        assert session.journal.standing() == before, (prompt.id, wrong)


@functools.cache
def met(tmp: str) -> frozenset[str]:
    found: set[str] = set()
    for seed in (1, 6, 16, 7, 12, 24):
        if found >= POINTS - RARE:
            break
        session = memory_game()
        everything = EveryPrompt(session, seed, Path(tmp))
        drive(session, everything, SeededDice(seed))
        assert session.state.over
        found |= everything.met
    return frozenset(found)


def test_wrong_input_at_every_prompt(tmp_path: Path) -> None:
    assert met(str(tmp_path)) >= POINTS - RARE
    assert not list(tmp_path.iterdir())


def first(script: Any, face: int = 4) -> Decision:
    """The first decision that a script asks for; all dice before it show ``face``."""
    asked = next(script)
    while not isinstance(asked, Decision):
        asked = script.send(asked.resolve((face,)) if isinstance(asked, Roll) else None)
    return asked


@pytest.mark.rule("ST-SAP-02")
def test_wrong_input_when_the_marker_is_removed(tmp_path: Path) -> None:
    sit = situation(3, "bridge")
    british(sit, "PB", "sapper-1")
    sit.demo_marker = "wired"
    sit.demo = "open"
    prompt = first(bridge(sit.rules, sit.close()))
    assert prompt.id == "remove_charge"
    try_wrong(memory_game(mode="historical"), prompt, tmp_path)


@pytest.mark.rule("ST-SAP-04")
def test_wrong_input_at_a_repair(tmp_path: Path) -> None:
    sit = situation(6, "bridge")
    british(sit, "PB", "sapper-2")
    sit.bridge = "damaged"
    sit.change("sapper-2", came=3)
    prompt = first(bridge(sit.rules, sit.close()))
    assert prompt.id == "repair"
    try_wrong(memory_game(mode="historical"), prompt, tmp_path)


@pytest.mark.rule("ST-TNK-10")
def test_wrong_input_when_a_tank_breaks_a_position(tmp_path: Path) -> None:
    sit = situation(8, "german_movement")
    sit.positions["CAF"] = PreparedPosition(area="CAF")
    british(sit, "CAF", "wood-platoon")
    sit.control = {**sit.control, "CAF": "british"}
    german(sit, "CAF", "tank-1", force=True, order=1)
    sit.triggered = True
    prompt = first(drive_tank(sit, Approach(sit), "tank-1"))
    assert prompt.id == "displaced_to"
    try_wrong(memory_game(mode="historical"), prompt, tmp_path)


@pytest.mark.parametrize("typed", ["7", "0", "abc", "1 9", "", "-1", "1.5"])
def test_wrong_dice(typed: str) -> None:
    session = memory_game("manual", mode="historical")
    typist = Typist(session, [typed, "3"], manual=True)
    typist.play()
    rolls = [entry for entry in session.journal.standing() if entry.kind == "roll"]
    open_rolls = [entry for entry in rolls if not entry.secret]
    assert [entry.body for entry in open_rolls] == [[3]]
    if typed:
        said = typist.screen.split(f"> {typed}\n")[1]
        assert "cannot show" in said or "needs 1" in said or "is not a throw" in said


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_with_real_dice_the_secret_ones_are_thrown_unseen(tells: Tells) -> None:
    session = memory_game("manual", mode="variable", difficulty="hard")
    drive(session, Stopping(RandomAnswers(1), lambda asked: isinstance(asked, Roll)), SeededDice(1))
    typist = Typist(session, ["3"] * 30, manual=True)
    seen = typist.play()
    assert any(entry.secret for entry in session.journal.standing())
    assert "ummy" not in seen and "chit" not in seen and "Demo" not in seen
    tells(seen, "north")
    tells(seen, "83%", "17%")


def begun(turn: int = 1) -> Session[State]:
    """A historical game at the first "Which unit acts?"."""
    session = memory_game(mode="historical")
    stop = Stopping(RandomAnswers(1), lambda asked: asked.id == "act")
    drive(session, stop, SeededDice(7))
    return session


def places(session: Session[State]) -> dict[str, str]:
    assert isinstance(session.pending, Decision)
    units = session.pending.situation.units
    return {unit.id: unit.area for unit in units.values() if unit.status == "map"}


@pytest.mark.rule("ST-MOV-10", "ST-OPF-04")
def test_areas_and_groups_in_one_line() -> None:
    session = begun()
    typist = Typist(session)
    said = typist.type("NT1 NT3 ND1 ND4 NH1")
    assert "not a choice" not in said
    now = places(session)
    assert {unit for unit, area in now.items() if area == "NH1"} == {
        "wood", "wood-platoon", "sapper-2"
    }  # fmt: skip
    # Two of a stack by the numbers on their counters; case does not matter.
    typist.type("7 6 nd4")
    now = places(session)
    assert {unit for unit, area in now.items() if area == "ND4"} == {
        "brotheridge", "brotheridge-platoon"
    }  # fmt: skip
    assert now["howard"] == "ND1"


def test_what_is_typed_ahead_waits_when_something_happens(tells: Tells) -> None:
    session = begun()
    said = Typist(session).type("4 S11 S8 S4 S5")
    tells(said, "S5", "happened")
    assert places(session)["hq-1"] == "S4"
    said = Typist(begun()).type("4 S11 W3")
    tells(said, "W3", "section 1", "HQ")


def test_e_ends_what_is_asked_about_and_a_phase_only_when_typed_twice(tells: Tells) -> None:
    session = begun()
    typist = Typist(session)
    said = typist.type("e")
    tells(said, "units")
    assert session.pending is not None and session.pending.id == "act"
    typist.type("hq-1 S11", "e")
    assert session.pending.id == "act"
    said = typist.type("e", "e")
    tells(said, "Turn 1", "German", "Movement", "Phase")
    assert session.state.phase > 2


def test_enter_shows_the_question_again() -> None:
    said = Typist(begun()).type("h", "")
    assert said.count("Which unit acts?") >= 3
    assert "not a choice" not in said


def test_a_number_that_is_none_says_so(tells: Tells) -> None:
    said = Typist(begun()).type("999")
    tells(said, "999", "counter")


@pytest.mark.rule("ST-FIR-05", "ST-FIR-21")
def test_the_odds_of_several_who_fire_together(tells: Tells) -> None:
    session = memory_game(mode="historical")
    drive(session, Stopping(RandomAnswers(3), several), SeededDice(3))
    assert isinstance(session.pending, Decision)
    typist = Typist(session)
    typist.manner._orders.ask_next()
    first, second = (firer_word(session.pending.situation, id) for id in session.pending.ids[:2])
    said = typist.type(f"o {first} {second}", "o 77", "o")
    assert "All together, " in said
    assert "These 2 together, " in said or said.count("All together, ") > 2
    tells(said, "77", "fire")
    assert "(H)" not in said
    tells(Typist(begun()).type("o 1"), "nobody")


@pytest.mark.finding("G-72")
@pytest.mark.rule("ST-FIR-05", "ST-FIR-21")
def test_the_odds_of_a_unit_and_of_a_target_in_the_fire_phase(tells: Tells) -> None:
    session = memory_game(mode="historical")
    drive(session, Stopping(RandomAnswers(3), lambda asked: asked.id == "fire"), SeededDice(3))
    decision = session.pending
    assert isinstance(decision, Decision)
    attack = next(each for each in decision.choices if each.kind == "small-arms")
    word = firer_word(decision.situation, next(iter(firers_of(decision.situation, attack))))
    typist = Typist(session)
    said = typist.type(f"o {word}", f"o {attack.target.place}", "o", "o 99", "o ZZ")
    tells(said, "fire at", "together", "SP")
    tells(said, "99", "fired at")
    tells(said, "ZZ", "target")


def several(asked: Prompt | Roll) -> bool:
    return asked.id in ("opportunity_fire", "firers") and len(asked.options) > 1


def test_undo_without_dice_and_over_dice(tells: Tells) -> None:
    session = begun()
    typist = Typist(session)
    typist.type("stack ND1", "all", "ND4")
    moved = places(session)
    said = typist.type("u")
    tells(said, "Undone")
    assert places(session)["howard"] == "ND1" != moved["howard"]
    typist.type("e", "hq-1 S11 S8 S4")  # turns up the counter in B5 and rolls for it
    before = session.journal.standing()
    said = typist.type("u", "")
    tells(said, "reason")
    assert session.journal.standing() == before
    said = typist.type("u", "wrong road")
    assert "Undone: " in said
    assert len(session.journal.standing()) < len(before)
    assert places(session)["hq-1"] != "S4"


def test_there_may_be_nothing_to_undo(tells: Tells) -> None:
    session = memory_game()
    tells(Typist(session).type("u"), "nothing")


@pytest.mark.parametrize("stop", [EOFError, KeyboardInterrupt])
def test_ctrl_c_and_end_of_input_leave_with_everything_kept(stop: type[BaseException]) -> None:
    session = begun()
    typist = Typist(session)
    typist.type("NT1 NT3")
    kept = session.journal.standing()

    def broken(*_: Any, **__: Any) -> str:
        raise stop

    typist.terminal.screen.console.input = broken  # type: ignore[method-assign]
    assert typist.terminal.play() is False
    assert session.journal.standing() == kept


@pytest.mark.parametrize("width", [80, 100])
def test_what_is_shown_fits_the_screen(width: int) -> None:
    session = begun()
    said = Typist(session, width=width).type("ND1 ND4 NH1", "e", "h", "s")
    heads = [line for line in said.splitlines() if "Turn 1 of 16" in line and "VP (" in line]
    assert heads and all(len(line) <= width for line in heads)
    keys = [line for line in said.splitlines() if KEYS in line]
    assert keys and all("q leave" in line for line in keys)


@pytest.mark.parametrize("point", sorted(POINTS))
def test_every_question_has_help(point: str) -> None:
    texts = load_data("st/help.yaml")
    assert texts["points"][point].strip()


def test_help_explains_every_rule_and_finds_areas(tells: Tells) -> None:
    typist = Typist(begun())
    said = typist.type("h", "h goals", "x", "x ST-GRE", "x AMB-11", "a pillbox", "a PB", "a canal")
    for words in ("From turn 5", "ST-GRE-06", "AMB-11", "PX Pillbox", "PB Pegasus Bridge"):
        assert words in said
    assert "3 N4 N7" in said
    tells(said, "answer")
    tells(said, "canal")
    tells(typist.type("x ST-NO-99"), "ST-NO-99")
    assert len(rules_like("ST")) > 350


def test_the_map_is_drawn_while_a_question_waits(tmp_path: Path) -> None:
    session = begun()
    typist = Typist(session, file=tmp_path / "game.pbcg")
    said = typist.type(f"m {tmp_path / 'a.svg'}", f"m {tmp_path / 'a.doc'}")
    assert "Written: " in said and "a.doc" in said
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


@pytest.mark.rule("ST-TAT-16", "ST-TAT-18", "ST-MER-07", "ST-PIA-10", "ST-LDR-01")
def test_odds_say_what_results_come_to() -> None:
    """S does nothing to a vehicle; (H) wrecks it; small arms wreck the Mercedes with any loss."""
    from asl_pbcg.st.procedures.fire import Target, Volley
    from asl_pbcg.st.procedures.odds import fire_odds, gammon_odds, gun_odds, piat_odds
    from asl_pbcg.st.state.area_tables import odds

    sit = situation(4)
    british(sit, "EF", "wood-platoon")
    german(sit, "RD1", "tank-1")
    german(sit, "PB", "infantry-01")
    fire = sit.rules.fire
    first_column = odds(fire.gammon.table)
    # 1 to 3 nothing, 4 S, 5 S(H), 6 1(H).
    assert odds_words(gammon_odds(sit, "tank-1", first_column)) == {
        "no effect": "67%",
        "wrecked": "33%",
    }
    german(sit, "LP4", "mercedes")
    assert odds_words(gammon_odds(sit, "mercedes", first_column)) == {
        "no effect": "50%",
        "wrecked": "50%",
    }
    assert odds_words(piat_odds(first_column)) == {
        "no effect": "67%",
        "hit": "17%",
        "wrecked": "17%",
    }
    tank, men = Target("RD1", ("tank-1",)), Target("PB", ("infantry-01",))
    assert odds_words(gun_odds(sit, tank, "", first_column)) == {
        "no effect": "67%",
        "wrecked": "33%",
    }
    assert odds_words(gun_odds(sit, men, "", first_column)) == {"no effect": "83%", "1 SP": "17%"}
    assert odds_words(gun_odds(sit, men, "mg-1", first_column)) == {
        "no effect": "67%",
        "destroyed": "33%",
    }
    # 8 SP next door in the open, +1 infantry: -1 +1 +1; from 2 on S, 4 S, 5 and more 1.
    found = fire_odds(sit, Volley(("wood-platoon",), 8, 0), men)
    assert set(found) <= {"no effect", "suppressed", "1 SP", "2 SP"}
    # Leaders alone lose no SP: they roll.
    german(sit, "CAF", "schmidt")
    alone = Target("CAF", ("schmidt",))
    assert odds_words(gun_odds(sit, alone, "", first_column)) == {
        "no effect": "83%",
        "Casualty rolls": "17%",
    }
    found = fire_odds(sit, Volley(("wood-platoon",), 24, 0), alone)
    assert set(found) == {"no effect", "Casualty rolls"}


def test_enter_is_no_answer_where_nothing_is_offered() -> None:
    """Enter where nothing is offered asks again and leaves the journal alone."""
    session = begun()
    before = session.journal.standing()
    Typist(session, [""]).play()
    assert session.journal.standing() == before


def test_leaving_at_a_page_of_news(tells: Tells) -> None:
    """At a real terminal news stop at a full screen; q leaves there."""
    from asl_pbcg.cli.area_commands.st_manner import Teller

    session = begun()
    typist = Typist(session)
    console = typist.terminal.screen.console
    console._force_terminal = True
    console.height = 12
    with pytest.raises(Leave):
        read = functools.partial(typist.terminal.line, " Enter goes on ")
        Teller(console, read).tell(session.lines())
    tells(typist.screen, "goes")


def test_errors_are_sentences() -> None:
    with pytest.raises(PBCGError, match="goals"):
        from asl_pbcg.cli.area_commands.st_help import help_for

        session = begun()
        terminal = Typist(session).terminal
        asked = terminal.seat.question()
        assert isinstance(asked, AskedPrompt)
        help_for(terminal.screen.console, session, asked, "nonsense")


def test_a_question_mark_says_what_is_best_and_h_helps(tells: Tells) -> None:
    typist = Typist(_before_act())
    said = typist.type("h", "? 0.1")
    tells(said, "typed")
    assert "h help" in said
    assert "1  " in said
    assert "imagined game" in said


@pytest.mark.rule("ST-SEQ-04")
def test_ee_ends_the_phase_from_a_unit_without_a_question() -> None:
    session = _before_act()
    typist = Typist(session)
    asked = session.pending
    assert isinstance(asked, Decision) and asked.id == "act"
    unit = next(id for id in asked.ids if id in asked.situation.units)
    number = asked.situation.units[unit].roster
    said = typist.type(f"{number}", "ee")
    assert not says(said, "still act")
    assert "1.3" not in (session.step.id if session.step else "")


@pytest.mark.rule("ST-GLI-22")
def test_what_enter_gives_is_what_is_said_of_it() -> None:
    """SP lost in a crash: Enter takes all of them, and the keys say so."""
    session = memory_game(mode="historical")
    drive(
        session,
        RandomAnswers(1),
        SeededDice(1),
        until=lambda: getattr(session.pending, "id", "") == "crash_losses_sp",
    )
    asked = session.pending
    assert isinstance(asked, Decision) and asked.default == asked.most
    assert f"Enter for {asked.most}]" in Typist(session).play()


@pytest.mark.parametrize(("height", "by_lines"), [(46, False), (80, True)])
def test_a_large_screen_holds_map_units_and_log(height: int, by_lines: bool) -> None:
    """On one screen; a line for each unit where there is room, else a paragraph an area."""
    session = memory_game(mode="historical")
    drive(
        session,
        Automatic("good", 1),
        SeededDice(4),
        until=lambda: session.state.turn == 9 and getattr(session.pending, "id", "") == "act",
    )
    typist = Typist(session, width=140)
    typist.terminal.screen.console.height = height
    rows = typist.play().splitlines()
    rows = rows[max(n for n, row in enumerate(rows) if row.startswith("Turn 9 of 16")) :]
    assert len(rows) <= height
    assert "~ water" in "".join(rows)
    assert typist.manner._recent()[-1][:30] in "".join(row[:79] for row in rows)
    assert all(len(row) <= 140 for row in rows)
    decision = session.pending
    assert isinstance(decision, Decision)
    beside = [row[79:] for row in rows]
    for id in decision.ids:
        if id in decision.situation.units:
            number = decision.situation.units[id].roster
            assert any(f" {number} " in row for row in beside)
    assert any(row.rstrip().endswith("4 of 4 MP") for row in rows) is by_lines


def _before_act() -> Session[State]:
    """A historical game at its first question on the ground."""
    session = memory_game(mode="historical")
    drive(
        session,
        Automatic("good", 1),
        SeededDice(7),
        until=lambda: getattr(session.pending, "id", "") == "act",
    )
    return session
