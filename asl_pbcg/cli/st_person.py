"""The British player at the terminal: sees the areas that matter, is told what the Germans do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.cli.st_help import explain, help_for
from asl_pbcg.cli.st_look import look
from asl_pbcg.cli.st_show import GOING, show_actions, show_units, together
from asl_pbcg.cli.st_status import print_status, score_of, short_score, step_title
from asl_pbcg.cli.st_tell import Teller
from asl_pbcg.cli.terminal import TerminalAnswers
from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.play.area_game import (
    AreaGamePlug,
    rules_of,
    seen_state,
    situation,
    turn_words,
)
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.terms import BRITISH

if TYPE_CHECKING:
    from rich.console import Console

    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.state import State

UNIT_CHOICES = frozenset({"act", "declare"})
ACTIONS = frozenset({"action", "declare_action"})
ENDS = ("end-phase", "end-declaration", "stop", "go-on")
"""The answers that end what is asked about; e stands for the one there is."""


class AreaGamePlayer(TerminalAnswers):
    """Answers for the British by asking the person at the keyboard; the dice are told, not asked.

    With ``manual`` the person rolls for both sides, but for what he may not see.
    """

    def __init__(
        self,
        session: Session[State],
        file: Path,
        console: Console | None = None,
        manual: bool = False,
    ) -> None:
        super().__init__(
            session,
            title=lambda: turn_words(session.state),
            console=console,
            manual=manual,
            viewer=BRITISH,
        )
        self._file = file
        self._asked: Prompt | None = None
        self._queue: list[str] = []
        self._sure = -1
        """After how many answers the player was asked whether the phase is over."""
        self._chosen: list[str] = []
        """The units of a stack that were named one by one."""
        self._numbers: dict[str, str] = {}
        """The answers by the numbers that are shown, where these are not the prompt's own."""
        self._teller = Teller(self.console)
        self._commands: dict[str, Callable[[str, Prompt | Roll], None]] = {
            "h": self._help,
            "a": self._look,
            "m": self._map,
            "s": self._status,
            "l": self._log,
            "x": self._rule,
            "o": self._odds,
        }

    # -- what is asked --------------------------------------------------------------------

    def answer(self, prompt: Prompt) -> Any:
        """Ask the person, or take the next of several answers typed in one line."""
        if self._queue:
            queued = self._from_queue(prompt)
            if queued is not None:
                return queued
        self._asked = prompt
        self._numbers = {}
        return self._spoken(prompt, super().answer(prompt))

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Program dice are thrown at once; real dice are asked for unless the roll is hidden."""
        if not self._manual or roll.secret:
            return None
        return super().dice(roll)

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Say why the answer is illegal, and forget what was typed after it."""
        self._queue = []
        self._chosen = []
        known, found, _ = str(error).partition(" is no choice here")
        if found and isinstance(prompt, Prompt) and prompt.kind == "choose":
            self._complain(f"{known} is no choice here: type a number of the list.")
        else:
            super().refused(prompt, error)

    def _wait_for_other(self, asked: Prompt | Roll) -> None:
        """The British player throws the dice of the Germans too."""

    def _spoken(self, prompt: Prompt, typed: Any) -> Any:
        """What was typed as an answer: "all", or an answer and those to the next questions."""
        if not isinstance(prompt, Decision) or typed == "" or typed is prompt.default:
            return typed
        if typed.lower() == "e" and (end := _end_of(prompt)) is not None:
            self._confirm(prompt)
            return end
        if prompt.kind == "choose-some" and typed.lower() == "all":
            return everybody(prompt)
        if prompt.id not in UNIT_CHOICES | ACTIONS:
            return typed
        if typed.lower() in {option.id.lower() for option in prompt.options}:
            return typed
        words = typed.split()
        if stack := self._group(prompt, words):
            return stack
        first, *self._queue = words
        return self._numbers.get(first) or self._named(prompt, first) or first

    def _confirm(self, prompt: Decision) -> None:
        """Ask whether the phase is over while units can still act; typed twice in a row it is."""
        able = [id for id in prompt.ids if id in prompt.situation.units]
        answers = len(self.session.journal.standing())
        if prompt.id not in UNIT_CHOICES or not able or self._sure == answers:
            return
        self._sure = answers
        units = f"{len(able)} units" if len(able) > 1 else prompt.situation.units[able[0]].name
        self._complain(f"{units} can still act. e once more ends the phase.")
        raise Again

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

    def _from_queue(self, prompt: Prompt) -> Any:
        """The next answer that was typed ahead; None if the person must look first."""
        news = [line for line in self._visible()[self._told :] if line.kind != "answer"]
        word = self._queue[0]
        answer: Any = None
        if prompt.id == "stack" and isinstance(prompt, Decision):
            answer = self._chosen or everybody(prompt)
            self._chosen = []
            if word.lower() != "all":
                self._queue.insert(0, "all")
        elif prompt.id in ACTIONS and isinstance(prompt, Decision):
            answer = self._named(prompt, word)
            if word.lower() in {option.id.lower() for option in prompt.options}:
                answer = word
        if answer and not news:
            del self._queue[0]
            return answer
        self.tell_new()
        left = " ".join(self._queue)
        self._queue = []
        if news:
            self._complain(f'Something has happened, so "{left}" waits for you to look first.')
        else:
            self._complain(f'"{left}" is no choice now.')
        return None

    # -- how it is shown --------------------------------------------------------------------

    def _head(self, asked: Prompt | Roll) -> None:
        self._teller.fresh_page()
        state = self.session.state
        words = turn_words(state)
        if isinstance(asked, Decision) and state.ready:
            words += f"   {short_score(state, score_of(asked.situation))}"
        if asked.rule and len(words) + len(asked.rule) + 7 <= self.console.width:
            words += f"   {asked.rule}"
        self.console.print()
        self.console.rule(Text(words, "bold"), align="left")

    def _show_options(self, options: tuple[Option, ...], numbered: bool) -> None:
        prompt = self._asked
        if not isinstance(prompt, Decision) or not prompt.situation.state.ready:
            super()._show_options(options, numbered)
        elif prompt.id in UNIT_CHOICES:
            self._numbers = show_units(self.console, Areas(prompt.situation), options)
        elif prompt.id in ACTIONS:
            show_actions(self.console, prompt, options)
        else:
            super()._show_options(options, numbered)
            if _firing(prompt) and len(options) > 1:
                self._say_odds(prompt, everybody(prompt))

    def _say_odds(self, prompt: Decision, answers: list[str]) -> None:
        """The odds of several who fire together."""
        self.console.print(Text(f" {together(prompt, answers)}", "green"))

    def _odds(self, rest: str, asked: Prompt | Roll) -> None:
        if not isinstance(asked, Decision) or not _firing(asked):
            raise PBCGError("o tells the odds of several who fire together; nobody is to fire now.")
        answers = everybody(asked) if rest in ("", "all") else asked.check(rest)
        self._say_odds(asked, answers)

    def _words_for(self, prompt: Prompt) -> str:
        if prompt.id in UNIT_CHOICES:
            return "number, or 3 N4 N7"
        if prompt.id in ACTIONS:
            return "number, or N4 N7"
        if prompt.kind == "choose-some" and _firing(prompt):
            return "numbers, all or none; o 1 2 odds"
        if prompt.default is None or prompt.kind not in ("choose", "choose-some"):
            return super()._words_for(prompt)
        return f"{'number' if prompt.kind == 'choose' else 'numbers'}, Enter for {_default(prompt)}"

    def _read(self, words: str, asked: Prompt | Roll) -> str:
        if isinstance(asked, Roll):
            words = "your die, 1 to 6"
        self.console.print(Text(f" {'  '.join(self._keys_for(words, asked))}", "dim"))
        while True:
            typed = self._typed()
            if typed == "u":
                self._undo()
            elif typed == "" and (isinstance(asked, Roll) or asked.default is None):
                raise Again  # whoever has looked at other things sees the question once more
            elif not self._key(typed, asked):
                return typed

    def _keys_for(self, words: str, asked: Prompt | Roll) -> list[str]:
        """What may be typed now and the keys that work, as many as fit into the line."""
        keys = [f"[{words}]", "h help", "a AREA look", "m map", "s status", "l log", "x rule"]
        keys += ["u undo", "q leave"]
        if isinstance(asked, Decision) and _end_of(asked) is not None:
            keys.insert(1, "e end")
        dispensable = ["x rule", "l log", "m map", "a AREA look", "s status"]
        while dispensable and len("  ".join(keys)) + 1 > self.console.width:
            keys.remove(dispensable.pop(0))
        return keys

    def catch_up(self) -> None:
        """Somebody comes back to a game: say where it stands, and tell the last phases again."""
        lines = self._visible()
        told = [number for number, line in enumerate(lines) if line.kind == "answer"]
        self._told = told[-1] + 1 if told else 0
        self.console.print(Text(f" {self._file.name} goes on. s shows all, l this turn.", "bold"))

    # -- what is told ------------------------------------------------------------------------

    def tell_new(self) -> None:
        """Tell what has happened since the last time, phase by phase, with the reasons."""
        lines = self._visible()
        news, self._told = lines[self._told :], len(lines)
        self._teller.tell(news)

    # -- keys --------------------------------------------------------------------------------

    def _key(self, typed: str, asked: Prompt | Roll) -> bool:
        key, _, rest = typed.partition(" ")
        command = self._commands.get(key.lower())
        if command is None or (rest and isinstance(asked, Prompt) and asked.kind == "text"):
            return False
        try:
            command(rest.strip(), asked)
        except PBCGError as error:
            self._complain(str(error))
        return True

    def _help(self, rest: str, asked: Prompt | Roll) -> None:
        help_for(self.console, self.session, asked, rest)

    def _rule(self, rest: str, asked: Prompt | Roll) -> None:
        explain(self.console, asked, rest)

    def _status(self, rest: str, asked: Prompt | Roll) -> None:
        print_status(self.console, self.session)

    def _look(self, rest: str, asked: Prompt | Roll) -> None:
        look(self.console, situation(self.session), rest)

    def _map(self, rest: str, asked: Prompt | Roll) -> None:
        from asl_pbcg.hexes.drawing import check_format
        from asl_pbcg.st.counters import draw_game

        path = Path(rest) if rest else self._file.with_name(f"{self._file.stem}-map.png")
        check_format(path)
        draw_game(seen_state(self.session), rules_of(self.session).map).write(path)
        self.console.print(Text(f" {path} is written.", "green"))

    def _log(self, rest: str, asked: Prompt | Roll) -> None:
        turn = rest or str(self.session.state.turn)
        if not turn.isdigit():
            raise PBCGError("l tells this turn, l 3 turn 3.")
        at = ""
        for line in self._visible():
            if line.step.split(".")[0] != turn:
                continue
            if line.step != at:
                at = line.step
                self.console.print(Text(f"\n {step_title(at)}", "bold"))
            self.console.print(Text(f"  {line.text}", "" if line.kind == "answer" else "dim"))
        if not at:
            raise PBCGError(f"Nothing has happened on turn {turn}.")

    def _undo(self) -> None:
        try:
            taken = self._take_back()
        except PBCGError as error:
            self._complain(str(error))
            return
        if taken:
            self._queue = []
            self.skip_told()
            self.console.print(Text(f" Taken back: {taken}", "yellow"))
            raise Again

    def _take_back(self) -> str:
        try:
            return AreaGamePlug().undo(self.session, BRITISH, "")
        except NeedsReason as error:
            self._complain(str(error))
        try:
            reason = self.console.input(" Reason (Enter: leave it) > ").strip()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        return AreaGamePlug().undo(self.session, BRITISH, reason) if reason else ""


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


def _firing(prompt: Prompt) -> bool:
    return prompt.id in ("opportunity_fire", "firers")
