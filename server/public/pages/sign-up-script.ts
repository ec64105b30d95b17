import { signUpFormMs, signUpInputs } from "../../sign-up/schema/sign-up-page";

/**
 * Serves /s/{newsletter}/form.js, which answers the newsletter's forms inline. The script runs in other sites' pages,
 * so it touches only these forms and stores nothing. After any failure, the browser posts the form as it does without a
 * script. Runs in any browser of the last ten years.
 */
export const signUpScript = `(function () {
  "use strict";
  var script = document.currentScript;
  if (!script || !window.fetch || !window.URLSearchParams || !window.FormData) return;
  var page = script.src.replace(/\\/form\\.js(\\?.*)?$/, "");

  function input(form, name) {
    var found = form.elements.namedItem(name);
    return found && found.nodeType === 1 ? found : null;
  }

  function enhance(form) {
    var said = document.createElement("p");
    said.setAttribute("role", "status");
    said.className = "rollcall-message";
    form.appendChild(said);
    var time = document.createElement("input");
    time.type = "hidden";
    time.name = "${signUpInputs.time}";
    form.appendChild(time);
    // The address that the page has questioned, so that it asks once.
    var asked = document.createElement("input");
    asked.type = "hidden";
    asked.name = "${signUpInputs.asked}";
    form.appendChild(asked);
    var since = 0;
    var busy = false;

    function fetchTime() {
      return fetch(page + "/time", { credentials: "omit" })
        .then(function (answer) { return answer.json(); })
        .then(function (answer) { setTime(answer.time); })
        .catch(function () {});
    }
    function setTime(value) {
      time.value = value;
      since = Date.now();
    }
    function clearErrors() {
      Array.prototype.forEach.call(form.querySelectorAll(".rollcall-error"), function (one) {
        one.parentNode.removeChild(one);
      });
      Array.prototype.forEach.call(form.elements, function (one) {
        if (one.getAttribute("data-rollcall-wrong") === null) return;
        one.removeAttribute("data-rollcall-wrong");
        one.removeAttribute("aria-invalid");
        one.removeAttribute("aria-describedby");
      });
    }
    function showErrors(errors) {
      var first = null;
      Object.keys(errors).forEach(function (name) {
        var at = input(form, name);
        var error = document.createElement("p");
        error.className = "rollcall-error";
        error.id = "rollcall-" + name + "-" + Math.random().toString(36).slice(2);
        error.textContent = errors[name];
        at.setAttribute("data-rollcall-wrong", "");
        at.setAttribute("aria-invalid", "true");
        at.setAttribute("aria-describedby", error.id);
        at.parentNode.insertBefore(error, at.nextSibling);
        first = first || at;
      });
      if (first) first.focus();
    }
    function post(tries) {
      var rest = ${signUpFormMs.least + 200} - (Date.now() - since);
      return new Promise(function (resolve) { setTimeout(resolve, Math.max(0, rest)); }).then(function () {
        return fetch(page, {
          method: "POST",
          credentials: "omit",
          headers: { Accept: "application/json" },
          body: new URLSearchParams(new FormData(form))
        });
      }).then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.json();
      }).then(function (answer) {
        if (answer.time) setTime(answer.time);
        // A time that was too old, or none: once more with the new one.
        if (answer.status === "again" && tries > 0 && !answer.page) return post(tries - 1);
        if (answer.status === "again") throw new Error("again");
        return answer;
      });
    }

    function ask(answer) {
      var email = input(form, "${signUpInputs.email}");
      asked.value = email.value.trim();
      var use = document.createElement("button");
      use.type = "button";
      use.textContent = answer.use;
      use.addEventListener("click", function () {
        email.value = answer.email;
        submit();
      });
      said.appendChild(document.createTextNode(" "));
      said.appendChild(use);
    }

    form.addEventListener("submit", function (event) {
      event.preventDefault();
      submit();
    });
    function submit() {
      if (busy) return;
      busy = true;
      clearErrors();
      said.textContent = "…";
      (time.value ? Promise.resolve() : fetchTime()).then(function () { return post(1); }).then(function (answer) {
        // An input that the page has, and this copy of its form has not: the page asks for it.
        var lacks = Object.keys(answer.errors || {}).some(function (name) { return !input(form, name); });
        if (lacks) throw new Error("wrong");
        busy = false;
        said.textContent = answer.message;
        if (answer.status === "wrong") showErrors(answer.errors);
        else if (answer.status === "check") ask(answer);
        else form.reset();
      }).catch(function () {
        // As without this script: the sign-up page answers, and loses nothing that was typed.
        HTMLFormElement.prototype.submit.call(form);
      });
    }
    fetchTime();
  }

  function begin() {
    Array.prototype.forEach.call(document.forms, function (form) {
      if (form.action !== page || form.getAttribute("data-rollcall") === "on") return;
      form.setAttribute("data-rollcall", "on");
      enhance(form);
    });
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
`;
