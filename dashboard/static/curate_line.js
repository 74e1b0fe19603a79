"use strict";
// What was decided stands in line: what was pressed first is stored first, and nothing is sent twice.
class Line {
  static LOST = "The server did not answer, so this may not be stored: check your connection and decide again.";

  constructor(csrf) {
    this.csrf = csrf;
    this.end = Promise.resolve();
    this.waiting = 0;
    addEventListener("beforeunload", (event) => {
      if (this.waiting > 0) event.preventDefault();
    });
  }

  add(task) {
    this.waiting += 1;
    this.end = this.end.then(task).finally(() => (this.waiting -= 1));
  }

  // Gives the note and the rows that the server answers with, or the fault in words.
  async send(path, fields) {
    const headers = { "HX-Request": "true", "X-CSRF-Token": this.csrf };
    let answer, text;
    try {
      answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields), headers });
      text = await answer.text();
    } catch {
      return { fault: Line.LOST };
    }
    if (answer.headers.get("HX-Redirect")) {
      this.waiting = 0;
      location.assign(answer.headers.get("HX-Redirect"));
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const note = page.querySelector("[data-note]");
    if (answer.ok && note) return { note, lines: [...page.querySelectorAll("tr[data-id]")] };
    const said = page.querySelector(".note p, .said, main p")?.textContent;
    return { fault: said || `The server could not do this (${answer.status}): try again.` };
  }
}
