// visiblePoints are points of an element in the window, the best first, that no
// ancestor cuts off.
function visiblePoints(e) {
  const points = [];
  const [dx, dy] = offset(e);
  const rects = Array.from(own(e).getClientRects(), (r) => ({ left: r.left + dx, top: r.top + dy, right: r.right + dx, bottom: r.bottom + dy })).filter((r) => r.right > r.left && r.bottom > r.top);
  const cut = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let p = parentOf(e); p; p = parentOf(p)) {
    const style = getComputedStyle(p);
    if (p === document.body || p === document.documentElement || !/auto|scroll|hidden|clip/.test(style.overflowX + style.overflowY) && p.localName !== 'iframe') continue;
    const r = rectOf(p);
    cut.left = Math.max(cut.left, r.left); cut.top = Math.max(cut.top, r.top); cut.right = Math.min(cut.right, r.right); cut.bottom = Math.min(cut.bottom, r.bottom);
  }
  for (const r of rects.slice(0, 3)) {
    const l = Math.max(r.left, cut.left), t = Math.max(r.top, cut.top), w = Math.min(r.right, cut.right) - l, h = Math.min(r.bottom, cut.bottom) - t;
    if (w <= 0 || h <= 0) continue;
    for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5], [0.1, 0.1], [0.9, 0.9]]) points.push([round(l + w * fx), round(t + h * fy)]);
  }
  return points;
}

// aim brings an element into the window and says where to put the pointer on it.
function aim(path, nth, scroll) {
  const e = at(path)[nth || 0];
  if (!e) return { missing: true };
  const seen = stand(e);
  const off = isOff(e);
  if (!shown(seen)) return { hidden: true, off };
  if (scroll) {
    const r = rectOf(seen);
    if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth || !visiblePoints(seen).length) seen.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  }
  const points = visiblePoints(seen);
  if (!points.length) return { outside: true, off, box: box(rectOf(seen)) };
  for (const [x, y] of points) {
    const top = hit(x, y);
    if (reaches(top, e) || reaches(top, seen)) return { x, y, off, box: box(rectOf(seen)) };
  }
  const top = hit(points[0][0], points[0][1]);
  // What lies on top may still hand the click on: a label, a part of the same control.
  return { x: points[0][0], y: points[0][1], off, covered: top ? pathOf(top) : 'nothing', box: box(rectOf(seen)) };
}

// choose picks an option of a list as a person would: it takes its value and tells the page.
function choose(path, text, index) {
  const e = at(path)[0];
  if (!e) return 'gone';
  const options = Array.from(e.options);
  const norm = (s) => clean(s, 200).toLowerCase();
  let o = index >= 0 ? options[index] : options.find((p) => norm(p.textContent) === norm(text)) || options.find((p) => norm(p.value) === norm(text)) || options.find((p) => norm(p.textContent).includes(norm(text)));
  if (!o) return 'no option ' + text;
  if (o.disabled) return 'the option is disabled';
  if (e.multiple) o.selected = true; else e.value = o.value;
  if (!o.selected) e.selectedIndex = options.indexOf(o);
  e.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  e.dispatchEvent(new Event('change', { bubbles: true }));
  return '';
}

// put sets a field that is operated by a picker of the browser: dates, times, colours,
// ranges.
function put(path, value) {
  const e = at(path)[0];
  if (!e) return 'gone';
  const set = Object.getOwnPropertyDescriptor(e.ownerDocument.defaultView.HTMLInputElement.prototype, 'value').set;
  set.call(e, value);
  if (e.value === '' && value !== '') return `the field takes no ${value}`;
  e.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  e.dispatchEvent(new Event('change', { bubbles: true }));
  return '';
}

// ready focuses a field and selects what is in it, so that typing replaces it.
function ready(path) {
  const e = at(path)[0];
  if (!e) return 'gone';
  if (e.readOnly) return 'the field is read-only';
  if (focused() !== e) e.focus({ preventScroll: true });
  if (e.select) e.select();
  else if (editable(e)) e.ownerDocument.getSelection().selectAllChildren(e);
  else return 'it takes no text';
  return '';
}

// give hands a file to a field, as a person would who chose it.
function give(path, name, type, base64) {
  const e = at(path)[0];
  if (!e) return 'gone';
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const all = new DataTransfer();
  all.items.add(new File([bytes], name, { type, lastModified: 1767225600000 }));
  e.files = all.files;
  e.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  e.dispatchEvent(new Event('change', { bubbles: true }));
  return '';
}

// scroller is the element that scrolls with another, or the window.
function scroller(path) {
  for (let e = path ? at(path)[0] : null; e; e = parentOf(e)) {
    if (e === document.body || e === document.documentElement) break;
    if (e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
    if (e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX)) return e;
  }
  return document.scrollingElement || document.documentElement;
}
function scrollBy(path, dx, dy) {
  const e = scroller(path), x = e.scrollLeft, y = e.scrollTop;
  e.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  return round(Math.abs(e.scrollLeft - x) + Math.abs(e.scrollTop - y));
}

// focus gives an element the focus, where it takes it.
function focus(path) {
  const e = at(path)[0];
  if (e && focused() !== e) e.focus({ preventScroll: true });
}

// draggable says whether pressing at a point begins a drag of the browser's.
function draggable(x, y) {
  for (let e = hit(x, y); e; e = parentOf(e)) if (own(e).draggable === true) return true;
  return false;
}
