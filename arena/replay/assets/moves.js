/**
 * The list of moves in words, by bouts. A bout's lines are made when it comes into view, so that a game of ten thousand moves
 * opens like one of fifty.
 */

import { el } from "./dom.js";
import { duration, fill, sentenceNodes } from "./sentences.js";

const NEAR = 600; // pixels beyond the visible part within which lines are made
const LINE = 30; // about the height of a line in pixels, for bouts whose lines are not made yet

export class MoveList {
  /** @param go called with the number of a frame when a line is chosen */
  constructor({ frames, names, text, language, go }) {
    Object.assign(this, { frames, names, text, language });
    this.last = frames.changes.length;
    this.starts = frames.marks.bout;
    this.chosen = null;
    this.bouts = this.starts.map((start, index) => this.makeBout(start, index));
    this.element = el(
      "div.rv-list",
      {
        tabindex: "0",
        role: "region",
        "aria-label": text.moves,
        onclick: (event) => {
          const line = event.target.closest("a[data-frame]");
          if (line && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
            event.preventDefault();
            go(Number(line.dataset.frame));
          }
        },
      },
      ...this.bouts.map((bout) => bout.element),
    );
    this.watch = new IntersectionObserver(
      (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => this.fillBout(entry.target.rvBout)),
      { root: this.element, rootMargin: `${NEAR}px` },
    );
    this.bouts.forEach((bout) => this.watch.observe(bout.element));
  }

  makeBout(start, index) {
    const end = this.starts[index + 1] ?? this.last;
    const number = this.frames.roles.find(([frame]) => frame === start)?.[1] ?? index + 1;
    const lines = el("ol.rv-lines", { start: start + 1 });
    const element = el("section.rv-bout", {}, el("h3", {}, fill(this.text.bout, { number })), lines);
    const bout = { start, end, lines, element, filled: false };
    lines.style.minHeight = `${(end - start) * LINE}px`;
    element.rvBout = bout;
    return bout;
  }

  fillBout(bout) {
    if (bout.filled) {
      return;
    }
    bout.filled = true;
    this.watch.unobserve(bout.element);
    const { frames } = this;
    if (bout.start === 0) {
      bout.lines.append(this.line(0));
    }
    for (let frame = bout.start + 1; frame <= bout.end; frame++) {
      bout.lines.append(this.line(frame));
    }
    if (bout.end === this.last) {
      bout.lines.append(
        el("li.rv-line.rv-line--end", {}, el("p", {}, ...sentenceNodes(frames.result.banner, this.names, frames.ranks))),
      );
    }
    bout.lines.style.minHeight = "";
  }

  line(frame) {
    const { frames } = this;
    const [first, ...rest] = frames.said[frame].map((index) => frames.sentences[index]);
    const ms = frame > 0 ? frames.ms[frame - 1] : null;
    const what = frame > 0 ? frames.notation[frame - 1] : "";
    return el(
      `li.rv-line${what === "pass" ? ".rv-line--quiet" : ""}${frame > 0 ? "" : ".rv-line--deal"}`,
      frame > 0 ? { value: frame } : {},
      el(
        "a",
        { href: `#m=${frame}`, "data-frame": frame },
        el("span.rv-number", { "aria-hidden": "true" }, frame > 0 ? String(frame) : ""),
        el("span.rv-said", {}, ...sentenceNodes(first, this.names, frames.ranks)),
        ms === null
          ? null
          : el("span.rv-time", {}, duration(ms, this.text, this.language)),
      ),
      ...rest.map((sentence) => el("p.rv-then", {}, ...sentenceNodes(sentence, this.names, frames.ranks))),
    );
  }

  /** Points out the line of a frame, and brings it into view within the list (never by moving the page). */
  choose(frame) {
    let index = this.starts.length - 1;
    while (index > 0 && this.starts[index] >= frame) {
      index--;
    }
    const bout = this.bouts[index];
    this.fillAround(index);
    const line = bout.lines.querySelector(`a[data-frame="${frame}"]`);
    if (this.chosen !== line) {
      this.chosen?.removeAttribute("aria-current");
      this.chosen = line;
      line?.setAttribute("aria-current", "step");
    }
    if (frame === this.last) {
      this.element.scrollTop = this.element.scrollHeight;
    } else if (line) {
      const box = this.element.getBoundingClientRect();
      const own = line.parentElement.getBoundingClientRect();
      if (own.top < box.top + 40 || own.bottom > box.bottom - 24) {
        this.element.scrollTop += own.top - box.top - box.height / 3;
      }
    }
  }

  /** Makes the lines near a bout too: nothing beside a line may change its height once the list has scrolled to it. */
  fillAround(index) {
    this.fillBout(this.bouts[index]);
    const enough = this.element.clientHeight + NEAR;
    for (const step of [-1, 1]) {
      for (let near = index + step, height = 0; this.bouts[near] && height < enough; near += step) {
        this.fillBout(this.bouts[near]);
        height += this.bouts[near].element.offsetHeight;
      }
    }
  }

  destroy() {
    this.watch.disconnect();
  }
}
