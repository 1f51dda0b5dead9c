"""Look for the best trick against the resolute German, then try it on fresh games.

Run: ``nice python benchmarks/resolute_st.py --write`` (some twenty minutes on one core). The
tricks (``tests/support/st_tricks.py``) are the good player with one idea instead for some turns:
posts in bunkers or by the bridges, hiding, running, standing still. A search finds the best ones
on training games by itself; they, and the tricks that people thought of, are then played on fresh
games beside the good player, game n with the same dice for all. ``--tricks FILE`` keeps what was
found and adds it to what is tried: so the same tricks can be compared before and after a change.
Goals: the good player wins 45% to 60%, and no trick gains more than 2 VP or 3% of the games.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from st_tricks import TRICKS, Trick, search, table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "engineers" / "st-study.md"
MARK, END = "<!-- tricks -->\n", "<!-- end of tricks -->\n"


def main() -> None:
    """Search, try and report; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", type=int, default=96, help="games of the search, at most")
    parser.add_argument("--width", type=int, default=60, help="tricks of its first round")
    parser.add_argument("--best", type=int, default=3, help="tricks of the search that are tried")
    parser.add_argument("--fresh", type=int, default=300, help="games on which they are tried")
    parser.add_argument("--seed", default="1", help="another search, other fresh games")
    parser.add_argument("--tricks", type=Path, help="keep the best here, and try what is there")
    parser.add_argument("--named", action="store_true", help="try those of people too")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    given = parser.parse_args()
    tried = dict(TRICKS) if given.named else {"two bunkers": TRICKS["two bunkers"]}
    if given.tricks and given.tricks.exists():
        kept = msgspec.json.decode(given.tricks.read_bytes(), type=list[Trick])
        tried |= {str(trick): trick for trick in kept}
    if given.training:
        seeds = [f"training {given.seed}/{number}" for number in range(given.training)]
        best = search(seeds, random.Random(f"tricks/{given.seed}"), given.width, print_line)
        tried = {str(trick): trick for trick, _ in best[: given.best]} | tried
    if given.tricks:
        found = [trick for name, trick in tried.items() if name not in TRICKS]
        given.tricks.write_bytes(msgspec.json.encode(found))
    seeds = [f"fresh {given.seed}/{number}" for number in range(given.fresh)]
    lines, met = table(tried, seeds) if given.fresh else ([], True)
    text = "\n".join(lines)
    print(text)
    if given.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARK)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{MARK}\n{text}\n\n{END}{after}", encoding="utf-8")
    sys.exit(not met)


def print_line(words: str) -> None:
    """Print what the search reports at once."""
    print(words, flush=True)


if __name__ == "__main__":
    main()
