"use strict";
// Searches: one press starts one; on its page the funnel and the map are asked for again when something has changed.

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-once]")) return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent));

// They cost more than a look. The longer one takes, the more rarely it is asked for.
const LEAST_MS = 4000;
const SHARE = 10;
const parts = new Map();

function partOf(element) {
  if (!parts.has(element)) parts.set(element, { shown: null, began: 0, rest: 0, timer: null });
  return parts.get(element);
}

function present() {
  return document.querySelector("[data-state]")?.dataset.state ?? null;
}

function renew(element) {
  const part = partOf(element);
  if (part.timer !== null || part.began || part.shown === null || part.shown === present()) return;
  part.timer = setTimeout(() => {
    part.timer = null;
    htmx.trigger(element, "renew");
  }, part.rest);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.detail.elt.matches("[data-renew]")) return;
  const part = partOf(event.detail.elt);
  part.began = Date.now();
  part.shown = present() ?? "";
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.elt.matches("[data-renew]")) return;
  const part = partOf(event.detail.elt);
  part.rest = Math.max(LEAST_MS, SHARE * (Date.now() - part.began));
  part.began = 0;
  renew(event.detail.elt);
});

// What somebody has opened or closed in a part stays so when it is drawn anew.
const touched = new Map();
document.addEventListener("click", (event) => {
  const fold = event.target.closest("[data-renew] summary")?.parentElement;
  if (fold) touched.set(fold.id, !fold.open);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (!event.target.matches("[data-renew]")) return;
  event.target.querySelectorAll("details").forEach((fold) => (fold.open = touched.get(fold.id) ?? fold.open));
});

// A change of status is told to those who listen instead of looking.
let told = null;
document.addEventListener("htmx:sseMessage", () => {
  document.querySelectorAll("[data-renew]").forEach(renew);
  const says = document.querySelector("[data-says]")?.dataset.says;
  if (!says || says === told) return;
  if (told !== null) document.querySelector("[data-announce]").textContent = says;
  told = says;
});
