"""Every request of a seat that can be refused, put to both campaigns of a pair of twins.

Nothing is written: where a command would write, it is done. What a viewer is told must be the
same in both, and at every moment while the other side acts in secret.
"""

from __future__ import annotations

import ast
import contextlib
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from twin_campaigns import Twins, _answer

from asl_pbcg.campaign.paper.roster_facts import FORMS
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Infantry, Vehicle, Weapon
from asl_pbcg.campaign.state.seen import seen_pieces
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.campaign_game import campaign_notes
from asl_pbcg.play.campaign_game.campaign_groups import what_groups_bring
from asl_pbcg.play.campaign_game.campaign_moves import moves
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.campaign_game.viewer_tables import viewer_tables
from asl_pbcg.play.look_ahead import legal_places, look_ahead
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import BOTH, plug_for
from asl_pbcg.play.refusals import LostAnswers
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.typed_answers import read_words
from asl_pbcg.play.waiting import as_seen

PACKAGE = Path(__file__).resolve().parents[2] / "asl_pbcg"
ROOMS = ("kernel", "hexes", "campaign", "refit", "chronicle", "play")
"""The rooms whose refusals a seat at a campaign can reach."""
VALUES: tuple[Any, ...] = (
    "Y20", "Z99", "A", "german", "CG2", "dusk", "9.620", "4-6-7", "", "x" * 3000, "\x07", 0, 1, 4,
    -1, 10**12, 0.5, 1e999, True, None, [], ["broken"], ["hidden"], ["Y20"], {}, {"british": 3},
    {"side": "german", "type": "4-6-7", "at": "Y20"}, {"id": "g-467-1"}, [[["deep"]]],
)  # fmt: skip


class Done(BaseException):
    """The command was about to write: it is not refused."""


def _would_write(*_: Any, **__: Any) -> Any:
    raise Done


class Probe(NamedTuple):
    """One request: how it is called in a report, and what is done at a seat."""

    name: str
    ask: Callable[[Seat], Any]


class Site(NamedTuple):
    """Where the code raises a refusal: module and function, and its line."""

    where: str
    line: int


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file of the package."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def refusal_classes() -> frozenset[str]:
    """The names of PBCGError and every class derived from it."""
    found = {"PBCGError"}
    trees = [tree_of(path) for path in PACKAGE.rglob("*.py")]
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    while new := {name for name, of in bases.items() if of & found} - found:
        found |= new
    return frozenset(found)


@cache
def refusal_sites() -> frozenset[Site]:
    """Every line of the rooms of a seat that raises a refusal, collected from the code."""
    classes, found = refusal_classes(), set[Site]()
    for room in ROOMS:
        for path in (PACKAGE / room).rglob("*.py"):
            for name, node in _raises(tree_of(path), ""):
                raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                called = ast.unparse(raised).rpartition(".")[2] if raised else ""
                makes = called in classes or called in MAKERS
                if makes:
                    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
                    found.add(Site(f"{module}:{name}", node.lineno))
    return frozenset(found)


MAKERS = ("had_turn", "named_fault", "_by_names", "fault", "refuse")
"""Functions that make a refusal which their caller raises."""


def _raises(tree: ast.AST, name: str) -> Iterator[tuple[str, ast.Raise]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Raise):
            yield name, node
        inner = name
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inner = f"{name}.{node.name}".strip(".")
        yield from _raises(node, inner)


def _sites_of(error: BaseException) -> Iterator[Site]:
    """Where an error and those behind it were raised."""
    seen: BaseException | None = error
    while seen is not None:
        last = traceback.extract_tb(seen.__traceback__)[-1:]
        for frame in last:
            path = Path(frame.filename)
            if path.is_relative_to(PACKAGE) and frame.lineno:
                module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
                yield Site(module, frame.lineno)
        seen = seen.__cause__ or seen.__context__


class Watched:
    """One of the twins, asked as its viewers would ask it."""

    def __init__(self, file: Path, session: Session[Campaign]) -> None:
        self.game = OpenGame(file, plug_for("pegasus-bridge", file.name), session, True)
        self.reached: set[Site] = set()

    def outcomes(self, probes: list[Probe], viewer: str, eyes: str) -> list[tuple[Any, ...]]:
        """What each request is told."""
        game, session = self.game, self.game.session
        game._entries, game._lines = [], (-1, [])
        kept = {name: getattr(session.journal, name) for name in ("append",)}
        session.together = _would_write  # type: ignore[method-assign]
        session.journal.append = _would_write  # type: ignore[method-assign]
        game.proposals._keep = _would_write  # type: ignore[method-assign]
        try:
            return [self._outcome(probe, viewer, eyes) for probe in probes]
        finally:
            del session.together, game.proposals._keep  # type: ignore[attr-defined]
            session.journal.append = kept["append"]  # type: ignore[method-assign]

    def _outcome(self, probe: Probe, viewer: str, eyes: str) -> tuple[Any, ...]:
        try:
            told = probe.ask(Seat(self.game, viewer, eyes))
        except Done:
            return ("done",)
        except PBCGError as error:
            self.reached.update(_sites_of(error))
            lost = error.lost if isinstance(error, LostAnswers) else None
            faults = error.faults if isinstance(error, FaultsError) else None
            rule = error.rule if isinstance(error, IllegalAnswer) else None
            return type(error).__name__, str(error), lost, faults, rule
        except Exception as error:
            raise AssertionError(f"{probe.name} for {viewer} {eyes}: {error!r}") from error
        return ("told", told)


def _plain(told: Any) -> Any:
    with contextlib.suppress(TypeError):
        return msgspec.json.encode(told)
    return repr(told)


ALWAYS = (
    Probe("undo", lambda seat: seat.undo()),
    Probe("undo, reason", lambda seat: seat.undo("a slip") if seat.is_side else None),
    Probe("redo", lambda seat: seat.redo()),
)
"""What every viewer asks at every moment; that a side was asked at all both see at one screen."""


# -- the requests ---------------------------------------------------------------------------------


def probes_for(
    states: list[Campaign], prompts: list[Any], side: Side, seed: str, many: int, corrections: int
) -> list[Probe]:
    """Requests of those who may not know the secrets of ``side``, ``many`` of a kind."""
    source = random.Random(seed)
    return [
        *ALWAYS,
        *_some(_undoings(states), source, 3 * many),
        *_corrections(states, side, source, corrections),
        *_some(_answers(prompts, source), source, 3 * many),
        *_some(_paper(states, side), source, many),
        *_some(_facts(states, side), source, many),
        *_looks(states, side),
    ]


def _some(probes: Iterator[Probe], source: random.Random, many: int) -> list[Probe]:
    """Some of the requests; all of them where there are to be that ``many``."""
    listed = list(probes)
    return source.sample(listed, min(many, len(listed)))


def _undoings(states: list[Campaign]) -> Iterator[Probe]:
    state = states[0]
    dates = state.frame.campaigns[state.campaign].dates
    at = dates.index(state.date)
    steps = [f"{date}/{step}" for date in dates[max(at - 1, 0) : at + 1]
             for step in (state.module.initial, *state.module.procedures)]  # fmt: skip
    for step in (*steps, "9.617", "nowhere/9.617", "", "x" * 90):
        for reason, sure in (("", False), ("a slip", False), ("a slip", True)):
            yield Probe(
                f"undo {step} {reason} {sure}",
                lambda seat, step=step, reason=reason, sure=sure: seat.undo_to(step, reason, sure),
            )
    for line in (0, 1, -1, -2, -3, 10**6):
        yield Probe(
            f"undo to line {line}",
            lambda seat, line=line: seat.undo_to(
                seat.entry_of(line if line >= 0 else len(_seen_by(seat).lines()) + line), "a slip"
            ),
        )


def paths(states: list[Campaign], side: Side, source: random.Random) -> Iterator[str]:
    """Paths to facts of either twin, to facts of both and of neither."""
    kinds = (Infantry, Weapon, Vehicle)
    fields = sorted({name for kind in kinds for name in kind.__struct_fields__})
    roots = [*Campaign.__struct_fields__, "units", "nonsense", "", "/", "pieces/", "a/b/c/d"]
    own = [each.id for each in states[0].of(side.other)] or ["x"]
    theirs = [{each.id for each in state.of(side)} for state in states]
    seen = [each.id for each in seen_pieces(states[0], side)] or ["x"]
    groups = [each.key for state in states for each in state.groups]
    bought = [each.key for state in states for each in state.bought]
    types = [f"{each}/{name}/{field}" for each in Side for name in ("50L AT", "Marder", "LMG")
             for field in ("repair", "scrounges", "cvp")]  # fmt: skip
    ids = [own, seen, sorted(theirs[0] ^ theirs[1]), sorted(theirs[0] & theirs[1]),
           ["3", "0", "40", "nobody", "+"]]  # fmt: skip
    keys = ["german", "british", "0", "1", "7", "Y20", *groups, *bought, "I5-1", "g-fpp-1"]
    while True:
        root = source.choice([*roots, "pieces", "pieces", "pieces", "units", "groups", "bought"])
        if root == "units":
            yield f"units/{source.choice(types)}"
        elif root == "pieces":
            some = source.choice([each for each in ids if each])
            yield f"pieces/{source.choice(some)}/{source.choice(fields)}"
        else:
            yield "/".join([root, *source.sample(keys, source.choice((0, 1, 1, 2)))])


def _corrections(
    states: list[Campaign], side: Side, source: random.Random, many: int
) -> Iterator[Probe]:
    for path, _ in zip(paths(states, side, source), range(many), strict=False):
        value, lose = source.choice((*VALUES, states[0].cpp, states[1].cpp)), source.random() < 0.3
        if source.random() < 0.2:
            typed = str(value)[:1900]
            yield Probe(
                f"correct {path}={typed} (typed)",
                lambda seat, path=path, typed=typed: seat.correct_typed(path, typed, "a slip"),
            )
            continue
        yield Probe(
            f"correct {path}={value!r}",
            lambda seat, path=path, value=value, lose=lose: seat.correct(
                path, value, "a slip", lose
            ),
        )
    theirs = [{each.id for each in state.of(side)} for state in states]
    gone = [{each.piece.id for each in state.gone} for state in states]
    brought: list[Any] = [
        *sorted(theirs[0] ^ theirs[1])[:2], *sorted(gone[0] | gone[1])[:2], "nobody", 3, {},
        {"id": "nobody"}, {"side": "nobody", "type": "4-6-7"}, {"side": side.value},
        {"side": side.value, "type": "4-6-9"}, {"side": side.value, "type": "4-6-7", "wings": 2},
        {"side": side.value, "type": "4-6-7", "at": "Z99"},
    ]  # fmt: skip
    for value in brought:
        yield Probe(
            f"bring {value!r}",
            lambda seat, value=value: seat.correct("pieces/+", value, "a slip"),
        )
    long = ["y" * 60] * 400
    yield Probe("correct to much", lambda seat: seat.correct("control/Y20", long, "a slip"))
    for reason in ("", "\x07", "y" * 600):
        yield Probe(f"correct for {reason[:3]!r}",
                    lambda seat, reason=reason: seat.correct("san/german", 4, reason))  # fmt: skip
    yield Probe("agree", lambda seat: seat.agree("0" * 32))
    yield Probe("decline", lambda seat: seat.decline("0" * 32))
    yield Probe("look at a proposal", lambda seat: seat.proposed_document("0" * 32))


def _answers(prompts: list[Any], source: random.Random) -> Iterator[Probe]:
    """Answers to what is asked in one of the twins, and what was never an answer."""
    ids = [option.id for asked in prompts if isinstance(asked, Prompt) for option in asked.options]
    some = source.sample(sorted(set(ids)), min(12, len(set(ids))))
    for value in (*some, "nonsense", "1", "99", -1, 2.5, None, [], some, "x" * 700, "\x07", {}):
        yield Probe(f"answer {value!r}", lambda seat, value=value: seat.answer(value))
        yield Probe(f"ahead {value!r}", lambda seat, value=value: look_ahead(seat, [value]))
        yield Probe(f"typed {value!r}", lambda seat, value=value: _typed(seat, str(value)))
    for faces in (None, (1,), (7, 1), (1, 2), (3, 3, 3), ()):
        yield Probe(f"roll {faces}", lambda seat, faces=faces: seat.roll(faces))
    for values in ([], ["x", "y"], some[:2], ["x"] * 99):
        yield Probe(f"answers {values!r}", lambda seat, values=values: _answer_all(seat, values))
    yield Probe("answer, moved", lambda seat: seat.answer("x", 10**6))
    yield Probe("answer another", lambda seat: seat.answer("x", None, "9.617"))
    yield Probe("ahead, many", lambda seat: look_ahead(seat, ["x"] * 99))
    yield Probe("places", lambda seat: legal_places(seat, ["M12", "Y20", "Z99"]))
    yield Probe("moves", lambda seat: len(moves(seat)))
    for group in ("I5@J0", "I5", "X9", "I5@@"):
        yield Probe(f"what if {group}", lambda seat, group=group: what_groups_bring(seat, [group]))


def _answer_all(seat: Seat, values: list[Any]) -> None:
    asked = seat.question()
    if isinstance(asked, AskedPrompt) and values:
        seat.answer_all(values, asked.seq, asked.id)


def _typed(seat: Seat, typed: str) -> Any:
    asked = seat.question()
    return read_words(asked, typed) if isinstance(asked, AskedPrompt) else None


def _facts(states: list[Campaign], side: Side) -> Iterator[Probe]:
    """A roster on paper."""
    names = [form.replace("SIDE", each).partition("[")[0] for form in FORMS.values()
             for each in ("german", "british")]  # fmt: skip
    names += ["control/Y20", "control/Z99", "nothing", "rg/I5", f"units/{side}/4-6-7"]
    for name in dict.fromkeys(names):
        for value in ("3", "x", "-", ""):
            yield Probe(
                f"assert {name}={value}",
                lambda seat, name=name, value=value: seat.compare_with_paper([f"{name}={value}"]),
            )
    for fact in ("x", "y" * 300, "cpp"):
        yield Probe(f"assert {fact[:5]}", lambda seat, fact=fact: seat.compare_with_paper([fact]))
    yield Probe("assert none", lambda seat: seat.compare_with_paper([]))


def _paper(states: list[Campaign], side: Side) -> Iterator[Probe]:
    """Notes and players."""
    theirs = [{each.id for each in state.of(side)} for state in states]
    secret = sorted(theirs[0] ^ theirs[1])[:3]
    for about in (*secret, *(id.rpartition("-")[2] for id in secret), "M12", "cpp", "LMG", "4-6-7"):
        for private in (True, False):
            yield Probe(
                f"note about {about} {private}",
                lambda seat, about=about, private=private: campaign_notes.keep_note(
                    seat, "curious", about=about, private=private
                ),
            )
    for line in ("9.617", "Strength", "RG"):
        yield Probe(
            f"note at {line}",
            lambda seat, line=line: campaign_notes.keep_note(seat, "x", line=line),
        )
    yield Probe("note of nothing", lambda seat: campaign_notes.keep_note(seat, ""))
    for number in (1, 40, 10**6):
        yield Probe(
            f"revise {number}",
            lambda seat, number=number: campaign_notes.revise_note(seat, number, "x"),
        )
    for name in ("Ben", "", "x" * 99):
        for each in ("", "german", "british"):
            yield Probe(f"hand {name[:3]} {each}",
                        lambda seat, name=name, each=each: seat.hand(name, each))  # fmt: skip


def _looks(states: list[Campaign], side: Side) -> Iterator[Probe]:
    """What is looked at, where it can be refused."""
    theirs = [{each.id for each in state.of(side)} for state in states]
    ids = [*sorted(theirs[0] ^ theirs[1])[:6], *sorted(theirs[0] & theirs[1])[:4], "nobody", "g-1"]
    for id in ids:
        yield Probe(f"piece {id}", lambda seat, id=id: _seen_by(seat).piece(id) is None)
    for name in (f"{side}-setup", f"{side}-forces", f"{side}-service", "nothing"):
        yield Probe(f"sheet {name}", lambda seat, name=name: len(_seen_by(seat).sheet([name])))
    for at in ("night-1", "dawn", "dusk", "nowhere"):
        yield Probe(f"map {at}", lambda seat, at=at: _seen_by(seat).layers(at) is None)
    for name in ("luck", "dates", "losses", "none", f"{side}-setup"):
        yield Probe(
            f"table {name}", lambda seat, name=name: len(viewer_tables(_seen_by(seat), name))
        )
    for name in ("german", "british", "", "nobody"):
        yield Probe(f"lift {name}", lambda seat, name=name: seat.lift(name))
    yield Probe("read a document", lambda seat: read_document(
        "/nowhere.yaml", seat.game.session.state, sees=seat.sees))  # fmt: skip
    yield Probe("no such viewer", lambda seat: Seat(seat.game, "nobody"))


def _seen_by(seat: Seat) -> Seat:
    """The seat at the game as its viewer may look at it, as pages and commands take it."""
    return Seat(as_seen(seat.game, seat.viewer), seat.viewer, seat.eyes)


# -- the walk -------------------------------------------------------------------------------------


class RefusalTwins(Twins):
    """Twins of which every viewer that may not know their secrets asks the same."""

    def watch(self, every: int, many: int, corrections: int) -> None:
        """Ask at each ``every``th moment of a secret turn, ``many`` requests of a kind."""
        self.every, self.many, self.corrections = every, many, corrections
        self.watched = [Watched(*each) for each in zip(self.files, self.sessions, strict=True)]
        self.pairs: Counter[str] = Counter()
        self.differences: list[str] = []
        self.steps: set[str] = set()
        self.undone: set[str] = set()
        self.differed: set[str] = set()
        self._first: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        self._told: list[dict[tuple[str, str], list[tuple[Any, ...]]]] = [{}, {}]
        self._moment = 0
        self._looks = False
        self._places: set[tuple[str, str]] = set()

    @property
    def viewers(self) -> tuple[tuple[str, str], ...]:
        """Who may not know: the other side, both together, both with its curtain lifted."""
        other = self.side.other.value
        return ((other, ""), (BOTH, ""), (BOTH, other))

    def _probes(self) -> list[Probe]:
        states = [session.state for session in self.sessions]
        prompts = [session.pending for session in self.sessions]
        return probes_for(states, prompts, self.side, f"{self.seed}/{self._moment}", self.many,
                          self.corrections)  # fmt: skip

    def _own_turn(self, session: Session[Campaign], answering: Any) -> bool:
        number, waited, count = self.sessions.index(session), False, 0
        if number == 0:
            self._moment += 1
            self._waiting, self._first, self._turn = self._probes(), {}, set[str]()
        at = ""
        while answering.is_own(session.pending):
            begins, at = session.state.at != at, session.state.at
            if number == 0 and begins and self._asks_at(session, "own"):
                self._turn.add(at)
            if at in self._turn and (begins or count % self.every == 0):
                self._compare(number, session, f"{at} of {self.side} {count}")
            _answer(session, answering)
            waited, count = True, count + 1
        return waited

    def _share(self, probes: list[Probe], viewer: tuple[str, str]) -> list[Probe]:
        """What one viewer asks: everything, or of a sample the share of one of several."""
        if self.every == 1:
            return probes
        always = len(ALWAYS)
        return probes[:always] + probes[always + self.viewers.index(viewer) :: len(self.viewers)]

    def _asks_at(self, session: Session[Campaign], whose: str) -> bool:
        """Whether to ask here: at a secret step, and of a sample only the first time it comes."""
        place = (session.state.at, whose)
        asks = session.state.in_secret and (self.every == 1 or place not in self._places)
        self._places.add(place)
        return asks

    def _compare(self, number: int, session: Session[Campaign], moment: str) -> None:
        """Hold what is told against what was told first in this turn, in either twin."""
        for viewer in self.viewers:
            probes = self._share(self._waiting, viewer)
            told = self.watched[number].outcomes(probes, *viewer)
            first = self._first.setdefault(viewer, told)
            if first is not told:
                self._note(probes, viewer, first, told, moment)

    def look(self, session: Session[Campaign]) -> bytes:
        """Ask where the other side may look, and hold the two twins against each other."""
        number = self.sessions.index(session)
        if number == 0:
            self._looks = self._asks_at(session, "other")
        if not self._looks:
            return b""
        if number == 0:
            self._moment += 1
            self._looking = self._probes()
        for viewer in self.viewers:
            probes = self._share(self._looking, viewer)
            told = self.watched[number].outcomes(probes, *viewer)
            if number == 0:
                self._told[0][viewer] = told
            else:
                before = self._told[0][viewer]
                self._note(probes, viewer, before, told, f"{session.state.at} seen")
        return b""

    def _note(self, probes: list[Probe], viewer: tuple[str, str], one: Any, two: Any, at: str
    ) -> None:  # fmt: skip
        self.steps.add(at.partition(" ")[0])
        for probe, first, second in zip(probes, one, two, strict=True):
            self.pairs["all"] += 1
            if probe.name.startswith("undo ") and "/" in probe.name:
                self.undone.add(probe.name.split()[1].partition("/")[2])
            refused = first[0] not in ("done", "told") or second[0] not in ("done", "told")
            self.pairs["refused"] += refused
            if tuple(map(_plain, first)) != tuple(map(_plain, second)):
                self.differences.append(
                    f"{viewer} {at} {probe.name}: {first!s:.300} / {second!s:.300}"
                )


def walk(
    folder: Path, seed: int, side: Side, every: int, many: int, corrections: int
) -> RefusalTwins:
    """Play twins and ask at every step from 9.613 to 9.620, ``many`` requests of a kind."""
    twins = RefusalTwins(folder, seed, side)
    twins.watch(every, many, corrections)
    dates = 2
    for date in range(dates):
        goes_on = twins.reph(date == dates - 1, twins.look)
        twins.differed |= twins.kinds()
        if not goes_on or date == dates - 1:
            break
        twins.battle(date)
    twins.close()
    return twins
