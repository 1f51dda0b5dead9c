"""Permissions to correct facts of a campaign: a side alone, both together, or an umpire only.

``corrections`` in the module's ``campaign.yaml`` lists the paths. A side's correction is checked
against the campaign as that side knows it, so that no sentence depends on the other's secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from asl_pbcg.campaign.piece_names import Named, pieces_called, read_piece, short_name
from asl_pbcg.campaign.seen import view_for
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.corrections import NEW
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.refit.catalogue_questions import without_secret_answers
from asl_pbcg.refit.piece_restoring import TIES
from asl_pbcg.refit.sequence import CampaignGame, secret_of

ONE_SIDE, OWN_PIECE, WHATEVER = "SIDE", "PIECE", "*"
"""In a path of the list: the side itself, a piece of its own, any name."""


def parts_of(path: str) -> list[str]:
    """Return the parts of a path as players type it."""
    return [part for part in path.strip().split("/") if part]


def spell(path: str, value: Any, pieces: Sequence[Named], sees: str) -> tuple[str, Any]:
    """Return a correction with the pieces in it by id: pieces/A-3/possesses is pieces/b-648-3/...

    ``pieces`` are those that ``sees`` knows of. Raises PBCGError where a name is of two pieces.
    """
    root, *rest = parts_of(path) or [""]
    if not (rest and (root == "pieces" or (root == "bought" and rest[-1] == "unit"))):
        return path, value
    side = Side(sees) if sees in {*Side} else None

    def id_of(name: Any) -> Any:
        called = isinstance(name, str) and pieces_called(name, pieces, side)
        return read_piece(name, pieces, side).id if called else name

    if root == "bought":
        return path, id_of(value)
    if rest == [NEW]:
        new = (
            {**value, "id": id_of(value["id"])}
            if isinstance(value, dict) and "id" in value
            else value
        )
        return path, id_of(new)
    if rest[1:] and rest[1] in TIES:
        value = [id_of(each) for each in value] if isinstance(value, list) else id_of(value)
    return "/".join([root, id_of(rest[0]), *rest[1:]]), value


def corrects_alone(state: Campaign, side: Side, path: str) -> bool:
    """Return whether ``side`` may correct the fact at ``path`` without the other's agreement."""
    parts = parts_of(path)
    own = {piece.id for piece in state.of(side)}

    def fits(wanted: str, part: str) -> bool:
        if wanted == ONE_SIDE:
            return part == side.value
        return part in own if wanted == OWN_PIECE else wanted in (WHATEVER, part)

    listed = [entry.split("/") for entry in state.frame.corrections.alone]
    return any(len(entry) == len(parts) and all(map(fits, entry, parts)) for entry in listed)


def correction_as_known(state: Campaign, side: Side, path: str, value: Any) -> LogLine:
    """Return the line a correction by ``side`` would bring, from what that side may know.

    Raises PBCGError for a fact that a side can neither correct nor propose to correct, and for a
    value that does not fit.
    """
    root = (parts_of(path) or [""])[0]
    chart = state.frame.corrections
    if root not in chart.agreed and not corrects_alone(state, side, path):
        raise PBCGError(
            f"One side can neither correct {path} nor propose it: both together (without --as, "
            "or at the shared screen) or an umpire can. One side can propose: "
            f"{', '.join(sorted(chart.agreed))}."
        )
    known, game = known_state(state, side), CampaignGame(state.module)
    after, line = game.correct(known, path, value)
    try:
        game.check_correction(known, after)
    except FaultsError as error:
        raise _by_names(error.source, error.faults) from error
    return line


def _by_names(source: str, faults: Iterable[Fault]) -> FaultsError:
    """Return the faults with short names of pieces: pieces/A-3/possesses, LMG 3g."""

    def by_name(fault: Fault) -> Fault:
        where = "/".join(map(short_name, fault.where.split("/")))
        return fault._replace(where=where, value=short_name(fault.value))

    return FaultsError(source, map(by_name, faults))


def known_state(state: Campaign, side: Side) -> Campaign:
    """Return the campaign as ``side`` knows it; of ``determined`` only the areas are open."""
    known = without_secret_answers(view_for(state, side))
    own_gone = tuple(each for each in state.gone if each.piece.side is side)
    leads = state.frame.cpp_side is side
    return change(
        known,
        salt="",
        seen=None,
        gone=own_gone,
        accounts=(),
        occupants=None,
        answered_in_secret={},
        minefield_counters=(),
        cpp=state.cpp if leads else 0,
        groups=state.groups if leads else (),
        bought=tuple(each for each in state.bought if each.side is side),
        fpp={each: fpp for each, fpp in state.fpp.items() if each is side},
        dummies={each: count for each, count in state.dummies.items() if each is side},
        received_count={
            each: len(known.of(each)) + (len(own_gone) if each is side else 0)
            for each in state.sides
        },
    )


def visible_fault(state: Campaign, error: PBCGError, sees: str) -> PBCGError:
    """``error`` as ``sees`` (a side, the umpire, empty for both) may read it.

    Of faults in secret facts only that there are some.
    """
    if not isinstance(error, FaultsError):
        return error
    secret = [
        fault
        for fault in error.faults
        if sees != UMPIRE and secret_of(state, fault.where) not in ("", sees)
    ]
    faults = [fault for fault in error.faults if fault not in secret]
    if secret:
        faults.append(Fault("", "", "something that one side keeps secret does not fit either"))
    return _by_names(error.source, faults)
