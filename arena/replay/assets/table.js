/**
 * The table: one element for each of the 36 cards, which only ever changes its place. The browser animates the way from one place
 * to the next; between two moves nothing runs.
 */

import { drawn, el, icon } from "./dom.js";
import { FULL_FACE, arrange, measure } from "./layout.js";
import { cardCode, groups } from "./position.js";
import { fill, seconds, sentenceNodes } from "./sentences.js";

const BASE = 80; // width in pixels at which a card is laid out; every other size is a scale of it

export class Table {
  /** @param onSeat called with a seat when its name plate is chosen */
  constructor({ frames, names, text, language, onSeat }) {
    Object.assign(this, { frames, names, text, language });
    this.cards = Array.from({ length: 36 }, () => {
      const face = drawn("card-back");
      return { element: el("div.rv-card", {}, face), use: face.firstChild, shown: "" };
    });
    this.plates = names.map((name, seat) => this.makePlate(name, seat, onSeat));
    this.talon = el("div.rv-mark-label");
    this.discard = el("div.rv-mark-label");
    this.trump = el("div.rv-trump", {}, drawn(`pip-${frames.trump}`));
    this.banner = el("p.rv-banner", { hidden: true }, ...sentenceNodes(frames.result.banner, names, frames.ranks));
    const drawing = el(
      "div.rv-felt",
      { "aria-hidden": "true" },
      this.trump,
      ...this.cards.map((card) => card.element),
      this.talon,
      this.discard,
    );
    this.element = el("div.rv-table", {}, drawing, ...this.plates.map((plate) => plate.element), this.banner);
    this.width = 0;
  }

  makePlate(name, seat, onSeat) {
    const { frames, text } = this;
    const parts = {
      role: el("span.rv-role"),
      state: el("span.rv-unseen"),
      clock: el("span.rv-clock"),
      count: el("span.rv-count"),
      badge: el("span.rv-badge", { hidden: true }),
    };
    const element = el(
      "button.rv-plate",
      { type: "button", "data-seat": seat, "aria-pressed": "false", onclick: () => onSeat(seat) },
      parts.role,
      el("bdi.rv-name", { title: name }, name),
      parts.state,
      frames.pairs ? el("span.rv-pair", { title: fill(text.partner, { letter: "AB"[seat % 2] }) }, "AB"[seat % 2]) : null,
      parts.badge,
      parts.clock,
      parts.count,
    );
    return { element, ...parts };
  }

  /** Fits the table to a width, and as well as it can to a height; returns whether that changed anything. */
  resize(width, room) {
    if (!width || (width === this.width && room === this.room)) {
      return false;
    }
    this.width = width;
    this.room = room;
    this.size = measure(this.frames.players, width, room);
    this.element.style.height = `${this.size.height}px`;
    this.element.classList.toggle("rv-table--phone", this.size.phone);
    return true;
  }

  /**
   * @param position what `Positions.at` returned
   * @param perspective the seat through whose eyes the table is seen, or null for all hands
   * @param glide whether cards travel to their places, or are there at once
   */
  show(position, perspective, glide) {
    if (!this.size) {
      return;
    }
    const { frames } = this;
    this.element.classList.toggle("rv-table--still", !glide);
    const cards = groups(position.where, frames.players, frames.trump);
    const sees = (seat, known) => perspective === null || seat === perspective || known;
    const layout = arrange(this.size, cards, perspective ?? 0, sees, frames.turn_up);
    this.cards.forEach((card, number) => this.placeCard(card, number, layout.cards.get(number), position));
    this.plates.forEach((plate, seat) => this.showPlate(plate, seat, layout.plates[seat], position, cards, perspective));
    this.showPiles(layout.marks, cards);
    const over = position.frame === frames.changes.length;
    this.banner.hidden = !over;
    if (over) {
      this.banner.style.bottom = `${layout.banner.bottom}px`;
    }
  }

  placeCard(card, number, place, position) {
    const scale = place.width / BASE;
    const code = cardCode(number);
    const symbol = !place.open ? "card-back" : `${place.width >= FULL_FACE ? "card" : "mini"}-${code}`;
    if (card.shown !== symbol) {
      card.shown = symbol;
      card.use.setAttribute("href", `#${symbol}`);
    }
    const { style, classList } = card.element;
    style.transform = `translate(${place.x - BASE / 2}px, ${place.y - BASE * 0.7}px) rotate(${place.turn}deg) scale(${scale})`;
    style.zIndex = String(place.z);
    classList.toggle("rv-card--fresh", position.fresh.includes(number));
  }

  showPlate(plate, seat, place, position, cards, perspective) {
    const { frames, text } = this;
    const { element } = plate;
    const out = position.out.includes(seat);
    const over = position.frame === frames.changes.length;
    element.style.transform = `translate(${place.x - place.width / 2}px, ${place.y}px)`;
    element.style.width = `${place.width}px`;
    element.style.height = `${this.size.plate}px`;
    const role = out ? null : seat === position.attacker ? "attacker" : seat === position.defender ? "defender" : null;
    if (plate.roleShown !== role) {
      plate.roleShown = role;
      plate.role.replaceChildren(...(role ? [icon(role)] : []));
      plate.role.title = role ? text[role] : "";
    }
    element.classList.toggle("rv-plate--actor", position.actor === seat && !(over && frames.actor === null));
    element.classList.toggle("rv-plate--out", out);
    element.setAttribute("aria-pressed", String(perspective === seat));
    const failed = over && frames.result.failures.some(([failing]) => failing === seat);
    element.classList.toggle("rv-plate--failed", failed);
    // When a seat is done, its place matters and its clock no more; a narrow plate keeps its room for the name.
    const narrow = place.width < 185;
    plate.badge.hidden = !(over || out);
    if (over) {
      const words = fill(text.place, { place: frames.result.places[seat] });
      plate.badge.textContent = narrow ? String(frames.result.places[seat]) : words;
      plate.badge.title = words;
    } else if (out) {
      plate.badge.textContent = text.out;
    }
    const count = cards.hands[seat].length;
    plate.count.textContent = out || (over && narrow) ? "" : String(count);
    plate.count.title = fill(text.cards_in_hand, { count });
    plate.clock.hidden = over || out || narrow;
    if (frames.bank_ms !== null) {
      const left = seconds(Math.max(0, frames.bank_ms - position.spent[seat]), this.language);
      plate.clock.textContent = fill(text.seconds, { seconds: left });
      plate.clock.title = fill(text.time_left, { seconds: left });
    }
    const said = [
      role && text[role],
      position.actor === seat && text.to_move,
      over && narrow && plate.badge.title,
    ].filter(Boolean);
    plate.state.textContent = said.length ? `, ${said.join(", ")}` : "";
  }

  showPiles(marks, cards) {
    const label = (element, { x, y }, count) => {
      element.textContent = count ? String(count) : "";
      element.style.transform = `translate(${x}px, ${y}px) translateX(-50%)`;
    };
    label(this.talon, marks.talon, cards.talon.length);
    label(this.discard, marks.discard, cards.discard.length);
    // Under the talon lies the sign of the trump suit, to be seen when the talon is gone.
    const side = marks.talon.size * 0.8;
    this.trump.style.transform = `translate(${marks.talon.x - side / 2}px, ${marks.talon.middle - side / 2}px)`;
    this.trump.style.width = `${side}px`;
    this.trump.style.height = `${side}px`;
  }
}

/** The position in words: a list that says what the table shows, for those who do not see it. */
export function inWords(position, { frames, names, text, perspective }) {
  const cards = groups(position.where, frames.players, frames.trump);
  const name = (number) => frames.cards[number];
  const items = [];
  const item = (what, how) => items.push(el("li", {}, el("b", {}, what), ": ", how));
  item(text.trump, frames.suits[frames.trump]);
  item(text.talon, cards.talon.length ? fill(text.cards_in_hand, { count: cards.talon.length }) : text.empty);
  item(
    text.table,
    cards.table.map(({ attack, beat }) => `${name(attack)} – ${beat === null ? text.unbeaten : name(beat)}`).join("; ") || text.empty,
  );
  names.forEach((who, seat) => {
    const open = cards.hands[seat].filter(({ known }) => perspective === null || perspective === seat || known);
    const hidden = cards.hands[seat].length - open.length;
    const said = open.map(({ card }) => name(card));
    if (hidden) {
      said.push(fill(text.hidden_cards, { count: hidden }));
    }
    item(
      [who, seat === position.attacker && text.attacker, seat === position.defender && text.defender].filter(Boolean).join(", "),
      position.out.includes(seat) ? text.out : said.join(", ") || text.empty,
    );
  });
  item(text.discard, cards.discard.map(name).join(", ") || text.empty);
  return items;
}
