// Steps to put in order: dragged, or moved by buttons, they get their numbers by themselves. Without this script each
// gets its number from a list.
"use strict";

(() => {
  const stepsOf = (list) => [...list.querySelectorAll(":scope > li")];

  const numberAll = (list) => {
    stepsOf(list).forEach((step, place) => {
      step.querySelector("select").value = String(place + 1);
    });
  };

  for (const list of document.querySelectorAll("[data-steps]")) {
    let dragged = null;

    list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-step]");
      if (!button) return;
      const step = button.closest("li");
      const isUp = button.dataset.step === "-1";
      const other = isUp ? step.previousElementSibling : step.nextElementSibling;
      if (other) other[isUp ? "before" : "after"](step);
      numberAll(list);
      button.focus();
    });

    list.addEventListener("dragstart", (event) => {
      dragged = event.target.closest("li");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", "");
    });

    list.addEventListener("dragover", (event) => {
      const over = event.target.closest("li");
      if (!dragged || !over) return;
      event.preventDefault();
      if (over === dragged) return;
      const box = over.getBoundingClientRect();
      over[event.clientY < box.top + box.height / 2 ? "before" : "after"](dragged);
    });

    list.addEventListener("drop", (event) => {
      if (dragged) event.preventDefault();
    });

    list.addEventListener("dragend", () => {
      dragged = null;
      numberAll(list);
    });
  }
})();
