// The DOM probe. It runs in an isolated world, reads the finished page and
// changes nothing. It answers with one JSON value; see dom.go for its shape. In a
// frame it is given its place on the page: all boxes it answers with are the page's.
((own, limits, place) => {
  'use strict';
  const clean = (s, n) => (s || '').replace(/\s+/g, ' ').trim().slice(0, n);
  const px = (s) => { const n = parseFloat(s); return Number.isFinite(n) ? Math.round(n * 100) / 100 : 0; };
  const round = (n) => Math.round(n * 10) / 10;
  const at = place || { x: scrollX, y: scrollY, sx: 1, sy: 1 };
  const box = (r) => ({ x: round(at.x + r.left * at.sx), y: round(at.y + r.top * at.sy), w: round(r.width * at.sx), h: round(r.height * at.sy) });
  const ATTRS = ['id', 'class', 'type', 'name', 'href', 'src', 'alt', 'placeholder', 'for', 'title', 'value', 'role',
    'aria-label', 'aria-labelledby', 'aria-hidden', 'aria-expanded', 'aria-current', 'aria-haspopup', 'aria-level', 'tabindex', 'autocomplete', 'open'];
  const ROLES = {
    a: 'link', article: 'article', aside: 'complementary', button: 'button', dialog: 'dialog', footer: 'contentinfo', form: 'form',
    h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', header: 'banner', hr: 'separator',
    img: 'img', li: 'listitem', main: 'main', nav: 'navigation', ol: 'list', option: 'option', progress: 'progressbar', select: 'combobox',
    table: 'table', tbody: 'rowgroup', td: 'cell', textarea: 'textbox', th: 'columnheader', tr: 'row', ul: 'list', summary: 'button',
  };
  const INPUTS = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox' };
  const FIELDS = new Set(['input', 'select', 'textarea']);
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const SKIP = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base']);

  function role(e, tag) {
    const given = e.getAttribute('role');
    if (given) return clean(given, 40).split(' ')[0];
    if (tag === 'input') return INPUTS[e.type] || (e.type === 'hidden' ? '' : 'textbox');
    if (tag === 'a' && !e.hasAttribute('href')) return '';
    return ROLES[tag] || '';
  }

  function labelled(e) {
    if (e.labels && e.labels.length && clean(e.labels[0].textContent, 10)) return true;
    return Boolean(clean(e.getAttribute('aria-label'), 10) || named(e, e.getAttribute('aria-labelledby')) || clean(e.title, 10));
  }
  const named = (e, ids) => (ids || '').split(/\s+/).map((id) => id && own(e).getRootNode().getElementById?.(id)).filter(Boolean).map((n) => n.textContent).join(' ').trim();

  function name(e, tag) {
    const given = e.getAttribute('aria-label') || named(e, e.getAttribute('aria-labelledby'));
    if (given) return clean(given, 120);
    if (FIELDS.has(tag)) {
      if (e.labels && e.labels.length) return clean(e.labels[0].textContent, 120);
      return clean((INPUTS[e.type] === 'button' && e.value) || e.placeholder || e.title, 120);
    }
    if (tag === 'img') return clean(e.alt, 120);
    if (tag === 'a' || tag === 'button' || /^h[1-6]$/.test(tag)) return clean(e.textContent || e.title, 120) || imageName(e);
    return clean(e.title, 120);
  }
  const imageName = (e) => { const i = e.querySelector('img[alt],svg title'); return i ? clean(i.alt || i.textContent, 120) : ''; };

  // hex turns a computed colour into #rrggbbaa. Colours outside of sRGB syntax
  // are drawn on a canvas and read back.
  const drawing = () => document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas'); // also in a picture of SVG
  const canvas = drawing().getContext('2d', { willReadFrequently: true });
  const seen = new Map();
  function hex(color) {
    let h = seen.get(color);
    if (h) return h;
    const m = /^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\)$/.exec(color);
    let c;
    if (m) c = [+m[1], +m[2], +m[3], m[4] === undefined ? 255 : Math.round(m[4] * 255)];
    else {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = '#000';
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      c = canvas.getImageData(0, 0, 1, 1).data;
    }
    h = '#' + Array.from(c, (v) => Math.round(v).toString(16).padStart(2, '0')).join('');
    seen.set(color, h);
    return h;
  }
  const rgba = (h) => [1, 3, 5, 7].map((i) => parseInt(h.slice(i, i + 2), 16));
  const over = (top, under) => {
    const a = top[3] / 255, b = under[3] / 255, out = a + b * (1 - a);
    if (!out) return [0, 0, 0, 0];
    return [0, 1, 2].map((i) => (top[i] * a + under[i] * b * (1 - a)) / out).concat(out * 255);
  };

  const elements = [];
  const frames = []; // that can be looked into
  const pierced = globalThis.vitrine || { roots: [], owners: new Map() }; // by the protocol
  const shadowText = [];
  let more = 0, media = 0, painted = 0, texts = 0;
  // What of this document is in the first window of the page.
  const first = place ? place.first : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  function ownText(e) {
    let text = '', rects = null;
    const root = own(e).shadowRoot;
    for (const n of root ? [...own(e).childNodes, ...root.childNodes] : own(e).childNodes) {
      if (n.nodeType !== 3 || !n.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(n);
      const r = range.getBoundingClientRect();
      if (root && (!r.width || !r.height)) continue; // in no slot
      text += ' ' + n.data;
      if (!r.width || !r.height) continue;
      rects = rects ? {
        left: Math.min(rects.left, r.left), top: Math.min(rects.top, r.top),
        right: Math.max(rects.right, r.right), bottom: Math.max(rects.bottom, r.bottom),
      } : { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
    }
    if (rects) { rects.width = rects.right - rects.left; rects.height = rects.bottom - rects.top; }
    return [clean(text, 240), rects];
  }

  // clipped: some of the text lies outside of a box that hides what overflows.
  function clipped(e, style, rects, chain) {
    if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return false;
    for (let i = chain.length - 1; i >= 0; i--) {
      const c = chain[i];
      if (c.scrolls) return false;
      if (!c.hides || c.rect.width < 4 || c.rect.height < 4) continue;
      if (c.ellipsis) return false;
      const w = Math.min(rects.right, c.rect.right) - Math.max(rects.left, c.rect.left);
      const h = Math.min(rects.bottom, c.rect.bottom) - Math.max(rects.top, c.rect.top);
      if (w <= 0 || h <= 0) return false; // wholly outside: a carousel's next slide, a menu rolled up
      if (rects.width - w > 3 && w / rects.width < 0.97 || rects.height - h > 4 && h / rects.height < 0.85) return true;
    }
    return false;
  }

  // shown is the part of a box that no ancestor cuts off or scrolls away.
  function shown(r, chain) {
    const s = { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
    for (const { rect, body } of chain) {
      if (body) continue; // what it hides the window hides
      s.left = Math.max(s.left, rect.left); s.top = Math.max(s.top, rect.top);
      s.right = Math.min(s.right, rect.right); s.bottom = Math.min(s.bottom, rect.bottom);
    }
    s.width = Math.max(0, s.right - s.left); s.height = Math.max(0, s.bottom - s.top);
    return s;
  }

  function covered(e, r) {
    let hit = 0, all = 0;
    if (!r.width || !r.height) return 0;
    for (const fx of [0.2, 0.5, 0.8]) for (const fy of [0.3, 0.7]) {
      const x = r.left + r.width * fx, y = r.top + r.height * fy;
      if (x < first.left || y < first.top || x >= first.right || y >= first.bottom) continue;
      const top = topmost(x, y);
      if (!top) continue;
      all++;
      if (hidden(x, y) || !related(e, top)) hit++;
    }
    return all ? Math.round(hit / all * 100) / 100 : 0;
  }
  function topmost(x, y) {
    let top = document.elementFromPoint(x, y);
    for (let root; top && (root = own(top).shadowRoot);) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === top) break;
      top = inner;
    }
    return top;
  }
  function related(e, top) {
    if (own(e).contains(top) || own(top).contains(e) || own(top).closest('label')?.contains(e)) return true;
    return pierced.roots.length > 0 && (within(e, top) || within(top, e));
  }
  // within goes from an element up through slots and shadow trees.
  function within(outer, e) {
    for (let n = e; n; n = n.assignedSlot || n.parentNode || n.host) if (n === outer) return true;
    return false;
  }

  // A frame knows from the documents around it which of its cells something lies on.
  const CELLS = 16;
  const hidden = (x, y) => Boolean(place?.cells) && place.cells[Math.min(CELLS - 1, Math.floor(y / innerHeight * CELLS)) * CELLS + Math.min(CELLS - 1, Math.floor(x / innerWidth * CELLS))] === '1';
  const LEGIBLE = 24; // pixels: in a smaller frame nothing can be read

  // frame says where on the page the document of an element is shown, if it is.
  function frame(e, style, rect, up) {
    const owner = pierced.owners.get(e);
    if (owner === undefined) return null;
    const even = (n) => (Math.abs(n - 1) < 0.01 ? 1 : n);
    const sx = even(rect.width / (e.offsetWidth || 1)), sy = even(rect.height / (e.offsetHeight || 1));
    const left = rect.left + sx * (e.clientLeft + px(style.paddingLeft)), top = rect.top + sy * (e.clientTop + px(style.paddingTop));
    const width = e.clientWidth - px(style.paddingLeft) - px(style.paddingRight), height = e.clientHeight - px(style.paddingTop) - px(style.paddingBottom);
    const inner = { left, top, right: left + sx * width, bottom: top + sy * height, width: sx * width, height: sy * height };
    const seen = shown(inner, up.chain);
    if (seen.width < LEGIBLE || seen.height < LEGIBLE) return null;
    let cells = '';
    for (let i = 0; i < CELLS * CELLS; i++) {
      const x = left + inner.width * (i % CELLS + 0.5) / CELLS, y = top + inner.height * (Math.floor(i / CELLS) + 0.5) / CELLS;
      const here = x >= first.left && x < first.right && y >= first.top && y < first.bottom && x >= seen.left && x < seen.right && y >= seen.top && y < seen.bottom;
      const hit = here && topmost(x, y);
      cells += hit && (hidden(x, y) || !related(e, hit)) ? '1' : '0';
    }
    const x = (n) => (n - left) / sx, y = (n) => (n - top) / sy; // as the frame counts
    return {
      owner, element: elements.length,
      place: {
        x: at.x + left * at.sx, y: at.y + top * at.sy, sx: at.sx * sx, sy: at.sy * sy, origin: place ? place.origin : location.origin, fixed: up.fixed,
        opacity: up.opacity, back: up.back, known: up.known, scrolls: e.getAttribute('scrolling') !== 'no', cells: cells.includes('1') ? cells : '',
        first: { left: x(Math.max(first.left, seen.left)), right: x(Math.min(first.right, seen.right)), top: y(Math.max(first.top, seen.top)), bottom: y(Math.min(first.bottom, seen.bottom)) },
      },
    };
  }

  function filled(c) {
    try {
      const copy = drawing();
      copy.width = copy.height = 24;
      const g = copy.getContext('2d');
      g.drawImage(c, 0, 0, 24, 24);
      const d = g.getImageData(0, 0, 24, 24).data;
      for (let i = 4; i < d.length; i += 4) if (d[i] !== d[0] || d[i + 1] !== d[1] || d[i + 2] !== d[2] || d[i + 3] !== d[3]) return true;
      return false;
    } catch { return true; } // tainted: something foreign was drawn on it
  }

  function add(e, tag, style, rect, parent, up) {
    const [text, rects] = ownText(e);
    const fill = style.webkitTextFillColor || style.color;
    const ground = hex(style.backgroundColor);
    const image = style.backgroundImage !== 'none';
    const gradient = image && style.backgroundImage.includes('gradient(');
    const picture = image && style.backgroundImage.includes('url(');
    const field = FIELDS.has(tag) && e.type !== 'hidden';
    const o = own(e);
    const r = role(o, tag);
    const item = {
      parent, tag, role: r, name: name(o, tag), text, box: box(rect), attrs: {},
      style: {
        color: hex(fill), background: ground, backdrop: '#' + up.back.map((v) => Math.round(v).toString(16).padStart(2, '0')).join(''), backdrop_known: up.known,
        font_family: clean(style.fontFamily.split(',')[0].replace(/["']/g, ''), 60), font_size: px(style.fontSize), font_weight: px(style.fontWeight),
        line_height: px(style.lineHeight), text_align: style.textAlign, display: style.display, position: style.position === 'static' ? '' : style.position,
        overflow: style.overflowX === 'visible' && style.overflowY === 'visible' ? '' : style.overflowX + ' ' + style.overflowY,
        opacity: Math.round(up.opacity * 100) / 100, radius: px(style.borderTopLeftRadius), shadow: style.boxShadow !== 'none', gradient, image: picture,
        border: style.borderTopStyle === 'none' ? 0 : px(style.borderTopWidth), padding_top: px(style.paddingTop), padding_left: px(style.paddingLeft),
      },
      interactive: tag === 'a' && e.hasAttribute('href') || tag === 'button' || tag === 'summary' || field || ['button', 'link', 'tab', 'menuitem', 'checkbox', 'radio', 'switch', 'slider'].includes(r)
        || o.hasAttribute('onclick') || o.isContentEditable || style.cursor === 'pointer' && up.cursor !== 'pointer',
      disabled: Boolean(o.disabled) || o.getAttribute('aria-disabled') === 'true',
      fixed: up.fixed,
    };
    for (const a of ATTRS) { const v = o.getAttribute(a); if (v !== null) item.attrs[a] = v.slice(0, 300); }
    if (field && e.value && tag !== 'input') item.attrs.value = clean(e.value, 200);
    if (field) item.labelled = labelled(e);
    if (rects) {
      item.text_box = box(rects);
      item.clipped = clipped(e, style, rects, up.chain);
      texts++;
    }
    if ((rects || item.interactive) && rect.top < first.bottom && rect.bottom > first.top) item.covered = covered(e, shown(rects || rect, up.chain));
    if (tag === 'img') {
      item.natural_width = e.naturalWidth; item.natural_height = e.naturalHeight;
      item.broken = e.complete && !e.naturalWidth && Boolean(e.getAttribute('src') || e.getAttribute('srcset'));
      if (!item.broken) media++;
    } else if (tag === 'video') { item.broken = Boolean(e.error); media++; }
    else if (tag === 'canvas') { item.painted = filled(e); if (item.painted) media++; }
    else if (tag === 'svg') { item.document = islands(o).some((i) => covers(i, rect)); if (!item.document && e.childElementCount) media++; }
    else if (FRAMES.has(tag) && pierced.owners.has(e)) {
      const inner = frame(e, style, rect, up);
      item.document = true;
      item.style.overflow = 'auto auto';
      if (inner) frames.push(inner);
    } else if (tag === 'iframe' || picture) media++;
    if (FIELDS.has(tag) || tag === 'button') painted++;
    else if (e !== document.body && e !== document.documentElement && (ground.endsWith('00') === false || gradient || item.style.border || item.style.shadow)) painted++;
    elements.push(item);
  }

  function visit(e, parent, up) {
    const o = own(e), tag = o.localName;
    if (SKIP.has(tag) || limits.brief && texts + media > 0) return;
    const style = getComputedStyle(e);
    if (style.display === 'none') return;
    const rect = o.getBoundingClientRect();
    const opacity = up.opacity * parseFloat(style.opacity);
    if (opacity < 0.02) return;
    const ground = rgba(hex(style.backgroundColor));
    const image = style.backgroundImage !== 'none';
    const hides = /hidden|clip/.test(style.overflowX + style.overflowY);
    const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    const here = {
      opacity, cursor: style.cursor, fixed: up.fixed || style.position === 'fixed' || style.position === 'sticky',
      back: ground[3] === 255 ? ground : over(ground, up.back), known: ground[3] === 255 && !image ? true : up.known && !image,
      chain: hides || scrolls ? up.chain.concat({ rect, hides, scrolls, body: e === document.body, ellipsis: style.textOverflow === 'ellipsis' }) : up.chain,
    };
    const shown = o.checkVisibility() && style.visibility === 'visible' && (rect.width > 0 && rect.height > 0 || style.display === 'contents');
    const onPage = rect.right + scrollX > 0 && rect.bottom + scrollY > 0 && rect.left < Math.max(document.documentElement.scrollWidth, innerWidth);
    if (shown && onPage && o.localName !== 'slot' && reachable(rect)) {
      if (elements.length < limits.elements) { add(e, tag, style, rect, parent, { ...here, cursor: up.cursor }); parent = elements.length - 1; } else more++;
    }
    if (tag === 'iframe' || tag === 'canvas' || tag === 'select') return;
    for (const child of tag === 'svg' ? islands(o) : kids(o, tag)) visit(child, parent, here);
  }
  // islands are the parts of a drawing that are written as a page is.
  function islands(svg) {
    return [...svg.querySelectorAll('foreignObject')].filter((e) => !svg.contains(e.parentElement.closest('foreignObject')));
  }
  // covers: most of a drawing is one part of it that is written as a page is.
  function covers(island, rect) {
    const r = island.getBoundingClientRect();
    return island.childElementCount > 0 && r.width * r.height > rect.width * rect.height / 2;
  }
  // kids are the children as they are drawn: a shadow tree in place of the host's own, and
  // those where it has a slot for them.
  function kids(o, tag) {
    if (tag === 'slot') {
      const given = o.assignedElements();
      if (given.length > 0) return given;
    }
    const root = o.shadowRoot;
    if (!root) return o.children;
    for (const n of root.childNodes) {
      if (n.nodeType === 3) shadowText.push(n.data);
      else if (n.nodeType === 1 && !SKIP.has(n.localName) && n.localName !== 'slot' && getComputedStyle(n).display !== 'none') shadowText.push(n.innerText || '');
    }
    return root.children;
  }
  // reachable: a frame that does not scroll shows no more than its window.
  const unmoved = place && (!place.scrolls || [document.documentElement, document.body].some((e) => e && /hidden|clip/.test(getComputedStyle(e).overflowY)));
  const reachable = (r) => !unmoved || r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight;

  // decoded is what a fragment names; one that is no valid escape names itself, as in the browser.
  function decoded(fragment) {
    try { return decodeURIComponent(fragment); } catch { return fragment; }
  }

  function link(a) {
    const raw = a.getAttribute('href');
    const out = { href: (raw || '').slice(0, 500), text: clean(a.textContent, 80) || imageName(a), box: box(a.getBoundingClientRect()), kind: 'internal' };
    if (raw === null || raw.trim() === '' || raw.trim() === '#' || /^\s*javascript:/i.test(raw)) {
      out.kind = 'empty';
      return out;
    }
    let url;
    try { url = new URL(raw, document.baseURI); } catch { return { ...out, kind: 'empty' }; }
    if (place && raw.trim().startsWith('#')) url = new URL(raw.trim(), location.href.split('#')[0]); // whatever its base
    else if (url.origin !== (place ? place.origin : location.origin)) { out.kind = 'external'; return out; }
    if (url.pathname === location.pathname && url.search === location.search && url.hash.length > 1) {
      const id = decoded(url.hash.slice(1));
      out.kind = 'anchor';
      out.found = id === 'top' || id.startsWith('/') || Boolean(a.getRootNode().getElementById?.(id) || document.getElementById(id) || document.getElementsByName(id).length);
      return out;
    }
    out.path = url.pathname;
    return out;
  }

  const root = document.documentElement || document.createElement('html'); // a script may have removed it
  const ground = [root, document.body || root].map((e) => rgba(hex(getComputedStyle(e).backgroundColor)));
  const around = place || { opacity: 1, fixed: false, back: [255, 255, 255, 255], known: true };
  const edge = { left: 0, top: 0, right: innerWidth, bottom: innerHeight, width: innerWidth, height: innerHeight };
  visit(document.body || root, -1, {
    opacity: around.opacity, cursor: 'auto', fixed: around.fixed, back: over(ground[1], over(ground[0], around.back)), known: around.known || ground.some((c) => c[3] === 255),
    chain: place ? [{ rect: edge, hides: unmoved, scrolls: !unmoved }] : [],
  });
  const anchors = [document, ...pierced.roots].flatMap((scope) => Array.from(scope.querySelectorAll('a')));
  // A frame that has to be scrolled sideways makes the page no narrower than one that is as wide.
  const excess = place && !unmoved ? Math.max(0, root.scrollWidth - root.clientWidth) * at.sx : 0;
  return {
    title: clean(document.title, 300), lang: root.getAttribute('lang') || '', text: clean([document.body ? document.body.innerText : root.textContent, ...shadowText].join(' '), limits.text), frames, excess,
    page_width: Math.max(root.scrollWidth, document.body ? document.body.scrollWidth : 0), page_height: Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0),
    has_viewport_meta: Boolean(document.querySelector('meta[name=viewport][content]')),
    elements, more_elements: more, media, painted, texts,
    links: anchors.slice(0, limits.links).map(link), ready: document.readyState,
    overlay: Boolean(document.querySelector('vite-error-overlay, nextjs-portal[data-error], #webpack-dev-server-client-overlay, #react-refresh-overlay')),
  };
})
