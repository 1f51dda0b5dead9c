# ruff: noqa: E402
"""A hundred kinds of forgery, and which command tells each.

``python tests/support/journal_forgeries.py`` writes ``docs/engineers/journal-forgeries.md``. The
true files are the golden campaign played on with the program's dice, a campaign of a seed, one
with real dice, an area game, an import, and a rescued file.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

import golden_campaign
import golden_st
from forgery_list import Forgery, forgeries, line

from asl_pbcg import __version__
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance
from asl_pbcg.cli.campaign_file import create_campaign
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.entries import Damaged, faces_of, find_fingerprint
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.verification.rescue import rescue
from asl_pbcg.kernel.verification.verify import compare, verify
from asl_pbcg.play.plug import plug_for

PAGE = HERE.parent / "docs" / "engineers" / "journal-forgeries.md"
# -- True files -------------------------------------------------------------------------


def make_true_files(folder: Path) -> dict[str, Path]:
    """Make the files that are forged, by their names in the table."""
    played = folder / "played"
    played.mkdir()
    golden_campaign.play("cg1", played, until="night-2", records=False)
    made = {
        "campaign": folder / "campaign.pbcg",
        "real dice": played / golden_campaign.FILE,
        "seed": folder / "seed.pbcg",
        "area game": folder / "area.pbcg",
        "rescued": folder / "rescued.pbcg",
    }
    _play_on(made["real dice"], made["campaign"])
    _play_seed(made["seed"])
    golden_st.pbcg("st", "new", made["area game"], "--historical", "--seed", "3")
    golden_st.pbcg("st", "play", made["area game"], "--auto", "good", "--until", "2")
    damaged = folder / "damaged.pbcg"
    content = made["campaign"].read_bytes().splitlines(keepends=True)
    content[20] = b"?\n"
    damaged.write_bytes(b"".join(content))
    rescue(damaged, made["rescued"], from_checkpoint=True)
    return made


def _play_on(golden: Path, path: Path) -> None:
    """Give the answers and dice of the golden campaign as those of a campaign with own dice.

    Behind the last date come an undone roll, a redo, a correction, and real dice.
    """
    with Journal.read(golden, __version__) as journal:
        given, settings = journal.standing(), journal.meta("settings")
    meta = {"game": "pegasus-bridge", "settings": settings, "dice": "seeded"}
    session = create_campaign(path, meta)
    rolled: list[tuple[int, ...]] = []

    def give(entry: Any) -> None:
        if entry.kind == "roll":
            rolled.append(faces_of(entry.body))
            by = "table" if len(rolled) % 5 == 0 else "program"
            session.throw(rolled[-1], by)
        elif entry.kind == "answer":
            session.answer(entry.body)
        else:
            session.correct(entry.point, entry.body["value"], entry.body["reason"])

    half = next(at for at, each in enumerate(given) if each.step == "night-2/9.606")
    for at, entry in enumerate(given[:half]):
        give(entry)
        if given[at - 1].step == "night-2/9.613" and entry.step != "night-2/9.613":
            session.correct("san/german", 6, "misread")
        if entry.step == "night-1/9.606" and entry.kind == "roll" and not session.journal.void():
            session.undo_to("night-1/9.606", "wrong squad")
            session.redo()
    thrown = False
    for entry in given[half:]:
        give(entry)
        if entry.kind == "roll" and entry.step == "night-2/9.606" and not thrown:
            session.undo("the die fell off the table")
            give(entry)
            thrown = True
    session.journal.close()


def _play_seed(path: Path) -> None:
    meta = {"game": "pegasus-bridge", "settings": {"campaign": "CG2"}, "dice": "seeded", "seed": 4}
    session = create_campaign(path, meta)
    drive(session, RandomAnswers(4), session.program_dice, until=lambda: session.rolls > 3)
    session.journal.close()


# -- Which command tells ----------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """What each command says: faults, ``part`` (exit code 3), or that nothing is wrong."""

    verify: str
    head: str
    compare: str


class Witness:
    """The true files, their fingerprints on paper, and a place for forged ones."""

    def __init__(self, folder: Path) -> None:
        self.files = make_true_files(folder)
        self.forged = folder / "forged.pbcg"
        self._games: dict[bytes, Any] = {}
        self._heads: dict[str, str] = {}
        for base, path in self.files.items():
            with Journal.read(path, __version__) as journal:
                self._heads[base] = journal.fingerprint

    def head(self, base: str) -> str:
        """The fingerprint of a true file as it was printed."""
        return self._heads[base]

    def forge(self, forgery: Forgery) -> Path:
        """Write the forged file."""
        before = self.files[forgery.base].read_bytes()
        content = forgery.forge(before)
        assert content != before, forgery
        self.forged.write_bytes(content)
        return self.forged

    def told(self, forgery: Forgery) -> Told:
        """What the commands say of a forgery."""
        path = self.forge(forgery)
        try:
            journal = Journal.read(path, __version__)
        except Damaged as damage:
            return Told(damage.code, damage.code, damage.code)
        with journal, Journal.read(self.files[forgery.base], __version__) as true:
            at = find_fingerprint(self.head(forgery.base), journal.text.heads)
            return Told(
                self._verified(path, journal), "J30" if at is None else "", _compared(journal, true)
            )

    def _verified(self, path: Path, journal: Journal) -> str:
        first = line(path.read_bytes(), 0)
        if first not in self._games:
            try:
                plug = plug_for(str(journal.meta("game")), str(path))
                self._games[first] = plug.session(journal).game
            except PBCGError:
                self._games[first] = None
        if self._games[first] is None:
            return "refused"
        found = verify(journal, self._games[first], _books)
        codes = re.findall(r"\((J\d\d)\)", " ".join(found.faults))
        return ", ".join(dict.fromkeys(codes)) or ("part" if found.partly else "")


def _books(state: Any) -> list[str]:
    return ["?"] if isinstance(state, Campaign) and not accounts_balance(state) else []


def _compared(journal: Journal, true: Journal) -> str:
    parting = compare(journal, true)
    if parting.settings:
        return "settings"
    if parting.first is None and parting.second is None:
        return "" if journal.head == true.head else "lines"
    if parting.first is None:
        return "shorter"
    return "longer" if parting.second is None else "parts"


# -- The page ---------------------------------------------------------------------------

TABLE = "## Table\n"
"""Above it people write, below it the program."""


def table(told: dict[tuple[str, str], Told]) -> str:
    """Return the table for what the commands tell, by heading and name of each forgery."""
    alone = sum(bool(each.verify) for each in told.values())
    text = f"{TABLE}\n{len(told)} forgeries. `verify` alone tells {alone} of them.\n"
    last = ""
    for (heading, name), each in told.items():
        if heading != last:
            text += (
                f"\n### {heading}\n\n| forgery | verify | --head | compare |\n|---|---|---|---|\n"
            )
            last = heading
        cells = (name, each.verify, each.head, each.compare)
        text += "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"
    return text


def all_told(witness: Witness) -> dict[tuple[str, str], Told]:
    """Forge everything and ask every command."""
    return {
        (heading, each.name): witness.told(each) for heading, found in forgeries() for each in found
    }


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PBCG_CACHE"] = str(Path(folder) / "cache")
        os.environ["PBCG_SETTINGS"] = os.devnull
        told = table(all_told(Witness(Path(folder))))
    above = PAGE.read_text(encoding="utf-8").partition(TABLE)[0]
    PAGE.write_text(above + told, encoding="utf-8")


if __name__ == "__main__":
    main()
