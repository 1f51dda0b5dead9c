"""The manner of the area game at the terminal: areas, orders in one line, and news as it happens.

News is told once, with its reasons, page by page. The British player is asked; the Germans are
reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from rich.console import Console
from rich.text import Text

from asl_pbcg.cli.area_commands.st_areas import Areas, look
from asl_pbcg.cli.area_commands.st_help import explain, help_for
from asl_pbcg.cli.area_commands.st_report import print_status
from asl_pbcg.cli.area_commands.st_show import (
    AROUND_MAP,
    TALL_MAP,
    map_text,
    show_actions,
    show_attacks,
    show_counters,
    show_firers,
    show_units,
    together,
)
from asl_pbcg.cli.command_answers import written_words
from asl_pbcg.cli.terminal.manner import Key, Manner, Shown, Speaking
from asl_pbcg.cli.terminal.screen import BETWEEN
from asl_pbcg.hexes.drawing import check_format
from asl_pbcg.kernel.answers import Again
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.area_play.area_game import (
    came_to,
    rules_of,
    seen_state,
    situation,
    step_title,
    turn_words,
)
from asl_pbcg.play.area_play.area_look import idle_units
from asl_pbcg.play.area_play.area_words import score_of, short_score
from asl_pbcg.play.asked import AskedPrompt, AskedRoll
from asl_pbcg.st.british.british_options import attack_text
from asl_pbcg.st.british.orders import (
    ACTION_POINTS,
    FIRE_POINTS,
    FIRER_POINTS,
    UNIT_POINTS,
    all_firers,
    asks_for_counters,
    counter_word,
    end_of,
    firers_of,
    read_order,
    weighed_attacks,
)
from asl_pbcg.st.british.standing_orders import TypedOrders, prices, worth_a_look
from asl_pbcg.st.many.score_card import teacher_note
from asl_pbcg.st.picture.live_map import draw_game
from asl_pbcg.st.picture.textmap import ROWS
from asl_pbcg.st.player.workers import Crew
from asl_pbcg.st.procedures.fire import Target
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.advice import (
    Advice,
    advice_words,
    advise,
    new_crew,
    plan_words,
    position_in,
    so_far,
)
from asl_pbcg.st.thinking.choices import choices


class Teller:
    """Prints the lines of a log to one who reads them as they come."""

    def __init__(self, console: Console, read: Callable[[], object]) -> None:
        self._console = console
        self._read = read
        self._step = ""
        self._since_pause = 0

    def fresh_page(self) -> None:
        """A question has been asked: the next pause is a screen away."""
        self._since_pause = 0

    def tell(self, lines: Sequence[LogLine]) -> None:
        """Print what has happened, phase by phase; answers were typed and are not told."""
        for line in lines:
            if line.kind == "answer":
                continue
            if line.step != self._step:
                self._step = line.step
                self._console.print(Text(f"\n {step_title(line.step)}", "bold underline"))
            if line.kind == "roll":
                self._console.print(roll_text(line))
            else:
                self._console.print(Text.assemble(f" {line.text}", (f"  {line.rule}", "dim")))
            self._since_pause += 1 + bool(line.roll and line.roll.drm)
            self._pause(1)

    def _pause(self, part: float) -> None:
        """At a real terminal wait once a good part of the screen is full of news."""
        console = self._console
        if not console.is_terminal or self._since_pause < part * (console.height - 4):
            return
        self._since_pause = 0
        self._read()


def roll_text(line: LogLine) -> Text:
    """Return a roll with its dice, its modifiers and what it came to."""
    rolled = line.roll
    assert rolled
    what, result = came_to(line)
    parts = [" + ".join(str(face) for face in rolled.dice)]
    parts += [f"{drm.value:+d} {drm.why}" for drm in rolled.drm]
    final = f" = {rolled.final}" if rolled.drm else ""
    return Text.assemble(
        (f" {what}", "magenta"),
        "\n   rolls " if rolled.drm else ": rolls ",
        f"{', '.join(parts)}{final}: ",
        (result, "bold magenta"),
        (f"  {line.rule}", "dim"),
    )


SECONDS = 5.0
"""The seconds for which the teacher thinks."""
FIRST_WORDS = 1.5
"""After so many seconds of them it says what is best so far."""


class StManner(Manner):
    """The manner of the area game: the British player is asked, the Germans are told of."""

    def attach(self, terminal: Speaking) -> None:
        """Hear at which terminal it is."""
        super().attach(terminal)
        self._orders = TypedOrders()
        self._sure = -1
        """After how many answers the player was asked whether the phase is over."""
        self._answers = 0
        """How many answers stood when a question was looked at last."""
        self._ending = False
        """Whether the phase is to end as soon as the unit asked about is done."""
        self._news = False
        """Whether something worth a look was told since this player typed last."""
        self._crew: Crew | None = None
        """The processes that play the teacher's imagined games, once they are started."""
        self._teller = Teller(terminal.screen.console, lambda: terminal.line(" Enter goes on "))

    def keys(self) -> Sequence[Key]:
        """Looking at areas, the map, the status."""
        return (
            Key(("a", "look"), "AREA look", "look at an area and where its lines lead: a PB",
                self._look, takes=True),
            Key(("s", "status"), "status", "VP, your units, the Germans you know of",
                lambda argument, asked: print_status(self.terminal.screen.console, self._session)),
            Key(("m", "map"), "map",
                "the map in letters; m tall: 41 rows; m FILE draws it (.png .pdf .svg)",
                self._map, takes=True),
            Key(("?", "!", "best"), "best", "the three best things to do now, by imagined games",
                self._best, takes=True),
            Key(("f", "fire"), "", "f ask: ask about every Opportunity Fire; f auto: only in doubt",
                self._fire, takes=True),
            Key(("split",), "", "split 23: a platoon splits when your phase begins",
                lambda argument, asked: self._break_down("split", argument), takes=True),
            Key(("join",), "", "join 24: the squads of that platoon join again",
                lambda argument, asked: self._break_down("join", argument), takes=True),
        )  # fmt: skip

    @property
    def _session(self) -> Session[State]:
        return self.terminal.seat.game.session

    @property
    def _decision(self) -> Decision | None:
        pending = self._session.pending
        return pending if isinstance(pending, Decision) else None

    # -- what is shown --------------------------------------------------------------------

    def head(self, asked: Shown) -> list[str]:
        """Return the turn and phase, the VP, the rule."""
        self._teller.fresh_page()
        state, decision = self._session.state, self._decision
        parts = [turn_words(state)]
        if decision is not None and state.ready:
            parts.append(short_score(state, score_of(decision.situation)))
        length = len(BETWEEN.join(parts)) + len(asked.rule) + 7
        if asked.rule and length <= self.terminal.screen.width:
            parts.append(asked.rule)
        return parts

    def options(self, asked: AskedPrompt, page: int) -> None:
        """Units by area, actions with what lies there, firers with their odds together."""
        decision, console = self._decision, self.terminal.screen.console
        options = tuple(asked.options)
        if decision is None:
            super().options(asked, page)
        elif decision.id in UNIT_POINTS:
            show_units(console, Areas(decision.situation), options, self._recent())
        elif decision.id in ACTION_POINTS:
            show_actions(console, decision, options)
        elif decision.id in FIRE_POINTS:
            show_attacks(console, decision, options)
        elif _firing(decision):
            show_firers(console, decision, options)
            if len(options) > 1:
                target, choices = decision.choices
                self._say_odds(decision, target, choices, everybody(decision))
        elif asks_for_counters(decision):
            show_counters(console, decision, options)
        else:
            super().options(asked, page)

    def _recent(self) -> list[str]:
        """Return the last events, for the side of a large screen."""
        return [
            " ".join(roll_text(line).plain.split()) if line.roll else line.text
            for line in self.terminal.seat.lines()[-40:]
            if line.kind != "answer"
        ]

    def _say_odds(
        self,
        decision: Decision,
        target: Target,
        choices: dict[str, tuple[str, str]],
        answers: Sequence[str],
        head: str = "",
    ) -> None:
        """Say the odds of several who fire together, and what else it costs."""
        sit, opportunity = decision.situation, decision.id == "opportunity_fire"
        odds = together(sit, target, choices, answers, opportunity)
        self.terminal.screen.say(f"{head}{odds}", "green")
        for words in prices(sit, answers, target, opportunity):
            self.terminal.screen.say(words, "yellow")

    def odds(self, asked: Shown, argument: str) -> bool:
        """Return the odds of several who fire together."""
        decision = self._decision
        if decision is not None and isinstance(asked, AskedPrompt):
            if decision.id in FIRE_POINTS:
                sit = decision.situation
                for attack, answers in weighed_attacks(decision, argument):
                    head = f"{attack_text(sit, attack)}: "
                    choices = firers_of(sit, attack)
                    self._say_odds(decision, attack.target, choices, answers, head)
                return True
            if _firing(decision):
                order = read_order(decision, argument) if argument not in ("", "all") else None
                answers = list(order.answer) if order else everybody(decision)
                target, choices = decision.choices
                self._say_odds(decision, target, choices, answers)
                return True
        raise PBCGError("o tells the odds of several who fire together; nobody is to fire now.")

    def hint(self, asked: Shown) -> str:
        """Return what may be typed, in a few words."""
        if isinstance(asked, AskedRoll):
            return "your die, 1 to 6"
        end = ", e ends" if self._decision and end_of(self._decision) is not None else ""
        if asked.id in UNIT_POINTS:
            return f"orders, as 23 N4 g{end}"
        if asked.id in ACTION_POINTS:
            return f"N4, g ... or 24 N7{end}"
        if asked.id in FIRE_POINTS:
            return f"target, or B4 23 24{end}"
        if asked.kind == "choose-some" and _firing(asked):
            return f"numbers, all or none; o 23 24 odds{end}"
        return f"{super().hint(asked)}{end}"

    def default_words(self, asked: AskedPrompt) -> str:
        """Return the answer that Enter gives, by its numbers."""
        if asked.kind == "number":
            return super().default_words(asked)
        wanted = asked.default if isinstance(asked.default, list | tuple) else [asked.default]
        decision = self._decision
        if decision is not None and asks_for_counters(decision):
            return " ".join(counter_word(decision.situation, id) for id in wanted) or "none"
        numbers = [str(n) for n, option in enumerate(asked.options, 1) if option.id in wanted]
        return " ".join(numbers) or "none"

    def tell(self, lines: Sequence[LogLine], away: bool) -> None:
        """Tell the events, phase by phase, with the reasons."""
        self._news |= worth_a_look(lines)
        self._teller.tell(lines)

    def log(self, lines: Sequence[LogLine], argument: str) -> None:
        """Print the events of this turn, or of another: ``l 3``."""
        turn = argument or str(self._session.state.turn)
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
        answered = [number for number, line in enumerate(lines) if line.kind == "answer"]
        terminal.told = answered[-1] + 1 if answered else 0
        name = terminal.path.name
        terminal.screen.say(f"{name} goes on. s shows all, l this turn.", "bold")

    # -- help and keys ----------------------------------------------------------------------

    def help(self, asked: Shown, topic: str) -> None:
        """Help for the phase and the question, or the goals of the game."""
        help_for(self.terminal.screen.console, self._session, asked, topic)

    def explain(self, asked: Shown, rule: str) -> None:
        """Explain a rule."""
        explain(self.terminal.screen.console, asked, rule)

    def _look(self, argument: str, asked: Shown) -> None:
        look(self.terminal.screen.console, situation(self._session), argument)

    def _best(self, argument: str, asked: Shown) -> None:
        """Tell the three best things to do now, after some seconds of imagined games."""
        decision, position = self._decision, position_in(self._session)
        if decision is None or position is None or not decision.situation.state.ready:
            raise PBCGError("There is nothing to weigh here.")
        self.terminal.seat.game.beforehand = teacher_note(self._session)
        seconds = float(argument) if argument.replace(".", "", 1).isdigit() else SECONDS

        state, game = self._session.state, rules_of(self._session)
        # Processes take a second to start: they are worth it for who has time to think.
        if self._crew is None and seconds >= SECONDS:
            self._crew = new_crew()
        listed, say = choices(decision), self.terminal.screen.say
        for line in plan_words(listed) if listed else ():
            say(line, "dim")
        begun, advice = monotonic(), list[Advice]()
        has_spoken = False
        # Ctrl-C ends the thinking, not the game.
        with suppress(KeyboardInterrupt):
            for advice in advise(game, position, decision, seconds, listed=listed, crew=self._crew):
                if not has_spoken and monotonic() - begun >= FIRST_WORDS:
                    has_spoken = True
                    say(f"So far {so_far(advice)}.", "dim")
        for line in advice_words(state, advice):
            say(line, "green")

    def _fire(self, argument: str, asked: Shown) -> None:
        standing = self._orders.standing
        if argument not in ("", "ask", "auto"):
            raise PBCGError("f ask: every Opportunity Fire is asked; f auto: only in doubt.")
        wanted = argument or ("auto" if standing.fire == "ask" else "ask")
        standing.fire = "ask" if wanted == "ask" else "auto"
        words = {
            "ask": "You are asked about every Opportunity Fire.",
            "auto": "Opportunity Fire is given with all who can, if it can matter and costs "
            "nothing else; else you are asked.",
        }
        self.terminal.screen.say(words[standing.fire], "green")

    def _break_down(self, kind: str, argument: str) -> None:
        """Split or join: at once if the phase has just begun, else when the next one begins."""
        for word in argument.split() or [""]:
            self._orders.wish(situation(self._session), kind, word)
        standing = self._session.journal.standing()
        if standing and standing[-1].point == "break_down":
            self._session.undo()
            self.terminal.skip_told()
            self._answers = 0
            raise Again
        self.terminal.screen.say("That is done when your next Movement Phase begins.", "green")

    def _map(self, argument: str, asked: Shown) -> None:
        if argument in ("", "tall"):
            screen, areas = self.terminal.screen, Areas(situation(self._session))
            tall = argument or screen.console.height >= TALL_MAP + AROUND_MAP
            screen.console.print(map_text(areas, screen.width, TALL_MAP if tall else ROWS))
            return

        path = Path(argument)
        check_format(path)
        draw_game(seen_state(self._session), rules_of(self._session).map).write(path)
        self.terminal.screen.say(written_words(path), "green")

    # -- what is typed ----------------------------------------------------------------------

    def read(self, asked: AskedPrompt, typed: str) -> Any:
        """Orders by counter, "all", "e"; the words for later questions wait."""
        decision, self._news = self._decision, False
        if decision is None:
            return super().read(asked, typed)
        if typed.lower() == "ee" and decision.id in UNIT_POINTS | ACTION_POINTS | FIRE_POINTS:
            self._ending = decision.id in ACTION_POINTS
            self._orders.forget()
            return end_of(decision)
        if typed.lower() in ("e", ".") and (end := end_of(decision)) is not None:
            self._confirm(decision)
            return end
        if decision.kind == "choose-some" and typed.lower() == "all" and not _firing(decision):
            return [option.id for option in decision.legal]
        order = self._orders.take(decision, typed)
        return super().read(asked, typed) if order is None else order

    def _confirm(self, prompt: Decision) -> None:
        """Ask whether the phase is over while units can still act; typed twice in a row it is."""
        if prompt.id not in UNIT_POINTS:
            return
        able = idle_units(self._session, prompt)
        answers = len(self._session.journal.standing())
        if not able or self._sure == answers:
            return
        self._sure = answers
        units = f"{len(able)} units" if len(able) > 1 else prompt.situation.units[able[0]].name
        self.terminal.complain(f"{units} can still act. Another e ends the phase.")
        raise Again

    def forget(self) -> None:
        """Forget the orders and dice typed ahead."""
        super().forget()
        self._orders.forget()

    def ahead(self, asked: AskedPrompt) -> Any:
        """Return an answer typed ahead or not needed; None if the person must answer."""
        decision = self._decision
        if decision is None:
            return None
        answers = len(self._session.journal.standing())
        if answers < self._answers:
            self._orders.ask_next()  # something was undone
        self._answers = answers
        if self._ending:
            self._ending = False
            if decision.id in UNIT_POINTS:
                return end_of(decision)
        answer = self._orders.answer(decision, self._news)
        for words in self._orders.said:
            self.terminal.screen.say(words, "yellow")
        self._orders.said = []
        return answer


def everybody(prompt: Decision) -> list[str]:
    """Return all who can fire, each MG served by one unit. Rule: ST-MGF-01, ST-MGF-03."""
    if not _firing(prompt):
        return [option.id for option in prompt.legal]
    return all_firers(prompt.choices[1])


def _firing(prompt: Prompt | Shown) -> bool:
    return prompt.id in FIRER_POINTS
