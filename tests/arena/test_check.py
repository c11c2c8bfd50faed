"""The check of an upload: a report as a value, with file and line when the bot fails."""

import json

import pytest

import sandbox
from arena import check as check_module
from arena.archive import BotFiles, read_upload
from arena.check import CheckReport, Trial, check, default_trials
from arena.durak import PRESETS, GameRecord, verify
from arena.limits import Limits
from arena.samples import SAMPLES

LIMITS = Limits(bank=3.0, move_limit=0.5, start_limit=1.0)
QUICK = (Trial(PRESETS["podkidnoy"], 2), Trial(PRESETS["perevodnoy"], 3))
BOT = b"""from arena import Bot


class Mine(Bot):
    count = 0

    def act(self, view):
        self.count += 1
        print("decision", self.count)
        return view.legal[0]
"""


def run(source, pool, trials=QUICK, on_progress=None):
    files = source if isinstance(source, BotFiles) else read_upload("bot.py", source)
    return check(files, pool, trials, LIMITS, on_progress)


def test_a_sound_bot_passes_in_every_seat(pool):
    report = run(BOT, pool)
    assert report.ok
    assert (report.stage, report.reason) == ("done", None)
    assert report.games == 2 + 3


def test_the_default_check_plays_tables_of_two_and_of_three():
    assert [(trial.ruleset.name, trial.players) for trial in default_trials()] == [("podkidnoy", 2), ("podkidnoy", 3)]


def test_the_report_tells_how_long_decisions_took(pool):
    report = run(BOT, pool)
    assert report.decisions > 10
    assert report.mean_ms is not None
    assert report.slowest_ms is not None
    assert 0 < report.mean_ms <= report.slowest_ms < 1000 * LIMITS.move_limit
    assert report.start_ms is not None
    assert report.start_ms < 1000 * LIMITS.start_limit
    assert report.peak_memory_mb is not None
    assert "decision 1\n" in report.log


@pytest.mark.parametrize(
    "source",
    [BOT, BOT.replace(b"return view", b"return 1 / 0 or view")],
    ids=["passed", "failed"],
)
def test_the_report_is_plain_json_and_reads_back(pool, source):
    report = run(source, pool)
    assert CheckReport.from_json(json.loads(json.dumps(report.to_json()))) == report


@pytest.mark.parametrize(
    ("source", "reason", "line"),
    [
        (b"from arena import Bot\n\nclass Mine(Bot)\n    pass\n", "load", 3),
        (b"import nothing_like_this\n", "load", 1),
        (b"x = 1\n", "load", 1),
        (BOT.replace(b"count = 0", b"count = 1 / 0"), "load", 5),
        (BOT + b"\n\nclass Yours(Bot):\n    pass\n", "load", 13),
        (BOT.replace(b"self.count += 1", b"self.count += nothing"), "crash", 8),
        (BOT.replace(b"return view", b"if self.count == 5: raise ValueError\n        return view"), "crash", 10),
    ],
    ids=["syntax", "import", "no bot", "class body", "two bots", "name", "fifth decision"],
)
def test_a_failure_names_file_and_line(pool, source, reason, line):
    report = run(source, pool)
    assert not report.ok
    assert (report.reason, report.file, report.line) == (reason, "bot.py", line)
    assert f"bot.py, line {line}" in report.message
    assert report.stage == ("load" if reason == "load" else "play")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [(b"import time; time.sleep(9)", "time"), (b"return 'As' if view.table else 'pass'", "illegal"),
     (b"import os; os._exit(0)", "crash")],
)  # fmt: skip
def test_a_failure_without_a_line_still_says_what_happened(pool, statement, reason):
    report = run(BOT.replace(b"return view", statement + b"\n        return view"), pool)
    assert (report.ok, report.stage, report.reason) == (False, "play", reason)
    assert report.message.endswith(".") or reason == "crash"


def test_a_failure_shows_the_question_and_the_game_that_lead_to_it(pool):
    report = run(BOT.replace(b"return view", b"if self.count == 5: raise ValueError\n        return view"), pool)
    assert report.view is not None
    assert set(report.view) == {"game", "hand", "legal", "events", "clock"}
    assert report.view["game"]["seat"] == report.seat
    assert report.record is not None
    record = GameRecord.from_json(report.record)
    verify(record)
    assert record.seats[report.seat or 0]["bot"] == "your bot"
    assert "decision 5" in report.log


def test_the_check_stops_at_the_first_failure(process_pool):
    report = run(BOT.replace(b"return view", b"return 1 / 0 or view"), process_pool)
    assert report.games == 1


def test_a_bot_that_fails_in_the_last_trial_is_told_so(process_pool):
    source = BOT.replace(
        b"return view", b"if view.players == 3 and view.seat == 2: raise ValueError\n        return view"
    )
    report = run(source, process_pool)
    assert report.reason == "crash"
    assert report.record is not None
    assert report.record["players"] == 3


@pytest.mark.parametrize(
    "source",
    [b"\xef\xbb\xbf" + BOT, BOT.replace(b"\n", b"\r\n"), b"# coding: latin-1\nNAME = '\xe9'\n" + BOT,
     BOT.decode().replace("Mine", "Мой").encode()],
    ids=["bom", "crlf", "latin-1", "cyrillic"],
)  # fmt: skip
def test_sources_of_every_look_pass_alike(process_pool, source):
    assert run(source, process_pool).ok


def test_progress_counts_games_of_all_trials(process_pool):
    told = []
    run(BOT, process_pool, on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
    assert told == sorted(told)


def test_the_same_bot_meets_the_same_games_every_time(process_pool):
    source = BOT.replace(b"return view", b"if self.count == 9: raise ValueError(view.hand)\n        return view")
    one, two = run(source, process_pool), run(source, process_pool)
    assert one.message == two.message
    assert one.view == {**(two.view or {}), "clock": (one.view or {})["clock"]}


def test_a_sample_that_fails_is_our_fault_not_the_bots(monkeypatch, process_pool):
    broken = type(SAMPLES["lowest"])("thrifty", "Broken", "", "broken")
    monkeypatch.setitem(broken.__dict__, "source", BOT.replace(b"count = 0", b"count = 1 / 0"))
    monkeypatch.setattr(check_module, "SAMPLES", {**SAMPLES, "thrifty": broken})
    with pytest.raises(sandbox.SandboxError, match="thrifty"):
        run(BOT, process_pool)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_passes(name, process_pool):
    report = check(SAMPLES[name].files, process_pool)
    assert report.ok, report.message
