"use strict";
// A button that copies what a field shows; without leave to do so the field is selected, for the keyboard.
document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  const told = document.querySelector("[data-copied]");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    told.textContent = "Copied.";
  } catch {
    told.textContent = "It is selected: copy it with Ctrl+C or ⌘C.";
  }
});
