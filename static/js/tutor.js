// Enter sends a question, Shift+Enter begins a new line; while an input method composes a word, Enter is its own.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement) || !box.matches(".ask__box")) return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !box.form) return;
  event.preventDefault();
  if (box.value.trim()) box.form.requestSubmit();
});

// Copies an answer's words, without the numbers of its sources, and says so on the button.
document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-copy-answer]") : null;
  const answer = button?.closest(".turn__answer")?.querySelector(".answer");
  if (!answer) return;
  const copy = answer.cloneNode(true);
  for (const mark of copy.querySelectorAll(".cite")) mark.remove();
  try {
    await navigator.clipboard.writeText(copy.innerText.trim());
    button.textContent = button.dataset.done;
  } catch {
    getSelection()?.selectAllChildren(answer); // no access to the clipboard: the words are marked, ready to be copied
  }
});

// A stream that cannot be opened gives no reason, be it that the session has gone, and htmx tries it again for good. From
// the second failure in a row on the turn says so, with a way out; it stops saying so once the stream is there again.
const showLost = (stream, isLost) => {
  const notice = stream.querySelector("[data-stream-lost]");
  if (!notice) return;
  notice.hidden = !isLost;
  for (const waiting of stream.querySelectorAll(".turn__waiting")) waiting.hidden = isLost;
};

document.addEventListener("htmx:sseError", ({ target }) => {
  target.dataset.failures = Number(target.dataset.failures ?? 0) + 1;
  showLost(target, Number(target.dataset.failures) > 1);
});

document.addEventListener("htmx:sseOpen", ({ target }) => {
  delete target.dataset.failures;
  showLost(target, false);
});
