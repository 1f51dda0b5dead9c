"""Readings of doubtful points that are no setting: ``data/airborne/rulings.yaml``."""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.readings import Reading
from asl_pbcg.kernel.typed_data import data_file

READINGS: Final = data_file("airborne/rulings.yaml", tuple[Reading, ...])
