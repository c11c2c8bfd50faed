"""Changes of the engine that no test can notice, each with the reason.

Written as (module, function, line without indent, change) -> why the changed engine is the same engine.
"""

_APART = "the two sets have no card in common, so union and symmetric difference are the same"
_MIRRORED = "Python then asks the other card the mirrored question, and gets the same answer"
_LONG = "the longest group has 11 characters, so a text of about 40 is none"
_UNREAD = "only moves that beat, or lay, a card are asked for it"
_NEVER = "any bout that no game reaches"
_BITS = "the bits of each byte have a place of their own, where there is none yet"
_SLOTS = "slots save memory and change no answer (that the class is frozen, the same text, is tested by name)"

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
    (
        "moves.py",
        "_explain",
        'group = "+".join(sorted(set(text.split("+")))) if len(text) <= 40 else ""',
        "if True",
    ): _LONG,
    (
        "moves.py",
        "_explain",
        'group = "+".join(sorted(set(text.split("+")))) if len(text) <= 40 else ""',
        "LtE -> Lt",
    ): _LONG,
    (
        "moves.py",
        "_explain",
        'group = "+".join(sorted(set(text.split("+")))) if len(text) <= 40 else ""',
        "40 -> 41",
    ): _LONG,
    ("moves.py", "_make_move", '"target_mask": target.mask if target else 0,', "0 -> 1"): _UNREAD,
    ("moves.py", "_make_move", '"same_rank": cards[0].same_rank if cards else 0,', "0 -> 1"): _UNREAD,
    ("outcome.py", "", "NEVER: Final = 1 << 30", "1 -> 2"): _NEVER,
    ("outcome.py", "", "NEVER: Final = 1 << 30", "30 -> 31"): _NEVER,
    ("outcome.py", "", "@dataclass(frozen=True, slots=True)", "True -> False"): _SLOTS,
    ("ruleset.py", "", "@dataclass(frozen=True, slots=True)", "True -> False"): _SLOTS,
    ("ruleset.py", "", "if get_args(hint) and isinstance(get_args(hint)[0], str)", "0 -> 1"): (
        "where the first choice is a text, so is the second"
    ),
    ("record.py", "", "@dataclass(frozen=True, slots=True)", "True -> False"): _SLOTS,
    ("seating.py", "", "@lru_cache(maxsize=256)", "256 -> 257"): "how much is remembered changes no answer",
    ("seating.py", "partner_of", 'return (seat + 2) % 4 if ruleset.teams == "pairs" else None', "Add -> Sub"): (
        "two places on is two places back, at a table of four"
    ),
    ("seating.py", "", "NOBODY: Final = -1", "1 -> 2"): "which number below zero stands for nobody is all the same",
    ("game.py", "play", "if move not in self._legal:", "if True"): (
        "a shortcut for a Move that is legal as it is: the search that it saves finds the same object"
    ),
    **{
        ("game.py", "_end_bout", "if self._drawn < len(self._talon) - 1:", change): (
            "a shortcut: with an empty talon nobody draws, and no event is written"
        )
        for change in ("if True", "Lt -> LtE", "Sub -> Add")
    },
    **{
        ("game.py", function, line, "0 -> 1"): "written anew by the next lead, and read by nothing before it"
        for function, line in (
            ("_sit_down", "self._asked = 0"),
            ("_sit_down", "self._suitable = 0"),
            ("_clear_table", "self._unbeaten = 0"),
            ("_clear_table", "self._laid = 0"),
        )
    },
    ("_position.py", "", "@dataclass(frozen=True, slots=True)", "True -> False"): _SLOTS,
    ("_position.py", "_leave", "out = dict.fromkeys(gone, game.bout - 1)", "1 -> 2"): (
        "only the order of bouts counts, and all of them get the same"
    ),
    (
        "_position.py",
        "_lay_table",
        "for number, ((attack, _), seat) in enumerate(zip(table, laid_by, strict=True)):",
        "True -> False",
    ): "the two lengths were compared above, for a better sentence",
    ("_position.py", "", "if TYPE_CHECKING:", "if False"): "TYPE_CHECKING is False whenever the engine runs",
    ("_reasons.py", "_why_not_here", "if move.kind is not MoveKind.BEAT or move.target is None:", "Or -> And"): (
        "a move that beats is one with a target; both are asked for the type checker's sake"
    ),
    ("_reasons.py", "", "if TYPE_CHECKING:", "if False"): "TYPE_CHECKING is False whenever the engine runs",
}
