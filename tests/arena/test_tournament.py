"""A round robin on this machine: the plan, the same games as anywhere, the table, and nothing left behind."""

import multiprocessing
import subprocess
import sys

import pytest

from arena import referee, tournament
from arena.archive import BotFiles
from arena.durak import PRESETS
from arena.limits import Limits
from arena.referee import Entrant
from arena.samples import SAMPLES
from arena.tournament import Terms
from sandbox import SandboxError

SECRET = bytes(range(32))


def entrants(*names):
    return [Entrant(name, 1, SAMPLES[name].files) for name in names]


def terms(players=2, deals=1, ruleset="podkidnoy"):
    return Terms(PRESETS[ruleset], players, deals, Limits(), SECRET)


@pytest.fixture(scope="module")
def played():
    bots, what = entrants("lowest", "thrifty", "random"), terms(deals=2)
    counts: list[int] = []
    found = list(tournament.play(bots, tournament.plan(3, what, 100), what, "process", 2, counts.append))
    return bots, what, found, counts


def test_everyone_meets_everyone_once(played):
    _, _, found, _ = played
    assert sorted(tuple(sorted(match.table)) for match in found) == [(0, 1), (0, 2), (1, 2)]
    assert sorted(match.number for match in found) == [1, 2, 3]


def test_games_are_counted_to_the_last(played):
    *_, counts = played
    assert counts == sorted(counts)
    assert counts[-1] <= 3 * 4


def test_workers_play_the_games_that_one_process_plays(played, process_pool):
    """Deterministic bots and the decks of the secret: which process plays a match makes no difference."""
    bots, what, found, _ = played
    for match in found:
        if 2 in match.table:
            continue  # the random one
        here = referee.play(
            [bots[index] for index in match.table], what.ruleset, what.decks(match.number), what.limits, process_pool
        )
        assert [game.record.moves for game in here.games] == [game.record.moves for game in match.result.games]


def test_the_table_ranks_and_the_crosstable_adds_up(played):
    bots, what, found, _ = played
    results = tournament.summarise(len(bots), found, what)
    assert [line.rating for line in results.lines] == sorted((line.rating for line in results.lines), reverse=True)
    assert results.lines[-1].entrant == 2
    assert {line.games for line in results.lines} == {8}
    for line in results.lines:
        assert line.low < line.rating < line.high
        against = [results.crosstable[line.entrant, other] for other in range(3) if other != line.entrant]
        assert sum(against) / 2 == pytest.approx(line.score)
    for (one, other), score in results.crosstable.items():
        assert score + results.crosstable[other, one] == pytest.approx(1)


def test_partners_do_not_play_against_each_other():
    what = terms(4, 1, "pairs")
    bots = entrants("lowest", "thrifty", "random", "easy")
    matches = tournament.plan(4, what, 1)
    found = list(tournament.play(bots, matches, what, "process", 1, lambda _done: None))
    results = tournament.summarise(4, found, what)
    assert len(results.crosstable) == 8
    assert sum(line.score for line in results.lines) == pytest.approx(2)


def test_failures_are_counted_by_reason():
    source = b"from arena import Bot\nclass Fails(Bot):\n    def act(self, view):\n        return 1 / 0\n"
    bots = [*entrants("lowest"), Entrant("fails", 1, BotFiles.from_files({"bot.py": source}))]
    found = list(tournament.play(bots, [(0, 1)], terms(deals=2), "process", 1, lambda _done: None))
    results = tournament.summarise(2, found, terms(deals=2))
    assert [line.lost_by for line in results.lines] == [{}, {"crash": 4}]


def test_ending_it_early_ends_its_processes():
    what = terms(deals=20)
    going_on = tournament.play(
        entrants("lowest", "thrifty", "easy"), tournament.plan(3, what, 9), what, "process", 2, lambda _done: None
    )
    next(going_on)
    going_on.close()
    assert multiprocessing.active_children() == []


def test_a_bot_that_has_not_played_yet_has_no_score(played):
    bots, what, found, _ = played
    one = found[:1]
    scores = {line.entrant: line.score for line in tournament.summarise(len(bots), one, what).lines}
    (idle,) = set(range(len(bots))) - set(one[0].table)
    assert scores[idle] is None
    assert all(scores[entrant] is not None for entrant in one[0].table)


def test_a_worker_that_is_killed_is_a_fault_of_the_machine():
    what = terms(deals=50)
    going_on = tournament.play(entrants("lowest", "easy"), [(0, 1)] * 4, what, "process", 1, lambda _done: None)
    next(going_on)
    (worker,) = multiprocessing.active_children()
    worker.kill()
    with pytest.raises(SandboxError, match="ended from outside"):
        list(going_on)
    assert multiprocessing.active_children() == []


def test_workers_do_not_outlive_who_asked_for_their_matches():
    """Not even who was killed and could tell nobody. They hold its standard output, so that ends where they end."""
    words = ["tournament", *["lowest"] * 8, "--deals", "20", "-j", "2", "--backend", "process"]
    command = [sys.executable, "-m", "arena", *words, "--records", "/dev/stdout"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as one:
        assert one.stdout is not None
        assert one.stdout.read(1000), "the first match has been played"
        one.kill()
        one.communicate(timeout=60)


def test_a_machine_that_cannot_run_bots_says_so(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent.sock")
    with pytest.raises(SandboxError):
        list(tournament.play(entrants("lowest", "easy"), [(0, 1)], terms(), "docker", 1, lambda _done: None))
