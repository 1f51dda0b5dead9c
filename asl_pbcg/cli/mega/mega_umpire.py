"""The lines of the umpire as commands: what each says, its options and its help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import typer

from asl_pbcg.cli.common import WholeHelp
from asl_pbcg.cli.mega.mega_line import LineCommand, LineOption, umpire_line
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest

_EPILOG: Final = """\b
Say what happens in any order of words:
  pbcg mega barrage 105 open veteran  a 105 mm battery, the target in the open
  pbcg mega b 105 o v -r 5            the same, short, with a real die of 5
  pbcg mega fire 6 rifles 10in at 8 green hard
  pbcg mega fire piat at tiger -m     and roll the morale check too
  pbcg mega morale vet -r 2
  pbcg mega house 3:veteran 2:elite   card fight; --play for hands of your own
Keep a table's log, with turns and casualties:
  pbcg mega run table3.mega           then type lines: unit, barrage, next ...
Dice: the program's, or yours with -r N and -d N,N, or asked for with --ask.
Short: b barrage, a air, k flak, f fire, v armour, x ambush, c assault,
h house, m morale."""


class _ShortGroup(WholeHelp):
    """A group whose commands may be called by their short names and beginnings."""

    short_names: Final = {
        "b": "barrage",
        "a": "air",
        "k": "flak",
        "f": "fire",
        "v": "armour",
        "armor": "armour",
        "x": "ambush",
        "c": "assault",
        "h": "house",
        "m": "morale",
        "n": "next",
        "u": "undo",
        "s": "status",
    }

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command ``cmd_name``, also shortened; None if there is none."""
        name = self.short_names.get(cmd_name.lower(), cmd_name.lower())
        if name not in self.commands:
            matches = [command for command in self.commands if command.startswith(name)]
            name = matches[0] if len(matches) == 1 else name
        return super().get_command(ctx, name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command as ever, but refuse an unknown one with one sentence and the nearest."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            hint = nearest(args[0], self.commands) or f"; there are {', '.join(self.commands)}"
            raise PBCGError(f'"{args[0]}" is not a line of the umpire{hint}.')
        name, command, arguments = super().resolve_command(ctx, args)
        return (command.name if command else name), command, arguments


app = typer.Typer(
    cls=_ShortGroup,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(epilog=_EPILOG)
def _mega() -> None:
    """Umpire a megagame table: the dice, what follows, and who must check morale."""


def _line(
    do: str, *options: LineOption, dice: bool = True
) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Make a command that settles lines of the kind ``do`` out of a function with its help."""
    settling = umpire_line(do, *options, dice=dice)
    return lambda documented: app.command(do, cls=LineCommand)(settling(documented))


# -- the lines that settle a fight --------------------------------------------------------

_AT = LineOption("at.name", ("--at", "--target"), "The target: unit or vehicle.", "WHO")
_BY = LineOption("by.name", ("--by",), "The unit that acts.", "UNIT")
_COVER = LineOption("cover", ("--cover",), "open, soft or hard.", "COVER")
_QUALITY = LineOption(
    "at.quality", ("--quality",), "Of the target: green, veteran, elite.", "QUALITY"
)
_FIGURES = LineOption("at.figures", ("--figures",), "Figures of the target.", "N")
_CALIBRE = LineOption("calibre", ("-c", "--calibre"), "Calibre in mm.", "MM")
_ROCKET = LineOption("bomb", ("--rocket",), "Rockets.", says="rocket")
_UNSEEN = LineOption("seen", ("--unseen",), "No HQ or spotter sees the target.", says=False)
_FLANK = LineOption("flank", ("--flank",), "Hits flank or rear.", says=True)
_GUNS = "light or heavy, and how far in inches."
_PEOPLE = (_AT, _BY, _QUALITY, _FIGURES)
_FIRING = (
    LineOption("weapon", ("-w", "--weapon"), "rifle, lmg, piat, 88 ...", "WEAPON"),
    LineOption("count", ("-n", "--number"), "How many weapons or figures fire.", "N"),
    LineOption("distance", ("--range",), "Distance in inches.", "IN"),
    LineOption("-shots", ("--shots",), "Your to-hit dice; they say how many.", "N,N"),
    LineOption("-rerolls", ("--rerolls",), "Your dice for hits on a building.", "N,N"),
    _COVER,
    LineOption("building", ("--building",), "The target is in a building.", says=True),
    LineOption("short", ("--short",), "Short range, if no distance is given.", says=True),
    _FLANK,
    LineOption("by.quality", ("--firer",), "Quality of who fires.", "QUALITY"),
    *_PEOPLE,
)


@_line("barrage", _CALIBRE, _COVER, _ROCKET, *_PEOPLE, _UNSEEN)
def barrage() -> None:
    """Artillery on one unit.

    Words: calibre (105, 25pdr), rocket, open | soft | hard, quality, vehicle, at NAME.

    \b
      barrage 105 open veteran         barrage 155 hard at "A Coy" 8
      barrage 25pdr tiger              barrage 105 open --mod -1 -b "ranging"
    """


@_line(
    "air",
    LineOption("bomb", ("--bomb",), "Bombs.", says="bomb"),
    _ROCKET,
    _CALIBRE,
    _COVER,
    LineOption("guns", ("--flak",), _GUNS, "KIND[:IN]"),
    *_PEOPLE,
    _UNSEEN,
)
def air() -> None:
    """Air attack on one unit, after the flak in reach.

    Words: bomb | rocket, open | soft | hard, quality, vehicle, at NAME, then flak and its guns.

    \b
      air bomb hard veteran            air rocket at tiger flak light 20 heavy 30
    """


@_line("flak", LineOption("guns", ("--gun",), _GUNS, "KIND[:IN]"))
def flak() -> None:
    """Flak alone, each weapon in reach.

    Words: light or heavy for each weapon, after it the distance in inches if it is in question.

    \b
      flak light light                 flak light 20 heavy 30
    """


@_line("fire", LineOption("moved", ("--moved",), "The firer moved.", says=True), *_FIRING)
def fire() -> None:
    """Direct fire: to hit, and what the hits do.

    Words: who fires, how many and with what; at, and who is hit; 10in; cover; building, short,
    moved, flank. Before "at" a quality is the firer's, after it the target's.

    \b
      fire 6 rifles 10in at 8 green hard         fire lmg --shots 7,9,3
      fire "A Coy" rifles at Grenadiers building fire 17pdr at panther flank
    """


@_line(
    "ambush",
    LineOption("covered", ("--no-cover",), "It holds no covered position.", says=False),
    LineOption("unseen", ("--seen",), "It has been seen.", says=False),
    LineOption("still", ("--moved",), "It moved in the turn before.", says=False),
    LineOption("in_front", ("--behind",), "The target is not in front of it.", says=False),
    *_FIRING,
)
def ambush() -> None:
    """Ambush fire on a unit that moves.

    The target checks morale, hit or not. Words as for fire. The ambush is taken to be lawful
    unless you say what is wrong with it.

    \b
      ambush mmg 12in at 8 veteran               ambush --shots 5,4
      ambush piat at half_track                  ambush 4 rifles at 6 green --seen
    """


@_line(
    "armour",
    LineOption("hits", ("--hits",), "How many hits; else one.", "N"),
    _FLANK,
    _AT,
    _QUALITY,
    LineOption("at.figures", ("--figures",), "Occupants of the vehicle.", "N"),
)
def armour() -> None:
    """An anti-armour hit on a vehicle.

    Words: light | medium | heavy or a weapon, the vehicle or NAME, number of hits, quality.

    \b
      armour light medium_tank         armour piat tiger veteran
      armour heavy panther 2           armour medium truck -d 5,8
    """


@_line(
    "assault",
    LineOption("by.quality", ("--quality",), "Of who assaults.", "QUALITY"),
    LineOption("contact", ("--figures",), "Figures in base contact.", "N"),
    LineOption("distance", ("--distance",), "Inches to the vehicle.", "IN"),
    _AT,
    _BY,
    LineOption("at.quality", ("--crew",), "Quality of the target.", "QUALITY"),
)
def assault() -> None:
    """Close assault on a vehicle by elite figures.

    Words: quality and figures of who assaults, 2in, then at and the vehicle with its quality.

    \b
      assault elite 4 2in half_track   assault "1 Para" at "Tiger 1"
    """


@_line(
    "morale",
    _AT,
    _QUALITY,
    LineOption("edge", ("--edge",), "Inches to the table's edge.", "IN"),
)
def morale() -> None:
    """Morale of one unit, or all checks that are due.

    Words: quality or NAME, vehicle.

    \b
      morale veteran                 morale green tiger 8in  (to the table's edge)
      morale "A Coy"                 morale                  (all that are due)
    """


@_line(
    "house",
    LineOption("-attackers", ("--attackers",), "+ for more.", "N:QUALITY"),
    LineOption("-defenders", ("--defenders",), "+ for more.", "N:QUALITY"),
    LineOption("house", ("--in",), "The building.", "NAME"),
    LineOption("-play", ("--play",), "Play a hand at the terminal.", says=True),
    LineOption("-as", ("--as",), "Yours, or both.", "SIDE"),
    LineOption("-cards", ("--cards",), "Real cards, as they fell.", "CARDS"),
    LineOption("-real", ("--real",), "Ask for each real card.", says=True),
    LineOption("deal", ("--deal",), "Only say how many cards to deal.", says=True),
    LineOption("-hand_a", ("--hand-a",), "Attackers' dealt cards.", "CARDS"),
    LineOption("-hand_d", ("--hand-d",), "Defenders' dealt cards.", "CARDS"),
)
def house() -> None:
    """House-to-house fight by cards, played or scored.

    Words: attackers, defenders (figures:quality or NAME), vs between several, in BUILDING.

    \b
      house 3:veteran 2:elite              the program plays both sides
      house 3:veteran 2:elite --play       you attack; --as both for two players
      house "A Coy" vs Grenadiers in Cafe  units of the table
      house 3v 2e --deal                   how many real cards each side is dealt
      house 3v 2e --cards "7H 7S KS"       score what was played, defenders first
    """


# -- the lines about the table ------------------------------------------------------------


@_line("unit", dice=False)
def unit() -> None:
    """Bring a unit to the table.

    Words: its name, side, quality, figures or vehicle; occupants of a soft-skin vehicle too.

    \b
      unit "A Coy" british veteran 9   unit "Tiger 1" german elite tiger
      unit Lorries allied green truck 6
    """


@_line("set", dice=False)
def set_unit() -> None:
    """Correct a unit by your word; needs --because.

    Words: NAME, then side, quality, figures, vehicle, or fights, routed, abandoned, knocked_out,
    destroyed, off_table; removed strikes out a unit that was named by mistake.

    \b
      set "A Coy" 6 -b "miscounted"    set Lorries fights -b "crew rallied"
      set Grendiers removed -b "mistyped"
    """


@_line("move", LineOption("text", ("--to",), "Where, for the log.", "TEXT"), dice=False)
def move() -> None:
    """Note that units moved.

    They fire as having moved, and cannot ambush next turn.

    \b
      move "A Coy" Lorries             move Grenadiers --to "the bridge"
    """


@_line("note", dice=False)
def note() -> None:
    """Put your own words into the log."""


@_line("next", dice=False)
def next_phase() -> None:
    """Go on to the next phase, a phase, or the next turn.

    \b
      next          next fire          next turn
    """
