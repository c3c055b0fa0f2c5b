// The DOM probe. It runs in an isolated world, reads the finished page and
// changes nothing. It answers with one JSON value; see dom.go for its shape.
((own, limits) => {
  'use strict';
  const clean = (s, n) => (s || '').replace(/\s+/g, ' ').trim().slice(0, n);
  const px = (s) => { const n = parseFloat(s); return Number.isFinite(n) ? Math.round(n * 100) / 100 : 0; };
  const round = (n) => Math.round(n * 10) / 10;
  const box = (r) => ({ x: round(r.left + scrollX), y: round(r.top + scrollY), w: round(r.width), h: round(r.height) });
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
    return Boolean(clean(e.getAttribute('aria-label'), 10) || named(e.getAttribute('aria-labelledby')) || clean(e.title, 10));
  }
  const named = (ids) => (ids || '').split(/\s+/).map((id) => id && document.getElementById(id)).filter(Boolean).map((n) => n.textContent).join(' ').trim();

  function name(e, tag) {
    const given = e.getAttribute('aria-label') || named(e.getAttribute('aria-labelledby'));
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
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
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
  let more = 0, media = 0, painted = 0, texts = 0;
  const first = { width: innerWidth, height: innerHeight };

  function ownText(e) {
    let text = '', rects = null;
    for (const n of own(e).childNodes) {
      if (n.nodeType !== 3 || !n.data.trim()) continue;
      text += ' ' + n.data;
      const range = document.createRange();
      range.selectNodeContents(n);
      const r = range.getBoundingClientRect();
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
      if (x < 0 || y < 0 || x >= first.width || y >= first.height) continue;
      const top = document.elementFromPoint(x, y);
      if (!top) continue;
      all++;
      if (!own(e).contains(top) && !own(top).contains(e) && !own(top).closest('label')?.contains(e)) hit++;
    }
    return all ? Math.round(hit / all * 100) / 100 : 0;
  }

  function filled(c) {
    try {
      const copy = document.createElement('canvas');
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
    if ((rects || item.interactive) && rect.top < first.height && rect.bottom > 0) item.covered = covered(e, shown(rects || rect, up.chain));
    if (tag === 'img') {
      item.natural_width = e.naturalWidth; item.natural_height = e.naturalHeight;
      item.broken = e.complete && !e.naturalWidth && Boolean(e.getAttribute('src') || e.getAttribute('srcset'));
      if (!item.broken) media++;
    } else if (tag === 'video') { item.broken = Boolean(e.error); media++; }
    else if (tag === 'canvas') { item.painted = filled(e); if (item.painted) media++; }
    else if (tag === 'svg') { if (e.childElementCount) media++; }
    else if (tag === 'iframe' || picture) media++;
    if (FIELDS.has(tag) || tag === 'button') painted++;
    else if (e !== document.body && e !== document.documentElement && (ground.endsWith('00') === false || gradient || item.style.border || item.style.shadow)) painted++;
    elements.push(item);
  }

  function visit(e, parent, up) {
    const o = own(e), tag = o.localName;
    if (SKIP.has(tag)) return;
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
    if (shown && onPage) {
      if (elements.length < limits.elements) { add(e, tag, style, rect, parent, { ...here, cursor: up.cursor }); parent = elements.length - 1; } else more++;
    }
    if (tag === 'svg' || tag === 'iframe' || tag === 'canvas' || tag === 'select') return;
    const kids = o.shadowRoot ? o.shadowRoot.children : o.children;
    for (const child of kids) visit(child, parent, here);
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
    if (url.origin !== location.origin) { out.kind = 'external'; return out; }
    if (url.pathname === location.pathname && url.search === location.search && url.hash.length > 1) {
      const id = decodeURIComponent(url.hash.slice(1));
      out.kind = 'anchor';
      out.found = id === 'top' || id.startsWith('/') || Boolean(document.getElementById(id) || document.getElementsByName(id).length);
      return out;
    }
    out.path = url.pathname;
    return out;
  }

  const root = document.documentElement || document.createElement('html'); // a script may have removed it
  const rootBack = over(rgba(hex(getComputedStyle(document.body || root).backgroundColor)), over(rgba(hex(getComputedStyle(root).backgroundColor)), [255, 255, 255, 255]));
  if (document.body) visit(document.body, -1, { opacity: 1, cursor: 'auto', fixed: false, back: rootBack, known: true, chain: [] });
  else visit(root, -1, { opacity: 1, cursor: 'auto', fixed: false, back: rootBack, known: true, chain: [] });
  const anchors = Array.from(document.querySelectorAll('a'));
  return {
    title: clean(document.title, 300), lang: root.getAttribute('lang') || '', text: clean(document.body ? document.body.innerText : root.textContent, limits.text),
    page_width: Math.max(root.scrollWidth, document.body ? document.body.scrollWidth : 0), page_height: Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0),
    has_viewport_meta: Boolean(document.querySelector('meta[name=viewport][content]')),
    elements, more_elements: more, media, painted, texts,
    links: anchors.slice(0, limits.links).map(link), ready: document.readyState,
    overlay: Boolean(document.querySelector('vite-error-overlay, nextjs-portal[data-error], #webpack-dev-server-client-overlay, #react-refresh-overlay')),
  };
})
