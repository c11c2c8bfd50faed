/**
 * The replay viewer. It takes the frames of a game (format durak-frames/1) and an element, and needs nothing else: no server, no
 * framework, no rules of the game.
 *
 *     import { mount } from "./viewer.js";
 *     const viewer = mount(element, frames, { sprite: textOfCardsSvg });
 *     viewer.seek(57);
 *
 * Options: `sprite` the deck (may be absent where the page holds it already), `text` texts of the interface, `language` for numbers,
 * `address` whether the page's address follows the move (default true).
 *
 * While it is paused there is no timer, no animation frame and no observer that fires: an idle viewer costs nothing.
 */

import { el, icon, setIcon, useSprite } from "./dom.js";
import { MoveList } from "./moves.js";
import { Positions } from "./position.js";
import { legend, makeScrubber } from "./scrubber.js";
import { duration, fill, plain, sentenceNodes } from "./sentences.js";
import { Table, inWords } from "./table.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const MOVE_MS = 1100; // how long a move is shown at speed 1
const PASS_MS = 450;
const BELOW_TABLE = 260; // height of the caption and the controls in pixels, to be seen together with the table
const LEAST_TABLE = 380;
const ADDRESS_MS = 300; // browsers refuse addresses that change more often

const stored = {
  get(name) {
    try {
      return localStorage.getItem(`replay-${name}`);
    } catch {
      return null; // a frame on a foreign page may have no storage
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`replay-${name}`, value);
    } catch {
      // then the choice lasts as long as the page
    }
  },
};

export function mount(element, frames, options = {}) {
  return new Viewer(element, frames, options);
}

class Viewer {
  constructor(element, frames, { sprite, text, language, address = true }) {
    if (sprite) {
      useSprite(sprite, frames.ranks);
    }
    this.frames = frames;
    this.text = { ...frames.text, ...text };
    this.language = language || document.documentElement.lang || undefined;
    this.address = address;
    this.names = distinctNames(frames.seats);
    this.positions = new Positions(frames);
    this.last = this.positions.last;
    this.frame = 0;
    this.perspective = null;
    this.playing = false;
    this.timer = null;
    this.addressTimer = null;
    this.root = element;
    this.abort = new AbortController();
    this.build();
    this.followAddress();
    this.listen();
  }

  build() {
    const { frames, names, text, language } = this;
    this.table = new Table({ frames, names, text, language, onSeat: (seat) => this.see(this.perspective === seat ? null : seat) });
    this.scrubber = makeScrubber({ frames, last: this.last, text, onseek: (frame) => this.seek(frame) });
    this.list = new MoveList({ frames, names, text, language, go: (frame) => this.seek(frame) });
    this.caption = el("div.rv-caption");
    this.live = el("p.rv-unseen", { role: "status", "aria-live": "polite" });
    this.words = el("ul");
    this.wordsBox = el("details.rv-words", { ontoggle: () => this.describe() }, el("summary", {}, text.position), this.words);
    this.root.replaceChildren(
      el(
        "div.rv-main",
        {},
        el("div.rv-stage", {}, this.table.element, this.caption),
        this.scrubber.element,
        this.makeControls(),
        this.makeOptions(),
        legend(frames, text),
        this.live,
      ),
      el("div.rv-side", {}, el("h2.rv-heading", {}, text.moves), this.list.element),
      el("div.rv-more", {}, this.wordsBox, this.makeKeys()),
    );
    this.root.classList.add("rv");
    this.setColours(stored.get("colours") === "4");
  }

  makeControls() {
    const { text } = this;
    const button = (name, label, act) =>
      el(`button.rv-button${name === "play" ? ".rv-button--play" : ""}`, { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
    this.playButton = button("play", text.play, () => this.toggle());
    this.backButtons = [
      button("first", text.first, () => this.seek(0)),
      button("previous-bout", text.previous_bout, () => this.bout(-1)),
      button("previous", text.previous, () => this.step(-1)),
    ];
    this.forwardButtons = [
      button("next", text.next, () => this.step(1)),
      button("next-bout", text.next_bout, () => this.bout(1)),
      button("last", text.last, () => this.seek(this.last)),
    ];
    return el(
      "div.rv-controls",
      { role: "group", "aria-label": text.controls },
      ...this.backButtons,
      this.playButton,
      ...this.forwardButtons,
    );
  }

  makeOptions() {
    const { text, names } = this;
    const speed = Number(stored.get("speed"));
    this.speed = SPEEDS.includes(speed) ? speed : 1;
    this.speedChoice = el(
      "select.rv-select",
      {
        onchange: () => {
          this.speed = Number(this.speedChoice.value);
          stored.set("speed", this.speedChoice.value);
          if (this.playing) {
            this.schedule();
          }
        },
      },
      ...SPEEDS.map((value) => el("option", { value, selected: value === this.speed }, `${value.toLocaleString(this.language)}×`)),
    );
    this.seatChoice = el(
      "select.rv-select",
      { onchange: () => this.see(this.seatChoice.value === "" ? null : Number(this.seatChoice.value)) },
      el("option", { value: "" }, text.all_hands),
      ...names.map((name, seat) => el("option", { value: seat }, name)),
    );
    this.colours = el("input", { type: "checkbox", onchange: () => this.setColours(this.colours.checked) });
    this.linkButton = el("button.rv-link", { type: "button", onclick: () => this.copyLink() }, icon("link"), el("span", {}, text.copy_link));
    return el(
      "div.rv-options",
      {},
      el("label.rv-field", {}, el("span", {}, text.perspective), this.seatChoice),
      el("label.rv-field", {}, el("span", {}, text.speed), this.speedChoice),
      el("label.rv-field.rv-field--check", {}, this.colours, el("span", {}, text.four_colours)),
      this.linkButton,
    );
  }

  makeKeys() {
    const { text } = this;
    const row = (keys, what) => [el("dt", {}, ...keys.flatMap((key) => [el("kbd", {}, key), " "])), el("dd", {}, what)];
    return el(
      "details.rv-keys",
      {},
      el("summary", {}, text.keys),
      el(
        "dl",
        {},
        ...row(["Space"], text.key_play),
        ...row(["←", "→"], text.key_step),
        ...row(["[", "]"], text.key_bout),
        ...row(["Home", "End"], text.key_ends),
      ),
    );
  }

  listen() {
    const { signal } = this.abort;
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    window.addEventListener("hashchange", () => this.followAddress(), { signal });
    const fit = () => {
      if (this.table.resize(this.table.element.clientWidth, Math.max(LEAST_TABLE, window.innerHeight - BELOW_TABLE))) {
        this.show(false);
      }
    };
    window.addEventListener("resize", fit, { signal });
    this.resizing = new ResizeObserver(fit);
    this.resizing.observe(this.table.element);
  }

  /** Takes everything back: the element is empty, nothing listens. */
  destroy() {
    this.pause();
    clearTimeout(this.addressTimer);
    this.abort.abort();
    this.resizing.disconnect();
    this.list.destroy();
    this.root.replaceChildren();
  }

  // ---------------------------------------------------------------- moving about

  /** Shows a frame: 0 is the deal, k the table after k moves. Stops what plays. */
  seek(frame) {
    this.pause();
    this.goTo(frame);
  }

  step(by) {
    this.seek(this.frame + by);
  }

  /** To the beginning of this bout, or of the one before or after. */
  bout(by) {
    const starts = this.frames.marks.bout;
    const target = by > 0 ? starts.find((start) => start > this.frame) : starts.findLast((start) => start < this.frame);
    this.seek(target ?? (by > 0 ? this.last : 0));
  }

  goTo(frame) {
    const target = Math.max(0, Math.min(this.last, Math.round(frame) || 0));
    const near = Math.abs(target - this.frame) === 1;
    this.frame = target;
    this.show(near);
    this.writeAddress();
  }

  toggle() {
    if (this.playing) {
      this.pause();
    } else {
      this.play();
    }
  }

  play() {
    if (this.playing) {
      return;
    }
    this.playing = true;
    if (this.frame === this.last) {
      this.goTo(0);
    }
    this.schedule();
    this.showPlaying();
  }

  pause() {
    if (!this.playing) {
      return;
    }
    this.playing = false;
    clearTimeout(this.timer);
    this.showPlaying();
    this.tell();
    this.writeAddress();
  }

  /** Each move waits on one timer, set when the move before it is shown. */
  schedule() {
    clearTimeout(this.timer);
    const pace = this.frames.notation[this.frame] === "pass" ? PASS_MS : MOVE_MS;
    this.timer = setTimeout(() => {
      this.goTo(this.frame + 1);
      if (this.frame < this.last) {
        this.schedule();
      } else {
        this.pause();
      }
    }, pace / this.speed);
  }

  /** Chooses through whose eyes the table is seen; null for all hands. */
  see(seat) {
    this.perspective = seat;
    this.show(true);
    this.writeAddress();
  }

  // ---------------------------------------------------------------- showing

  show(glide) {
    const { frames, frame, names, text } = this;
    this.position = this.positions.at(frame);
    this.table.show(this.position, this.perspective, glide);
    const said = frames.said[frame].map((index) => frames.sentences[index]);
    const over = frame === this.last;
    this.sentence = said.map((sentence) => plain(sentence, names)).join(". ");
    if (over) {
      this.sentence += `. ${plain(frames.result.banner, names)}`;
    }
    const ms = frame > 0 ? frames.ms[frame - 1] : null;
    const [first, ...rest] = said;
    this.caption.replaceChildren(
      el(
        "p.rv-count-of",
        {},
        frame > 0 ? fill(text.move_of, { number: frame, count: this.last }) : text.deal,
        " · ",
        fill(text.bout, { number: this.position.bout }),
        ms === null ? null : ` · ${duration(ms, text, this.language)}`,
      ),
      el("p.rv-now", {}, ...sentenceNodes(first, names, frames.ranks)),
      ...rest.map((sentence) => el("p.rv-then", {}, ...sentenceNodes(sentence, names, frames.ranks))),
    );
    this.scrubber.show(frame, `${frame}: ${this.sentence}`);
    this.list.choose(frame);
    this.seatChoice.value = this.perspective === null ? "" : String(this.perspective);
    for (const button of this.backButtons) {
      button.setAttribute("aria-disabled", String(frame === 0));
    }
    for (const button of this.forwardButtons) {
      button.setAttribute("aria-disabled", String(over));
    }
    this.describe();
    // A listener could not follow a fast replay: then only the move it stops at is read.
    if (!this.playing || this.speed <= 1) {
      this.tell();
    }
  }

  tell() {
    if (this.live.textContent !== this.sentence) {
      this.live.textContent = this.sentence;
    }
  }

  describe() {
    if (this.wordsBox.open && this.position) {
      this.words.replaceChildren(...inWords(this.position, this));
    }
  }

  showPlaying() {
    setIcon(this.playButton.firstChild, this.playing ? "pause" : "play");
    const label = this.playing ? this.text.pause : this.text.play;
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  setColours(four) {
    this.colours.checked = four;
    // The deck is drawn with variables, which every card on the page inherits from here.
    document.documentElement.classList.toggle("rv-four", four);
    stored.set("colours", four ? "4" : "2");
  }

  // ---------------------------------------------------------------- keys and the address

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const target = event.target;
    const inside = this.root.contains(target);
    if (!inside && target !== document.body && target !== document.documentElement) {
      return;
    }
    if (target.closest("select, textarea, input:not([type=range])")) {
      return;
    }
    const act = this.keyAct(event, inside, target);
    if (act) {
      event.preventDefault();
      act();
    }
  }

  keyAct(event, inside, target) {
    const onSlider = target.matches("input[type=range]");
    switch (event.key) {
      case " ":
        // A focused button or summary is pressed by the space bar; that is the browser's to do.
        return target.closest("button, summary, a") ? null : () => this.toggle();
      case "ArrowLeft":
        return event.shiftKey ? () => this.bout(-1) : onSlider ? null : () => this.step(-1);
      case "ArrowRight":
        return event.shiftKey ? () => this.bout(1) : onSlider ? null : () => this.step(1);
      case "Home":
        return onSlider ? null : () => this.seek(0);
      case "End":
        return onSlider ? null : () => this.seek(this.last);
      // Single characters act only where the viewer has the focus: elsewhere they may be dictation.
      case "[":
        return inside ? () => this.bout(-1) : null;
      case "]":
        return inside ? () => this.bout(1) : null;
      default:
        return null;
    }
  }

  fragment() {
    return `#m=${this.frame}${this.perspective === null ? "" : `&seat=${this.perspective}`}`;
  }

  followAddress() {
    const wanted = new URLSearchParams(this.address ? location.hash.slice(1) : "");
    const seat = Number(wanted.get("seat"));
    if (wanted.has("seat") && Number.isInteger(seat) && seat >= 0 && seat < this.names.length) {
      this.perspective = seat;
    }
    this.seek(Number(wanted.get("m")) || 0);
  }

  writeAddress() {
    clearTimeout(this.addressTimer);
    if (!this.address || this.playing || (this.frame === 0 && !location.hash) || location.hash === this.fragment()) {
      return;
    }
    this.addressTimer = setTimeout(() => history.replaceState(history.state, "", this.fragment()), ADDRESS_MS);
  }

  async copyLink() {
    const link = new URL(this.fragment(), location.href).href;
    history.replaceState(history.state, "", link);
    const label = this.linkButton.lastChild;
    try {
      await navigator.clipboard.writeText(link);
      label.textContent = this.text.copied;
    } catch {
      // Without the right to the clipboard the address bar holds the link all the same.
      label.textContent = link;
    }
  }
}

/** Names as they are shown: two seats of one name are told apart by their number. */
function distinctNames(seats) {
  const names = seats.map(({ name }) => String(name));
  return names.map((name, seat) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${seat + 1})`));
}
