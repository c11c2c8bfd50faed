"""What an author has on his machine beside playing: a tournament, a replay to watch, times, a failure reproduced."""

import json
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from arena.cli import app
from arena.durak import GameRecord, verify
from tests.arena.cli.test_cli import BACKEND, run

CRASHES = """from arena import Bot


class Crashes(Bot):
    asked = 0

    def act(self, view):
        self.asked += 1
        if self.asked == 5:
            return self.think(view)
        return view.legal[0]

    def think(self, view):
        return [][self.asked]
"""


def reproduce(*words, stdin="", timeout=None):
    """In a process of its own, since it imports the bot and may stop in a debugger."""
    command = [sys.executable, "-m", "arena", "reproduce", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, check=False, timeout=timeout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Games of a bot that crashes, in one folder."""
    folder = tmp_path_factory.mktemp("author")
    (folder / "bot.py").write_text(CRASHES)
    run("play", folder / "bot.py", "lowest", "-d", 1, "-s", "x", "--records", folder / "games", *BACKEND)
    return folder


@pytest.fixture(scope="module")
def failure(folder):
    return folder / "games" / "0-0-failure-0.json"


@pytest.mark.parametrize("command", ["tournament", "replay", "bench", "reproduce", "login", "submit", "status", "logs"])
def test_every_command_has_help_with_an_example_and_its_exit_codes(command):
    text = run(command, "--help").output
    assert f"python -m arena {command}" in text
    assert "Exit code 0" in text


def test_the_help_lists_every_command_once():
    listed = [line.split()[1] for line in run("--help").output.splitlines() if line.startswith("│ ") and line[2] != " "]
    names = {command.callback.__name__ for command in app.registered_commands}
    assert sorted(word for word in listed if word in names) == sorted(names)


# tournament


def test_a_tournament_has_a_table_a_crosstable_and_records(tmp_path):
    file = tmp_path / "games.jsonl"
    words = ("tournament", "random", "lowest", "easy", "-d", 2, "-s", "x", "-j", 2, "--records", file, *BACKEND)
    output = run(*words).stdout
    assert output.index("lowest") < output.index("random")
    assert "Score of row against column" in output
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == 3 * 2 * 2
    for line in lines:
        verify(GameRecord.from_json(line["record"]))


def test_a_tournament_as_json_says_how_sure_it_is():
    found = json.loads(run("tournament", "random", "lowest", "-d", 2, "-s", "x", "--json", *BACKEND).stdout)
    first, second = found["table"]
    assert (first["name"], second["name"]) == ("lowest", "random")
    assert first["low"] < first["rating"] < first["high"]
    assert (first["best_place"], first["worst_place"], first["group"]) == (1, 2, 1)
    assert found["crosstable"]["lowest"]["random"] == first["score"]
    assert found["ruleset"]["name"] == "podkidnoy"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["lowest", "easy", "--players", 3], "at least 3 bots"),
        (["lowest", "easy", "--ruleset", "pairs"], "four"),
        (["lowest", "easy", "no-such-bot"], "no-such-bot"),
        (["lowest", "easy", "--records", "/nonexistent/games.jsonl"], "cannot be written"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_told_so(words, told):
    assert told in run("tournament", *words, *BACKEND, code=2).stderr


# replay


def test_a_replay_is_one_file_and_its_address_is_printed(folder):
    record = folder / "games" / "0-0.json"
    address = run("replay", record, "--no-browser").stdout.strip()
    page = record.with_suffix(".html")
    assert address == page.resolve().as_uri()
    assert "durak-frames/1" in page.read_text()


def test_a_replay_of_a_failure_opens_where_it_happened(failure, tmp_path):
    found = json.loads(failure.read_text())
    output = tmp_path / "replay.html"
    address = run("replay", failure, "-o", output, "--language", "ru", "--no-browser").stdout.strip()
    assert urlsplit(address).fragment == f"m={found['at']}&seat={found['seat']}"
    assert '<html lang="ru">' in output.read_text()


def test_a_replay_of_one_game_of_many(folder, tmp_path):
    record = json.loads((folder / "games" / "0-1.json").read_text())
    many = tmp_path / "games.jsonl"
    many.write_text("\n".join(json.dumps({"match": 1, "record": record}) for _ in range(2)) + "\n")
    address = run("replay", many, "--line", 2, "--move", 3, "--no-browser").stdout.strip()
    assert address.endswith("games-2.html#m=3")
    assert "--line" in run("replay", many, "--no-browser", code=2).stderr
    assert "no line 3" in run("replay", many, "--line", 3, "--no-browser", code=2).stderr


def test_a_replay_opens_a_browser_unless_told_not_to(folder, monkeypatch):
    opened = []

    def remember(address):
        opened.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", remember)
    address = run("replay", folder / "games" / "0-0.json", "--move", 2).stdout.strip()
    assert opened == [address]


@pytest.mark.parametrize("words", [["--seat", 2], ["--move", 999]])
def test_a_replay_from_where_there_is_nothing_is_refused(folder, words):
    assert "there is no" in run("replay", folder / "games" / "0-0.json", *words, "--no-browser", code=2).stderr


def test_a_replay_does_not_write_over_its_record(folder, tmp_path):
    record = tmp_path / "game.html"
    record.write_bytes((folder / "games" / "0-0.json").read_bytes())
    for words in ((), ("-o", tmp_path / "." / "game.html")):
        assert "--output" in run("replay", record, *words, "--no-browser", code=2).stderr
    assert json.loads(record.read_text())


def test_records_that_cannot_be_written_end_a_tournament_with_a_sentence():
    words = ["tournament", "lowest", "easy", "-d", 1, "-j", 1, "--records", "/dev/full", *BACKEND]
    told = run(*words, code=3).stderr
    assert "/dev/full cannot be written: No space left on device." in told


def test_a_replay_of_what_is_nested_without_end_is_refused(tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    assert "too deeply" in run("replay", deep, "--no-browser", code=2).stderr


# bench


def test_a_bench_tells_times_by_phase_and_the_slowest():
    output = run("bench", "lowest", "-d", 1, "--slowest", 2, *BACKEND).stdout
    assert "talon empty" in output
    assert "decisions a second" in output
    found = json.loads(run("bench", "lowest", "-a", "random", "-a", "easy", "-d", 1, "--json", *BACKEND).stdout)
    assert found["games"] == 3
    assert found["all"]["median"] <= found["all"]["p95"] <= found["all"]["slowest"]
    assert sum(phase["decisions"] for phase in found["phases"].values()) == found["all"]["decisions"]
    assert found["slowest"][0]["ms"] == found["all"]["slowest"]


def test_a_bench_of_a_bot_that_fails_says_so(folder):
    assert "IndexError" in run("bench", folder, "-d", 1, *BACKEND, code=1).stdout


# reproduce


def test_a_failure_is_reproduced_with_its_traceback(folder, failure):
    done = reproduce(failure, folder / "bot.py", "--no-debugger")
    assert done.returncode == 1, done.stderr
    assert 'File "bot.py", line 14, in think' in done.stdout
    assert "IndexError" in done.stdout


def test_the_debugger_stops_at_act_and_then_where_it_was_raised(folder, failure):
    done = reproduce(failure, folder, stdin="p ('at', self.asked)\nc\np ('raised', self.asked)\nq\n")
    assert "('at', 4)" in done.stdout
    assert f"{folder / 'bot.py'}(14)think()" in done.stdout
    assert "('raised', 5)" in done.stdout
    assert done.returncode == 1


def test_who_leaves_the_debugger_has_reproduced_nothing(folder, failure):
    done = reproduce(failure, folder, stdin="q\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You left the debugger" in done.stdout


def changed(tmp_path, old, new):
    bot = tmp_path / "mine.py"
    assert old in CRASHES
    bot.write_text(CRASHES.replace(old, new))
    return bot


def as_json(failure, bot):
    done = reproduce(failure, bot, "--no-debugger", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == found["reproduced"], done.stderr
    return found


def test_a_bot_that_was_mended_does_not_fail_any_more(failure, tmp_path):
    found = as_json(failure, changed(tmp_path, "return [][self.asked]", "return view.legal[-1]"))
    assert (found["reproduced"], found["reason"], found["different"]) == (False, None, [])
    assert found["answer"]


def test_a_bot_that_plays_otherwise_is_told_where(failure, tmp_path):
    found = as_json(failure, changed(tmp_path, "return view.legal[0]", "return view.legal[-1]"))
    assert found["different"]
    assert found["different"] == sorted(found["different"])


def test_what_the_bot_prints_does_not_spoil_the_json(failure, tmp_path):
    assert as_json(failure, changed(tmp_path, "self.asked += 1", "self.asked += 1; print('thinking')"))["reproduced"]


@pytest.mark.parametrize(
    ("old", "new", "reason", "told"),
    [
        ("return [][self.asked]", "return '6x'", "illegal", "6x"),
        ("return [][self.asked]", "while True: pass", "time", "No answer within"),
        ("self.asked += 1", "self.asked += 1\n        while self.asked == 2: pass", "time", "No answer within"),
        ("    asked = 0", "    asked = nothing", "load", "NameError"),
        ("    asked = 0", "    asked = 0\n    while True: pass", "load", "Not ready within"),
        ("        self.asked += 1", "        self.asked += 1; 1 / (self.asked - 2)", "crash", "ZeroDivisionError"),
    ],
)
def test_whatever_it_fails_by_now_is_told(failure, tmp_path, old, new, reason, told):
    content = json.loads(failure.read_text())
    content["record"]["limits"] |= {"move_limit": 0.2, "start_limit": 0.5, "bank": 0.5}
    quick = tmp_path / "failure.json"
    quick.write_text(json.dumps(content))
    found = as_json(quick, changed(tmp_path, old, new))
    assert found["reason"] == reason
    assert told in found["message"]


def test_a_thread_that_never_ends_does_not_keep_the_command(failure, tmp_path):
    thread = "self.asked += 1; import threading; threading.Thread(target=threading.Event().wait).start()"
    bot = changed(tmp_path, "return [][self.asked]", "return view.legal[-1]")
    bot.write_text(bot.read_text().replace("self.asked += 1", thread))
    done = reproduce(failure, bot, "--no-debugger", timeout=30)
    assert done.returncode == 0
    assert "does not fail any more" in done.stdout
    assert "still run" in done.stderr


def test_a_check_leaves_a_file_that_reproduces(folder, tmp_path):
    file = tmp_path / "failure.json"
    run("check", folder / "bot.py", "--failure", file, *BACKEND, code=1)
    assert reproduce(file, folder, "--no-debugger").returncode == 1


def test_reproducing_needs_a_file_a_bot_and_no_json_in_the_debugger(failure, folder, tmp_path):
    for words, told in (
        ((folder / "games" / "0-0.json", folder), "durak-failure/1"),
        ((tmp_path / "nothing.json", folder), "cannot be read"),
        ((failure, tmp_path / "nothing"), "no file or folder"),
        ((failure, folder, "--json"), "--no-debugger"),
    ):
        done = reproduce(*words)
        assert done.returncode == 2
        assert told in done.stderr
