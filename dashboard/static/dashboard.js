"use strict";
// What all pages share: notes, dialogs, asking twice, the theme, keys, and whether a live page still is.

// Notes go when they are dismissed; good news by itself after a while.
function fade(note) {
  setTimeout(() => note.remove(), 8000);
}
document.addEventListener("click", (event) => {
  const note = event.target.closest("[data-dismiss]")?.closest(".note");
  if (note) note.remove();
});
document.querySelectorAll(".note.good").forEach(fade);
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "notes") event.target.querySelectorAll(".note.good").forEach(fade);
});

// A part that holds a dialog is shown as one; it is gone once it is closed.
document.addEventListener("htmx:afterSwap", (event) => {
  const dialog = event.target.querySelector("dialog:not([open])");
  if (!dialog) return;
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    before?.focus();
  });
  dialog.showModal();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
});
// What went wrong in a dialog is said in it: the page's own notes lie behind.
document.addEventListener("htmx:beforeSwap", (event) => {
  const dialog = document.querySelector("dialog[open]");
  if (!dialog || event.detail.target.id !== "notes" || !event.detail.isError) return;
  dialog.querySelectorAll(".note").forEach((note) => note.remove());
  event.detail.target = dialog;
});
// What a dialog's button did is shown on the page behind it.
document.addEventListener("htmx:afterRequest", (event) => {
  const dialog = event.detail.elt.closest?.("dialog");
  if (dialog && event.detail.successful && event.detail.elt.matches("[data-closes]")) dialog.close();
});

// What cannot be taken back is asked twice.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

// A form that changes what is shown is sent as soon as something is chosen.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-send]")) event.target.form.requestSubmit();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

// The menu is open beside the page where there is room.
const wide = matchMedia("(min-width: 60rem)");
function placeMenu() {
  document.querySelectorAll("[data-menu]").forEach((menu) => (menu.open = wide.matches));
}
wide.addEventListener("change", placeMenu);
placeMenu();

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.key !== "/") return;
  event.preventDefault();
  document.querySelector("[data-find]")?.focus();
});

// What was asked before is there to be corrected or typed over.
document.querySelector("input[type=search][autofocus]")?.select();

// A page that is kept up to date says when it no longer is.
const SILENT_MS = 12000;
let heardAt = 0;
function sayLive(word, isLive) {
  document.querySelectorAll("[data-live]").forEach((mark) => {
    mark.classList.toggle("is-live", isLive);
    const place = mark.querySelector("[data-live-word]");
    if (place.textContent !== word) place.textContent = word;
  });
}
function hear() {
  heardAt = Date.now();
  sayLive("live", true);
}
document.addEventListener("htmx:sseMessage", hear);
document.addEventListener("htmx:sseOpen", hear);
document.addEventListener("htmx:sseError", (event) => {
  const isRefused = event.detail.source.readyState === EventSource.CLOSED;
  sayLive(isRefused ? "not live: load the page again" : "reconnecting: what you see may be old", false);
});
if (document.querySelector("[data-live]")) {
  setInterval(() => {
    if (heardAt && Date.now() - heardAt > SILENT_MS) sayLive("no news for a while: what you see may be old", false);
  }, 2000);
}

// A tab that nobody sees is kept up to date no longer: a browser has few connections to one server, and once they are
// all taken no other tab would load.
const UNSEEN_MS = 5000;
const sources = new Map();
let rest = null;
function doze() {
  clearTimeout(rest);
  rest = setTimeout(() => {
    if (sources.size) sayLive("not live while nobody looks", false);
    sources.forEach((source) => source.close());
    heardAt = 0;
  }, UNSEEN_MS);
}
function wake() {
  clearTimeout(rest);
  sources.forEach((source, part) => {
    if (source.readyState !== EventSource.CLOSED) return;
    sources.delete(part);
    // What has changed is connected anew.
    [part, ...part.querySelectorAll("[sse-swap]")].forEach((each) => (each.dataset.wokenAt = Date.now()));
    if (part.isConnected) htmx.process(part);
  });
}
document.addEventListener("visibilitychange", () => (document.hidden ? doze() : wake()));
document.addEventListener("htmx:sseOpen", (event) => {
  sources.set(event.target, event.detail.source);
  if (document.hidden) doze();
});
// What the server has refused is asked for again by itself.
document.addEventListener("htmx:sseError", (event) => {
  if (event.detail.source.readyState === EventSource.CLOSED) sources.delete(event.target);
});
