// Writing courses: lists that filter as one types, and modules and lessons that can be dragged. Buttons do the same.
"use strict";

(() => {
  const fold = (text) => text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();

  // --- Filter: hides the choices that do not hold the words typed; those ticked always stay in sight.
  document.addEventListener("input", (event) => {
    const field = event.target instanceof Element ? event.target.closest("[data-filters]") : null;
    if (!field) return;
    const words = fold(field.value).split(/\s+/).filter(Boolean);
    for (const label of document.querySelectorAll(`${field.dataset.filters} .choices label`)) {
      const text = fold(label.textContent);
      const isChosen = label.querySelector("input").checked;
      label.parentElement.hidden = !isChosen && !words.every((word) => text.includes(word));
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("[data-filters]")) event.preventDefault();
  });

  // --- Names that grow with their words are one line all the same: Enter sends them, as it would a plain field.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches?.("[data-one-line]")) return;
    event.preventDefault();
    event.target.form.querySelector("button[type=submit]").click();
  });

  // --- Drag and drop: sends the form with what was dragged, what it was dropped on, and on which side of it.
  const itemOf = (event) => (event.target instanceof Element ? event.target.closest("[data-drag]") : null);
  let dragged = null;

  // Only the grip starts a drag: text in the fields stays selectable.
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target instanceof Element ? event.target.closest(".course-tree__grip") : null;
    for (const item of document.querySelectorAll("[data-drag][draggable]")) item.removeAttribute("draggable");
    grip?.closest("[data-drag]").setAttribute("draggable", "true");
  });

  document.addEventListener("dragstart", (event) => {
    dragged = itemOf(event);
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.drag);
    dragged.classList.add("is-dragged");
  });

  const unmark = () => {
    for (const item of document.querySelectorAll(".is-drop-before, .is-drop-after")) {
      item.classList.remove("is-drop-before", "is-drop-after");
    }
  };

  // A module goes beside modules; a lesson beside lessons, or onto a module.
  const goalOf = (event) => {
    let item = itemOf(event);
    if (!dragged || !item) return null;
    if (dragged.matches(".course-tree__module")) item = item.closest(".course-tree__module");
    if (item === dragged || dragged.contains(item)) return null;
    const box = item.getBoundingClientRect();
    return { item, after: event.clientY > box.top + box.height / 2 };
  };

  document.addEventListener("dragover", (event) => {
    const goal = goalOf(event);
    unmark();
    if (!goal) return;
    event.preventDefault();
    goal.item.classList.add(goal.after ? "is-drop-after" : "is-drop-before");
  });

  document.addEventListener("drop", (event) => {
    const goal = goalOf(event);
    const form = dragged?.closest("form") ?? dragged?.closest("[data-drag-form]")?.closest("form");
    if (!goal || !form) return;
    event.preventDefault();
    const action = document.createElement("input");
    action.type = "hidden";
    action.name = "accion";
    action.value = `mover:${dragged.dataset.drag}>${goal.item.dataset.drag}>${goal.after ? "despues" : "antes"}`;
    form.append(action);
    form.submit();
  });

  document.addEventListener("dragend", () => {
    dragged?.classList.remove("is-dragged");
    dragged = null;
    unmark();
  });
})();
