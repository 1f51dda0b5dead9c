"""Simulated games as a table to compute with; there may be a million, so each takes little room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.st.many.sim import WORDS, Results
from asl_pbcg.st.rules.scoring import victory_chart

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
else:
    np = lazy_import("numpy")
    pd = lazy_import("pandas")


def table(results: Results) -> pd.DataFrame:
    """Each game that is done, in order: its number and what is kept of it, as ``rows`` has it.

    Levels and words are categories.
    """

    wide = len(results.columns)
    values = np.frombuffer(results.stored, dtype=np.int16).reshape(-1, wide)
    numbers = np.asarray(results.numbers(), dtype=np.int32)
    done = values[numbers - 1]
    found = pd.DataFrame({"game": numbers})
    for at, name in enumerate(results.columns):
        column = done[:, at]
        if name == "level":
            found[name] = pd.Categorical.from_codes(column, pd.Index(victory_chart().levels))
        elif name in WORDS:
            letters = sorted(set(column.tolist()))
            words = [chr(each) if each else "" for each in letters]
            found[name] = pd.Categorical.from_codes(
                np.searchsorted(letters, column), pd.Index(words)
            )
        else:
            found[name] = column
    return found
