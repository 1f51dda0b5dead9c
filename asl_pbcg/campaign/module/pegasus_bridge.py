"""Pegasus Bridge: the module that is shipped. One object, and every number in ``data/pb/``."""

from __future__ import annotations

from typing import Final

from asl_pbcg.campaign.module.campaign_module import Module
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.terms import CGDate, Side

_STEPS: Final = {
    "9.5": "s950_initial:orders_of_battle",
    "9.13": "s913_paper:starting_records",
    SCENARIO: "s600_scenario_end:scenario_end",
    "9.601": "s601_melee:conclusion_of_melee",
    "9.602": "s602_markers:marker_removal",
    "9.603": "s603_rally:rally_and_unloading",
    "9.604": "s604_encirclement:encirclement_minefields_bog_shock",
    "9.605": "s605_areas:setup_area_determination",
    "9.606": "s606_escape:escape",
    "9.607": "s607_possession:possession",
    "9.608": "s608_prisoners:prisoners",
    "9.609": "s609_fires:extinguishing_flames_and_blazes",
    "9.610": "s610_wounded:wounded_leaders_and_walking_wounded",
    "9.611": "s611_recombining:recombining_and_battle_hardening",
    "9.612": "s612_new_date:new_date_and_san",
    "9.613": "s613_shift:shift",
    "9.614": "s614_repair:repair_and_replenishment",
    "9.615": "s615_reinforcements:obg_reinforcements",
    "9.616": "s616_cpp:cpp_replenishment",
    "9.617": "s617_purchase:purchase",
    "9.618": "s618_strength:strength_weapons_leaders",
    "9.619": "s619_fortifications:purchase_fortifications",
    "9.620": "s620_commencement:commencement",
}

PEGASUS_BRIDGE: Final = Module(
    name="pegasus-bridge",
    title="Pegasus Bridge",
    folder="pb",
    campaigns=("CG1", "CG2"),
    sides=(Side.BRITISH, Side.GERMAN),
    dates=tuple(CGDate),
    initial="9.5",
    scenario=SCENARIO,
    from_paper="9.13",
    procedures={step: f"asl_pbcg.refit.{place}" for step, place in _STEPS.items()},
    sheets=(
        *("summary", "roster", "purchases", "forces", "setup", "map"),
        *("campaign", "service", "card", "report"),
    ),
)
