"use strict";
// The token of a one-time link stands behind the #, which browsers send to nobody.
function takeToken() {
  const token = location.hash.slice(1);
  const field = document.querySelector("input[name=token]");
  if (token && field) {
    field.value = token;
    history.replaceState(null, "", location.pathname);
    document.querySelector("input[name=password]").focus();
  } else if (token) {
    location.replace(`/login/link#${token}`);
  }
}

takeToken();
// A link that is pasted into a tab with this page changes what follows the #, and loads nothing.
addEventListener("hashchange", takeToken);
