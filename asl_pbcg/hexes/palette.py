"""The colours of the ground and of ink, so that every map of the house looks alike."""

from __future__ import annotations

from typing import Final

INK: Final = "#26241f"
SOFT: Final = "#55514a"
"""Ink for what is said in passing."""
RED: Final = "#b2182b"
BLUE: Final = "#1f5fa8"
GREEN: Final = "#2f5d3a"

PAPER: Final = "#f1f0df"
LEVELS: Final = {1: "#e6dcbb", 2: "#d8c596"}
CREST: Final = "#a8885a"
LOW: Final = "#dfe8d3"
WATER: Final = "#aacde4"
BANK: Final = "#3f7ca8"
TREE: Final = "#8fb174"
BARK: Final = "#4f7338"
GRAIN: Final = "#dfe0a4"
STRAW: Final = "#8d8a3c"
MARSH: Final = "#d3e6dd"
SWAMP: Final = "#bcd2b6"
REED: Final = "#3f7f77"
EARTH: Final = "#8a6a3c"
