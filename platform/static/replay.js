/**
 * Puts the viewer into a page of this site: `<div id="replay" data-frames="…" data-sprite="…" data-failed="…">`. Everything that
 * is of this site alone is here, and the viewer is not.
 */

import { mount } from "./replay/viewer.js";

const element = document.getElementById("replay");

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address}: ${response.status}`);
  }
  return response;
}

try {
  const [frames, sprite] = await Promise.all([
    load(element.dataset.frames).then((response) => response.json()),
    load(element.dataset.sprite).then((response) => response.text()),
  ]);
  mount(element, frames, { sprite });
  // The list without a script has done its work.
  for (const plain of document.querySelectorAll(".rv-plain")) {
    plain.hidden = true;
  }
} catch (error) {
  element.classList.add("rv-failed");
  element.textContent = element.dataset.failed;
  throw error;
}
