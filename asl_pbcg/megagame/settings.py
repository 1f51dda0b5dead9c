"""Every value of the megagame rules, where it comes from, and an umpire's own values over it.

``data/megagame/settings.yaml`` holds the values; an umpire's own file replaces any of them::

    format: pbcg-mega-settings/1
    ambush_bonus: 3
    flak_reach: {heavy: 48}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import Reader, nearest
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.typed_data import DataFile, read_keyed, unless_known

FORMAT: Final = "pbcg-mega-settings/1"
OWN: Final = "own"
PRINTED: Final = ("source", "recovered")
_MOST_NAMES = 200
_CAPITALS = ("at", "he", "smg", "lmg", "mmg", "ii", "iv")

CERTAINTIES: Final = ("source", "recovered", "inferred", "house")
Kind = Literal["number", "numbers", "choice", "choices", "yes_no", "order", "list"]


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One setting as the data has it: what it is, its value, how certain that is, and why."""

    key: str
    words: str
    kind: Kind
    default: Any
    certainty: str | dict[str, str]
    rule: str
    why: str = ""
    range: tuple[int, int] = (0, 0)
    choices: tuple[str | bool, ...] = ()
    none: bool = False
    grows: bool = False
    order_of: str = ""

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of a setting that has several values."""
        return tuple(self.default) if isinstance(self.default, dict) else ()

    @property
    def expects(self) -> str:
        """What an own value must be, in words."""
        if self.kind in ("number", "numbers"):
            one = f"a whole number from {self.range[0]} to {self.range[1]}"
        elif self.kind == "order":
            one = f"a list of {', '.join(self.default)}, each once, in any order"
        elif self.kind == "list":
            one = f"a list of names, as [{', '.join(self.default)}]"
        elif self.kind == "yes_no" and not self.choices:
            one = "true or false"
        else:
            one = f"one of {', '.join(str(choice).lower() for choice in self.choices)}"
        return f"{one} or none" if self.none else one

    def fits(self, value: Any) -> bool:
        """Whether ``value`` can stand for one value of this setting."""
        if self.none and value in ("none", None):
            return True
        if self.kind in ("number", "numbers"):
            whole = isinstance(value, int) and not isinstance(value, bool)
            return whole and self.range[0] <= value <= self.range[1]
        if self.kind in ("choice", "choices"):
            return isinstance(value, str) and value in self.choices
        if self.kind == "yes_no":
            return isinstance(value, bool) and (not self.choices or value in self.choices)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return False
        return self.kind == "list" or sorted(value) == sorted(self.default)


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """One value in force: its name (``flak_reach.light``), how certain it is and why.

    ``certainty`` is source, recovered, inferred, house, or own when the umpire's file gave it.
    """

    name: str
    value: Any
    certainty: str
    words: str
    rule: str
    why: str = ""

    @property
    def printed(self) -> bool:
        """Whether the article itself has it, so that an answer need not name it."""
        return self.certainty in PRINTED

    @property
    def shown(self) -> str:
        """The value as people read it."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        if isinstance(self.value, list | tuple):
            return ", ".join(map(str, self.value))
        return "none" if self.value is None else str(self.value)

    @property
    def in_words(self) -> str:
        """The value as a printed sheet has it: ``weapon range, rifle: 18``."""
        name = ", ".join(spell_out(part) for part in self.name.split("."))
        return f"{name}: {spell_out(self.shown)}"

    def __str__(self) -> str:
        return f"{self.name} {self.shown}"


def _read_settings(raw: Any, source: str) -> Mapping[str, Setting]:
    found = read_keyed(raw, Setting, source)
    for key, setting in found.items():
        for where, wrong in _misfits(setting, found):
            raise PBCGError(f"{source}, {key}{where}: {wrong}.")
    return found


def _misfits(setting: Setting, known: Mapping[str, Setting]) -> Iterator[tuple[str, str]]:
    """What of a setting does not fit together: where, and what would be right."""
    several = setting.kind in ("numbers", "choices")
    if several != isinstance(setting.default, dict):
        right = "a value for each name" if several else "one value"
        yield ".default", f"must be {right}, as its kind is {setting.kind}"
        return
    for name, value in setting.default.items() if several else [("", setting.default)]:
        if not setting.fits(value):
            yield f".default{name and f'.{name}'}", f"must be {setting.expects}"
    certainty = setting.certainty
    for name, word in certainty.items() if isinstance(certainty, dict) else [("", certainty)]:
        if name:
            yield from unless_known(".certainty", name, setting.entries, "name of its default")
        yield from unless_known(".certainty", word, CERTAINTIES, "certainty")
    if setting.order_of:
        yield from unless_known(".order_of", setting.order_of, known, "setting")


SETTINGS: Final = DataFile("megagame/settings.yaml", _read_settings)


def known_settings() -> Mapping[str, Setting]:
    """Every setting of the data, by its key."""
    return SETTINGS.content


class Settings:
    """The values in force: the program's, with the umpire's own over them."""

    def __init__(self, own: Mapping[str, Any] | None = None) -> None:
        self.own: dict[str, Any] = dict(own or {})

    @classmethod
    def read(cls, path: Path) -> Settings:
        """Read an umpire's file (YAML or JSON); raises FaultsError with every fault of it."""
        return cls(check_own(read_yaml_or_json(path), str(path)))

    def whole(self, key: str) -> Any:
        """The setting ``key`` with the umpire's own value, or own names, over it."""
        setting = known_settings()[key]
        mine = self.own.get(key)
        if isinstance(setting.default, dict):
            return {**setting.default, **(mine or {})}
        return (
            setting.default if mine is None else (None if setting.none and mine == "none" else mine)
        )

    def value(self, name: str) -> Value:
        """The value ``name`` (a key, or key.entry) in force and where it comes from.

        Raises PBCGError if a setting that may grow has no such entry.
        """
        key, _, entry = name.partition(".")
        setting = known_settings()[key]
        whole = self.whole(key)
        mine: Any = self.own.get(key, {} if entry else None)
        if entry and entry not in whole:
            raise PBCGError(
                f'{key} has no "{entry}"{nearest(entry, whole)}. A settings file can add it.'
            )
        certainty = setting.certainty
        if isinstance(certainty, dict):
            certainty = certainty.get(entry, certainty.get("", "house"))
        own = entry in mine if entry else mine is not None
        return Value(
            name=name,
            value=whole[entry] if entry else whole,
            certainty=OWN if own else certainty,
            words=setting.words,
            rule=setting.rule,
            why="the umpire's own" if own else setting.why,
        )

    def __getitem__(self, name: str) -> Any:
        return self.value(name).value

    def __iter__(self) -> Iterator[Value]:
        """Every value in force, entry by entry, in the order of the rules."""
        for key, setting in known_settings().items():
            for entry in self.whole(key) if setting.entries else ("",):
                yield self.value(f"{key}.{entry}" if entry else key)


def check_own(raw: Any, source: str) -> dict[str, Any]:
    """Settle what an umpire's file says; raises FaultsError with every fault at once."""
    if not isinstance(raw, dict):
        raise PBCGError(
            f"{source} is no settings file: write one setting a line, as ambush_bonus: 3."
        )
    reader = Reader(source)
    own: dict[str, Any] = {}
    given = dict(raw)
    told = given.pop("format", FORMAT)
    if told != FORMAT:
        reader.fault("format", told, f"is another kind of file: write {FORMAT}")
    for key, value in given.items():
        setting = known_settings().get(key)
        if setting is None:
            reader.fault("", key, f"is no setting{nearest(str(key), known_settings())}")
        elif setting.entries:
            own[key] = _entries(setting, value, reader)
        elif not setting.fits(value):
            reader.fault(key, value, f"must be {setting.expects}")
        else:
            own[key] = "none" if value is None else value
    if not reader.faults:
        _check_order(Settings(own), reader)
    reader.raise_faults()
    return own


def _entries(setting: Setting, value: Any, reader: Reader) -> dict[str, Any]:
    if not isinstance(value, dict):
        example = f"{{{setting.entries[0]}: {setting.default[setting.entries[0]]}}}"
        reader.fault(setting.key, value, f"must name its values, as {example}")
        return {}
    found: dict[str, Any] = {}
    for name, each in value.items():
        entry = plain_word(str(name)) if setting.grows else str(name)
        where = f"{setting.key}.{name}"
        if not setting.grows and entry not in setting.entries:
            near = nearest(entry, setting.entries) or f"; it has {', '.join(setting.entries)}"
            reader.fault(where, "", f"is no value of {setting.key}{near}")
        elif setting.grows and (not entry or len(entry) > 40):
            reader.fault(where, "", "is no name")
        elif not setting.fits(each):
            reader.fault(where, each, f"must be {setting.expects}")
        else:
            found[entry] = each
    if len(setting.default) + len(found) > _MOST_NAMES:
        reader.fault(setting.key, "", f"has too many names: {_MOST_NAMES} is the most")
    return found


def _check_order(settings: Settings, reader: Reader) -> None:
    """Note rows of a table whose bounds fall instead of rising."""
    for key, setting in known_settings().items():
        below, here = setting.order_of, settings[key]
        if below and here is not None and here < settings[below]:
            reader.fault(key, here, f"must not be below {below}, which is {settings[below]}")


def plain_word(word: str) -> str:
    """A word as the data writes it: small letters, and ``_`` for spaces, hyphens and points."""
    plain = "".join(letter if letter.isalnum() else " " for letter in word.lower())
    return "_".join(plain.split())


def spell_out(name: str) -> str:
    """A name of the data as a sentence has it: ``hand_at`` is hand AT."""
    return " ".join(part.upper() if part in _CAPITALS else part for part in name.split("_"))
