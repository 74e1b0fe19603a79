"use strict";
// Before anything is drawn: what somebody has chosen wins over what the system prefers.
const chosen = localStorage.getItem("theme");
if (chosen) document.documentElement.dataset.theme = chosen;
