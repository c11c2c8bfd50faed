"""Changes of the engine that no test can notice, each with the reason why the changed engine is the same engine."""

_APART = "the two sets have no card in common, so union and symmetric difference are the same"
_BITS = "the bits of each byte have a place of their own, where there is none yet"
_CHECKER = "TYPE_CHECKING is False whenever the engine runs"
_FOUR = "no group has more than four cards, so a cap of four or more leaves all; asking first saves the walk"
_LONG = "the longest group has 11 characters, so a text of about 40 is none"
_MEMORY = "how much is remembered changes no answer"
_MIRRORED = "Python then asks the other card the mirrored question, and gets the same answer"
_NEVER = "any bout that no game reaches"
_SHORTCUT = "with an empty talon nobody draws, and no event is written; asking first saves the walk"
_SLOTS = "slots save memory and change no answer (that the class is frozen, the same text, is tested by name)"
_UNREAD = "only moves that lay, or beat, a card are asked for it"
_WRITTEN_ANEW = "written anew by the next lead, and read by nothing before it"

_ORDERED = "return self.index {} other.index if isinstance(other, Card) else NotImplemented"
_GROUP = 'group = "+".join(sorted(set(text.split("+")))) if len(text) <= 40 else ""'
_TALON_LEFT = "if self._drawn < len(self._talon) - 1:"
_CAPPED = "return moves if cap >= 4 else [move for move in moves if len(move.cards) <= cap]"
_HEAD = 'head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()'
_FROZEN = "@dataclass(frozen=True, slots=True)"
_UNPACKED = "seat, number = divmod(next(numbers) << 8 | next(numbers), len(_MOVE_TEXTS))"
_FIRST_OUT = "self._finish(Ending.WIN, [0 if seat in side else NEVER for seat in range(self.players)])"
_LAID = "for number, ((attack, _), seat) in enumerate(zip(table, laid_by, strict=True)):"

# fmt: off
_KNOWN: tuple[tuple[str, str, str, str, str], ...] = (
    # module, function, line, change, why
    ("_choices.py", "", "REMEMBERED: Final = 2048", "2048 -> 2049", _MEMORY),
    ("_choices.py", "", "@lru_cache(maxsize=4)", "4 -> 5", "there are four trumps"),
    ("_choices.py", "__init__", "super().__init__()", "call dropped", "an empty dict needs no more"),
    ("_choices.py", "__init__", "if uses:", "if True", "a card with no use adds no move"),
    ("_choices.py", "group_leads", _CAPPED, "if False", _FOUR),
    ("_choices.py", "group_leads", _CAPPED, "GtE -> Gt", _FOUR),
    ("_choices.py", "group_leads", _CAPPED, "4 -> 5", _FOUR),
    ("_choices.py", "_make_groups", "for size in range(1, len(of_rank) + 1):", "1 -> 2",
     "of n cards there is no group of n + 1 (that there are groups of one, the same text, is tested by name)"),
    ("_compact.py", "", "_LARGEST: Final = 16 << 20", "16 -> 17", "any bound far above what a record unpacks to"),
    ("_compact.py", "pack", _HEAD, "False -> True", "letters beyond ASCII take more room, and read back the same"),
    ("_compact.py", "unpack", _UNPACKED, "BitOr -> BitXor", _BITS),
    ("_compact.py", "_put", "body.append(number & 127 | 128)", "BitOr -> BitXor", _BITS),
    ("_compact.py", "_get", "number |= (byte & 127) << shift", "BitOr -> BitXor", _BITS),
    ("_compact.py", "_get", "return number | byte << shift", "BitOr -> BitXor", _BITS),
    ("_position.py", "", "if TYPE_CHECKING:", "if False", _CHECKER),
    ("_position.py", "", _FROZEN, "True -> False", _SLOTS),
    ("_position.py", "_leave", "out = dict.fromkeys(gone, game.bout - 1)", "1 -> 2",
     "only the order of bouts counts, and all of them get the same"),
    ("_position.py", "_lay_table", _LAID, "True -> False", "the lengths were compared above, for a better sentence"),
    ("_reasons.py", "", "if TYPE_CHECKING:", "if False", _CHECKER),
    ("_reasons.py", "_why_not_here", "if move.kind is not MoveKind.BEAT or move.target is None:", "Or -> And",
     "a move that beats is one with a target; both are asked for the type checker's sake"),
    ("_state.py", "_bout_events", "start = len(self._events) - 1", "1 -> 2",
     "asked at the end of a bout, when the latest event is no lead"),
    ("cards.py", "__lt__", _ORDERED.format("<"), "if False", _MIRRORED),
    ("cards.py", "__le__", _ORDERED.format("<="), "if False", _MIRRORED),
    ("cards.py", "__gt__", _ORDERED.format(">"), "if False", _MIRRORED),
    ("cards.py", "__ge__", _ORDERED.format(">="), "if False", _MIRRORED),
    ("events.py", "_moves", "def _moves(kind: MoveKind, most_cards: int = 4) -> list[Move]:", "4 -> 5",
     "no move lays more than the four cards of a rank"),
    ("events.py", "from_wire", 'raise ValueError(f"This is not an event: {str(data)[:80]}") from None', "80 -> 81",
     "how much of what is no event is shown"),
    ("game.py", "_sit_down", "self._asked = 0", "0 -> 1", _WRITTEN_ANEW),
    ("game.py", "_sit_down", "self._suitable = 0", "0 -> 1", _WRITTEN_ANEW),
    ("game.py", "_clear_table", "self._unbeaten = 0", "0 -> 1", _WRITTEN_ANEW),
    ("game.py", "_clear_table", "self._laid = 0", "0 -> 1", _WRITTEN_ANEW),
    ("game.py", "play", "if move not in self._legal:", "if True",
     "a shortcut for a Move that is legal as it is: the search that it saves finds the same object"),
    ("game.py", "_throw_in", "self._on_table |= move.mask", "BitOr -> BitXor", _APART),
    ("game.py", "_throw_in", "self._unbeaten |= move.mask", "BitOr -> BitXor", _APART),
    ("game.py", "_beat", "self._on_table |= move.mask", "BitOr -> BitXor", _APART),
    ("game.py", "_transfer", "self._on_table |= move.mask", "BitOr -> BitXor", _APART),
    ("game.py", "_transfer", "self._unbeaten |= move.mask", "BitOr -> BitXor", _APART),
    ("game.py", "_end_bout", "self._hands[self.defender] |= self._on_table", "BitOr -> BitXor", _APART),
    ("game.py", "_draw", "self._hands[seat] |= talon[drawn] - talon[self._drawn]", "BitOr -> BitXor", _APART),
    ("game.py", "_end_bout", _TALON_LEFT, "if True", _SHORTCUT),
    ("game.py", "_end_bout", _TALON_LEFT, "Lt -> LtE", _SHORTCUT),
    ("game.py", "_end_bout", _TALON_LEFT, "Sub -> Add", _SHORTCUT),
    ("game.py", "_settle", _FIRST_OUT, "0 -> 1", "any bout before NEVER is better"),
    ("moves.py", "_explain", _GROUP, "if True", _LONG),
    ("moves.py", "_explain", _GROUP, "LtE -> Lt", _LONG),
    ("moves.py", "_explain", _GROUP, "40 -> 41", _LONG),
    ("moves.py", "_make_move", '"target_mask": target.mask if target else 0,', "0 -> 1", _UNREAD),
    ("moves.py", "_make_move", '"same_rank": cards[0].same_rank if cards else 0,', "0 -> 1", _UNREAD),
    ("outcome.py", "", _FROZEN, "True -> False", _SLOTS),
    ("outcome.py", "", "NEVER: Final = 1 << 30", "1 -> 2", _NEVER),
    ("outcome.py", "", "NEVER: Final = 1 << 30", "30 -> 31", _NEVER),
    ("record.py", "", _FROZEN, "True -> False", _SLOTS),
    ("ruleset.py", "", _FROZEN, "True -> False", _SLOTS),
    ("ruleset.py", "", "if get_args(hint) and isinstance(get_args(hint)[0], str)", "0 -> 1",
     "where the first choice is a text, so is the second"),
    ("seating.py", "", "NOBODY: Final = -1", "1 -> 2", "which number below zero stands for nobody is all the same"),
    ("seating.py", "", "@lru_cache(maxsize=256)", "256 -> 257", _MEMORY),
    ("seating.py", "partner_of", 'return (seat + 2) % 4 if ruleset.teams == "pairs" else None', "Add -> Sub",
     "two places on is two places back, at a table of four"),
)
# fmt: on

EQUIVALENT: dict[tuple[str, str, str, str], str] = {
    (module, function, line, change): why for module, function, line, change, why in _KNOWN
}
"""(module, function, line without indent, change) -> why."""
