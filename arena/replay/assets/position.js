/**
 * Where every card lies after each move. Nothing here knows the rules: the frames say which card goes where, and this module
 * adds that up. Places are small numbers, as `arena/replay/frames.py` writes them.
 */

export const TALON = 0;
export const DISCARD = 1;
export const HAND = 2; // + seat: in that hand, and only its holder knows
export const KNOWN = 8; // + seat: in that hand, and everybody at the table knows
export const TABLE = 14; // + 2 * pair: the attack card; + 1: the card that beats it

const KEYFRAME_EVERY = 128;

export const RANKS = "6789TJQKA";
export const SUITS = "cdhs";

/** The text of a card from its number, "7h". */
export const cardCode = (card) => RANKS[card % 9] + SUITS[Math.floor(card / 9)];

/** The last entry of a list of [frame, ...] that holds at a frame; lists are in the order of frames. */
export function lastAt(entries, frame) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] <= frame) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

export class Positions {
  /** @param frames the JSON that `arena.replay.frames` makes (format durak-frames/1) */
  constructor(frames) {
    this.frames = frames;
    this.last = frames.changes.length;
    this.keyframes = [];
    this.spent = Array.from({ length: frames.players }, () => new Float64Array(this.last + 1));
    const where = Uint8Array.from(frames.start);
    for (let frame = 0; frame <= this.last; frame++) {
      if (frame > 0) {
        move(where, frames.changes[frame - 1]);
        for (let seat = 0; seat < frames.players; seat++) {
          this.spent[seat][frame] = this.spent[seat][frame - 1];
        }
        this.spent[this.mover(frame)][frame] += frames.ms[frame - 1] ?? 0;
      }
      if (frame % KEYFRAME_EVERY === 0) {
        this.keyframes.push(where.slice());
      }
    }
  }

  /** Who made the move that led to a frame; null before the first. */
  mover(frame) {
    return frame > 0 ? Number(this.frames.seat[frame - 1]) : null;
  }

  /** Everything the table shows at a frame. */
  at(frame) {
    const { frames } = this;
    const key = Math.floor(frame / KEYFRAME_EVERY);
    const where = this.keyframes[key].slice();
    for (let number = key * KEYFRAME_EVERY; number < frame; number++) {
      move(where, frames.changes[number]);
    }
    const [, bout, attacker, defender] = frames.roles[lastAt(frames.roles, frame)];
    return {
      frame,
      where,
      bout,
      attacker,
      defender,
      mover: this.mover(frame),
      actor: frame < this.last ? Number(frames.seat[frame]) : frames.actor,
      out: frames.out.filter(([since]) => since <= frame).map(([, seat]) => seat),
      spent: this.spent.map((sums) => sums[frame]),
      fresh: frame > 0 ? landed(frames.changes[frame - 1]) : [],
    };
  }
}

function move(where, changes) {
  for (let index = 0; index < changes.length; index += 2) {
    where[changes[index]] = changes[index + 1];
  }
}

/** The cards that a move laid on the table, to be pointed out. */
function landed(changes) {
  return changes.filter((value, index) => index % 2 === 0 && changes[index + 1] >= TABLE);
}

/**
 * The cards by where they lie: `hands[seat]` as [{card, known}], `table` as [{attack, beat}], `talon`, `discard`.
 * Hands are ordered as the engine orders them, cheap to dear: by rank, trumps last.
 */
export function groups(where, players, trump) {
  const hands = Array.from({ length: players }, () => []);
  const table = [];
  const talon = [];
  const discard = [];
  where.forEach((place, card) => {
    if (place >= TABLE) {
      const pair = (place - TABLE) >> 1;
      table[pair] ??= { attack: null, beat: null };
      table[pair][(place - TABLE) % 2 ? "beat" : "attack"] = card;
    } else if (place >= HAND) {
      const known = place >= KNOWN;
      hands[place - (known ? KNOWN : HAND)].push({ card, known });
    } else {
      (place === TALON ? talon : discard).push(card);
    }
  });
  const trumpSuit = SUITS.indexOf(trump);
  const worth = ({ card }) => (Math.floor(card / 9) === trumpSuit ? 100 : 0) + (card % 9) * 4 + Math.floor(card / 9);
  for (const hand of hands) {
    hand.sort((a, b) => worth(a) - worth(b));
  }
  return { hands, table, talon, discard };
}
