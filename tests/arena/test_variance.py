"""How much luck duplicate play takes out: the ratio on made-up differences with a known answer, and on real games."""

import math
from pathlib import Path

import numpy as np
import pytest

from arena.durak import PRESETS
from arena.samples import SAMPLES
from arena.variance import VarianceError, differences, formats, interval, measure, published, variances


def made(rotations: int, shared: float, deals: int = 4000) -> np.ndarray:
    """Differences whose rotations have the correlation ``shared``, with variance 1."""
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(deals, 1, 1)) * math.sqrt(shared)
    own = rng.normal(size=(deals, rotations, 1)) * math.sqrt(1 - shared)
    return luck + own


@pytest.mark.parametrize("rotations", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_the_ratio_is_the_design_effect(rotations, shared):
    single, duplicate = variances(made(rotations, shared))
    assert duplicate / single == pytest.approx(1 + (rotations - 1) * shared, rel=0.06)


def test_luck_that_cancels_leaves_nothing():
    luck = np.random.default_rng(1).normal(size=(100, 1, 1))
    single, duplicate = variances(np.concatenate([luck, -luck], axis=1))
    assert single > 0.5
    assert duplicate == pytest.approx(0, abs=1e-12)


def test_what_a_seat_is_worth_is_not_credited_to_duplicate_play():
    found = made(2, 0.0)
    seats = np.array([3.0, -3.0]).reshape(1, 2, 1)
    assert variances(found + seats) == pytest.approx(variances(found))


def test_the_interval_holds_the_ratio_as_often_as_it_says():
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(200):
        deals = 120
        luck = rng.normal(size=(deals, 1, 1)) * math.sqrt(0.3)
        found = luck * np.array([1.0, -1.0]).reshape(1, 2, 1) + rng.normal(size=(deals, 2, 1)) * math.sqrt(0.7)
        low, high = interval(found, 1, draws=300)
        held += low <= 0.7 <= high
    assert 0.88 <= held / 200 <= 0.99


def test_more_deals_narrow_the_interval():
    widths = [high - low for low, high in (interval(made(2, 0.0, deals), 1, draws=500) for deals in (50, 5000))]
    assert widths[1] < widths[0] / 5


def test_where_nothing_varies_there_is_no_ratio():
    same = np.zeros((5, 2, 1))
    assert variances(same) == (0.0, 0.0)
    assert all(map(math.isnan, interval(same, 1)))


def bots(count: int):
    return {
        name: SAMPLES[name].load() for name in ("thrifty", "lowest", "hoarder", "easy", "random", "counting")[:count]
    }


@pytest.mark.parametrize(("name", "count"), [("podkidnoy", 2), ("perevodnoy", 3), ("pairs", 4), ("podkidnoy", 6)])
def test_every_deal_is_played_in_every_rotation(name, count):
    found = measure(PRESETS[name], bots(count), deals=6)
    assert (found.players, found.deals, found.games, found.failed) == (count, 6, 6 * count, 0)
    assert found.ratio == pytest.approx(found.duplicate / found.single)
    assert found.removed == pytest.approx(1 - found.ratio)


def test_two_copies_of_a_bot_that_always_plays_alike_cancel():
    found = measure(PRESETS["podkidnoy"], {name: SAMPLES["lowest"].load() for name in ("one", "other")}, deals=30)
    assert found.single > 0
    assert (found.duplicate, found.ratio, found.low, found.high) == (0, 0, 0, 0)


def test_the_same_seed_gives_the_same_figures():
    one, again, other = (measure(PRESETS["podkidnoy"], bots(2), deals=20, seed=seed) for seed in (4, 4, 5))
    assert one == again
    assert one != other


def test_partners_are_no_opponents():
    from arena.deal import derive_deck
    from arena.local import LocalPlayer
    from arena.match import play_match

    players = [LocalPlayer(bot, name) for name, bot in bots(4).items()]
    decks = [derive_deck(bytes(32), 1, 0)]
    for name, pairs in (("podkidnoy", 6), ("pairs", 4)):
        result = play_match(players, PRESETS[name], decks)
        assert differences(result, PRESETS[name], 1).shape == (1, 4, pairs)


def test_the_whole_table_has_every_preset_with_every_number_of_players():
    found = formats()
    assert len(found) == len(set(found))
    assert {count for name, count in found if name == "pairs"} == {4}
    assert {name for name, _ in found} == set(PRESETS)
    assert sum(name == "podkidnoy" for name, _ in found) == 5
    assert formats(["pairs", "podkidnoy"], [4]) == [("pairs", 4), ("podkidnoy", 4)]


def test_what_is_published_is_the_whole_table_and_adds_up():
    found = published()
    assert list(found) == formats()
    for (name, count), line in found.items():
        assert (line.ruleset, line.players, len(line.bots)) == (name, count, count)
        assert (line.games, line.failed) == (line.deals * count, 0)
        assert line.ratio == pytest.approx(line.duplicate / line.single)
        assert line.low < line.ratio < line.high


@pytest.mark.parametrize(("name", "count"), [("podkidnoy", 2), ("pairs", 4)])
def test_what_is_published_comes_out_again(name, count):
    stands = published()[name, count]
    # Fewer deals are the first of the same, and their variance lies as near as that of so many may.
    again = measure(PRESETS[name], {bot: SAMPLES[bot].load() for bot in stands.bots}, deals=100)
    assert again.single == pytest.approx(stands.single, rel=0.1)
    assert again.low < stands.high
    assert again.high > stands.low


def test_the_documentation_shows_what_is_published():
    page = (Path(__file__).parents[2] / "docs" / "fair-deals.md").read_text(encoding="utf-8")
    rows = {}
    for line in page[page.index("## How much luck") :].splitlines():
        if line.startswith("| ") and not line.startswith("| ruleset"):
            name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            rows[name] = cells
    figures = {key: f"{one.ratio:.2f} ({one.low:.2f} to {one.high:.2f})" for key, one in published().items()}
    expected = {name: [figures.get((name, count), "–") for count in range(2, 7)] for name in PRESETS}
    assert rows == expected


def test_what_cannot_be_measured_is_refused_in_a_sentence():
    with pytest.raises(VarianceError, match="no ruleset whist"):
        formats(["whist"])
    with pytest.raises(VarianceError, match="played by four"):
        formats(["pairs"], [3])
    with pytest.raises(VarianceError, match="two deals"):
        measure(PRESETS["podkidnoy"], bots(2), deals=1)
