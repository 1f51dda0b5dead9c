"""The British player at the terminal: sees the areas that matter, is told what the Germans do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.st_areas import Areas
from asl_pbcg.cli.st_file import area_game, seen_state, situation, take_back
from asl_pbcg.cli.st_help import explain, help_for
from asl_pbcg.cli.st_look import direction, look
from asl_pbcg.cli.st_status import print_status, score_of, score_words, step_title, turn_words
from asl_pbcg.cli.terminal import TerminalAnswers
from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.odds import WORDS
from asl_pbcg.st.terms import BRITISH

if TYPE_CHECKING:
    from rich.console import Console

    from asl_pbcg.kernel.session import Session
    from asl_pbcg.kernel.views import Line
    from asl_pbcg.st.state import State

UNIT_CHOICES = frozenset({"act", "declare"})
ACTIONS = frozenset({"action", "declare_action"})
GOING = ("move", "arrow")


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
        self._numbers: dict[str, str] = {}
        """The answers by the numbers that are shown, where these are not the prompt's own."""
        self._step_told = ""
        self._since_pause = 0
        self._commands: dict[str, Callable[[str, Prompt | Roll], None]] = {
            "h": self._help,
            "a": self._look,
            "m": self._map,
            "s": self._status,
            "l": self._log,
            "x": self._rule,
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
        super().refused(prompt, error)

    def _wait_for_other(self, asked: Prompt | Roll) -> None:
        """The British player throws the dice of the Germans too."""

    def _spoken(self, prompt: Prompt, typed: Any) -> Any:
        """What was typed as an answer: "all", or an answer and those to the next questions."""
        if not isinstance(prompt, Decision) or typed == "" or typed is prompt.default:
            return typed
        if prompt.kind == "choose-some" and typed.lower() == "all":
            return everybody(prompt)
        if prompt.id not in UNIT_CHOICES | ACTIONS:
            return typed
        if typed.lower() in {option.id.lower() for option in prompt.options}:
            return typed
        first, *self._queue = typed.split()
        return self._numbers.get(first) or self._going(prompt, first) or first

    def _going(self, prompt: Prompt, word: str) -> str:
        """The move to the area ``word``, if it is one of the choices."""
        known = {option.id.lower(): option.id for option in prompt.options}
        for kind in GOING:
            if found := known.get(f"{kind} {word.lower()}"):
                return found
        return ""

    def _from_queue(self, prompt: Prompt) -> Any:
        """The next answer that was typed ahead; None if the person must look first."""
        news = [line for line in self._visible()[self._told :] if line.kind != "answer"]
        word = self._queue[0]
        answer: Any = None
        if prompt.id == "stack" and isinstance(prompt, Decision):
            answer = everybody(prompt)
            if word.lower() != "all":
                self._queue.insert(0, "all")
        elif prompt.id in ACTIONS:
            answer = self._going(prompt, word)
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
        self._since_pause = 0
        state = self.session.state
        parts = [turn_words(state)]
        if isinstance(asked, Decision) and state.ready:
            parts.append(score_words(state, score_of(asked.situation)))
        parts.append(asked.rule)
        self.console.print()
        self.console.rule(Text("   ".join(part for part in parts if part), "bold"), align="left")

    def _show_options(self, options: tuple[Option, ...], numbered: bool) -> None:
        prompt = self._asked
        if not isinstance(prompt, Decision) or not prompt.situation.state.ready:
            super()._show_options(options, numbered)
        elif prompt.id in UNIT_CHOICES:
            self._show_units(Areas(prompt.situation), options)
        elif prompt.id in ACTIONS:
            self._show_actions(prompt, Areas(prompt.situation), options)
        else:
            super()._show_options(options, numbered)

    def _show_units(self, areas: Areas, options: tuple[Option, ...]) -> None:
        """The British by area, those that can act numbered, and the Germans near them."""
        geo = areas.sit.geo
        known = {option.id for option in options}
        for area in sorted(areas.british):
            self.console.print()
            self.console.print(
                Text.assemble((geo.text(area), "bold"), (f"  {areas.ground(area)}", "dim"))
            )
            self.console.print(self._units_of(areas, area, known))
            for near in areas.near_germans(area):
                self.console.print(Text(f"     next to {near}", "red"))
        self.console.print()
        for words in areas.other_germans(areas.british):
            self.console.print(Text(f"     {words}", "red"))
        for option in options:
            if option.id not in areas.sit.units and not option.id.startswith("stack "):
                number = self._number(option.id)
                self.console.print(Text.assemble((f"{number:>4} ", "bold cyan"), option.text))

    def _number(self, answer: str) -> str:
        """The number under which an answer is shown."""
        number = str(len(self._numbers) + 1)
        self._numbers[number] = answer
        return number

    def _units_of(self, areas: Areas, area: str, known: set[str]) -> Table:
        grid = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
        for width in (4, 22, 8, 11, 9, None):
            grid.add_column(width=width, justify="right" if width == 4 else "left")
        for unit in areas.british[area]:
            name, sp, grenades, mp, more = areas.unit_cells(unit)
            able = unit.id in known
            style = "" if able else "dim"
            grid.add_row(
                Text(self._number(unit.id) if able else "-", "bold cyan" if able else "dim"),
                Text(name, style),
                Text(f"{sp} SP" if sp else "", style),
                Text(f"{grenades} grenades" if grenades else "", style),
                Text(f"{mp} MP", style),
                Text(more, "cyan"),
            )
        for place in (area, areas.sit.rules.star[area]):
            if f"stack {place}" in known:
                inside = " in the bunker" if place != area else ""
                number = self._number(f"stack {place}")
                grid.add_row(Text(number, "bold cyan"), Text(f"together{inside}"))
        for words in areas.lying(area):
            grid.add_row("", Text(words, "cyan"))
        if german := areas.germans(area):
            grid.add_row("", Text(f"Germans here: {german}", "red"))
        return grid

    def _show_actions(self, prompt: Decision, areas: Areas, options: tuple[Option, ...]) -> None:
        """The actions of a unit; beside a move, what the area is and who stands there."""
        sit = prompt.situation
        first = sit.units[prompt.subject[0]]
        where = Text.assemble(
            f" in {sit.geo.text(first.area)}", (f"  {areas.ground(first.area)}", "dim")
        )
        self.console.print(where)
        if german := areas.germans(first.area):
            self.console.print(Text(f" Germans here: {german}", "red"))
        grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
        for _ in range(3):
            grid.add_column(overflow="fold")
        refused = []
        for number, option in enumerate(options, 1):
            if option.refused:
                refused.append(option)
                continue
            text, beside = Text(option.text), Text(option.consequence, "green")
            kind, _, target = option.id.partition(" ")
            if kind in GOING:
                way = direction(sit.geo.map, first.area, target)
                text.append(f"  {way}, {areas.ground(target)}", "dim")
                if ours := areas.ours(target):
                    text.append(f"\n{ours}", "cyan")
                if german := areas.germans(target):
                    text.append(f"\n{german}", "red")
                if near := areas.near_germans(target):
                    text.append(f"\nnext to {'; '.join(near)}", "red dim")
            if option.odds:
                beside.append(f"\n{_odds(option)}")
            grid.add_row(Text(str(number), "bold cyan"), text, beside)
        for option in refused:
            why = f"{option.refused} ({option.rule})"
            grid.add_row(Text("-", "dim"), Text(option.text, "dim"), Text(why, "dim"))
        self.console.print(grid)

    def _words_for(self, prompt: Prompt) -> str:
        if prompt.id in UNIT_CHOICES:
            return "number; or 3 N4 N7 to walk on"
        if prompt.id in ACTIONS:
            return "number; or areas: N4 N7"
        if prompt.kind == "choose-some" and _firing(prompt):
            return "numbers, all or none"
        return super()._words_for(prompt)

    def _read(self, words: str, asked: Prompt | Roll) -> str:
        keys = "h help  a AREA look  m map  s status  l log  x explain  u undo  q leave"
        self.console.print(Text(f" [{words}]  {keys}", "dim"))
        while True:
            try:
                typed = self.console.input(" > ").strip()
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                raise Leave from None
            if typed in ("q", "quit"):
                raise Leave
            if typed == "u":
                self._undo()
            elif not self._key(typed, asked):
                return typed

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
        for line in lines[self._told :]:
            if line.kind == "answer":
                continue
            if line.step != self._step_told:
                self._step_told = line.step
                self._pause(0.5)
                self.console.print(Text(f"\n {step_title(line.step)}", "bold underline"))
            if line.kind == "roll":
                self._tell_roll(line)
            else:
                self.console.print(Text.assemble(f" {line.text}", (f"  {line.rule}", "dim")))
            self._since_pause += 1 + bool(line.roll and line.roll.drm)
            self._pause(1)
        self._told = len(lines)

    def _pause(self, part: float) -> None:
        """At a real terminal wait once a good part of the screen is full of news."""
        if not self.console.is_terminal or self._since_pause < part * (self.console.height - 4):
            return
        self._since_pause = 0
        try:
            typed = self.console.input("[dim] Enter goes on [/]").strip()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        if typed in ("q", "quit"):
            raise Leave

    def _tell_roll(self, line: Line) -> None:
        rolled = line.roll
        assert rolled
        what = line.text.removesuffix(f": {rolled}")
        result = (rolled.says or WORDS.get(rolled.result) or rolled.result).replace("_", " ")
        if result.isdigit() and line.point in ("fire", "opportunity_fire", "grenade"):
            result = f"{result} SP lost"
        parts = [" + ".join(str(face) for face in rolled.dice)]
        parts += [f"{drm.value:+d} {drm.why}" for drm in rolled.drm]
        final = f" = {rolled.final}" if rolled.drm else ""
        self.console.print(
            Text.assemble(
                (f" {what}", "magenta"),
                "\n   rolls " if rolled.drm else ": rolls ",
                f"{', '.join(parts)}{final}: ",
                (result, "bold magenta"),
                (f"  {line.rule}", "dim"),
            )
        )

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
        draw_game(seen_state(self.session), area_game(self.session).map).write(path)
        self.console.print(Text(f" {path} is written.", "green"))

    def _log(self, rest: str, asked: Prompt | Roll) -> None:
        turn = str(self.session.state.turn)
        for line in self._visible():
            if line.step.split(".")[0] == turn:
                self.console.print(Text(f"  {line.text}", "" if line.kind == "answer" else "dim"))

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
            return take_back(self.session)
        except PBCGError as error:
            if "reason" not in str(error):
                raise
            self._complain(str(error))
        try:
            reason = self.console.input(" Reason (Enter: leave it) > ").strip()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        return take_back(self.session, reason) if reason else ""


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


def _firing(prompt: Prompt) -> bool:
    return prompt.id in ("opportunity_fire", "firers")


def _odds(option: Option) -> str:
    return "  ".join(f"{result} {chance}" for result, chance in option.odds.items())
