"""The options of the game, and the rulesets that have a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_type_hints

CUSTOM: Final = "custom"


class RulesetError(ValueError):
    """The options make no game; the sentence says which and what to do."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One way of playing Durak. The defaults are those of the preset `podkidnoy`.

    Vary a preset with `dataclasses.replace(PRESETS["podkidnoy"], transfer=True)`. RulesetError on a value that an
    option does not have. A ruleset that bears a preset's name without having its options is renamed "custom".
    """

    name: str = CUSTOM
    """What to call it: 1 to 80 characters. It takes no part in the game."""
    teams: Literal["none", "pairs"] = "none"
    """Whether the seats opposite each other, 0+2 and 1+3, play as partners."""
    transfer: bool = False
    """Whether the defender may transfer the attack to the next seat."""
    lead: Literal["single", "group"] = "single"
    """Whether the attacker leads one card, or may lead several of one rank."""
    throw_in_who: Literal["all", "neighbours", "attacker", "attacker_below_four"] = "all"
    """Who may throw in: everyone; the attacker and the next seat still in after the defender; the attacker alone; the
    attacker alone with two or three players and everyone with four or more."""
    throw_in_ranks: Literal["any", "lead", "lead_from_four"] = "any"
    """Which ranks may be thrown in: any that lies on the table; that of the lead alone; that of the lead alone with
    four or more players and any with two or three."""
    throw_in_before_defence: bool = True
    """Whether a throw-in window opens right after the lead or transfer, or only when all is beaten."""
    throw_in_on_take: bool = True
    """Whether a last throw-in window opens when the defender takes."""
    attack_cap: int = 6
    """How many attack cards a bout may have, 1 to 36."""
    first_bout_cap: int = 5
    """The same for the first bout of the game."""
    draw_order: Literal["clockwise", "joining"] = "clockwise"
    """Who draws first: clockwise from the attacker, or in the order of joining the attack. The defender is last."""
    first_attacker: Literal["lowest_trump", "left_of_dealer"] = "lowest_trump"
    """Who leads first: the holder of the lowest trump, or seat 0."""
    result: Literal["last_is_fool", "first_out_wins"] = "last_is_fool"
    """What the game is played for."""
    stalemate_takes: int | None = 40
    """After how many bouts running that end in a take, with the talon empty and nobody going out, the game is a
    stalemate; None: never."""
    bout_limit: int = 500
    """After how many bouts the game ends whatever happens, 1 to 10000."""

    def __post_init__(self) -> None:
        for option, choices in _CHOICES.items():
            value = getattr(self, option)
            if not (isinstance(value, str) and value in choices):
                raise RulesetError(f"{option} is one of {', '.join(choices)}, not {value!r}")
        for option in _SWITCHES:
            if not isinstance(getattr(self, option), bool):
                raise RulesetError(f"{option} is True or False, not {getattr(self, option)!r}")
        for option, top in _NUMBERS.items():
            value = getattr(self, option)
            if value is None and option == "stalemate_takes":
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= top:
                none = " or None" if option == "stalemate_takes" else ""
                raise RulesetError(f"{option} is a whole number from 1 to {top}{none}, not {value!r}")
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= 80:
            raise RulesetError("name is a text of 1 to 80 characters")
        preset = PRESETS.get(self.name)
        if preset is not None and self.options() != preset.options():
            object.__setattr__(self, "name", CUSTOM)

    @property
    def players(self) -> range:
        """How many may play."""
        return range(4, 5) if self.teams == "pairs" else range(2, 7)

    def check_players(self, players: int) -> None:
        """RulesetError unless this ruleset can be played by `players`."""
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            wanted = "exactly four" if self.teams == "pairs" else "two to six"
            why = "pairs are played by" if self.teams == "pairs" else "Durak is played by"
            raise RulesetError(f"{why} {wanted}, not {players!r}")

    def options(self) -> dict[str, Any]:
        """Every option by its name, without the ruleset's own name."""
        return {option: value for option, value in asdict(self).items() if option != "name"}

    def to_json(self) -> dict[str, Any]:
        """The name and every option."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> Ruleset:
        """The ruleset of what `to_json` gave; RulesetError when an option is missing, unknown or has no such value."""
        if not isinstance(data, Mapping):
            raise RulesetError("A ruleset is an object with every option by name")
        names = [field.name for field in fields(cls)]
        unknown = [str(name) for name in data if name not in names]
        if unknown:
            raise RulesetError(f"A ruleset has no option {unknown[0][:40]!r}")
        missing = [name for name in names if name not in data]
        if missing:
            raise RulesetError(f"The ruleset lacks {', '.join(missing)}")
        return cls(**data)


_SWITCHES: Final = ("transfer", "throw_in_before_defence", "throw_in_on_take")
_NUMBERS: Final = {"attack_cap": 36, "first_bout_cap": 36, "stalemate_takes": 10_000, "bout_limit": 10_000}
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    option: get_args(hint)
    for option, hint in get_type_hints(Ruleset).items()
    if get_args(hint) and isinstance(get_args(hint)[0], str)
}

_named: dict[str, Ruleset] = {}
PRESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(_named)
"""The rulesets that have a name, by it."""

_FIRST_OUT: Final[dict[str, Any]] = {
    "first_bout_cap": 6,
    "draw_order": "joining",
    "result": "first_out_wins",
    "stalemate_takes": None,
}
_LEAD_RANK: Final[dict[str, Any]] = {
    "lead": "group",
    "throw_in_who": "attacker_below_four",
    "throw_in_ranks": "lead_from_four",
    "throw_in_before_defence": False,
    "first_bout_cap": 6,
    "stalemate_takes": None,
}

for _preset in (
    Ruleset(name="podkidnoy"),
    Ruleset(name="perevodnoy", transfer=True),
    Ruleset(name="podkidnoy-first-out", **_FIRST_OUT),
    Ruleset(name="perevodnoy-first-out", transfer=True, **_FIRST_OUT),
    Ruleset(name="podkidnoy-lead-rank", **_LEAD_RANK),
    Ruleset(name="perevodnoy-lead-rank", transfer=True, **_LEAD_RANK),
    Ruleset(name="pairs", teams="pairs", **_LEAD_RANK),
):
    _named[_preset.name] = _preset
