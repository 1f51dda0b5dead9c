"""Pairs of campaigns that differ only in what one side keeps secret."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from campaign_generator import Battle

from asl_pbcg.campaign.position import FORMAT, EquipmentEntry, Position, VehicleEntry
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.s600_losses import _why_entered
from asl_pbcg.refit.setup.setup_rules import setups

SCENARIO, POSITION = "0.1", "0.2"
"""The decision points when a scenario is over."""
_KEEPS = {"shifted_safely", "no_shift", "repaired", "kept", "recovers", "retain", "mobile"}
"""Results after which both campaigns still have the same pieces."""


class Twin:
    """Answers and dice at random: what ``side`` alone sees follows ``variant``, the rest does not.

    A prompt is answered by how often its point was asked before, so that a secret that takes one
    answer more changes nothing for anybody else. Until ``last`` is set, secrets stay such as both
    sides can play on with: everybody who stood on the map still does, whoever fights the next
    scenario fights it in both campaigns.
    """

    def __init__(self, seed: int, side: Side, variant: int) -> None:
        self._seed, self._side, self._variant = seed, side, variant
        self._asked: dict[tuple[bool, str], int] = {}
        self.last = False
        self.position: dict[str, Any] | None = None
        self.hidden: dict[Side, dict[str, Any]] = {}
        """What each side alone knows of the end position."""
        self.lost: set[str] = set()
        """What both sides saw lost in play: in one of the campaigns it had to be on the map."""
        self.recorded: list[Any] = []
        """The setups recorded, with the status that CG9 keeps secret."""
        self.state: Callable[[], Campaign] = lambda: None  # type: ignore[assignment, return-value]

    def is_own(self, asked: Prompt | Roll | None) -> bool:
        """Whether the other side does not see what is asked."""
        return asked is not None and asked.secret and asked.side == self._side

    def _source(self, asked: Prompt | Roll) -> random.Random:
        own = self.is_own(asked) and not self._comes_out(asked)
        key = (own, f"{asked.id} {asked.side}")
        self._asked[key] = self._asked.get(key, 0) + 1
        return random.Random(f"{self._seed}/{self._variant if own else 0}/{key}/{self._asked[key]}")

    def _comes_out(self, asked: Prompt | Roll) -> bool:
        """Whether both sides see what comes of it: before 9.613, and of an RG that sets up now."""
        if not self.state().in_secret and self.state().at != "scenario":
            return True
        if self.last or not asked.id.startswith(("9.618", "CG7")):
            return False
        words = asked.text.split()
        return any(each.given and each.key in words for each in self.state().groups)

    def answer(self, prompt: Prompt) -> Any:
        """What is answered to ``prompt``."""
        source = self._source(prompt)
        if prompt.id == "0.1":
            return "dr"
        if prompt.id == POSITION:
            return self.position
        if prompt.id == "0.2.0":
            return self.hidden.get(Side(prompt.side)) or "none"
        if prompt.id == "0.2.1":  # what the position does not list never entered
            return [id for id in _ids(prompt) if id not in self.lost]
        if prompt.id == "9.620.2" and self.is_own(prompt):
            self.recorded.append(self._setup(source))
            return self.recorded[-1] or prompt.default
        if prompt.kind == "document":
            return prompt.default
        if not self.is_own(prompt):
            return prompt.random_answer(source)
        if prompt.id == "9.619.1" and self._side is Side.BRITISH and "san" in _ids(prompt):
            # The SAN is open once setup begins: both campaigns buy an Increase, or neither does.
            first = self._asked[(True, f"{prompt.id} {prompt.side}")]
            if random.Random(f"{self._seed}/san/{first}").random() < 0.3 and first == 1:
                return "san"
        return self._secret(prompt, source)

    def _secret(self, prompt: Prompt, source: random.Random) -> Any:
        if prompt.kind != "choose":
            return self._some(prompt, prompt.random_answer(source))
        closed = [id for id in _ids(prompt) if not self._open_in_the_end(prompt, id)]
        if not closed or prompt.id.endswith(".hex"):  # where and what a Wreck is both sides see
            return prompt.random_answer(random.Random(f"{self._seed}/{prompt.id}"))
        for _ in range(200):
            answer = prompt.random_answer(source)
            if answer in closed:
                return answer
        return closed[0]

    def _some(self, prompt: Prompt, answer: Any) -> Any:
        if prompt.id == "9.613.1a":
            # A captured vehicle may have to become a Wreck where it is. Until the last RePh an RG
            # that one side alone has must not come to stand on map.
            bought = {each.key for each in self.state().groups if not each.given and not self.last}
            barred = {each.id for each in self.state().pieces if each.captured or each.rg in bought}
            return [id for id in answer if id not in barred]
        if prompt.id == "0.2.5a":  # an entrenchment is placed on map by 9.602, in this very RePh
            return "none"
        if self.last:
            return answer
        if prompt.id in ("9.613.3", "0.2.5"):  # a new piece, or none: the other campaign has it not
            return []
        if prompt.id == "9.62022":  # an entrenchment is placed on map by 9.602
            return "later"
        return answer

    def _open_in_the_end(self, prompt: Prompt, answer: str) -> bool:
        """What a secret answer must not be: both sides would see what came of it."""
        word = answer.replace(":", " ").partition(" ")[0]
        if word in ("san", "wreck", "burnt-out") or (
            word == "scrounge" and "-" in answer and answer[9:10].isupper()
        ):
            return True
        if self.last:
            return False
        if prompt.id == "9.617.2":  # what is Retained in a Setup Area must set up
            return not any(letter.isdigit() for letter in answer)
        if prompt.id in ("9.614", "9.6141a", "9.61421", "9.61423", "9.61423.result"):
            return answer not in ("leave", "no", "done", "keep")
        return word in ("eliminate", "eliminated")

    def _setup(self, source: random.Random) -> Any:
        """The setup of one vehicle or Gun with what CG9 lets its side keep secret."""
        state = self.state()
        if state.determined is None:
            return None
        found = [
            each for each in setups(state, self._side)
            if (each.piece.is_vehicle or each.piece.kind == "gun") and not each.piece.captured
            and not each.piece.rg and (each.fixed or each.hexes)
        ]  # fmt: skip
        if not found:
            return None
        setup = source.choice(found)
        at = setup.fixed or source.choice(list(setup.hexes or ()))
        entry = {"id": setup.piece.id, "side": self._side, "type": setup.piece.type, "at": at}
        if setup.piece.is_vehicle:
            status = source.choice([(), ("ce",), ("stunned",)])
            vehicle = msgspec.convert(entry | {"status": status}, VehicleEntry)
            setup_file = Position(format=FORMAT, date=state.date, vehicles=(vehicle,))
        else:
            status = source.choice([(), ("malfunctioned",)])
            gun = msgspec.convert(entry | {"status": status}, EquipmentEntry)
            setup_file = Position(format=FORMAT, date=state.date, equipment=(gun,))
        return msgspec.to_builtins(setup_file)

    def hide(self, hidden: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
        """What the side hides when a scenario ends, in hexes of its own for each campaign."""
        units = hidden.get("units", ())
        listed = [each for each in document["units"] if "off" not in each["at"]]
        theirs = {each["at"] for each in listed if each["side"] != self._side}
        hexes = sorted({each["at"] for each in (*listed, *units)} - theirs)
        if not units:
            return {}
        source = random.Random(f"{self._seed}/{self._variant}/hidden")
        goals = {at: source.choice(hexes) for at in dict.fromkeys(each["at"] for each in units)}
        moved: dict[str, Any] = {
            key: [each | {"at": goals[each["at"]]} for each in value]
            if key in ("units", "equipment")
            else value
            for key, value in hidden.items()
        }
        if self._variant == 2:
            new = {"side": self._side.value, "status": ["hidden"], "at": hexes[0]}
            letter = self._side.value[0]
            type = {"g": "2-4-7", "b": "3-3-8"}[letter]
            id = f"{letter}-{type.replace('-', '')}-41"
            moved["units"].append(new | {"id": id, "type": type})
        return moved

    def dice(self, roll: Roll) -> tuple[int, ...]:
        """The dice for ``roll``; until the last RePh such as leave both campaigns their pieces."""
        source = self._source(roll)
        for _ in range(60):
            faces = tuple(source.randint(1, roll.spec.sides) for _ in range(roll.spec.count))
            kept = self.is_own(roll) and not self.last and roll.id.startswith(("9.613", "9.614"))
            kept = kept or roll.id == "9.61422"  # of a vehicle it may leave a Wreck
            if not kept or roll.resolve(faces).result in _KEEPS:
                return faces
        return tuple(1 for _ in range(roll.spec.count))


def _hidden(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for name in ("units", "equipment") for each in document.get(name, ())]


def _ids(prompt: Prompt) -> list[str]:
    return [option.id for option in prompt.legal]


class Twins:
    """Two campaigns, answered side by side up to every point that the other side sees."""

    def __init__(self, folder: Path, seed: int, side: Side) -> None:
        self.seed, self.side = seed, side
        meta = {"settings": {"campaign": "CG1" if seed % 2 else "CG2"}, "seed": 0, "dice": "seeded"}
        self.files, self.sessions = [], []
        self.answers = [Twin(seed, side, variant) for variant in (1, 2)]
        for number, answering in enumerate(self.answers):
            self.files.append(folder / str(number) / "evening.pbcg")
            self.files[-1].parent.mkdir(parents=True)
            session: Session[Campaign] = create_campaign(self.files[-1], meta)
            answering.state = lambda session=session: session.state  # type: ignore[misc]
            self.sessions.append(session)

    def reph(self, last: bool, look: Callable[[Session[Campaign]], Any]) -> bool:
        """Answer up to the next end position; False if a campaign ended or no scenario fits both.

        ``look`` gives what the other side sees of a campaign; it must be the same of both
        whenever that side may look.
        """
        for answering in self.answers:
            answering.last = last
        while True:
            waited = [
                self._own_turn(*each) for each in zip(self.sessions, self.answers, strict=True)
            ]
            assert waited[0] == waited[1], f"one waits: {self.sessions[waited.index(True)].step}"
            seen = [look(session) for session in self.sessions]
            assert seen[0] == seen[1]
            asked = self.sessions[0].pending
            if asked is None or asked.id == SCENARIO:
                return asked is not None
            for session, answering in zip(self.sessions, self.answers, strict=True):
                _answer(session, answering)

    def _own_turn(self, session: Session[Campaign], answering: Twin) -> bool:
        """Answer all that the other side does not see; whether it had to wait."""
        waited = False
        while answering.is_own(session.pending):
            _answer(session, answering)
            waited = True
        return waited

    @property
    def date(self) -> CGDate:
        """The CG Date both campaigns have come to."""
        return self.sessions[0].state.date

    def kinds(self) -> set[str]:
        """The kinds of secrets in which the campaigns differ now."""
        first, second = (session.state for session in self.sessions)
        found = differing(first, second, self.side)
        if self.answers[0].recorded != self.answers[1].recorded:
            found.add("CG9")
        return found

    def battle(self, date: int, hides: bool = False) -> None:
        """Fight a scenario with what both campaigns have alike; give both its end position.

        If it ``hides``, pieces of each side are hidden when it ends; where those of this side are,
        and what came into being beside them, is another in each campaign.
        """
        first, second = (session.state for session in self.sessions)
        known = {piece.id: _public(piece) for piece in second.pieces}
        both = tuple(piece for piece in first.pieces if known.get(piece.id) == _public(piece))
        plain = tuple(msgspec.structs.replace(piece, hip=False) for piece in both)
        battle = Battle(change(first, pieces=plain), random.Random(f"{self.seed}/{date}"))
        document, hidden = battle.play()
        listed = {
            each["id"] for name in ("units", "equipment", "vehicles") for each in document[name]
        }
        lost = {
            piece.id
            for state in (first, second)
            for piece in state.of(self.side)
            if piece.id not in listed and _why_entered(state, piece)
        }
        for answering in self.answers:
            answering.position, answering.lost = document, lost
            if hides:
                answering.hidden = {
                    **hidden,
                    self.side: answering.hide(hidden[self.side], document),
                }
                answering.lost = lost - {each["id"] for each in _hidden(hidden[self.side])}
        for session, answering in zip(self.sessions, self.answers, strict=True):
            asked = ""
            while asked != POSITION:
                asked = session.pending.id if session.pending else POSITION
                _answer(session, answering)

    def close(self) -> list[Path]:
        """Let the campaign files go."""
        for session in self.sessions:
            session.journal.close()
        return self.files

    def reopen(self) -> None:
        """Take the files up again."""
        self.sessions = [open_campaign(file) for file in self.files]
        for session, answering in zip(self.sessions, self.answers, strict=True):
            answering.state = lambda session=session: session.state  # type: ignore[misc]

    def one_secret_piece(self) -> str:
        """The id of a piece that one of the campaigns alone has; empty if there is none."""
        ids = [{piece.id for piece in session.state.of(self.side)} for session in self.sessions]
        return min(ids[0] ^ ids[1], default="")


def _public(piece: Piece) -> tuple[str, str]:
    return piece.type, piece.rg


def _answer(session: Session[Campaign], answering: Twin) -> None:
    asked = session.pending
    try:
        if isinstance(asked, Prompt):
            session.answer(answering.answer(asked))
        elif asked is not None:
            session.throw(answering.dice(asked))
    except IllegalAnswer as error:
        raise AssertionError(f"{asked.id if asked else ''}: {error}") from error


def differing(first: Campaign, second: Campaign, side: Side) -> set[str]:
    """The kinds of secrets in which two campaigns differ."""
    found = set()
    pair = [{piece.id: piece for piece in state.of(side)} for state in (first, second)]
    common = pair[0].keys() & pair[1].keys()

    def differ(name: str) -> bool:
        return any(getattr(pair[0][id], name) != getattr(pair[1][id], name) for id in common)

    groups = [
        [(each.id, each.area, each.date) for each in state.groups if not each.given]
        for state in (first, second)
    ]
    if groups[0] != groups[1]:
        found.add("purchases")
    for name in ("strength", "sw", "leaders"):
        one, two = (
            {each.key: getattr(each, name) for each in state.groups} for state in (first, second)
        )
        if any(one[key] != two[key] for key in one.keys() & two.keys()):
            found.add(name)
    bought = [
        [(each.kind, each.factors, each.at) for each in state.bought
         if each.side is side and not each.kind.startswith("hip")]
        for state in (first, second)
    ]  # fmt: skip
    if bought[0] != bought[1]:
        found.add("Fortifications")
    if differ("hip"):
        found.add("HIP")
    if differ("shift_tried") or differ("area"):
        found.add("Shift")
    if any(pair[0][id].status != pair[1][id].status for id in common):
        found.add("status")
    if first.cpp != second.cpp:
        found.add("CPP")
    return found
