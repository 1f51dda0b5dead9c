"""Score cards (a game as a few lines to paste, read back and compared), and challenges by date.

All players of a challenge get the same set-up and dice. The last line of a card is a mark of the
lines above it: it reveals a slip or a hasty change and nothing more, because anybody can compute
it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import read_line
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, visible
from asl_pbcg.st.area_terms import BRITISH, numbers
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.game_state import Result, State

WEEK: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("the historical game", {"mode": "historical"}),
    ("a variable game, easy", {"mode": "variable", "difficulty": "easy"}),
    ("the historical game, resolute Germans", {"mode": "historical", "german": "resolute"}),
    ("a variable game, medium", {"mode": "variable", "difficulty": "medium"}),
    ("full history, resolute Germans", {"mode": "full_history", "german": "resolute"}),
    ("a variable game, hard", {"mode": "variable", "difficulty": "hard"}),
    (
        "a variable game, hard, resolute Germans",
        {"mode": "variable", "difficulty": "hard", "german": "resolute"},
    ),
)
"""The game of each day of the week, Monday first."""


MAX_NAME: Final = 40
"""Letters of a player's name."""


class Challenge(NamedTuple):
    """The game of a date."""

    title: str
    settings: dict[str, Any]
    seed: int


def read_date(word: str) -> date:
    """Return the date in ``word``, or today. Raises PBCGError for anything else."""
    if word.lower() == "today":
        return datetime.now().astimezone().date()
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise PBCGError(f'"{word}" is not a date: write it as 2026-11-22, or today.') from None


def challenge_of(day: date) -> Challenge:
    """Return the game of ``day``: its set-up by the day of the week, its dice by the date."""
    title, settings = WEEK[day.weekday()]
    mark = hashlib.sha256(f"pbcg st challenge {day.isoformat()}".encode()).digest()
    return Challenge(title, dict(settings), int.from_bytes(mark[:4], "big") % 10**9)


def challenge_meta(day: date) -> dict[str, Any]:
    """Return the data that the file of the game of ``day`` begins with."""
    game = challenge_of(day)
    return {
        "settings": game.settings, "dice": "seeded", "seed": game.seed,
        "challenge": day.isoformat(),
    }  # fmt: skip


def player_name(name: str) -> str:
    """Return a player's name as a file keeps it. Raises PBCGError for more than a line of words."""
    return read_line(" ".join(name.split()), "A name", MAX_NAME)


def game_title(settings: Mapping[str, Any]) -> str:
    """Return the kind of game these settings make, in the words of the challenges."""
    mode = settings.get("mode") or "variable"
    words = _MODES[mode]
    if mode == "variable" and settings.get("difficulty"):
        words += f", {settings['difficulty']}"
    return words + (", resolute Germans" if settings.get("german") == "resolute" else "")


_MODES: Final = {
    "historical": "the historical game",
    "full_history": "full history",
    "variable": "a variable game",
}


def title_of(session: Session[State]) -> str:
    """Return the kind of game that is played, as far as that is settled."""
    state = session.state
    settled = {"mode": state.settings.mode, "difficulty": state.difficulty}
    chosen = {name: value for name, value in settled.items() if value}
    return game_title({**session.journal.meta("settings"), **chosen})


TEACHER: Final = "teacher"
"""The point of the note that the teacher was asked."""
PERSON: Final = "a person"
"""The name of a player whom nobody has named."""
_NOT_OVER: Final = "not over"


class ScoreCard(msgspec.Struct, frozen=True, kw_only=True):
    """A score card as a line of a table; ``remark`` says what keeps it from being compared."""

    date: str = ""
    game: str
    played_by: str = ""
    difficulty: str = ""
    germans: str = ""
    seed: str = ""
    vp: int
    level: str
    decisions: int
    undone: int
    turns: int
    mark: str
    remark: str = ""


def automatic_name(policy: str) -> str:
    """Return the name under which an automatic player decides."""
    return f"{policy} (automatic)"


def teacher_note(session: Session[State]) -> Entry:
    """Return the entry that says that the teacher was asked; it is written with the next answer."""
    step = session.step.id if session.step else ""
    body = {"text": "The teacher was asked."}
    return Entry(kind="note", step=step, point=TEACHER, side=BRITISH, body=body)


def _played_by(session: Session[State]) -> str:
    """Return who made the decisions that stand, and how often the teacher was asked."""
    journal = session.journal
    handed = [each for each in journal.entries_of("hand") if each.side == BRITISH]
    own = str(journal.meta("player") or PERSON)
    made: Counter[str] = Counter()
    for entry in journal.standing():
        if entry.kind == "answer" and entry.side == BRITISH:
            before = [each for each in handed if each.seq < entry.seq]
            made[str(before[-1].body) if before else own] += 1
    names = [f"{name} {count}" if len(made) > 1 else name for name, count in made.most_common()]
    asked = sum(each.point == TEACHER for each in journal.entries_of("note"))
    times = "once" if asked == 1 else f"{asked} times"
    told = [f"the teacher was asked {times}"] if asked else []
    return ", ".join([*(names or [own]), *told])


def game_card(session: Session[State], result: Result | None, day: str = "") -> str:
    """Return the score card of a game; that of a challenge says its date.

    ``result`` is what the map earns now, None before anybody has landed. Raises PBCGError if it is
    not the game of its date, or of the ``day`` that is given.
    """
    day = day or session.journal.meta("challenge") or ""
    if not day:
        return _card(session, title_of(session), result)
    game = challenge_of(read_date(day))
    settings = dict(session.journal.meta("settings"))
    if (session.journal.meta("seed"), settings) != (game.seed, game.settings):
        raise PBCGError(f"This file does not hold the game of {day}.")
    return _card(session, f"{day}  {game.title}", result)


def _card(session: Session[State], head: str, result: Result | None) -> str:
    state = session.state
    chart = victory_chart()
    # How often the Germans have rolled in secret would tell their chit.
    viewer = UMPIRE if state.over else BRITISH
    seen = [entry for entry in session.journal.entries() if visible(entry, viewer)]
    made = {entry.seq for entry in seen if entry.kind in ("answer", "roll")}
    undone = len(made & session.journal.void())
    lines = [
        f"PEGASUS BRIDGE {head}",
        f"{result.vp if result else 0} VP  "
        + (chart.names[result.level] if state.over and result else f"turn {state.turn}, not over"),
    ]
    if result:
        gained = [f"{score.vp:+d} {score.text}" for score in result.scores if score.vp]
        lines += [f"  {words}" for words in gained]
    lines += [
        f"Played by {_played_by(session)}",
        f"Difficulty {state.difficulty or 'easy'}, Germans {state.settings.german}, "
        f"seed {_seed_words(session)}",
        f"{len(made) - undone} decisions and rolls, {undone} undone, "
        f"{min(state.turn, numbers().turns)} turns",
    ]
    return "\n".join([*lines, f"card {_mark(lines)}"])


def _seed_words(session: Session[State]) -> str:
    """Return the seed; until the end that of a challenge only, which everybody knows."""
    seed = session.journal.meta("seed")
    told = session.state.over or session.journal.meta("challenge")
    return "none" if seed is None else str(seed) if told else "kept until the end"


def _mark(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


# -- reading and comparing ----------------------------------------------------------------

_MOST_LINES: Final = 60
"""A card has fewer."""
_BEGIN: Final = re.compile(r"([> \t]*)PEGASUS BRIDGE .+")
_LINES: Final[dict[str, re.Pattern[str]]] = {
    "head": re.compile(r"PEGASUS BRIDGE (?:(?P<date>\d{4}-\d\d-\d\d)  )?(?P<game>.+)"),
    "VP": re.compile(r"(?P<vp>-?\d{1,4}) VP  (?P<level>.+)"),
    "players": re.compile(r"Played by (?P<played_by>.+)"),
    "settings": re.compile(
        r"Difficulty (?P<difficulty>\w+), Germans (?P<germans>\w+), seed (?P<seed>.+)"
    ),
    "count": re.compile(
        r"(?P<decisions>\d{1,6}) decisions and rolls, (?P<undone>\d{1,6}) undone, "
        r"(?P<turns>\d{1,2}) turns"
    ),
    "mark": re.compile(r"card (?P<mark>[0-9a-f]{8})"),
}
_NUMBERS: Final = ("vp", "decisions", "undone", "turns")
_OLDER: Final = ("players", "settings")
"""Lines that cards of an earlier pbcg do not have."""


def read_cards(text: str, source: str) -> list[ScoreCard]:
    """Return the score cards in a text, indented or quoted as they may be.

    Raises PBCGError if there are none, or one that cannot be read.
    """
    cards = [_read_card(lines, source) for lines in _cards_in(text)]
    if not cards:
        raise PBCGError(
            f'{source} holds no score card: one begins with "PEGASUS BRIDGE" and ends with "card" '
            "and eight letters and digits."
        )
    return cards


def _cards_in(text: str) -> Iterator[list[str]]:
    lines = [line.rstrip() for line in text.splitlines()]
    for at, line in enumerate(lines):
        if not (begin := _BEGIN.fullmatch(line)):
            continue
        card = [each.removeprefix(begin[1]) for each in lines[at : at + _MOST_LINES]]
        for end, each in enumerate(card):
            if _LINES["mark"].fullmatch(each):
                yield card[: end + 1]
                break


def _read_card(lines: list[str], source: str) -> ScoreCard:
    facts: dict[str, Any] = {}
    for what, pattern in _LINES.items():
        found = next(filter(None, map(pattern.fullmatch, lines)), None)
        if found:
            facts |= {key: value or "" for key, value in found.groupdict().items()}
        elif what not in _OLDER:
            raise PBCGError(f"{source}: a score card has no line of its {what}.")
    card = ScoreCard(**{**facts, **{name: int(facts[name]) for name in _NUMBERS}})
    if card.mark == _mark(lines[:-1]):
        return card
    return msgspec.structs.replace(card, remark="altered: its mark is not that of its lines")


def compare_cards(cards: Iterable[ScoreCard], day: str) -> list[ScoreCard]:
    """Return cards with what is to be said of each, best first, those of another game last.

    ``day`` is the date of the challenge.
    """
    game = challenge_of(read_date(day))
    compared = [
        msgspec.structs.replace(each, remark=_remark(each, day, game))
        for each in dict.fromkeys(cards)
    ]
    return sorted(compared, key=lambda each: (each.remark not in ("", _NOT_OVER), -each.vp))


def _remark(card: ScoreCard, day: str, game: Challenge) -> str:
    germans = game.settings.get("german", "rules")
    if card.remark:
        return card.remark
    if card.date != day:
        return f"another game: {f'the challenge of {card.date}' if card.date else card.game}"
    if card.game != game.title or card.seed not in ("", str(game.seed)):
        return f"other settings: {day} is {game.title}, seed {game.seed}"
    if card.germans not in ("", germans):
        return f"other settings: on {day} the Germans are {germans}"
    return _NOT_OVER if card.level.endswith(_NOT_OVER) else ""
