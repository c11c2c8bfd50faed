"""The command line: what it prints for people and for programs, and its exit codes."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from arena.cli import app
from arena.durak import GameRecord, verify
from arena.samples import SAMPLES
from tests.arena.tournaments import dump, proof

BACKEND = ["--backend", "process"]


def run(*words, code=0, stdin=None):
    result = CliRunner().invoke(app, list(map(str, words)), input=stdin, env={"COLUMNS": "200"})
    assert result.exit_code == code, (result.output, result.exception)
    return result


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    run("play", "lowest", "random", "--deals", 1, "--seed", "x", "--records", folder, *BACKEND)
    return folder / "0-0.json"


@pytest.mark.parametrize("command", ["play", "check", "verify", "new", "samples", "study", "variance", "rules"])
def test_every_command_has_help_with_an_example(command):
    text = run(command, "--help").output
    assert f"python -m arena {command}" in text
    assert run("--help").output.count(command) >= 1


def test_python_m_arena_is_the_command_line():
    done = subprocess.run([sys.executable, "-m", "arena", "samples", "--json"], capture_output=True, check=True)
    assert [sample["name"] for sample in json.loads(done.stdout)] == list(SAMPLES)


# play


def test_play_prints_a_table_with_the_winner_first():
    lines = run("play", "random", "lowest", "--deals", 3, "--seed", "s", *BACKEND).stdout.split("\n")
    assert lines[1].split()[0] == "lowest"
    assert "%" in lines[1]


def test_play_as_json_holds_every_game():
    found = json.loads(run("play", "lowest", "random", "easy", "--deals", 2, "--json", *BACKEND).stdout)
    assert [entrant["name"] for entrant in found["entrants"]] == ["lowest", "random", "easy"]
    assert len(found["games"]) == 6
    assert sum(entrant["score"] for entrant in found["entrants"]) == pytest.approx(1.5)
    for game in found["games"]:
        verify(GameRecord.from_json(game))


def test_the_same_seed_plays_the_same_games():
    games = [json.loads(run("play", "lowest", "easy", "-d", 1, "-s", seed, "--json", *BACKEND).stdout)["games"]
             for seed in ("monday", "monday", "tuesday")]  # fmt: skip
    moves = [[game["moves"] for game in match] for match in games]
    assert moves[0] == moves[1] != moves[2]


def test_a_bot_plays_itself_under_two_names():
    found = json.loads(run("play", "lowest", "lowest", "--deals", 1, "--json", *BACKEND).stdout)
    assert [entrant["name"] for entrant in found["entrants"]] == ["lowest 1", "lowest 2"]


def test_every_bot_has_a_name_of_its_own_as_its_file_says(tmp_path):
    (tmp_path / "a").mkdir()
    source = SAMPLES["lowest"].source
    files = [tmp_path / "mine 1.py", tmp_path / "mine.py", tmp_path / "a" / "mine.py", tmp_path / "new[red].py"]
    for file in files:
        file.write_bytes(source)
    found = json.loads(run("play", *files, "--deals", 1, "--json", *BACKEND).stdout)
    assert [entrant["name"] for entrant in found["entrants"]] == ["mine 1", "mine 2", "mine 3", "new[red]"]
    assert "new[red]" in run("play", files[-1], "lowest", "--deals", 1, *BACKEND).stdout
    assert run("tournament", files[-1], "lowest", "--deals", 1, "-j", 1, *BACKEND).stdout.count("new[red]") == 3


def test_a_bot_that_cannot_be_read_is_told_so(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("x = 1\n")

    def denied(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", denied)
    told = run("play", tmp_path / "mine.py", "lowest", *BACKEND, code=2).stderr
    assert "mine.py cannot be read: Permission denied." in told


def test_a_folder_with_a_name_that_no_zip_holds_is_refused(tmp_path):
    (tmp_path / "bot.py").write_bytes(SAMPLES["lowest"].source)
    (tmp_path / os.fsdecode(b"table-\xff.bin")).write_bytes(b"x")
    assert "is not UTF-8; rename it" in run("check", tmp_path, *BACKEND, code=2).stderr


def test_play_tells_what_failed_and_where(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("from arena import Bot\nclass Mine(Bot):\n    def act(self, view):\n        return 1 / 0\n")
    output = run("play", bot, "lowest", "--deals", 1, *BACKEND).stdout
    assert "ZeroDivisionError" in output
    assert "bot.py, line 4" in output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["lowest"], "two to six"),
        (["lowest"] * 7, "two to six"),
        (["lowest", "no-such-bot"], "thrifty"),
        (["lowest", "random", "--ruleset", "poker"], "podkidnoy"),
        (["lowest", "random", "--ruleset", "pairs"], "four"),
        (["lowest", "random", "--bank", "0"], "bank"),
        (["lowest", "random", "--deals", "0"], "deals"),
        (["lowest", "random", "--deals", 10**23], "deals"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_told_so(words, told):
    assert told in run("play", *words, *BACKEND, code=2).stderr


def test_play_needs_an_engine_only_when_told_to_use_one(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent.sock")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "play", "lowest", "random", "--backend", "docker"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


# check


def test_check_of_a_sound_bot(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_bytes(SAMPLES["lowest"].source)
    assert "passed" in run("check", bot, *BACKEND).stdout


def test_check_of_a_broken_bot_names_the_line_and_exits_1(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("from arena import Bot\nclass Mine(Bot)\n")
    assert "bot.py, line 2" in run("check", bot, *BACKEND, code=1).stdout
    report = json.loads(run("check", bot, "--json", *BACKEND, code=1).stdout)
    assert (report["reason"], report["file"], report["line"]) == ("load", "bot.py", 2)


def test_check_refuses_what_the_site_would_refuse(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_bytes(b"\0")
    assert "null byte" in run("check", bot, *BACKEND, code=2).stderr


# new


def test_a_new_bot_passes_the_check_and_its_own_test(tmp_path):
    folder = tmp_path / "mybot"
    assert str(folder) in run("new", folder).stdout.replace("\n", "")
    run("check", folder, *BACKEND)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django",
                           "-c", "/dev/null", "--rootdir", folder, folder / "test_bot.py"],
                          cwd=folder, capture_output=True, text=True, check=False,
                          env={"PYTHONPATH": _root(), "PATH": "/usr/bin:/bin"})  # fmt: skip
    assert done.returncode == 0, done.stdout


def _root():
    import arena

    return str(arena.__path__[0].removesuffix("/arena"))


def test_new_never_overwrites(tmp_path):
    (tmp_path / "mybot").mkdir()
    assert "already" in run("new", tmp_path / "mybot", code=1).stderr


def test_new_where_no_folder_can_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be made: Not a directory." in run("new", tmp_path / "file" / "mybot", code=3).stderr


# samples


def test_samples_lists_them_weakest_first():
    output = run("samples").stdout
    assert [output.index(f" {name} ") for name in SAMPLES] == sorted(output.index(f" {name} ") for name in SAMPLES)


def test_samples_prints_a_source_that_can_be_saved():
    assert run("samples", "lowest").stdout == SAMPLES["lowest"].source.decode()
    assert "lowest" in run("samples", "nothing", code=2).stderr


# verify


def test_verify_of_a_true_record(record):
    assert "holds" in run("verify", record).stdout
    assert json.loads(run("verify", record, "--json").stdout)["ok"] is True


def test_verify_reads_standard_input(record):
    assert "holds" in run("verify", "-", stdin=record.read_bytes()).stdout


def test_verify_of_a_false_record_says_which_move(record, tmp_path):
    data = json.loads(record.read_text())
    data["moves"][0][1] = "take"
    false = tmp_path / "false.json"
    false.write_text(json.dumps(data))
    assert "Move 1" in run("verify", false, code=1).stderr
    assert json.loads(run("verify", false, "--json", code=1).stdout)["ok"] is False


@pytest.mark.parametrize("content", [b"", b"{}", b"not json", b"\xff\xfe"])
def test_verify_of_what_is_no_record(content, tmp_path):
    file = tmp_path / "x.json"
    file.write_bytes(content)
    assert run("verify", file, code=1).stderr


def test_verify_of_a_whole_tournament(tmp_path):
    file = tmp_path / "proof.jsonl"
    file.write_bytes(b"".join(dump(proof())))
    assert "“Made cup”: The tournament holds. 6 matches, 24 games; every deck is the one" in run("verify", file).stdout
    found = json.loads(run("verify", file, "--json").stdout)
    assert (found["ok"], found["table"], found["decks_not_checked"]) == (True, "verified", 0)


def test_verify_of_a_false_tournament_says_which_match(tmp_path):
    lines = proof()
    lines[2]["games"][0]["record"]["deck"] = lines[1]["games"][0]["record"]["deck"]
    file = tmp_path / "proof.jsonl"
    file.write_bytes(b"".join(dump(lines)))
    failed = run("verify", file, code=1)
    assert "Match 2, deal 0, rotation 0: The deck is not the one that the secret gives" in failed.stderr
    assert "do not hold" in failed.stdout
    found = json.loads(run("verify", file, "--json", code=1).stdout)
    assert (found["ok"], found["findings"][0]["match"]) == (False, 2)


def test_verify_of_a_hostile_file_writes_nothing_over_what_it_says(record, tmp_path):
    """Names in a file may be made to move the cursor, and so to write over the verdict."""
    lines = proof()
    lines[0]["name"] = lines[0]["table"][0]["bot"] = "Cup\x1b[2K\x1b[1A"
    lines[0]["table"][0]["won"] = 99
    file = tmp_path / "proof.jsonl"
    file.write_bytes(b"".join(dump(lines)))
    result = run("verify", file, code=1)
    assert "\x1b" not in result.stdout + result.stderr
    data = json.loads(record.read_text())
    data["seats"][0]["bot"] = "A\x1b[31m"
    file.write_text(json.dumps(data))
    assert "\x1b" not in run("verify", file).stdout


def test_verify_of_a_tournament_that_runs_says_what_was_not_checked(tmp_path):
    file = tmp_path / "proof.jsonl"
    file.write_bytes(b"".join(dump(proof(state="running"))))
    told = run("verify", file).stdout
    assert "the decks of 6 matches cannot be checked before" in told
    assert "the table was not checked" in told


def test_verify_of_a_broken_proof_names_the_line(tmp_path):
    file = tmp_path / "proof.jsonl"
    file.write_bytes(b"".join(dump(proof()))[:-100])
    assert "Line 7 is not JSON" in run("verify", file, code=1).stderr
    assert json.loads(run("verify", file, "--json", code=1).stdout)["ok"] is False
    file.write_bytes(dump(proof())[0])
    assert "--secret only with one record" in run("verify", file, *PROOF_OPTIONS, code=2).stderr


def test_verify_of_records_without_their_table_says_what_to_verify(tmp_path):
    file = tmp_path / "records.jsonl"
    file.write_text('{"match":1,"round":1,"deal":0,"rotation":0,"game":7,"record":{}}\n')
    assert "verify its proof" in run("verify", file, code=2).stderr


PROOF_OPTIONS = ("--secret", "00" * 32, "--commitment", "00", "--match", 1, "--deal", 0)


def test_verify_of_a_missing_file():
    assert "cannot be read" in run("verify", "no-such-file.json", code=2).stderr


def test_verify_of_the_deck_needs_secret_commitment_and_numbers(record):
    assert "--commitment" in run("verify", record, "--secret", "00" * 32, code=2).stderr


def test_verify_of_the_deck(record):
    import hashlib

    secret = hashlib.sha256(b"x").digest()
    options = ["--secret", secret.hex(), "--commitment", hashlib.sha256(secret).hexdigest(), "--match", 1]
    assert "committed to" in run("verify", record, *options, "--deal", 0).stdout
    assert "card 0" in run("verify", record, *options, "--deal", 1, code=1).stderr
