"""British Fire Phase: small arms, captured MGs, PIATs, a captured AT gun. Rule: ST-SEQ-11."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import partial

from asl_pbcg.kernel.prompts import Option, Script, ask, ask_some
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.british.british_options import attack_options, attack_text, attack_topic
from asl_pbcg.st.british.declared import coordination_lost
from asl_pbcg.st.procedures.fire import Target, places_in_reach, shoot, target_name, targets_at
from asl_pbcg.st.procedures.garrisons import alarm, attack_unit, british_fires
from asl_pbcg.st.procedures.german_guns import (
    british_volley,
    firer_option,
    firing_choices,
    one_gun_each,
)
from asl_pbcg.st.procedures.gun_fire import (
    Attack,
    Gun,
    attacks,
    captured_at_gun,
    fire_guns,
    fire_piat,
    first_shot_at_head,
    remember_target,
)
from asl_pbcg.st.procedures.tanks import panic_test
from asl_pbcg.st.state.decision import Decision, decide, note, unit_option
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation

END = "end-phase"


def british_fire(rules: Rules, state: State) -> Script[State]:
    """The whole phase: attack by attack, or all declared first. Rule: ST-FIR-03, ST-HQU-02."""
    sit = Situation(rules, state)
    close = places_in_reach(sit, BRITISH)
    if not close and not captured_at_gun(sit):
        return sit.end()
    used: set[str] = set()
    plan: list[Attack] = []
    if coordination_lost(sit):
        while attack := (yield from _choose(sit, attacks(sit, used, close), used, "declare_fire")):
            plan.append(attack)
        yield from _carry_out_declared(sit, plan)
    else:
        while attack := (yield from _choose(sit, attacks(sit, used, close), used, "fire")):
            plan.append(attack)
            yield from carry_out(sit, attack)
    return sit.end()


def _carry_out_declared(sit: Situation, declared: Iterable[Attack]) -> Script[None]:
    plan = list(declared)
    while plan:
        ids = tuple(f"attack-{number}" for number in range(1, len(plan) + 1))
        shown = tuple(plan)

        answer = ids[0]
        if len(plan) > 1:
            answer = yield from ask(
                decide(
                    "carry_out_fire",
                    "Which declared attack is carried out next?",
                    rule="ST-HQU-03",
                    situation=sit,
                    ids=ids,
                    choices=shown,
                    build=partial(_plan_options, sit, ids, shown),
                    default=ids[0],
                )
            )
        yield from carry_out(sit, plan.pop(ids.index(answer)))


def _plan_options(sit: Situation, ids: Sequence[str], attacks: Sequence[Attack]) -> list[Option]:
    return [
        Option(id, attack_text(sit, each), topic=attack_topic(sit, each))
        for id, each in zip(ids, attacks, strict=True)
    ]


# -- choosing ---------------------------------------------------------------------------


def _choose(
    sit: Situation, legal: Sequence[Attack], used: set[str], point: str
) -> Script[Attack | None]:
    """The next attack with its firers, or None; who fires is marked. Rule: ST-FIR-02."""
    if not legal:
        return None
    ids = [attack.id for attack in legal]
    ids.append(END)
    answer = yield from ask(
        decide(
            point,
            "What do the British fire at?",
            rule="ST-FIR-03",
            widget="targets",
            situation=sit,
            ids=ids,
            choices=legal,
            build=lambda: attack_options(sit, legal),
        )
    )
    if answer == END:
        return None
    attack = legal[ids.index(answer)]
    if attack.kind == "small-arms":
        firers = yield from _small_arms_firers(sit, attack)
        used.add(attack.target.id)
        for unit, mg in firer_pairs(firers).values():
            sit.shots.add(unit)
            if mg:
                sit.shots.add(mg)
        return attack._replace(firers=tuple(firers))
    firer = attack.firers[0]
    if len(attack.firers) > 1:
        firer = yield from ask(_firer_decision(sit, attack))
    sit.shots.add(attack.weapon)
    if attack.kind == "piat":
        sit.shots.add(firer)
    else:
        sit.at_crews.add(firer)
    return attack._replace(firers=(firer,))


def firer_pairs(answers: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return each answer with the unit and the MG (empty for small arms) that it names."""
    pairs = {}
    for answer in answers:
        mg, _, unit = answer.rpartition("+")
        pairs[answer] = (unit, mg)
    return pairs


def _small_arms_firers(sit: Situation, attack: Attack) -> Script[list[str]]:
    choices = firing_choices(sit, [sit.units[unit] for unit in attack.firers])
    if len(choices) == 1:
        return list(choices)
    plain = [answer for answer, (_, mg) in choices.items() if not mg]
    target = attack.target

    def draw(source: random.Random) -> list[str]:
        return source.sample(plain, source.randint(1, len(plain)))

    answers = yield from ask_some(
        decide(
            "firers",
            f"Who fires at {target_name(sit, target)}? All combine.",
            rule="ST-FIR-05",
            situation=sit,
            ids=tuple(choices),
            choices=(target, choices),
            pieces=target.units,
            build=lambda: [firer_option(sit, answer, choices, target) for answer in choices],
            kind="choose-some",
            least=1,
            verify=one_gun_each(choices),
            draw=draw,
            help="An MG+unit fires the MG; name the unit too and it adds its small arms at -1 SP.",
        )
    )
    return answers


def _firer_decision(sit: Situation, attack: Attack) -> Decision:
    return decide(
        "firer",
        f"Who fires {sit.weapons[attack.weapon].name}?",
        rule="ST-PIA-03" if attack.kind == "piat" else "ST-TAT-07",
        situation=sit,
        ids=attack.firers,
        choices=(attack,),
        pieces=(attack.weapon,),
        build=lambda: [unit_option(sit, id) for id in attack.firers],
        default=attack.firers[0],
    )


# -- carrying out -----------------------------------------------------------------------


def carry_out(sit: Situation, attack: Attack) -> Script[None]:
    """Resolve a declared attack; on a target that is gone it is wasted. Rule: ST-HQU-03."""
    target = attack.target
    units = sit.units
    alive = tuple(
        [id for id in target.units if units[id].status == "map" and units[id].place == target.place]
    )
    if not alive:
        yield note(sit, "The target is gone: the attack is wasted.", "ST-HQU-03")
        return
    if len(alive) < len(target.units):
        target = Target(target.place, alive)
    if attack.kind == "small-arms":
        yield from _fire_small_arms(sit, attack, target)
    elif attack.kind == "piat":
        yield from british_fires(sit, attack.firers[0])
        remember_target(sit, attack.firers[0], target.id)
        yield from attack_unit(sit, target.id)
        yield from fire_piat(sit, attack.weapon, attack.firers[0], target.id)
    else:
        yield from _fire_at_gun(sit, attack, target)


def _fire_small_arms(sit: Situation, attack: Attack, target: Target) -> Script[None]:
    choices = firer_pairs(attack.firers)
    volley = british_volley(sit, attack.firers, choices)
    for unit in sorted(volley.units):
        yield from british_fires(sit, unit)
    spread = []
    if volley.mg:
        spread = [t for t in targets_at(sit, GERMAN, target.place) if t.id not in target.units]
    hit = True
    for each in (target, *spread):
        for unit in each.units:
            real = yield from attack_unit(sit, unit)
            hit = hit and (real or each is not target)
    if not hit or volley.sp <= 0:
        return
    spread = [t for t in spread if all(sit.units[u].status == "map" for u in t.units)]
    gunners = {unit for unit, mg in choices.values() if mg}
    yield from shoot(sit, volley, target, spread=spread, gunners=gunners)


def _fire_at_gun(sit: Situation, attack: Attack, target: Target) -> Script[None]:
    crew = attack.firers[0]
    yield from british_fires(sit, crew)
    remember_target(sit, crew, attack.aimed_weapon or target.id)
    head = first_shot_at_head(sit, "" if attack.aimed_weapon else target.id)
    if attack.aimed_weapon:
        sit.attacked = True
        yield from alarm(sit, target.id)
    else:
        real = True
        for unit in target.units:
            real = (yield from attack_unit(sit, unit)) and real
        if not real:
            return
    gun = Gun(attack.weapon, sit.weapons[attack.weapon].area, crew)
    yield from fire_guns(sit, [gun], target, attack.aimed_weapon)
    if head and sit.units[target.id].status == "wreck":
        yield from panic_test(sit)
