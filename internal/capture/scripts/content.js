// The content probe. It runs in an isolated world and changes nothing. It reads the text of a
// document in reading order, block by block, with the part that each block plays, the text
// that no person can come to see, and what looks like a button and is none.
((own, limits, wired) => {
  'use strict';
  const clean = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const round = (n) => Math.round(n * 10) / 10;
  const px = (s) => parseFloat(s) || 0;
  const SKIP = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base', 'iframe', 'frame', 'object', 'embed', 'canvas', 'video', 'audio', 'textarea']);
  const ROLES = {
    h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', a: 'link', button: 'button', summary: 'button', label: 'label', legend: 'label',
    li: 'item', dt: 'item', dd: 'item', td: 'cell', th: 'cell', caption: 'caption', figcaption: 'caption', pre: 'code', code: 'code', kbd: 'code', svg: 'drawing',
    heading: 'heading', link: 'link', tab: 'button', menuitem: 'button', listitem: 'item', option: 'option', treeitem: 'item', cell: 'cell', gridcell: 'cell', columnheader: 'cell', rowheader: 'cell',
  };
  const HANDLED = 'a[href]:not([href=""]):not([href="#"]):not([href^="javascript:void"]),input,select,textarea,summary,label,[onclick],[onmousedown],[onpointerdown],[ontouchstart],[popovertarget],[commandfor],[contenteditable=""],[contenteditable=true],[draggable=true]';
  const scripts = Array.from(document.querySelectorAll('script:not([src])'), (s) => s.textContent).join('\n').slice(0, 2e6);
  const pierced = globalThis.vitrine || { roots: [] };
  const every = [document, ...pierced.roots].flatMap((scope) => Array.from(scope.querySelectorAll('*')));
  const handles = new Set(wired.at.map((i) => every[i]));

  const blocks = [], hidden = [], inert = [];
  let current = null, more = 0, letters = 0, rows = 0, controls = 0, closed = 0;

  function flush() {
    const b = current;
    current = null;
    if (!b) return;
    b.text = clean(b.text);
    if (!b.text) return;
    if (!b.cause && letters + b.text.length > limits.text || (b.cause ? hidden : blocks).length >= limits.blocks) { more++; return; }
    if (!b.cause) letters += b.text.length;
    b.text = b.text.slice(0, limits.block);
    (b.cause ? hidden : blocks).push({ text: b.text, role: b.role, cause: b.cause, row: b.row, list: b.list, size: b.size, bold: b.bold, box: b.box ? { x: round(b.box.left + scrollX), y: round(b.box.top + scrollY), w: round(b.box.right - b.box.left), h: round(b.box.bottom - b.box.top) } : undefined });
  }
  function say(text, up, style, rect, cause) {
    if (current && (current.cause !== cause || current.role !== up.role)) flush();
    if (!current) current = { text: '', role: up.role, cause, row: up.row, list: up.list, size: px(style.fontSize), bold: px(style.fontWeight) >= 600, box: null };
    current.text += text;
    if (!rect) return;
    const b = current.box;
    current.box = b ? { left: Math.min(b.left, rect.left), top: Math.min(b.top, rect.top), right: Math.max(b.right, rect.right), bottom: Math.max(b.bottom, rect.bottom) } : rect;
  }
  // whole is a block by itself: the words of an attribute.
  function whole(text, role, up, cause) {
    if (!clean(text)) return;
    flush();
    current = { text, role, cause: cause || '', row: up.row, list: up.list, size: 0, bold: false, box: null };
    flush();
  }

  // ---- whether something can bring a hidden element to light
  const states = [];
  for (const sheet of document.styleSheets) {
    let rules;
    try { rules = sheet.cssRules; } catch { continue; }
    const gather = (list) => {
      for (const r of list) {
        if (r.cssRules && r.cssRules.length) gather(r.cssRules);
        if (r.selectorText && /:(hover|focus|checked|target|active)/.test(r.selectorText) && states.length < 2000) states.push(r.selectorText.replace(/:(hover|focus-within|focus-visible|focus|checked|target|active)/g, ''));
      }
    };
    gather(rules);
  }
  const opens = (e) => states.some((s) => { try { return e.matches(s); } catch { return false; } });
  const named = (e) => [e.id, ...e.classList].some((n) => n && n.length > 1 && scripts.includes(n));
  const known = new Map();
  function revealable(e) {
    let depth = 0;
    for (let n = e; n && n !== document.body && n !== document.documentElement && depth < 6; n = n.parentElement || n.getRootNode().host, depth++) {
      if (!known.has(n)) {
        const s = getComputedStyle(n);
        known.set(n, s.transitionDuration.split(',').some((d) => px(d) > 0) || s.animationName !== 'none' || named(n) || opens(n) || /dialog|menu|tooltip|tabpanel|listbox/.test(own(n).getAttribute('role') || '') || n.hasAttribute('popover'));
      }
      if (known.get(n)) return true;
    }
    return false;
  }

  const pageWidth = () => Math.max(document.documentElement.scrollWidth, innerWidth);
  function seen(e, style, rect, up) {
    if (up.cause) return up.cause;
    const clear = !/text/.test(style.webkitBackgroundClip + style.backgroundClip) && style.textShadow === 'none' && !px(style.webkitTextStrokeWidth);
    if (up.opacity < 0.05 || clear && /^rgba\(.*, 0\)$|\/ 0\)$/.test(style.webkitTextFillColor || style.color)) return 'transparent';
    if (px(style.fontSize) < 6 && px(style.fontSize) * 3 > rect.height || rect.height < 5 && rect.height > 0) return 'tiny';
    if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0 || rect.left + scrollX >= pageWidth()) return 'off-screen';
    for (const c of up.chain) {
      const w = Math.min(rect.right, c.right) - Math.max(rect.left, c.left), h = Math.min(rect.bottom, c.bottom) - Math.max(rect.top, c.top);
      if (w <= 2 || h <= 2) return c.scrolls ? 'scrolled' : 'clipped';
    }
    return covered(e, rect) ? 'covered' : '';
  }
  // covered: another part lies on all of the text's points that are in the window.
  function covered(e, r) {
    let n = 0, top = null;
    for (const fx of [0.1, 0.5, 0.9]) for (const fy of [0.3, 0.7]) {
      const x = r.left + r.width * fx, y = r.top + r.height * fy;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      top = document.elementFromPoint(x, y);
      if (!top || own(top).contains(e) && !deeper(top, e) || e.contains(top) || top.shadowRoot || own(top).closest('label')) return false;
      n++;
    }
    return n > 0 && opaque(top) && !handles.has(top) && !top.querySelector('button,input,a,select') && !own(top).closest('[role=dialog],dialog,button,a,nav,header');
  }
  // deeper: the text lies behind the ground of the very part that holds it.
  function deeper(top, e) {
    for (let n = e; n && n !== top; n = n.parentElement) {
      const s = getComputedStyle(n);
      if (s.position !== 'static' && px(s.zIndex) < 0) return opaque(top);
    }
    return false;
  }
  function opaque(e) {
    const s = getComputedStyle(e);
    return /^(img|video|picture)$/.test(e.localName) || s.backgroundImage !== 'none' || !/^rgba\(.*, (0|0\.\d+)\)$/.test(s.backgroundColor) && px(s.opacity) > 0.9;
  }

  function text(node, e, style, up) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (!rect.width && !rect.height) { if (current && !node.data.trim()) current.text += ' '; return; }
    if (!node.data.trim()) { if (current) current.text += ' '; return; }
    let cause = up.role === 'drawing' ? '' : seen(e, style, rect, up);
    if (cause === 'scrolled') cause = '';
    if (cause && revealable(e)) { closed += clean(node.data).split(' ').length; return; }
    say(node.data, up, style, rect, cause);
  }

  function attributes(o, tag, up) {
    for (const name of ['alt', 'title', 'aria-label', 'aria-description']) {
      const v = clean(o.getAttribute(name));
      if (v.split(' ').length > 25) whole(v, 'alt', up, 'attribute');
      else if (name === 'alt' && v) whole(v, 'alt', up);
    }
    if (tag === 'input' && ['button', 'submit', 'reset'].includes(o.type)) whole(o.value, 'button', up);
    else if ((tag === 'input' || tag === 'textarea') && o.placeholder) whole(o.placeholder, 'field', up);
    if (tag === 'select') for (const option of Array.from(o.options).slice(0, 40)) whole(option.text, 'option', up);
  }

  // ---- what looks like a button
  const BUTTON = /(^|[-_])(btn|button|cta)([-_](primary|secondary|outline|ghost|danger|success|lg|sm|large|small|main|solid|submit|add|play|buy))?$/i;
  function painted(e, o, tag, style, rect) {
    if (o.getAttribute('role') === 'button' || tag === 'button' || tag === 'input' && ['button', 'submit', 'reset'].includes(o.type)) return true;
    if (['label', 'summary', 'input', 'select', 'option', 'body', 'html'].includes(tag) || rect.width < 24 || rect.width > 420 || rect.height < 16 || rect.height > 90) return false;
    const words = clean(o.textContent);
    if (!words || words.length > 40 || o.querySelector(HANDLED + ',button')) return false;
    const boxed = /^rgba\(.*, 0\)$/.test(style.backgroundColor) === false || style.backgroundImage !== 'none' || px(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none';
    return boxed && (Array.from(o.classList).some((c) => BUTTON.test(c)) || style.cursor === 'pointer' && getComputedStyle(o.parentElement || o).cursor !== 'pointer');
  }
  function operable(e, o, tag) {
    if (wired.all || o.disabled || o.getAttribute('aria-disabled') === 'true' || o.closest(HANDLED) || o.querySelector(HANDLED)) return true;
    if (o.form && (tag === 'button' || tag === 'input') && o.type !== 'button') return true;
    for (let n = e; n; n = n.parentElement || n.getRootNode().host) if (handles.has(n)) return true;
    return Array.from(o.querySelectorAll('*')).some((n) => handles.has(n));
  }
  function control(e, o, tag, style, rect, up) {
    if (up.cause || up.button || rect.width < 8 || rect.height < 8 || up.opacity < 0.05 || !painted(e, o, tag, style, rect)) return false;
    controls++;
    if (!operable(e, o, tag) && inert.length < limits.blocks) {
      inert.push({ text: clean(o.textContent || o.value).slice(0, 80), role: 'button', box: { x: round(rect.left + scrollX), y: round(rect.top + scrollY), w: round(rect.width), h: round(rect.height) } });
    }
    return true;
  }

  function visit(e, up) {
    const o = own(e), tag = o.localName;
    if (tag === 'textarea') attributes(o, tag, up);
    if (SKIP.has(tag)) return;
    const style = getComputedStyle(e);
    if (style.display === 'none') return;
    const rect = o.getBoundingClientRect();
    const role = ROLES[clean(o.getAttribute('role'))] || (tag === 'a' && !o.hasAttribute('href') ? '' : ROLES[tag]) || '';
    const inline = /^(inline|contents|ruby)/.test(style.display) && style.display !== 'inline-block' && style.display !== 'inline-flex' && style.display !== 'inline-grid';
    const bare = inline && e.parentElement && !Array.from(e.parentElement.childNodes).some((n) => n.nodeType === 3 && n.data.trim());
    const splits = (!inline || bare) && style.display !== 'contents';
    const item = tag === 'li' || tag === 'tr' || tag === 'option' || /^(row|listitem|option)$/.test(o.getAttribute('role') || '');
    const here = {
      role: !splits || ['heading', 'button', 'code', 'drawing'].includes(up.role) ? up.role : role || up.role,
      row: item ? ++rows : up.row, list: /^(ul|ol|table|tbody|dl)$/.test(tag) ? rows + 1 : up.list, opacity: up.opacity * px(style.opacity), cause: up.cause, button: up.button, chain: up.chain,
    };
    const hides = /hidden|clip/.test(style.overflowX + style.overflowY), scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    if ((hides || scrolls) && e !== document.body && e !== document.documentElement) here.chain = up.chain.concat({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom, scrolls });
    if (/^inset\((50|100)%/.test(style.clipPath) || /^rect\((0|1)px, (0|1)px, (0|1)px, (0|1)px\)/.test(style.clip)) here.cause = 'clipped';
    if (splits) flush();
    if (style.visibility === 'visible' && o.checkVisibility()) {
      here.button = control(e, o, tag, style, rect, here) || up.button;
      attributes(o, tag, here);
    }
    if (tag !== 'select') children(o, tag, style, here);
    if (splits) flush();
  }
  function children(o, tag, style, here) {
    const root = o.shadowRoot;
    let list = (root || o).childNodes;
    if (tag === 'slot' && o.assignedNodes().length) list = o.assignedNodes();
    for (const n of list) {
      if (n.nodeType === 1) visit(n, here);
      else if (n.nodeType === 3 && style.visibility === 'visible' && o.checkVisibility()) text(n, o, style, here);
      else if (n.nodeType === 3) closed += clean(n.data) ? clean(n.data).split(' ').length : 0;
    }
  }

  const root = document.body || document.documentElement || document.createElement('html');
  visit(root, { role: '', row: 0, list: 0, opacity: 1, cause: '', button: false, chain: [] });
  flush();
  return { blocks, hidden, inert, controls, closed, more, listens: Boolean(wired.all || wired.keys || wired.at.length) };
})
