"""Readings of doubtful places that are no setting: ``data/megagame/rulings.yaml``."""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.readings import Reading
from asl_pbcg.kernel.typed_data import data_file

READINGS: Final = data_file("megagame/rulings.yaml", tuple[Reading, ...])
