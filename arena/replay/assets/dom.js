/** Making elements, without ever reading text as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** el("p.name", {title: "x", onclick: f, hidden: false}, "text", child) */
export function el(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  return dress(document.createElement(tag), classes, attributes, children);
}

/** The same for SVG. */
export function svg(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  return dress(document.createElementNS(SVG, tag), classes, attributes, children);
}

function dress(element, classes, attributes, children) {
  element.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A symbol of the deck's sprite, which is in the page (see `useSprite`). */
export function drawn(symbol, kind = "svg") {
  return svg(kind, { "aria-hidden": "true", focusable: "false" }, svg("use", { href: `#${symbol}` }));
}

/**
 * Puts the deck into the page, once. It is our own file; parsed as SVG, it can run nothing the page's policy forbids.
 * Its faces are English, with the letters of the other languages beside them: here a face is told which of them it shows.
 */
export function useSprite(text, ranks) {
  if (document.getElementById("card-back")) {
    return;
  }
  const written = text.replace(/href="#rank-([JQKA])"/g, (use, rank) => `href="#rank-${ranks[rank]}"`);
  const sprite = document.importNode(new DOMParser().parseFromString(written, "image/svg+xml").documentElement, true);
  sprite.setAttribute("aria-hidden", "true");
  sprite.classList.add("rv-sprite");
  document.body.prepend(sprite);
}

// Signs of the controls, drawn for this viewer on a 24 by 24 grid.
const ICONS = {
  play: "M7 4.5v15L19.5 12z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  next: "M6 5l9 7-9 7zM16 5h3v14h-3z",
  previous: "M18 5l-9 7 9 7zM5 5h3v14H5z",
  "next-bout": "M3.5 5.5 11 12l-7.5 6.5zM12 5.5l7.5 6.5-7.5 6.5zM20 5.5h1.8v13H20z",
  "previous-bout": "M20.5 5.5 13 12l7.5 6.5zM12 5.5 4.5 12l7.5 6.5zM2.2 5.5H4v13H2.2z",
  first: "M20 5.5 12.5 12l7.5 6.5zM4 5.5h2.2v13H4zM7.8 11h4v2h-4z",
  last: "M4 5.5 11.5 12 4 18.5zM17.8 5.5H20v13h-2.2zM12.2 11h4v2h-4z",
  link: "M10.6 13.4a1 1 0 0 1 0-1.4l1.4-1.4 1.4 1.4-1.4 1.4a1 1 0 0 1-1.4 0zM8.5 19.8a4.3 4.3 0 0 1-3-7.3l3-3 1.5 1.4-3 3a2.3 2.3 0 0 0 3.2 3.2l3-3 1.4 1.5-3 3a4.3 4.3 0 0 1-3.1 1.2zm7-5.3-1.5-1.4 3-3a2.3 2.3 0 0 0-3.2-3.2l-3 3-1.4-1.5 3-3a4.3 4.3 0 0 1 6.1 6.1z",
  attacker: "M19.8 4.2l-1 4.4L10 17.3l1.6 1.6-1.3 1.3-2.6-2.6-3 3-1.3-1.3 3-3-2.6-2.6L5.100 12.400 6.700 14 15.400 5.200z",
  defender: "M12 3l7.5 2.6v5.6c0 4.600-3 8-7.500 9.800-4.500-1.800-7.500-5.200-7.500-9.800V5.600z",
};

export function icon(name) {
  return svg("svg.rv-icon", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: ICONS[name] }));
}

/** Changes which sign an icon shows. */
export function setIcon(element, name) {
  element.firstChild.setAttribute("d", ICONS[name]);
}
