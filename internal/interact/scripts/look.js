// look reads the scene: what can be operated and what can be read.
function look(heard, limits) {
  const kinds = new Map(heard.list);
  const focus = focused();
  const controls = [], texts = [], zones = [];
  let n = 0;
  walk(document, (e) => {
    const k = kinds.get(n++) || '';
    if (SKIP.has(e.localName)) return;
    if (k.includes('o') && zones.length < 40) zones.push(e);
    if (texts.length < limits.texts) textBox(e, texts);
    if (controls.length < limits.controls) {
      const why = operable(e, k, heard.roots);
      if (why) controls.push({ e, k, why });
    }
  });
  const all = new Set(controls.map((c) => c.e));
  for (const c of controls.filter((c) => c.why === 'listens')) {
    for (const e of [...kin(c.e, c.k), ...cells(c.e, c.k)]) if (controls.length < limits.controls && !all.has(e) && !all.has(e.querySelector('a,button'))) { all.add(e); controls.push({ e, k: '', why: 'kin' }); }
  }
  const kept = prune(controls);
  const list = kept.map(({ e, k }) => describe(e, k, focus, zones)).filter(Boolean);
  const inWindow = (c) => c.box.x + c.box.w > 0 && c.box.y + c.box.h > 0 && c.box.x < innerWidth && c.box.y < innerHeight;
  const order = (c) => [inWindow(c) ? 0 : 1, Math.round((c.box.y + c.box.h / 2) / 14), c.box.x];
  list.forEach((c, i) => { c.order = [...order(c), i]; });
  list.sort((a, b) => { for (let i = 0; i < 4; i++) if (a.order[i] !== b.order[i]) return a.order[i] - b.order[i]; return 0; });
  list.forEach((c, i) => { c.mark = i + 1; delete c.order; });
  const root = document.documentElement || document.createElement('html'), body = document.body;
  return {
    url: location.href, title: clean(document.title, 300), text: clean(body ? body.innerText : root.textContent, limits.text), controls: list, texts,
    scroll_x: round(scrollX), scroll_y: round(scrollY), page_width: Math.max(root.scrollWidth, body ? body.scrollWidth : 0), page_height: Math.max(root.scrollHeight, body ? body.scrollHeight : 0),
    focus: focus ? pathOf(focus) : '', storage: stored(), keyboard: heard.roots.includes('k'), pointer: /[cv]/.test(heard.roots),
  };
}

function textBox(e, texts) {
  let text = '';
  for (const c of own(e).childNodes) if (c.nodeType === 3) text += ' ' + c.data;
  text = clean(text, 240);
  if (!text || !shown(e)) return;
  texts.push({ text, tag: e.localName, box: box(rectOf(e)) });
}

// operable says why a person would try to operate an element: "native", "listens",
// "pointer" or nothing.
function operable(e, kinds, roots) {
  const tag = e.localName;
  if (isField(e) || tag === 'button' || tag === 'summary' || (tag === 'a' || tag === 'area') && e.hasAttribute('href') || editable(e)) return 'native';
  if ((tag === 'video' || tag === 'audio') && e.controls) return 'native';
  const role = clean(own(e).getAttribute('role'), 40).split(' ')[0];
  if (ACTIVE.has(role)) return 'native';
  if (tag === 'canvas') return kinds || /[ckv]/.test(roots) || [...up(e, 3)].some((p) => own(p).onclick) ? 'listens' : '';
  if (tag === 'body' || tag === 'html' || tag === 'label' || tag === 'option' || tag === 'form' || tag === 'iframe') return '';
  if (/[cdmhg]/.test(kinds) || e.draggable === true && tag !== 'img' && tag !== 'a') return 'listens';
  if (e.hasAttribute('tabindex') && e.tabIndex >= 0) return 'pointer';
  const parent = parentOf(e);
  if (HANDS.test(getComputedStyle(e).cursor) && !(parent && HANDS.test(getComputedStyle(parent).cursor))) return 'pointer';
  return '';
}
const HANDS = /^(pointer|grab|grabbing|move|(col|row|ew|ns)-resize)$/;

// kin are the neighbours of what listens that look like it: a person would try them,
// too.
function kin(e, kinds) {
  if (!/[cdm]/.test(kinds) || !e.className || typeof e.className !== 'string' || !e.parentElement || ACTIVE.has(roleOf(e))) return [];
  return Array.from(own(e.parentElement).children).filter((c) => c !== e && c.localName === e.localName && c.className === e.className).slice(0, 12);
}

// cells are those of a board whose clicks are heard by the element around them: many children, or
// grandchildren, that look alike, are small and say next to nothing.
function cells(e, kinds) {
  if (!/[cdm]/.test(kinds)) return [];
  const children = own(e).children;
  if (children.length > MOST_CELLS) return [];
  const lines = Array.from(children), all = lines.length >= 9 ? lines : lines.flatMap((line) => Array.from(own(line).children).slice(0, MOST_CELLS));
  const first = all[0];
  if (all.length < 9 || all.length > MOST_CELLS || !/^(div|span|td|li)$/.test(first.localName)) return [];
  const { width, height } = rectOf(first), small = (r) => r.width === width && r.height === height;
  const alike = (c) => c.localName === first.localName && c.children.length < 2 && c.textContent.length < 4;
  return width > 8 && width < 110 && height > 8 && height < 110 && all.every(alike) && all.filter((c) => small(rectOf(c))).length > all.length * 0.9 ? all : [];
}
const MOST_CELLS = 400;
function* up(e, n) { for (let p = parentOf(e); p && n-- > 0; p = parentOf(p)) yield p; }

// prune leaves out what only holds controls, and what is a part of one.
function prune(list) {
  const all = new Set(list.map((c) => c.e));
  const holds = new Set();
  for (const { e, why } of list) {
    if (why === 'pointer') continue;
    for (let p = parentOf(e); p && !holds.has(p); p = parentOf(p)) holds.add(p);
  }
  const natives = new Set(list.filter((c) => c.why === 'native').map((c) => c.e)), native = (e) => natives.has(e);
  return list.filter(({ e, k, why }) => {
    if (why === 'native') return true;
    if (e.localName === 'canvas') return true;
    const pointer = why === 'kin' || HANDS.test(getComputedStyle(e).cursor) || e.draggable === true || e.hasAttribute('tabindex');
    if (holds.has(e) && (why === 'pointer' || !pointer)) return false;
    for (let p = parentOf(e); p; p = parentOf(p)) {
      if (!all.has(p)) continue;
      if (native(p) && why === 'pointer') return false;
      if (native(p) && !/[cdm]/.test(k)) return false;
    }
    if (e.closest('label') && e.closest('label').control && !/[cdm]/.test(k)) return false;
    const r = rectOf(e);
    return !(why === 'listens' && !pointer && r.width * r.height > innerWidth * innerHeight * 0.6 && !/[d]/.test(k));
  });
}

function describe(e, kinds, focus, zones) {
  const seen = stand(e);
  if (!shown(seen)) return null;
  const r = rectOf(seen);
  if (r.right + scrollX <= 0 || r.bottom + scrollY <= 0) return null;
  const tag = e.localName;
  let role = roleOf(e);
  if (!ACTIVE.has(role) && !['canvas', 'listbox', 'video', 'audio', 'button', 'menu', 'gridcell'].includes(role)) role = 'clickable';
  const frame = e.ownerDocument === document ? '' : clean(e.ownerDocument.location.href, 200);
  const middle = visiblePoints(seen)[0];
  let more = '';
  for (const p of [e, ...up(e, 4)]) { if (own(p).onclick) more = 'c'; }
  return {
    role, name: nameOf(e), tag, type: tag === 'input' ? e.type : '', value: valueOf(e), states: statesOf(e, focus), box: box(r), listens: Boolean(kinds || more), kinds,
    covered: Boolean(middle && !reaches(hit(middle[0], middle[1]), e) && !reaches(hit(middle[0], middle[1]), seen)), frame, path: pathOf(e), facts: facts(e, zones),
  };
}

// facts are what it takes to operate a control sensibly.
function facts(e, zones) {
  const f = {}, tag = e.localName, put = (name, v) => { if (v !== '' && v !== null && v !== undefined && v !== false && v !== -1) f[name] = typeof v === 'number' ? v : v === true ? 'true' : clean(String(v), 200); };
  if (tag === 'a' || tag === 'area') { put('href', e.getAttribute('href')); put('target', e.target); }
  if (FIELDS.has(tag)) {
    for (const name of ['pattern', 'min', 'max', 'step', 'placeholder', 'inputmode', 'autocomplete', 'accept', 'name', 'list']) put(name, e.getAttribute(name));
    if (tag !== 'select') { put('minlength', e.minLength); put('maxlength', e.maxLength); }
    if (e.form) put('form', pathOf(e.form));
    if (tag === 'select') f.options = Array.from(e.options).slice(0, 40).map((o) => (o.disabled ? '\u0000' : '') + clean(o.textContent, 80));
  }
  if (tag === 'button') { put('submits', e.type === 'submit' && Boolean(e.form)); if (e.form) put('form', pathOf(e.form)); }
  if (tag === 'input' && e.type === 'submit') put('submits', Boolean(e.form));
  if (e.draggable === true && (!/^(a|img)$/.test(tag) || e.hasAttribute('draggable'))) { // links and pictures always are
    put('draggable', true);
    f.drops = places(e, zones).slice(0, 3).map(pathOf);
  }
  put('grab', /grab|move|resize/.test(getComputedStyle(e).cursor));
  put('popup', e.getAttribute('aria-haspopup') || (unfolds(e) ? 'hidden' : ''));
  put('group', e.type === 'radio' ? e.name : '');
  put('look', [e, ...Array.from(own(e).children).slice(0, 3)].map((c) => (c.getAttribute('class') || '') + ' ' + (c.getAttribute('fill') || '')).join('|').replace(/^[ |]+$/, ''));
  put('context', clean(e.getAttribute('aria-controls') || e.getAttribute('title'), 80));
  let region = '';
  for (let p = e; p; p = parentOf(p)) {
    if (/^(header|nav|main|footer|aside|form|dialog)$/.test(p.localName) && !region) region = p.localName;
    const role = own(p).getAttribute('role');
    if (!region && (role === 'dialog' || role === 'navigation')) region = role === 'dialog' ? role : 'nav';
  }
  put('region', region);
  return f;
}

// places are where something that can be dragged could be let fall: what listens for
// it and does not hold it, else its neighbours.
function places(e, zones) {
  const open = zones.filter((z) => !within(e, z) && !within(z, e) && shown(z));
  if (open.length) return open;
  const around = Array.from(own(e.parentElement)?.children || []);
  const all = around.filter((c) => c !== e && c.draggable);
  const at = around.indexOf(e);
  return all.slice(at).concat(all.slice(0, at).reverse());
}

// unfolds: something with controls is hidden right beside it, as the menus of a
// navigation are.
function unfolds(e) {
  const li = e.closest('li, [class*=dropdown], [class*=menu-item]');
  return Boolean(li && li.contains(e) && Array.from(li.querySelectorAll('a, button')).slice(0, 20).some((c) => c !== e && !e.contains(c) && !shown(c)));
}

function stored() {
  const all = {};
  for (const [prefix, kind] of [['', 'localStorage'], ['session:', 'sessionStorage']]) {
    try { for (let i = 0; i < window[kind].length && i < 100; i++) { const key = window[kind].key(i); all[prefix + clean(key, 80)] = window[kind].getItem(key).slice(0, 2000); } } catch { /* no storage here */ }
  }
  try { for (const c of document.cookie.split('; ')) if (c) { const [key, ...v] = c.split('='); all['cookie:' + clean(key, 80)] = v.join('=').slice(0, 500); } } catch { /* nor cookies */ }
  return all;
}
