// ready says what the page still waits for: images, fonts, its own load event.
(() => {
  let images = 0;
  for (const i of document.images) {
    if (i.loading === 'lazy') i.loading = 'eager';
    if (!i.complete) images++;
  }
  return { loaded: document.readyState === 'complete', images, fonts: document.fonts.status === 'loading' };
})()
