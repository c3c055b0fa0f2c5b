// hash is 32 bits of FNV-1a.
function hash(s) {
  let h = 0x811c9dc5;
  for (let i = 0; i < s.length; i++) h = Math.imul(h ^ s.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

// snapshot is the whole document as a list in tree order, made to be compared with
// another: [depth, tag, id, hash of attributes, own text, state, seen, name of a field].
function snapshot(limit) {
  const nodes = [];
  const scrolled = [];
  const visit = (element, depth) => {
    const e = own(element);
    if (SKIP.has(e.localName)) return;
    if (nodes.length >= limit) return;
    let attrs = '', text = '';
    for (const a of e.attributes) if (!(a.name === 'value' && isField(e))) attrs += a.name + '=' + a.value + ';';
    for (const c of e.childNodes) if (c.nodeType === 3) text += c.data;
    const field = isField(e) || e.localName === 'details' || e.localName === 'dialog';
    let state = '';
    if (isField(e)) state = isChecked(e) ? 'checked' : (e.type === 'checkbox' || e.type === 'radio') ? 'unchecked' : valueOf(e);
    else if (e.localName === 'progress' || e.localName === 'meter') state = String(e.value);
    if (e.popover && e.matches(':popover-open')) state += ' open';
    if ((e.scrollTop || e.scrollLeft) && !isField(e)) scrolled.push([nodes.length, round(e.scrollTop + e.scrollLeft)]);
    const seen = e.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true }) ? 1 : 0;
    nodes.push([depth, e.localName, e.id || '', attrs ? hash(attrs) : 0, clean(text, 300), state, seen, field ? nameOf(e) : '']);
    if (e.shadowRoot) for (const c of e.shadowRoot.children) visit(c, depth + 1);
    for (const c of e.children) visit(c, depth + 1);
    const doc = inner(e);
    if (doc && doc.documentElement) visit(doc.documentElement, depth + 1);
  };
  if (document.documentElement) visit(document.documentElement, 0);
  const focus = focused();
  return {
    url: location.href, title: document.title, nodes, scrolled, scroll: round(scrollX + scrollY), focus: focus ? pathOf(focus) : '', focus_box: focus ? box(rectOf(focus)) : null, storage: stored(),
    draws: document.querySelector('canvas, video, iframe, object, embed') !== null,
  };
}
