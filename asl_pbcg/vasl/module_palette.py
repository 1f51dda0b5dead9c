"""The player's own VASL module as a palette: counters that neither the base nor a save has.

A module (``.vmod``) is a zip archive whose ``buildFile.xml`` lists every counter of its palette. A
counter there is short: what many share stands once, in prototypes that it names and that name
others. In a save they are written out. Nothing of a module is kept or shipped.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.archive import BROKEN, MAX_TRAITS, NoSave, chain, cut, encode, join_chain, split
from asl_pbcg.vasl.likeness import Likeness, rows_of, spellings

_BUILD_FILES = ("buildFile.xml", "buildFile")
_LIMIT = 32 * 1024 * 1024  # bytes of the build file; VASL's has 4,200,000
_MAX_ELEMENTS = 500_000
_MAX_STEPS = 2_000  # prototypes looked up for one counter; VASL's need about ten
_MAX_TRIED = 40  # counters of the palette that may be the one that is wanted
_PLACED = 4  # fields of a place: map, x, y and the number of the palette
_SLOT = "PieceSlot"
_PROTOTYPE = "PrototypeDefinition"
_NAMES = "prototype;"


class ModulePalette:
    """The counters of a module, and the prototypes that they are made of."""

    def __init__(self, path: Path) -> None:
        self._slots: list[tuple[str, str, str]] = []
        """Name, number and text of each counter."""
        self._prototypes: dict[str, str] = {}
        self._parse(path.name, _read_build_file(path))

    def find(self, like: Likeness, formation: str) -> Iterator[tuple[str, list[str]]]:
        """Yield types and states of counters that may be like others, the likeliest first."""
        words = {word for spelling in spellings(like, formation) for word in spelling}
        numbers = {number for row in rows_of(like) for number in row.gpids}
        ranked = [
            (number not in numbers, name not in words, at)
            for at, (name, number, text) in enumerate(self._slots)
            if number in numbers or name in words or any(word in text for word in words)
        ]
        for _, _, at in sorted(ranked)[:_MAX_TRIED]:
            made = self._write_out(*self._slots[at][1:])
            if made is not None:
                yield made

    # -- prototypes ----------------------------------------------------------------------

    def _write_out(self, number: str, text: str) -> tuple[str, list[str]] | None:
        """Return a counter with its prototypes written out; None if it is not sound."""
        self._steps = 0
        both = self._chains(text)
        if both is None:
            return None
        traits: list[str] = []
        states: list[str] = []
        if not self._add(both, (), traits, states):
            return None
        fields = cut(states[-1], ";")
        fields += ["0"] * (_PLACED - len(fields))
        fields[_PLACED - 1] = encode(number, ";")
        states[-1] = ";".join(fields)
        return join_chain(traits), states

    def _add(
        self,
        both: tuple[list[str], list[str]],
        within: tuple[str, ...],
        traits: list[str],
        states: list[str],
    ) -> bool:
        """Add the traits of a counter or prototype; return whether that is within bounds.

        A prototype that is not known, or that is within itself, is left out.
        """
        for trait, state in zip(*both, strict=True):
            self._steps += 1
            if self._steps > _MAX_STEPS or max(len(traits), 8 * len(within)) >= MAX_TRAITS:
                return False
            if not trait.startswith(_NAMES):
                traits.append(trait)
                states.append(state)
                continue
            name = split(trait, ";", 2)[1]
            inner = self._chains(self._prototypes.get(name, "")) if name not in within else None
            if inner is not None:
                shared = inner[0][:-1], inner[1][:-1]  # without the piece at its end
                if not self._add(shared, (*within, name), traits, states):
                    return False
        return True

    @staticmethod
    def _chains(text: str) -> tuple[list[str], list[str]] | None:
        """Return traits and states of a text of the build file; None if it is not a counter."""
        parts = split(text[2:], "/", 3) if text.startswith("+/") else []
        if len(parts) < 3:
            return None
        try:
            traits, states = chain(parts[1]), chain(parts[2])
        except NoSave:
            return None
        ends = traits[-1].startswith("piece;") and len(traits) == len(states)
        return (traits, states) if ends else None

    # -- the build file ------------------------------------------------------------------

    def _parse(self, name: str, content: bytes) -> None:
        """Read slots and prototypes; a document that defines entities is refused."""
        parser = expat.ParserCreate()
        open_: list[tuple[str, dict[str, str], list[str]]] = []
        count = 0

        def start(element: str, attributes: dict[str, str]) -> None:
            nonlocal count
            count += 1
            if count > _MAX_ELEMENTS or len(open_) > MAX_TRAITS:
                raise PBCGError(f"{name} is not a VASL module: there is far too much in it.")
            open_.append((element.rpartition(".")[2], attributes, []))

        def text(data: str) -> None:
            if open_ and open_[-1][0] in (_SLOT, _PROTOTYPE):
                open_[-1][2].append(data)

        def end(_: str) -> None:
            element, attributes, texts = open_.pop()
            whole = "".join(texts).strip()
            if element == _SLOT:
                own = attributes.get("entryName", ""), attributes.get("gpid", "0")
                self._slots.append((*own, whole))
            elif element == _PROTOTYPE:
                self._prototypes[attributes.get("name", "")] = whole

        def refuse(*_: object) -> None:
            raise PBCGError(f"{name} is not a VASL module: its build file defines entities.")

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise PBCGError(f"{name} is damaged: its build file cannot be read.") from error


def _read_build_file(path: Path) -> bytes:
    """Return the build file of a module. Raises PBCGError."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [file for file in _BUILD_FILES if file in archive.namelist()]
            if not names:
                raise PBCGError(f"{path.name} is not a VASL module: it has no build file.")
            with archive.open(names[0]) as stream:
                content = stream.read(_LIMIT + 1)
    except FileNotFoundError as error:
        raise PBCGError(f"{path} is not there: give the module that you play with.") from error
    except BROKEN as error:
        raise PBCGError(f"{path.name} is not a VASL module (.vmod), or it is damaged.") from error
    if len(content) > _LIMIT:
        raise PBCGError(f"{path.name} is not a VASL module: its build file is far too large.")
    return content
