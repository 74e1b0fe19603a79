"use strict";
// Menus that drop down close by Escape, and by a click elsewhere.
document.addEventListener("click", (event) => {
  document.querySelectorAll("[data-drop][open]").forEach((drop) => {
    if (!drop.contains(event.target)) drop.open = false;
  });
});
document.addEventListener("keydown", (event) => {
  const drop = event.key === "Escape" && event.target.closest?.("[data-drop][open]");
  if (!drop) return;
  drop.open = false;
  drop.querySelector("summary").focus();
});

// The builder offers the comparisons that a column knows, and the values that it may have.
(() => {
  const builder = document.querySelector("[data-builder]");
  if (!builder) return;
  const { column, operator, value } = builder.elements;
  const TYPES = { number: "number", date: "date" };
  function fit() {
    const chosen = column.selectedOptions[0].dataset;
    const known = chosen.operators.split(" ");
    [...operator.options].forEach((each) => (each.hidden = each.disabled = !known.includes(each.value)));
    if (operator.selectedOptions[0]?.disabled ?? true) operator.value = known.includes("~") ? "~" : known[0];
    const values = chosen.values ? chosen.values.split("|") : [];
    document.getElementById("builder-values").replaceChildren(
      ...values.map((each) => Object.assign(document.createElement("option"), { value: each })),
    );
    value.type = TYPES[chosen.kind] || "text";
    if (value.type === "number") value.step = "any";
    value.hidden = ["empty", "filled"].includes(operator.value);
    value.required = !value.hidden;
  }
  builder.addEventListener("change", fit);
  fit();
})();
