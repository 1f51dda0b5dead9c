"""The umpire's words: short, in any order, each understood by what it can mean in that line.

``fire 6 rifles elite at 8 green hard 10in`` says who fires with what, at whom, and how far.
Words before ``at`` speak of the one who acts, words after it of the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.typed_data import data_file, unless_known
from asl_pbcg.megagame.settings import Settings, known_settings, plain_word, spell_out
from asl_pbcg.megagame.table import REMOVED, STATE_WORDS, Table

MOST: Final = 1000
_INCHES: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:in|inch|inches|\"|'')")
_COUNT: Final = re.compile(r"x?(\d+)x?")
_MM: Final = re.compile(r"(\d+)mm")
_GUN: Final = re.compile(r"(light|heavy)[:@]?(\d*)")

_LABELS: Final[Mapping[str, str]] = {
    "at.name": "the target",
    "by.name": "who acts",
    "at.quality": "the target's quality",
    "by.quality": "the quality of who acts",
    "at.figures": "the target's figures",
    "by.figures": "the figures of who acts",
    "at.vehicle": "the target's vehicle",
    "by.vehicle": "the vehicle of who acts",
}


@dataclass(frozen=True, slots=True)
class Grammar:
    """What the words of one kind of line may be.

    ``start`` is the part the line begins with and ``number`` what a bare number means in each
    part; ``knows`` names the kinds of words it takes, ``names`` whether units are named at all.
    """

    start: str
    number: Mapping[str, str]
    knows: tuple[str, ...]
    names: bool = True


GRAMMARS: Final[Mapping[str, Grammar]] = {
    "barrage": Grammar(
        "at", {"at": "calibre", "target": "at.figures"}, ("calibre", "bomb", "cover", "who")
    ),
    "air": Grammar(
        "at", {"at": "calibre", "target": "at.figures"}, ("calibre", "bomb", "cover", "who", "flak")
    ),
    "flak": Grammar("flak", {}, ("flak",), names=False),
    "fire": Grammar(
        "by", {"by": "count", "target": "at.figures"}, ("weapon", "cover", "who", "shot")
    ),
    "ambush": Grammar(
        "by", {"by": "count", "target": "at.figures"}, ("weapon", "cover", "who", "shot")
    ),
    "armour": Grammar("at", {"at": "hits"}, ("anti_armour", "weapon", "who", "facing")),
    "assault": Grammar("by", {"by": "contact"}, ("who", "distance")),
    "morale": Grammar("at", {"at": "at.figures"}, ("who", "edge")),
    "unit": Grammar("at", {"at": "at.figures"}, ("who", "side")),
    "set": Grammar("at", {"at": "at.figures"}, ("who", "side", "state")),
    "move": Grammar("names", {}, ()),
}

# Words that stand for themselves, by the kind of word.
_FLAGS: Final[Mapping[str, Mapping[str, str]]] = {
    "shot": {
        "building": "building",
        "bldg": "building",
        "house": "building",
        "short": "short",
        "moved": "moved",
        "flank": "flank",
        "rear": "flank",
    },
    "facing": {"flank": "flank", "rear": "flank"},
}


@dataclass(slots=True)
class Said:
    """What a line says: each thing once."""

    things: dict[str, Any] = field(default_factory=dict)

    def put(self, key: str, value: Any) -> None:
        """Note that ``key`` is ``value``; raises IllegalAnswer if it was said otherwise."""
        if key in ("cover", "guns", "names"):
            self.things.setdefault(key, [])
            if key != "cover" or value not in self.things[key]:
                self.things[key].append(value)
        elif key in self.things and self.things[key] != value:
            label = _LABELS.get(key, key)
            both = " and ".join(spell_out(str(each)) for each in (self.things[key], value))
            raise IllegalAnswer(f"{label[0].upper()}{label[1:]} is said twice: {both}.")
        else:
            self.things[key] = value

    def get(self, key: str, default: Any = None) -> Any:
        """What was said of ``key``."""
        return self.things.get(key, default)


Meanings = dict[str | int, str]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/megagame/words.yaml``: of each kind of word what it means."""

    quality: Meanings
    side: Meanings
    cover: Meanings
    bomb: Meanings
    flak: Meanings
    anti_armour: Meanings
    weapon: Meanings
    vehicle: Meanings
    calibre: dict[str | int, int | Literal["rocket"]]


def _check_words(words: Words) -> Iterator[tuple[str, str]]:
    known = {
        "weapon": known_settings()["weapon_dice"].default,
        "vehicle": known_settings()["armour_class"].default,
    }
    for kind, names in known.items():
        for word, meaning in getattr(words, kind).items():
            yield from unless_known(f"{kind}.{word}", meaning, names, kind)


WORDS: Final = data_file("megagame/words.yaml", Words, _check_words)


@cache
def _vocabulary() -> Mapping[str, Mapping[str, Any]]:
    return {
        kind: {str(word): value for word, value in getattr(WORDS.content, kind).items()}
        for kind in Words.__struct_fields__
    }


def vocabulary(kind: str, settings: Settings) -> dict[str, Any]:
    """Every word of one kind and what it means, the umpire's own names among them."""
    found = dict(_vocabulary().get(kind, {}))
    names = {"weapon": "weapon_dice", "vehicle": "armour_class"}.get(kind)
    if names:
        found |= {name: name for name in settings.whole(names)}
    return found


def meaning(kind: str, word: str, settings: Settings, label: str = "") -> Any:
    """What ``word`` means as a word of that ``kind``; raises IllegalAnswer with the nearest."""
    known = vocabulary(kind, settings)
    plain = plain_word(word)
    if plain not in known:
        near = nearest(plain, known)
        most = f"; known are {', '.join(dict.fromkeys(map(str, known.values())))}"
        raise IllegalAnswer(f'"{word}" is no {label or kind.replace("_", "-")}{near or most}.')
    return known[plain]


def whole_number(word: str, label: str, most: int = MOST) -> int:
    """Read a whole number from 0 to ``most``; raises IllegalAnswer."""
    if not re.fullmatch(r"\d{1,6}", word.strip()) or int(word) > most:
        raise IllegalAnswer(f'"{word}" is no {label}: a whole number from 0 to {most} is.')
    return int(word)


def inches(word: str, label: str = "distance", most: int = MOST) -> float:
    """Read a distance in inches, ``3`` or ``3.5``, from 0 to ``most``; raises IllegalAnswer."""
    bare = word.strip()
    if re.fullmatch(r"\d{1,6}", bare):
        return whole_number(bare, label, most)
    if not re.fullmatch(r"\d{1,6}\.\d{1,2}", bare) or float(bare) > most:
        raise IllegalAnswer(f'"{word}" is no {label}: inches from 0 to {most} are, as 3 or 3.5.')
    found = float(bare)
    return int(found) if found.is_integer() else found


def read_words(do: str, words: Iterable[str], table: Table, said: Said | None = None) -> Said:
    """Read the ``words`` of a line of the kind ``do`` at ``table``.

    Raises IllegalAnswer for a word that means nothing there, with the nearest ones.
    """
    reader = _Reader(do, list(words), table, said or Said())
    reader.read()
    return reader.said


class _Reader:
    def __init__(self, do: str, words: list[str], table: Table, said: Said) -> None:
        self.do = do
        self.grammar = GRAMMARS[do]
        self.words = words
        self.table = table
        self.settings = table.settings
        self.said = said
        self.part = self.grammar.start
        self.place = 0

    def read(self) -> None:
        if self.do in ("unit", "set") and self.words:
            self._first_name()
        while self.place < len(self.words):
            if not (self._keyword() or self._listed_name() or self._word() or self._take_quoted()):
                self._unknown(self.words[self.place])

    def _first_name(self) -> None:
        """A line about one unit begins with its name, known or new, of one word or more."""
        if self.do == "set" and self._listed_name():
            return
        name = [self._take()]
        while self.place < len(self.words):
            word = self.words[self.place]
            if self._means(word) or _COUNT.fullmatch(word.lower()):
                break
            name.append(self._take())
        self.said.put("at.name", " ".join(name))

    def _take(self) -> str:
        word = self.words[self.place]
        self.place += 1
        return word

    def _keyword(self) -> bool:
        word = self.words[self.place]
        if self.part == "names":
            return False
        if word.startswith("@") and len(word) > 1:
            self.words[self.place] = word[1:]
            return self._name_after("target")
        if word.lower() in ("at", "by", "vs") and self.place + 1 < len(self.words):
            self.place += 1
            return self._name_after("by" if word.lower() == "by" else "target")
        if word.lower() == "flak" and "flak" in self.grammar.knows:
            self.place += 1
            self.part = "flak"
            return True
        return False

    def _name_after(self, part: str) -> bool:
        """What follows ``at`` or ``by`` is a name, unless it is a word that says something else."""
        self.part = part
        if not self._listed_name(True) and not self._word():
            self.said.put("by.name" if part == "by" else "at.name", self._take())
        return True

    def _listed_name(self, after_keyword: bool = False) -> bool:
        """A unit of the table, also one whose name has several words or is only begun."""
        for end in range(len(self.words), self.place, -1):
            name = " ".join(self.words[self.place : end])
            unit = self.table.find(name)
            if unit and not (unit.name == self.said.get(self._who) and self._means(name)):
                self._put_name(unit.name, after_keyword)
                self.place = end
                return True
        if self._begun_name(after_keyword):
            return True
        word = self.words[self.place]
        if _COUNT.fullmatch(word.lower()) or _INCHES.fullmatch(word.lower()):
            return False
        may_be = self.table.all_beginning_with(word)
        meant = self._means(word)
        if meant:
            # "Sherman" is a kind of vehicle, but at a table with a Sherman it is that one.
            pair = " ".join(self.words[self.place : self.place + 2])
            if self.do in ("unit", "set") or (pair != word and self._means(pair)):
                return False
            if not all(key.endswith(".vehicle") for key, _ in meant):
                return False
            may_be = [unit for unit in may_be if unit.vehicle]
        if len(may_be) > 1:
            names = " or ".join(unit.name for unit in may_be)
            raise IllegalAnswer(f'"{word}" may be {names}: say which.')
        if len(may_be) != 1:
            return False
        unit = may_be[0]
        self._put_name(unit.name, after_keyword)
        self.place += 1
        return True

    def _begun_name(self, after_keyword: bool) -> bool:
        """Several words without quotes that only one unit's name begins with.

        A number that is not needed to tell the unit from others counts what fires.
        """
        first = self.words[self.place]
        if self._means(first) or _COUNT.fullmatch(first.lower()):
            return False
        for end in range(len(self.words), self.place + 1, -1):
            *shorter, last = self.words[self.place : end]
            unit = self.table.begins_with(" ".join([*shorter, last]))
            idle = _COUNT.fullmatch(last.lower()) and self.table.begins_with(" ".join(shorter))
            if unit and not idle:
                self._put_name(unit.name, after_keyword)
                self.place = end
                return True
        return False

    def _take_quoted(self) -> bool:
        """Several words in quotes are a name, also one that is new here."""
        if " " not in self.words[self.place] or not self.grammar.names:
            return False
        self._put_name(self._take(), False)
        return True

    @property
    def _who(self) -> str:
        """Of whom the words speak now: of who acts or of the target."""
        return "by.name" if self.part == "by" else "at.name"

    def _put_name(self, name: str, after_keyword: bool) -> None:
        if self.part == "names":
            self.said.put("names", name)
            return
        key = self._who
        acted = {"by.name", "count", "weapon", "by.figures", "by.quality"} & set(self.said.things)
        if self.part == "by" and acted and not after_keyword and not self._target_follows():
            # Who acts is named first; a name that comes later is the target's.
            self.part, key = "target", "at.name"
        self.said.put(key, name)

    # -- words that mean something ----------------------------------------------------

    def _means(self, word: str) -> list[tuple[str, Any]]:
        """What ``word`` can mean in this line: key and value, the likeliest first."""
        plain = plain_word(word)
        knows, found = self.grammar.knows, []
        who = "by" if self.part == "by" else "at"
        if "who" in knows:
            qualities = vocabulary("quality", self.settings)
            if plain in qualities:
                found.append((f"{who}.quality", qualities[plain]))
        for kind in ("calibre", "cover", "bomb", "anti_armour", "weapon", "side"):
            known = vocabulary(kind, self.settings)
            if kind in knows and plain in known:
                found.append(self._meant(kind, known[plain], who))
        vehicles = vocabulary("vehicle", self.settings)
        if "who" in knows and plain in vehicles:
            found.append((f"{who if self._target_follows() else 'at'}.vehicle", vehicles[plain]))
        for kind in ("shot", "facing"):
            if kind in knows and plain in _FLAGS[kind]:
                found.append((_FLAGS[kind][plain], True))
        if "state" in knows and plain in (*STATE_WORDS, REMOVED):
            found.append(("state", plain))
        return found

    def _target_follows(self) -> bool:
        """Whether the target is still to come: a vehicle said before it is the one that acts."""
        left = [word.lower() for word in self.words[self.place + 1 :]]
        return any(word in ("at", "vs") or word[:1] == "@" for word in left)

    def _meant(self, kind: str, value: Any, who: str) -> tuple[str, Any]:
        if kind == "calibre":
            return ("calibre", value) if isinstance(value, int) else ("bomb", value)
        return (f"{who}.side", value) if kind == "side" else (kind, value)

    def _word(self) -> bool:
        word = self.words[self.place]
        if self._flak(word) or (not self._means(word) and self._number(word)):
            self.place += 1
            return True
        # Two words can be one: "tiger ii", "light tank".
        pair = " ".join(self.words[self.place : self.place + 2])
        meant = self._means(pair) if self.place + 1 < len(self.words) else []
        if meant:
            self.place += 1
        else:
            meant = self._means(word)
        if not meant:
            return False
        self.said.put(*meant[0])
        self.place += 1
        return True

    def _flak(self, word: str) -> bool:
        if self.part != "flak" and "flak" not in self.grammar.knows:
            return False
        match = _GUN.fullmatch(word.lower().removesuffix("in"))
        if match and self.part == "flak":
            self.said.put("guns", (match[1], int(match[2]) if match[2] else None))
            return True
        number = _INCHES.fullmatch(word.lower()) or re.fullmatch(r"(\d{1,4}(?:\.\d{1,2})?)", word)
        guns = self.said.get("guns")
        if self.part == "flak" and number and guns and guns[-1][1] is None:
            guns[-1] = (guns[-1][0], inches(number[1]))
            return True
        return False

    def _number(self, word: str) -> bool:
        low = word.lower()
        if match := _INCHES.fullmatch(low):
            if not {"shot", "distance", "edge"} & set(self.grammar.knows):
                return False
            key = "edge" if "edge" in self.grammar.knows else "distance"
            self.said.put(key, inches(match[1]))
            return True
        if "calibre" in self.grammar.knows and (match := _MM.fullmatch(low)):
            self.said.put("calibre", whole_number(match[1], "calibre"))
            return True
        key = self.grammar.number.get(self.part, "")
        if key and (match := _COUNT.fullmatch(low)):
            self.said.put(key, whole_number(match[1], "number"))
            return True
        return False

    def _unknown(self, word: str) -> None:
        known: list[str] = [unit.name.lower() for unit in self.table.units]
        for kind in self.grammar.knows:
            known += vocabulary(kind, self.settings) or _FLAGS.get(kind, {})
        if "who" in self.grammar.knows:
            known += [*vocabulary("quality", self.settings), *vocabulary("vehicle", self.settings)]
        near = nearest(plain_word(word), known) or nearest(word, known)
        hint = near or "; a new name comes after at or by"
        if self.do in ("unit", "set"):
            qualities = ", ".join(dict.fromkeys(vocabulary("quality", self.settings).values()))
            states = f" or {', '.join((*STATE_WORDS, REMOVED))}" if self.do == "set" else ""
            told = f"side, quality ({qualities}), figures, vehicle{states}"
            hint = near or f"; what is said of a unit is its {told}"
        if self.part == "names":
            hint = near or "; the units of the table are what can be named"
        raise IllegalAnswer(f'"{word}" is not understood in {self.do}{hint}.')
