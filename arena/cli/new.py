"""``python -m arena new``: a starting bot with a test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import console, stop

BOT = '''"""My Durak bot."""

from arena import Bot, Move, View


class MyBot(Bot):
    """Plays its cheapest card, but would rather take than spend a trump early in the game."""

    def act(self, view: View) -> Move:
        cheapest, last = view.legal[0], view.legal[-1]
        early = view.talon_count > 12
        spends_trump = any(card.suit == view.trump for card in cheapest.cards)
        # `take` and `pass` always stand last; they lay no card.
        if early and spends_trump and not last.cards:
            return last
        return cheapest
'''

TEST = '''"""Tests of the bot. Run them with: python -m pytest"""

import random

from bot import MyBot

from arena.durak import CARDS, PRESETS
from arena.local import LocalPlayer
from arena.match import play_match
from arena.samples import SAMPLES


def play(opponent, deals=20):
    decks = [random.Random(deal).sample(CARDS, 36) for deal in range(deals)]
    players = [LocalPlayer(MyBot), LocalPlayer(SAMPLES[opponent].load())]
    return play_match(players, PRESETS["podkidnoy"], decks)


def test_it_never_fails():
    assert [game.failures for game in play("lowest").games if game.failures] == []


def test_it_beats_random():
    games = play("random").games
    assert sum(game.place_of(0) < game.place_of(1) for game in games) > len(games) / 2
'''

Folder = Annotated[Path, typer.Argument(help="The folder to make.")]


def new(folder: Folder) -> None:
    """Make a folder with a starting bot and a test of it.

    [bold]Example[/]

        python -m arena new mybot
    """
    if folder.exists():
        stop(f"{folder} is there already; choose another name.", code=1)
    try:
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text(BOT, encoding="utf-8")
        (folder / "test_bot.py").write_text(TEST, encoding="utf-8")
    except OSError as error:
        stop(f"{folder} cannot be made: {error.strerror}.", code=3)
    console.print(
        f"Made {folder / 'bot.py'} and a test beside it. Now try:\n\n"
        f"    python -m arena play {folder} random\n"
        f"    python -m arena check {folder}\n",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
