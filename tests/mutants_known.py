"""Changes of the engine that no test can notice, each with the reason.

Written as (module, function, line without indent, change) -> why the changed engine is the same engine.
"""

_APART = "the two sets have no card in common, so union and symmetric difference are the same"
_MIRRORED = "Python then asks the other card the mirrored question, and gets the same answer"

EQUIVALENT: dict[tuple[str, str, str, str], str] = {
    **{
        (
            "cards.py",
            name,
            f"return self.index {sign} other.index if isinstance(other, Card) else NotImplemented",
            "if False",
        ): _MIRRORED
        for name, sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">="))
    },
    ("events.py", "_moves", "def _moves(kind: MoveKind, most_cards: int = 4) -> list[Move]:", "4 -> 5"): (
        "no move lays more than the four cards of a rank"
    ),
    **{
        ("game.py", function, line, "BitOr -> BitXor"): _APART
        for function, line in (
            ("_throw_in", "self._on_table |= move.mask"),
            ("_throw_in", "self._unbeaten |= move.mask"),
            ("_beat", "self._on_table |= move.mask"),
            ("_transfer", "self._on_table |= move.mask"),
            ("_transfer", "self._unbeaten |= move.mask"),
        )
    },
    ("game.py", "play", "if move not in self._legal:", "if True"): (
        "a shortcut for a Move that is legal as it is: the search that it saves finds the same object"
    ),
    ("_reasons.py", "", "if TYPE_CHECKING:", "if False"): "TYPE_CHECKING is False whenever the engine runs",
}
