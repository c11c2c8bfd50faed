"""Replays: frames made from a record by the engine, the words for them, and the viewer that shows them.

No Django: the site hands its translations in, the command line puts everything into one file.
"""

from pathlib import Path
from typing import Final

ASSETS: Final = Path(__file__).resolve().parent / "assets"
"""The folder of the viewer: its modules, its stylesheet, and the deck."""
