"use strict";
// Curate by keyboard: a current row, checked rows, and decisions that are stored one after the other in their order.
(() => {
  const form = document.querySelector("[data-curate]");
  if (!form) return;
  const mayDecide = form.querySelector("[data-decide]") !== null;
  const saidPlace = form.querySelector("[data-said]");
  const spoken = form.querySelector("[data-spoken]");
  const KEYS = Object.fromEntries([...form.querySelectorAll("[data-decide]")].map((each) => [each.dataset.decide, each.value]));

  const rows = () => [...form.querySelectorAll("tbody tr[data-id]")];
  const rowOf = (id) => form.querySelector(`tbody tr[data-id="${id}"]`);
  const boxOf = (row) => row.querySelector("input[name=ids]");
  const checked = () => rows().filter((row) => boxOf(row)?.checked);

  // The current row.
  let current = rows()[0]?.dataset.id;
  const here = () => (current === undefined ? null : rowOf(current));
  function stand(row, { focus = false } = {}) {
    if (!row) return;
    here()?.classList.remove("is-here");
    rows().forEach((each) => {
      each.tabIndex = each === row ? 0 : -1;
      each.removeAttribute("aria-current");
    });
    current = row.dataset.id;
    row.classList.add("is-here");
    row.setAttribute("aria-current", "true");
    if (!focus) return;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    const all = rows();
    speak(`${nameOf(row)}, ${row.dataset.status}. Row ${all.indexOf(row) + 1} of ${all.length}.`);
  }
  function step(by, from = here()) {
    const all = rows();
    const at = all.indexOf(from);
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    stand(next, { focus: true });
    return next;
  }
  const nameOf = (row) => row.querySelector("[data-open]").textContent.trim().slice(0, 80);
  const speak = (words) => (spoken.textContent = words);

  // Checked rows.
  function check(row, isOn) {
    const box = row && boxOf(row);
    if (!box) return;
    box.checked = isOn;
    row.classList.toggle("is-checked", isOn);
    tellChecked();
  }
  function tellChecked() {
    const place = form.querySelector("[data-checked]");
    if (!place) return;
    const many = checked().length;
    place.textContent = many ? `${many} ${many === 1 ? form.dataset.noun : form.dataset.plural} checked` : "This row, or check several.";
    const all = form.querySelector("[data-all]");
    all.checked = many > 0 && many === rows().length;
    all.indeterminate = many > 0 && !all.checked;
  }
  function checkAll(isOn) {
    rows().forEach((row) => check(row, isOn));
  }
  function extend(by) {
    check(here(), true);
    check(step(by), true);
  }

  // What was done; an operation that can be undone is remembered for this tab of the browser.
  const memory = `curate-undo ${form.dataset.keeper} ${form.dataset.path}`;
  const remembered = () => JSON.parse(sessionStorage.getItem(memory) || "[]");
  const remember = (list) => sessionStorage.setItem(memory, JSON.stringify(list.slice(-500)));
  function tell(note, isBad = false) {
    const place = note instanceof Node ? note : Object.assign(document.createElement("p"), { textContent: note });
    place.classList.add("curate-said");
    place.classList.toggle("is-bad", isBad);
    saidPlace.replaceChildren(place);
  }

  const line = new Line(form.elements.csrf.value);
  const columns = () => [["columns", form.elements.columns.value]];
  const fieldsOf = (ids) => [...ids.map((id) => ["ids", id]), ...columns()];

  // A row says at once what it is to be; the server's answer takes its place.
  function expect(row, status) {
    row.dataset.waits = Number(row.dataset.waits || 0) + 1;
    row.dataset.wanted = row.dataset.status = status;
    row.classList.add("is-waiting");
    row.classList.remove("is-failed");
    const badge = badgeOf(row);
    if (!before.has(row)) before.set(row, badge.cloneNode(true));
    badge.textContent = status;
    badge.className = "badge plain";
  }
  const badgeOf = (row) => row.querySelector("[data-decision] .badge");
  const before = new Map();
  // Tells whether nothing else is under way for the row.
  function settle(row) {
    const left = Number(row.dataset.waits || 0) - 1;
    row.dataset.waits = Math.max(0, left);
    if (left <= 0) row.classList.remove("is-waiting");
    return left <= 0;
  }
  function redraw(fresh) {
    const old = rowOf(fresh.dataset.id);
    if (!old) return;
    if (Number(old.dataset.waits || 0) > 0) {
      before.set(old, badgeOf(fresh).cloneNode(true));
      return;
    }
    before.delete(old);
    const row = document.importNode(fresh, true);
    const hadFocus = old === document.activeElement;
    const box = boxOf(row);
    if (box) box.checked = boxOf(old).checked;
    row.classList.toggle("is-checked", Boolean(box?.checked));
    if (old.dataset.wanted === row.dataset.status) row.dataset.wanted = row.dataset.status;
    old.replaceWith(row);
    if (row.dataset.id === current) stand(row);
    if (hadFocus) row.focus({ preventScroll: true });
  }
  function fail(row, fault) {
    const isLast = settle(row);
    row.classList.add("is-failed");
    row.title = fault;
    delete row.dataset.wanted;
    if (!isLast) return;
    row.dataset.status = before.get(row).textContent;
    badgeOf(row).replaceWith(before.get(row));
    before.delete(row);
  }

  function decide(status) {
    const several = checked();
    // A key pressed once too often at the end of a page decides nothing twice.
    const chosen = (several.length ? several : [here()]).filter((row) => row && row.dataset.wanted !== status);
    if (!chosen.length) return speak(`Already ${status}.`);
    const ids = chosen.map((row) => row.dataset.id);
    chosen.forEach((row) => expect(row, status));
    checkAll(false);
    step(1, chosen[chosen.length - 1]);
    line.add(() => store(status, ids));
  }
  async function store(status, ids) {
    const done = await line.send(`${form.dataset.path}/decide`, [["status", status], ...fieldsOf(ids)]);
    const chosen = ids.map(rowOf).filter(Boolean);
    if (done.fault) {
      chosen.forEach((row) => fail(row, done.fault));
      return tell(done.fault, true);
    }
    chosen.forEach(settle);
    done.lines.forEach(redraw);
    remember([...remembered(), { id: done.note.dataset.operation, ids }]);
    tell(document.importNode(done.note, true));
  }

  // The last decision is taken back; pressed again, the one before.
  async function undo(id) {
    const known = remembered();
    const last = id ? known.find((each) => each.id === id) || { id } : known[known.length - 1];
    if (!last) return tell("Nothing to undo here. Decisions lists what was decided before.");
    const shown = rows().map((row) => row.dataset.id);
    const ids = last.ids ? last.ids.filter((each) => shown.includes(each)) : shown;
    const done = await line.send(`/curate/undo/${last.id}`, fieldsOf(ids));
    if (done.fault !== Line.LOST) remember(known.filter((each) => each.id !== last.id));
    if (done.fault) return tell(done.fault, true);
    ids.map(rowOf).forEach((row) => row && !Number(row.dataset.waits) && delete row.dataset.wanted);
    done.lines.forEach(redraw);
    if (last.ids?.length === 1 && rowOf(last.ids[0])) stand(rowOf(last.ids[0]), { focus: true });
    tell(document.importNode(done.note, true));
  }

  function open(row) {
    const link = row?.querySelector("[data-open]");
    if (link) line.end.then(() => location.assign(link.href));
  }

  // The mouse, and buttons.
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    event.preventDefault();
    if (button?.dataset.undo) return line.add(() => undo(button.dataset.undo));
    if (!button?.dataset.decide) return;
    decide(button.value);
  });
  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-undo-last]")) return line.add(() => undo());
    if (event.target.closest("[data-keys]")) return document.getElementById("keys").showModal();
    const row = event.target.closest("tbody tr[data-id]");
    if (!row) return;
    if (event.shiftKey && event.target.matches("input[name=ids]")) range(row, event.target.checked);
    stand(row);
  });
  function range(row, isOn) {
    const all = rows();
    const [from, to] = [all.indexOf(here()), all.indexOf(row)].sort((one, other) => one - other);
    all.slice(from, to + 1).forEach((each) => check(each, isOn));
  }
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-all]")) checkAll(event.target.checked);
    if (event.target.matches("input[name=ids]")) check(event.target.closest("tr"), event.target.checked);
  });
  form.addEventListener("focusin", (event) => {
    const row = event.target.closest("tbody tr[data-id]");
    // A click on a box with Shift checks all from the row that was current before.
    if (row && row !== here() && event.target.matches(":focus-visible")) stand(row);
  });

  // Keys. What a field, a link or a button does with them stays theirs.
  const follow = (rel) => document.querySelector(`.pager [rel=${rel}]`)?.click();
  const MOVES = {
    j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    Enter: () => open(here()), "]": () => line.end.then(() => follow("next")), "[": () => line.end.then(() => follow("first")),
    "?": () => document.getElementById("keys").showModal(),
  };
  const MARKS = {
    J: () => extend(1), K: () => extend(-1), z: () => line.add(() => undo()),
    " ": () => check(here(), !boxOf(here()).checked), "*": () => checkAll(checked().length < rows().length),
  };
  function actOf(event) {
    const shifted = event.shiftKey && { ArrowDown: "J", ArrowUp: "K" }[event.key];
    const key = shifted || event.key;
    if (MOVES[key]) return MOVES[key];
    if (!mayDecide || !here()) return null;
    // A key that is held down decides once.
    if (KEYS[key]) return event.repeat ? () => {} : () => decide(KEYS[key]);
    return MARKS[key] || null;
  }
  const TAKEN = { Enter: "a, button, summary", " ": "a, button, summary, input" };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.matches("textarea, select, [contenteditable], input:not([type=checkbox])")) return;
    if (TAKEN[event.key] && target.matches(TAKEN[event.key])) return;
    if (event.key.startsWith("Arrow") && !(target === document.body || target.closest("[data-curate]"))) return;
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  });

  form.querySelectorAll("[data-undo-last], [data-keys]").forEach((button) => (button.hidden = false));
  stand(here());
  rows().forEach((row) => check(row, Boolean(boxOf(row)?.checked)));
  const told = saidPlace.querySelector("[data-operation]")?.dataset.operation;
  if (told && !remembered().some((each) => each.id === told)) remember([...remembered(), { id: told }]);
})();
