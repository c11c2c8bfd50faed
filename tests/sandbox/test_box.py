"""Box folders: what is in them, who sees them, and how those of the dead are told from those of the living."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import SandboxError
from sandbox.box import Boxes


def test_a_box_holds_its_files_for_all_to_read_and_nobody_to_write(boxes: Path):
    own = Boxes(boxes)
    box = own.new_box({"bot.py": b"1", "data/deep/table.bin": b"2"}, {"host.py": b"3"})
    assert (box.path / "bot/data/deep/table.bin").read_bytes() == b"2"
    assert (box.path / "host/host.py").read_bytes() == b"3"
    for path in box.path.rglob("*"):
        mode = path.stat().st_mode
        assert not mode & (stat.S_IWGRP | stat.S_IWOTH)
        assert mode & stat.S_IROTH
        assert mode & stat.S_IXOTH or not path.is_dir()
    box.remove()
    assert not box.path.exists()
    own.close()
    assert list(boxes.iterdir()) == []


def test_two_boxes_share_no_file(boxes: Path):
    own = Boxes(boxes)
    first, second = (own.new_box({"bot.py": b"same"}, {}) for _ in range(2))
    assert (first.path / "bot/bot.py").stat().st_ino != (second.path / "bot/bot.py").stat().st_ino
    own.close()


def test_the_socket_is_there_only_while_somebody_is_expected(boxes: Path):
    own = Boxes(boxes)
    box = own.new_box({}, {})
    assert list(box.link.iterdir()) == []
    with box.listening():
        assert box.socket_path.is_socket()
    assert list(box.link.iterdir()) == []
    own.close()


def test_the_boxes_of_others_cannot_be_listed(boxes: Path):
    own = Boxes(boxes)
    assert not own.path.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH)
    own.close()


def test_the_dead_are_told_from_the_living(boxes: Path):
    own = Boxes(boxes)
    code = "import os, sys; from pathlib import Path; from sandbox.box import Boxes; own = Boxes(Path(sys.argv[1])); "
    subprocess.run([sys.executable, "-c", code + "os._exit(0)", str(boxes)], check=True)
    living = subprocess.Popen(
        [sys.executable, "-c", code + "print('up', flush=True); sys.stdin.read()", str(boxes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with living:
        assert living.stdout is not None
        living.stdout.readline()
        dead = own.dead_workers()
        assert len(dead) == 1
        assert own.is_dead(dead[0])
        assert own.is_dead("never-there")
        assert not own.is_dead(own.worker)
        own.remove_worker(dead[0])
        assert own.dead_workers() == []
        assert len(list(boxes.iterdir())) == 2
    own.close()


def test_what_else_is_kept_in_the_folder_is_nobodys_who_died(boxes: Path):
    """Whoever keeps box folders beside other things must not lose those to the reaper."""
    kept = [boxes / name for name in ("media", "0123456789abcdef", "lost+found")]
    for folder in kept:
        folder.mkdir()
    (boxes / "0123456789ab").mkdir()
    own = Boxes(boxes)
    assert own.dead_workers() == ["0123456789ab"]
    own.close()


def test_a_root_of_somebody_else_is_refused(boxes: Path):
    (boxes / "link").symlink_to(boxes)
    with pytest.raises(SandboxError, match="not a folder of this user"):
        Boxes(boxes / "link")
    (boxes / "file").write_bytes(b"")
    with pytest.raises(SandboxError, match="cannot be used"):
        Boxes(boxes / "file")


def test_a_root_too_deep_for_a_socket_is_refused(boxes: Path):
    with pytest.raises(SandboxError, match="too long"):
        Boxes(boxes / ("deep" * 20))
