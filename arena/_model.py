"""The numbers behind `arena.likelihood`: the model's likelihood, its maximum, and how sure that is.

A part of `arena.likelihood`; nothing else imports it. All quantities are natural logarithms of odds, not Elo.

Parameters, in this order: the strength of each bot, the effect of each slot (seat or side), the logarithm of the draw
term. A game picks one of its A slots or none. A slot's utility is that of its bot (or the mean over its two partners)
plus the slot's effect; "none" has the draw term plus the mean of the utilities. The chance of each is proportional to
exp(utility). For A = 2 this is R. Davidson's extension of the Bradley-Terry model (Journal of the American Statistical
Association 65, 1970, 317-328); for more it is R. D. Luce's choice rule with the same kind of draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_TOLERANCE = 1e-10
_MOST_STEPS = 200
_DEALS_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True)
class Data:
    """Games in columns: G games of A slots with M members each."""

    bots: int
    """How many bots there are; they are numbered from 0."""
    members: Ints
    """(G, A, M): the bots in each slot."""
    picked: Floats
    """(G, A): how much of the game went to each slot: 1 for the one that was picked, 1/m if m share that, 0 for all
    in a draw. Rows add up to at most 1."""
    deal: Ints
    """(G,): the number of the deal, from 0 up; games of one deal are not independent."""
    sign: float
    """+1 if the strong are picked, -1 if the weak are."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The most likely parameters and how they vary."""

    strength: Floats
    """(n,): natural log-odds, with mean 0."""
    slots: Floats
    """(A,): the same for the slots."""
    draw: float
    """Chance that a game between equals is drawn, 0 to 1."""
    strength_variance: Floats
    """(n,): variance of `strength`."""
    slots_variance: Floats
    freedom: Floats
    """(n,): about how many independent deals that variance rests on, less one."""
    deals: Ints
    """(n,): deals that each bot took part in."""


def solve(data: Data, prior: float, *, slot_effect: bool) -> Solution:
    """Return the maximum of the likelihood and its variance, with deals as the unit (the "sandwich").

    ``prior`` is the weight of the virtual games that keep everything finite; see `arena.likelihood`.
    """
    model = _Model(data, prior, slot_effect=slot_effect)
    parameters = model.maximum()
    return model.solution(parameters)


class _Model:
    def __init__(self, data: Data, prior: float, *, slot_effect: bool) -> None:
        self.data = data
        self.prior = prior
        self.slot_effect = slot_effect
        self.slots = data.members.shape[1]
        self.size = data.bots + self.slots + 1
        first, self.line = _distinct_lines(data.members, data.bots)
        self.members = data.members[first]
        self.count = np.bincount(self.line, minlength=len(first)).astype(float)
        self.picked = np.stack(
            [np.bincount(self.line, weights=data.picked[:, a], minlength=len(first)) for a in range(self.slots)], axis=1
        )
        self.drawn = self.count - self.picked.sum(axis=1)

    # --- the likelihood ----------------------------------------------------------------------------------------

    def _split(self, parameters: Floats) -> tuple[Floats, Floats, float]:
        n = self.data.bots
        return parameters[:n], parameters[n:-1], float(parameters[-1])

    def _utilities(self, parameters: Floats) -> Floats:
        """(U, A + 1): the utilities of the slots and, last, of a draw."""
        strength, slots, draw = self._split(parameters)
        utility = self.data.sign * (strength[self.members].mean(axis=2) + slots)
        return np.concatenate([utility, utility.mean(axis=1, keepdims=True) + draw], axis=1)

    def _chances(self, parameters: Floats) -> Floats:
        utility = self._utilities(parameters)
        odds = np.exp(utility - utility.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _value(self, parameters: Floats) -> float:
        utility = self._utilities(parameters)
        top = utility.max(axis=1)
        total = top + np.log(np.exp(utility - top[:, None]).sum(axis=1))
        weights = np.concatenate([self.picked, self.drawn[:, None]], axis=1)
        virtual = self._virtual(parameters)
        from_virtual = -np.logaddexp(0, virtual) / 2 - np.logaddexp(0, -virtual) / 2
        return float((weights * utility).sum() - (self.count * total).sum() + self.prior * from_virtual.sum())

    def _virtual(self, parameters: Floats) -> Floats:
        """Log-odds of the virtual games: one for each parameter, against an opponent of strength 0.

        That of the draw term is between equals: half of it drawn, half decided.
        """
        virtual = parameters.copy()
        virtual[-1] -= np.log(self.slots)
        return virtual

    def _slopes(self, chances: Floats) -> tuple[Floats, Floats]:
        """Slope of the log-likelihood in each slot's utility (U, A) and in the draw term (U,), summed over games."""
        share = chances[:, :-1] + chances[:, -1:] / self.slots
        got = self.picked + self.drawn[:, None] / self.slots
        return got - self.count[:, None] * share, self.drawn - self.count * chances[:, -1]

    def _curvatures(self, chances: Floats) -> tuple[Floats, Floats, Floats]:
        """Curvatures of one game: slots with slots (U, A, A), slots with the draw term (U, A), draw term (U,)."""
        a = self.slots
        drawn = chances[:, -1]
        share = chances[:, :-1] + drawn[:, None] / a
        slots = drawn[:, None, None] / a**2 - share[:, :, None] * share[:, None, :]
        slots[:, np.arange(a), np.arange(a)] += chances[:, :-1]
        return slots, drawn[:, None] * (1 / a - share), drawn * (1 - drawn)

    def _gradient(self, parameters: Floats, chances: Floats) -> Floats:
        slots, draw = self._slopes(chances)
        m = self.members.shape[2]
        gradient = np.zeros(self.size)
        weights = np.repeat(self.data.sign * slots / m, m, axis=1)
        gradient[: self.data.bots] = np.bincount(
            self.members.reshape(-1), weights=weights.reshape(-1), minlength=self.data.bots
        )
        if self.slot_effect:
            gradient[self.data.bots : -1] = self.data.sign * slots.sum(axis=0)
        gradient[-1] = draw.sum()
        gradient += self.prior * (0.5 - _logistic(self._virtual(parameters)))
        return np.asarray(gradient)

    def _information(self, parameters: Floats, chances: Floats) -> Floats:
        """(P, P): minus the second derivatives of the log-likelihood."""
        n, a, m = self.data.bots, self.slots, self.members.shape[2]
        slots, mixed, draw = self._curvatures(chances)
        slots, mixed, draw = slots * self.count[:, None, None], mixed * self.count[:, None], draw * self.count
        matrix = np.zeros((self.size, self.size))
        bots = np.zeros(n * n)
        for i in range(a):
            for j in range(a):
                for p in range(m):
                    for q in range(m):
                        at = self.members[:, i, p] * n + self.members[:, j, q]
                        bots += np.bincount(at, weights=slots[:, i, j] / m**2, minlength=n * n)
        matrix[:n, :n] = bots.reshape(n, n)
        for i in range(a):
            for p in range(m):
                at = self.members[:, i, p]
                for j in range(a):
                    matrix[:n, n + j] += np.bincount(at, weights=slots[:, i, j] / m, minlength=n)
                matrix[:n, -1] += np.bincount(at, weights=self.data.sign * mixed[:, i] / m, minlength=n)
        matrix[n:-1, :n] = matrix[:n, n:-1].T
        matrix[n:-1, n:-1] = slots.sum(axis=0)
        matrix[n:-1, -1] = self.data.sign * mixed.sum(axis=0)
        matrix[-1, :-1] = matrix[:-1, -1]
        matrix[-1, -1] = draw.sum()
        if not self.slot_effect:
            matrix[n:-1, :] = matrix[:, n:-1] = 0
        chance = _logistic(self._virtual(parameters))
        matrix[np.arange(self.size), np.arange(self.size)] += self.prior * chance * (1 - chance)
        return matrix

    def maximum(self) -> Floats:
        """Return the parameters at the maximum, by Newton's method. The likelihood is concave, so there is just one."""
        parameters = np.zeros(self.size)
        # Where the draw term would be if all were equal: from 0, a game without any draws would take long to get there.
        drawn = float(self.drawn.sum())
        parameters[-1] = np.log(self.slots * (drawn + 0.5) / (float(self.count.sum()) - drawn + 0.5))
        value = self._value(parameters)
        for _ in range(_MOST_STEPS):
            chances = self._chances(parameters)
            gradient = self._gradient(parameters, chances)
            step = np.linalg.solve(self._information(parameters, chances), gradient)
            promised = float(gradient @ step)
            if promised < _TOLERANCE:
                return np.asarray(parameters + step)
            scale = 1.0
            while (after := self._value(parameters + scale * step)) < value + promised * scale / 4:
                scale /= 2
                if scale < 1e-9:  # as high as floats can tell
                    return parameters
            parameters, value = parameters + scale * step, after
        raise ArithmeticError("The ratings did not settle; this is a fault of the program, please report it.")

    # --- how sure it is ----------------------------------------------------------------------------------------

    def solution(self, parameters: Floats) -> Solution:
        n = self.data.bots
        chances = self._chances(parameters)
        inverse = np.asarray(np.linalg.inv(self._information(parameters, chances)), dtype=np.float64)
        scatter, freedom, deals = self._scatter(parameters, chances, inverse)
        variance = inverse @ scatter @ inverse
        strength, slots, draw = self._split(parameters)
        odds = np.exp(draw)
        return Solution(
            strength=strength - strength.mean() if n else strength,
            slots=slots - slots.mean(),
            draw=float(odds / (self.slots + odds)),
            strength_variance=_centred(variance[:n, :n]),
            slots_variance=_centred(variance[n:-1, n:-1]) * self.slot_effect,
            freedom=freedom,
            deals=deals,
        )

    def _scatter(self, parameters: Floats, chances: Floats, inverse: Floats) -> tuple[Floats, Floats, Ints]:
        """Return how much the slopes vary from deal to deal (P, P), and for each bot the freedom and number of deals.

        A deal's slope is the sum over its games, divided by the root of one minus its leverage: the deals that the
        fit leans on look better than they are (R. Bell and D. McCaffrey, Survey Methodology 28, 2002, 169-181; here
        with the mean leverage in place of a matrix). The freedom of a bot is Satterthwaite's for its deals' shares of
        what is known about it.
        """
        n, deal = self.data.bots, self.data.deal
        curvature, _, _ = self._curvatures(chances)
        known = curvature[:, np.arange(self.slots), np.arange(self.slots)]
        total = int(deal.max()) + 1 if len(deal) else 0
        leverage = np.bincount(deal, weights=self._leverage(curvature, inverse)[self.line], minlength=total)
        factor = 1 / np.sqrt(1 - np.minimum(leverage, 0.9))

        matrix = np.zeros((self.size, self.size))
        sums = np.zeros((3, n))
        order = np.argsort(deal, kind="stable")
        # A stretch of deals at a time: with millions of games the columns below would not fit into memory at once.
        for first in range(0, total, _DEALS_AT_ONCE):
            begin, end = np.searchsorted(deal, (first, first + _DEALS_AT_ONCE), sorter=order)
            games = order[begin:end]
            part, shares = self._scatter_of(games, first, factor[first : first + _DEALS_AT_ONCE], chances, known)
            matrix += part
            sums += shares

        # The virtual games are data like any other: half a win and half a loss each, with the slopes they have.
        chance = _logistic(self._virtual(parameters))
        matrix[np.arange(self.size), np.arange(self.size)] += self.prior * (chance**2 + (1 - chance) ** 2) / 2
        whole, squares, deals = sums
        freedom = np.divide(whole**2, squares, out=np.zeros(n), where=squares > 0) - 1
        return matrix, freedom, deals.astype(np.int64)

    def _leverage(self, curvature: Floats, inverse: Floats) -> Floats:
        """(U,): how much one game of each line-up bends the fit towards itself, from 0 to 1."""
        m = self.members.shape[2]
        leverage = np.zeros(len(self.members))
        for i in range(self.slots):
            for j in range(self.slots):
                for p in range(m):
                    for q in range(m):
                        between = inverse[self.members[:, i, p], self.members[:, j, q]] / m**2
                        leverage += curvature[:, i, j] * between
        return np.asarray(leverage / (self.slots - 1))

    def _scatter_of(
        self, games: Ints, first: int, factor: Floats, chances: Floats, known: Floats
    ) -> tuple[Floats, Floats]:
        """Return the scatter (P, P) of some games, whole deals from number ``first`` on, without the virtual ones.

        And for each bot (3, n): what these deals tell about it, the squares of that, and how many deals they are.
        """
        n, m, line = self.data.bots, self.members.shape[2], self.line[games]
        deals, deal_of = len(factor), self.data.deal[games] - first
        picked = self.data.picked[games]
        drawn = 1 - picked.sum(axis=1)
        share = chances[:, :-1] + chances[:, -1:] / self.slots
        slope = self.data.sign * (picked + drawn[:, None] / self.slots - share[line])

        # One entry for each bot of each deal, deals in order: the sums over the deal's games.
        key = np.repeat(deal_of, self.slots * m) * n + self.data.members[games].reshape(-1)
        keys, at = np.unique(key, return_inverse=True)
        deal, bot = keys // n, keys % n
        value = np.bincount(at, weights=np.repeat(slope / m, m, axis=1).reshape(-1)) * factor[deal]
        weight = np.bincount(at, weights=np.repeat(known[line] / m**2, m, axis=1).reshape(-1))

        extra = np.zeros((deals, self.slots + 1))
        if self.slot_effect:
            for i in range(self.slots):
                extra[:, i] = np.bincount(deal_of, weights=slope[:, i], minlength=deals)
        extra[:, -1] = np.bincount(deal_of, weights=drawn - chances[line, -1], minlength=deals)
        extra *= factor[:, None]

        matrix = np.zeros((self.size, self.size))
        matrix[n:, n:] = extra.T @ extra
        for i in range(self.slots + 1):
            matrix[:n, n + i] = np.bincount(bot, weights=value * extra[deal, i], minlength=n)
        matrix[n:, :n] = matrix[:n, n:].T
        bots = np.bincount(bot * n + bot, weights=value**2, minlength=n * n)
        # Entries of one deal lie next to each other: pair each with the one 1, 2, ... places on while that is the same.
        for apart in range(1, len(keys)):
            same = np.flatnonzero(deal[apart:] == deal[:-apart])
            if not len(same):
                break
            product = value[same] * value[same + apart]
            bots += np.bincount(bot[same] * n + bot[same + apart], weights=product, minlength=n * n)
            bots += np.bincount(bot[same + apart] * n + bot[same], weights=product, minlength=n * n)
        matrix[:n, :n] = bots.reshape(n, n)
        shares = [np.bincount(bot, weights=w, minlength=n) for w in (weight, weight**2, np.ones(len(bot)))]
        return matrix, np.stack(shares)


def _logistic(x: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


def _centred(variance: Floats) -> Floats:
    """Variances of the differences from the mean, given the covariances (n, n)."""
    if not len(variance):
        return np.zeros(0)
    mean = variance.mean(axis=1)
    return np.asarray(np.maximum(np.diag(variance) - 2 * mean + mean.mean(), 0))


def _distinct_lines(members: Ints, bots: int) -> tuple[Ints, Ints]:
    """Return the first game of each line-up, and the number of each game's line-up."""
    key = np.zeros(len(members), dtype=np.int64)
    highest = 1
    for column in members.reshape(len(members), members.shape[1] * members.shape[2]).T:
        if highest * bots >= 2**62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            highest = len(key) + 1
        key = key * bots + column
        highest *= bots
    _, first, line = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), line.astype(np.int64)
