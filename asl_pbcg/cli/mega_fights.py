"""The umpire's lines that settle a fight: barrage to house, one function for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.mega_line import (
    LineCommand,
    Options,
    play_cards,
    typed_dice,
    umpire_line,
)
from asl_pbcg.kernel.errors import IllegalAnswer

if TYPE_CHECKING:
    from asl_pbcg.megagame.words import Said
else:
    Said = Any  # typer reads annotations, and the rules are loaded only when a line runs

app = typer.Typer(add_completion=False)

_AT = typer.Option("", "--at", "--target", metavar="WHO", help="The target: unit or vehicle.")
_BY = typer.Option("", "--by", metavar="UNIT", help="The unit that acts.")
_COVER = typer.Option([], "--cover", metavar="COVER", help="open, soft or hard.")
_QUALITY = typer.Option(
    "", "--quality", metavar="QUALITY", help="Of the target: green, veteran, elite."
)
_FIGURES = typer.Option("", "--figures", metavar="N", help="Figures of the target.")


def _words(said: Said, kind: str, key: str, word: str, label: str = "") -> None:
    """Note an option whose value is a word of the umpire."""
    from asl_pbcg.megagame.words import meaning

    if word:
        said.put(key, meaning(kind, word, said.get("table").settings, label))


def _number(said: Said, key: str, text: str, label: str) -> None:
    """Note an option whose value is a number; ``10in`` and ``105mm`` are understood."""
    from asl_pbcg.megagame.words import inches, whole_number

    if text:
        bare = text.lower().removesuffix("in").removesuffix("mm").removesuffix('"').strip()
        said.put(key, (inches if label == "distance" else whole_number)(bare, label))


def _people(said: Said, at: str = "", by: str = "", quality: str = "", figures: str = "") -> None:
    """Note who acts and who is the target; a vehicle's class may stand for the target."""
    from asl_pbcg.megagame.settings import plain_word
    from asl_pbcg.megagame.words import vocabulary

    table = said.get("table")
    for key, name in (("at", at), ("by", by)):
        unit = table.find(name) or table.begins_with(name) if name else None
        vehicles = vocabulary("vehicle", table.settings)
        if unit:
            said.put(f"{key}.name", unit.name)
        elif key == "at" and plain_word(name) in vehicles:
            said.put("at.vehicle", vehicles[plain_word(name)])
        elif name:
            said.put(f"{key}.name", name)
    _words(said, "quality", "at.quality", quality)
    _number(said, "at.figures", figures, "number of figures")


def _bombs(said: Said, calibre: str, bomb: bool, rocket: bool, cover: list[str]) -> None:
    _number(said, "calibre", calibre, "calibre")
    for flag, word in ((bomb, "bomb"), (rocket, "rocket")):
        if flag:
            said.put("bomb", word)
    for word in cover:
        _words(said, "cover", "cover", word)


@app.command(cls=LineCommand)
@umpire_line("barrage")
def barrage(
    said: Said,
    calibre: str = typer.Option("", "-c", "--calibre", metavar="MM", help="Calibre in mm."),
    cover: list[str] = _COVER,
    rocket: bool = typer.Option(False, "--rocket", help="Rockets."),
    at: str = _AT,
    by: str = _BY,
    quality: str = _QUALITY,
    figures: str = _FIGURES,
    unseen: bool = typer.Option(False, "--unseen", help="No HQ or spotter sees the target."),
) -> None:
    """Artillery on one unit.

    \b
    Words: calibre (105, 25pdr), rocket, open | soft | hard, quality, vehicle, at NAME.
      barrage 105 open veteran         barrage 155 hard at "A Coy" 8
      barrage 25pdr tiger              barrage 105 open --mod -1 -b "ranging shots"
    """
    _bombs(said, calibre, False, rocket, cover)
    _people(said, at, by, quality, figures)
    if unseen:
        said.put("seen", False)


@app.command(cls=LineCommand)
@umpire_line("air")
def air(
    said: Said,
    bomb: bool = typer.Option(False, "--bomb", help="Bombs."),
    rocket: bool = typer.Option(False, "--rocket", help="Rockets."),
    calibre: str = typer.Option("", "-c", "--calibre", metavar="MM", help="Its guns, in mm."),
    cover: list[str] = _COVER,
    flak: list[str] = typer.Option(
        [], "--flak", metavar="KIND[:IN]", help="light or heavy, and how far in inches."
    ),
    at: str = _AT,
    by: str = _BY,
    quality: str = _QUALITY,
    figures: str = _FIGURES,
    unseen: bool = typer.Option(False, "--unseen", help="No HQ or spotter sees the target."),
) -> None:
    """Air attack on one unit, after the flak in reach.

    \b
    Words: bomb | rocket, open | soft | hard, quality, vehicle, at NAME, then flak and its guns.
      air bomb hard veteran            air rocket at tiger flak light 20 heavy 30
    """
    _bombs(said, calibre, bomb, rocket, cover)
    _guns(said, flak)
    _people(said, at, by, quality, figures)
    if unseen:
        said.put("seen", False)


@app.command(cls=LineCommand)
@umpire_line("flak")
def flak(
    said: Said,
    gun: list[str] = typer.Option(
        [], "--gun", metavar="KIND[:IN]", help="light or heavy, and how far in inches."
    ),
) -> None:
    """Flak alone, each weapon in reach.

    \b
    Words: light or heavy for each weapon, after it the distance in inches if it is in question.
      flak light light                 flak light 20 heavy 30
    """
    _guns(said, gun)


def _guns(said: Said, typed: list[str]) -> None:
    from asl_pbcg.megagame.words import inches

    for text in typed:
        kind, _, distance = text.partition(":")
        if kind.strip().lower() not in ("light", "heavy"):
            raise IllegalAnswer(f'"{text}" is no flak: write light:20 or heavy:30.', "Flak")
        far = inches(distance) if distance else None
        said.put("guns", (kind.strip().lower(), far))


_SHOTS = typer.Option([], "--shots", metavar="N,N", help="Your to-hit dice; they say how many.")
_REROLLS = typer.Option([], "--rerolls", metavar="N,N", help="Your dice for hits on a building.")
_WEAPON = typer.Option("", "-w", "--weapon", metavar="WEAPON", help="rifle, lmg, piat, 88 ...")
_NUMBER = typer.Option("", "-n", "--number", metavar="N", help="How many weapons or figures fire.")
_RANGE = typer.Option("", "--range", metavar="IN", help="Distance in inches.")
_FIRER = typer.Option("", "--firer", metavar="QUALITY", help="Quality of who fires.")
_BUILDING = typer.Option(False, "--building", help="The target is in a building.")
_SHORT = typer.Option(False, "--short", help="Short range, if no distance is given.")
_FLANK = typer.Option(False, "--flank", help="Hits flank or rear.")


_FIRING: Options = {
    "weapon": (str, _WEAPON),
    "number": (str, _NUMBER),
    "distance": (str, _RANGE),
    "shots": (list[str], _SHOTS),
    "rerolls": (list[str], _REROLLS),
    "cover": (list[str], _COVER),
    "building": (bool, _BUILDING),
    "short": (bool, _SHORT),
    "flank": (bool, _FLANK),
    "firer": (str, _FIRER),
    "at": (str, _AT),
    "by": (str, _BY),
    "quality": (str, _QUALITY),
    "figures": (str, _FIGURES),
}


def _shots(said: Said, given: dict[str, Any]) -> None:
    _words(said, "weapon", "weapon", given["weapon"])
    _number(said, "count", given["number"], "number of firers")
    _number(said, "distance", given["distance"], "distance")
    _words(said, "quality", "by.quality", given["firer"])
    for word in given["cover"]:
        _words(said, "cover", "cover", word)
    for key in ("building", "short", "flank"):
        if given[key]:
            said.put(key, True)
    _people(said, given["at"], given["by"], given["quality"], given["figures"])
    shots = typed_dice(given["shots"])
    if shots:
        said.put("dice", len(shots))
    elif given["rerolls"]:
        raise IllegalAnswer("--rerolls goes with --shots; else type all dice in one --dice.")
    said.things["typed"] = [*given["shots"], *given["rerolls"]]


@app.command(cls=LineCommand)
@umpire_line("fire", more=_FIRING)
def fire(
    said: Said,
    more: dict[str, Any],
    moved: bool = typer.Option(False, "--moved", help="The firer moved."),
) -> None:
    """Direct fire: to hit, and what the hits do.

    \b
    Words: who fires, how many and with what; at, and who is hit; 10in; cover; building, short,
    moved, flank. Before "at" a quality is the firer's, after it the target's.
      fire 6 rifles 10in at 8 green hard         fire lmg --shots 7,9,3
      fire "A Coy" rifles at Grenadiers building fire 17pdr at panther flank
    """
    if moved:
        said.put("moved", True)
    _shots(said, more)


@app.command(cls=LineCommand)
@umpire_line("ambush", more=_FIRING)
def ambush(
    said: Said,
    more: dict[str, Any],
    uncovered: bool = typer.Option(False, "--no-cover", help="It holds no covered position."),
    seen: bool = typer.Option(False, "--seen", help="It has been seen."),
    moved: bool = typer.Option(False, "--moved", help="It moved in the turn before."),
    behind: bool = typer.Option(False, "--behind", help="The target is not in front of it."),
) -> None:
    """Ambush fire on a unit that moves.

    \b
    The target checks morale, hit or not. Words as for fire. The ambush is taken to be lawful
    unless you say what is wrong with it.
      ambush mmg 12in at 8 veteran               ambush --shots 5,4
      ambush piat at half_track                  ambush 4 rifles at 6 green --seen
    """
    for wrong, key in (
        (uncovered, "covered"),
        (seen, "unseen"),
        (moved, "still"),
        (behind, "in_front"),
    ):
        if wrong:
            said.put(key, False)
    _shots(said, more)


@app.command(cls=LineCommand)
@umpire_line("armour")
def armour(
    said: Said,
    hits: str = typer.Option("", "--hits", metavar="N", help="How many hits; else one."),
    flank: bool = _FLANK,
    at: str = _AT,
    quality: str = _QUALITY,
    figures: str = typer.Option("", "--figures", metavar="N", help="Occupants of the vehicle."),
) -> None:
    """An anti-armour hit on a vehicle.

    \b
    Words: light | medium | heavy or a weapon, the vehicle or NAME, number of hits, quality.
      armour light medium_tank         armour piat tiger veteran
      armour heavy panther 2           armour medium truck -d 5,8
    """
    _number(said, "hits", hits, "number of hits")
    if flank:
        said.put("flank", True)
    _people(said, at, "", quality, figures)


@app.command(cls=LineCommand)
@umpire_line("assault")
def assault(
    said: Said,
    quality: str = typer.Option("", "--quality", metavar="QUALITY", help="Of who assaults."),
    figures: str = typer.Option("", "--figures", metavar="N", help="Figures in base contact."),
    distance: str = typer.Option("", "--distance", metavar="IN", help="Inches to the vehicle."),
    at: str = _AT,
    by: str = _BY,
    crew: str = typer.Option("", "--crew", metavar="QUALITY", help="Quality of the target."),
) -> None:
    """Close assault on a vehicle by elite figures.

    \b
    Words: quality and figures of who assaults, 2in, then at and the vehicle with its quality.
      assault elite 4 2in half_track   assault "1 Para" at "Tiger 1"
    """
    _words(said, "quality", "by.quality", quality)
    _number(said, "contact", figures, "number of figures")
    _number(said, "distance", distance, "distance")
    _people(said, at, by, crew)


@app.command(cls=LineCommand)
@umpire_line("morale")
def morale(
    said: Said,
    at: str = _AT,
    quality: str = _QUALITY,
    edge: str = typer.Option("", "--edge", metavar="IN", help="Inches to the table's edge."),
) -> None:
    """Morale of one unit, or all checks that are due.

    \b
    Words: quality or NAME, vehicle.
      morale veteran                   morale green tiger 8in    (8 in. to the table's edge)
      morale "A Coy"                   morale                    (all that are due)
    """
    _number(said, "edge", edge, "distance")
    _people(said, at, "", quality)


@app.command(cls=LineCommand)
@umpire_line("house")
def house(
    said: Said,
    attackers: str = typer.Option("", "--attackers", metavar="N:QUALITY", help="+ for more."),
    defenders: str = typer.Option("", "--defenders", metavar="N:QUALITY", help="+ for more."),
    building: str = typer.Option("", "--in", metavar="NAME", help="The building."),
    play: bool = typer.Option(False, "--play", help="Play a hand at the terminal."),
    side: str = typer.Option("attackers", "--as", metavar="SIDE", help="Yours, or both."),
    cards: str = typer.Option("", "--cards", metavar="CARDS", help="Real cards, as they fell."),
    real: bool = typer.Option(False, "--real", help="Ask for each real card."),
    deal: bool = typer.Option(False, "--deal", help="Only say how many cards to deal."),
    hand_a: str = typer.Option("", "--hand-a", metavar="CARDS", help="Attackers' dealt cards."),
    hand_d: str = typer.Option("", "--hand-d", metavar="CARDS", help="Defenders' dealt cards."),
) -> None:
    """House-to-house fight by cards, played or scored.

    \b
    Words: attackers, defenders (figures:quality or NAME), vs between several, in BUILDING.
      house 3:veteran 2:elite                    the program deals and plays both sides
      house 3:veteran 2:elite --play             you play the attackers; --as both for two players
      house "A Coy" vs Grenadiers in Cafe        units of the table
      house 3v 2e --deal                         how many real cards each side is dealt
      house 3v 2e --cards "7H 7S KS"             score what was played, defenders first
    """
    from asl_pbcg.megagame.cards import read_cards
    from asl_pbcg.megagame.lines import as_side, house_words
    from asl_pbcg.megagame.typed import ListedCards

    groups = house_words(said.things["words"], bool(attackers), bool(defenders))
    for key, option, words in (
        ("attackers", attackers, groups[0]),
        ("defenders", defenders, groups[1]),
    ):
        said.things[key] = [*(part for part in option.split("+") if part), *words]
    if building or groups[2]:
        said.put("building", building or groups[2])
    if bool(hand_a) != bool(hand_d):
        raise IllegalAnswer("Give the cards of both hands: --hand-a and --hand-d.")
    if hand_a:
        said.put("hands", (read_cards(hand_a), read_cards(hand_d)))
    said.put("real", bool(cards or real))
    said.put("deal", deal)
    human = as_side(side)
    both = ("attackers", "defenders")
    if cards:
        said.things["answer"] = ListedCards(read_cards(cards))
    elif real or play:
        said.things["answer"] = play_cards(both if human == "both" or real else (human,))
