/**
 * The few things of every page that are nicer with a script. All of them work without: the theme switch is a form that the
 * server answers, and this module merely spares the reader the round trip.
 */

const YEAR = 365 * 24 * 60 * 60;

/** Remember the reader's choice in the cookie that the server reads when it renders `<html data-theme>`. */
function chooseTheme(theme) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${theme}; path=/; max-age=${theme === "system" ? 0 : YEAR}; samesite=lax${secure}`;
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  for (const button of document.querySelectorAll("button[name=theme][aria-pressed]")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.name === "theme") {
    event.preventDefault();
    chooseTheme(button.value);
    // The button just pressed may have made way for its twin: do not drop the keyboard's place.
    if (button.offsetParent === null) {
      button.parentElement.querySelector(`button:not([value="${button.value}"])`)?.focus();
    }
    return;
  }
  // Pressing twice is harmless on the server; this only says that the first press was heard.
  if (event.target.matches("form[data-once]")) {
    for (const submit of event.target.querySelectorAll("button[type=submit]")) {
      submit.setAttribute("aria-disabled", "true");
    }
  }
});

// Filters act at once. Their button remains for readers without a script, and for the keyboard: its arrows change a choice at
// every step, and a page that was loaded anew at the first would let nobody reach the third.
let byKeyboard = false;

document.addEventListener("keydown", () => {
  byKeyboard = true;
});

document.addEventListener("pointerdown", () => {
  byKeyboard = false;
});

document.addEventListener("change", (event) => {
  if (!byKeyboard && event.target.matches("form.filter select")) {
    event.target.form.requestSubmit();
  }
});

/*
 * Parts that follow what goes on ask again each few seconds, one request at a time. A tab that nobody looks at asks
 * nothing; when the reader comes back it asks at once.
 */
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden) {
    event.preventDefault();
  }
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    document.dispatchEvent(new CustomEvent("wake"));
  }
});

// After an error the reader lands on the summary, which links to each field.
document.querySelector(".errors")?.focus();
