"""Worked examples for the rules pages: positions that are set up and played on the engine.

Each says which rulesets it belongs to, what must be legal after which moves, and what must hold at the end, so that the
prose around it, which is written by hand in every language, rests on something that is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arena.durak import Ending, Game, Position, Ruleset


@dataclass(frozen=True, slots=True)
class Example:
    """A position and what happens in it."""

    key: str
    """Its name; the prose stands under ``example.<key>``."""
    applies: Callable[[Ruleset], bool]
    """Whether it shows something about such a ruleset."""
    hands: Sequence[str]
    """The cards of each seat, A first."""
    position: dict[str, Any] = field(default_factory=dict)
    """What else is to be said about the position (see `arena.durak.Position`)."""
    trump: str = "h"
    steps: Sequence[tuple[Sequence[str], Sequence[str] | None]] = ()
    """Moves to play, then what is legal (None: it does not matter), and so on."""
    holds: Callable[[Game], bool] = lambda game: game.result is None
    """What is true at the end."""

    def start(self, ruleset: Ruleset) -> Game:
        """Set the position up. Seats of pairs that the example leaves out get cards that it does not name.

        Limits on the length of a game are no example's subject, and a very short one must not cut it off.
        """
        endless = replace(ruleset, name="custom", stalemate_takes=None, bout_limit=500)
        hands = list(self.hands)
        if ruleset.teams == "pairs" and len(hands) < 4:
            named = " ".join([*hands, *map(str, self.position.values())])
            spare = [card for card in _DECK if card not in named]
            hands += [" ".join(spare[:3]), " ".join(spare[3:6])]
        return Game.from_position(Position(endless, hands, self.trump, **self.position))

    def legal(self, ruleset: Ruleset) -> list[list[str]]:
        """Play the steps and return what is legal after each, as move texts."""
        game = self.start(ruleset)
        found = []
        for moves, _ in self.steps:
            for move in moves:
                game.play(move)
            found.append([str(move) for move in game.legal_moves()])
        return found

    def end(self, ruleset: Ruleset) -> Game:
        """Play all moves and return the game."""
        game = self.start(ruleset)
        for moves, _ in self.steps:
            for move in moves:
                game.play(move)
        return game


def _every(ruleset: Ruleset) -> bool:  # noqa: ARG001 - one of several conditions
    return True


def _single(ruleset: Ruleset) -> bool:
    return ruleset.teams == "none"


def _any_rank(ruleset: Ruleset) -> bool:
    """Whether any rank may be thrown in when two play."""
    return _single(ruleset) and ruleset.throw_in_ranks != "lead"


def _joining(order: str) -> Callable[[Ruleset], bool]:
    def applies(ruleset: Ruleset) -> bool:
        everybody = ruleset.throw_in_who in {"all", "attacker_below_four"}
        return _single(ruleset) and everybody and ruleset.draw_order == order and ruleset.attack_cap >= 3

    return applies


def _transfers(ruleset: Ruleset) -> bool:
    return _single(ruleset) and ruleset.transfer and ruleset.attack_cap >= 2


# Cards for seats of which the example says nothing.
_DECK: Final = [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]
_SPARE: Final = "Jd Qd Kd"

_DRAWING: Final[dict[str, Any]] = {
    "hands": ("Jd Qd Kd Jc Qc", "8s 9s Kc", "Th Td Tc Ts 9c", "Jh Qh Kh Js Qs"),
    "position": {"talon": "Ad Ah", "table": "6c/7c 6d/7d 6s/7s", "laid_by": (0, 3, 2), "cap": 6},
    "steps": ((("pass", "pass", "pass"), None),),
}

EXAMPLES: Final = (
    Example(
        "lead-single",
        lambda r: r.lead == "single",
        ("6c 6d 6s 9c Kh Ah", "7c 7d 7s 8c 8d 8s"),
        steps=(((), ("6c", "6d", "6s", "9c", "Kh", "Ah")),),
    ),
    Example(
        "lead-group",
        lambda r: r.lead == "group" and r.attack_cap >= 3,
        ("6c 6d 6s 9c Kh Ah", "7c 7d 7s 8c 8d 8s"),
        steps=(((), ("6c", "6d", "6s", "6c+6d", "6c+6s", "6d+6s", "6c+6d+6s", "9c", "Kh", "Ah")),),
    ),
    Example(
        "beat",
        _every,
        (_SPARE, "Ts 6d Ah 9c"),
        {"table": "8s"},
        trump="d",
        steps=(((), ("8s/Ts", "8s/6d", "take")),),
    ),
    Example(
        "beat-trump",
        _every,
        (_SPARE, "Ah Qh As"),
        {"table": "Kh"},
        steps=(((), ("Kh/Ah", "take")),),
    ),
    Example(
        "beat-group",
        lambda r: r.lead == "group" and r.attack_cap >= 2,
        ("Jc Qc Kc", "Ts 6d"),
        {"table": "8s 8h"},
        trump="d",
        steps=(
            ((), ("8s/Ts", "8h/6d", "8s/6d", "take")),
            (("8s/6d",), ("take",)),
        ),
    ),
    Example(
        "throw-any",
        lambda r: _any_rank(r) and r.attack_cap >= 2,
        ("8d Tc 9h Qs", "Jc Qc Kc"),
        {"table": "8s/Ts"},
        steps=(((), ("8d", "Tc", "pass")),),
    ),
    Example(
        "throw-lead",
        lambda r: r.throw_in_ranks in {"lead", "lead_from_four"} and r.attack_cap >= 2,
        ("8d Tc 9h Qs", "Jc Qc Kc", "7c 7d 7s", "6c 6d 6s"),
        {"table": "8s/Ts"},
        steps=(((), ("8d", "pass")),),
    ),
    Example(
        "cap",
        lambda r: r.attack_cap >= 2,
        ("9s Jh Qs", "Kd"),
        {"table": "9c/Jc Jd"},
        steps=((("take",), None),),
        holds=lambda game: game.bout == 3 and game.hand_counts[:2] == (3, 4),
    ),
    Example(
        "first-bout",
        lambda r: _single(r) and r.first_bout_cap == 5,
        ("9s", "Kd Qc"),
        {
            "table": "6c/7c 6d/7d 6s/7s 7h/8h 8c",
            "bout": 1,
            "talon": "Jc Jd Js Jh Qd Qh Kc Ks Kh Ac Ad As Ah",
        },
        steps=((("8c/Qc",), None),),
        holds=lambda game: game.bout == 2,
    ),
    Example(
        "after-take",
        lambda r: _any_rank(r) and r.throw_in_on_take and r.attack_cap >= 4,
        ("6s 9s Ts", "Kd Qd Qc Kc"),
        {"table": "6c/9c 9d"},
        steps=((("take",), ("6s", "9s", "pass")),),
    ),
    Example(
        "next-attacker",
        _single,
        ("7d Qd", "8d 9d", "Ks Qs"),
        {"table": "6c", "cap": 1},
        steps=((("take",), None),),
        holds=lambda game: (game.attacker, game.defender) == (2, 0),
    ),
    Example("draw-clockwise", _joining("clockwise"), holds=lambda game: game.hand_counts == (6, 3, 6, 5), **_DRAWING),
    Example("draw-joining", _joining("joining"), holds=lambda game: game.hand_counts == (6, 3, 5, 6), **_DRAWING),
    Example(
        "still-in",
        _single,
        ("6c", "7c 8d 9d Td Jd Qd"),
        {"talon": "Ah"},
        steps=((("6c", "6c/7c"), None),),
        holds=lambda game: game.result is None and [str(card) for card in game.hand(0)] == ["Ah"],
    ),
    Example(
        "end-draw",
        lambda r: _single(r) and r.result == "last_is_fool",
        ("9c", "Jc"),
        steps=((("9c", "9c/Jc"), None),),
        holds=lambda game: game.result is not None and game.result.ending is Ending.DRAW,
    ),
    Example(
        "end-win",
        lambda r: _single(r) and r.result == "first_out_wins",
        ("9c", "Jc"),
        steps=((("9c", "9c/Jc"), None),),
        holds=lambda game: game.result is not None and game.result.places == (1, 2),
    ),
    Example(
        "end-fool",
        lambda r: _single(r) and r.result == "last_is_fool",
        ("9c", "8d"),
        steps=((("9c",), ("take",)), (("take",), None)),
        holds=lambda game: game.result is not None and game.result.fool == 1,
    ),
    Example(
        "transfer",
        _transfers,
        (_SPARE, "7d Qs", "Ks As"),
        {"table": "7c"},
        steps=(((), (">7d", "take")), ((">7d",), None)),
        holds=lambda game: game.defender == 2 and len(game.table) == 2,
    ),
    Example(
        "transfer-refused",
        _transfers,
        (_SPARE, "7d Qs", "Ks"),
        {"table": "7c"},
        steps=(((), ("take",)),),
    ),
    Example(
        "transfer-trump",
        _transfers,
        (_SPARE, "7h Qs", "Ks As"),
        {"table": "7c"},
        steps=(((), ("7c/7h", ">7h", "take")),),
    ),
    Example(
        "pairs-throw",
        lambda r: r.teams == "pairs" and r.throw_in_on_take and r.throw_in_who != "attacker" and r.attack_cap >= 2,
        ("8c Jd", "Td Qd Kd", "7d Kc", "7s Ks"),
        {"table": "7c"},
        steps=((("take",), ("pass",)), (("pass",), ("7d", "pass")), (("pass",), None)),
        holds=lambda game: (game.attacker, game.defender) == (2, 3),
    ),
    Example(
        "pairs-out",
        lambda r: r.teams == "pairs",
        ("8c Jd", "9c Td", "", "7s Ks"),
        {"table": "7c", "out": {2: 1}, "cap": 1},
        steps=((("7c/9c",), None),),
        holds=lambda game: (game.attacker, game.defender) == (1, 0),
    ),
)
