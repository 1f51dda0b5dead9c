"""The area game as front ends see it: its plug, its state and sheets for a viewer, its log.

There is one player, the British; the Germans play by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec

from asl_pbcg import __version__
from asl_pbcg.kernel.errors import NeedsReason, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import Plug, SheetName, StepName, StepState
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.st.area_terms import BRITISH, PHASES, numbers
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import read_map, to_data
from asl_pbcg.st.british.standing_orders import GO_ON
from asl_pbcg.st.many.area_sheets import game_sheets
from asl_pbcg.st.many.score_card import title_of
from asl_pbcg.st.picture.captions import PRINTED, effect_words
from asl_pbcg.st.picture.live_map import draw_game
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.decision import AreaWidget
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation
from asl_pbcg.st.state.player_view import view_in


def came_to(line: LogLine) -> tuple[str, str]:
    """Of a roll's line what was rolled for, and what it came to."""
    rolled = line.roll
    assert rolled
    what = line.text.removesuffix(f": {rolled}")
    return what, effect_words(line.point, line.topic, rolled.result, rolled.says)


def log_text(line: LogLine, dice: bool = True) -> str:
    """Return a line of the log in one line; a roll with what the table prints and what that does.

    Without ``dice`` for who sees them beside it.
    """
    rolled = line.roll
    if rolled is None or not line.text.endswith(f": {rolled}"):
        return line.text
    what, effect = came_to(line)
    printed = rolled.says or rolled.result
    faces = str(rolled).removesuffix(f": {printed}") + ": " if dice else ""
    if line.point in PRINTED:
        return f"{what}: {faces}{printed} ({effect})"
    return f"{what}: {faces}{effect}"


AREA_THUMBNAIL_DPI = 60.0
_SHEETS = (
    SheetName("british", "British Unit Roster"),
    SheetName("german", "German roster"),
    SheetName("vp", "VP sheet"),
)


def create_game(path: Path, meta: dict[str, Any], area_map: GameMap) -> OpenGame:
    """Make a new file of the area game at ``path`` and begin it; the caller closes it.

    The map goes into the file, so that the game stays playable whatever becomes of the map.
    """
    game = AreaGame(area_map)
    game.begin(meta["settings"])  # what is wrong with the settings is told before a file is made
    journal = Journal.create(
        path, {"game": AreaGame.name, "map": to_data(area_map), **meta}, __version__
    )
    plug = AreaGamePlug()
    return OpenGame(path, plug, plug.session(journal), True)


def rules_of(session: Session[State]) -> AreaGame:
    """Return the game that ``session`` plays, with its map and rules."""
    assert isinstance(session.game, AreaGame)
    return session.game


def situation(session: Session[State]) -> Situation:
    """Return the situation now: in the middle of a phase that of the prompt or roll that waits."""
    carried = session.pending.state if session.pending else None
    if isinstance(carried, Situation):
        return carried
    return Situation(rules_of(session).rules(session.state.settings), session.state)


def seen_state(session: Session[State], sees: str = BRITISH) -> State:
    """Return the state now as ``sees`` may see it, mid-phase too."""
    return view_in(situation(session), sees or BRITISH)


def filled_sheets(session: Session[State], templates: Path | None = None) -> list[Sheet]:
    """Return the rosters and the VP sheet, until the end as the British may see them."""
    sit = situation(session)
    state = sit.close()
    visible_state = state if state.over else seen_state(session)
    return game_sheets(sit.rules, state, visible_state, templates)


def turn_words(state: State) -> str:
    """Return the turn and phase, set-up, or the end."""
    if not state.ready:
        return "Set-up"
    if state.over or state.turn > numbers().turns:
        return "The game is over"
    return f"Turn {state.turn} of {numbers().turns}, {PHASES[state.phase].title}"


def step_title(step: str) -> str:
    """Return a step of the game, as ``3.4`` or ``setup``, in words."""
    turn, _, phase = step.partition(".")
    if not phase.isdigit():
        return {"setup": "Set-up", "score": "Victory"}.get(step, step)
    return f"Turn {turn}, {PHASES[int(phase) - 1].title}"


def name_step(step: str) -> StepName:
    """Return the name of a step, and its turn."""
    turn = step.partition(".")[0]
    title = step_title(step)
    part_title = f"Turn {turn}" if turn.isdigit() else title
    return StepName(title=title, part=turn, part_title=part_title, station=step)


class AreaGamePlug(Plug):
    """The plug of the area game."""

    kind = "st"
    called = "Area game"
    game = AreaGame.name
    sides = (BRITISH,)
    features = ("areas", "score")
    widgets = get_args(AreaWidget)

    def runner(self, journal: Journal) -> AreaGame:
        """Return the game with the map that the file holds."""
        return AreaGame(read_map(journal.meta("map"), f"the map in {journal.path or 'the file'}"))

    def line_text(self, line: LogLine) -> str:
        """Return the words of a line without its dice, which the page draws."""
        return log_text(line, dice=False)

    def thumbnail(self, session: Session[State], sees: str) -> bytes:
        """Draw the map small with its counters as ``sees`` may see them."""
        return draw_game(seen_state(session, sees), rules_of(session).map).to_png(
            AREA_THUMBNAIL_DPI
        )

    def title(self, session: Session[State]) -> str:
        """Return the kind of game, the date of a challenge, the map unless the shipped one."""
        kind, area_map = title_of(session), rules_of(session).map
        day = session.journal.meta("challenge")
        own = "" if area_map.title == load_map().title else f", on {area_map.title}"
        return (f"The challenge of {day}: {kind}" if day else kind[:1].upper() + kind[1:]) + own

    def date(self, session: Session[State]) -> str:
        """Return the turn and phase; how it ended."""
        state = session.state
        if state.result is None:
            return turn_words(state)
        return f"{state.result.vp} VP, {victory_chart().names[state.result.level]}"

    def next_thing(self, session: Session[State]) -> str:
        """Say that the game is over."""
        return "the game is over" if session.state.over else ""

    def name_step(self, step: str) -> StepName:
        """Return the turn and phase of a step, as ``3.4``."""
        return name_step(step)

    def date_in_short(self, session: Session[State]) -> str:
        """Return the turn."""
        state = session.state
        return f"Turn {state.turn}" if state.ready and not state.over else ""

    def throws_itself(self, roll: Roll, typed: bool) -> bool:
        """Program dice are thrown at once; real ones only where the player may not see them."""
        return roll.secret or not typed

    def undo(self, session: Session[State], viewer: str, reason: str) -> str:
        """Undo the player's last decision or typed dice, and what was rolled since then.

        Raises NeedsReason where dice were thrown since, PBCGError if there is nothing.
        """
        typed = session.typed_dice
        standing = session.journal.standing()
        count = 0
        for entry in reversed(standing):
            count += 1
            if entry.point == "break_down" and entry.body == GO_ON:
                continue  # nobody was asked: front ends answer it (StandingOrders)
            if entry.kind == "answer" or (typed and entry.kind == "roll" and not entry.secret):
                break
        else:
            raise PBCGError("There is nothing to undo.")
        rolls = sum(entry.kind == "roll" for entry in standing[-count:])
        if rolls and not reason:
            dice = "dice were" if rolls > 1 else "a die was"
            raise NeedsReason(
                f"Since then {dice} thrown: that can be undone only with a reason, "
                "which stays in the log."
            )
        with session.together():
            for _ in range(count):
                entry = session.undo(reason)
        asked = session.pending
        if isinstance(asked, Prompt) and entry.kind == "answer":
            return f"{asked.text} {asked.words(entry.body)}"
        return f"the dice for {asked.text}" if asked else entry.point

    def steps(self, session: Session[State], lines: Sequence[LogLine]) -> list[StepState]:
        """Return the phases of the turn in progress."""
        state = session.state
        first = 1 if state.turn > 1 else 0
        states: list[StepState] = []
        for number, phase in enumerate(PHASES):
            if number < first or not state.ready:
                continue
            step_id = f"{state.turn}.{number + 1}"
            sentences = [line.text for line in lines if line.step == step_id]
            done = number < state.phase or state.over
            states.append(
                StepState(
                    id=step_id,
                    title=phase.title,
                    rule=phase.rule,
                    label=str(len(states) + 1),
                    state="done" if done else "now" if number == state.phase else "to-come",
                    sentence=sentences[-1] if done and sentences else "",
                )
            )
        return states

    def facts(self, session: Session[State], sees: str) -> dict[str, Any]:
        """Turn, phase, and what waits."""
        state, asked = session.state, session.pending
        return {
            "title": self.title(session),
            "date": turn_words(state),
            "turn": state.turn,
            "over": state.over,
            "waiting_for": asked.side or BRITISH if asked else "",
            "asked": {"id": asked.id, "text": asked.text} if asked else None,
        }

    def layers(self, session: Session[State], sees: str, at: str) -> dict[str, Any] | None:
        """Return where every counter is that the player may see."""
        state = seen_state(session, sees)
        return {"date": turn_words(session.state), "counters": msgspec.to_builtins(state.units)}

    def piece(self, session: Session[State], sees: str, id: str) -> dict[str, Any] | None:
        """Return a counter as the player may see it."""
        counter = next((unit for unit in seen_state(session, sees).units if unit.id == id), None)
        return None if counter is None else msgspec.to_builtins(counter)

    def sheets(self, session: Session[State], sees: str) -> list[SheetName]:
        """Return the rosters and the VP sheet, once all is set up."""
        return list(_SHEETS) if session.state.ready else []

    def sheet(
        self, session: Session[State], sees: str, names: Sequence[str], paper: str
    ) -> list[Sheet]:
        """Return the sheets by name, of what the player may see until the game is over."""
        if not session.state.ready:
            raise PBCGError("Nothing is set up yet: play the set-up first.")
        made = filled_sheets(session)
        listed = [sheet.name for sheet in _SHEETS]
        for name in names:
            if name not in listed:
                raise PBCGError(f'There is no sheet "{name}": {", ".join(listed)} are.')
        return [
            sheet for name, sheet in zip(listed, made, strict=True) if not names or name in names
        ]
