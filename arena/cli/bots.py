"""What a word on the command line means: a sample's name, a file, a folder, a ruleset."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from arena.archive import ArchiveError, BotFiles, read_upload
from arena.cli.output import stop
from arena.durak import PRESETS, Ruleset
from arena.referee import Entrant
from arena.samples import SAMPLES


def read_bot(word: str) -> BotFiles:
    """The files of a bot: a sample's name, a .py or .zip file, or a folder with bot.py in it. Ends the command if it is
    none of these."""
    path = Path(word)
    try:
        if path.is_dir():
            return read_upload("folder.zip", zip_folder(path))
        if path.is_file():
            return read_upload(path.name, path.read_bytes())
    except ArchiveError as error:
        stop(f"{word}: {error}")
    except OSError as error:
        stop(f"{word} cannot be read: {error.strerror}.")
    if word not in SAMPLES:
        stop(
            f"There is no file or folder {word}, and no sample bot of that name; the samples are {', '.join(SAMPLES)}."
        )
    return SAMPLES[word].files


def zip_folder(folder: Path) -> bytes:
    """The folder as its author would upload it, without what tools leave behind. The same files give the same bytes.

    Raises:
        ArchiveError: a file has a name that no zip can hold.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
                # Without the file's own time: a fresh checkout must not look like another version.
                entry = zipfile.ZipInfo("/".join(parts))
                entry.compress_type = zipfile.ZIP_DEFLATED
                try:
                    archive.writestr(entry, path.read_bytes())
                except UnicodeEncodeError:
                    raise ArchiveError(f"The name of the file {str(path)!r} is not UTF-8; rename it.") from None
    return buffer.getvalue()


def read_entrants(words: Sequence[str]) -> list[Entrant]:
    """The bots that play, each with a name of its own."""
    entrants = [Entrant(_name(word), 1, read_bot(word)) for word in words]
    names = [entrant.name for entrant in entrants]
    taken = set(names)
    for index, name in enumerate(names):
        if names.count(name) > 1:
            # Passing over a number that another bot has in its own name.
            own = next(own for number in count(1) if (own := f"{name} {number}") not in taken)
            taken.add(own)
            entrants[index] = replace(entrants[index], name=own)
    return entrants


def _name(word: str) -> str:
    path = Path(word)
    return path.resolve().parent.name if path.name == "bot.py" else path.resolve().stem if path.exists() else word


def read_ruleset(name: str) -> Ruleset:
    """The preset of that name. Ends the command if there is none."""
    if name not in PRESETS:
        stop(f"There is no ruleset {name}; the rulesets are {', '.join(PRESETS)}.")
    return PRESETS[name]
