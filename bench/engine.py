"""How fast the engine is: random play by its public face, beside two other engines where they can be imported.

    PYTHONPATH=. python -m bench.engine [--seconds 1] [--rounds 5]

Random play counts every decision, forced ones too, and takes in dealing the cards. It is measured in processor time, in
short turns between all contestants, and the best turn of each counts: so the ratios hold on a busy machine as well.
Compared are `crazy_eights` of open_spiel (`pip install open_spiel==2.0.2`), driven from Python, and `durakgame`
(`pip install durakgame==1.0.4`). Exits 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from arena.bot import GameInfo, Observer
from arena.durak import CARDS, PRESETS, Game, Ruleset
from arena.limits import Limits
from arena.table import info_for

PROMISED = {"open_spiel crazy_eights": 1.5, "durakgame": 3.0}
"""How many times the decisions a second of each the engine makes with podkidnoy between two."""

PLAYERS = (2, 3, 4, 6)

Turn = Callable[[], int]
"""Plays some games; how many decisions there were."""


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="processor time of each contestant's turn, in seconds"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how many turns each contestant has")
    options = parser.parse_args()

    turns: dict[str, Turn] = {
        f"{name}, {players}": random_play(ruleset, players)
        for name, ruleset in PRESETS.items()
        for players in PLAYERS
        if players in ruleset.players
    }
    turns |= others()
    rates = measure(turns, options.seconds / len(turns) * 4, options.rounds)
    ours = rates["podkidnoy, 2"]
    broken = []
    print("Random play, decisions a second")
    for name, rate in rates.items():
        promised = PROMISED.get(name)
        note = ""
        if promised is not None:
            note = f"   podkidnoy, 2 makes {ours / rate:.2f} times as many, promised {promised:g}"
            if ours / rate < promised:
                broken.append(name)
        print(f"  {name:<28}{rate:>12,.0f}{note}")
    for name in PROMISED.keys() - rates.keys():
        print(f"  {name:<28}not installed")

    print("\nMicroseconds each")
    for name, (turn, what) in single_steps().items():
        rate = measure({name: turn}, options.seconds / 4, options.rounds)[name]
        print(f"  {name:<28}{1e6 / rate:>12.2f}   {what}")
    for name in broken:
        print(f"Broken: fewer than {PROMISED[name]:g} times the decisions of {name}")
    return 1 if broken else 0


def measure(turns: dict[str, Turn], seconds: float, rounds: int) -> dict[str, float]:
    """The best rate of each: decisions a second of processor time, over `rounds` turns taken one after the other."""
    best = dict.fromkeys(turns, 0.0)
    for turn in turns.values():
        turn()
    for _ in range(rounds):
        for name, turn in turns.items():
            decisions = 0
            began = time.process_time()
            while (used := time.process_time() - began) < seconds:
                decisions += turn()
            best[name] = max(best[name], decisions / used)
    return best


# The engine


def random_play(ruleset: Ruleset, players: int) -> Turn:
    """Whole random games."""
    rng = Random(1)
    random = rng.random
    # The engine is given its decks, so shuffling is not its work.
    decks = [rng.sample(CARDS, len(CARDS)) for _ in range(200)]

    def turn() -> int:
        decisions = 0
        for deck in rng.sample(decks, 20):
            game = Game(ruleset, players, deck)
            while game.actor is not None:
                moves = game.legal_moves()
                game.play(moves[int(random() * len(moves))])
                decisions += 1
        return decisions

    return turn


def middles(count: int) -> Iterator[Game]:
    """Games of podkidnoy between two, half played."""
    rng = Random(2)
    while count:
        deck = rng.sample(CARDS, len(CARDS))
        game = Game(PRESETS["podkidnoy"], 2, deck)
        while game.actor is not None and game.talon_count > 8:
            game.play(rng.choice(game.legal_moves()))
        if game.actor is not None:
            yield game
            count -= 1


def info_of(game: Game, seat: int, first_attacker: int) -> GameInfo:
    """What the seat is told at the start."""
    return replace(info_for(game, seat, Limits()), first_attacker=first_attacker)


def single_steps() -> dict[str, tuple[Turn, str]]:
    """What a bot that searches does over and over, with what it is measured on."""
    games = list(middles(40))
    rng = Random(3)
    random = rng.random
    seats = [game.actor or 0 for game in games]
    observers = [Observer(info_of(game, seat, game.moves[0][0])) for game, seat in zip(games, seats, strict=True)]
    for game, observer in zip(games, observers, strict=True):
        for event in game.events:
            observer.observe(event)
    hands = [(game.hand(seat), game.legal_moves()) for game, seat in zip(games, seats, strict=True)]
    views = [observer.view(hand, legal, 10.0) for observer, (hand, legal) in zip(observers, hands, strict=True)]
    deck = rng.sample(CARDS, len(CARDS))

    def deal() -> int:
        for _ in range(100):
            Game(PRESETS["podkidnoy"], 2, deck)
        return 100

    def copy() -> int:
        for game in games:
            game.copy()
        return len(games)

    def playout() -> int:
        for game in games:
            twin = game.copy()
            while twin.actor is not None:
                moves = twin.legal_moves()
                twin.play(moves[int(random() * len(moves))])
        return len(games)

    def follow() -> int:
        events = 0
        for game in games[:10]:
            observer = Observer(info_of(game, 0, game.moves[0][0]))
            for event in game.events:
                observer.observe(event)
            events += len(game.events)
        return events

    def view() -> int:
        for observer, (hand, legal) in zip(observers, hands, strict=True):
            observer.view(hand, legal, 10.0)
        return len(observers)

    def guess() -> int:
        for seen in views:
            seen.to_game(rng)
        return len(views)

    return {
        "deal": (deal, "Game(...)"),
        "copy": (copy, "game.copy() in the middle of a game"),
        "random playout": (playout, "a copy played to its end, the talon at 8 or fewer"),
        "observe": (follow, "one event"),
        "view": (view, "observer.view(...)"),
        "to_game": (guess, "view.to_game(rng)"),
    }


# Other engines


def others() -> dict[str, Turn]:
    """Random play of the engines that are installed."""
    turns: dict[str, Turn] = {}
    if importlib.util.find_spec("pyspiel"):
        turns["open_spiel crazy_eights"] = crazy_eights(sampled=True)
        turns["(chance nodes not sampled)"] = crazy_eights(sampled=False)
    if importlib.util.find_spec("durakgame"):
        turns["durakgame"] = durakgame()
    return turns


def crazy_eights(sampled: bool) -> Turn:
    """Its cards are dealt and drawn at chance nodes, which do not count as decisions. `sampled`, they are chosen by the
    chances that the state lists; else any legal one is, which saves the listing and deals from a wrong deck."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game: Any = pyspiel.load_game("crazy_eights(players=2)")
    rng = Random(1)
    random = rng.random

    def turn() -> int:
        decisions = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                if sampled and state.is_chance_node():
                    cards, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(cards, chances)[0])
                    continue
                if not state.is_chance_node():
                    decisions += 1
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
        return decisions

    return turn


def durakgame() -> Turn:
    """Its own random player hangs on throw-ins after a take, so a first option that ends the throwing in is taken."""
    import durakgame as theirs  # type: ignore[import-not-found, unused-ignore]

    random = Random(1).random
    decisions = 0

    class Player(theirs.Player):  # type: ignore[misc, name-defined, unused-ignore]
        def nextMove(self, state: Any, options: Any) -> int:  # noqa: ARG002, N802 - their names
            nonlocal decisions
            decisions += 1
            if isinstance(options[0], theirs.FinishingMove):
                return 0
            return int(random() * len(options))

    def turn() -> int:
        before = decisions
        for _ in range(5):
            theirs.play(Player(), Player())
        return decisions - before

    return turn


if __name__ == "__main__":
    sys.exit(main())
