"use strict";
// A preview belongs to the list that was read: with another list it goes. What is being stored is not sent twice.

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-batch] [data-anew]")) return;
  document.getElementById("preview").replaceChildren();
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-batch]") || event.defaultPrevented) return;
  const form = event.target;
  if (form.dataset.isSent) {
    event.preventDefault();
    return;
  }
  form.dataset.isSent = "yes";
  form.querySelectorAll("[data-bringing]").forEach((place) => (place.hidden = false));
});
// Somebody who goes back to the page may send it again.
window.addEventListener("pageshow", () => {
  document.querySelectorAll("[data-batch]").forEach((form) => delete form.dataset.isSent);
});
