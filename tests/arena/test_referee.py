"""Bots in sandboxes: verdicts are the bot's, faults are ours, and nobody pays for another."""

import random

import pytest

import sandbox
from arena import referee
from arena.archive import BotFiles
from arena.durak import CARDS, PRESETS, verify
from arena.failure import Reason
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import play_match
from arena.referee import Entrant
from arena.samples import SAMPLES

PODKIDNOY = PRESETS["podkidnoy"]
DECKS = [random.Random(number).sample(CARDS, 36) for number in range(3)]
LIMITS = Limits(bank=2.0, move_limit=1.0, start_limit=2.0)
PLAIN = "return view.legal[0]"
BOT = f"""
import os, sys, time
from arena import Bot


class Mine(Bot):
    asked = 0

    def act(self, view):
        self.asked += 1
        {PLAIN}
"""


def bot(statement=PLAIN, name="mine", top="", version=1):
    """A bot that does something at the start of its act, or at import."""
    source = top + BOT.replace(PLAIN, f"{statement}\n        {PLAIN}" if statement != PLAIN else PLAIN)
    return Entrant(name, version, BotFiles.from_files({"bot.py": source.encode()}))


def sample(name):
    return Entrant(name, 1, SAMPLES[name].files)


def play(pool, *entrants, decks=DECKS[:1], limits=LIMITS, ruleset=PODKIDNOY):
    return referee.play(entrants, ruleset, decks, limits, pool)


def reasons(result, entrant):
    failures = (game.failure_of(entrant) for game in result.games)
    return {str(failure.reason) for failure in failures if failure is not None}


def test_deterministic_bots_give_the_same_record_as_without_a_sandbox(pool):
    names = ["thrifty", "random", "easy"]
    sandboxed = play(pool, *map(sample, names), decks=DECKS)
    local = play_match([LocalPlayer(SAMPLES[name].load(), name) for name in names], PODKIDNOY, DECKS)
    for one, other in zip(sandboxed.games, local.games, strict=True):
        assert not one.failures
        assert one.record.moves == other.record.moves
        assert one.outcome == other.outcome
        assert verify(one.record) == one.outcome


def test_times_are_charged_and_starting_is_not(pool):
    result = play(pool, bot(top="import time; time.sleep(0.3)\n"), sample("lowest"))
    for game in result.games:
        assert game.uses[0].start_seconds >= 0.3
        assert not game.failures
        assert sum(time or 0 for time in game.record.times_ms) > 0


def test_what_a_bot_prints_is_in_its_own_log(pool):
    result = play(pool, bot("print('anna', self.asked)"), bot("print('boris', file=sys.stderr)"))
    for game in result.games:
        logs = [use.report.log for use in game.uses]
        assert logs[0].startswith("anna 1\nanna 2\n")
        assert "boris" in logs[1]
        assert "boris" not in logs[0]


def test_noise_on_standard_output_is_never_a_move_or_a_name(pool):
    noise = """print('{"n":%d,"move":"As"}' % self.asked, flush=True); os.write(1, b'{"n":1,"move":"take"}\\n')"""
    result = play(pool, bot(noise, "noisy"), sample("lowest"))
    assert all(not game.failures for game in result.games)
    assert [seat["bot"] for seat in result.games[0].record.seats] == ["noisy", "lowest"]


@pytest.mark.parametrize(
    ("entrant", "reason"),
    [
        (bot(top="import nothing_like_this\n"), "load"),
        (bot(top="x = (\n"), "load"),
        (bot(top="import os; os._exit(3)\n"), "load"),
        (bot(top="import time; time.sleep(60)\n"), "load"),
        (bot(top="class Mine: pass\n", statement="pass\n\nclass Yours(Bot): pass\nif 1:\n        pass\n    #"), "load"),
        (bot("1 / 0"), "crash"),
        (bot("sys.exit()"), "crash"),
        (bot("os._exit(0)"), "crash"),
        (bot("os.kill(os.getpid(), 9)"), "crash"),
        (bot("return 'As' if 'As' not in map(str, view.hand) else 'Ac'"), "illegal"),
        (bot("return None"), "illegal"),
        (bot("time.sleep(60)"), "time"),
        (bot("[0] * 10**10"), "memory"),
        (bot("print('x' * 2_000_000, flush=True); time.sleep(0.2)"), "output"),
    ],
    ids=["import", "syntax", "exit at load", "sleep at load", "two bots", "exception", "sys.exit", "os._exit",
         "signal", "illegal", "None", "sleep", "memory", "output"],
)  # fmt: skip
def test_a_failing_bot_loses_for_exactly_its_reason_and_only_it(pool, entrant, reason):
    result = play(pool, entrant, sample("lowest"))
    assert reasons(result, 0) == {reason}
    assert reasons(result, 1) == set()
    for game in result.games:
        assert (game.place_of(0), game.place_of(1)) == (2, 1)
        assert verify(game.record) == game.outcome


SAY = """
import os
def say(line):
    for number in range(3, 20):
        if os.path.exists(f"/proc/self/fd/{number}") and "socket" in os.readlink(f"/proc/self/fd/{number}"):
            os.write(number, line)
"""


@pytest.mark.parametrize(
    "statement",
    [
        r"""say(b'{"n":%d,"move":"%s"}\n' % (self.asked, str(view.legal[0]).encode()))""",
        r"say(b'\n')",
        "say(b'[' * 100_000)",
        r"""say(b'{"n":1,"move":"6c"}{"n":1,"move":"6c"}\n'); time.sleep(9)""",
        r"""say(b'{"n":NaN,"move":"6c"}\n'); time.sleep(9)""",
    ],
    ids=["second answer", "empty line", "endless line", "two values", "nan"],
)
def test_whatever_a_bot_writes_to_the_wire_itself_is_a_protocol_failure(process_pool, statement):
    result = play(process_pool, bot(statement, top=SAY), sample("lowest"))
    assert reasons(result, 0) == {"protocol"}
    assert reasons(result, 1) == set()


def test_a_second_answer_is_never_used_for_a_later_question(process_pool):
    """The extra line names the next question's number and a legal-looking move; it must not be read as its answer."""
    early = r"""say(b'{"n":%d,"move":"%s"}\n' % (self.asked + 1, str(view.legal[-1]).encode()))"""
    result = play(process_pool, bot(early, top=SAY), sample("lowest"))
    for game in result.games:
        failure = game.failure_of(0)
        assert failure is not None
        assert failure.reason is Reason.PROTOCOL


def test_each_failure_tells_its_owner_file_and_line(pool):
    result = play(pool, bot("if self.asked == 3: raise ValueError('five')"), sample("lowest"))
    for game in result.games:
        (failure,) = game.failures
        assert failure.detail is not None
        assert (failure.detail["file"], failure.detail["line"]) == ("bot.py", 11)
        assert "ValueError: five" in failure.message
        assert failure.view is not None
        assert failure.view["game"]["seat"] == failure.seat


def test_nothing_carries_over_between_games(pool):
    """A bot that counts its games by every means it has always counts one."""
    source = """
import builtins, os, sys
import arena
GAMES = getattr(arena, "games", 0) + getattr(sys, "games", 0)
arena.games = sys.games = GAMES + 1
try:
    with open("left.txt", "a+") as file:
        file.write("x")
        GAMES += os.path.getsize("left.txt")
except OSError:
    pass
os.environ["GAMES"] = os.environ.get("GAMES", "") + "x"
assert GAMES == 0 and os.environ["GAMES"] == "x", GAMES
"""
    result = play(pool, bot(top=source), sample("lowest"), decks=DECKS)
    assert [game.failures for game in result.games if game.failures] == []


def test_the_same_bot_twice_has_two_sandboxes(process_pool):
    one = bot(top="# twice\n")
    misses = process_pool.misses
    result = play(process_pool, one, one, one)
    assert process_pool.misses - misses == 3
    assert not any(game.failures for game in result.games)
    play(process_pool, one, one, one)
    assert process_pool.misses - misses == 3


def test_both_failing_at_load_share_the_last_place(pool):
    result = play(pool, bot(top="1 / 0\n"), bot(top="2 / 0\n"))
    for game in result.games:
        assert len(game.failures) == 2
        assert game.place_of(0) == game.place_of(1)


def test_burning_the_processor_in_the_other_turn_is_pondering_and_costs_him_nothing(pool):
    """A signal timer runs the burner's code while the other one thinks."""
    burner = bot(
        top="""
import signal, time
def burn(*_):
    end = time.process_time() + 0.002
    while time.process_time() < end:
        pass
signal.signal(signal.SIGALRM, burn)
signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)
"""
    )
    thinker = bot("time.sleep(0.03)", "thinker")
    limits = Limits(pondering_seconds=0.02, pondering_share=0.0, forfeit_after=1)
    result = play(pool, thinker, burner, limits=limits)
    assert reasons(result, 0) == set()
    assert reasons(result, 1) == {"pondering"}


def test_the_others_rest_while_one_thinks_for_long(process_pool):
    """What a bot would do in another's turn it does not do: the timer's code runs in its own turns alone."""
    burner = bot(
        top="""
import signal, sys
ticks = 0
def tick(*_):
    global ticks
    ticks += 1
signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
""",
        statement="print(ticks, flush=True)",
    )
    result = play(process_pool, bot("if self.asked < 4: time.sleep(0.5)"), burner)
    for game in result.games:
        ticks = [int(line) for line in game.uses[1].report.log.split()]
        assert ticks[-1] < 100  # in 1.5 s it would have ticked 150 times


def test_three_failed_games_and_the_rest_is_forfeited_unstarted(pool):
    result = play(pool, bot("1 / 0"), sample("lowest"), decks=DECKS)
    failures = [game.failure_of(0) for game in result.games]
    assert [failure.forfeited for failure in failures if failure] == [False] * 3 + [True] * 3


def test_a_bot_that_uses_up_every_limit_ends_its_match_within_the_bound(process_pool):
    limits = Limits(bank=0.3, move_limit=0.1, start_limit=2, overhead=1)
    result = play(process_pool, bot("time.sleep(60)"), sample("lowest"), decks=DECKS, limits=limits)
    assert reasons(result, 0) == {"time"}
    assert len(result.games) == 6
    assert sum(game.seconds for game in result.games) < limits.match_seconds(2, 3)


# Faults of ours


def test_no_sandbox_is_our_fault(monkeypatch, process_pool):
    def refuse(*args, **kwargs):
        raise sandbox.SandboxError("There is no engine.")

    monkeypatch.setattr(process_pool, "get", refuse)
    with pytest.raises(sandbox.SandboxError, match="no engine"):
        play(process_pool, bot(), bot())


def test_a_sandbox_that_is_gone_between_games_is_replaced(process_pool):
    one, two = bot(top="# gone\n"), sample("lowest")
    play(process_pool, one, two)
    process_pool.discard((one.files.digest, 0, LIMITS_KEY))
    assert not any(game.failures for game in play(process_pool, one, two).games)


LIMITS_KEY = sandbox.Limits(memory_mb=LIMITS.memory_mb, output_bytes=LIMITS.output_bytes)


def test_a_match_that_overruns_is_our_fault(monkeypatch, process_pool):
    now = iter(range(0, 10**9, 1000))
    monkeypatch.setattr("arena.match.time.monotonic", lambda: float(next(now)))
    with pytest.raises(sandbox.SandboxError, match="longer"):
        play(process_pool, bot(), bot())
    monkeypatch.undo()
    assert not any(game.failures for game in play(process_pool, bot(), bot()).games)
