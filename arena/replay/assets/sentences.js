/** Sentences of the frames (see `arena/replay/words.py`): a text, the number of a seat, or [card, its words]. */

import { drawn, el } from "./dom.js";

// First strong isolate and its end: a name is read in its own direction.
const ISOLATE = ["\u2068", "\u2069"];

/** A sentence to read aloud. */
export function plain(sentence, names) {
  return sentence
    .map((part) => (typeof part === "string" ? part : typeof part === "number" ? ISOLATE[0] + names[part] + ISOLATE[1] : part[1]))
    .join("");
}

/** A card as it stands in a line of text: rank and suit to see, words to hear. */
function chip([code, words], ranks) {
  return el(
    "span.rv-chip",
    { "data-suit": code[1] },
    el("span", { "aria-hidden": "true" }, ranks[code[0]], drawn(`pip-${code[1]}`)),
    el("span.rv-unseen", {}, words),
  );
}

/**
 * A sentence to see.
 * @param names by seat
 * @param ranks what is written for each rank (see `arena/letters.py`)
 */
export function sentenceNodes(sentence, names, ranks) {
  return sentence.map((part) => {
    if (typeof part === "string") {
      return document.createTextNode(part);
    }
    return typeof part === "number" ? el("bdi.rv-who", {}, names[part]) : chip(part, ranks);
  });
}

/** Fills {gaps} of a text of the interface. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? String(values[name]) : gap));
}

/** Seconds with one digit behind the point. */
export const seconds = (ms, language) => (ms / 1000).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A time that was taken, as people write it: in milliseconds while it is short. */
export function duration(ms, text, language) {
  return ms < 1000
    ? fill(text.milliseconds, { count: ms.toLocaleString(language) })
    : fill(text.seconds, { seconds: (ms / 1000).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) });
}
