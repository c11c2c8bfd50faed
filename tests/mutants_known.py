"""Changes of the engine that no test can notice, each with the reason: (module, line without indent, change) -> why."""

_APART = "the two sets have no card in common, so union and symmetric difference are the same"

EQUIVALENT: dict[tuple[str, str, str], str] = {
    **{
        ("cards.py", f"return self.index {sign} other.index if isinstance(other, Card) else NotImplemented", "if False"): (  # noqa: E501
            "Python then asks the other card the mirrored question, and gets the same answer"
        )
        for sign in ("<", "<=", ">", ">=")
    },
    **{
        (module, line, "BitOr -> BitXor"): _APART
        for module, line in (
            ("game.py", "self._on_table |= move.mask"),
            ("game.py", "self._unbeaten |= move.mask"),
            ("game.py", "self._hands[self.defender] |= self._on_table"),
            ("game.py", "self._hands[seat] |= talon[drawn] - talon[self._drawn]"),
        )
    },
    ("game.py", "if move not in self._legal:", "if True"):
        "a shortcut for a Move that is legal as it is: the search that it saves finds the same object",
}  # fmt: skip
