"use strict";
// A part that is drawn again keeps how far its tables were scrolled to the side.
const scrolled = new Map();
document.addEventListener("htmx:sseBeforeMessage", () => {
  document.querySelectorAll("[data-keeps-scroll] .table-wrap[id]").forEach((wrap) => scrolled.set(wrap.id, wrap.scrollLeft));
});
document.addEventListener("htmx:sseMessage", () => {
  document.querySelectorAll("[data-keeps-scroll] .table-wrap[id]").forEach((wrap) => (wrap.scrollLeft = scrolled.get(wrap.id) ?? 0));
});
