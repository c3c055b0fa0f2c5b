// The recorder. It runs in every document after the clock and before any script of the
// page, and reports what cannot be read from the page later: dialogs, windows that
// were asked for, what was copied, exceptions, where the page wants to go. It also
// knows which elements listen. What it reports goes out by a binding, at once and in order.
(() => {
  'use strict';
  const RECORDS = 300; // of one document; a page that makes more is not asked any further
  const LINES = 300; // the same of the console, which takes no room from what is done
  const DIALOGS = 100; // then confirm says no, prompt nothing
  const ENOUGH = 1000; // then a dialog throws, since a page that asks in a loop never ends
  const send = window.__vitrineRecord;
  delete window.__vitrineRecord;
  const stringify = JSON.stringify;
  const realListen = EventTarget.prototype.addEventListener;
  const { settled } = window.__vitrine;
  const top = window.top === window;
  let recorded = 0, lines = 0;
  const record = (what) => { if (send && recorded++ < RECORDS) send(stringify(what)); };
  const print = (line) => { if (send && lines++ < LINES) send(stringify({ console: line })); };
  const text = (v) => { try { return String(v).slice(0, 500); } catch { return ''; } };

  // A document that is left for a fresh state may write to its last moment: what it
  // wrote since the browser was asked to forget is taken away by the next one.
  const FRESH = 'vitrine: fresh';
  const forget = () => {
    for (const stored of ['localStorage', 'sessionStorage']) try { window[stored].clear(); } catch { /* none here */ }
    for (const cookie of document.cookie.split(';')) document.cookie = cookie.split('=')[0].trim() + '=; max-age=0; path=/';
    window.name = '';
  };
  if (top && window.name === FRESH) forget();
  // leave says whether the document leaves nothing behind that could still write other
  // than these: no worker, no frame.
  const leave = () => {
    forget();
    window.name = FRESH;
    return !window.__vitrine.works && document.querySelector('iframe, frame, object, embed') === null;
  };

  if (top) record({ load: location.href });

  // ---- dialogs
  let dialogs = 0, shown = 0; // in this document, since the last turn of the session
  function dialog(kind, message, answer) {
    if (++dialogs > ENOUGH) throw new Error('too many dialogs');
    if (++shown <= DIALOGS) record({ dialog: { kind, text: text(message), answer: answer === null ? '' : text(answer) } });
    return answer;
  }
  // answered is set before an action that answers the next dialog.
  let answers = [];
  const fitting = (message) => {
    const m = text(message).toLowerCase();
    if (/mail/.test(m)) return 'anna@example.com';
    if (/how many|number|amount|age|count|quantity|price/.test(m)) return '3';
    if (/url|link|address/.test(m)) return 'https://example.com/';
    return 'Anna';
  };
  window.alert = (message = '') => { dialog('alert', message, null); };
  window.confirm = (message = '') => {
    const yes = answers.length ? !/^(no|cancel|false|)$/i.test(answers.shift()) : dialogs < DIALOGS;
    dialog('confirm', message, yes ? 'yes' : 'no');
    return yes;
  };
  window.prompt = (message = '', preset = '') => {
    const own = answers.length ? answers.shift() : (text(preset) || fitting(message));
    return dialog('prompt', message, dialogs < DIALOGS ? own : null);
  };

  // ---- what a page asks of the machine
  const asked = (what) => record({ asked: what });
  window.print = () => asked('print');
  window.open = (url, target) => {
    let to = '';
    try { to = url ? new URL(url, document.baseURI).href : 'about:blank'; } catch { to = text(url); }
    if (/^_(self|top|parent)$/.test(target || '')) { location.href = to; return window; }
    record({ popup: to });
    const other = new DOMParser().parseFromString('', 'text/html');
    return { closed: false, focus() {}, blur() {}, close() { this.closed = true; }, print() { asked('print'); }, postMessage() {}, addEventListener() {}, document: Object.assign(other, { write() {}, writeln() {}, close() {} }), location: { href: to }, opener: window };
  };
  const clipboard = navigator.clipboard && Object.getPrototypeOf(navigator.clipboard);
  if (clipboard) {
    let copied = '';
    clipboard.writeText = (t) => { copied = text(t); asked('copy: ' + copied); return Promise.resolve(); };
    clipboard.write = () => { asked('copy'); return Promise.resolve(); };
    clipboard.readText = () => Promise.resolve(copied);
  }
  const realCommand = Document.prototype.execCommand;
  Document.prototype.execCommand = function execCommand(name, ...rest) {
    if (/^(copy|cut)$/i.test(name)) { asked('copy: ' + text(window.getSelection())); return true; }
    return realCommand.call(this, name, ...rest);
  };
  if (navigator.share) Navigator.prototype.share = (data) => { asked('share: ' + text(data && (data.title || data.url))); return Promise.resolve(); };
  if (window.speechSynthesis) Object.getPrototypeOf(window.speechSynthesis).speak = (u) => asked('speak: ' + text(u && u.text));
  Element.prototype.requestFullscreen = function requestFullscreen() { asked('fullscreen'); return Promise.resolve(); };
  for (const kind of [window.OscillatorNode, window.AudioBufferSourceNode]) {
    if (!kind) continue;
    const start = kind.prototype.start;
    kind.prototype.start = function (...args) { asked('sound'); return start.apply(this, args); };
  }
  // A video or a sound stands still, but it knows that it was asked to play.
  const playing = new WeakSet();
  const soon = (media, type) => Promise.resolve().then(() => media.dispatchEvent(new Event(type)));
  HTMLMediaElement.prototype.play = function play() {
    asked('play');
    if (!playing.has(this)) { playing.add(this); soon(this, 'play'); soon(this, 'playing'); }
    return Promise.resolve();
  };
  HTMLMediaElement.prototype.pause = function pause() {
    if (playing.delete(this)) { asked('pause'); soon(this, 'pause'); }
  };
  Object.defineProperty(HTMLMediaElement.prototype, 'paused', { get() { return !playing.has(this); }, configurable: true });

  // ---- where it wants to go
  function leaves(anchor, e) {
    if (!anchor.hasAttribute('href')) return;
    let url;
    try { url = new URL(anchor.href, document.baseURI); } catch { return; }
    const stop = () => e && e.preventDefault();
    if (anchor.hasAttribute('download')) { asked('download: ' + text(anchor.download || url.pathname)); stop(); return true; }
    if (/^(mailto|tel|sms):$/.test(url.protocol)) { asked(text(url.href)); stop(); return true; }
    if (/^_?\w+$/.test(anchor.target) && !/^_(self|top|parent)$/.test(anchor.target) && /^(https?|blob|data|about):$/.test(url.protocol)) { record({ popup: url.href }); stop(); return true; }
    return false;
  }
  // A page that wants a file opens the browser's own dialog, which nobody answers.
  const choose = (input) => { if (input.type === 'file' && !input.disabled) asked('a file'); };
  const anchorOf = (e) => e.composedPath().find((n) => n instanceof Element && (n.localName === 'a' || n.localName === 'area'));
  // In a turn of its own after every listener of the page had its say: a listener on
  // window that is added while the event is on its way runs last.
  realListen.call(window, 'click', (first) => {
    const last = (e) => {
      if (e !== first) return; // a click that a listener made of this one
      window.removeEventListener('click', last);
      if (e.defaultPrevented) return;
      const anchor = anchorOf(e);
      if (anchor) leaves(anchor, e);
      const chosen = e.composedPath()[0];
      if (chosen instanceof HTMLInputElement) choose(chosen);
    };
    realListen.call(window, 'click', last);
  }, true);
  const realClick = HTMLElement.prototype.click;
  HTMLInputElement.prototype.click = function click() {
    if (!this.isConnected) choose(this); // its event would not reach the window
    realClick.call(this);
  };
  HTMLAnchorElement.prototype.click = function click() {
    if (!this.isConnected && leaves(this, null)) return; // its event would not reach the window
    realClick.call(this);
  };
  if (window.navigation && top) {
    realListen.call(window.navigation, 'navigate', (e) => {
      if (e.downloadRequest !== null) { asked('download: ' + text(e.downloadRequest || e.destination.url)); e.preventDefault(); return; }
      record({ goes: { url: e.destination.url.slice(0, 1000), same: e.destination.sameDocument } });
    });
  }

  // ---- what goes wrong and what is printed
  realListen.call(window, 'error', (e) => {
    if (e instanceof ErrorEvent || e.message) record({ threw: text((e.error && e.error.name ? e.error.name + ': ' + e.error.message : e.message)) });
  });
  realListen.call(window, 'unhandledrejection', (e) => record({ threw: text(e.reason && e.reason.message !== undefined ? (e.reason.name || 'Error') + ': ' + e.reason.message : e.reason) }));
  // What the browser says of a field that is not valid stands in a bubble that comes and
  // goes in real time: it is reported and not shown.
  realListen.call(window, 'invalid', (e) => {
    const f = e.target;
    print('invalid: ' + text((f.labels && f.labels[0] && f.labels[0].textContent.trim()) || f.name || f.id || f.localName) + ': ' + text(f.validationMessage));
    e.preventDefault();
  }, true);
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    const real = console[level].bind(console);
    console[level] = (...args) => {
      print(level + ': ' + args.map((a) => { try { return typeof a === 'object' && a !== null && !(a instanceof Error) ? stringify(a) : String(a); } catch { return '?'; } }).join(' ').slice(0, 300));
      real(...args);
    };
  }

  // ---- who listens
  const KINDS = {
    click: 'c', mousedown: 'c', mouseup: 'c', pointerdown: 'c', pointerup: 'c', touchstart: 'c', touchend: 'c', dblclick: 'd', contextmenu: 'm',
    mouseenter: 'h', mouseover: 'h', pointerenter: 'h', pointerover: 'h', mousemove: 'v', pointermove: 'v', keydown: 'k', keyup: 'k', keypress: 'k',
    dragstart: 'g', dragover: 'o', drop: 'o', input: 'i', change: 'i', submit: 's', wheel: 'w', scroll: 'w',
  };
  const heard = new WeakMap(); // target -> kinds
  const hear = (target, type) => {
    const kind = KINDS[type];
    if (!kind) return;
    const before = heard.get(target) || '';
    if (!before.includes(kind)) heard.set(target, before + kind);
  };
  const clockListen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (rest[0]) hear(this || window, type);
    return clockListen.call(this || window, type, ...rest);
  };
  const ON = ['click', 'mousedown', 'pointerdown', 'dblclick', 'contextmenu', 'mouseenter', 'mouseover', 'keydown', 'keyup', 'dragstart', 'drop', 'input', 'change', 'submit']
    .map((type) => ['on' + type, KINDS[type]]);
  const REACT = { onClick: 'c', onMouseDown: 'c', onPointerDown: 'c', onDoubleClick: 'd', onContextMenu: 'm', onMouseEnter: 'h', onMouseOver: 'h', onKeyDown: 'k', onDragStart: 'g', onDrop: 'o', onChange: 'i', onInput: 'i', onSubmit: 's' };
  const SHORT = { __click: 'c', $$click: 'c', __keydown: 'k', $$keydown: 'k', __input: 'i', $$input: 'i' }; // Svelte, Solid
  const keysOf = Object.keys;
  function kinds(e) {
    let found = heard.get(e) || '';
    const add = (kind) => { if (kind && !found.includes(kind)) found += kind; };
    for (const [name, kind] of ON) if (e[name]) add(kind);
    for (const key of keysOf(e)) {
      if (key.startsWith('__reactProps$')) for (const name of keysOf(e[key] || {})) add(REACT[name]);
      else add(SHORT[key]);
    }
    return found;
  }
  // listening lists [number of the element in deep document order, kinds], and what the
  // window, the document and the body listen for.
  function listening() {
    const list = [];
    const roots = new Set((heard.get(window) || '') + (heard.get(document) || ''));
    for (const [name, kind] of ON) if (window[name] || document[name]) roots.add(kind);
    let n = 0;
    const walk = (root) => {
      const elements = root.querySelectorAll('*');
      for (let i = 0; i < elements.length; i++) {
        const e = elements[i];
        const own = n++;
        const found = kinds(e);
        if (e === document.body || e === document.documentElement) for (const kind of found) roots.add(kind);
        else if (found) list.push([own, found]);
        if (e.shadowRoot) walk(e.shadowRoot);
        if (e.localName === 'iframe') {
          let inner = null;
          try { inner = e.contentDocument && e.contentWindow.__vitrineRecorder; } catch { /* another origin */ }
          if (inner) {
            const sub = inner.listening();
            for (const [m, found2] of sub.list) list.push([n + m, found2]);
            for (const kind of sub.roots) if (kind === 'k') roots.add(kind);
            n += sub.count;
          }
        }
      }
    };
    walk(document);
    return { list, roots: [...roots].join(''), count: n };
  }
  // A closed shadow root would hide what is to be tried.
  const realAttach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) { return realAttach.call(this, { ...init, mode: 'open' }); };

  // written are the texts that were last drawn on each canvas, at one moment of page time: games
  // show points, lives and their end by them.
  const MOST = 60; // texts of one moment
  const drawn = new Map(); // context -> { at, texts }
  const now = performance.now.bind(performance);
  for (const name of ['fillText', 'strokeText']) {
    const real = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = { [name](what, ...rest) {
      const at = now();
      let last = drawn.get(this);
      const done = real.call(this, what, ...rest); // throws for what is no context
      if (!last && drawn.size >= 16) drawn.delete(drawn.keys().next().value); // canvases that are drawn once and left
      if (!last || last.at !== at) drawn.set(this, last = { at, texts: [] });
      if (last.texts.push(text(what).slice(0, 80)) > MOST) last.texts.shift();
      return done;
    } }[name];
  }
  const written = () => [...drawn].filter(([context]) => context.canvas.isConnected).flatMap(([, { texts }]) => texts).slice(0, MOST);

  // sync reports a number after everything that is due has been reported.
  const sync = (n) => settled().then(() => { recorded = shown = lines = 0; if (send) send(stringify({ sync: n })); return true; });
  // stale says whether what lies at a point is not hovered. Without a doctype, :hover alone is of links.
  const { elementFromPoint } = Document.prototype; // a form may have the name of it
  const { matches } = Element.prototype;
  const stale = (x, y) => {
    const at = x < 0 ? null : elementFromPoint.call(document, x, y);
    return at !== null && !matches.call(at, ':is(:hover)');
  };
  const answer = (t) => { answers.push(t); };
  Object.defineProperty(window, '__vitrineRecorder', { value: Object.freeze({ sync, stale, listening, answer, leave, written }), enumerable: false, configurable: false, writable: false });
})();
//# sourceURL=vitrine-clock.js
