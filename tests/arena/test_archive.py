"""What an upload may be: accepted layouts, and a refusal in one sentence for everything else."""

import contextlib
import io
import stat
import struct
import zipfile
import zlib

import pytest

from arena.archive import ArchiveError, BotFiles, read_upload

BOT = b"from arena import Bot\n\n\nclass Mine(Bot):\n    def act(self, view):\n        return view.legal[0]\n"


def make_zip(*entries, method=zipfile.ZIP_DEFLATED):
    """A zip of (name, content) or (ZipInfo, content) pairs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as out:
        for name, content in entries:
            out.writestr(name, content)
    return buffer.getvalue()


def refusal(filename, content):
    with pytest.raises(ArchiveError) as caught:
        read_upload(filename, content)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_a_lone_source_becomes_bot_py():
    assert dict(read_upload("my cool bot.PY", BOT).files) == {"bot.py": BOT}


def test_the_digest_is_that_of_the_upload():
    assert read_upload("a.py", BOT).digest == read_upload("b.py", BOT).digest
    assert read_upload("a.py", BOT).digest != read_upload("a.py", BOT + b"\n").digest


def test_files_that_were_no_upload_have_a_digest_of_names_and_contents():
    one = BotFiles.from_files({"bot.py": BOT, "a": b"b"})
    assert one.digest == BotFiles.from_files({"a": b"b", "bot.py": BOT}).digest
    assert one.digest != BotFiles.from_files({"bot.py": BOT, "ab": b""}).digest


@pytest.mark.parametrize("filename", ["bot", "bot.txt", "bot.py.exe", "py", "", ".zip.py/", "bot.tar.gz"])
def test_other_endings_are_refused(filename):
    assert ".py" in refusal(filename, BOT)


def test_a_source_over_256_kb_is_refused():
    assert "256 KB" in refusal("bot.py", b"#" * (256 * 1024 + 1))
    assert read_upload("bot.py", b"#" * (256 * 1024)).size == 256 * 1024


def test_an_empty_source_is_refused():
    assert "empty" in refusal("bot.py", b" \r\n")


@pytest.mark.parametrize("source", [BOT + b"\0", b"\0"])
def test_a_null_byte_in_source_is_refused(source):
    assert "null byte" in refusal("bot.py", source)
    assert "null byte" in refusal("bot.zip", make_zip(("bot.py", BOT), ("helper.py", source)))


def test_utf_16_source_is_named():
    assert "UTF-16" in refusal("bot.py", BOT.decode().encode("utf-16"))


def test_a_zip_called_py_is_named():
    assert "zip" in refusal("bot.py", make_zip(("bot.py", BOT)))


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf" + BOT,
        BOT.replace(b"\n", b"\r\n"),
        b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + BOT,
        "ход = 1\n".encode() + BOT,
        b"def broken(:\n",
    ],
    ids=["bom", "crlf", "latin-1", "cyrillic", "syntax error"],
)
def test_source_is_kept_byte_for_byte_and_never_compiled(source):
    assert read_upload("bot.py", source).files["bot.py"] == source


def test_bot_py_at_the_root_of_a_zip():
    files = read_upload("b.zip", make_zip(("bot.py", BOT), ("data/table.bin", b"\0\1"))).files
    assert dict(files) == {"bot.py": BOT, "data/table.bin": b"\0\1"}


def test_bot_py_in_the_single_top_folder():
    files = read_upload("b.zip", make_zip(("mine/", b""), ("mine/bot.py", BOT), ("mine/lib/x.py", b"X = 1\n"))).files
    assert dict(files) == {"bot.py": BOT, "lib/x.py": b"X = 1\n"}


def test_what_macos_adds_is_ignored():
    junk = [("__MACOSX/mine/._bot.py", b"\0"), ("mine/._bot.py", b"\0"), ("mine/.DS_Store", b"x"), (".DS_Store", b"x")]
    assert dict(read_upload("b.zip", make_zip(("mine/bot.py", BOT), *junk)).files) == {"bot.py": BOT}


def test_two_candidate_roots_are_refused_by_name():
    sentence = refusal("b.zip", make_zip(("one/bot.py", BOT), ("two/bot.py", BOT)))
    assert "one/bot.py" in sentence
    assert "two/bot.py" in sentence


def test_a_second_bot_py_in_a_folder_beside_the_first_is_refused():
    assert "old/bot.py" in refusal("b.zip", make_zip(("bot.py", BOT), ("old/bot.py", BOT)))


def test_something_beside_the_top_folder_is_refused_by_name():
    assert "README" in refusal("b.zip", make_zip(("mine/bot.py", BOT), ("README", b"x")))


def test_no_bot_py():
    assert "no bot.py" in refusal("b.zip", make_zip(("main.py", BOT)))
    assert "no bot.py" in refusal("b.zip", make_zip())


@pytest.mark.parametrize("name", ["a/b/bot.py", "Bot.py", "mine/BOT.py"])
def test_a_bot_py_that_is_nearly_right_is_named(name):
    assert name in refusal("b.zip", make_zip((name, BOT)))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("../x.py", "out of the archive"),
        ("lib/../../x.py", "out of the archive"),
        ("..", "out of the archive"),
        ("../bot-evil/x.py", "out of the archive"),
        ("/etc/passwd", "absolute"),
        ("//host/share", "absolute"),
        ("lib\\x.py", "backslash"),
        ("..\\x.py", "backslash"),
        ("C:/x.py", "drive"),
        ("c:x.py", "drive"),
        ("a//b", "plain relative"),
        ("./x.py", "plain relative"),
        ("a\nb", "control"),
        ("x" * 201, "longer"),
        ("../__MACOSX/x", "out of the archive"),
    ],
)
def test_dangerous_names_are_refused(name, word):
    assert word in refusal("b.zip", make_zip(("bot.py", BOT), (name, b"x")))


def test_a_name_is_as_long_as_it_will_be_on_a_disk():
    name = "x" * 100
    plain = make_zip(("bot.py", BOT), (name, b"x"))
    # Bytes of the old character set, each of them three in UTF-8.
    assert "longer" in refusal("b.zip", plain.replace(name.encode(), b"\xb0" * 100))
    short = b"\xb0" * 50 + b"x" * 50
    assert "░" * 50 + "x" * 50 in read_upload("b.zip", plain.replace(name.encode(), short)).files


def test_folders_that_only_stand_in_a_path_are_counted():
    """A small zip could have a worker make tens of thousands of them, and remove them again."""
    deep = [(f"{number}/" + "a/" * 90 + "x", b"x") for number in range(6)]
    assert "500 folders" in refusal("b.zip", make_zip(("bot.py", BOT), *deep))
    assert len(read_upload("b.zip", make_zip(("bot.py", BOT), *deep[:5])).files) == 6


def test_a_null_byte_in_a_name_is_refused():
    content = make_zip(("bot.py", BOT), ("ab_cd.py", b"x")).replace(b"ab_cd.py", b"ab\0cd.py")
    assert "null byte" in refusal("b.zip", content)


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (stat.S_IFLNK, "symbolic link"),
        (stat.S_IFCHR, "device"),
        (stat.S_IFBLK, "device"),
        (stat.S_IFIFO, "special"),
        (stat.S_IFSOCK, "special"),
    ],
)
def test_links_and_devices_are_refused(kind, word):
    info = zipfile.ZipInfo("link")
    info.external_attr = (kind | 0o644) << 16
    assert word in refusal("b.zip", make_zip(("bot.py", BOT), (info, b"/etc/passwd")))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_duplicates_are_refused():
    assert "twice" in refusal("b.zip", make_zip(("bot.py", BOT), ("bot.py", BOT)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x.py", "X.py"),
        ("lib/x", "LIB/y"),
        ("straße", "STRASSE"),
        ("é", "e\u0301"),
        ("Ход.py", "ход.py"),
        ("a", "A/b"),
        ("a", "a/b"),
    ],
)
def test_names_that_collide_on_some_file_system_are_refused(one, other):
    assert "rename" in refusal("b.zip", make_zip(("bot.py", BOT), (one, b"1"), (other, b"2")))


def flip(content, signature, offset, value, width="<H"):
    """The zip with a field of every header of one kind set."""
    out = bytearray(content)
    at = out.find(signature)
    while at >= 0:
        struct.pack_into(width, out, at + offset, value)
        at = out.find(signature, at + 4)
    return bytes(out)


def test_encrypted_entries_are_refused():
    content = flip(flip(make_zip(("bot.py", BOT)), b"PK\1\2", 8, 1), b"PK\3\4", 6, 1)
    assert "password" in refusal("b.zip", content)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_refused(method):
    assert "deflate" in refusal("b.zip", make_zip(("bot.py", BOT), method=method))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wrong_checksum_is_refused(method):
    assert "checksum" in refusal("b.zip", flip(make_zip(("bot.py", BOT), method=method), b"PK\1\2", 16, 1, "<L"))


def test_a_bomb_is_refused_by_its_declared_size():
    bomb = make_zip(("bot.py", BOT), ("zeros", bytes(21 * 1024 * 1024)))
    assert len(bomb) < 100_000
    assert "20.0 MB" in refusal("b.zip", bomb)


def test_a_bomb_that_lies_about_its_size_is_stopped_at_that_size(monkeypatch):
    seen = []
    real = zlib.decompressobj

    class Counting:
        def __init__(self, bits):
            self.inner = real(bits)

        def decompress(self, data, limit):
            out = self.inner.decompress(data, limit)
            seen.append(len(out))
            return out

    monkeypatch.setattr(zlib, "decompressobj", Counting)
    bomb = flip(make_zip(("zeros", bytes(30_000_000)), ("bot.py", BOT)), b"PK\1\2", 24, len(BOT), "<L")
    assert "size" in refusal("b.zip", bomb)
    assert seen == [len(BOT) + 1]


def test_entries_that_share_their_data_are_refused():
    content = make_zip(("bot.py", BOT), ("a", b"x"))
    directory = content.index(b"PK\1\2")
    second = content.index(b"PK\1\2", directory + 4)
    out = bytearray(content)
    out[second + 42 : second + 46] = out[directory + 42 : directory + 46]
    assert "contradict" in refusal("b.zip", bytes(out))


def test_a_name_in_front_of_the_data_that_differs_from_the_directory_is_refused():
    content = make_zip(("bot.py", BOT), ("aaa", b"x"))
    assert "contradict" in refusal("b.zip", content.replace(b"aaa", b"bbb", 1))


@pytest.mark.parametrize(
    "content",
    [
        b"#!/bin/sh\n" + make_zip(("bot.py", BOT)),
        make_zip(("bot.py", BOT)) + b"tail",
        make_zip(("bot.py", BOT)) + make_zip(("bot.py", BOT)),
        b"",
        b"PK\3\4",
        b"not a zip",
        b"PK\5\6",
        make_zip(("bot.py", BOT))[:-30],
        make_zip(("bot.py", BOT))[30:],
        BOT,
    ],
)
def test_what_is_no_single_clean_zip_is_refused(content):
    assert "zip" in refusal("b.zip", content)


def test_zips_over_5_mb_are_refused():
    assert "5.0 MB" in refusal("b.zip", bytes(5 * 1024 * 1024 + 1))


def test_501_entries_are_refused_and_500_are_not():
    entries = [("bot.py", BOT), *((f"data/{number}", b"") for number in range(499))]
    assert len(read_upload("b.zip", make_zip(*entries)).files) == 500
    assert "500" in refusal("b.zip", make_zip(*entries, ("more", b"")))


def test_a_directory_longer_than_its_count_is_refused():
    content = make_zip(("bot.py", BOT), ("a", b""), ("b", b""))
    out = bytearray(content)
    struct.pack_into("<HH", out, out.rindex(b"PK\5\6") + 8, 1, 1)
    assert "zip" in refusal("b.zip", bytes(out))


def test_a_million_entries_are_refused_by_their_count_alone():
    end = struct.pack("<4s4HLLH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    assert "500" in refusal("b.zip", bytes(5 * 1024 * 1024 - len(end)) + end)


@pytest.mark.parametrize("streamed", [True, False])
def test_zips_written_to_a_stream_are_read(streamed):
    class Stream(io.RawIOBase):
        def __init__(self):
            self.data = b""

        def writable(self):
            return True

        def write(self, data):
            self.data += bytes(data)
            return len(data)

    buffer = Stream() if streamed else io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("bot.py", BOT)
        out.writestr("чтение.txt", b"x" * 1000)
    content = buffer.data if isinstance(buffer, Stream) else buffer.getvalue()
    assert set(read_upload("b.zip", content).files) == {"bot.py", "чтение.txt"}


def test_utf_8_names_without_the_flag_are_read_as_macos_means_them():
    content = make_zip(("bot.py", BOT), ("ход.txt", b"x"))
    content = flip(flip(content, b"PK\1\2", 8, 0), b"PK\3\4", 6, 0)
    assert "ход.txt" in read_upload("b.zip", content).files


def test_sentences_show_hostile_names_harmlessly():
    sentence = refusal("b.zip", make_zip(("bot.py", BOT), ("../\u202e<b>" + "x" * 150, b"")))
    assert "\u202e" not in sentence
    assert len(sentence) < 200


@pytest.mark.parametrize("cut", range(0, 330, 7))
def test_every_truncated_zip_is_refused(cut):
    content = make_zip(("bot.py", BOT), ("a/b.txt", b"hello" * 20))
    refusal("b.zip", content[: min(cut, len(content) - 1)])


@pytest.mark.parametrize("at", range(0, 330, 7))
def test_a_damaged_zip_is_refused_or_read_but_never_raises_anything_else(at):
    content = bytearray(make_zip(("bot.py", BOT), ("a/b.txt", b"hello" * 20)))
    content[at % len(content)] ^= 0xFF
    with contextlib.suppress(ArchiveError):
        assert "bot.py" in read_upload("b.zip", bytes(content)).files
