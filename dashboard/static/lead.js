"use strict";
// The keys of a decision press its button, as they do in the tables.
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
  const button = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === event.key);
  if (!button) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});
