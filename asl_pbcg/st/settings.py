"""The settings of a game: set-up, difficulty, and the readings of doubtful rules.

``data/st/rulings.yaml`` says for each reading what the choices are, the default and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from asl_pbcg.kernel.rulings import Register
from asl_pbcg.st.area_terms import Difficulty, Mode


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of one game; question, choices, default and reason stand in ``rulings.yaml``.

    ``mode`` and ``difficulty`` are asked when the game begins if they are empty. Defaults stand
    here too because a stored state leaves them out.
    """

    mode: Mode | Literal[""] = ""
    difficulty: Difficulty | Literal[""] = ""

    german: Literal["rules", "resolute"] = "rules"
    fire_table: Literal["trailing_lost", "leading_lost", "trailing_lost_literal_tank"] = (
        "trailing_lost"
    )
    german_leader_fire_drm: Literal[-1, 1] = -1
    square_landing: Literal["automatic", "circle"] = "automatic"
    gammon_uses: Literal[2, 3] = 3
    garrison_sp: Literal[3, 4, 5] = 4
    infantry_sp: Literal[4, 6, 7, 8] = 8
    german_tanks: Literal[4, 5, 6, 8] = 6
    german_infantry: Literal[10, 12, 14] = 12
    german_entry_turns: Literal["text", "sequence"] = "text"
    british_entry_turns: Literal["table", "text"] = "table"
    optional_british_table: bool = False
    flight_area_exit: Literal["arrows", "stay"] = "arrows"
    hexagon_link: Literal["a", "b"] = "b"
    must_load_all: bool = True
    crash_losses: Literal["player", "random"] = "player"
    lost_glider_units_killed: bool = False
    forward_sideways: Literal[1, 2, 100] = 2
    arrow_roll: Literal["each_area", "once"] = "each_area"
    crash_drm: Literal["landed_before", "all"] = "landed_before"
    piat_leader_drm: bool = True
    wounded_leader_h2h: Literal["both", "british", "printed", "no_bonus"] = "both"
    leaders_alone_loss: Literal["each", "one", "killed"] = "each"
    half_loss_counts_leaders: bool = True
    garrison_holds_weapon: bool = False
    priday_commands: Literal["nobody", "all"] = "nobody"
    schmidt_waits_in_pillbox: bool = True
    open_drm_in_bunker: bool = False
    dashed_lines_adjacent: bool | Literal["fire"] = True
    sight_radius: Literal[12, 24, 36] = 24
    stack_opportunity_fire: Literal["each", "one"] = "each"
    tanks_opportunity_fire: bool = False
    tank_at_drm: Literal["none", "small_arms"] = "none"
    mixed_range_fire: Literal["any", "all"] = "any"
    bunker_hand_to_hand: bool = False
    bunker_opportunity_fire: bool = True
    attack_activates: bool = True
    demolition_window: Literal["strict", "rolling"] = "strict"
    fire_release: Literal["force", "unit"] = "force"
    spotting: Literal["both", "fire"] = "both"
    chit_tanks_march: bool = True
    hq_loss: Literal["killed", "none_left"] = "killed"
    mercedes_vp: Literal[0, 1, 2] = 0
    coffin_counts: bool = True
    wreck_blocks_road: bool = True
    pillbox_is_bunker: bool = False
    grenade_wrecks_mercedes: Literal["loss", "hard"] = "hard"
    hidden_chit: bool = True
    control: Literal["alone", "last_in"] = "alone"
    turn_5_roll: bool = False
    mg_opportunity_fire: Literal["movers", "all"] = "movers"
    vehicle_cover: Literal["fire", "all"] = "fire"
    leaders_with_e: Literal["killed", "roll"] = "killed"
    one_weapon_per_unit: bool = False
    schmidt_vp: Literal["captured", "held"] = "captured"

    @property
    def historical(self) -> bool:
        """Whether the historical forces play (with or without glider 4)."""
        return self.mode in {"historical", "full_history"}


def _check(settings: Settings) -> Iterator[tuple[str, str]]:
    if settings.historical and settings.difficulty in ("medium", "hard"):
        yield "difficulty", "is for variable games; history is easy"


ST_RULINGS: Final = Register("st", Settings, _check)
"""Where the rules are open: what is played, and the settings that a player may choose."""
