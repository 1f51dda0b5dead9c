"""Before 9.601: how the CG scenario ended; then its end position is taken in."""

from __future__ import annotations

import random
from typing import Final

from asl_pbcg.campaign.events import happen, keep_book
from asl_pbcg.campaign.fact_events import CampaignEnded
from asl_pbcg.campaign.state import Told, with_account
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Note, NumberField, Option, Prompt, Script, paragraph

RULE = "CG19"
NOT_KEPT = "not kept"
MIN_CIRCLED: Final = 2
MAX_CIRCLED: Final = 7


def scenario_end(state: Told) -> Script[Told]:
    """Decide how the CG scenario ended and take in its end position; a concession is CG End.

    Rule: CG19, 9.2 CG End, 9.12, CG3, CG14-CG17.
    """
    state = yield from game_end(state)
    if state.ended:
        return state
    # Imported when it is due: a campaign is most often opened where a scenario is played.
    from asl_pbcg.refit.s600_end_position import end_position

    return (yield from end_position(state))


@paragraph(RULE)
def game_end(state: Told) -> Script[Told]:
    """Decide how the CG scenario ended: by Game End dr, by agreement or by a concession.

    Rule: CG19, 9.2 CG End.
    """
    ways = (
        Option("dr", "by a Game End dr", "from the end of each Player Turn of Turn 5"),
        Option("agreement", "by agreement", "ATTACKER and DEFENDER both consent"),
        Option("british-concede", "the British concede the CG", "CG End", rule="9.2"),
        Option("german-concede", "the Germans concede the CG", "CG End", rule="9.2"),
    )
    how = yield Prompt(
        state=state,
        id="0.1",
        text=f"How did the {state.date.title} CG scenario end?",
        options=ways,
        draw=lambda source: source.choices([each.id for each in ways], [60, 38, 1, 1])[0],
        help="From the end of each Player Turn of Turn 5 on, the ATTACKER makes a Game End "
        "dr: below the circled number of the turn it ends the scenario at once. It also "
        "ends when both agree (CG19). A concession ends the whole CG (9.2).",
    )
    if how == "dr":
        return (yield from _game_end_dr(state))
    if how.endswith("-concede"):
        from asl_pbcg.campaign.victory import concede

        loser = Side(how.removesuffix("-concede"))
        after = concede(state, loser)
        told = CampaignEnded(text=after.ended, rule="9.2 CG End")
        return (yield from happen(state, after, told))
    return _ended_by(state, "by agreement")


def _ended_by(state: Told, words: str) -> Told:
    return keep_book(state, with_account(state, ended_by=words))


@paragraph(RULE)
def _game_end_dr(state: Told) -> Script[Told]:
    """Keep the Game End dr with its Turn and circled number, in one line, if the players want.

    Nothing follows from them. Rule: CG19; house rule C-76.
    """
    if state.plays("C-76", "unused"):
        return _ended_by(state, "by Game End dr")
    chart = state.frame.game_end

    def verify(typed: str) -> str:
        if typed == NOT_KEPT:
            return typed
        turn, circled, dr = _three_numbers(typed)
        if not chart.first_turn <= turn <= chart.most_turns:
            raise IllegalAnswer(
                f"No Game End dr is made in Turn {turn}: from the end of the first Player Turn of "
                f"Turn {chart.first_turn} on.",
                RULE,
            )
        if not MIN_CIRCLED <= circled <= MAX_CIRCLED:
            raise IllegalAnswer(
                f"{circled} is not a circled number; {MIN_CIRCLED} to {MAX_CIRCLED} are.", RULE
            )
        if not 1 <= dr <= 6:
            raise IllegalAnswer(f"A dr cannot be {dr}.", RULE)
        if dr >= circled:
            raise IllegalAnswer(f"A dr of {dr} is not below {circled}: the scenario goes on.", RULE)
        return f"{turn} {circled} {dr}"

    typed = yield Prompt(
        state=state,
        id="0.1.dr",
        kind="text",
        widget="numbers",
        fields=(
            NumberField("Turn", chart.first_turn, chart.most_turns),
            NumberField("Circled number", MIN_CIRCLED, MAX_CIRCLED),
            NumberField("Game End dr", 1, 6, die=True),
        ),
        default=NOT_KEPT,
        text="Turn, circled number and Game End dr, as 7 5 3?",
        help="For the record alone: the Turn, the number circled there on the CG Turn Record "
        "Chart, and the ATTACKER's dr, which must be below it.",
        verify=verify,
        draw=lambda source: _draw_numbers(source, chart.first_turn),
    )
    if typed == NOT_KEPT:
        return _ended_by(state, "by Game End dr")
    turn, circled, dr = _three_numbers(typed)
    words = f"Turn {turn}, Game End dr {dr} below {circled}"
    yield Note(f"The scenario ended in {words}.")
    return _ended_by(state, words)


def _three_numbers(typed: str) -> tuple[int, int, int]:
    parts = typed.replace(",", " ").split()
    digits = "".join(parts)
    if len(parts) != 3 or not (digits.isascii() and digits.isdigit()):
        raise IllegalAnswer(
            f'"{typed}" is not a Turn, a circled number and a dr: give three numbers, as 7 5 3.',
            RULE,
        )
    turn, circled, dr = (int(part[:4]) for part in parts)
    return turn, circled, dr


def _draw_numbers(source: random.Random, first_turn: int) -> str:
    circled = source.randint(MIN_CIRCLED, MAX_CIRCLED)
    return f"{source.randint(first_turn, 9)} {circled} {source.randint(1, circled - 1)}"
