"""Events of the campaign as a whole: Control, the ground, points, purchases, the CG Date."""

from __future__ import annotations

from asl_pbcg.campaign.events import CampaignEvent
from asl_pbcg.campaign.terms import Side


class ControlGained(CampaignEvent, frozen=True, kw_only=True):
    """A side gained Control of a Location, or nobody Controls it any longer. Rule: A26.11."""

    place: str
    by: Side | None


class BuildingControlled(CampaignEvent, frozen=True, kw_only=True):
    """A side was found to Control the building that moves a SAN. Rule: CG13."""


class GroundChanged(CampaignEvent, frozen=True, kw_only=True):
    """A fire, Rubble, a Wreck or a Shellhole came, changed or went. Rule: CG14, 9.609."""


class FortificationsChanged(CampaignEvent, frozen=True, kw_only=True):
    """Fortifications, minefields or Dummy counters came, changed or went. Rule: CG14, 9.602."""


class ChangedInPlay(CampaignEvent, frozen=True, kw_only=True):
    """Control, the ground and the points are what the end position says. Rule: 9.2, 9.12."""


class PointsReceived(CampaignEvent, frozen=True, kw_only=True):
    """The British received FPP as the chart says, which both sides know. Rule: 9.6152."""


class Paid(CampaignEvent, frozen=True, kw_only=True):
    """A side received or spent CPP or FPP. Rule: 9.615-9.619."""

    by: Side

    @property
    def owner(self) -> str:
        """The side that alone knows of it in a step that is secret."""
        return self.by.value


class GroupPurchased(Paid, frozen=True, kw_only=True):
    """An RG was purchased, or paid for again. Rule: 9.617."""

    group: str


class GroupReceived(Paid, frozen=True, kw_only=True):
    """The Strength, SW and leaders of an RG are determined. Rule: 9.618."""

    group: str


class FortificationBought(Paid, frozen=True, kw_only=True):
    """A Fortification was bought with FPP, or placed. Rule: 9.619, 9.62022."""


class SANChanged(CampaignEvent, frozen=True, kw_only=True):
    """The SAN of a side changed. Rule: 9.6122, CG13."""


class WalkingWoundedBox(CampaignEvent, frozen=True, kw_only=True):
    """Units came into the Walking Wounded box or left it. Rule: CG17, 9.6102."""


class CVPLost(CampaignEvent, frozen=True, kw_only=True):
    """The Casualty VP that a side lost in the CG scenario changed. Rule: 9.12."""


class DateBegun(CampaignEvent, frozen=True, kw_only=True):
    """A new CG Date began. Rule: 9.6121."""


class CampaignBegun(CampaignEvent, frozen=True, kw_only=True):
    """SAN, CPP, FPP and ground with which a campaign begins, or goes on from paper. Rule: 9.5."""


class CampaignEnded(CampaignEvent, frozen=True, kw_only=True):
    """CG End has come. Rule: 9.2 CG End."""


class FirstMover(CampaignEvent, frozen=True, kw_only=True):
    """The side that moved first in the CG scenario is on record. Rule: 9.62023."""


class MassacreCommitted(CampaignEvent, frozen=True, kw_only=True):
    """A Massacre is on record for the rest of the CG. Rule: CG3."""
