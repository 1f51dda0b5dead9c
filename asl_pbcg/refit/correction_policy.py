"""Permissions to correct facts of a campaign: a side alone, both together, or an umpire only.

``corrections`` in the module's ``campaign.yaml`` lists the paths. Whatever refuses a correction is
made from the campaign as those before the screen know it, so that no sentence depends on a secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_names import Named, pieces_called, read_piece, short_name
from asl_pbcg.campaign.state.seen import (
    OWN_FIELDS,
    as_shown,
    is_lost_in_secret,
    sides_that_look,
    view_for,
)
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.corrections import NEW
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit.corrections.piece_restoring import TIES
from asl_pbcg.refit.corrections.soundness import FIXED
from asl_pbcg.refit.helpers.catalogue_questions import without_secret_answers
from asl_pbcg.refit.sequence import (
    BY_SIDE,
    GERMAN_ALONE,
    UMPIRE_ALONE,
    CampaignGame,
    entry_name,
    listed_entry,
)

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


def correction_as_known(
    state: Campaign, sees: str, path: str, value: Any, alone: bool
) -> tuple[LogLine, str]:
    """Return the line a correction would bring, from what ``sees`` may know, and its full path.

    ``sees`` is a side, or empty for both together; ``alone`` says that a side acts for itself. In
    the full path numbers are those of the whole lists. Raises PBCGError for a fact that those may
    not correct, and for a value that does not fit.
    """
    view, game = known_state(state, sees), CampaignGame(state.module)
    if alone:
        _check_may_propose(view, Side(sees), path)
    full = _full_path(state, view, path)
    if not alone and (full is None or _is_kept(view, sees, full, state.seen is not None)):
        raise PBCGError(
            f"{path} is what one side keeps secret. It is corrected where that side alone looks, "
            "or by an umpire."
        )
    after, line = game.correct(view, path, value)
    try:
        game.check_correction(view, after)
    except FaultsError as error:
        raise _by_names(error.source, error.faults) from error
    return line, full or path


def _check_may_propose(view: Campaign, side: Side, path: str) -> None:
    """Refuse a fact that one side can neither correct nor propose. Raises PBCGError."""
    chart = view.frame.corrections
    root = (parts_of(path) or [""])[0]
    if root not in chart.agreed and not corrects_alone(view, side, path):
        raise PBCGError(
            f"One side can neither correct {path} nor propose it: both together (without --as, "
            "or at the shared screen) or an umpire can. One side can propose: "
            f"{', '.join(sorted(chart.agreed))}."
        )


def _is_kept(view: Campaign, sees: str, path: str, frozen: bool) -> bool:
    """Return whether those who look may not know a fact, whatever it is.

    While each side acts in secret (``frozen``) its pieces are its own. Raises FaultsError for what
    is not corrected at all.
    """
    root, *rest = parts_of(path) or [""]
    key, field = (*rest, "", "")[:2]
    if root in FIXED:
        raise FaultsError("The correction", [Fault(root, "", FIXED[root])])
    if root in GERMAN_ALONE:
        return sees != view.frame.cpp_side
    if root in BY_SIDE:
        return not key or key != sees
    if root == "bought":
        return not sees
    if root == "pieces" and key != NEW:
        owner = next((piece.side.value for piece in view.pieces if piece.id == key), sees)
        return not key or (owner != sees and (frozen or field in ("", *OWN_FIELDS)))
    return root in UMPIRE_ALONE


def _full_path(state: Campaign, view: Campaign, path: str) -> str | None:
    """Return a path by a number in a list of the view as a path in the state; None if none is."""
    root, *rest = parts_of(path) or [""]
    shown: Any = getattr(view, root, None) if root in view.__struct_fields__ else None
    entry = listed_entry(shown, rest[0]) if rest and isinstance(shown, tuple) else None
    if entry is None:
        return path  # the view refuses a number that is none of its list
    full, name = getattr(state, root), entry_name(entry)
    if not name and entry not in full:
        return None
    return "/".join([root, name or str(full.index(entry)), *rest[1:]])


def _by_names(source: str, faults: Iterable[Fault]) -> FaultsError:
    """Return the faults with short names of pieces: pieces/A-3/possesses, LMG 3g."""

    def by_name(fault: Fault) -> Fault:
        where = "/".join(map(short_name, fault.where.split("/")))
        return fault._replace(where=where, value=short_name(fault.value))

    return FaultsError(source, map(by_name, faults))


def known_state(state: Campaign, sees: str) -> Campaign:
    """Return the campaign as ``sees``, a side or both together, knows it.

    Of ``determined`` only the areas are open. The umpire knows all of it.
    """
    viewers = sides_that_look(sees)
    if not viewers:
        return state
    known = state
    for side in viewers:
        known = view_for(known, side)
    one = viewers[0] if len(viewers) == 1 else None
    gone = tuple(each for each in state.gone if each.piece.side is one)
    if one is None:
        gone = tuple(
            msgspec.structs.replace(each, piece=as_shown(each.piece))
            for each in state.gone
            if not is_lost_in_secret(state, each)
        )
    leads = state.frame.cpp_side is one
    return change(
        without_secret_answers(known),
        salt="",
        seen=None,
        gone=gone,
        accounts=(),
        occupants=None,
        answered_in_secret={},
        minefield_counters=(),
        cpp=state.cpp if leads else 0,
        groups=state.groups if leads else (),
        bought=tuple(purchase for purchase in state.bought if purchase.side is one),
        fpp={each: fpp for each, fpp in state.fpp.items() if each is one},
        dummies={each: count for each, count in state.dummies.items() if each is one},
        received_count={
            side: len(known.of(side)) + sum(lost.piece.side is side for lost in gone)
            for side in state.sides
        },
    )


def named_fault(error: PBCGError) -> PBCGError:
    """Return ``error`` with short names of pieces in it."""
    return _by_names(error.source, error.faults) if isinstance(error, FaultsError) else error
