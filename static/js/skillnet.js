// Small enhancements. Every page works without them. Loaded in <head> without defer, so that the chosen
// theme is there before the first paint; everything else waits for events that bubble up to the document.
"use strict";

(() => {
  const root = document.documentElement;
  const THEME_KEY = "skillnet-theme";

  // --- Theme ---------------------------------------------------------------
  const storedTheme = () => {
    try {
      return localStorage.getItem(THEME_KEY);
    } catch {
      return null; // storage is closed to this page: the system's wish holds
    }
  };

  const showTheme = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  };

  const switchTheme = () => {
    const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const current = root.dataset.theme ?? (systemIsDark ? "dark" : "light");
    const theme = current === "dark" ? "light" : "dark";
    showTheme(theme);
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // the choice holds for this page
    }
  };

  showTheme(storedTheme());
  root.classList.add("has-script");

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector('[aria-invalid="true"]')?.focus();
    if (!matchMedia("(min-width: 60rem)").matches) return;
    for (const details of document.querySelectorAll("details[data-open-on-wide]")) details.open = true;
  });

  // --- Tables wider than their box: a word that there is more to see -------------------------
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) target.classList.toggle("is-wider", target.scrollWidth > target.clientWidth);
  });

  const watchTables = (part) => {
    for (const box of part.querySelectorAll("[data-hint]")) sizes.observe(box);
  };

  document.addEventListener("DOMContentLoaded", () => watchTables(document));
  document.addEventListener("htmx:load", (event) => watchTables(event.detail.elt.parentElement ?? document));

  // --- Clicks ----------------------------------------------------------------
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(except)) menu.open = false;
    }
  };

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    closeMenus(target);
    if (target?.closest("[data-theme-switch]")) switchTheme();
    if (target?.closest("[data-toast-close]")) target.closest(".alert").remove();
    const opener = target?.closest("[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (dialog instanceof HTMLDialogElement) {
      event.preventDefault(); // without scripts the same link opens a page that asks
      // Beside what it is about, where there is room for both.
      const isBeside = dialog.hasAttribute("data-beside") && matchMedia("(min-width: 60rem)").matches;
      if (!dialog.open) isBeside ? dialog.show() : dialog.showModal();
    }
    if (target?.closest("[data-dialog-close]")) {
      event.preventDefault();
      target.closest("dialog")?.close();
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.querySelector("dialog[data-beside][open]")?.close();
    const menu = document.activeElement?.closest("details.menu[open]");
    closeMenus(null);
    menu?.querySelector("summary").focus();
  });

  // --- Toasts ------------------------------------------------------------------
  const toast = (message) => {
    const region = document.getElementById("toasts");
    const template = document.getElementById("toast");
    if (!region || !template) return;
    if (region.querySelector("[data-toast-text]")?.textContent === message) return; // said already: polls fail in rows
    const note = template.content.firstElementChild.cloneNode(true);
    note.querySelector("[data-toast-text]").textContent = message;
    region.replaceChildren(note);
  };

  const wording = (name) => document.getElementById("toasts")?.dataset[name] ?? "";

  // What says that something is on its way must not say so for good.
  const failed = (event, message) => {
    const waiting = event.detail.elt.querySelector("[data-waiting]");
    if (waiting) waiting.textContent = message;
    else toast(message);
  };

  document.addEventListener("htmx:responseError", (event) => {
    const answer = event.detail.xhr;
    if (answer.status === 404 && event.detail.elt.matches('[hx-trigger^="every"]')) {
      event.detail.elt.remove(); // what it kept asking about was deleted meanwhile
      return;
    }
    const text = answer.getResponseHeader("Content-Type")?.startsWith("text/html")
      ? new DOMParser().parseFromString(answer.responseText, "text/html").querySelector("[data-error-text]")?.textContent
      : "";
    failed(event, text?.trim() || wording(answer.status === 404 ? "missing" : "failed"));
  });

  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => failed(event, wording("offline")));
  }

  // A plain form sent without a network would leave the page, and what was written in it, for the browser's own error.
  // A server on this very machine needs no network.
  const isOnThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
  document.addEventListener("submit", (event) => {
    if (isOnThisMachine || navigator.onLine || !(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    event.stopPropagation();
    toast(wording("offline"));
  }, true);

  // --- Drop zone: files dropped on it go into its own file field ---------------------
  const zoneOf = (event) => (event.target instanceof Element ? event.target.closest("[data-dropzone]") : null);

  document.addEventListener("dragover", (event) => {
    const zone = zoneOf(event);
    if (!zone) return;
    event.preventDefault();
    zone.classList.add("is-over");
  });

  document.addEventListener("dragleave", (event) => {
    const zone = zoneOf(event);
    if (zone && !zone.contains(event.relatedTarget)) zone.classList.remove("is-over");
  });

  document.addEventListener("drop", (event) => {
    const zone = zoneOf(event);
    if (!zone) return;
    event.preventDefault();
    zone.classList.remove("is-over");
    const field = zone.querySelector('input[type="file"]');
    if (!field || event.dataTransfer.files.length === 0) return;
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  });

  // --- File fields: what was chosen, in the page's language ----------------------------
  const showChosen = (input) => {
    const field = input.closest("[data-file-field]");
    const names = field?.querySelector("[data-file-names]");
    if (!names) return;
    const chosen = Array.from(input.files, (file) => file.name);
    const many = field.dataset.several.replace("{count}", chosen.length).replace("{names}", () => chosen.join(", "));
    names.textContent = chosen.length > 1 ? many : (chosen[0] ?? names.dataset.none);
  };

  document.addEventListener("change", (event) => {
    if (event.target.matches('[data-file-field] input[type="file"]')) showChosen(event.target);
  });

  // --- Uploads: how much has left this machine ------------------------------------------
  const uploadProgress = (event) => {
    const form = event.target instanceof Element ? event.target.closest("[data-upload]") : null;
    return form?.querySelector("[data-upload-progress]") ?? null;
  };

  document.addEventListener("htmx:xhr:progress", (event) => {
    const box = uploadProgress(event);
    if (!box || !event.detail.lengthComputable) return;
    box.hidden = false;
    box.querySelector("progress").value = (100 * event.detail.loaded) / event.detail.total;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const box = uploadProgress(event);
    if (!box) return;
    box.hidden = true;
    if (!event.detail.successful) return;
    const input = event.target.closest("[data-upload]").querySelector('input[type="file"]');
    input.value = "";
    showChosen(input);
  });

  // A long upload by a plain form shows that it is on its way, and cannot be sent twice.
  document.addEventListener("submit", (event) => {
    const button = event.target.querySelector("[data-busy-text]");
    if (!button || event.defaultPrevented) return;
    button.disabled = true;
    button.textContent = button.dataset.busyText;
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload(); // a page from the back-forward cache may show an old state
  });
})();
