"""Makes small modules of VASL's kind for the tests: a build file with counters and prototypes."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from vasl_writer import join

Traits = list[tuple[str, str]]


def uses(name: str) -> tuple[str, str]:
    """A trait that stands for those of a prototype."""
    return f"prototype;{name}", ""


def text_of(traits: Traits) -> str:
    """A counter of the palette as a module has it."""
    type, state = traits[-1][0], "null;0;0;"
    for trait, told in reversed(traits[:-1]):
        type, state = join((trait, type), "\t"), join((told, state), "\t")
    return "+/" + join(("null", type, state), "/")


def build_file(slots: dict[str, Traits], prototypes: dict[str, Traits], gpid: str = "1") -> str:
    """A build file with some counters and prototypes."""
    found = [
        f"<VASSAL.build.widget.PieceSlot entryName={quoteattr(name)} gpid={quoteattr(gpid)}>"
        f"{escape(text_of(traits))}</VASSAL.build.widget.PieceSlot>"
        for name, traits in slots.items()
    ]
    found += [
        f"<VASSAL.build.module.PrototypeDefinition name={quoteattr(name)}>"
        f"{escape(text_of(traits))}</VASSAL.build.module.PrototypeDefinition>"
        for name, traits in prototypes.items()
    ]
    return f"<VASSAL.build.GameModule name='VASL'>{''.join(found)}</VASSAL.build.GameModule>"


def module(tmp_path: Path, text: str | bytes, name: str = "buildFile.xml") -> Path:
    """A module with this build file."""
    path = tmp_path / "VASL.vmod"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
        archive.writestr("images/none.png", b"")
    return path


def definition(*traits: tuple[str, str]) -> Traits:
    """The traits of a prototype; its piece is left out where it is used."""
    return [*traits, ("piece;;;;", "")]
