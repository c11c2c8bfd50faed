/**
 * Where everything stands on the table: a pure function from the cards' places and the width of the table to coordinates.
 * All lengths are CSS pixels; a card is placed by its middle. Seats go clockwise from the seat at the bottom.
 */

const RATIO = 1.4; // height of a card over its width
const PHONE = 560; // below this width of the table, hands stand in rows above it instead of round it
export const FULL_FACE = 58; // cards at least this wide show their full face, smaller ones the large signs

const LEAST_SCALE = 0.7;

/**
 * Sizes that depend on the number of players and the room for the table alone, so that it never jumps. On a wide but low screen
 * everything is smaller, so that the table and the controls below it are seen together; on a phone people scroll.
 */
export function measure(players, width, room) {
  const full = measureAt(players, width, 1);
  return full.phone || full.height <= room ? full : measureAt(players, width, Math.max(LEAST_SCALE, room / full.height));
}

function measureAt(players, width, scale) {
  const phone = width < PHONE;
  const clamp = (low, value, high) => Math.round(Math.max(low, Math.min(value, high)));
  const others = players - 1;
  const sizes = phone
    ? { own: clamp(46, width * 0.145, 60), other: others > 2 ? 36 : 44, table: clamp(42, width * 0.118, 56), plate: 26, gap: 6 }
    : {
        own: clamp(56, width * 0.09, 84) * scale,
        other: clamp(40, width * (others > 3 ? 0.056 : 0.062), 58) * scale,
        table: clamp(52, width * 0.084, 80) * scale,
        plate: 30,
        gap: 10,
      };
  const otherBlock = sizes.plate + sizes.other * RATIO * (phone ? 1.42 : 1.3) + sizes.gap;
  const ownBlock = sizes.plate + sizes.own * RATIO * (phone ? 1.42 : 1.3) + sizes.gap;
  const otherRows = phone && others > 3 ? 2 : 1;
  const centre = sizes.table * RATIO * 1.25 * 2 + sizes.gap;
  const height = Math.round(otherRows * otherBlock + centre + ownBlock);
  return { ...sizes, phone, width, height, otherBlock, ownBlock, otherRows, centre, others };
}

/** The place of each opponent: {x: middle, y: top, width: room for its hand}, clockwise from the left of the bottom seat. */
function seatsAround(m) {
  const row = (fractions, y, share) => fractions.map((x) => ({ x: x * m.width, y, width: share * m.width - 2 * m.gap }));
  const top = m.gap;
  const second = top + m.otherBlock;
  if (m.phone) {
    switch (m.others) {
      case 1:
        return row([0.5], top, 0.9);
      case 2:
        return row([0.25, 0.75], top, 0.5);
      case 3:
        return row([1 / 6, 0.5, 5 / 6], top, 1 / 3);
      default: {
        const upper = m.others === 4 ? row([0.25, 0.75], top, 0.5) : row([1 / 6, 0.5, 5 / 6], top, 1 / 3);
        const [left, right] = row([0.25, 0.75], second, 0.5);
        return [left, ...upper, right];
      }
    }
  }
  const sides = row([0.145, 0.855], top + m.otherBlock * (m.others === 3 ? 0.62 : 0.94), 0.28);
  switch (m.others) {
    case 1:
      return row([0.5], top, 0.6);
    case 2:
      return row([0.25, 0.75], top, 0.46);
    case 3:
      return [sides[0], ...row([0.5], top, 0.46), sides[1]];
    case 4:
      return [sides[0], ...row([0.3, 0.7], top, 0.38), sides[1]];
    default:
      return [sides[0], ...row([0.18, 0.5, 0.82], top, 0.31), sides[1]];
  }
}

const HIDDEN = 0.3; // a card face down needs so much of the room that an open one does

/**
 * Spreads cards over a room, in up to three rows; later rows lie over earlier ones. Returns the middle of each card.
 * `open`: for each card whether its face shows. `down`: further rows go downwards (the first stays), else upwards (the last stays).
 */
function fan(open, size, room, down) {
  const weights = open.map((isOpen) => (isOpen ? 1 : HIDDEN));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const least = size * (size < FULL_FACE ? 0.43 : 0.25);
  const fits = Math.max(1, (room - size) / least + 1);
  const count = Math.max(1, Math.min(3, Math.ceil(total / fits - 0.01)));
  const rows = Array.from({ length: count }, () => []);
  let sum = 0;
  weights.forEach((weight, index) => {
    rows[Math.min(count - 1, Math.floor((sum + weight / 2) / (total / count)))].push(index);
    sum += weight;
  });
  // From the middle of one card to the next is the first one's share: the last of a row takes none.
  const lengths = rows.map((row) => row.slice(0, -1).reduce((length, index) => length + weights[index], 0));
  const step = Math.min(size * 0.86, (room - size) / Math.max(1, ...lengths));
  const rise = size * RATIO * (count > 2 ? 0.34 : 0.42);
  const places = [];
  rows.forEach((row, number) => {
    let x = (-lengths[number] * step) / 2;
    for (const index of row) {
      places[index] = { x, y: (down ? number : number - count + 1) * rise };
      x += weights[index] * step;
    }
  });
  return places;
}

/**
 * @param m what `measure` returned
 * @param cards what `groups` returned
 * @param bottom the seat that sits at the bottom
 * @param sees (seat, known) => whether that seat's card is shown with its face
 * @param turnUp number of the turn-up card
 * @returns {cards: Map of card -> {x, y, width, z, turn, open}, plates: [{x, y, width}] by seat, banner: {bottom: distance from the lower edge}, marks: {talon, discard}}
 */
export function arrange(m, cards, bottom, sees, turnUp) {
  const placed = new Map();
  const plates = [];
  const players = cards.hands.length;
  const around = seatsAround(m);
  const corners = !m.phone && m.others > 2; // talon and discard beside the own hand, since the middle's sides are taken

  const lay = (hand, seat, x, y, size, room, down, z) => {
    const isOpen = ({ known }) => sees(seat, known);
    const ordered = [...hand.filter(isOpen), ...hand.filter((card) => !isOpen(card))];
    const open = ordered.map(isOpen);
    const places = fan(open, size, room, down);
    ordered.forEach(({ card }, index) => {
      placed.set(card, {
        x: x + places[index].x,
        y: y + places[index].y,
        width: size,
        z: z + index,
        turn: 0,
        open: open[index],
      });
    });
  };

  const side = corners ? Math.max(112, m.own * 1.9) : 0;
  const ownWidth = m.width - 2 * side - 2 * m.gap;
  const ownY = m.height - m.gap - m.plate - (m.own * RATIO) / 2;
  lay(cards.hands[bottom], bottom, m.width / 2, ownY, m.own, ownWidth, false, 100);
  plates[bottom] = { x: m.width / 2, y: m.height - m.plate - m.gap / 2, width: Math.min(ownWidth, 320) };
  for (let index = 0; index < m.others; index++) {
    const seat = (bottom + 1 + index) % players;
    const slot = around[index];
    lay(cards.hands[seat], seat, slot.x, slot.y + m.plate + (m.other * RATIO) / 2, m.other, slot.width, true, 100);
    plates[seat] = { x: slot.x, y: slot.y - m.gap / 2, width: Math.min(slot.width + (m.phone ? m.gap : 0), 240) };
  }

  // The bout, in rows around the middle.
  const middle = m.gap + m.otherRows * m.otherBlock + m.centre / 2;
  const pileSize = m.phone ? m.table * 0.86 : m.table * 0.92;
  const pileRoom = pileSize * 1.9 + m.gap;
  const room = m.width * (corners ? 0.47 : 1) - (corners ? 0 : 2 * pileRoom);
  const pairWidth = m.table * 1.46;
  const perRow = Math.max(2, Math.min(4, Math.floor(room / pairWidth)));
  const rows = Math.max(1, Math.ceil(cards.table.length / perRow));
  const rowHeight = m.table * RATIO * (rows > 2 ? 0.86 : 1.3);
  cards.table.forEach((pair, index) => {
    const row = Math.floor(index / perRow);
    const length = Math.min(perRow, cards.table.length - row * perRow);
    const x = m.width / 2 + ((index % perRow) - (length - 1) / 2) * pairWidth - m.table * 0.14;
    const y = middle + (row - (rows - 1) / 2) * rowHeight - m.table * 0.12;
    placed.set(pair.attack, { x, y, width: m.table, z: 300 + 2 * index, turn: 0, open: true });
    if (pair.beat !== null) {
      const [dx, dy] = [m.table * 0.3, m.table * 0.26];
      placed.set(pair.beat, { x: x + dx, y: y + dy, width: m.table, z: 301 + 2 * index, turn: 5, open: true });
    }
  });

  // Talon over the turn-up, which looks out to the side; the discard opposite.
  const pileY = corners ? m.height - m.gap - m.plate - pileSize * RATIO * 0.5 : middle;
  const talonX = corners ? m.gap + pileSize * 0.62 : m.gap + pileSize * 0.56;
  const discardX = corners ? m.width - m.gap - pileSize * 0.8 : m.width - m.gap - pileSize * 0.66;
  const depth = [...cards.talon].sort((a, b) => (b === turnUp) - (a === turnUp) || a - b);
  depth.forEach((card, index) => {
    const under = card === turnUp;
    placed.set(card, {
      x: talonX + (under ? pileSize * 0.5 : index * 0.25),
      y: pileY - (under ? 0 : index * 0.35),
      width: pileSize,
      z: index,
      turn: under ? 90 : 0,
      open: under,
    });
  });
  cards.discard.forEach((card, index) => {
    // A card lies crooked by its own number: the pile looks thrown, and looks the same each time.
    const lean = ((card * 37) % 29) - 14;
    placed.set(card, { x: discardX, y: pileY, width: pileSize, z: 40 + index, turn: lean, open: false });
  });

  const bottomOfMiddle = m.gap + m.otherRows * m.otherBlock + m.centre;
  const under = pileY + (pileSize * RATIO) / 2 + 4;
  return {
    cards: placed,
    plates,
    banner: { bottom: m.height - bottomOfMiddle },
    marks: {
      talon: { x: talonX, y: under, size: pileSize, middle: pileY },
      discard: { x: discardX, y: under, size: pileSize, middle: pileY },
    },
  };
}
