// Enter sends a question, Shift+Enter begins a new line; while an input method composes a word, Enter is its own.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement) || !box.matches(".ask__box")) return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !box.form) return;
  event.preventDefault();
  if (box.value.trim()) box.form.requestSubmit();
});
