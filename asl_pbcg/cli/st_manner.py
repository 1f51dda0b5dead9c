"""How the area game speaks at the terminal: the areas that matter, orders in one line, the news."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from asl_pbcg.cli.keys import Key, Shown
from asl_pbcg.cli.manner import Manner
from asl_pbcg.cli.screen import options_grid
from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.cli.st_help import explain, help_for
from asl_pbcg.cli.st_look import look
from asl_pbcg.cli.st_show import GOING, show_actions, show_units, together
from asl_pbcg.cli.st_status import print_status, score_of, short_score, step_title
from asl_pbcg.cli.st_tell import Teller
from asl_pbcg.kernel.answers import Again
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.views import Line
from asl_pbcg.play.area_game import rules_of, seen_state, situation, turn_words
from asl_pbcg.play.asked import AskedPrompt, AskedRoll
from asl_pbcg.play.words import read_words
from asl_pbcg.st.decision import Decision

if TYPE_CHECKING:
    from asl_pbcg.cli.terminal import Terminal
    from asl_pbcg.kernel.prompts import Prompt
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.state import State

UNIT_CHOICES = frozenset({"act", "declare"})
ACTIONS = frozenset({"action", "declare_action"})
ENDS = ("end-phase", "end-declaration", "stop", "go-on")
"""The answers that end what is asked about; e stands for the one there is."""


class StManner(Manner):
    """The manner of the area game: the British player is asked, the Germans are told of."""

    def attach(self, terminal: Terminal) -> None:
        """Hear at which terminal it is."""
        super().attach(terminal)
        self._queue: list[str] = []
        self._sure = -1
        """After how many answers the player was asked whether the phase is over."""
        self._chosen: list[str] = []
        """The units of a stack that were named one by one."""
        self._numbers: dict[str, str] = {}
        """The answers by the numbers that are shown, where these are not the prompt's own."""
        self._news = False
        """Whether anything was told since this player typed last."""
        self._teller = Teller(terminal.screen.console, lambda: terminal.line(" Enter goes on "))

    def keys(self) -> Sequence[Key]:
        """Looking at areas, the map, the status."""
        return (
            Key(("a", "look"), "AREA look", "look at an area and where its lines lead: a PB",
                self._look, takes=True),
            Key(("s", "status"), "status", "VP, your units, the Germans you know of",
                lambda rest, asked: print_status(self.terminal.screen.console, self._session)),
            Key(("m", "map"), "map", "draw the map with all counters to a file (.png .pdf .svg)",
                self._map, takes=True),
        )  # fmt: skip

    @property
    def _session(self) -> Session[State]:
        return self.terminal.seat.game.session

    @property
    def _decision(self) -> Decision | None:
        pending = self._session.pending
        return pending if isinstance(pending, Decision) else None

    # -- what is shown --------------------------------------------------------------------

    def head(self, asked: Shown) -> str:
        """The turn and phase, the VP, the rule."""
        self._teller.fresh_page()
        state, decision = self._session.state, self._decision
        words = turn_words(state)
        if decision is not None and state.ready:
            words += f"   {short_score(state, score_of(decision.situation))}"
        if asked.rule and len(words) + len(asked.rule) + 7 <= self.terminal.screen.width:
            words += f"   {asked.rule}"
        return words

    def options(self, asked: AskedPrompt, page: int) -> None:
        """Units by area, actions with what lies there, firers with their odds together."""
        decision, console = self._decision, self.terminal.screen.console
        self._numbers = {}
        if decision is None or not decision.situation.state.ready:
            super().options(asked, page)
        elif decision.id in UNIT_CHOICES:
            self._numbers = show_units(console, Areas(decision.situation), asked.options)
        elif decision.id in ACTIONS:
            show_actions(console, decision, asked.options)
        else:
            console.print(options_grid(self.terminal.screen, asked, page)[0])
            if _firing(decision) and len(asked.options) > 1:
                self._say_odds(decision, everybody(decision))

    def _say_odds(self, decision: Decision, answers: list[str]) -> None:
        """The odds of several who fire together."""
        self.terminal.screen.say(together(decision, answers), "green")

    def odds(self, asked: Shown, rest: str) -> bool:
        """The odds of several who fire together."""
        decision = self._decision
        if decision is None or not _firing(decision) or not isinstance(asked, AskedPrompt):
            raise PBCGError("o tells the odds of several who fire together; nobody is to fire now.")
        answers = everybody(decision) if rest in ("", "all") else read_words(asked, rest)
        self._say_odds(decision, answers)
        return True

    def hint(self, asked: Shown) -> str:
        """What may be typed, in a few words."""
        if isinstance(asked, AskedRoll):
            return "your die, 1 to 6"
        end = ", e ends" if self._decision and _end_of(self._decision) is not None else ""
        if asked.id in UNIT_CHOICES:
            return f"number, or 3 N4 N7{end}"
        if asked.id in ACTIONS:
            return f"number, or N4 N7{end}"
        if asked.kind == "choose-some" and _firing(asked):
            return f"numbers, all or none; o 1 2 odds{end}"
        return f"{super().hint(asked)}{end}"

    def default_words(self, asked: AskedPrompt) -> str:
        """The answer that Enter gives, by its numbers."""
        wanted = asked.default if isinstance(asked.default, list | tuple) else [asked.default]
        numbers = [str(n) for n, option in enumerate(asked.options, 1) if option.id in wanted]
        return " ".join(numbers) or "none"

    def tell(self, lines: Sequence[Line], away: bool) -> None:
        """What has happened, phase by phase, with the reasons."""
        self._news |= any(line.kind != "answer" for line in lines)
        self._teller.tell(lines)

    def log(self, lines: Sequence[Line], rest: str) -> None:
        """What happened this turn, or on another: ``l 3``."""
        turn = rest or str(self._session.state.turn)
        if not turn.isdigit():
            raise PBCGError("l tells this turn, l 3 turn 3.")
        console, at = self.terminal.screen.console, ""
        for line in lines:
            if line.step.split(".")[0] != turn:
                continue
            if line.step != at:
                at = line.step
                console.print(Text(f"\n {step_title(at)}", "bold"))
            console.print(Text(f"  {line.text}", "" if line.kind == "answer" else "dim"))
        if not at:
            raise PBCGError(f"Nothing has happened on turn {turn}.")

    def catch_up(self) -> None:
        """Somebody comes back to a game: say where it stands, and tell the last phases again."""
        terminal = self.terminal
        lines = terminal.seat.lines()
        told = [number for number, line in enumerate(lines) if line.kind == "answer"]
        terminal.told = told[-1] + 1 if told else 0
        name = terminal.path.name
        terminal.screen.say(f"{name} goes on. s shows all, l this turn.", "bold")

    # -- help and keys ----------------------------------------------------------------------

    def help(self, asked: Shown, topic: str) -> None:
        """Help for the phase and the question, or the goals of the game."""
        help_for(self.terminal.screen.console, self._session, asked, topic)

    def explain(self, asked: Shown, rule: str) -> None:
        """What a rule does here."""
        explain(self.terminal.screen.console, asked, rule)

    def _look(self, rest: str, asked: Shown) -> None:
        look(self.terminal.screen.console, situation(self._session), rest)

    def _map(self, rest: str, asked: Shown) -> None:
        from asl_pbcg.hexes.drawing import check_format
        from asl_pbcg.st.counters import draw_game

        file = self.terminal.path
        path = Path(rest) if rest else file.with_name(f"{file.stem}-map.png")
        check_format(path)
        draw_game(seen_state(self._session), rules_of(self._session).map).write(path)
        self.terminal.screen.say(f"{path} is written.", "green")

    # -- what is typed ----------------------------------------------------------------------

    def read(self, asked: AskedPrompt, typed: str) -> Any:
        """A choice, "all", "e", or an answer and those to the next questions in one line."""
        decision, self._news = self._decision, False
        if decision is None:
            return super().read(asked, typed)
        if typed.lower() == "e" and (end := _end_of(decision)) is not None:
            self._confirm(decision)
            return end
        if asked.kind == "choose-some" and typed.lower() == "all":
            return everybody(decision)
        if decision.id not in UNIT_CHOICES | ACTIONS:
            return super().read(asked, typed)
        if typed.lower() in {option.id.lower() for option in asked.options}:
            return super().read(asked, typed)
        words = typed.split()
        if stack := self._group(decision, words):
            return stack
        first, *self._queue = words
        named = self._numbers.get(first) or self._named(decision, first)
        if not named and first.isdigit() and self._numbers:
            raise IllegalAnswer(
                f'"{first}" is no choice here: type a number of the list.', asked.rule
            )
        return named or super().read(asked, first)

    def _confirm(self, prompt: Decision) -> None:
        """Ask whether the phase is over while units can still act; typed twice in a row it is."""
        able = [id for id in prompt.ids if id in prompt.situation.units]
        answers = len(self._session.journal.standing())
        if prompt.id not in UNIT_CHOICES or not able or self._sure == answers:
            return
        self._sure = answers
        units = f"{len(able)} units" if len(able) > 1 else prompt.situation.units[able[0]].name
        self.terminal.complain(f"{units} can still act. e once more ends the phase.")
        raise Again

    def forget(self) -> None:
        """Forget the units and areas typed ahead."""
        self._queue = []
        self._chosen = []

    def ahead(self, asked: AskedPrompt) -> Any:
        """The next answer that was typed ahead; None if the person must look first."""
        decision = self._decision
        if not self._queue or decision is None:
            return None
        return self._from_queue(decision)

    def _group(self, prompt: Decision, words: list[str]) -> str:
        """The stack that several units typed in one line belong to, if they are in one place."""
        units = []
        for word in words:
            unit = self._numbers.get(word, word)
            if unit not in prompt.situation.units:
                break
            units.append(unit)
        places = {prompt.situation.units[unit].place for unit in units}
        stack = f"stack {''.join(places)}"
        if prompt.id not in UNIT_CHOICES or len(units) < 2 or len(places) > 1:
            return ""
        if stack not in prompt.ids:
            return ""
        self._chosen = units
        self._queue = ["all", *words[len(units) :]]
        return stack

    def _named(self, prompt: Decision, word: str) -> str:
        """The choice that an area stands for: the move there, or all who can act there."""
        known = {option.id.lower(): option.id for option in prompt.options}
        for kind in ("stack", *GOING):
            if found := known.get(f"{kind} {word.lower()}"):
                return found
        units = prompt.situation.units
        alone = [id for id in prompt.ids if id in units and units[id].area.lower() == word.lower()]
        return alone[0] if prompt.id in UNIT_CHOICES and len(alone) == 1 else ""

    def _from_queue(self, prompt: Decision) -> Any:
        """The next answer that was typed ahead; None if the person must look first."""
        word = self._queue[0]
        answer: Any = None
        if prompt.id == "stack":
            answer = self._chosen or everybody(prompt)
            self._chosen = []
            if word.lower() != "all":
                self._queue.insert(0, "all")
        elif prompt.id in ACTIONS:
            answer = self._named(prompt, word)
            if word.lower() in {option.id.lower() for option in prompt.options}:
                answer = word
        if answer and not self._news:
            del self._queue[0]
            return answer
        left = " ".join(self._queue)
        self._queue = []
        why = f'"{left}" is no choice now.'
        if self._news:
            why = f'Something has happened, so "{left}" waits for you to look first.'
        self.terminal.complain(why)
        return None


def everybody(prompt: Decision) -> list[str]:
    """All who can fire, each MG served by one unit. Rule: ST-MGF-01, ST-MGF-03."""
    if not _firing(prompt):
        return [option.id for option in prompt.legal]
    _, choices = prompt.choices
    served: set[str] = set()
    found = []
    for answer, (unit, mg) in choices.items():
        if not mg:
            found.append(answer)
        elif mg not in served and unit not in served:
            served |= {mg, unit}
            found.append(answer)
    return found


def _end_of(prompt: Decision) -> Any:
    """The answer that ends what is asked about: no more of it, nobody; None if there is none."""
    if prompt.kind == "choose-some":
        return [] if prompt.least == 0 else None
    return next((id for id in ENDS if id in prompt.ids), None)


def _default(prompt: Prompt) -> str:
    """The answer that Enter gives, by its numbers."""
    wanted = prompt.default if isinstance(prompt.default, list | tuple) else [prompt.default]
    numbers = [str(n) for n, option in enumerate(prompt.options, 1) if option.id in wanted]
    return " ".join(numbers) or "none"


def _firing(prompt: Prompt | Shown) -> bool:
    return prompt.id in ("opportunity_fire", "firers")
