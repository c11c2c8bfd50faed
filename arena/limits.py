"""What a match allows its bots. Every limit is a field here, and each game's record stores those it ran under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


class LimitsError(ValueError):
    """The limits make no sense; the text is one sentence."""


@dataclass(frozen=True)
class Limits:
    """The limits of a match, the same for every seat."""

    bank: float = 10.0
    """Seconds of its own thinking that a bot has for one game."""

    move_limit: float = 2.0
    """Seconds that one decision may take, while the bank lasts."""

    start_limit: float = 5.0
    """Seconds for loading the bot and making its object at the start of a game; not taken from the bank."""

    memory_mb: int = 256
    """Memory of a bot, swap and anything file-like included, in MB."""

    output_bytes: int = 1024 * 1024
    """What a bot may print in one game, both streams together, in bytes; more is the failure ``output``."""

    forfeit_after: int = 3
    """Failed games after which a version forfeits the rest of the match without being started."""

    pondering_seconds: float = 0.15
    """CPU seconds in a game beyond the time charged that are still taken for what the kernel does on a bot's behalf."""

    pondering_share: float = 0.1
    """The same as a share of the time charged; what exceeds both together is the failure ``pondering``."""

    overhead: float = 5.0
    """Seconds a seat and game that the platform's own work may take before the match is given up as our fault."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            whole = field.type == "int"
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
                raise LimitsError(
                    f"The limit {field.name} must be a {'whole number' if whole else 'number'}, not {value!r}."
                )
            if not 0 <= value < 1e9 or (value == 0 and not field.name.startswith("pondering")):
                raise LimitsError(f"The limit {field.name} must be a positive number, not {value!r}.")

    def game_seconds(self, players: int) -> float:
        """The longest that one game can take, in seconds, whatever its bots do."""
        return players * (self.start_limit + self.bank + self.overhead)

    def match_seconds(self, players: int, deals: int) -> float:
        """The longest that a match can take, in seconds, whatever its bots do: after it, the fault is ours."""
        return deals * players * self.game_seconds(players)

    def allows_cpu(self, used: float, charged: float) -> bool:
        """Whether a process that was charged ``charged`` seconds may have used ``used`` seconds of CPU."""
        return used <= charged * (1 + self.pondering_share) + self.pondering_seconds

    def to_json(self) -> dict[str, Any]:
        """Every limit, by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Limits:
        """The limits named in ``values``, the defaults for the rest. Raises :class:`LimitsError`."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(str(name) for name in values if name not in known)
        if unknown:
            raise LimitsError(f"There is no limit named {unknown[0]!r}; the limits are {', '.join(sorted(known))}.")
        return cls(**values)
