"""The teacher and the expert: imagined games, nothing hidden looked at, advice in words."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from time import process_time
from typing import Any

import pytest
from msgspec.structs import replace
from st_terminal import Stopping, Typist, memory_game

from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Note, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.st.british.orders import read_order
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.expert import ExpertPlayer
from asl_pbcg.st.player.playout import (
    Outlook,
    PhasePosition,
    compare,
    outlook_of,
    play_to_end,
    position_of,
)
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_plan import STYLES
from asl_pbcg.st.player.unseen import imagine
from asl_pbcg.st.procedures.losses import HICKMAN
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_rules import german_order
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.advice import (
    MEANT,
    UNPLANNED,
    Advice,
    advice_words,
    advise,
    places_of,
    position_in,
    ranked_advice,
)
from asl_pbcg.st.thinking.choices import END, Choice, choices
from asl_pbcg.web.page_thinkers import AdvisedQuestion, Teacher

GAME = AreaGame()


def at(point: str, skip: int = 0, seed: int = 3, **settings: object) -> Session[State]:
    """A random game up to a question."""
    session = memory_game(**(settings or {"mode": "historical"}))
    left = [skip]

    def wanted(asked: object) -> bool:
        found = getattr(asked, "id", "") == point
        left[0] -= found
        return found and left[0] < 0

    drive(session, Stopping(RandomAnswers(seed), wanted), SeededDice(seed))
    assert session.pending and session.pending.id == point
    return session


def position(session: Session[State]) -> PhasePosition:
    found = position_in(session)
    assert found
    return found


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_what_cannot_be_seen_changes_nothing_that_is_imagined() -> None:
    """Turn every face-down counter and the marker round: the imagined games are the same."""
    session = at("act", 12, mode="variable", difficulty="hard")
    seen = position(session)
    assert seen.hidden
    other = replace(
        seen.state,
        units=tuple(
            replace(unit, dummy=not unit.dummy) if unit.id in seen.hidden else unit
            for unit in seen.state.units
        ),
        demo_marker="wired" if seen.state.demo_marker == "blank" else "blank",
        chit="A" if seen.state.chit != "A" else "H",
    )
    for number in range(5):
        one, two = (
            imagine(state, seen.hidden, True, random.Random(number))
            for state in (seen.state, other)
        )
        assert one.units == two.units
        assert one.demo_marker == two.demo_marker
        assert one.chit == two.chit


def test_imagined_counters_are_as_many_as_the_chit_has() -> None:
    session = at("act")
    seen = position(session)
    counts = set()
    for number in range(20):
        state = imagine(seen.state, seen.hidden, seen.marker, random.Random(number))
        assert sum(u.kind == "garrison" and u.dummy for u in state.units) == 4  # chit B
        counts.add(tuple(u.id for u in state.units if u.dummy))
    assert len(counts) > 10


@pytest.mark.rule("ST-SET-18")
@pytest.mark.parametrize("skip", [0, 12])
def test_an_imagined_chit_has_as_many_infantry_as_is_seen(skip: int) -> None:
    session = at("act", skip, mode="variable", difficulty="medium", hidden_chit=True)
    seen = position(session)
    chits = german_order().chits
    there = sum(chits[seen.state.chit].infantry.values())
    found = {
        imagine(seen.state, seen.hidden, seen.marker, random.Random(number)).chit
        for number in range(30)
    }
    same = {name for name in "ABCDEF" if sum(chits[name].infantry.values()) == there}
    assert found and found <= same < set("ABCDEF")


def begun(chit: str, difficulty: str, dice: int = 0) -> State:
    """The first game of this difficulty that has this chit, when its set-up is done."""
    while True:
        settings = {"mode": "variable", "difficulty": difficulty}
        state = next(play(GAME, GAME.begin(settings), GoodPlayer(), RandomDice(dice)))
        if state.chit == chit:
            return state
        dice += 1


def imagined(state: State) -> list[State]:
    hidden = {unit.id for unit in state.units if unit.face_down}
    marker = state.demo_marker != "none"
    return [imagine(state, hidden, marker, random.Random(number)) for number in range(30)]


@pytest.mark.rule("ST-SET-18", "ST-SET-24", "ST-SET-26", "ST-MER-01")
@pytest.mark.parametrize("chit", ["A", "B", "C"])
def test_who_stands_open_at_the_set_up_tells_the_chit_from_the_first_turn_on(chit: str) -> None:
    """Schmidt in the pillbox, Hickman: with these three chits nothing is left open."""
    assert {each.chit for each in imagined(begun(chit, "medium"))} == {chit}


@pytest.mark.rule("ST-SET-25")
@pytest.mark.parametrize("chit", ["D", "E"])
def test_where_hickman_began_tells_chit_d_from_chit_e(chit: str) -> None:
    """He goes where the British are; an older file does not keep where he came from."""
    state = begun(chit, "medium")
    (hickman,) = (unit for unit in state.units if unit.id == HICKMAN)
    gone = replace(hickman, area="XR")
    state = replace(state, units=tuple(gone if u is hickman else u for u in state.units))
    assert {each.chit for each in imagined(state)} == {chit}
    assert {each.chit for each in imagined(replace(state, hickman=""))} == {"D", "E"}


@pytest.mark.rule("ST-SET-26")
def test_the_marker_is_never_looked_at() -> None:
    """On the first turn too, whatever chit is imagined. Without a marker none is imagined."""
    state = begun("C", "easy")
    blank, wired = (imagined(replace(state, demo_marker=marker)) for marker in ("blank", "wired"))
    drawn = [each.demo_marker for each in blank]
    assert drawn == [each.demo_marker for each in wired]
    assert set(drawn) == {"blank", "wired"}
    assert {each.demo_marker for each in imagined(begun("B", "easy"))} == {"none"}


@pytest.mark.rule("ST-SET-34")
@pytest.mark.parametrize(
    ("turn", "phase", "come"),
    [(1, 2, {("Ranville", 2), ("Benouville", 3), ("Le Port", 4)}),
     (3, 3, {("Benouville", 3), ("Le Port", 4)}),
     (3, 4, {("Le Port", 4)}),
     (4, 2, {("Le Port", 4)})],
)  # fmt: skip
def test_a_tank_that_did_not_come_is_imagined_to_come_later(
    turn: int, phase: int, come: set[tuple[str, int]]
) -> None:
    """Of where and when it may have rolled, what is past is out."""
    state = replace(begun("G", "hard"), turn=turn, phase=phase)
    tanks = [unit for each in imagined(state) for unit in each.units if unit.kind == "tank"]
    assert {(tank.enters, tank.enters_turn) for tank in tanks if tank.status == "waiting"} == come


@pytest.mark.rule("ST-SET-34")
@pytest.mark.parametrize(("enters_turn", "known"), [(2, True), (4, False)])
def test_a_tank_that_waits_since_its_turn_has_been_seen(enters_turn: int, known: bool) -> None:
    seen = position(at("act", 0, mode="variable", difficulty="hard"))
    there = [unit for unit in seen.state.units if unit.kind == "tank"]
    waits = replace(there[0], status="waiting", enters="Nowhere", enters_turn=enters_turn)
    units = tuple(waits if unit.id == waits.id else unit for unit in seen.state.units)
    state = replace(seen.state, units=units, turn=3, german_turn=0)
    after = imagine(state, seen.hidden, seen.marker, random.Random(1))
    assert (waits in after.units) is known


def test_a_position_plays_on_from_the_middle_of_a_phase() -> None:
    session = at("action", 9)
    seen = position(session)
    assert seen.sent
    states = [play_to_end(GAME, seen, ["stop"], number) for number in (1, 1, 2)]
    assert all(state.result for state in states)
    assert states[0] == states[1] != states[2]


def test_the_same_games_are_played_for_every_choice() -> None:
    session = at("act", 5)
    seen = position(session)
    played = compare(GAME, seen, {"a": (), "b": ()}, range(3))
    assert played["a"] == played["b"]
    outlook = outlook_of(seen.state, played["a"])
    assert outlook.games == 3 and 0 <= outlook.win <= 1


def test_a_few_games_that_went_alike_are_not_sure() -> None:
    state = position(at("act", 5)).state
    chances = [outlook_of(state, dict.fromkeys(range(games), 90)) for games in range(1, 101)]
    assert chances[2].error > 2 and chances[99].error < 0.5
    assert chances[2].vp == 90 and chances[2].win == 4 / 5
    assert 0.98 < chances[99].win < 1


@pytest.mark.parametrize("point", ["act", "action", "fire", "opportunity_fire"])
def test_advice_is_legal_and_best_first(point: str) -> None:
    session = at(point)
    decision = session.pending
    assert isinstance(decision, Decision)
    rounds = list(advise(GAME, position(session), decision, seconds=0.2))
    best = rounds[-1]
    assert 1 <= len(best) <= 3
    assert [a.outlook.vp for a in best] == sorted((a.outlook.vp for a in best), reverse=True)
    for advice in best:
        decision.check(advice.choice.answers[0])
    words = advice_words(session.state, best)
    assert ("VP" in words[0] and "%" in words[0]) is (best[0].outlook.games >= MEANT)


@pytest.mark.finding("G-74")
def test_no_number_is_told_before_it_means_something() -> None:
    """At the terminal and in the page; later the chance comes with its interval."""
    state = at("act").state
    teacher = Teacher()
    for games, meant in ((MEANT - 1, False), (MEANT, True)):
        advice = [Advice(Choice(("x",), "go", "so"), Outlook(1.0, 0.5, 0.7, games))]
        words = " ".join(advice_words(state, advice))
        assert ("%" in words) is (" VP" in words) is meant
        assert not meant or "70% (40% to 89%)" in words
        teacher._lesson = AdvisedQuestion(("a", 1), iter([advice]), state)
        numbers = teacher._slice(teacher._lesson)["best"][0]["numbers"]
        assert (numbers is not None) is meant
    assert numbers["low"] < numbers["win"] < numbers["high"]


@pytest.mark.finding("G-74")
def test_the_first_advice_comes_at_once() -> None:
    """One game of each choice first, without waiting for other processes."""
    session = at("act")
    decision = session.pending
    assert isinstance(decision, Decision)
    begun = process_time()
    first = next(advise(GAME, position(session), decision, seconds=5))
    assert process_time() - begun < 2
    assert first[0].outlook.games == 1


TOLD = {
    "act": 3, "action": 3, "stack": 3, "fire": 3, "opportunity_fire": 3, "h2h_losses": 3,
    "arrival_order": 3, "retreat": 3, "hand_to_hand": 3, "crash_losses_sp": 1,
}  # fmt: skip
"""Questions, and the seed of a random game that comes to each."""


@pytest.mark.parametrize("point", TOLD)
def test_what_is_advised_is_told_as_it_is_typed(point: str) -> None:
    """Every advice begins with its order by counter, and that order gives its answers."""
    decision = at(point, seed=TOLD[point]).pending
    assert isinstance(decision, Decision)
    found = choices(decision)
    assert found
    for choice in found.values():
        words = advice_words(decision.situation.state, [Advice(choice, Outlook(1.0, 0.5, 1.0, 30))])
        assert words[0].startswith(f"{choice.order}  {choice.words}: 1.0 VP")
        decision.check(choice.answers[0])
        if choice.order == END:
            continue
        order = read_order(decision, choice.order)
        if order is None:  # a number, or a word of the list
            assert decision.kind == "number" or choice.answers == (choice.order,)
            continue
        assert order.answer == choice.answers[0]
        assert len(order.rest) == len(choice.answers) - 1


def test_a_crew_plays_the_same_imagined_games() -> None:
    """As soon as it is there; what was advised without it is advised with it."""

    class Crew:
        size, ready, asked = 3, True, 0

        def do(self, work: Any, tasks: Sequence[Any]) -> list[Any]:
            self.asked += len(tasks)
            return [work(task) for task in tasks]

    session, crew = at("opportunity_fire"), Crew()
    decision, seen = session.pending, position(session)
    assert isinstance(decision, Decision)
    rounds = advise(GAME, seen, decision, 60.0, crew=crew)  # type: ignore[arg-type]
    (_, second) = (next(rounds), next(rounds))
    assert crew.asked == 3 and {each.outlook.games for each in second} == {1 + 3 * 2}
    listed = choices(decision)
    answers = {name: choice.answers for name, choice in listed.items()}
    alone = ranked_advice(seen.state, listed, compare(GAME, seen, answers, range(1 + 3 * 2)))
    told = {each.choice.words: each.outlook for _, each in alone}
    assert all(each.outlook == told[each.choice.words] for each in second)


def test_whatever_is_told_has_a_reason() -> None:
    """At the terminal and in the page, for what no plan thinks of too."""
    state = at("act").state
    advice = [Advice(Choice(("x",), "go", why), Outlook(1.0, 0.5, 1.0, 3)) for why in ("", "so")]
    words = advice_words(state, advice)
    teacher = Teacher()
    teacher._lesson = AdvisedQuestion(("a", 1), iter([advice]), state)
    told = teacher._slice(teacher._lesson)["best"]
    assert [each["why"] for each in told] == [UNPLANNED, "so"]
    assert UNPLANNED in words[1] and "so" in words[3]


def test_who_plays_imagined_games_is_let_go_when_nobody_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And is there again for the next question."""
    monkeypatch.setattr("asl_pbcg.web.page_thinkers.REST", 0.05)
    session = at("act")

    async def asked() -> None:
        teacher = Teacher()
        for _ in range(2):
            lesson = teacher.lesson("a", 1, session)
            assert lesson
            told = await teacher.think(lesson)
            assert told["best"] and told["more"] and teacher._crew
            await asyncio.sleep(0.1)
            assert not teacher._crew and teacher.lesson("a", 1, session) is not lesson
        teacher.close()

    asyncio.run(asked())


@pytest.mark.parametrize(("point", "may"), [("opportunity_fire", True), ("firers", False)])
def test_fire_may_be_held_at_opportunity_only(point: str, may: bool) -> None:
    session = at(point)
    assert isinstance(session.pending, Decision)
    assert ("hold" in choices(session.pending)) is may


def test_the_teacher_answers_at_the_terminal() -> None:
    said = Typist(at("act")).type("! 0.1")
    assert "imagined game" in said
    assert "end the phase" in said or "1  " in said


def test_every_question_that_is_weighed_has_choices() -> None:
    session = at("act", 3)
    assert isinstance(session.pending, Decision)
    found = choices(session.pending)
    assert "end" in found
    assert all(choice.words for choice in found.values())


def asked_again(state: State, sent: Sequence[tuple[str, Any]]) -> Decision:
    """The question that stands when ``sent`` is given to the phase that begins at ``state``."""
    step = GAME.next_step(state)
    assert step
    script, given, back = step.script(state), list(sent), None
    while True:
        asked = script.send(back)
        if isinstance(asked, Note):
            back = None
        elif not given:
            assert isinstance(asked, Decision)
            return asked
        else:
            _, value = given.pop(0)
            back = asked.resolve(value) if isinstance(asked, Roll) else value


def turned_round(seen: PhasePosition) -> State:
    """The same to a person, another game underneath: counters, marker, chit, coming tanks."""
    state = seen.state
    hidden = [unit for unit in state.units if unit.id in seen.hidden]
    dummies = [unit.dummy for unit in hidden]
    turned = dict(zip((unit.id for unit in hidden), reversed(dummies), strict=True))
    assert dummies != dummies[::-1], "these twins would be the same game"
    return replace(
        state,
        units=tuple(
            replace(unit, dummy=turned[unit.id])
            if unit.id in turned
            else replace(unit, status="pool", enters="", enters_turn=0, stack=0)
            if unit.kind == "tank" and unit.status == "waiting"
            else unit
            for unit in state.units
        ),
        demo_marker="wired" if state.demo_marker == "blank" else "blank",
        chit="A" if state.chit != "A" else "H",
    )


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_twins_that_differ_in_hidden_things_alone_get_the_same_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The expert and the teacher: every imagined game and so every choice is the same."""
    monkeypatch.setattr("asl_pbcg.st.player.expert.STYLES", STYLES[:2])
    monkeypatch.setattr("asl_pbcg.st.player.expert.WEIGHED", range(17))
    session = at("act", 12, mode="variable", difficulty="hard")
    seen = position(session)
    assert seen.hidden and seen.state.demo_marker != "none"
    twin = turned_round(seen)
    found = []
    for state in (seen.state, twin):
        decision = asked_again(state, seen.sent)
        expert = ExpertPlayer(3, GAME, effort=0.1)
        expert.followed.begin(state)
        expert.followed.sent = list(seen.sent)
        same = position_of(state, seen.sent, decision.situation)
        listed = choices(decision)
        first = next(iter(listed.values()))
        ended = play_to_end(GAME, same, first.answers, 1).result
        found.append((expert.answer(decision), expert.chosen, list(listed), first.why, ended))
    assert found[0] == found[1]


def test_the_expert_plays_to_the_end_and_follows_the_game() -> None:
    """Here only that it plays by the rules; benchmarks.md tells how it does."""
    player = ExpertPlayer(1, GAME, effort=0.1)
    state = GAME.begin({"mode": "variable", "difficulty": "hard"})
    for after in play(GAME, state, player, RandomDice(1)):
        state = after
        if state.turn > 1:
            break
    assert len(player.chosen) == 1
    assert set(player.chosen) <= {style.name for style in STYLES}


@pytest.mark.finding("J-81")
def test_moves_of_equal_value_share_a_place() -> None:
    """At the terminal and in the page, by the numbers as they are told."""
    state = at("act").state

    def advised(*vp: float, games: int = MEANT) -> list[Advice]:
        return [
            Advice(Choice((n,), "go", "so", f"{n} N4"), Outlook(value, 0.5, 0.7, games))
            for n, value in enumerate(vp)
        ]

    assert places_of(advised(9.0, 5.04, 4.96)) == [1, 2, 2]
    assert places_of(advised(5.0, 5.0, 5.0)) == [1, 1, 1]
    assert places_of(advised(5.0, 4.0, 3.0)) == [1, 2, 3]
    assert places_of(advised(5.0, 4.0, games=MEANT - 1)) == [1, 1]
    words = advice_words(state, advised(9.0, 5.04, 4.96))
    assert "1 N4 and 2 N4" in words[-1]
    assert "ahead" not in " ".join(advice_words(state, advised(5.0, 5.0, 4.96)))
    assert "equal" not in " ".join(advice_words(state, advised(5.0, 4.0)))
    teacher = Teacher()
    teacher._lesson = AdvisedQuestion(("a", 1), iter([advised(5.0, 5.0, 4.0)]), state)
    told = teacher._slice(teacher._lesson)
    assert [each["place"] for each in told["best"]] == [1, 1, 3]
    assert "0 N4 and 1 N4" in told["equal"]
