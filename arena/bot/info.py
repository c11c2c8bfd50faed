"""What a bot is told once, before the first move of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from arena.durak import Card, Ruleset


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The game that is about to begin, as one seat knows it."""

    ruleset: Ruleset
    players: int
    """How many seats there are, numbered from 0 clockwise."""
    seat: int
    """The bot's own seat."""
    partner: int | None
    """The seat that plays with it; None without teams."""
    trump: str
    """The trump suit: c, d, h or s."""
    turn_up: Card
    """The card that shows trump: last of the talon, or with six players the last card dealt, in seat 5's hand."""
    first_attacker: int
    """The seat that leads the first bout."""
    bank: float
    """Seconds of its own thinking that the bot has for the game."""
    move_limit: float
    """Seconds that one decision may take."""

    def to_wire(self) -> dict[str, Any]:
        """The information as a JSON object."""
        wire = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**wire, "ruleset": self.ruleset.to_json(), "turn_up": str(self.turn_up)}

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> GameInfo:
        """What `to_wire` wrote; an error when a field is missing or unknown."""
        read = {"ruleset": Ruleset.from_json(data["ruleset"]), "turn_up": Card(data["turn_up"])}
        return cls(**{**data, **read})
