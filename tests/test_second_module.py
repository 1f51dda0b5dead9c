"""A second historical module: a made-up one goes through new, a RePh and its records."""

from __future__ import annotations

from second_module.ford import EVE, FORD, UPLAND

from asl_pbcg.campaign.module import register

register(FORD)
print(UPLAND.other, EVE.next)
