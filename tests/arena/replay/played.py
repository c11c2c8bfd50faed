"""Games for the tests of replays, played in a fixed way from a fixed deck."""

import random
from typing import Any

from arena.durak import CARDS, PRESETS, Game, GameRecord, Move

BOTS = ("Lowest", "Патiенс", "Źdźbło", "<b>Bold</b>", "עברית", "Sixth")


def record(players: int = 2, preset: str = "podkidnoy", seed: int = 1, stop: int | None = None) -> GameRecord:
    """A game of players who take, throw in and pass by a seeded die; or its first `stop` moves, then a failure."""
    rng = random.Random(f"{players} {preset} {seed}")
    deck = list(CARDS)
    rng.shuffle(deck)
    game = Game(PRESETS[preset], players, deck)
    moves: list[tuple[int, Move]] = []
    failed = None
    while game.result is None:
        assert game.actor is not None
        if len(moves) == stop:
            failed = game.actor
            game.forfeit([failed])
            break
        legal = game.legal_moves()
        decline = str(legal[-1]) in {"pass", "take"} and rng.random() < 0.45
        _play(game, moves, legal[-1] if decline else rng.choice(legal[:3]))
    return made(game, deck, moves, failure=None if failed is None else {"seat": failed, "reason": "time", "at": stop})


def longest_record() -> GameRecord:
    """A game up to the limit of 500 bouts whose players make each bout long: near the longest that there can be.

    They take until the talon is frozen. Then nobody piles on before the defence, and the defender beats as long as
    somebody can throw in after it; when nobody can, he takes, and only who keeps five cards still throws in.
    """
    rng = random.Random(8)
    deck = list(CARDS)
    rng.shuffle(deck)
    game = Game(PRESETS["podkidnoy"], 3, deck)
    moves: list[tuple[int, Move]] = []
    taking = False
    while game.result is None:
        move = _longest_move(game, taking)
        _play(game, moves, move)
        taking = bool(game.table) and (taking or str(move) == "take")
    return made(game, deck, moves)


def _longest_move(game: Game, taking: bool) -> Move:
    legal = game.legal_moves()
    seat = game.actor
    assert seat is not None
    last = str(legal[-1])
    if last == "pass":
        unbeaten = any(beat is None for _, beat in game.table)
        decline = unbeaten and (not taking or len(game.hand(seat)) <= 5)
        return legal[-1] if decline else legal[0]
    if last == "take" and game.bout >= 40 and len(game.table) < 5:
        others = [game.hand(other) for other in range(game.players) if other != seat]
        ranks = {card.rank for hand in others if len(hand) > 5 for card in hand}
        for move in legal[:-1]:
            lying = {card.rank for pair in game.table for card in pair if card} | {move.cards[0].rank}
            if lying & ranks:
                return move
    return legal[-1] if last == "take" else legal[0]


def _play(game: Game, moves: list[tuple[int, Move]], move: Move) -> None:
    assert game.actor is not None
    moves.append((game.actor, move))
    game.play(move)


def made(
    game: Game, deck: list[Any], moves: list[tuple[int, Move]], failure: dict[str, Any] | None = None
) -> GameRecord:
    """The record of a game that was played."""
    assert game.result is not None
    return GameRecord(
        ruleset=game.ruleset,
        seats=tuple({"bot": BOTS[seat], "version": seat + 1} for seat in range(game.players)),
        deck=tuple(deck),
        moves=tuple(moves),
        result=game.result,
        failure=failure,
        times_ms=tuple(None if str(move) == "pass" else 0.5 + number % 400 for number, (_, move) in enumerate(moves)),
        limits={"bank": 10.0, "move_limit": 2.0},
    )
