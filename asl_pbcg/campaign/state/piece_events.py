"""Events of pieces: what happened to which, each with the pieces as they were and as they are."""

from __future__ import annotations

from collections.abc import Mapping

from asl_pbcg.campaign.state.campaign_events import PieceEvent
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side

# -- MMC ----------------------------------------------------------------------------------------


class Deployed(PieceEvent, frozen=True, kw_only=True):
    """A squad became two HS: the first keeps its id and possessions. Rule: A1.31."""

    BIRTH = "Deployed from"
    into: tuple[Piece, Piece]

    def sentence(self) -> str:
        """Return the sentence of the log."""
        first, second = map(name_piece, self.into)
        return f"{name_piece(self.piece)} Deploys: {first} and {second}."

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {self.into[1].id: self.piece.id}

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``."""
        names = " and ".join(map(name_piece, self.into))
        return f"Deployed into {names}" if id == self.piece.id else ""


class Replaced(PieceEvent, frozen=True, kw_only=True):
    """A unit was Replaced by one of lesser quality, or a squad by two HS. Rule: A19.13, 9.606."""

    BIRTH = "one of two HS that Replaced"
    by: tuple[Piece, ...]

    def sentence(self) -> str:
        """Return the sentence of the log."""
        if len(self.by) == 1:
            return f"{name_piece(self.piece)} is Replaced by {self.by[0].type}."
        halves = " and ".join(map(name_piece, self.by))
        return f"{name_piece(self.piece)} is Replaced by two HS of its class: {halves}."

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {piece.id: self.piece.id for piece in self.by[1:]}

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``."""
        if id != self.piece.id:
            return ""
        if len(self.by) == 1:
            return f"Replaced by {self.by[0].type}"
        return f"Replaced by two HS, {' and '.join(map(name_piece, self.by))}"


class Reduced(PieceEvent, frozen=True, kw_only=True):
    """A squad became an HS by Casualty Reduction. Rule: A7.302."""

    to: Piece
    where: str = ""

    def sentence(self) -> str:
        """Return the sentence of the log."""
        return f"{name_piece(self.piece)} is reduced to {self.to.type}{self.where}."

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``."""
        return f"reduced to {self.to.type}" if id == self.piece.id else ""


class Recombined(PieceEvent, frozen=True, kw_only=True):
    """Two HS became a squad: the first keeps its id. Rule: 9.6111, A1.32."""

    other: Piece
    squad: Piece
    where: str = ""
    walking_wounded: bool = False

    def sentence(self) -> str:
        """Return the sentence of the log."""
        hurt = "Walking Wounded " if self.walking_wounded else ""
        squad = f"{hurt}{name_piece(self.squad)}"
        halves = f"{name_piece(self.piece)} and {name_piece(self.other)}"
        return f"{self.where}: {halves} Recombine to {squad}."

    @property
    def went_into(self) -> Mapping[str, str]:
        """The piece that each removed piece became part of, by id."""
        return {self.other.id: self.piece.id}

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``."""
        partner = name_piece(self.other)
        return f"Recombined with {partner} to {self.squad.type}" if id == self.piece.id else ""


class BattleHardened(PieceEvent, frozen=True, kw_only=True):
    """A unit became the next better type, or Fanatic. Rule: A15.3, 9.6112, 9.6113."""

    to: str = ""
    fanatic: bool = False

    def sentence(self) -> str:
        """Return the sentence of the log."""
        name = name_piece(self.piece)
        if self.to:
            return f"{name} Battle Hardens to {self.to}."
        if self.fanatic:
            return f"{name} Battle Hardens: Fanatic in the next CG scenario."
        return f"{name} Battle Hardens without further effect."

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``."""
        return f"Battle Hardened to {self.to}" if id == self.piece.id and self.to else ""


# -- SMC ----------------------------------------------------------------------------------------


class Wounded(PieceEvent, frozen=True, kw_only=True):
    """An SMC was wounded. Rule: A17.11."""

    def sentence(self) -> str:
        """Return the sentence of the log."""
        return f"{name_piece(self.piece)} is wounded."


class HeroCreated(PieceEvent, frozen=True, kw_only=True):
    """A unit brought forth a Hero, or a leader became heroic (no ``hero``). Rule: A15.2."""

    BIRTH = "created by"
    hero: Piece | None = None

    def sentence(self) -> str:
        """Return the sentence of the log."""
        if self.hero is None:
            return f"{name_piece(self.piece)} becomes heroic."
        return f"{name_piece(self.piece)} brings forth a Hero: {name_piece(self.hero)}."

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {self.hero.id: self.piece.id} if self.hero else {}


class HeroicNoLonger(PieceEvent, frozen=True, kw_only=True):
    """A heroic leader is one no longer. Rule: 9.6113."""

    def sentence(self) -> str:
        """Return the sentence of the log."""
        return f"{name_piece(self.piece)} is heroic no longer."


class TriedToShift(PieceEvent, frozen=True, kw_only=True):
    """A unit made its one Shift attempt of the CG Date. Rule: 9.613."""


# -- All pieces ---------------------------------------------------------------------------------


class Eliminated(PieceEvent, frozen=True, kw_only=True):
    """A piece was Eliminated. ``how`` follows in the sentence; None: another note names it."""

    how: str | None = ""

    def sentence(self) -> str:
        """Return the sentence of the log."""
        return "" if self.how is None else f"{name_piece(self.piece)} is Eliminated{self.how}."


class Retained(PieceEvent, frozen=True, kw_only=True):
    """A unit was Retained in another area: it Escaped or Shifted. Rule: 9.6061, 9.613."""


class FortificationLost(Eliminated, frozen=True, kw_only=True):
    """A Fortification of the OB is gone from the map. Rule: 9.2 Eliminated."""

    how: str | None = None


class HeroGaveWay(Eliminated, frozen=True, kw_only=True):
    """A Hero was Eliminated and the unit ``hardens`` Battle Hardens for it. Rule: 9.6112."""

    hardens: str

    @property
    def went_into(self) -> Mapping[str, str]:
        """The piece that each removed piece became part of, by id."""
        return {self.piece.id: self.hardens}


class GivenFreedom(PieceEvent, frozen=True, kw_only=True):
    """A German unit has Freedom of Movement; its No Move counter is removed. Rule: 9.6058, CG4."""


class Received(PieceEvent, frozen=True, kw_only=True):
    """A piece came to its side: Initial OB, RG, reinforcements, Walking Wounded. Rule: 9.2 OB."""


class PlacedByNote(PieceEvent, frozen=True, kw_only=True):
    """A reinforcement was put where the notes of 9.6152 let it begin, or where its RG enters."""


class Withdrawn(PieceEvent, frozen=True, kw_only=True):
    """A unit was withdrawn after Day II. Rule: 9.6153."""


class SetUp(PieceEvent, frozen=True, kw_only=True):
    """A piece stands where its side set it up. Rule: 9.62022."""


class ShortOfAmmunition(PieceEvent, frozen=True, kw_only=True):
    """Whether a piece has Ammunition Shortage changed: it set up Isolated. Rule: 9.62021."""


class Hidden(PieceEvent, frozen=True, kw_only=True):
    """A piece was bought HIP. Rule: 9.619 note b."""


class LeaderCreated(PieceEvent, frozen=True, kw_only=True):
    """A leader was created in CC by ``piece``. Rule: A18.12."""

    BIRTH = "created by"
    leader: Piece

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {self.leader.id: self.piece.id}


class Dropped(PieceEvent, frozen=True, kw_only=True):
    """Equipment was left behind unpossessed. Rule: 9.6061."""


# -- Equipment ----------------------------------------------------------------------------------


class Captured(PieceEvent, frozen=True, kw_only=True):
    """Equipment was captured by ``by``, or won back. Rule: 9.6071."""

    by: Side
    area: str
    back: bool = False

    def sentence(self) -> str:
        """Return the sentence of the log."""
        how = "won back" if self.back else "Captured"
        place = f"{self.by.title} Setup Area {self.area}"
        return f"{name_piece(self.piece)} in {self.piece.at} is {how} and Retained in {place}."


class Repaired(PieceEvent, frozen=True, kw_only=True):
    """A Weapon, or ``what`` of a vehicle, was repaired. Rule: 9.614."""

    what: str = ""


class Replenished(PieceEvent, frozen=True, kw_only=True):
    """Special ammunition (``what``) was restored, or Low Ammo removed. Rule: 9.61424, 9.61425."""

    what: str = ""


class Immobilized(PieceEvent, frozen=True, kw_only=True):
    """A vehicle is Immobilized. Rule: 9.6042, 9.6043, A11.51."""


class Recovered(PieceEvent, frozen=True, kw_only=True):
    """A stunned vehicle recovered, or a broken unit rallied. Rule: 9.603, 9.6141d."""


class Equipped(PieceEvent, frozen=True, kw_only=True):
    """Whether a tank has its Optional AAMG was settled. Rule: CG7, H1.41."""


class Manned(PieceEvent, frozen=True, kw_only=True):
    """A unit became the crew of an Abandoned vehicle. Rule: 9.6141a, D5.42."""

    crew: Piece

    @property
    def went_into(self) -> Mapping[str, str]:
        """The piece that each removed piece became part of, by id."""
        return {self.crew.id: self.piece.id}


class Wrecked(Eliminated, frozen=True, kw_only=True):
    """A vehicle was turned into a Wreck and is Eliminated. Rule: CG14, 9.61423."""

    how: str | None = None


class Transferred(PieceEvent, frozen=True, kw_only=True):
    """Equipment went to another unit, was dropped or was dismantled. Rule: 9.606, 9.613."""


class Recalled(PieceEvent, frozen=True, kw_only=True):
    """A vehicle is under Recall. Rule: 9.6142, D5.341."""

    def sentence(self) -> str:
        """Return the sentence of the log."""
        return f"{name_piece(self.piece)} is Recalled at once."


class Disabled(PieceEvent, frozen=True, kw_only=True):
    """A vehicular Weapon was disabled. Rule: 9.6142, 9.61422."""

    what: str

    def sentence(self) -> str:
        """Return the sentence of the log."""
        return f"The {self.what} of {name_piece(self.piece)} is disabled."


class Scrounged(PieceEvent, frozen=True, kw_only=True):
    """A Weapon was Scrounged or Removed from a vehicle. Rule: D10.5, 9.61423."""

    BIRTH = "taken out of"
    weapons: tuple[Piece, ...]

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {weapon.id: self.piece.id for weapon in self.weapons}


class Abandoned(PieceEvent, frozen=True, kw_only=True):
    """A vehicle was Abandoned; ``crew`` is the unit its crew became. Rule: 9.61423, D5.4."""

    BIRTH = "left"
    crew: Piece | None = None

    @property
    def came_from(self) -> Mapping[str, str]:
        """The piece that each new piece came out of, by id."""
        return {self.crew.id: self.piece.id} if self.crew else {}


# -- Prisoners ------------------------------------------------------------------------------------


class TakenPrisoner(PieceEvent, frozen=True, kw_only=True):
    """A unit was captured; ``guarded_by`` names its Guard. Rule: A20.5, 9.6071."""


class Cleared(PieceEvent, frozen=True, kw_only=True):
    """A marker was removed from each of the pieces changed. Rule: 9.602, 9.6062."""


class Freed(PieceEvent, frozen=True, kw_only=True):
    """A prisoner is none any longer, Rearmed if an MMC. Rule: 9.608, A20.551."""

    to: str

    def sentence(self) -> str:
        """Return the sentence of the log."""
        became = "" if self.to == self.piece.type else f", now {self.to}"
        return f"{name_piece(self.piece)} is a prisoner no longer{became}."

    def clause(self, id: str) -> str:
        """Return the clause for the service record of the piece ``id``."""
        changed = id == self.piece.id and self.to != self.piece.type
        return f"Replaced by {self.to}" if changed else ""


class GuardChanged(PieceEvent, frozen=True, kw_only=True):
    """Another unit guards a prisoner. Rule: A20.5, A20.551."""


# -- The end position ---------------------------------------------------------------------------


class EndedAt(PieceEvent, frozen=True, kw_only=True):
    """A piece ended the CG scenario elsewhere or with other status or possessions. Rule: 9.2."""


class CameInPlay(PieceEvent, frozen=True, kw_only=True):
    """A piece is new on the map at CG-Scenario End and came out of no known one. Rule: 9.2 OB."""


class TakenFromPaper(PieceEvent, frozen=True, kw_only=True):
    """A piece is on record from the first end position of a campaign begun on paper.

    How and when its side came by it is not kept.
    """

    BIRTH = "taken over from paper"


class Corrected(PieceEvent, frozen=True, kw_only=True):
    """Players corrected what the file has of a piece, or brought one; the log's line tells it."""


class CapturedInPlay(PieceEvent, frozen=True, kw_only=True):
    """Equipment changed hands, or a unit was taken prisoner, in the CG scenario."""
