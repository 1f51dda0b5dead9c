"""Orders by counter: words for units, actions and targets; standing orders; prices; captions."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from sentences import Tells
from st_help import british, garrison, german, give, run, situation
from st_terminal import Typist, memory_game

from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.st.british.orders import (
    action_named,
    action_words,
    attack_words,
    firer_word,
    number_of,
    read_order,
    unit_numbered,
)
from asl_pbcg.st.british.standing_orders import (
    StandingOrders,
    TypedOrders,
    can_matter,
    prices,
    spared_firers,
    worth_a_look,
)
from asl_pbcg.st.picture.captions import effect_words
from asl_pbcg.st.picture.textmap import ROWS, WIDTH, text_map
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.procedures.assaults import gammon
from asl_pbcg.st.procedures.fire import Target
from asl_pbcg.st.procedures.german_guns import firing_choices
from asl_pbcg.st.procedures.gun_fire import attacks, fire_piat
from asl_pbcg.st.procedures.movement import Action, able_units, legal_actions
from asl_pbcg.st.procedures.movement import action as make
from asl_pbcg.st.rules.p3_british_movement import act_decision, action_decision
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import PreparedPosition, State
from asl_pbcg.st.state.phase_situation import Situation
from asl_pbcg.st.state.player_view import view_in


def act(sit: Situation) -> Decision:
    return act_decision(sit, able_units(sit))


def action(sit: Situation, unit: str) -> Decision:
    return action_decision(sit, (unit,), legal_actions(sit, sit.units[unit]))


# -- words --------------------------------------------------------------------------------


@pytest.mark.finding("F-42")
def test_every_british_counter_has_its_number_for_good() -> None:
    sit = situation()
    numbers = {number_of(sit, unit): unit for unit in sit.rules.roster}
    assert len(numbers) == 40
    assert numbers["23"] == unit_numbered(sit, "23") == "sweeney-platoon"
    assert number_of(sit, "tank-1") == unit_numbered(sit, "99") == ""


@pytest.mark.rule("ST-GRE-01", "ST-MOV-19")
def test_each_action_has_one_word_of_its_own() -> None:
    sit = situation()
    british(sit, "B4", "sweeney-platoon")
    german(sit, "B4", "infantry-01", inside=True)
    german(sit, "RD1", "infantry-02")
    legal = legal_actions(sit, sit.units["sweeney-platoon"])
    words = action_words(sit, "sweeney-platoon", legal)
    assert words["grenade-bunker B4"] == "gb"
    assert words["grenade RD1"] == "gRD1"
    assert words["move RD1"] == "RD1"
    assert len(set(words.values())) == len(words)
    asked = action(sit, "sweeney-platoon")
    # A letter alone means the nearest it can mean.
    assert read_order(asked, "g") == ("grenade-bunker B4", (), ())
    assert read_order(asked, "grd1 rd1") == ("grenade RD1", ("rd1",), ())


def test_a_letter_alone_is_taken_if_it_can_mean_one_thing() -> None:
    sit = situation()
    british(sit, "B4", "sweeney-platoon")
    take, other = make("take", "mg-1", 0), make("take", "piat-1", 0)
    near, far = make("grenade", "RD1", 1), make("grenade", "B3", 1)
    move = make("move", "G4" if "G4" in sit.geo.map.areas else "RD1", 1)

    def named(word: str, *legal: Action) -> str:
        return action_named(sit, "sweeney-platoon", [*legal, move], word)

    assert named("t", take) == take.id
    assert named("t", near) == ""
    with pytest.raises(PBCGError, match=r"t could be tmg1 or tpiat1"):
        named("t", take, other)
    assert named("g", near) == near.id
    with pytest.raises(PBCGError, match=r"g could be gb3 or grd1"):
        named("g", near, far)


@pytest.mark.rule("ST-BRK-01", "ST-BRK-03")
def test_a_platoon_that_is_to_split_is_named_by_its_number_or_that_of_a_squad() -> None:
    sit, orders = situation(), TypedOrders()
    assert orders.wish(sit, "split", "23") == "split sweeney-platoon"
    assert orders.wish(sit, "split", "24") == "split sweeney-platoon"
    assert orders.standing.wishes == ["split sweeney-platoon"]
    for word in ("22", "35", "99", ""):
        with pytest.raises(PBCGError, match="not a platoon of two squads"):
            orders.wish(sit, "split", word)


@pytest.mark.finding("F-42")
def test_an_order_for_another_unit_is_taken_at_any_action() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon")
    british(sit, "EF", "sweeney-platoon", "sweeney")
    asked = action(sit, "wood-platoon")
    order = read_order(asked, "23 RD1 g")
    assert order and order.answer == "stop" and order.rest == ("23", "RD1", "g")
    first = read_order(act(sit), "23 22 RD1")
    assert first and first.answer == "stack EF"
    assert first.group == ("sweeney-platoon", "sweeney")
    assert first.rest == ("RD1",)
    assert read_order(act(sit), "caf XR") == ("wood-platoon", ("XR",), ())
    # Its own number at its own question is not an order for another.
    assert read_order(asked, "27 XR") == ("move XR", (), ())


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("24 XR", "Sweeney squad A cannot act now: Sweeney platoon is not split"),
        ("23 27 RD1", "must stand in one place"),
        ("ZZ", "type the number on its counter"),
        ("3", "Capt Priday is not in play yet"),
    ],
)
def test_what_is_no_order_has_its_sentence(typed: str, says: str) -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon")
    british(sit, "EF", "sweeney-platoon")
    with pytest.raises(PBCGError, match=says):
        read_order(act(sit), typed)
    with pytest.raises(IllegalAnswer, match=says):
        TypedOrders().take(act(sit), typed)


@pytest.mark.finding("J-73")
def test_the_dead_are_called_dead() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "howard", "hq-1")
    sit.take_off("howard", "dead")
    sit.take_off("hq-1", "dead")
    for typed, words in (("1 XR", "dead"), ("4 XR", "eliminated")):
        with pytest.raises(PBCGError, match=words):
            read_order(act(sit), typed)


@pytest.mark.finding("G-72")
def test_several_named_at_the_prompt_of_one_go_together() -> None:
    """Nobody named is dropped: the unit is done, and all of them go as a stack."""
    sit = situation()
    british(sit, "EF", "sweeney-platoon", "sweeney", "hq-1")
    british(sit, "CAF", "wood-platoon")
    asked = action(sit, "sweeney-platoon")
    order = read_order(asked, "23 22 4 RD1")
    assert order and (order.answer, order.rest) == ("stop", ("23", "22", "4", "RD1"))
    assert read_order(act(sit), "23 22 4 RD1") == (
        "stack EF", ("RD1",), ("sweeney-platoon", "sweeney", "hq-1")
    )  # fmt: skip
    for typed, says in (("23 27 RD1", "must stand in one place"), ("23 24 RD1", "is not split")):
        with pytest.raises(PBCGError, match=says):
            read_order(asked, typed)


@pytest.mark.finding("G-72")
@pytest.mark.rule("ST-PIA-03", "ST-FIR-05")
def test_who_is_named_after_a_target_fires_or_the_order_is_refused_whole() -> None:
    sit = situation(9, "british_fire")
    british(sit, "EF", "sweeney-platoon", "hq-1")
    british(sit, "N10", "coffin-2")
    german(sit, "PB", "infantry-01")
    german(sit, "RD1", "tank-1")
    give(sit, "piat-3", "hq-1")
    asked = asked_of(british_fire(sit.rules, sit.close()))
    assert read_order(asked, "piat3@RD1 23") == ("piat-3 tank-1", ("23",), ())
    assert read_order(asked, "PB 4 piat3@RD1 23").rest == ("4", "piat3@RD1", "23")  # type: ignore[union-attr]
    for typed in ("piat3@RD1 36", "PB 36", "piat3@RD1 4 23"):
        with pytest.raises(PBCGError, match="cannot|name"):
            read_order(asked, typed)
    orders = TypedOrders()
    script = british_fire(sit.rules, sit.close())
    firer = script_to(script, orders.take(asked_of(script), "piat3@RD1 23"))
    assert firer.id == "firer" and orders.answer(firer, news=False) == "sweeney-platoon"
    # Where one alone can fire, nobody asks, and its number is not taken for a target.
    alone = situation(9, "british_fire")
    british(alone, "EF", "hq-1")
    german(alone, "PB", *[f"infantry-0{n}" for n in range(1, 7)])
    asked = asked_of(british_fire(alone.rules, alone.close()))
    assert len(asked.ids) > 4
    assert read_order(asked, "PB 4") == (asked.ids[0], (), ())


@pytest.mark.finding("G-72")
def test_one_of_several_is_named_once() -> None:
    sit = situation(9, "british_fire")
    british(sit, "EF", "sweeney-platoon", "hq-1")
    german(sit, "RD1", "tank-1")
    give(sit, "piat-3", "hq-1")
    script = british_fire(sit.rules, sit.close())
    asked_of(script)
    firer = script_to(script, "piat-3 tank-1")
    with pytest.raises(PBCGError, match="name one"):
        read_order(firer, "23 4")


@pytest.mark.finding("G-72")
def test_words_ahead_stop_at_a_counter_that_turns_up_and_for_nothing_less() -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon")
    note = {"kind": "note", "step": "2.3", "text": ""}
    assert worth_a_look([LogLine(**note, rule="ST-GAR-03")])
    assert not worth_a_look([LogLine(**note, rule="ST-GEN-08")])
    assert worth_a_look([LogLine(kind="roll", step="2.3", text="", point="garrison")])
    orders = TypedOrders()
    orders.take(act(sit), "27 b")
    assert orders.answer(action(sit, "wood-platoon"), news=True) is None
    assert orders.said and not orders.waiting
    orders.take(act(sit), "27 b")
    assert orders.answer(action(sit, "wood-platoon"), news=False) == "enter-bunker"


@pytest.mark.finding("G-72")
def test_a_question_in_the_midst_leaves_the_words_that_wait() -> None:
    sit = situation(9, "british_fire")
    british(sit, "EF", "sweeney-platoon", "hq-1")
    german(sit, "PB", "infantry-01")
    german(sit, "RD1", "tank-1")
    give(sit, "piat-3", "hq-1")
    orders = TypedOrders()
    script = british_fire(sit.rules, sit.close())
    firer = script_to(script, orders.take(asked_of(script), "piat3@RD1 PB 4"))
    assert orders.answer(firer, news=False) is None
    assert orders.take(firer, "23") == "sweeney-platoon"
    assert orders.waiting


def test_targets_and_firers_have_words() -> None:
    sit = situation(4, "british_fire")
    british(sit, "EF", "sweeney-platoon", "hq-1")
    german(sit, "PB", "infantry-01")
    german(sit, "RD1", "tank-1")
    give(sit, "piat-1", "hq-1")
    found = attack_words(sit, attacks(sit, set()))
    assert sorted(found.values()) == ["PB", "piat1@RD1"]
    assert firer_word(sit, "sweeney-platoon") == "23"
    assert firer_word(sit, "mg-1+hq-1") == "mg1+4"


# -- standing orders ----------------------------------------------------------------------


def asked_of(script: Any) -> Decision:
    return script_to(script, None)


def script_to(script: Any, sent: Any) -> Decision:
    """The next decision of a script after an answer."""
    asked = script.send(sent)
    while not isinstance(asked, Decision):
        asked = script.send(None)
    return asked


@pytest.mark.rule("ST-OPF-09", "ST-TNK-07", "ST-PRE-04")
def test_opportunity_fire_is_given_if_it_can_matter_and_costs_nothing_else() -> None:
    from asl_pbcg.st.procedures.german_guns import british_opportunity_fire as fire

    sit = situation(6, "german_movement")
    british(sit, "EF", "sweeney-platoon")
    german(sit, "PB", "infantry-01")
    decision = asked_of(fire(sit, ("infantry-01",)))
    orders = StandingOrders()
    assert orders.answer(decision) == ["sweeney-platoon"]
    orders.fire = "ask"
    assert orders.answer(decision) is None
    orders.fire = "auto"
    sit.positions["EF"] = PreparedPosition(area="EF", builder="sweeney-platoon")
    assert orders.answer(decision) is None
    sit.positions.clear()
    # A column that has noticed nothing is the player's to wake.
    sit.change("infantry-01", force=True, order=1)
    assert orders.answer(decision) is None
    sit.triggered = True
    assert orders.answer(decision) == ["sweeney-platoon"]
    # One SP into cover next door: -1 -1 -1 in the first column does nothing.
    weak = situation(6, "german_movement")
    british(weak, "EF", "sapper-1")
    german(weak, "PB", "infantry-01")
    weak.place_vehicle("PB")
    assert orders.answer(asked_of(fire(weak, ("infantry-01",)))) == []


def test_a_unit_with_nothing_to_decide_is_not_asked_about() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon")
    give(sit, "piat-1", "wood-platoon")
    sit.spent["wood-platoon"] = 4
    decision = action(sit, "wood-platoon")
    assert [each.kind for each in decision.choices] == ["leave"]
    orders = StandingOrders()
    assert orders.answer(decision) == "stop"
    orders.chosen = "wood-platoon"
    assert orders.answer(decision) is None
    sit.spent["wood-platoon"] = 3
    orders.chosen = ""
    assert orders.answer(action(sit, "wood-platoon")) is None


def test_fire_that_can_do_nothing_is_not_asked_about() -> None:
    sit = situation(4, "british_fire")
    british(sit, "EF", "sapper-1")
    garrison(sit, "B4")
    sit.place_vehicle("B4")
    assert not any(can_matter(sit, attack) for attack in attacks(sit, set()))
    british(sit, "EF", "sweeney-platoon")
    assert any(can_matter(sit, attack) for attack in attacks(sit, set()))


@pytest.mark.finding("F-42")
@pytest.mark.rule("ST-TAT-08", "ST-PIA-03")
def test_hidden_prices_are_named_and_spared() -> None:
    sit = situation(6, "british_fire")
    british(sit, "B4", "sweeney-platoon", "sapper-1", inside=True)
    sit.change_weapon("at-gun", area="B4", inside=True)
    german(sit, "RD1", "infantry-01")
    target = Target("RD1", ("infantry-01",))
    choices = firing_choices(sit, [sit.units["sweeney-platoon"], sit.units["sapper-1"]])
    assert any("AT gun" in words for words in prices(sit, list(choices), target))
    answers, said = spared_firers(sit, target, choices)
    assert answers == ["sweeney-platoon"]
    assert "Sapper" in said[0]
    sit.shots.add("at-gun")
    assert not prices(sit, list(choices), target)


# -- captions -----------------------------------------------------------------------------


@pytest.mark.finding("F-41")
@pytest.mark.rule("ST-TAT-15", "ST-PIA-09", "ST-GAM-08", "ST-FIR-21", "ST-MER-07")
@pytest.mark.parametrize(
    ("point", "targets", "result", "does"),
    [
        ("fire_combat", "fighters", "1(H)", "1 SP lost"),
        ("fire_combat", "car", "1", "wrecks the car"),
        ("fire_combat", "car", "S", "no effect"),
        ("fire_combat", "leaders", "1", "Casualty rolls"),
        ("opportunity_fire_combat", "fighters", "S(H)", "suppressed"),
        ("piat_fire", "tank", "S", "no effect"),
        ("piat_fire", "tank", "S(H)", "hits the tank"),
        ("piat_fire", "tank", "1(H)", "wrecks the tank"),
        ("tank_at_fire", "fighters", "S", "no effect"),
        ("tank_at_fire", "tank", "S(H)", "wrecks the tank"),
        ("tank_at_fire", "tank", "1(H)", "wrecks the tank and 1 SP lost"),
        ("tank_at_fire", "mg", "S(H)", "destroys the MG"),
        ("tank_at_fire", "at", "S(H)", "destroys the AT gun"),
        ("tank_at_fire", "fighters", "S(H)", "no effect but on a prepared position"),
        ("tank_at_fire", "fighters", "1(H)", "1 SP lost"),
        ("tank_at_fire", "leaders", "1(H)", "Casualty rolls"),
        ("gammon", "tank", "S", "no effect"),
        ("gammon", "car", "S", "wrecks the car"),
        ("grenade", "fighters mg", "S", "suppressed"),
        ("grenade", "fighters tank", "2(H)", "2 SP lost"),
        ("grenade", "fighters", "2", "2 SP lost"),
        ("grenade", "mg", "S", "no effect"),
        ("grenade", "at", "1", "1 SP lost"),
        ("grenade", "leaders", "2", "Casualty rolls"),
        ("grenade", "tank", "S", "no effect"),
        ("grenade", "tank", "2", "no effect"),
        ("grenade", "tank", "2(H)", "wrecks the tank"),
        ("grenade", "car tank", "2(H)", "wrecks the car"),
        ("grenade", "car", "1", "no effect"),
        ("grenade", "fragile-car", "1", "wrecks the car"),
    ],
)
def test_captions_say_what_a_result_does(point: str, targets: str, result: str, does: str) -> None:
    assert effect_words(point, Topic(kind=targets), result) == does


@pytest.mark.parametrize(
    ("result", "does"), [("2", "MG 1"), ("1", "squad"), ("again", "once more")]
)
def test_a_choice_by_dice_names_the_one_chosen(result: str, does: str) -> None:
    topic = Topic(choices=("squad", "MG 1"))
    assert effect_words("random_selection", topic, result) == does


@pytest.mark.finding("F-41")
@pytest.mark.rule("ST-PIA-05", "ST-GAM-02")
def test_a_weapon_is_used_up_after_its_last_shot(tells: Tells) -> None:
    sit = situation(6, "british_fire")
    british(sit, "EF", "sweeney-platoon")
    german(sit, "RD1", "tank-1")
    give(sit, "piat-1", "sweeney-platoon")
    sit.change_weapon("piat-1", charges=1)
    script = fire_piat(sit, "piat-1", "sweeney-platoon", "tank-1")
    assert next(script).id == "piat_fire"
    played = run(fire_piat(_ready(sit), "piat-1", "sweeney-platoon", "tank-1"), [1])
    (note,) = played.notes
    tells(note, "PIAT #1", "used")
    give(sit, "gammon-1", "sweeney-platoon")
    sit.change_weapon("gammon-1", charges=1)
    german(sit, "EF", "tank-2")
    tells(run(gammon(sit, "sweeney-platoon", "tank-2"), [6]).notes[-1], "#1", "used")


def _ready(sit: Situation) -> Situation:
    sit.change_weapon("piat-1", charges=1, status="map", carrier="sweeney-platoon")
    return sit


# -- the map in letters ---------------------------------------------------------------------


@pytest.mark.finding("F-43")
def test_the_map_fits_a_small_terminal_and_hides_what_is_hidden() -> None:
    sit = situation()
    british(sit, "XR", "sweeney-platoon", "sweeney")
    garrison(sit, "B4", face_down=True)
    german(sit, "LP1", "tank-1", "infantry-01")
    british(sit, "PB", "wood")
    german(sit, "PB", "infantry-02")
    rows = text_map(sit, view_in(sit, "british"))
    assert len(rows) == ROWS <= 22
    words = [piece.text.strip() for row in rows for piece in row]
    assert {"XR+8", "B4-?", "LP1-8T", "PB!"} <= set(words)
    assert all(len("".join(piece.text for piece in row)) <= WIDTH for row in rows)
    shown = {word.split("+")[0].split("-")[0].rstrip("!") for word in words}
    assert shown >= set(sit.geo.land)


@pytest.mark.finding("G-75")
def test_the_map_in_letters_has_the_lines_between_areas() -> None:
    sit = situation()
    british(sit, "XR", "sweeney-platoon", "sweeney")
    rows = text_map(sit, view_in(sit, "british"))
    lines = ["".join(piece.text for piece in row) for row in rows]
    assert any("W6 --- LP2" in line for line in lines)
    assert any("W9 --- XR+8 - CAF" in line for line in lines)
    for row, line in zip(rows, lines, strict=True):
        drawn = [piece for piece in row if piece.whose in ("line", "road")]
        assert {piece.text for piece in drawn} <= set("-|/\\.")
        at = 0
        for piece in row:
            if len(piece.text) > 1:  # the marks of a word are not taken for a line
                around = line[max(0, at - 1) : at] + line[at + len(piece.text) :][:1]
                assert not around.strip(), line
            at += len(piece.text)
    across = {piece.whose for piece in rows[0] + rows[10]}
    assert {"road", "line", "water"} <= across


def map_words(sit: Situation) -> list[str]:
    return [piece.text.strip() for row in text_map(sit, view_in(sit, "british")) for piece in row]


def test_who_stands_in_a_flight_area_is_on_the_map_in_letters() -> None:
    """After the landing most do; no land area gives way for it."""
    sit = situation(turn=1)
    flight = sorted(sit.geo.map.areas.keys() - set(sit.geo.land))
    platoons = [unit for unit in sit.rules.squads if not unit.startswith("coffin")]
    before = map_words(sit)
    for area, platoon in zip(flight[::2], platoons, strict=False):
        british(sit, area, platoon)
    words = map_words(sit)
    assert {f"{area}+8" for area, _ in zip(flight[::2], platoons, strict=False)} <= set(words)
    assert {word for word in before if word[:1].isalpha()} <= set(words)


@pytest.mark.rule("ST-SET-23", "ST-MER-01")
def test_a_leader_and_a_face_down_counter_are_on_the_map_in_letters() -> None:
    sit = situation()
    german(sit, "PX", "schmidt")
    german(sit, "CAF", "infantry-01")
    for area in ("PX", "CAF"):
        garrison(sit, area, inside=False, face_down=True)
    german(sit, "XR", "tank-1")
    assert {"PX-*?", "CAF-8?", "XR-T"} <= set(map_words(sit))


# -- a game typed by counter orders -----------------------------------------------------------


class Recorded:
    """The good player behind standing orders: what a person decides, and nothing he need not."""

    def __init__(self) -> None:
        self.player = GoodPlayer()
        self.orders = TypedOrders()

    def answer(self, prompt: Prompt) -> Any:
        found = self.orders.answer(prompt, news=False)
        return self.player.answer(prompt) if found is None else found

    def dice(self, roll: Any) -> None:
        return None

    def hear_refusal(self, prompt: Any, error: Exception) -> None:
        raise error


class Hands:
    """Types, at each question, as much of the recorded game as one line of orders holds."""

    def __init__(self, session: Session[State], recorded: list[tuple[str, Any]]) -> None:
        self.session = session
        self.recorded = recorded
        self.lines: list[tuple[int, str]] = []
        self.after_news = 0
        """Lines that begin with a move: something had happened on the way."""
        self.typist = Typist(session)
        self.typist._lines = self  # type: ignore[assignment]

    def __iter__(self) -> Hands:
        return self

    def __next__(self) -> str:
        asked = self.session.pending
        assert isinstance(asked, Decision)
        done = sum(entry.kind == "answer" for entry in self.session.journal.standing())
        line = self._line(asked, self.recorded[done:])
        if not re.fullmatch(r"(\d+ \. ?)+", f"{line} "):  # only looked at: no person types that
            self.lines.append((self.session.state.turn, line))
        self.after_news += asked.id == "action" and self.recorded[done][1].startswith("move ")
        return line

    def _line(self, asked: Decision, coming: list[tuple[str, Any]]) -> str:
        sit = asked.situation
        point, answer = coming[0]
        assert point == asked.id
        if point == "act" and answer == "end-phase":
            return "e"
        if point == "act":
            return " ".join(self._orders(sit, coming))
        if point == "action":
            words = self._actions(sit, asked.pieces[0], coming)
            at = next(n for n, (p, a) in enumerate(coming) if p != "action" or a == "stop")
            after = coming[at + 1 :]
            if words or after[0] == ("act", "end-phase"):
                return " ".join(words) or "."
            return " ".join(self._orders(sit, after))
        if point == "fire":
            legal = [each for each in asked.choices if not isinstance(each, str)]
            if answer == "end-phase":
                return "e"
            words = attack_words(sit, legal)
            aims = [a for p, a in coming if p == "fire" and a in words]
            return " ".join(words[each] for each in dict.fromkeys(aims[:2]))
        if asked.id in ("firers", "opportunity_fire"):
            return " ".join(firer_word(sit, each) for each in answer) or "none"
        if isinstance(answer, list):
            return " ".join(number_of(sit, each) for each in answer) or "none"
        return number_of(sit, str(answer)) or str(answer)

    def _orders(self, sit: Situation, coming: list[tuple[str, Any]]) -> list[str]:
        """The next order; units that are only looked at and left alone before it."""
        if coming[0][0] != "act" or coming[0][1] == "end-phase":
            return []
        units = coming[1][1] if coming[1][0] == "stack" else [coming[0][1]]
        rest = coming[2 if coming[1][0] == "stack" else 1 :]
        words = [number_of(sit, unit) for unit in units]
        actions = self._actions(sit, units[0], rest)
        if not actions and rest[0] == ("action", "stop"):
            return [*words, ".", *self._orders(sit, rest[1:])]
        after = rest[len(actions) :]
        if self._stays(actions) and after[0] == ("action", "stop"):
            # Whoever only works where he stands leaves room for the next in the same line.
            following = self._orders(sit, after[1:])
            if self._stays(following):
                return [*words, *actions, *following]
        return [*words, *actions]

    @staticmethod
    def _stays(actions: list[str]) -> bool:
        return all(word in ("b", "c", "p", ".") or word.isdecimal() for word in actions)

    def _actions(self, sit: Situation, unit: str, coming: list[tuple[str, Any]]) -> list[str]:
        words = []
        for point, answer in coming:
            if point != "action" or answer == "stop":
                break
            kind, _, target = answer.partition(" ")
            made = Action(kind, target, 0, answer)
            word = action_words(sit, unit, [made])[answer]
            words.append(f"g{target}" if kind == "grenade" else word)
        return words


def lines_of_old(recorded: list[tuple[str, Any]], after_news: int) -> int:
    """Lines that the same decisions took before.

    One for each question; moves are typed ahead with the unit until something happens
    (``after_news`` times); the question of a unit that has done something ends with a line. Units
    that are only looked at are left out.
    """
    lines = after_news
    for (point, answer), (_, after) in zip(recorded, [*recorded[1:], ("", "")], strict=True):
        going = point == "action" and answer.startswith(("move ", "arrow "))
        idle = point == "act" and after == "stop"
        lines += not going and not idle and point not in ("stack", "load_glider")
    looked_at = sum(
        point == "act" and after == "stop" for (point, _), (_, after) in pairwise(recorded)
    )
    return lines - looked_at


@pytest.mark.rule("ST-SEQ-04")
def test_a_game_by_counter_orders_takes_half_the_lines() -> None:
    settings = {"mode": "historical"}
    first = memory_game(**settings)
    drive(first, Recorded(), SeededDice(7))
    entries = first.journal.standing()
    recorded = [(entry.point, entry.body) for entry in entries if entry.kind == "answer"]
    second = memory_game(**settings)
    hands = Hands(second, recorded)
    hands.typist.play(SeededDice(7))
    again = [(e.point, e.body) for e in second.journal.standing() if e.kind == "answer"]
    assert again == recorded
    assert second.state.over
    assert len(hands.lines) <= lines_of_old(recorded, hands.after_news) / 2
    busiest = max(sum(turn == at for at, _ in hands.lines) for turn in range(1, 17))
    assert busiest <= 18
