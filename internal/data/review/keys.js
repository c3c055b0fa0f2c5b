// A key presses the button or follows the link that names it.
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  for (const el of document.querySelectorAll("[data-key]")) {
    if (el.dataset.key === e.key) {
      e.preventDefault();
      el.click();
      return;
    }
  }
});
