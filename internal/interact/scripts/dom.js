// What the other scripts stand on: geometry, names, roles, walking through shadow
// roots and frames. All of it runs in an isolated world, reads the document and
// changes nothing.
const clean = (s, n = 200) => (s || '').replace(/\s+/g, ' ').trim().slice(0, n);
const round = (n) => Math.round(n * 10) / 10;
const SKIP = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base']);
const INPUTS = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', color: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
  number: 'spinbutton', search: 'searchbox', hidden: '',
};
const ROLES = {
  button: 'button', summary: 'button', textarea: 'textbox', option: 'option', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  img: 'img', li: 'listitem', ul: 'list', ol: 'list', nav: 'navigation', main: 'main', table: 'table', tr: 'row', td: 'cell', th: 'columnheader', dialog: 'dialog',
  form: 'form', article: 'article', aside: 'complementary', header: 'banner', footer: 'contentinfo', p: 'paragraph', progress: 'progressbar', meter: 'meter',
  output: 'status', canvas: 'canvas', video: 'video', audio: 'audio', svg: 'img', iframe: 'iframe', fieldset: 'group', details: 'group',
};
const FIELDS = new Set(['input', 'select', 'textarea']);
const isField = (e) => FIELDS.has(e.localName) && e.type !== 'hidden';

// inner is the document of a frame that may be looked into.
function inner(e) {
  if (e.localName !== 'iframe') return null;
  try { return e.contentDocument; } catch { return null; }
}

// walk visits every element below root in deep document order, the order in which the
// recorder numbers them.
function walk(root, visit) {
  const elements = root.querySelectorAll('*');
  for (let i = 0; i < elements.length; i++) {
    const e = elements[i];
    visit(e);
    const shadow = own(e).shadowRoot;
    if (shadow) walk(shadow, visit);
    const doc = inner(e);
    if (doc) walk(doc, visit);
  }
}

// offset is where the frame of an element begins in the window.
function offset(e) {
  let x = 0, y = 0;
  for (let w = own(e).ownerDocument.defaultView; w && w !== window && w.frameElement; w = w.parent) {
    const f = w.frameElement, r = f.getBoundingClientRect();
    x += r.left + f.clientLeft;
    y += r.top + f.clientTop;
  }
  return [x, y];
}

// rectOf is the box of an element in the window.
function rectOf(e) {
  const r = own(e).getBoundingClientRect();
  if (own(e).ownerDocument === document) return { left: r.left, top: r.top, right: r.right, bottom: r.bottom, width: r.width, height: r.height };
  const [x, y] = offset(e);
  return { left: r.left + x, top: r.top + y, right: r.right + x, bottom: r.bottom + y, width: r.width, height: r.height };
}
const box = (r) => ({ x: round(r.left), y: round(r.top), w: round(r.width), h: round(r.height) });

// once keeps what is read of elements while a function runs: it reads the page at one
// moment, and the same elements many times.
let kept = null;
const once = (read) => (...args) => {
  kept = { shown: new Map(), paths: new Map(), places: new Map(), ids: new Map(), texts: new Map(), styles: new Map() };
  try { return read(...args); } finally { kept = null; }
};
function keep(kind, key, find) {
  if (!kept) return find();
  let v = kept[kind].get(key);
  if (v === undefined) kept[kind].set(key, v = find());
  return v;
}

// shown says whether a person could see the element if it were in the window. A field
// that is transparent lies over what is drawn in its place.
const shown = (e) => keep('shown', own(e), () => isShown(own(e)));
function isShown(e) {
  if (!e.checkVisibility({ contentVisibilityAuto: true, opacityProperty: !isField(e), visibilityProperty: true })) return false;
  const r = e.getBoundingClientRect();
  if (r.width <= 0 || r.height <= 0) return false;
  for (let w = e.ownerDocument.defaultView; w && w !== window && w.frameElement; w = w.parent) {
    if (!w.frameElement.checkVisibility({ visibilityProperty: true })) return false;
  }
  return true;
}
// speck: too small to be seen or hit, as fields are that a drawing stands for.
const speck = (e) => { const r = e.getBoundingClientRect(); return r.width <= 2 || r.height <= 2 || getComputedStyle(e).clipPath === 'inset(50%)' || getComputedStyle(e).clip === 'rect(0px, 0px, 0px, 0px)'; };

// stand is the element that is seen in the place of a hidden field: its label.
function stand(e) {
  if (!isField(e) || (shown(e) && !speck(e))) return e;
  for (const l of e.labels || []) if (shown(l)) return l;
  return e;
}

// hit is the innermost element at a point of the window.
function hit(x, y) {
  let root = document, found = null;
  for (let depth = 0; depth < 20; depth++) {
    const e = root.elementFromPoint(x, y);
    if (!e || e === found) return found;
    found = e;
    const shadow = own(e).shadowRoot;
    if (shadow) { root = shadow; continue; }
    const doc = inner(e);
    if (!doc) return found;
    const r = e.getBoundingClientRect();
    x -= r.left + e.clientLeft;
    y -= r.top + e.clientTop;
    root = doc;
  }
  return found;
}

// parentOf goes up through shadow roots and frames.
function parentOf(e) {
  e = own(e);
  if (e.parentElement) return e.parentElement;
  const root = e.getRootNode();
  if (root.host) return root.host;
  const w = root.defaultView;
  return w && w !== window ? w.frameElement : null;
}
function within(e, outer) {
  for (; e; e = parentOf(e)) if (e === outer) return true;
  return false;
}
// reaches says whether a click at an element is a click on e.
function reaches(at, e) {
  if (!at) return false;
  if (within(at, e)) return true;
  const label = own(at).closest('label');
  return Boolean(label && label.control === e);
}

const byIds = (e, ids) => (ids || '').split(/\s+/).map((id) => id && own(e).getRootNode().getElementById?.(id)).filter(Boolean).map((n) => n.textContent).join(' ');
const textOf = (e, n) => { e = own(e); return clean(keep('texts', e, () => (e.innerText === undefined ? e.textContent : e.innerText) || ''), n); };
const pictured = (e) => { const i = e.querySelector('img[alt],svg title,[aria-label],[title]'); return i ? clean(i.alt || i.getAttribute('aria-label') || i.getAttribute('title') || i.textContent, 120) : ''; };

function labelText(e) {
  if (!e.labels || !e.labels.length) return '';
  return clean(Array.from(e.labels, (l) => {
    let text = '';
    const read = (n) => { for (const c of n.childNodes) { if (c.nodeType === 3) text += c.data; else if (c.nodeType === 1 && !isField(c) && !SKIP.has(c.localName)) { text += ' '; read(c); text += ' '; } } };
    read(l);
    return text;
  }).join(' '), 120);
}

// nameOf is the accessible name, nearly.
function nameOf(e) {
  e = own(e);
  const given = clean(byIds(e, e.getAttribute('aria-labelledby')), 120) || clean(e.getAttribute('aria-label'), 120);
  if (given) return given;
  const tag = e.localName;
  if (FIELDS.has(tag)) {
    if (tag === 'input' && /^(button|submit|reset)$/.test(e.type)) return clean(e.value || { submit: 'Submit', reset: 'Reset' }[e.type], 120);
    return labelText(e) || clean(e.title || e.placeholder || e.alt || before(e) || e.name || e.id, 120);
  }
  if (tag === 'img') return clean(e.alt || e.title, 120);
  if (tag === 'svg') return clean(e.querySelector('title')?.textContent, 120);
  if (tag === 'canvas' || tag === 'iframe' || tag === 'video' || tag === 'audio') return clean(e.title || e.id, 120);
  if (tag === 'details') return textOf(e.querySelector('summary') || e, 120);
  if (tag === 'fieldset') return textOf(e.querySelector('legend') || e, 120);
  return textOf(e, 120) || clean(e.getAttribute('title') || e.querySelector?.('title')?.textContent, 120) || pictured(e) || clean(e.getAttribute('placeholder') || e.getAttribute('data-placeholder'), 120);
}
// before is the text that stands right before a field without a label.
function before(e) {
  const p = own(e.previousElementSibling);
  return p && !p.querySelector('input,select,textarea,button,a') && !isField(p) && !/^(button|a)$/.test(p.localName) ? textOf(p, 60) : '';
}

const ACTIVE = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'slider', 'spinbutton', 'textbox', 'combobox', 'searchbox', 'treeitem']);
const editable = (e) => own(e).isContentEditable && !own(own(e).parentElement)?.isContentEditable;
function roleOf(e) {
  e = own(e);
  const given = clean(e.getAttribute('role'), 40).split(' ')[0];
  if (given && given !== 'presentation' && given !== 'none') return given;
  const tag = e.localName;
  if (tag === 'input') return INPUTS[e.type] ?? (e.getAttribute('list') ? 'combobox' : 'textbox');
  if (tag === 'select') return e.multiple || e.size > 1 ? 'listbox' : 'combobox';
  if (tag === 'a' || tag === 'area') return e.hasAttribute('href') ? 'link' : '';
  if (editable(e)) return 'textbox';
  return ROLES[tag] || '';
}

const isOff = (e) => { e = own(e); try { return e.matches(':disabled') || e.getAttribute('aria-disabled') === 'true' || Boolean(e.closest('[inert]')); } catch { return false; } };
const isChecked = (e) => (e.type === 'checkbox' || e.type === 'radio' ? e.checked : own(e).getAttribute('aria-checked') === 'true');
const valueOf = (e) => {
  e = own(e);
  if (e.localName === 'select') return Array.from(e.selectedOptions, (o) => clean(o.textContent, 80)).join(', ');
  if (e.localName === 'input' && /^(checkbox|radio)$/.test(e.type)) return '';
  if (e.localName === 'input' && e.type === 'file') return Array.from(e.files || [], (f) => f.name).join(', ');
  if (FIELDS.has(e.localName)) return clean(e.value, 300);
  return editable(e) ? textOf(e, 300) : clean(e.getAttribute('aria-valuenow') || '', 40);
};
function focused() {
  let e = document.activeElement;
  for (let i = 0; e && i < 20; i++) {
    const doc = own(e).shadowRoot || inner(e);
    if (!doc || !doc.activeElement || doc.activeElement === doc.body) break;
    e = doc.activeElement;
  }
  return e && e !== document.body && e !== document.documentElement ? e : null;
}

function statesOf(e, focus) {
  const o = own(e), s = [], is = (name, on) => { if (on) s.push(name); }, aria = (name) => o.getAttribute('aria-' + name) === 'true';
  is('checked', isChecked(e));
  is('disabled', isOff(e));
  is('expanded', aria('expanded') || (e.localName === 'summary' && e.parentElement && e.parentElement.open));
  is('focused', e === focus);
  is('invalid', aria('invalid') || (isField(e) && e.willValidate && e.matches(':user-invalid')));
  is('pressed', aria('pressed'));
  is('readonly', Boolean(o.readOnly) || aria('readonly'));
  is('required', Boolean(o.required) || aria('required'));
  is('selected', aria('selected') || o.getAttribute('aria-current') !== null && o.getAttribute('aria-current') !== 'false');
  return s;
}

// pathOf is a CSS path that finds the element again; ">>>" steps into a shadow root or
// a frame.
const pathOf = (e) => keep('paths', own(e), () => findPath(e));
function findPath(e) {
  const root = own(e).getRootNode();
  const parts = [];
  for (let n = own(e); n && n.nodeType === 1; n = own(n.parentElement)) {
    if (n.id && /^[A-Za-z][\w-]*$/.test(n.id) && only(root, n.id)) { parts.unshift('#' + n.id); break; }
    if (!n.parentElement && root.nodeType === 9) { parts.unshift(n.localName); break; }
    const tag = CSS.escape(n.localName), { nth, same } = n.parentNode ? placesIn(n.parentNode, n.localName, n) : { nth: 1, same: 0 };
    parts.unshift(same > 1 ? `${tag}:nth-of-type(${nth})` : tag);
    if (n === n.ownerDocument.body) break;
  }
  const path = parts.join(' > ');
  const up = root.host || (root.defaultView && root.defaultView !== window ? root.defaultView.frameElement : null);
  return up ? pathOf(up) + ' >>> ' + path : path;
}

const only = (root, id) => {
  const one = () => root.querySelectorAll('#' + id).length === 1;
  return root === document ? keep('ids', id, one) : one();
};

// placesIn says which of the children of its name an element is, and of how many.
function placesIn(parent, name, e) {
  const places = keep('places', parent, () => {
    const nths = new Map(), sums = {};
    for (const c of own(parent).children) nths.set(own(c), sums[c.localName] = (sums[c.localName] || 0) + 1);
    return { nths, sums };
  });
  return { nth: places.nths.get(e) || 1, same: places.sums[name] || 0 };
}

// at finds the elements of a CSS path.
function at(path) {
  let roots = [document];
  const steps = path.split('>>>').map((s) => s.trim()).filter(Boolean);
  for (let i = 0; i < steps.length; i++) {
    const found = roots.flatMap((r) => Array.from(r.querySelectorAll(steps[i])));
    if (i === steps.length - 1) return found;
    roots = found.map((e) => own(e).shadowRoot || inner(e)).filter(Boolean);
  }
  return [];
}
