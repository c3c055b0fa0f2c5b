// faceOf is what a person can read of the page without operating it, in document order:
// texts that no ancestor clips away, and the sources of pictures. Into styles it writes the
// fonts and colours of those that are not operated.
function faceOf(body, most, styles) {
  const face = [], clips = new Map();
  const room = (e) => { // the part of the page that the ancestors of an element leave to it
    if (!e || e === body || e === document.documentElement) return null;
    if (clips.has(e)) return clips.get(e);
    let r = room(parentOf(e));
    const s = getComputedStyle(e);
    if (s.overflowX !== 'visible' || s.overflowY !== 'visible') r = common(r, rectOf(e));
    clips.set(e, r);
    return r;
  };
  if (!body) return face;
  walk(body, (e) => {
    if (face.length >= most || SKIP.has(e.localName) || e.localName === 'option' || e.localName === 'select') return;
    let text = '';
    for (const c of own(e).childNodes) if (c.nodeType === 3) text += ' ' + c.data;
    text = clean(text, 240);
    if (!text && e.localName === 'img') text = 'picture ' + clean(e.currentSrc || e.src, 4000).slice(-200);
    if (!text || !shown(e)) return;
    const r = rectOf(e), seen = common(room(parentOf(e)), r), style = getComputedStyle(e);
    if (seen.right - seen.left < 2 || seen.bottom - seen.top < Math.min(4, r.height / 2) || r.right + scrollX < 0 || r.bottom + scrollY < 0) return;
    if (style.overflowY !== 'visible' && r.height < 4) return;
    face.push(e.localName === 'img' ? text + editedBy(style) : text);
    if (!HANDS.test(style.cursor) && !e.closest('button,a,label,summary')) styles.push([text, style.fontFamily, style.fontSize, style.fontWeight, style.color, style.textAlign].join('|').slice(0, 300));
  });
  return face;
}
// editedBy is what styles make of a picture: a filter, or that it is turned or mirrored. How
// large it is drawn changes as the pointer passes.
function editedBy(style) {
  const m = new DOMMatrixReadOnly(style.transform === 'none' ? '' : style.transform);
  const turned = Math.abs(m.m12) > 0.01 || m.m11 < 0 || m.m22 < 0 ? ' turned ' + [m.m11, m.m12, m.m22].map((n) => n.toFixed(1)).join(' ') : '';
  return (style.filter === 'none' ? '' : ' ' + clean(style.filter, 120)) + turned + (style.rotate === 'none' ? '' : ' turned ' + clean(style.rotate, 40));
}
const common = (a, b) => (a ? { left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) } : b);

// paintOf is the background behind a grid of points of the window, as colours or pictures.
function paintOf() {
  const paint = [], [cols, rows] = [10, 8];
  const clear = /^rgba\(.*, 0\)$|^transparent$/, body = document.body ? getComputedStyle(document.body) : null;
  const behind = !body || clear.test(body.backgroundColor) ? 'rgb(255, 255, 255)' : body.backgroundColor;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      let found = '';
      for (let e = hit((j + 0.5) * innerWidth / cols, (i + 0.5) * innerHeight / rows); e && !found; e = parentOf(e)) {
        const s = getComputedStyle(e);
        if (s.backgroundImage !== 'none') found = clean(s.backgroundImage, 160);
        else if (!clear.test(s.backgroundColor)) found = s.backgroundColor;
      }
      paint.push(found || behind);
    }
  }
  return paint;
}
