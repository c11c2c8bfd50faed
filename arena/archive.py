"""What an upload may be, and its files once it has been read.

A bot is one ``.py`` file or one ``.zip``. :func:`read_upload` turns either into :class:`BotFiles`, or refuses it with
one sentence that says what to change. It is pure: nothing is written to disk, imported or compiled, and a zip is
judged from its directory alone before a single byte of it is unpacked. Whether the bot *works* is for the check,
which runs it in the sandbox.
"""

from __future__ import annotations

import hashlib
import re
import stat
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

MAX_SOURCE_BYTES = 256 * 1024
"""Largest ``.py`` upload, in bytes."""

MAX_ZIP_BYTES = 5 * 1024 * 1024
"""Largest ``.zip`` upload, in bytes."""

MAX_UNPACKED_BYTES = 20 * 1024 * 1024
"""Most that the files of a zip may come to once unpacked, in bytes."""

MAX_ENTRIES = 500
"""Most entries (files and folders, ignored ones included) in a zip."""

MAX_FOLDERS = 500
"""Most folders that the entries of a zip lie in, whether they are entries themselves or not: all of them are made, and
removed again, wherever the bot is to play."""

MAX_NAME_BYTES = 200
"""Longest path inside a zip, in bytes of UTF-8: any file system can hold it below a folder of ours."""

ENTRY_POINT = "bot.py"

# Signature first; fields that no decision depends on are skipped.
_LOCAL = struct.Struct("<4s4xH16xHH")  # method, lengths of name and extra field
_CENTRAL = struct.Struct("<4s4xHH4xLLLHHH4xLL")  # flags, method, CRC, sizes, three lengths, attributes, offset
_END = struct.Struct("<4s4HLLH")  # two disk numbers, entries here and in all, directory's length and offset, comment
_FLAG_ENCRYPTED = 0x1 | 0x40 | 0x2000
_FLAG_DESCRIPTOR = 0x8
_STORED, _DEFLATED = 0, 8
_DRIVE = re.compile(r"[A-Za-z]:")


def gettext_noop(sentence: str) -> str:
    """Marks a sentence for translators, who find it by this name. Here it stays as it is."""
    return sentence


class ArchiveError(ValueError):
    """The upload is refused; the text is one sentence for its author.

    That is ``sentence`` with ``values`` in its gaps, so that a site may say it in its reader's language. A number among
    them is a size in bytes.
    """

    def __init__(self, sentence: str, **values: str | int) -> None:
        shown = {name: _size(value) if isinstance(value, int) else value for name, value in values.items()}
        super().__init__(sentence % shown if values else sentence)
        self.sentence = sentence
        self.values = values


@dataclass(frozen=True)
class BotFiles:
    """The files of one bot, by their path below its folder; ``bot.py`` is among them.

    ``digest`` is the SHA-256 of what was uploaded, in hex: the same digest always means the same files.
    """

    files: Mapping[str, bytes]
    digest: str

    @classmethod
    def from_files(cls, files: Mapping[str, bytes]) -> BotFiles:
        """Bot files that were never an upload (a sample, a folder): the digest is taken over names and contents."""
        hasher = hashlib.sha256()
        for name in sorted(files):
            for part in (name.encode(), files[name]):
                hasher.update(len(part).to_bytes(8, "big"))
                hasher.update(part)
        return cls(MappingProxyType(dict(files)), hasher.hexdigest())

    @property
    def size(self) -> int:
        """All files together, in bytes."""
        return sum(map(len, self.files.values()))


def read_upload(filename: str, content: bytes) -> BotFiles:
    """The files of an upload. Only the ending of ``filename`` counts. Raises :class:`ArchiveError`."""
    ending = filename.lower().rpartition(".")[2] if "." in filename else ""
    if ending == "py":
        files = _read_source(content)
    elif ending == "zip":
        files = _read_zip(content)
    else:
        raise ArchiveError(gettext_noop("Upload one .py file, or a .zip with bot.py in it."))
    for name, data in files.items():
        if name.lower().endswith(".py"):
            _check_source(name, data)
    return BotFiles(MappingProxyType(files), hashlib.sha256(content).hexdigest())


def _read_source(content: bytes) -> dict[str, bytes]:
    if len(content) > MAX_SOURCE_BYTES:
        sentence = gettext_noop(
            "The file has %(size)s; one .py file may have %(limit)s at most. "
            "Put large tables into a data file and upload a .zip."
        )
        raise ArchiveError(sentence, size=len(content), limit=MAX_SOURCE_BYTES)
    if content[:4] == b"PK\x03\x04":
        raise ArchiveError(gettext_noop("The file is a zip archive with the ending .py; give it the ending .zip."))
    return {ENTRY_POINT: content}


def _check_source(name: str, data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ArchiveError(gettext_noop("%(file)s is saved as UTF-16; save it as UTF-8."), file=_quote(name))
    if b"\0" in data:
        sentence = gettext_noop(
            "%(file)s contains a null byte, so it is not Python source; save it as plain UTF-8 text."
        )
        raise ArchiveError(sentence, file=_quote(name))
    if name == ENTRY_POINT and not data.strip():
        raise ArchiveError(gettext_noop("bot.py is empty; it needs one subclass of arena.Bot."))


@dataclass(frozen=True)
class _Entry:
    """One line of a zip's directory, as it stands there."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    start: int
    """Where the entry's own header begins; its data follow that."""

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


def _read_zip(content: bytes) -> dict[str, bytes]:
    if len(content) > MAX_ZIP_BYTES:
        raise ArchiveError(
            gettext_noop("The zip has %(size)s; %(limit)s is the limit."), size=len(content), limit=MAX_ZIP_BYTES
        )
    entries, end = _read_directory(content)
    for entry in entries:
        _check_entry(entry)
    _check_collisions([entry.name for entry in entries])
    total = sum(entry.size for entry in entries)
    if total > MAX_UNPACKED_BYTES:
        raise ArchiveError(
            gettext_noop("The zip unpacks to %(size)s; %(limit)s is the limit."), size=total, limit=MAX_UNPACKED_BYTES
        )
    _check_layout(entries, content, end)
    wanted = [entry for entry in entries if not entry.is_folder and not _is_ignored(entry.name)]
    root = _find_root([entry.name for entry in wanted])
    return {entry.name.removeprefix(root): _unpack(entry, content) for entry in wanted}


def _read_directory(content: bytes) -> tuple[list[_Entry], int]:
    """The entries of the zip as its directory lists them, and where that directory begins.

    The standard library's reader is not used: it believes the directory about its own length, cuts names at a null
    byte, and forgives data before and after the archive.
    """
    damaged = ArchiveError(gettext_noop("The zip is damaged or no zip at all; make it again."))
    end_at = content.rfind(b"PK\x05\x06")
    if end_at < 0 or len(content) - end_at < _END.size:
        raise damaged
    _, disk, first_disk, here, count, length, start, comment = _END.unpack_from(content, end_at)
    if count > MAX_ENTRIES or here > MAX_ENTRIES:
        raise ArchiveError(
            gettext_noop("The zip has more than %(count)s entries, which is the limit."), count=str(MAX_ENTRIES)
        )
    if disk or first_disk or here != count:
        raise ArchiveError(gettext_noop("The zip is split over several volumes; make a single one."))
    if start + length != end_at or end_at + _END.size + comment != len(content):
        sentence = gettext_noop(
            "The zip has something before, between or after its parts; make it again with an ordinary zip program."
        )
        raise ArchiveError(sentence)
    entries = []
    at = start
    for _ in range(count):
        if at + _CENTRAL.size > end_at:
            raise damaged
        magic, flags, method, crc, packed, size, name_len, extra_len, comment_len, attributes, local = (
            _CENTRAL.unpack_from(content, at)
        )
        at += _CENTRAL.size
        name = content[at : at + name_len]
        at += name_len + extra_len + comment_len
        if magic != b"PK\x01\x02" or at > end_at:
            raise damaged
        if 0xFFFFFFFF in (packed, size, local):
            raise ArchiveError(
                gettext_noop("The zip uses the Zip64 format, which small archives do not need; make it without.")
            )
        entries.append(_Entry(_decode(name), name, flags, method, crc, packed, size, attributes >> 16, local))
    if at != end_at:
        raise damaged
    return entries, start


def _decode(name: bytes) -> str:
    try:
        # Whatever the flag says: macOS writes UTF-8 without setting it.
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        text = name.decode("cp437")
    # As it will stand on a disk: a byte of the old character set may be three of UTF-8.
    if len(text.encode()) > MAX_NAME_BYTES:
        raise ArchiveError(
            gettext_noop("A path in the zip is longer than %(count)s bytes; shorten it."), count=str(MAX_NAME_BYTES)
        )
    return text


def _check_entry(entry: _Entry) -> None:
    _check_name(entry.name)
    shown = _quote(entry.name)
    kind = stat.S_IFMT(entry.mode)
    if kind == stat.S_IFLNK:
        raise ArchiveError(gettext_noop("%(file)s is a symbolic link; put the file itself into the zip."), file=shown)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveError(
            gettext_noop("%(file)s is a device or another special file; a zip may hold files and folders only."),
            file=shown,
        )
    if entry.flags & _FLAG_ENCRYPTED:
        raise ArchiveError(gettext_noop("%(file)s is encrypted; make the zip without a password."), file=shown)
    if entry.method not in (_STORED, _DEFLATED):
        raise ArchiveError(
            gettext_noop("%(file)s is packed by an unusual method; use the ordinary one (deflate)."), file=shown
        )
    if entry.is_folder and entry.size:
        raise ArchiveError(
            gettext_noop("%(file)s is a folder with contents of its own; make the zip again."), file=shown
        )


def _check_name(name: str) -> None:
    if "\0" in name:
        raise ArchiveError(gettext_noop("%(file)s has a null byte in its name; rename it."), file=_quote(name))
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        raise ArchiveError(gettext_noop("%(file)s has a control character in its name; rename it."), file=_quote(name))
    if "\\" in name:
        raise ArchiveError(
            gettext_noop("%(file)s has a backslash in its name; paths in a zip are written with /."), file=_quote(name)
        )
    if name.startswith("/"):
        raise ArchiveError(gettext_noop("%(file)s is an absolute path; paths must be relative."), file=_quote(name))
    if _DRIVE.match(name):
        raise ArchiveError(
            gettext_noop("%(file)s begins with a drive letter; paths must be relative."), file=_quote(name)
        )
    parts = name.removesuffix("/").split("/")
    if ".." in parts:
        raise ArchiveError(gettext_noop("%(file)s leads out of the archive (..); remove it."), file=_quote(name))
    if "" in parts or "." in parts:
        raise ArchiveError(
            gettext_noop("%(file)s is not a plain relative path; make the zip again."), file=_quote(name)
        )


def _check_collisions(names: Iterable[str]) -> None:
    """Refuses two entries that are one file on some file system, a file that is a folder elsewhere, many folders."""
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        path = name.removesuffix("/")
        key = _fold(path)
        if key in seen:
            if seen[key] == name:
                raise ArchiveError(gettext_noop("%(file)s is in the zip twice; keep one."), file=_quote(name))
            raise ArchiveError(
                gettext_noop("%(file)s and %(other)s differ only in spelling; rename one."),
                file=_quote(seen[key]),
                other=_quote(name),
            )
        seen[key] = name
        while "/" in path:
            path = path.rpartition("/")[0]
            spelled = folders.setdefault(_fold(path), path)
            if spelled != path:
                sentence = gettext_noop("The folders %(file)s and %(other)s differ only in spelling; rename one.")
                raise ArchiveError(sentence, file=_quote(spelled), other=_quote(path))
    if len(folders) > MAX_FOLDERS:
        raise ArchiveError(
            gettext_noop("The files of the zip lie in more than %(count)s folders, which is the limit."),
            count=str(MAX_FOLDERS),
        )
    for key, name in seen.items():
        if key in folders and (not name.endswith("/") or name.removesuffix("/") != folders[key]):
            raise ArchiveError(
                gettext_noop("%(file)s is both a file and a folder, or spelled in two ways; rename one."),
                file=_quote(name),
            )


def _fold(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _check_layout(entries: list[_Entry], content: bytes, end: int) -> None:
    """Refuses entries that overlap, leave gaps or are named otherwise in front of their data.

    Overlaps are how a small zip claims to be a huge one; gaps and second names are where two readers of one zip see
    two different archives.
    """
    at = 0
    for entry in sorted(entries, key=lambda entry: entry.start):
        if entry.start != at:
            raise _contradiction()
        at = _data_start(entry, content) + entry.packed
        if entry.flags & _FLAG_DESCRIPTOR:  # its 12 bytes may have a signature before them
            at += 16 if content[at : at + 4] == b"PK\x07\x08" else 12
    if at != end:
        raise _contradiction()


def _data_start(entry: _Entry, content: bytes) -> int:
    at = entry.start
    if at + _LOCAL.size > len(content):
        raise _contradiction()
    magic, method, name_len, extra_len = _LOCAL.unpack_from(content, at)
    at += _LOCAL.size
    if magic != b"PK\x03\x04" or method != entry.method or content[at : at + name_len] != entry.raw_name:
        raise _contradiction()
    return int(at + name_len + extra_len)


def _unpack(entry: _Entry, content: bytes) -> bytes:
    """The contents of a file, never more than the size that was declared and counted."""
    start = _data_start(entry, content)
    data = content[start : start + entry.packed]
    if entry.method == _DEFLATED:
        reader = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = reader.decompress(data, entry.size + 1)
        except zlib.error as error:
            raise ArchiveError(
                gettext_noop("%(file)s is damaged in the zip; make the zip again."), file=_quote(entry.name)
            ) from error
    if len(data) != entry.size or zlib.crc32(data) != entry.crc:
        raise ArchiveError(
            gettext_noop("%(file)s does not match its size or checksum; make the zip again."), file=_quote(entry.name)
        )
    return data


def _contradiction() -> ArchiveError:
    return ArchiveError(
        gettext_noop("The parts of the zip contradict each other; make it again with an ordinary zip program.")
    )


def _is_ignored(name: str) -> bool:
    """Whether the entry is one of those that macOS adds on its own."""
    parts = name.split("/")
    return "__MACOSX" in parts or parts[-1].startswith("._") or parts[-1] == ".DS_Store"


def _find_root(names: list[str]) -> str:
    """The folder of ``bot.py`` with its slash, or "" for the root of the zip."""
    candidates = [
        name for name in names if name == ENTRY_POINT or (name.count("/") == 1 and name.endswith("/" + ENTRY_POINT))
    ]
    if len(candidates) > 1:
        listed = ", ".join(map(_quote, sorted(candidates)[:3]))
        sentence = gettext_noop(
            "The zip could start at %(files)s; keep one bot.py at its root or in its single top folder."
        )
        raise ArchiveError(sentence, files=listed)
    if not candidates:
        near = [name for name in names if name.rpartition("/")[2].lower() == ENTRY_POINT]
        if near:
            sentence = gettext_noop("The zip has %(file)s, but bot.py must be at its root or in its single top folder.")
            raise ArchiveError(sentence, file=_quote(near[0]))
        raise ArchiveError(gettext_noop("The zip has no bot.py at its root or in its single top folder."))
    root = candidates[0].removesuffix(ENTRY_POINT)
    beside = [name for name in names if not name.startswith(root)]
    if beside:
        sentence = gettext_noop(
            "bot.py is in the folder %(folder)s, but %(file)s is beside it; "
            "put everything into that folder, or bot.py at the root of the zip."
        )
        raise ArchiveError(sentence, folder=_quote(root), file=_quote(beside[0]))
    return root


def _quote(name: str) -> str:
    """A name from the upload, safe to stand in a sentence, whatever it holds."""
    shown = name if len(name) <= 80 else name[:77] + "..."
    return '"' + "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown) + '"'


def _size(count: int) -> str:
    """A number of bytes in words."""
    return f"{count / 1024:.0f} KB" if count < 1024 * 1024 else f"{count / 1024 / 1024:.1f} MB"
