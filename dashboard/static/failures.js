"use strict";
// Rows that are ticked: all of a page at once, how many there are, and buttons that wait for one.

function boxesOf(form) {
  return [...form.querySelectorAll('input[type="checkbox"][name="id"]')];
}

function tell(form) {
  const boxes = boxesOf(form);
  const many = boxes.filter((box) => box.checked).length;
  form.querySelectorAll("[data-needs-chosen]").forEach((button) => (button.disabled = many === 0));
  const place = form.querySelector("[data-chosen]");
  if (place) place.textContent = many ? `${many} of ${boxes.length} rows of this page chosen.` : "Tick the rows that you mean.";
  const all = form.querySelector("[data-choose-all]");
  if (all) {
    all.checked = many > 0 && many === boxes.length;
    all.indeterminate = many > 0 && many < boxes.length;
  }
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-choose]");
  if (!form) return;
  if (event.target.matches("[data-choose-all]")) {
    boxesOf(form).forEach((box) => (box.checked = event.target.checked));
  }
  tell(form);
});
window.addEventListener("pageshow", () => document.querySelectorAll("[data-choose]").forEach(tell));
