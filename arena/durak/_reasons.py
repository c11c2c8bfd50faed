"""Why a move is illegal, in one sentence. The game decides what is legal; this module only finds the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.durak._choices import beaters_of
from arena.durak.moves import Move, MoveKind

if TYPE_CHECKING:
    from arena.durak.game import Game


def why_illegal(game: Game, move: Move) -> str:
    """Why `move`, which is not among the game's legal moves, is illegal."""
    if game.actor is None:
        return f"{move} is illegal: the game is over"
    who = f"seat {game.actor}"
    hand = game.hand(game.actor)
    for card in move.cards:
        if card not in hand:
            return f"{move} is illegal: {who} does not hold {card}"
    return f"{move} is illegal: {_why_not_here(game, move, who)}"


def _why_not_here(game: Game, move: Move, who: str) -> str:
    table = game.table
    if not table:
        if move.kind is not MoveKind.LAY:
            return f"{who} is to lead"
        if game.ruleset.lead == "single":
            return "one card is led at a time"
        return f"no more than {game.cap} cards may be led"
    if game.actor == game.defender:
        if move.kind is MoveKind.TRANSFER:
            return _why_no_transfer(game, move)
        if move.kind is not MoveKind.BEAT or move.target is None:
            return f"{who} is the defender and is to beat a card{', transfer' if game.ruleset.transfer else ''} or take"
        if (move.target, None) not in table:
            return f"{move.target} is not on the table to be beaten"
        assert not beaters_of(move.target, game.trump) & move.mask  # noqa: S101 - or the beat would be legal
        return f"{move.cards[0]} does not beat {move.target}"
    if move.kind is not MoveKind.LAY or len(move.cards) > 1:
        return f"{who} is to throw in one card or pass"
    if game._seating.lead_rank_only:
        return f"only the rank of the lead, {table[0][0].rank}, may be thrown in"
    return f"rank {move.cards[0].rank} is not on the table"


def _why_no_transfer(game: Game, move: Move) -> str:
    table = game.table
    if not game.ruleset.transfer:
        return "the ruleset has no transfer"
    if any(beaten_by for _, beaten_by in table):
        return "a card of this bout is already beaten"
    if move.cards[0].rank != table[0][0].rank:
        return f"only a card of rank {table[0][0].rank} transfers"
    return "the next player holds fewer cards than would lie on the table, or the attack has all the cards it may have"
