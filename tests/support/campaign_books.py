"""The books of a campaign, looked at after each step: what is there, and where it came from.

``wrong_in_books`` looks at one state. ``StepBooks`` compares the states before and after a
step and takes nothing on trust: every piece received, gone, captured or changed into another
type must be in the end position, on the charts, or told by name in the log of that step.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from asl_pbcg.campaign.module.catalogue import MMC, InfantryType
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign, DateAccount, Gone, accounts_balance
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.pieces import Piece, retype
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.journal import Entry
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.kernel.wording import stands_in
from asl_pbcg.refit.helpers.guards import rearmed_type
from asl_pbcg.refit.s606_isolated import who_escapes
from asl_pbcg.refit.setup.setup_rules import setups

WAYS_TO_GO = {
    "eliminated": "",
    "withdrawn": "9.615",  # 9.6153
    "recombined": "9.6",  # two HS into a squad, a crew into its vehicle
}
"""How a piece may leave its side's OB, and with what its step begins."""
TOLD = {
    "eliminated": re.compile(r"liminat|evacuated|lost with"),
    "withdrawn": re.compile(r"ithdraw"),
    "recombined": re.compile(r"ecombine|reman|relieve"),
}
"""How the log says that a piece is no longer there."""
SIZES = {"squad": 2, "half_squad": 1, "crew": 1}
"""HS-equivalents."""
MAY_CHANGE = {
    "date": ("9.612",),
    "occupants": ("9.603",),
    "control": ("scenario", "9.601", "9.603", "9.605", "9.607", "9.609"),
    "gliders": ("scenario", "9.609"),
    "ww_box": ("scenario", "9.610"),
    "massacre": ("scenario",),
    "moved_first": ("scenario",),
    "groups": ("9.5", "9.617", "9.618"),
    "bought": ("scenario", "9.619", "9.620"),  # a hex that was left for later (9.62022)
    "cpp": ("9.5", "9.616", "9.617"),
    "fpp": ("9.5", "9.615", "9.617", "9.619"),
    "san": ("9.5", "9.612", "9.619", "9.620"),
    "ended": ("scenario", "9.603"),
    "house_rules": (),
    "balance": (),
    "campaign": (),
}
"""In which steps a fact of the campaign may change."""


# -- one state ---------------------------------------------------------------------------


def wrong_in_books(state: Campaign) -> Iterator[str]:
    """What does not add up in ``state``: pieces, who has what, CPP, FPP."""
    if not accounts_balance(state):
        yield f"pieces received {state.received_count} are not those held or gone"
    yield from _wrong_pieces(state)
    for gone in state.gone:
        yield from _wrong_end(gone)
    yield from _wrong_cpp(state)
    for account in state.accounts:
        for side in Side:
            yield from _wrong_fpp(state, account, side)


def _wrong_pieces(state: Campaign) -> Iterator[str]:
    pieces = {piece.id: piece for piece in state.pieces}
    ids = Counter([*(each.id for each in state.pieces), *(each.piece.id for each in state.gone)])
    for id, count in ids.items():
        if count > 1:
            yield f"the id {id} is used {count} times"
    holders: dict[str, str] = {}
    for piece in state.pieces:
        for held in (*piece.possesses, *piece.tows):
            if held not in pieces:
                yield f"{piece.id} has {held}, which is not there"
                continue
            if pieces[held].side is not piece.side:
                yield f"{piece.id} has {held} of the other side"
            if not pieces[held].is_weapon:
                yield f"{piece.id} has {held}, which is not an Equipment"
            if held in holders:
                yield f"{held} is had by {holders[held]} and {piece.id}"
            holders[held] = piece.id
        if piece.possesses and piece.is_prisoner:
            yield f"the prisoner {piece.id} possesses {', '.join(piece.possesses)}"
        if piece.aboard and piece.aboard not in pieces:
            yield f"{piece.id} is aboard {piece.aboard}, which is not there"
        elif piece.aboard and pieces[piece.aboard].side is not piece.side:
            yield f"{piece.id} is aboard {piece.aboard} of the other side"
        yield from _wrong_prisoner(piece, pieces)
        if piece.captured and not (piece.is_weapon or piece.is_vehicle):
            yield f"{piece.id} is captured, but no Equipment"
        if state.type_of(piece) is None and piece.kind not in ("glider", "fortification"):
            yield f"{piece.id} is a {piece.type}, which is not a type"


def _wrong_prisoner(piece: Piece, pieces: dict[str, Piece]) -> Iterator[str]:
    if piece.is_prisoner != bool(piece.guarded_by):
        yield f"{piece.id} is the prisoner of {piece.guarded_by or 'nobody'}"
    if not piece.guarded_by:
        return
    guard = pieces.get(piece.guarded_by)
    if guard is None:
        yield f"{piece.id} is guarded by {piece.guarded_by}, which is not there"
    elif guard.side is piece.side or guard.is_prisoner:
        yield f"{piece.id} is guarded by {guard.id}, who cannot"


def _wrong_end(gone: Gone) -> Iterator[str]:
    """Whether it says how and why a piece left the OB, in a step of the RePh."""
    id = gone.piece.id
    if gone.how not in WAYS_TO_GO:
        yield f"{id} is gone, {gone.how!r}: no way to go"
    elif not gone.step.startswith(WAYS_TO_GO[gone.how]):
        yield f"{id} is {gone.how} in {gone.step}"
    if not gone.why:
        yield f"{id} is {gone.how} in {gone.step}: why?"
    steps = ("scenario", *(chart.step for chart in PEGASUS_BRIDGE.frame.steps))
    if not gone.step.startswith(steps):
        yield f"{id} is {gone.how} in {gone.step!r}: no step"


def _wrong_cpp(state: Campaign) -> Iterator[str]:
    """CPP at the start and replenished, less what RG cost, are those left. Rule: 9.616, 9.617."""
    received = PEGASUS_BRIDGE.charts.initial[state.campaign].cpp if state.accounts else 0
    charts = PEGASUS_BRIDGE.charts.groups.groups
    for group in state.groups:
        price = 0 if group.given else charts[group.id].cost
        if group.cost != price:
            yield f"{group.key} cost {group.cost} CPP, not {price}"
    for account in state.accounts:
        if account.cpp_base not in (0, PEGASUS_BRIDGE.frame.cpp_base.get(account.date, 0)):
            yield f"{account.date}: a CPP base of {account.cpp_base}"
        received += account.cpp_base + account.cpp_loss_points
        paid = sum(
            group.cost + group.entry_cost for group in state.groups if group.date is account.date
        ) + sum(group.paid_again.get(account.date, 0) for group in state.groups)
        closed = account.date is not state.date or account.cpp_spent
        if closed and account.cpp_spent != paid:
            yield f"{account.date}: {account.cpp_spent} CPP spent, but RG cost {paid}"
        settled = account.cpp_available or account.cpp_spent or account.cpp_left
        if settled and account.cpp_available - account.cpp_spent != account.cpp_left:
            yield f"{account.date}: the CPP account does not add up"
    spent = sum(
        group.cost + group.entry_cost + sum(group.paid_again.values()) for group in state.groups
    )
    if state.cpp != received - spent or state.cpp < 0:
        yield f"{state.cpp} CPP, but {received} received and {spent} spent"


def _wrong_fpp(state: Campaign, account: DateAccount, side: Side) -> Iterator[str]:
    """FPP spent are those that Fortifications cost, at most those received. Rule: 9.619."""
    bought = [each for each in state.bought if (each.date, each.side) == (account.date, side)]
    cost = sum(each.cost for each in bought)
    if account.fpp_spent.get(side, 0.0 if account.date is not state.date else cost) != cost:
        yield f"{account.date}: {side} spent {account.fpp_spent.get(side)} FPP, things cost {cost}"
    charts = PEGASUS_BRIDGE.charts.groups.groups
    by_rg = sum(
        charts[group.id].fpp
        for group in state.groups
        if group.date is account.date and side is Side.GERMAN
    )
    received = account.fpp_received.get(side, 0.0) + by_rg
    if cost > received:
        yield f"{account.date}: {side} spent {cost} FPP of {received}"
    if side in account.fpp_spent:
        left = state.fpp.get(side, 0.0) if account.date is state.date else 0.0
        if left:
            yield f"{side} still has {left} FPP: what is not spent is lost"
    elif account.date is state.date and state.fpp.get(side, 0.0) != received:
        yield f"{side} has {state.fpp.get(side, 0.0)} FPP of {received} received"
    for each in bought:
        chart = PEGASUS_BRIDGE.charts.fortifications.kinds.get(each.kind)
        if chart is None:
            yield f"{each.key} is a {each.kind}, which cannot be bought"
        elif each.cost != chart.cost * (each.factors or 1) and not chart.hip:
            yield f"{each.key} cost {each.cost} FPP"


# -- one step ----------------------------------------------------------------------------


class StepBooks:
    """What one step did to the pieces of both sides, from the states before and after it.

    ``entries`` are the journal's answers and rolls of the step, ``lines`` its log.
    """

    def __init__(
        self, before: Campaign, after: Campaign, entries: Sequence[Entry], lines: Sequence[LogLine]
    ) -> None:
        self.before, self.after = before, after
        self.step = before.at
        self.old = {piece.id: piece for piece in before.pieces}
        self.now = {piece.id: piece for piece in after.pieces}
        self.left = after.gone[len(before.gone) :]
        self.ended = {each.piece.id: each.piece for each in self.left}
        self.new = {
            id: piece for id, piece in (self.ended | self.now).items() if id not in self.old
        }
        self.entries, self.lines = entries, lines
        self.texts = [line.text for line in lines]
        self.documents = [
            entry.body
            for entry in entries
            if entry.point in ("0.2", "0.2.0") and isinstance(entry.body, dict)
        ]

    def wrong(self) -> Iterator[str]:
        """What does not add up."""
        yield from self._wrong_facts()
        yield from self._wrong_gone()
        yield from self._wrong_received()
        yield from self._wrong_types()
        yield from self._wrong_sides()
        yield from self._wrong_totals()
        if check := _LEAVES.get(self.step):
            yield from check(self)

    def _wrong_facts(self) -> Iterator[str]:
        for name, steps in MAY_CHANGE.items():
            if self.step not in steps and getattr(self.before, name) != getattr(self.after, name):
                yield f"{name} changed in {self.step}"

    def _names(self, id: str, *words: str) -> list[str]:
        """The lines of the step that name a piece, and all ``words`` with it."""
        return [
            text
            for text in self.texts
            if stands_in(short_name(id), text) and all(word in text for word in words)
        ]

    def _wrong_gone(self) -> Iterator[str]:
        """Who is there no more is gone since this step, and the log names him."""
        if self.after.gone[: len(self.before.gone)] != self.before.gone:
            yield "what was gone has changed"
        for id in self.old.keys() - self.now.keys() - self.ended.keys():
            yield f"{id} is lost without a trace"
        for each in self.left:
            if each.date is not self.before.date or not each.step.startswith(self._due(each)):
                yield f"{each.piece.id} is gone in {each.date} {each.step}"
            if not self._names_end(each):
                yield f"{each.piece.id} is {each.how} ({each.why}), but nobody is told"

    def _due(self, gone: Gone) -> str:
        """The paragraph by which who is gone in this step goes: mostly one of the step itself.

        House rule C-36 has a withdrawal before 9.604; leaders off map are rolled for in 9.611.
        """
        if (
            gone.how == "withdrawn"
            and self.step == "9.604"
            and self.before.plays("C-36", "at-once")
        ):
            return "9.6153"
        if self.step == "9.611" and gone.piece.kind == "leader" and gone.piece.off_map:
            return "9.6101"
        return self.step

    def _names_end(self, gone: Gone) -> bool:
        """Whether the log names a piece that is gone; a Fortification goes by kind and place."""
        piece = gone.piece
        if piece.kind == "fortification":
            kind = piece.type.split()[-1].lower()
            return any(kind in text.lower() and piece.at in text for text in self.texts)
        told = re.compile("Wreck|liminat") if piece.is_vehicle else TOLD.get(gone.how)
        return told is None or any(told.search(text) for text in self._names(piece.id))

    def _wrong_received(self) -> Iterator[str]:
        """Who is new stands in the end position, on the charts, or is named in the log."""
        if self.step == "9.5":
            yield from self._not_as_listed(self._orders_of_battle())
        elif self.step == "9.615":
            yield from self._not_as_listed(self._british_reinforcements())
        elif self.step == "9.618":
            yield from self._not_as_listed(self._groups())
        else:
            for id in self.new:
                if id not in self._listed() and not self._names(id):
                    yield f"{id} is new, but nobody is told"

    def _not_as_listed(self, listed: Counter[tuple[Side, str]]) -> Iterator[str]:
        received = Counter((piece.side, piece.type) for piece in self.new.values())
        for key in listed.keys() | received.keys():
            if listed[key] != received[key]:
                yield f"{received[key]} {key[1]} received, {listed[key]} listed ({self.step})"

    def _listed(self) -> dict[str, str]:
        """The pieces of the end position, id to type."""
        return {
            each["id"]: each["type"]
            for document in self.documents  # the common one, then with what each side hides
            for name in ("units", "equipment", "vehicles")
            for each in document.get(name, ())
        }

    def _orders_of_battle(self) -> Counter[tuple[Side, str]]:
        found: Counter[tuple[Side, str]] = Counter()
        for group in PEGASUS_BRIDGE.charts.initial[self.after.campaign].groups:
            for listed in (group.units, group.captured, group.fortifications):
                for type, count in listed.items():
                    found[group.side, type] += count
        return found

    def _british_reinforcements(self) -> Counter[tuple[Side, str]]:
        chart = PEGASUS_BRIDGE.charts.reinforcements.dates.get(self.before.date)
        units = chart.units if chart and self.after.account.reinforcements else {}
        return Counter({(Side.BRITISH, type): count for type, count in units.items()})

    def _groups(self) -> Counter[tuple[Side, str]]:
        """What the RG settled in this step bring by the charts. Rule: 9.6181-9.6183."""
        found: Counter[tuple[Side, str]] = Counter()
        settled = {group.key for group in self.before.groups if group.settled}
        for group in self.after.groups:
            if group.key in settled or not group.settled:
                continue
            for full, depleted, type in PEGASUS_BRIDGE.charts.groups.groups[group.id].units:
                found[Side.GERMAN, type] += full if group.strength == "full" else depleted or 0
            for type, count in group.sw.items():
                found[Side.GERMAN, type] += count
            chart = PEGASUS_BRIDGE.charts.groups.leaders.get(group.id)
            armor = " Armor Leader" if chart and chart.table == "leader.armor" else ""
            for type in group.leaders:
                found[Side.GERMAN, type + armor] += 1
        return found

    # -- types, sides, totals ------------------------------------------------------------

    def _changes(self) -> Iterator[tuple[Piece, Piece]]:
        """Every piece that was there before, as it was and as it is or left."""
        for id, was in self.old.items():
            now = self.now.get(id) or self.ended.get(id)
            if now is not None:
                yield was, now

    def _wrong_types(self) -> Iterator[str]:
        """A piece turns into another type by the catalogue only, and the log or position says so.

        The halves of a squad that Deploys and the HS of one that Recombines come in pairs.
        """
        for was, now in self._changes():
            if was.type == now.type:
                continue
            words = f"{was.id} was a {was.type} and is a {now.type}"
            if now.type not in self._may_become(was):
                yield f"{words}: the catalogue knows no such change"
            if now.type != self._listed().get(was.id) and not self._names(was.id, now.type):
                yield f"{words}, but nobody is told"
            grew = SIZES.get(now.kind, 0) - SIZES.get(was.kind, 0)
            partners = [
                each
                for each in self.left
                if each.how == "recombined" and each.why == f"with {was.id}"
            ]
            if grew > 0 and [each.piece.kind for each in partners] != ["half_squad"]:
                yield f"{words}: with whom did it Recombine?"

    def _may_become(self, piece: Piece) -> set[str]:
        """The types a piece can be at the end of the step, by the catalogue."""
        if piece.kind not in (*MMC, "leader", "hero"):
            return set()
        catalogue = self.after.catalogue
        found: set[str] = set()
        waiting = [piece.type]
        while waiting:
            known = catalogue.find(waiting.pop(), piece.side)
            if not isinstance(known, InfantryType):
                continue
            rearmed = rearmed_type(self.after, retype(catalogue, piece, known.name))
            near = {known.half_squad, known.replaced_by, known.hardens_to, rearmed}
            if self.step == "9.611":
                squad = catalogue.squad_of(known.name, piece.side)
                near.add(squad.name if squad else "")
            waiting += near - found - {""}
            found |= near
        return found

    def _wrong_sides(self) -> Iterator[str]:
        """Equipment that changes hands becomes captured or is won back, and is named."""
        for was, now in self._changes():
            if was.side is now.side:
                continue
            if was.captured is now.captured or not (was.is_weapon or was.is_vehicle):
                yield f"{was.id} changed sides, but is {now.status}"
            told = [*self._names(was.id, "aptured"), *self._names(was.id, "won back")]
            told += self._names(was.id, "possesses")  # by a prisoner who is Rearmed
            if was.id not in self._listed() and not told:
                yield f"{was.id} changed sides, but nobody is told"

    def _wrong_totals(self) -> Iterator[str]:
        """At the start + received - gone +- captured +- converted = now, side by side and type by
        type; the count of pieces received and the HS-equivalents too.
        """
        book = Counter((piece.side, piece.type) for piece in self.old.values())
        received = Counter(piece.side for piece in self.new.values())
        for piece in self.new.values():
            book[piece.side, piece.type] += 1
        for was, now in self._changes():
            book[was.side, was.type] -= 1
            book[now.side, now.type] += 1
            if was.side is not now.side:
                received[now.side] += 1
                received[was.side] -= 1
        for piece in self.ended.values():
            book[piece.side, piece.type] -= 1
        there = Counter((piece.side, piece.type) for piece in self.now.values())
        for key in book.keys() | there.keys():
            if book[key] != there[key]:
                yield f"{there[key]} {key[0]} {key[1]}, but {book[key]} by the book"
        for side in Side:
            before = self.before.received_count.get(side, 0)
            if self.after.received_count.get(side, 0) != before + received[side]:
                yield f"{side} received {received[side]} pieces, counted otherwise"
            yield from self._wrong_men(side)

    def _wrong_men(self, side: Side) -> Iterator[str]:
        """HS-equivalents: start + received - gone - reduced = now, the reduced as the log has them.

        What the position shows of the scenario counts as reduced there.
        """
        halved = [
            was
            for was, now in self._changes()
            if was.side is side and was.kind == "squad" and now.kind == "half_squad"
        ]
        deployments = [texts for texts in map(self._deployment, halved) if texts]
        deploys, reduced = len(deployments), len(halved) - len(deployments)
        recombined = sum(each.how == "recombined" for each in self.left if each.piece.side is side)
        if self.step not in ("9.5", "9.615", "9.618", "scenario"):
            halves = [
                piece
                for piece in self.new.values()
                if piece.side is side and piece.kind == "half_squad"
            ]
            told = sum(
                any(
                    stands_in(short_name(piece.id), text) for texts in deployments for text in texts
                )
                for piece in halves
            )
            if told != deploys:
                yield f"{side}: {deploys} squads Deployed, {told} HS came of it"
        for was, now in self._changes():
            lost = was.side is side and was.kind == "squad" and now.kind == "half_squad"
            if not lost or self._deployment(was) or was.id in self._listed():
                continue
            if not any("educ" in text or "Replac" in text for text in self._names(was.id)):
                yield f"{was.id} is an HS, but neither Deployed nor reduced"
        book = (
            _men(self.before.of(side))
            + _men(piece for piece in self.new.values() if piece.side is side)
            - _men(
                each.piece
                for each in self.left
                if each.piece.side is side and each.how != "recombined"
            )
            - deploys
            - reduced
            - sum(_crew(each) for each in self.left if each.piece.side is side)
        )
        if book != _men(self.after.of(side)):
            yield (
                f"{side}: {_men(self.after.of(side))} HS-equivalents, {book} by the book "
                f"({deploys} Deployed, {reduced} reduced, {recombined} Recombined)"
            )

    def _deployment(self, squad: Piece) -> list[str]:
        """The lines by which a squad Deploys; the enemy may have a piece of the same name."""
        return [
            text
            for text in self._names(squad.id)
            if (said := re.match(rf"(\S+) {re.escape(short_name(squad.id))} Deploys:", text))
            and self.after.catalogue.find(said[1], squad.side)
        ]


# -- What a step leaves ------------------------------------------------------------------


def _after_escape(books: StepBooks) -> Iterator[str]:
    """Who must go has gone, nobody is Encircled, and everybody is in an area there is."""
    areas = books.after.areas
    known = {each.id for side in Side for each in (*areas.areas[side], *areas.entry_areas[side])}
    for piece in who_escapes(books.after)[0]:
        yield f"{piece.id} must attempt Escape still"
    for piece in books.after.pieces:
        if piece.has("encircled"):
            yield f"{piece.id} is Encircled still"
        if piece.is_unit_or_equipment and piece.area not in known | {""}:
            yield f"{piece.id} is in {piece.area}, which is no area"
        for item in piece.possesses:
            weapon = books.now[item]
            if piece.area and weapon.kind != "gun" and weapon.area != piece.area:
                yield f"{item} is in {weapon.area}, its possessor in {piece.area}"


def _after_shift(books: StepBooks) -> Iterator[str]:
    """Nobody heard of it, Equipment is with its possessor, and who is off map is at its area."""
    if not all(line.secret and line.side for line in books.lines):
        yield "something of a Shift was told openly"
    for piece in books.after.pieces:
        for item in piece.possesses:
            if books.now[item].area != piece.area:
                yield f"{item} is in {books.now[item].area}, its possessor in {piece.area}"
        if piece.off_map and piece.area and piece.at != f"off-map {piece.area}":
            yield f"{piece.id} of {piece.area} is at {piece.at}"


def _after_reinforcements(books: StepBooks) -> Iterator[str]:
    """Nothing was rolled for, and every piece can set up or enter."""
    if any(entry.kind == "roll" for entry in books.entries):
        yield "a reinforcement was rolled for"
    for side in Side:
        ready = {each.piece.id for each in setups(books.after, side)}
        for piece in books.after.of(side):
            if piece.is_unit_or_equipment and not piece.is_prisoner and piece.id not in ready:
                yield f"{piece.id} has no place to begin"


_LEAVES = {"9.606": _after_escape, "9.613": _after_shift, "9.615": _after_reinforcements}


def _crew(gone: Gone) -> int:
    """What a crew that mans a vehicle again no longer is as a piece of its own."""
    return SIZES.get(gone.piece.kind, 0) if gone.why.startswith("Inherent crew") else 0


def _men(pieces: Iterable[Piece]) -> int:
    return sum(SIZES.get(piece.kind, 0) for piece in pieces)
