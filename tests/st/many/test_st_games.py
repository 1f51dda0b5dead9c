"""Whole games: order of phases, accounts, replay, what the player sees, automatic players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from st_accounts import check, faults
from st_brute import brute_actions, brute_attacks, brute_group_moves
from st_help import GAME, british, garrison, german, run, situation

from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import for_side
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer, player
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.player_view import view_for, view_in

KINDS: list[dict[str, Any]] = [
    {"mode": "historical"},
    {"mode": "full_history"},
    {"mode": "variable", "difficulty": "easy"},
    {"mode": "variable", "difficulty": "medium"},
    {"mode": "variable", "difficulty": "hard"},
]
OTHER_RULINGS: dict[str, Any] = {
    "fire_table": "leading_lost", "german_leader_fire_drm": 1, "square_landing": "circle",
    "gammon_uses": 2, "garrison_sp": 5, "infantry_sp": 6, "german_tanks": 8,
    "german_entry_turns": "sequence", "british_entry_turns": "text",
    "optional_british_table": True, "flight_area_exit": "stay", "hexagon_link": "a",
    "must_load_all": False, "crash_losses": "random", "forward_sideways": 100,
    "arrow_roll": "once", "crash_drm": "all", "piat_leader_drm": False,
    "wounded_leader_h2h": "british", "leaders_alone_loss": "one",
    "half_loss_counts_leaders": False, "garrison_holds_weapon": True, "priday_commands": "all",
    "schmidt_waits_in_pillbox": False, "open_drm_in_bunker": True,
    "dashed_lines_adjacent": False, "sight_radius": 12, "stack_opportunity_fire": "one",
    "tanks_opportunity_fire": True, "tank_at_drm": "small_arms", "mixed_range_fire": "all",
    "bunker_hand_to_hand": True, "bunker_opportunity_fire": False, "attack_activates": False,
    "demolition_window": "rolling", "fire_release": "unit", "spotting": "fire",
    "chit_tanks_march": False, "hq_loss": "none_left", "mercedes_vp": 2, "coffin_counts": False,
    "wreck_blocks_road": False, "pillbox_is_bunker": True, "grenade_wrecks_mercedes": "hard",
    "hidden_chit": False,
}  # fmt: skip


def played(settings: dict[str, Any], seed: int, who: Any) -> list[State]:
    """Every state of one game; the accounts are checked at each."""
    states = []
    for state in play(GAME, GAME.begin(settings), who, RandomDice(seed)):
        check(GAME.rules(state.settings), state)
        states.append(state)
    return states


@pytest.mark.parametrize("seed", range(10))
def test_random_games_end_and_balance_after_every_phase(seed: int) -> None:
    states = played(KINDS[seed % 5], seed, RandomPlayer(seed))
    assert states[-1].result
    # Set-up, nine phases on turn 1, eight on each later turn, the score.
    assert len(states) == 1 + 9 + 15 * 8 + 1


@pytest.mark.parametrize("seed", range(5))
def test_good_games_end_and_balance(seed: int) -> None:
    assert played(KINDS[seed], seed, GoodPlayer(seed))[-1].over


@pytest.mark.parametrize("seed", range(4))
def test_games_with_every_other_ruling_end_and_balance(seed: int) -> None:
    settings = KINDS[2 + seed % 3] | OTHER_RULINGS
    assert played(settings, seed, player("good" if seed % 2 else "random", seed))[-1].over


@pytest.mark.rule("ST-SEQ-01", "ST-GEN-01")
def test_the_log_has_the_phases_in_their_order() -> None:
    state = GAME.begin({"mode": "historical"})
    titles = []
    who, dice = RandomPlayer(1), RandomDice(1)
    for after in play(GAME, state, who, dice):
        step = GAME.next_step(state)
        assert step
        titles.append(step.title)
        state = after
    names = [phase.title for phase in PHASES]
    expected = ["Set-up", *(f"Turn 1, {name}" for name in names)]
    expected += [f"Turn {turn}, {name}" for turn in range(2, 17) for name in names[1:]]
    assert titles == [*expected, "Victory"]


def test_a_game_replays_from_its_journal() -> None:
    settings = {"mode": "variable", "difficulty": "hard"}
    session = Session(GAME, Journal.in_memory({"settings": settings}))
    assert drive(session, RandomAnswers(7), SeededDice(7))
    again = Session(AreaGame(), Journal.in_memory({"settings": settings}))
    for entry in session.journal.standing():
        assert again.pending and again.pending.id == entry.point
        if entry.kind == "roll":
            again.throw(tuple(entry.body))
        else:
            again.answer(entry.body)
    assert again.state == session.state
    assert again.lines() == session.lines()


def test_a_game_opens_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "game.pbcg"
    journal = Journal.create(path, {"game": "st", "settings": {"mode": "historical"}}, "test")
    session = Session(GAME, journal)
    drive(session, RandomAnswers(3), SeededDice(3), until=lambda: session.rolls > 40)
    pending, lines = session.pending, session.lines()
    journal.close()
    with Journal.open(path, "test") as again:
        opened = Session(AreaGame(), again)
        assert opened.pending and pending and opened.pending.id == pending.id
        assert opened.pending.text == pending.text
        assert opened.lines() == lines


def test_undo_brings_the_same_question_back() -> None:
    session = Session(GAME, Journal.in_memory({"settings": {"mode": "historical"}}))
    drive(
        session,
        RandomAnswers(3),
        SeededDice(3),
        until=lambda: isinstance(session.pending, Decision),
    )
    before = session.pending
    assert isinstance(before, Decision)
    ids = [option.id for option in before.legal]
    session.answer(ids[0])
    session.undo()
    assert isinstance(session.pending, Decision)
    assert [option.id for option in session.pending.legal] == ids


@pytest.mark.rule("ST-SET-23", "ST-SET-26", "ST-GAR-03", "ST-SET-18")
def test_what_is_hidden_stays_hidden() -> None:
    settings = {"mode": "variable", "difficulty": "hard"}
    session = Session(GAME, Journal.in_memory({"settings": settings}))
    drive(session, RandomAnswers(5), SeededDice(5), until=lambda: session.state.phase == 2)
    state = session.state
    assert state.chit in "DEFGH" and any(unit.dummy for unit in state.units)
    seen = view_for(state, "british")
    assert not any(unit.dummy for unit in seen.units)
    assert seen.chit == ""
    assert seen.demo_marker == "hidden"
    down = [unit for unit in seen.units if unit.face_down]
    assert len(down) >= 3
    assert len({(unit.name, unit.sp, unit.lost, unit.dummy) for unit in down}) == 1
    assert not any(
        unit.side == "german" and unit.status in ("pool", "waiting") for unit in seen.units
    )
    assert view_for(state, "umpire") == state
    driving = situation(4, "british_fire")
    driving.take_off("schmidt", "aboard")
    assert "schmidt" not in {unit.id for unit in view_in(driving, "british").units}
    german(driving, "RR1", "mercedes")
    assert "schmidt" in {unit.id for unit in view_in(driving, "british").units}
    open_chit = view_for(State(settings=state.settings, chit="B"), "german")
    assert open_chit.chit == "B"
    told = " ".join(
        line.text for line in for_side(session.lines(), "british") if line.step == "setup"
    )
    assert "ummy" not in told and "Demo Bridge" not in told and "chit" not in told
    secrets = [line for line in session.lines() if line.secret]
    assert secrets and all(line.side == "german" for line in secrets)


def test_face_down_counters_give_nothing_away_in_prompts() -> None:
    """Options and odds are the same whether a counter is a dummy or not."""
    from asl_pbcg.st.rules.p3_british_movement import british_movement
    from asl_pbcg.st.rules.p5_british_fire import british_fire

    shown = []
    for dummy in (False, True):
        sit = situation(2)
        british(sit, "B4", "wood-platoon")
        british(sit, "EF", "fox-platoon")
        garrison(sit, "B4", face_down=True, dummy=dummy)
        garrison(sit, "B5", face_down=True, dummy=not dummy)
        told: list[Any] = []
        for script, answers in (
            (
                british_movement(sit.rules, sit.close()),
                ["go-on", "wood-platoon", "stop", "end-phase"],
            ),
            (british_fire(sit.rules, sit.close(phase=4)), ["end-phase"]),
        ):
            done = run(script, answers=answers)
            told += [
                (
                    p.id,
                    p.text,
                    [(o.id, o.text, o.consequence, dict(o.odds), o.refused) for o in p.options],
                )
                for p, _ in done.asked
            ]
        shown.append(told)
    assert shown[0] == shown[1]


def test_every_option_can_be_read() -> None:
    """Texts, odds and refusals are there for each prompt of some games."""

    class Reader(RandomPlayer):
        read = 0

        def answer(self, prompt: Prompt) -> Any:
            for option in prompt.options:
                assert option.id and option.text
                assert all(each.words.endswith("%") for each in option.odds.values())
                self.read += 1
            assert isinstance(prompt, Decision)
            legal = {option.id for option in prompt.legal}
            assert legal == set(prompt.ids), prompt.id
            assert prompt.where.startswith("Turn") and prompt.text
            for option in prompt.options:
                if option.refused:
                    assert option.rule.startswith("ST-")
                    with pytest.raises(PBCGError):
                        prompt.check(option.id if prompt.kind == "choose" else [option.id])
            answer = super().answer(prompt)
            assert prompt.check(answer) == answer or prompt.kind == "number"
            prompt.words(answer)
            return answer

    for seed in range(3):
        reader = Reader(seed)
        played(KINDS[seed], seed, reader)
        assert reader.read > 1000


def test_a_hundred_positions_against_a_brute_force_count() -> None:
    """Legal actions, group moves and attacks, listed independently from the rules."""
    compared = 0
    total = 0

    class Counting(RandomPlayer):
        def answer(self, prompt: Prompt) -> Any:
            nonlocal compared, total
            assert isinstance(prompt, Decision)
            sit = prompt.situation
            if prompt.id in ("action", "declare_action"):
                ids = sorted(prompt.ids)
                # A stack of which one unit is left still moves as a stack.
                if len(prompt.pieces) == 1 and prompt.rule != "ST-MOV-27":
                    expected = brute_actions(sit, prompt.pieces[0])
                else:
                    expected = brute_group_moves(sit, prompt.pieces)
                assert ids == sorted([*expected, "stop"]), (prompt.pieces, sit.where)
                compared += 1
                total += len(ids)
            elif prompt.id in ("fire", "declare_fire"):
                used = set(sit.shots)
                expected = brute_attacks(sit)
                assert set(prompt.ids) - {"end-phase"} <= expected
                if not used:
                    assert set(prompt.ids) == {*expected, "end-phase"}
                compared += 1
            return super().answer(prompt)

    for seed in range(4):
        played(KINDS[1 + seed], 100 + seed, Counting(seed))
    assert compared > 400 and total > 2000


def final_vp(who: Any, seed: int) -> int:
    last = list(play(GAME, GAME.begin({"mode": "historical"}), who, RandomDice(seed)))[-1]
    assert last.result
    return last.result.vp


def test_the_good_player_is_clearly_better() -> None:
    random_vp = [final_vp(RandomPlayer(seed), seed) for seed in range(6)]
    good_vp = [final_vp(GoodPlayer(seed), seed) for seed in range(6)]
    assert sum(good_vp) / 6 > sum(random_vp) / 6 + 25
    assert sum(good > other for good, other in zip(good_vp, random_vp, strict=True)) == 6


def test_the_same_seeds_give_the_same_game() -> None:
    first, second = (played(KINDS[3], 11, RandomPlayer("a")) for _ in range(2))
    assert first == second
    assert played(KINDS[3], 12, RandomPlayer("a")) != first


def test_the_accounts_notice_what_is_wrong() -> None:
    from msgspec.structs import replace

    state = played(KINDS[0], 4, RandomPlayer(4))[40]
    rules = GAME.rules(state.settings)
    assert faults(rules, state) == []
    units = list(state.units)
    index = next(
        i for i, u in enumerate(units) if u.combat and u.side == "british" and u.status == "map"
    )
    wrong = {
        "lost": replace(units[index], lost=units[index].lost + 1),
        "grenades": replace(units[index], grenades=units[index].grenades + 1),
        "stands": replace(units[index], area="nowhere"),
        "bunker where none": replace(units[index], area="PB", inside=True),
    }
    for word, unit in wrong.items():
        found = faults(rules, replace(state, units=(*units[:index], unit, *units[index + 1 :])))
        assert any(word in fault for fault in found), word
    weapon = replace(state.weapons[0], charges=state.weapons[0].charges + 1)
    assert faults(rules, replace(state, weapons=(weapon, *state.weapons[1:])))
    ledger = replace(state.ledger, tanks=3, pows_taken=9, leaders=7, bunkers_cleared=8)
    assert len(faults(rules, replace(state, ledger=ledger))) >= 4
