"""Saves, logs, palettes and modules that look real, with foreign and odd words in their fields."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

from vasl_modules import Traits, build_file, definition, uses
from vasl_scenes import INSIDE, random_position
from vasl_writer import (
    NAMES,
    Chip,
    Layer,
    Writer,
    level,
    marker,
    palette_chips,
    write_position,
)

FOREIGN = (
    "ss", "am", "ru", "it", "fr", "fi", "pa", "ch", "kw", "xx", "BR", "b", "", "br/", "british",
    "é", "\u202e", "br" * 40, "\x1b[2J", "germ an", "²", "'", "\\", ";", "$x$", "{1+1}", "null",
)  # fmt: skip
"""Nations of other games and of none."""
ODD = (
    "", " ", "?", "9" * 59, "9" * 5000, "-1", "²", "+", "++", "+ +", "\\+", ",", ";;", "\t",
    "\\", "'", "''", "Wreck", " Wreck", "+ Wreck", "Minefield",
    "99999999999999999999 FP Minefield", "² AT Minefield", "0 FP Minefield", "-3 FP Minefield",
    "1+2+3+4+5 Pillbox", "+ Pillbox", " Pillbox", "x+y Pillbox", "9S", "²S", "0S", "Control",
    "Cloak", "Rubble", "Building", "Horsa", "Foxhole", "Perimeter", "Goat", "6-5-8 SS",
    "broken +", "vca0", "vca7", "vca9", "vca²", "+ vca3", "tca", "ca", "Roof Level", "\x00",
    "\x1b", "\u202e", "\U0001f600", "A" * 70_000, "true", "null", "Prisoner SQ", "Unarmed HS",
    "No HE", "$label$", "<b>x</b>", "{x}", "=1+1", "@SUM(1)", "\ud7ff", "\n", "\r\n", "British",
    "german",
)  # fmt: skip
"""Names, labels and fields that no counter of Pegasus Bridge has, or others have."""
NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "99",
    "-99",
    "9" * 30,
    "",
    "x",
    "²",
    "1.5",
    "1e9",
    "2;VF",
    "-0",
    " 3 ",
)
PLACES = ("0", "-100000", "100001", "9" * 20, "", "x", "1.5", "450", "2000")
_FACTS = (
    "INFO\tAxis\tAxis\t7\t3\t4\t4\t3\t?\t?\tour notes", "INFO\t", "INFO\t\t\t\t\t\t\t",
    "UNMASK\tx",
    "PNOTES\tx\ty", "GlobalProperty\t;AxisCVP;9;Casualties", "SETUP_STACK", "OBA\tx", "EXT\tx\ty",
)  # fmt: skip


@dataclass(frozen=True)
class OddChip(Chip):
    """A counter with something wrong in its traits."""

    seed: int = 0

    def traits(self) -> list[tuple[str, str]]:
        """Traits with their states, outermost first, some of them odd."""
        source = random.Random(f"traits/{self.seed}")
        found = super().traits()
        for _ in range(source.choice((1, 1, 2, 5))):
            _mutate_traits(found, source)
        return found


def _mutate_traits(traits: list[tuple[str, str]], source: random.Random) -> None:
    """Change, drop, repeat or swap traits."""
    at = source.randrange(len(traits))
    trait, state = traits[at]
    match source.randrange(7):
        case 0 if len(traits) > 1:
            del traits[at]
        case 1:
            traits.insert(at, traits[source.randrange(len(traits))])
        case 2:
            traits[at] = _odd_field(trait, source), state
        case 3:
            traits[at] = trait, source.choice((*NUMBERS, *FOREIGN, *ODD))
        case 4:
            kinds = ("concealment", "conceal", "obs", "hide", "emb2", "rotate", "label", "moved")
            rest = trait.partition(";")[2]
            traits[at] = f"{source.choice(kinds)};{rest}", state
        case 5:
            traits.insert(0, (f"concealment;{source.choice(ODD)};{source.choice(FOREIGN)}", ""))
        case _:
            source.shuffle(traits)


def _odd_field(trait: str, source: random.Random) -> str:
    fields = trait.split(";")
    fields[source.randrange(len(fields))] = source.choice((*FOREIGN, *ODD, *NUMBERS))
    return ";".join(fields)


@cache
def _known_chips() -> tuple[Chip, ...]:
    """One counter of everything, and what no palette of ours has."""
    more = [
        marker(row["vasl_name"]) for row in NAMES if row["kind"] in ("control", "wreck", "glider")
    ]
    more += [Chip("?", conceals=nation) for nation in ("br", "ge", "ss", "am", "ru")]
    more += [Chip("Control", nation) for nation in ("br", "ge", "ss")]
    more += [level(-1), level(3), Chip("Cloak", "ge"), Chip("Horsa", "br", (Layer(["Landed +"]),))]
    return (*palette_chips(), *more)


def mutated_chip(source: random.Random) -> Chip:
    """A counter like one of the module's with odd nation, name, layers, label or traits."""
    chip = source.choice(_known_chips())
    for _ in range(source.choice((0, 1, 1, 2, 3))):
        match source.randrange(8):
            case 0:
                chip = replace(chip, nation=source.choice(FOREIGN))
            case 1:
                chip = replace(chip, conceals=source.choice(FOREIGN))
            case 2:
                chip = replace(chip, base=source.choice((*ODD, source.choice(_known_chips()).base)))
            case 3:
                chip = replace(chip, label=source.choice(ODD), owner=source.choice(ODD))
            case 4:
                chip = replace(chip, gpid=source.choice((*NUMBERS, "3b5:7590", "a:b:c", *ODD)))
            case 5:
                token = source.choice((*ODD, *FOREIGN, chip.password))
                covers = {"hidden": source.random() < 0.6, "concealed": source.random() < 0.6}
                chip = replace(chip, password=token, **covers)  # type: ignore[arg-type]
            case 6:
                chip = replace(chip, layers=_odd_layers(chip.layers, source))
            case _:
                odd = OddChip(**{name: getattr(chip, name) for name in Chip.__dataclass_fields__})
                chip = replace(odd, seed=source.randrange(10**6))
    return chip


def _odd_layers(layers: tuple[Layer, ...], source: random.Random) -> tuple[Layer, ...]:
    found = [*layers, Layer([source.choice(ODD), source.choice(ODD)])]
    at = source.randrange(len(found))
    names = [source.choice((each, source.choice(ODD))) for each in found[at].names]
    found[at] = replace(
        found[at],
        names=names * source.choice((1, 1, 1, 60)),
        level=source.choice((0, 1, 2, 9, -1, -9, 10**12)),
        key=source.choice(("70,130", "70", "x", "", "70,130,name", "0,0")),
        keys=source.choice(("", "", "F", "FV", "é")),
        pressed=source.choice(("", "F", "VF", "x")),
    )
    source.shuffle(found)
    return tuple(found)


def mutated_writer(source: random.Random) -> Writer:
    """A save with odd counters in it, alone and in stacks of known ones."""
    writer = Writer(
        complete=source.random() < 0.5,
        always_stacks=source.random() < 0.5,
        dialect=source.choice(("", "old", "new")),
        map=source.choice(("Main Map", "Main Map", "Map0", "Casualties", source.choice(ODD))),
        comment=source.choice(("", "<b>", "]]>", "VassalVersion")),
    )
    if source.random() < 0.5:
        write_position(random_position(source.randrange(40)), writer)
    for _ in range(source.randint(1, 12)):
        stack = [mutated_chip(source) for _ in range(source.choice((1, 1, 2, 4, 9)))]
        writer.stack(stack, source.choice(INSIDE))
    if source.random() < 0.2:
        writer.heap([mutated_chip(source)], source.choice((-90_000, 3, 99_999)), 7)
    writer.facts = source.sample(_FACTS, source.randrange(4))
    names = ("AlliedCVP", "AxisCVP", source.choice(ODD))
    writer.properties = {source.choice(names): source.choice(NUMBERS)}
    if source.random() < 0.15:
        tail = source.choice((*ODD, "\tZOOM\tinf", "\tZOOM\t0", "\t1\t2\t3\t4"))
        writer.board = f"bd\t{source.choice(('0', '1', '²', '9' * 4500))}\t0\tPB\tVER{tail}"
    if source.random() < 0.3:
        _mutate_commands(writer, source)
    return writer


def _mutate_commands(writer: Writer, source: random.Random) -> None:
    """Change a place, an id or a stack of some counters."""
    for _ in range(source.choice((1, 1, 3))):
        at = source.randrange(len(writer.commands))
        text = writer.commands[at]
        match source.randrange(4):
            case 0:
                fields = text.split(";")
                fields[source.randrange(len(fields))] = source.choice((*PLACES, *ODD, *FOREIGN))
                writer.commands[at] = ";".join(fields)
            case 1:
                writer.commands[at] = text.replace("/", source.choice(("//", "\\/", "")), 1)
            case 2:
                writer.commands.append(text)
            case _:
                writer.commands[at] = text[: source.randrange(len(text) + 1)]


def mutated_save(source: random.Random) -> bytes:
    """The file of a save with odd counters in it."""
    return mutated_writer(source).content(source.choice(("hex", "raw")), source.randrange(256))


THROWS = (
    "*** (IFT DR) 4,3 ***   <Karl>      [1   avg   7.0 (7.0)]    (1.57)",
    "*** (Other dr) 5 ***   &lt;Anne&gt;      [1 / 5   avg   6.20]",
    "*** 3d6 = 1,2,3 ***   <Karl>      [7 / 5   avg   6.20]",
)


def mutated_log(source: random.Random) -> bytes:
    """The file of a log whose lines of throws are odd."""
    writer = mutated_writer(source)
    writer.logged = ["+/7/stack/Main Map;1;1"]
    for _ in range(source.randint(0, 40)):
        line = source.choice(THROWS)
        if source.random() < 0.5:
            parts = line.split(" ")
            parts[source.randrange(len(parts))] = source.choice((*ODD, *FOREIGN, *NUMBERS))
            line = " ".join(parts)
        writer.logged.append(f"{source.choice(('CHAT', 'CHAT', 'LOG', ''))}{line}")
    return writer.content("hex", source.randrange(256))


def mutated_build_file(source: random.Random) -> str:
    """The build file of a module with odd counters and prototypes in it."""
    slots: dict[str, Traits] = {}
    prototypes: dict[str, Traits] = {}
    for number in range(source.randint(1, 60)):
        name = source.choice(
            (source.choice(NAMES)["vasl_name"], source.choice(_XML), f"s {number}")
        )
        traits = mutated_chip(source).traits()
        if source.random() < 0.2:
            traits.insert(0, uses(source.choice(("a", "b", "none"))))
        slots[name] = [(_printable(trait), _printable(state)) for trait, state in traits]
    for name in ("a", "b"):
        other = uses(source.choice(("a", "b")))
        prototypes[name] = definition(*mutated_traits(source), other)
    return build_file(slots, prototypes, source.choice(("1", "2364", "", "x", "9" * 30)))


def mutated_traits(source: random.Random) -> Traits:
    """Traits of an odd counter without its piece."""
    return [(_printable(t), _printable(s)) for t, s in mutated_chip(source).traits()[:-1]]


_XML = tuple(each for each in ODD if each.isprintable() and len(each) < 200)


def _printable(text: str) -> str:
    return "".join(each for each in text if each >= " " or each == "\t")
