// One sample: shows a frame of the film strip on the stage, draws the places of a
// finding on it, and turns the pages with the arrow keys.
(() => {
  'use strict';
  const at = (id) => document.getElementById(id);

  // ---- the way back: the gallery's filters travel along in the hash
  const from = new URLSearchParams(location.hash.slice(1)).get('from');
  if (from && at('back')) {
    at('back').hash = from;
    for (const a of [at('prev'), at('next')]) if (a) a.hash = 'from=' + encodeURIComponent(from);
  }
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select, textarea, [tabindex="0"]')) return;
    const a = e.key === 'ArrowLeft' ? at('prev') : e.key === 'ArrowRight' ? at('next') : null;
    if (a) a.click();
  });

  // ---- frames
  const stage = at('stage');
  if (!stage) return;
  const SVG = 'http://www.w3.org/2000/svg';
  const img = at('shown'), marks = at('marks');
  const shots = [...document.querySelectorAll('.shot')];
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let current = null;

  function show(shot) {
    if (current) current.removeAttribute('aria-current');
    current = shot;
    shot.setAttribute('aria-current', 'true');
    const { route, viewport, seconds, width, height } = shot.dataset;
    img.width = width;
    img.height = height;
    img.style.aspectRatio = `${width} / ${height}`; // until the new picture is there, the old one would give its own
    img.src = shot.href;
    img.alt = `Screenshot of ${route} at ${viewport}, ${seconds} s after load`;
    marks.setAttribute('viewBox', `0 0 ${width} ${height}`);
    at('sheet').style.maxWidth = width + 'px';
    at('caption').textContent = `${route} · ${viewport} · ${seconds} s`;
    at('full').href = shot.href;
    marks.replaceChildren();
    const film = at('film').getBoundingClientRect(), r = shot.getBoundingClientRect();
    if (r.left < film.left || r.right > film.right) at('film').scrollLeft += r.left - film.left;
  }

  for (const shot of shots) {
    shot.addEventListener('click', (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return; // the browser opens it elsewhere
      e.preventDefault();
      show(shot);
      if (pinned) draw(pinned, false);
    });
  }

  // ---- places of findings
  let pinned = null;

  function draw(row, follow) {
    const places = JSON.parse(row.dataset.where);
    const here = (p) => p.route === current.dataset.route && p.viewport === current.dataset.viewport;
    if (!places.some(here)) {
      const other = shots.find((s) => places.some((p) => p.route === s.dataset.route && p.viewport === s.dataset.viewport));
      if (!other || !follow) { marks.replaceChildren(); return; }
      show(other);
    }
    const { width, height } = current.dataset;
    const unit = width / Math.max(1, img.clientWidth); // page pixels of one pixel on this screen
    const shade = make('path', { class: 'shade' });
    let holes = `M0 0H${width}V${height}H0Z`;
    const drawn = [shade];
    places.forEach((p, i) => {
      if (!here(p)) return;
      const { x, y, w, h } = p.box;
      holes += `M${x} ${y}v${h}h${w}v${-h}Z`; // the other way round: nonzero leaves a hole
      drawn.push(make('rect', { x, y, width: w, height: h, class: 'halo' }), make('rect', { x, y, width: w, height: h, class: 'box' }));
      const size = 20 * unit, left = Math.max(0, Math.min(x, width - size)), top = Math.max(0, y - size);
      drawn.push(make('rect', { x: left, y: top, width: size, height: size, rx: 4 * unit, class: 'tag' }));
      const n = make('text', { x: left + size / 2, y: top + size * 0.72, 'font-size': 13 * unit, 'text-anchor': 'middle' });
      n.textContent = i + 1;
      drawn.push(n);
    });
    shade.setAttribute('d', holes);
    marks.replaceChildren(...drawn);
    const first = places.find(here).box;
    const top = Math.max(0, (first.y + first.h / 2) / unit - stage.clientHeight / 2);
    stage.scrollTo({ top, behavior: calm.matches ? 'auto' : 'smooth' });
  }

  function make(tag, attributes) {
    const e = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    return e;
  }

  function rest() {
    if (pinned) draw(pinned, true);
    else marks.replaceChildren();
  }

  function pin(row) {
    if (pinned) pinned.classList.remove('pinned');
    pinned = row;
    if (row) row.classList.add('pinned');
    rest();
  }

  for (const row of document.querySelectorAll('.finding[data-where]')) {
    row.addEventListener('pointerenter', (e) => { if (e.pointerType === 'mouse') draw(row, true); });
    row.addEventListener('pointerleave', (e) => { if (e.pointerType === 'mouse') rest(); });
    row.addEventListener('focusin', () => draw(row, true));
    row.addEventListener('focusout', rest);
    const places = row.querySelector('details');
    places.addEventListener('toggle', () => {
      if (places.open) {
        for (const other of document.querySelectorAll('.finding details[open]')) if (other !== places) other.open = false;
        pin(row);
        const r = stage.getBoundingClientRect();
        if (r.bottom < 0 || r.top > innerHeight) stage.scrollIntoView({ block: 'start' });
      } else if (pinned === row) pin(null);
    });
  }
  addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return;
    for (const open of document.querySelectorAll('.finding details[open]')) open.open = false;
    marks.replaceChildren();
  });

  if (shots.length) show(shots[0]);
})();
