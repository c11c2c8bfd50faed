/** The slider over all frames, with marks for bouts, takes, exits and failures. */

import { el, svg } from "./dom.js";

// How each kind of mark stands in a strip of height 20: [from, to], so that they differ by more than colour.
const KINDS = { bout: [13, 20], take: [8, 20], out: [0, 20], failure: [0, 20] };

export function makeScrubber({ frames, last, text, onseek }) {
  const input = el("input.rv-range", {
    type: "range",
    min: 0,
    max: last,
    value: 0,
    step: 1,
    "aria-label": text.scrubber,
    oninput: () => onseek(Number(input.value)),
  });
  const strip = svg("svg.rv-marks", {
    viewBox: `0 0 ${Math.max(1, last)} 20`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
    focusable: "false",
  });
  // In a very long game the marks would run together into a bar: then they are thinner and paler.
  strip.classList.toggle("rv-marks--dense", frames.marks.bout.length > 120);
  for (const [kind, [from, to]] of Object.entries(KINDS)) {
    const path = frames.marks[kind].map((frame) => `M${frame} ${from}V${to}`).join("");
    strip.append(svg(`path.rv-mark.rv-mark--${kind}`, { d: path }));
  }
  const element = el("div.rv-scrubber", {}, strip, input);
  return {
    element,
    /** Shows a frame, read aloud as `words`. */
    show(frame, words) {
      input.value = String(frame);
      input.setAttribute("aria-valuetext", words);
      element.style.setProperty("--rv-done", last ? String(frame / last) : "1");
    },
  };
}

/** What the marks mean, for those kinds that occur. */
export function legend(frames, text) {
  const names = { bout: text.bouts, take: text.takes, out: text.exits, failure: text.failures };
  return el(
    "ul.rv-legend",
    {},
    ...Object.keys(KINDS)
      .filter((kind) => frames.marks[kind].length)
      .map((kind) =>
        el(
          "li",
          {},
          svg(
            "svg.rv-legend__mark",
            { viewBox: "0 0 6 20", "aria-hidden": "true" },
            svg(`path.rv-mark.rv-mark--${kind}`, { d: `M3 ${KINDS[kind][0]}V20` }),
          ),
          names[kind],
        ),
      ),
  );
}
