// survey reads how what a page shows is arranged: rows that repeat, fields that belong
// together, and where given texts stand.
function survey(tokens, limits) {
  let room = limits.rows_in_all, fields = 0;
  const styles = [], groups = [], clusters = new Map(), found = [], headings = [], canvases = [];
  const wanted = tokens.map((t) => t.toLowerCase());
  walk(document, (e) => {
    const tag = e.localName;
    if (SKIP.has(tag) || tag === 'svg' || e.namespaceURI !== 'http://www.w3.org/1999/xhtml') return;
    if (groups.length < limits.groups && room > 0) room -= groupsOf(e, Math.min(limits.rows, room), groups);
    if (fields < limits.fields && (takesInput(e) || CHOICE.test(own(e).getAttribute('role') || '')) && shown(stand(e))) { fields++; cluster(e, clusters); }
    if (/^h[1-6]$/.test(tag) || own(e).getAttribute('role') === 'heading') { if (shown(e) && headings.length < 60) headings.push(textOf(e, 160)); }
    if (tag === 'canvas' && shown(e) && canvases.length < 8) canvases.push(sketch(e));
    if (wanted.length && found.length < limits.found) place(e, wanted, tokens, found);
  });
  const forms = Array.from(clusters.values()).slice(0, 20).map(({ e, fields }) => formOf(e, fields));
  const body = document.body, style = (e) => (e ? getComputedStyle(e).backgroundColor : '');
  return {
    groups, forms, found, headings, canvases, lines: linesOf(body, limits.lines), main: mainText(body, limits.text), title: clean(document.title, 300),
    backgrounds: [style(document.documentElement), style(body), style(body && body.firstElementChild)], shapes: body ? body.querySelectorAll('svg path, svg rect, svg circle, svg line, svg polyline, svg polygon').length : 0,
    bars: barsOf(body), gauges: gaugesOf(body), drawings: drawingsOf(body), pictures: Array.from(document.images).filter((i) => i.complete && i.naturalWidth > 0 && shown(i)).length,
    face: faceOf(body, limits.face, styles), styles, paint: paintOf(), tiles: tilesOf(body), fields: fieldsOf(body),
  };
}

// CHOICE are roles of what is a field of a form, though not by its markup.
const CHOICE = /^(radio|checkbox|slider)$/;
const takesInput = (e) => isField(e) && !/^(submit|button|reset|image)$/.test(e.type) || editable(e);

const STATE = /^(active|selected|current|on|open|done|completed|checked|hidden|show|visible|even|odd|first|last|disabled|highlight\w*|is-\w+)$/;
const ITEM = /\b(item|card|row|task|todo|post|entry|product|result|message|comment|note|record|tile|option)s?\b/i;
// A row of a table and an item of a list are rows whatever state their class says they are in
// ("low", "overdue"), unless it says that they are none.
const APART = /\b(sub)?(total|sum|summary|head|header|heading|foot|footer|group|section|empty|detail|expand|expanded|divider|separator|label|title|add|new|blank|placeholder|category|month|year|day|more|loading|none|no|pager|spacer|ad)s?\b/i;
const kindOf = (e) => {
  const tag = e.localName, of = Array.from(own(e).classList).find((c) => !STATE.test(c) && (tag !== 'tr' && tag !== 'li' || [APART, ITEM].some((re) => re.test(c.replace(/[-_]/g, ' ')))));
  return tag + '|' + (own(e).getAttribute('role') || '') + '|' + (of || '');
};

// groupsOf finds the rows among the children of an element: two or more of one kind, or a
// single one in what is a list by its markup.
function groupsOf(e, most, groups) {
  if (WHOLE.has(e.localName)) return 0;
  let described = 0;
  const kinds = new Map();
  for (const c of own(e).children) {
    if (SKIP.has(c.localName) || c.localName === 'br' || c.localName === 'hr') continue;
    const k = kindOf(c);
    if (!kinds.has(k)) kinds.set(k, []);
    kinds.get(k).push(c);
  }
  for (const [k, all] of kinds) {
    const listed = /^(li|tr|article|option|dt)\|/.test(k) || /\|(listitem|row|option|article)\|/.test(k) || ITEM.test(k.split('|')[2].replace(/[-_]/g, ' '));
    if (all.length < 2 && !listed) continue;
    const rows = all.filter(shown);
    if (!rows.length || rows.length < 2 && !listed) continue;
    if (!rows.slice(0, most).some((r) => textOf(r, 3) || r.querySelector('img,canvas,svg'))) continue;
    groups.push({ path: pathOf(e), kind: k, region: regionOf(e), total: rows.length, rows: rows.slice(0, most).map(rowOf) });
    described += Math.min(rows.length, most);
  }
  return described;
}
// WHOLE are elements whose children are no rows of their own.
const WHOLE = new Set(['select', 'datalist', 'tr', 'p', 'button', 'a', 'label', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'svg']);

function rowOf(e) {
  const cells = [], read = (n, depth) => {
    let text = '';
    for (const c of own(n).childNodes) if (c.nodeType === 3) text += c.data;
    text = clean(text, 160);
    if (text && cells.length < 24) cells.push(text);
    if (depth < 12) for (const c of own(n).children) if (!SKIP.has(c.localName) && c.localName !== 'option') read(c, depth + 1);
  };
  if (shown(e)) read(e, 0);
  const inner = Array.from(e.querySelectorAll('*')).slice(0, 80), style = (c, name) => keep('styles', c, () => { const s = getComputedStyle(c); return { cursor: s.cursor, line: s.textDecorationLine }; })[name];
  const struck = [e, ...inner].some((c) => style(c, 'line').includes('line-through'));
  return {
    path: pathOf(e), text: textOf(e, 600) || pictureText(e), cells, struck, look: e.className && typeof e.className === 'string' ? clean(e.className, 120) : '',
    controls: [e, ...inner].filter((c) => /^(a|button|input|select|textarea|summary)$/.test(c.localName) || own(c).onclick || ACTIVE.has(roleOf(c)) || HANDS.test(style(c, 'cursor')) && !HANDS.test(style(c.parentElement || c, 'cursor'))).slice(0, 12).map(pathOf),
    values: inner.filter(isField).slice(0, 8).map(valueOf), ticked: inner.some((c) => isField(c) && isChecked(c)), pictures: e.querySelectorAll('img,svg,canvas').length,
  };
}

// pictureText stands for the text of a row that is a picture: what names it, or the end of
// its address.
function pictureText(e) {
  const i = e.localName === 'img' ? e : e.querySelector('img');
  return i ? clean(i.alt || i.title || (i.currentSrc || i.src).slice(-60), 160) : '';
}

function regionOf(e) {
  for (let p = e; p; p = parentOf(p)) {
    if (/^(header|nav|footer|aside|dialog)$/.test(p.localName)) return p.localName;
    const role = own(p).getAttribute('role');
    if (role === 'navigation' || role === 'dialog' || role === 'tablist' || role === 'menu') return role === 'navigation' ? 'nav' : role;
    if (p.localName === 'main' || p.localName === 'form') return p.localName;
  }
  return '';
}

// cluster puts a field with those that belong to it: in its form, else in the nearest box
// that has a button too.
function cluster(e, clusters) {
  let home = e.form || null;
  if (!home) {
    home = parentOf(e);
    for (let p = home, n = 0; p && n < 6; p = parentOf(p), n++) {
      home = p;
      if (p.localName === 'body' || own(p).querySelector('button, input[type=submit], input[type=button], [role=button]')) break;
    }
  }
  for (const key of clusters.keys()) if (key !== home && !e.form && within(home, key) && key.localName !== 'body') { home = key; break; }
  if (!clusters.has(home)) clusters.set(home, { e: home, fields: [] });
  clusters.get(home).fields.push(e);
}
function formOf(e, fields) {
  const shownButtons = Array.from(own(e).querySelectorAll('button, input[type=submit], input[type=button], input[type=image], [role=button], a.btn, a.button')).filter(shown);
  const heading = Array.from(own(e).querySelectorAll('h1,h2,h3,h4,legend,label')).slice(0, 12).map((h) => textOf(h, 80)).join(' · ');
  let above = '';
  for (let p = e, n = 0; p && n < 3 && !above; p = parentOf(p), n++) for (let b = p.previousElementSibling; b && !above; b = b.previousElementSibling) if (/^h[1-6]$/.test(b.localName)) above = textOf(b, 80);
  return { path: pathOf(e), title: clean(above + ' · ' + heading, 400), native: e.localName === 'form', fields: fields.slice(0, 30).map(pathOf), buttons: shownButtons.slice(0, 20).map(pathOf), region: regionOf(e) };
}

// place notes where the tokens stand: as text, or as the value of a field.
function place(e, wanted, tokens, found) {
  let text = '', where = 'text';
  const inPlace = editable(e) && !isField(e); // text that is edited in place
  for (const c of own(e).childNodes) if (c.nodeType === 3) text += c.data;
  if (takesInput(e)) { text = valueOf(e); where = 'value'; }
  const low = text.toLowerCase();
  wanted.forEach((t, i) => {
    if (!t || !low.includes(t) || !shown(stand(e))) return;
    const r = where === 'text' || inPlace ? rowAround(e) : null;
    found.push({ token: tokens[i], where, text: clean(text, 200), path: pathOf(e), row: r ? pathOf(r) : '', row_text: r ? textOf(r, 600) : '', list: r && r.parentElement ? pathOf(r.parentElement) : '', region: regionOf(e), editable: inPlace });
  });
}

// rowAround is the repeated thing that an element is in: the outermost below what holds
// others of its kind, or is a list item by its markup.
function rowAround(e) {
  for (let p = e, n = 0; p && p !== document.body && n < 8; p = parentOf(p), n++) {
    const parent = p.parentElement;
    if (!parent) return null;
    const k = kindOf(p), same = Array.from(own(parent).children).filter((c) => kindOf(c) === k).length;
    if (same > 1 && !/^(span|b|i|em|strong|small|p|td|th|label|button|br|a)\|/.test(k)) return p;
    if (/^(li|tr|article)\|/.test(k) || ITEM.test(k.split('|')[2].replace(/[-_]/g, ' '))) return p;
  }
  return null;
}

// linesOf are the lines of the visible text, those of frames behind the page's own.
function linesOf(body, most) {
  const lines = [];
  for (const b of [body, ...Array.from(body ? body.querySelectorAll('iframe') : []).filter(shown).slice(0, 8).map((f) => (inner(f) || {}).body)]) {
    if (b && b.innerText && lines.length < most) lines.push(...b.innerText.split(/\n+/).map((l) => clean(l, 240)).filter(Boolean));
  }
  return lines.slice(0, most);
}

// mainText is the visible text outside of navigation, header and footer.
function mainText(body, most) {
  if (!body) return '';
  const parts = [];
  const read = (n) => {
    for (const c of own(n).childNodes) {
      if (c.nodeType === 3) { const t = clean(c.data, 2000); if (t) parts.push(t); }
      if (c.nodeType !== 1 || SKIP.has(c.localName) || /^(nav|header|footer|select)$/.test(c.localName) || own(c).getAttribute('role') === 'navigation') continue;
      if (shown(c) || getComputedStyle(c).display === 'contents') read(c);
    }
  };
  read(body);
  return clean(parts.join(' '), most);
}

// sketch is what a canvas shows, as a hash; empty where it cannot be read.
function sketch(e) {
  let sum = '';
  try {
    const url = e.toDataURL();
    let h = 2166136261;
    for (let i = 0; i < url.length; i++) h = Math.imul(h ^ url.charCodeAt(i), 16777619);
    sum = (h >>> 0).toString(36);
  } catch { /* tainted */ }
  return { path: pathOf(e), sum, box: box(rectOf(e)) };
}

// barsOf are the sizes of the shapes of drawn charts, and where these stand in them, as a
// hash of their outlines: it stays when the page is scrolled.
function barsOf(body) {
  let h = 2166136261, n = 0;
  for (const e of body ? body.querySelectorAll('svg path, svg rect, svg circle, svg line, svg polyline, svg polygon, progress, meter, [class*=bar], [class*=chart] div') : []) {
    if (n++ > 400) break;
    const r = e.getBoundingClientRect(), o = e.ownerSVGElement && e.ownerSVGElement.getBoundingClientRect();
    const text = (o ? [r.x - o.x, r.y - o.y, r.width, r.height] : [r.width, r.height]).map(Math.round).join(',') + (e.getAttribute('d') || e.getAttribute('points') || '').slice(0, 400);
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  }
  return (h >>> 0).toString(36);
}

// tilesOf is what the pieces of a board show, as a hash: where the smallest elements lie in
// what holds them, and their colours. Controls are left out, as the pointer and the focus
// change them, and so is what stays in the window when the page is scrolled.
function tilesOf(body) {
  let h = 2166136261, n = 0;
  for (const e of body ? body.querySelectorAll('div, span, td, i, b, p, img') : []) {
    if (n >= 600) break;
    if (e.firstElementChild || !e.parentElement || e.closest('a, button, select, label, [role=button], [tabindex]')) continue;
    n++;
    const s = getComputedStyle(e), r = e.getBoundingClientRect(), o = e.parentElement.getBoundingClientRect();
    if (/^(fixed|sticky)$/.test(s.position)) continue;
    const text = [r.x - o.x, r.y - o.y, r.width, r.height].map(Math.round).join(',') + s.backgroundColor;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  }
  return (h >>> 0).toString(36);
}

// fieldsOf is how many fields the largest board has that is made of elements: squares of about
// one size, each in a place of its own.
function fieldsOf(body) {
  const boxes = [], sizes = new Map();
  for (const e of body ? body.querySelectorAll('*') : []) {
    const r = e.getBoundingClientRect(), size = Math.max(r.width, r.height);
    if (boxes.length >= 3000) break;
    if (size < 10 || size > 220 || Math.min(r.width, r.height) < size * 0.6 || !shown(e)) continue;
    boxes.push([size, r.x + r.width / 2, r.y + r.height / 2]);
    sizes.set(Math.round(size), (sizes.get(Math.round(size)) || 0) + 1);
  }
  let most = 0;
  for (const [size] of Array.from(sizes).sort((a, b) => b[1] - a[1]).slice(0, 4)) {
    const places = new Set();
    for (const [s, x, y] of boxes) if (Math.abs(s - size) <= size * 0.15) places.add(Math.round(x / size * 2) + ',' + Math.round(y / size * 2));
    most = Math.max(most, places.size);
  }
  return most;
}

// gaugesOf are the bars of charts that are drawn by plain elements: filled boxes with a
// length of their own, how much of the box around they fill, and the texts of the row that
// each stands in.
function gaugesOf(body) {
  const all = [], filled = (e) => { const s = getComputedStyle(e); return s.backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(s.backgroundColor); };
  for (const e of body ? body.querySelectorAll('[style*=width], [style*=height], progress, meter') : []) {
    if (all.length >= 80) break;
    const native = /^(progress|meter)$/.test(e.localName), upright = !native && !e.style.width;
    const sized = e.namespaceURI === 'http://www.w3.org/1999/xhtml' && (upright ? e.style.height : e.style.width);
    if (!e.parentElement || !native && (!sized || textOf(e, 20).length > 12 || !filled(e))) continue;
    let row = e;
    const told = (text) => /\d/.test(text) && /\p{L}{2}/u.test(text);
    for (let n = 0; row && row !== body && n < 4 && !told(textOf(row, 300)); n++) row = row.parentElement;
    if (!row || row === body || row === e || !row.parentElement || !shown(row)) continue;
    const r = e.getBoundingClientRect(), around = e.parentElement.getBoundingClientRect();
    const length = native ? (e.max ? 100 * e.value / e.max : 0) : upright ? 100 * r.height / (around.height || 1) : 100 * r.width / (around.width || 1);
    all.push({ length: round(length), texts: textsOf(row), list: pathOf(row.parentElement) });
  }
  return all;
}

// drawingsOf are the drawings that are large enough for a chart: what is written in and around
// each, the headings nearest to it, how many marks differ in it, and where some marks are.
function drawingsOf(body) {
  const all = [];
  for (const e of body ? body.querySelectorAll('svg, canvas') : []) {
    const r = e.getBoundingClientRect();
    if (all.length >= 12) break;
    if (e.ownerSVGElement || r.width * r.height < 8000 || !shown(e)) continue;
    let around = e, headings = headingsIn(e);
    for (let n = 0; n < 4 && !headings.length && around.parentElement && around.parentElement !== body; n++) headings = headingsIn(around = around.parentElement);
    all.push({ path: pathOf(e), canvas: e.localName === 'canvas', ...(e.localName === 'canvas' ? { marks: 0, spots: gridOf(r) } : marksOf(e, r)), texts: textsOf(around), about: clean([...headings, own(e).getAttribute('aria-label') || ''].join(' '), 400) });
  }
  return all;
}

const headingsIn = (e) => Array.from(e.querySelectorAll('h1,h2,h3,h4,h5,h6,figcaption,caption,legend,svg > title')).slice(0, 20).map((h) => clean(h.textContent, 160)).filter(Boolean);

// marksOf counts what stands for the data in an SVG: bars and dots that differ in size or
// height, or the corners of a line. A shape that covers most of the drawing is its background.
function marksOf(e, box) {
  const kinds = new Map();
  let marks = 0;
  for (const m of Array.from(e.querySelectorAll('rect, circle, ellipse, path, polyline, polygon')).slice(0, 400)) {
    const r = m.getBoundingClientRect(), d = (own(m).getAttribute('d') || '').slice(0, 4000), points = (own(m).getAttribute('points') || '').slice(0, 4000).match(/-?[\d.]+/g) || [];
    if (r.width > 0.3 * box.width) marks = Math.max(marks, (d.match(/[LHVCSQTA]/gi) || []).length, new Set(points.filter((_, i) => i % 2)).size);
    if (r.width * r.height > 0.7 * box.width * box.height || r.width * r.height < 4) continue;
    if (!kinds.has(m.localName)) kinds.set(m.localName, []);
    kinds.get(m.localName).push(r);
  }
  const most = Array.from(kinds.values()).sort((a, b) => b.length - a.length)[0] || [], every = Math.max(1, Math.ceil(most.length / 8));
  marks = Math.max(marks, new Set(most.map((r) => [r.width, r.height, r.y].map(Math.round).join())).size);
  const middle = (r) => ({ x: r.x + r.width / 2, y: r.y + r.height / 2 });
  const spots = most.filter((_, i) => i % every === 0).map((r) => ({ x: middle(r).x - middle(box).x, y: middle(r).y - middle(box).y }));
  return { marks, spots: most.length > 2 ? spots : gridOf(box) };
}

// gridOf are places all over a drawing whose marks are not known.
function gridOf(box) {
  const spots = [];
  for (const y of [0.25, 0, 0.4]) for (const x of [-0.3, -0.15, 0.02, 0.18, 0.33]) spots.push({ x: x * box.width, y: y * box.height });
  return spots;
}

// textsOf are the texts of an element, those of different elements apart.
function textsOf(e) {
  const all = [], nodes = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && all.length < 40) if (shown(nodes.currentNode.parentElement)) all.push(nodes.currentNode.data);
  return all.map((t) => clean(t, 160)).filter(Boolean);
}
