"""Orders by counter: what a player types about units, actions and targets, as answers.

A unit goes by its number on the British Unit Roster, which is printed on its counter and never
changes; an area by its id; what is done there by a letter: ``23 XR g g`` is Sweeney's platoon to
the crossroads, grenade, grenade. Nothing here prints or reads; every front end may use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import plain_dashes
from asl_pbcg.st.procedures.german_guns import firing_choices
from asl_pbcg.st.procedures.gun_fire import Attack
from asl_pbcg.st.procedures.movement import Action
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.phase_situation import Situation

LETTERS: Final[Mapping[str, str]] = {
    "g": "grenade",
    "b": "into the bunker or out of it",
    "c": "clear the bunker",
    "k": "gammon bomb",
    "p": "prepare a position",
    "t": "take a weapon or POW",
    "d": "leave a weapon, hand over a POW",
}
"""The meaning of each letter in an order."""
UNIT_POINTS: Final = frozenset({"act", "declare"})
ACTION_POINTS: Final = frozenset({"action", "declare_action"})
FIRE_POINTS: Final = frozenset({"fire", "declare_fire"})
FIRER_POINTS: Final = frozenset({"opportunity_fire", "firers"})
ENDS: Final = ("end-phase", "end-declaration", "stop", "go-on")
"""The answers that end what is asked about."""
_AWAY: Final[Mapping[str, str]] = {
    "dead": "is dead",
    "pow": "is a prisoner",
    "left": "has left the map",
    "absent": "is not in this game",
    "waiting": "has not entered yet",
    "aboard": "is still in its glider",
    "pool": "is not in play yet",
    "wreck": "is wrecked",
}
"""The words for a unit that is not on the map, by its status."""


def number_of(sit: Situation, unit: str) -> str:
    """Return the number on the counter of a British unit; empty for others."""
    listed = sit.rules.roster.get(unit)
    return str(listed.roster) if listed else ""


def unit_numbered(sit: Situation, word: str) -> str:
    """Return the British unit with that number on its counter (or that id), or nothing."""
    if word in sit.rules.roster:
        return word
    return sit.rules.by_number.get(word, "")


def thing_word(id: str) -> str:
    """Return a weapon or POW as it is typed: ``mg1``, ``piat2``, ``powB3``."""
    return id.replace("-", "").replace("#", "").lower()


def end_of(decision: Decision) -> Any:
    """Return the answer that ends what is asked about: no more of it; None if there is none."""
    if decision.kind == "choose-some":
        return [] if decision.least == 0 else None
    return next((id for id in ENDS if id in decision.ids), None)


# -- actions ------------------------------------------------------------------------------


def action_words(sit: Situation, unit: str, legal: Iterable[Action]) -> dict[str, str]:
    """Return how each legal action is typed: from the action's id to its one word."""
    area = sit.units[unit].area
    words: dict[str, str] = {}
    for action in legal:
        kind, target = action.kind, action.target
        if kind in ("move", "arrow"):
            word = target
        elif kind == "grenade":
            word = "g" if target == area else f"g{target}"
        elif kind == "grenade-bunker":
            word = "gb"
        elif kind in ("enter-bunker", "leave-bunker"):
            word = "b"
        elif kind == "clear-bunker":
            word = "c"
        elif kind == "prepare-position":
            word = "p"
        elif kind == "gammon":
            word = "k" + ("" if sit.units[target].kind == "mercedes" else thing_word(target)[-1])
        else:
            word = ("t" if kind == "take" else "d") + thing_word(target)
        words[action.id] = word
    return words


def action_named(sit: Situation, unit: str, legal: Sequence[Action], word: str) -> str:
    """Return the action that ``word`` orders, or nothing if it orders none.

    A letter alone means the nearest thing it can mean: a grenade goes into the own area, then
    into the bunker there, then next door. Raises PBCGError where it could mean several.
    """
    wanted = word.lower()
    words = {typed.lower(): id for id, typed in action_words(sit, unit, legal).items()}
    if wanted in words:
        return words[wanted]
    if wanted not in LETTERS:
        return ""
    if wanted == "g" and "gb" in words:
        return words["gb"]
    meant = [typed for typed in words if typed.startswith(wanted) and _is_letter(typed, words)]
    if len(meant) > 1:
        raise PBCGError(f"{wanted} could be {' or '.join(sorted(meant))}: type one of them.")
    return words[meant[0]] if meant else ""


def _is_letter(typed: str, words: Mapping[str, str]) -> bool:
    """Tell whether a word orders something other than a move (whose word is the area's id)."""
    return not words[typed].startswith(("move ", "arrow "))


# -- targets ------------------------------------------------------------------------------


def attack_words(sit: Situation, legal: Sequence[Attack]) -> dict[str, str]:
    """Return how each attack is typed: the place of its target, with the weapon before it."""
    words: dict[str, str] = {}
    taken: dict[str, int] = {}
    for attack in legal:
        word = attack.target.place
        if attack.weapon:
            word = f"{thing_word(attack.weapon)}@{word}"
        if attack.aimed_weapon:
            word += f"/{thing_word(attack.aimed_weapon)}"
        taken[word] = taken.get(word, 0) + 1
        words[attack.id] = word if taken[word] == 1 else f"{word}.{taken[word]}"
    return words


def firer_word(sit: Situation, answer: str) -> str:
    """Return one who fires as he is typed: ``23``, or ``mg1+23`` for an MG he serves."""
    mg, _, unit = answer.rpartition("+")
    number = number_of(sit, unit)
    return f"{thing_word(mg)}+{number}" if mg else number


# -- a line of orders ---------------------------------------------------------------------


class Order(NamedTuple):
    """A typed line as it is read: the answer to this question, and the words that wait."""

    answer: str | list[str]
    rest: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    """The units of a stack, named one by one."""


def read_order(decision: Decision, line: str) -> Order | None:
    """The order in ``line`` as an answer to ``decision``; None if it is none that is known here.

    Raises PBCGError with a sentence where a word is ambiguous or fits nothing.
    """
    words = plain_dashes(line).split()
    if not words:
        return None
    if decision.id in UNIT_POINTS:
        return _unit_order(decision, words)
    if decision.id in ACTION_POINTS:
        return _action_order(decision, words)
    if decision.id in FIRE_POINTS:
        return _fire_order(decision, words)
    if decision.id in FIRER_POINTS:
        return _firer_order(decision, words)
    if decision.id == "stack":
        return Order(list(decision.ids)) if words == ["all"] else _counter_order(decision, words)
    if asks_for_counters(decision):
        return _counter_order(decision, words)
    return None


def asks_for_counters(decision: Decision) -> bool:
    """Tell whether the legal answers are British counters: units, perhaps weapons with them."""
    sit = decision.situation
    return any(id in sit.rules.roster for id in decision.ids) and all(
        id in sit.rules.roster or id in sit.weapons for id in decision.ids
    )


def counter_word(sit: Situation, id: str) -> str:
    """Return a counter as it is typed: the number of a unit, a weapon as ``piat1``."""
    return number_of(sit, id) or thing_word(id)


def _counter_order(decision: Decision, words: Sequence[str]) -> Order | None:
    sit = decision.situation
    by_word = {counter_word(sit, id): id for id in decision.ids}
    by_word |= {id.lower(): id for id in decision.ids}
    if [word.lower() for word in words] == ["none"]:
        return Order([]) if decision.kind == "choose-some" else None
    chosen = []
    for word in words:
        if word.lower() not in by_word:
            listed = ", ".join(counter_word(sit, id) for id in decision.ids)
            raise PBCGError(f"{_fault_of(sit, word, 'is not a choice here')}: type {listed}.")
        chosen.append(by_word[word.lower()])
    if decision.kind == "choose-some":
        return Order(chosen)
    if len(chosen) > 1:
        raise PBCGError(f"{' '.join(words)} are {len(chosen)}: name one of them.")
    return Order(chosen[0])


def _unit_order(decision: Decision, words: Sequence[str]) -> Order:
    sit = decision.situation
    units = _leading_units(sit, words)
    rest = tuple(words[len(units) :])
    if not units:
        return _place_order(decision, words)
    for unit in units:
        if unit not in decision.ids:
            raise PBCGError(_why_not(sit, unit))
    if len(units) == 1:
        return Order(units[0], rest)
    stack = f"stack {_common_place(sit, units)}"
    if stack not in decision.ids:
        raise PBCGError("Units that go together must stand in one place.")
    return Order(stack, rest, tuple(units))


def _leading_units(sit: Situation, words: Sequence[str]) -> list[str]:
    """Return the units that a line names before anything else."""
    return list(takewhile(bool, (unit_numbered(sit, word) for word in words)))


def _common_place(sit: Situation, units: Sequence[str]) -> str:
    """Return the place where units stand. Raises PBCGError where they stand in several."""
    places = {sit.units[unit].place for unit in units}
    if len(places) > 1:
        raise PBCGError("Units that go together must stand in one place.")
    return places.pop()


def _place_order(decision: Decision, words: Sequence[str]) -> Order:
    """Return an area in place of numbers: all who can act there, or the one who can."""
    if words[0].lower() == "stack" and len(words) > 1:
        words = words[1:]
    sit, word = decision.situation, words[0]
    by_word = {id.lower(): id for id in decision.ids}
    if word.lower() in by_word:
        return Order(by_word[word.lower()], tuple(words[1:]))
    if stack := by_word.get(f"stack {word.lower()}"):
        members = [
            id for id in decision.ids if id in sit.units and sit.units[id].place == stack[6:]
        ]
        return Order(stack, tuple(words[1:]), tuple(members))
    there = [
        id for id in decision.ids if id in sit.units and sit.units[id].area.lower() == word.lower()
    ]
    if len(there) == 1:
        return Order(there[0], tuple(words[1:]))
    raise PBCGError(
        f"{_fault_of(sit, word, 'is not a unit that can act')}: type the number on its counter, "
        "or an area for all who stand there."
    )


def _fault_of(sit: Situation, word: str, otherwise: str) -> str:
    """Return the fault of a word that names nothing here: no such number, else ``otherwise``."""
    if word.isdecimal() and not unit_numbered(sit, word):
        return f"No unit has the number {word}"
    return f'"{word}" {otherwise}'


def _why_not(sit: Situation, unit: str) -> str:
    """Return why a unit cannot act now, as a sentence."""
    ordered = sit.units[unit]
    name = ordered.name
    if ordered.status == "map":
        reason = "it is suppressed" if ordered.suppressed else "it has no MP left and nothing to do"
        return f"{name} cannot act now: {reason}."
    if ordered.status == "pool" and (platoon := sit.rules.platoon_of.get(unit)):
        return f"{name} cannot act now: {sit.units[platoon].name} is not split."
    if ordered.status == "pool" and any(
        sit.units[squad].status != "pool" for squad in sit.rules.squads.get(unit, ())
    ):
        return f"{name} cannot act now: it is split into squads."
    if ordered.status == "dead" and ordered.kind != "leader":
        return f"{name} is eliminated."
    return f"{name} {_AWAY[ordered.status]}."


def _action_order(decision: Decision, words: Sequence[str]) -> Order:
    sit = decision.situation
    by_word = {id.lower(): id for id in decision.ids}
    if found := by_word.get(" ".join(words).lower()):
        return Order(found)
    first, rest = words[0], tuple(words[1:])
    named = _leading_units(sit, words)
    if named and set(named) == set(decision.pieces):
        if len(named) == len(words):
            names = _names(decision)
            raise PBCGError(f"What should {names} do? Name an area or a letter.")
        return _action_order(decision, words[len(named) :])
    if named:
        # An order for others: this unit is done.
        for unit in named:
            if sit.units[unit].status != "map" or sit.units[unit].suppressed:
                raise PBCGError(_why_not(sit, unit))
        _common_place(sit, named)
        return Order("stop", tuple(words))
    if first == ".":
        return Order("stop", rest)
    if first.lower() in by_word:
        return Order(by_word[first.lower()], rest)
    legal = [choice for choice in decision.choices if isinstance(choice, Action)]
    if answer := action_named(sit, decision.pieces[0], legal, first):
        return Order(answer, rest)
    refused = next(
        (option for option in decision.options if option.id.lower().endswith(f" {first.lower()}")),
        None,
    )
    if refused is not None and refused.refused:
        raise PBCGError(f"{refused.refused} ({refused.rule})")
    raise PBCGError(
        f"{_fault_of(sit, first, f'is nothing that {_names(decision)} can do now')}: type an area "
        "or a letter of the list, or the number of another unit."
    )


def _names(decision: Decision) -> str:
    units = decision.situation.units
    return ", ".join(units[unit].name for unit in decision.pieces)


def _fire_order(decision: Decision, words: Sequence[str]) -> Order:
    sit = decision.situation
    by_word = {id.lower(): id for id in decision.ids}
    if answer := by_word.get(" ".join(words).lower()):
        return Order(answer)
    first, rest = words[0].lower(), tuple(words[1:])
    if first in by_word and by_word[first] in ENDS:
        return Order(by_word[first], rest)
    attack = _attack_named(decision, first)
    if attack is None:
        raise PBCGError(
            f'"{words[0]}" is not a target here: type a number of the list or a place, as B4.'
        )
    return Order(attack.id, _without_needless_firer(sit, attack, rest))


def _attack_named(decision: Decision, word: str) -> Attack | None:
    """Return the attack that goes by a number, an id or the place of its target."""
    attacks = [choice for choice in decision.choices if isinstance(choice, Attack)]
    if word.isdecimal() and len(word) < 5 and 1 <= int(word) <= len(attacks):
        return attacks[int(word) - 1]
    words = attack_words(decision.situation, attacks)
    fits = (attack for attack in attacks if word in (attack.id.lower(), words[attack.id].lower()))
    return next(fits, None)


def _without_needless_firer(
    sit: Situation, attack: Attack, words: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the words after a target as its question of who fires needs them.

    Nobody asks where only one can fire, so its number goes. Raises PBCGError for who cannot.
    """
    named = list(takewhile(names_firer, words))
    if not named:
        return words
    choices = firers_of(sit, attack)
    _read_firers(sit, choices, named)
    if attack.kind != "small-arms" and len(named) > 1:
        raise PBCGError(f"One unit fires {sit.weapons[attack.weapon].name}: name one.")
    return words[len(named) :] if len(choices) == 1 else words


def firers_of(sit: Situation, attack: Attack) -> dict[str, tuple[str, str]]:
    """Return the answers of who can fire in an attack, each with its unit and its MG."""
    if attack.kind != "small-arms":
        return {unit: (unit, "") for unit in attack.firers}
    return firing_choices(sit, [sit.units[unit] for unit in attack.firers])


def names_firer(word: str) -> bool:
    """Tell whether a word after a target says who fires: a number, ``mg1+23``, all or none."""
    return word.isdecimal() or "+" in word or word.lower() in ("all", "none")


def weighed_attacks(decision: Decision, line: str) -> list[tuple[Attack, list[str]]]:
    """Return the small-arms attacks whose odds ``line`` asks for, each with who fires.

    ``23`` is every target of unit 23, ``B4`` all who can fire at B4, ``B4 23 24`` both at B4.
    Raises PBCGError with a sentence where nobody named can fire so.
    """
    sit, words = decision.situation, line.split()
    attacks = [
        choice
        for choice in decision.choices
        if isinstance(choice, Attack) and choice.kind == "small-arms"
    ]
    if words and not names_firer(words[0]):
        attack = _attack_named(decision, words[0].lower())
        if attack is None or attack.kind != "small-arms":
            raise PBCGError(f'"{words[0]}" is not a target of small arms here.')
        choices = firers_of(sit, attack)
        named = [word.lower() for word in words[1:]] or ["all"]
        return [(attack, _read_firers(sit, choices, named))]
    weighed = []
    for attack in attacks:
        choices = firers_of(sit, attack)
        with suppress(PBCGError):
            weighed.append((attack, _read_firers(sit, choices, words or ["all"])))
    if not weighed:
        raise PBCGError(f"No target here can be fired at by {line or 'anybody'}.")
    return weighed


def _read_firers(
    sit: Situation, choices: Mapping[str, tuple[str, str]], words: Sequence[str]
) -> list[str]:
    """Return who fires by the words of their counters. Raises PBCGError for who cannot."""
    lowered = [word.lower() for word in words]
    if lowered == ["none"]:
        return []
    if lowered == ["all"]:
        return all_firers(choices)
    by_word = {firer_word(sit, answer).lower(): answer for answer in choices}
    able = ", ".join(sorted(by_word))
    by_word |= {answer.lower(): answer for answer in choices}
    for word in lowered:
        if word not in by_word:
            raise PBCGError(f'"{word}" cannot fire here: {able} can.')
    return [by_word[word] for word in lowered]


def _firer_order(decision: Decision, words: Sequence[str]) -> Order:
    _, choices = decision.choices
    return Order(_read_firers(decision.situation, choices, words))


def all_firers(choices: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return all who can fire, each MG served by one unit. Rule: ST-MGF-01, ST-MGF-03."""
    served: set[str] = set()
    firers = []
    for answer, (unit, mg) in choices.items():
        if not mg:
            firers.append(answer)
        elif mg not in served and unit not in served:
            served |= {mg, unit}
            firers.append(answer)
    return firers
