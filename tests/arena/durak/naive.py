"""A second engine, written straight from the text of the rules and with no thought of speed.

Cards are texts, hands are lists, and a game is one generator that runs through bouts from top to bottom: it yields the
seat to move with what it may do, and is sent the move chosen. It shares no code with `arena.durak`; the options are
read from the ruleset by name.
"""

import itertools

RANKS = "6789TJQKA"
SUITS = "cdhs"


class NaiveGame:
    """The public face is like that of `Game`, with texts for cards and moves."""

    def __init__(self, rules, players, deck=None, hands=None, trump=None, attacker=None):
        self.rules = rules
        self.n = players
        if deck is not None:
            deck = [str(card) for card in deck]
            self.hands = [[deck[seat + players * number] for number in range(6)] for seat in range(players)]
            if players < 6:
                turn_up = deck[6 * players]
                self.talon = [*deck[6 * players + 1 :], turn_up]
            else:
                turn_up = deck[35]
                self.talon = []
            self.trump = turn_up[1]
            first = self.find_first_attacker()
        else:
            self.hands = [hand.split() for hand in hands]
            self.talon = []
            self.trump = trump
            first = attacker
        self.out_in = {seat: 0 for seat in range(players) if not self.hands[seat]} if hands else {}
        self.table = []
        self.discard = []
        self.log = []
        self.bout = 0 if deck is not None else 1
        self.takes = 0
        self.result = None
        self.flow = self.game(first)
        self.actor, self.legal = next(self.flow)

    def play(self, move):
        assert move in self.legal, (move, self.legal)
        try:
            self.actor, self.legal = self.flow.send(move)
        except StopIteration:
            self.actor, self.legal = None, []

    def find_first_attacker(self):
        if self.rules.first_attacker == "left_of_dealer":
            return 0
        for rank in RANKS:
            for seat in range(self.n):
                if rank + self.trump in self.hands[seat]:
                    return seat
        return 0

    # Places: without teams a place is a seat.

    def player_at(self, place):
        """Who plays this place of the table; None when nobody does."""
        if place not in self.out_in:
            return place
        if self.rules.teams == "pairs" and (place + 2) % 4 not in self.out_in:
            return (place + 2) % 4
        return None

    def next_place(self, place):
        for step in range(1, self.n + 1):
            if self.player_at((place + step) % self.n) is not None:
                return (place + step) % self.n
        raise AssertionError("somebody plays")

    def partner(self, seat):
        return (seat + 2) % 4 if self.rules.teams == "pairs" else None

    # The game

    def game(self, place):
        while True:
            self.bout += 1
            taken = yield from self.play_bout(place)
            target = self.target
            gone = self.end_bout(taken)
            if self.game_over(gone, taken):
                return
            stays = not taken and self.player_at(target) is not None
            place = target if stays else self.next_place(target)

    def limit(self):
        return self.rules.first_bout_cap if self.bout == 1 else self.rules.attack_cap

    def play_bout(self, place):
        """One attack; True when it was taken."""
        self.place = place
        self.target = self.next_place(place)
        self.attacker, self.defender = self.player_at(self.place), self.player_at(self.target)
        self.cap = min(self.limit(), len(self.hands[self.defender]))
        self.joined = []
        self.last_laid = []
        move = yield self.attacker, self.leads()
        cards = move.split("+")
        for card in cards:
            self.lay(self.attacker, card)
        self.lead_rank = cards[0][0]
        self.log.append(["lead", self.attacker, move])
        window = self.rules.throw_in_before_defence
        while True:
            if window:
                yield from self.throw_in_window()
            window = True
            if not self.unbeaten():
                self.log.append(["beaten"])
                return False
            while self.unbeaten():
                move = yield self.defender, self.defences()
                if move == "take":
                    self.log.append(["take", self.defender])
                    if self.rules.throw_in_on_take:
                        yield from self.throw_in_window()
                    self.log.append(["taken", self.defender])
                    return True
                if move[0] == ">":
                    self.log.append(["transfer", self.defender, move])
                    self.lay(self.defender, move[1:])
                    self.place, self.target = self.target, self.next_place(self.target)
                    self.attacker, self.defender = self.player_at(self.place), self.player_at(self.target)
                    self.cap = min(self.limit(), len(self.hands[self.defender]))
                    window = self.rules.throw_in_before_defence
                    if window:
                        break
                    continue
                self.log.append(["beat", self.defender, move])
                attack, answer = move.split("/")
                self.hands[self.defender].remove(answer)
                self.last_laid.append(self.defender)
                next(pair for pair in self.table if pair[0] == attack)[1] = answer
                window = True

    def lay(self, seat, card):
        self.hands[seat].remove(card)
        self.table.append([card, None])
        self.joined.append(seat)
        self.last_laid.append(seat)

    def unbeaten(self):
        return [attack for attack, answer in self.table if answer is None]

    def throw_in_window(self):
        seats = [(self.attacker + step) % self.n for step in range(self.n)]
        who = self.rules.throw_in_who
        if who == "attacker" or (who == "attacker_below_four" and self.n < 4):
            seats = [self.attacker]
        if who == "neighbours":
            seats = [self.attacker, self.player_at(self.next_place(self.target))]
        for number, seat in enumerate(seats):
            if seat in seats[:number] or seat == self.defender or seat == self.partner(self.defender):
                continue
            while self.hands[seat] and len(self.table) < self.cap:
                move = yield seat, [*[card for card in self.hands[seat] if self.suits_the_table(card)], "pass"]
                if move == "pass":
                    self.log.append(["pass", seat])
                    break
                self.log.append(["throw", seat, move])
                self.lay(seat, move)

    def suits_the_table(self, card):
        ranks = self.rules.throw_in_ranks
        if ranks == "lead" or (ranks == "lead_from_four" and self.n >= 4):
            return card[0] == self.lead_rank
        return card[0] in [other[0] for pair in self.table for other in pair if other]

    def leads(self):
        hand = self.hands[self.attacker]
        if self.rules.lead == "single":
            return list(hand)
        moves = []
        for rank in RANKS:
            of_rank = [rank + suit for suit in SUITS if rank + suit in hand]
            for size in range(1, min(self.cap, 4) + 1):
                moves += ["+".join(group) for group in itertools.combinations(of_rank, size)]
        return moves

    def beats(self, answer, attack):
        if answer[1] == attack[1]:
            return RANKS.index(answer[0]) > RANKS.index(attack[0])
        return answer[1] == self.trump

    def defences(self):
        hand = self.hands[self.defender]
        moves = [f"{attack}/{card}" for attack in self.unbeaten() for card in hand if self.beats(card, attack)]
        if self.rules.transfer and len(self.unbeaten()) == len(self.table):
            there = len(self.table) + 1
            receiver = self.player_at(self.next_place(self.target))
            if len(self.hands[receiver]) >= there and there <= self.limit():
                moves += [f">{card}" for card in hand if card[0] == self.table[0][0][0]]
        return [*moves, "take"]

    def end_bout(self, taken):
        """Who went out in this bout."""
        cards = [card for pair in self.table for card in pair if card]
        if taken:
            self.hands[self.defender] += cards
        else:
            self.discard += cards
        self.table = []
        clockwise = [(self.attacker + step) % self.n for step in range(self.n)]
        order = clockwise if self.rules.draw_order == "clockwise" else self.joined + clockwise
        order = [seat for seat in order if seat != self.defender] + [self.defender]
        for seat in order:
            count = 0
            while self.talon and len(self.hands[seat]) < 6:
                self.hands[seat].append(self.talon.pop(0))
                count += 1
            if count:
                self.log.append(["draw", seat, count])
        if self.talon:
            return []
        gone = [seat for seat in range(self.n) if not self.hands[seat] and seat not in self.out_in]
        for seat in gone:
            self.out_in[seat] = self.bout
            self.log.append(["out", seat])
        return gone

    def game_over(self, gone, taken):
        left = [seat for seat in range(self.n) if self.hands[seat]]
        pairs = self.rules.teams == "pairs"
        if gone and self.rules.result == "first_out_wins":
            last = {seat: number for number, seat in enumerate(self.last_laid)}
            winner = min(gone, key=lambda seat: last[seat])
            winners = [winner, self.partner(winner)]
            return self.finish("win", [1 if seat in winners else 2 for seat in range(self.n)])
        if pairs and gone:
            sides_out = [not self.hands[0] and not self.hands[2], not self.hands[1] and not self.hands[3]]
            if all(sides_out):
                return self.finish("draw", [1, 1, 1, 1])
            if any(sides_out):
                return self.finish("win", [1, 2, 1, 2] if sides_out[0] else [2, 1, 2, 1])
        if gone and not pairs and len(left) <= 1:
            if left:
                return self.finish("fool", self.places(), left[0])
            return self.finish("draw", self.places())
        if self.talon or gone or not taken:
            self.takes = 0
        else:
            self.takes += 1
            if self.takes == self.rules.stalemate_takes:
                return self.finish("stalemate", [1] * 4 if pairs else self.places())
        if self.bout == self.rules.bout_limit:
            return self.finish("bout_limit", [1] * 4 if pairs else self.places())
        return False

    def places(self):
        """Earlier out is better, the same bout shares the place, who is still in has the last one."""
        when = [self.out_in.get(seat, 10**9) for seat in range(self.n)]
        return [1 + len([other for other in when if other < mine]) for mine in when]

    def finish(self, ending, places, fool=None):
        self.result = (ending, tuple(places), fool)
        return True
