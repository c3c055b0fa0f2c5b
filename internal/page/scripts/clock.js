// The page's clock. It runs before any script of the page and puts time,
// timers, animation frames and randomness under our hand: page time stands
// still until it is told to advance, and advancing by a second costs
// milliseconds. Every frame of the page has a clock of its own. A clock drives those of
// the frames in its document that it can reach; the others are driven by the protocol.
(() => {
  'use strict';
  const DAYS_BACK = 0; // a setting
  const EPOCH = 1767225600000 - DAYS_BACK * 86400000; // 2026-01-01T00:00:00Z, as good a day as any
  const FRAME = 50; // page time between two animation frames: enough to look right, a third of the work
  const SLOW_FRAME = 500; // the same for a page whose frames are costly
  const READ = 0.005; // every reading of the clock takes this long, so that a busy wait ends
  const ASKS = 1000; // requests of scripts that are answered
  const FRAMES = 200; // frames of one document that are driven
  const CALLBACKS = 20000; // timer callbacks in one advance; beyond it a page spins
  const ANSWER = 5000; // real time that a worker, a request or another document has to answer, before it is not waited for
  const LATE = 3; // answers of a document that did not come in time, after which none is waited for
  const REPLIES = 200; // times that one advance waits for requests; a page that asks and asks lets time pass
  const RealPromise = Promise; // pages and their libraries replace it
  const { then } = Promise.prototype;
  const realFrame = window.requestAnimationFrame.bind(window);
  const realTimeout = window.setTimeout.bind(window);
  let now = 0; // page time in milliseconds
  let read = 0; // what readings added
  let frameTime = FRAME;
  let nextFrame = FRAME;
  let lastId = 0;
  let depth = 0; // of nested timers
  const timers = new Map(); // id -> {due, id, every, depth, run}
  const frames = new Map(); // id -> callback
  const started = new WeakMap(); // animation -> page time at which it was first seen
  let changes = 0; // whatever may have changed the picture
  const paced = new Map(); // running workers held in step -> {tell, turn, idle, asked}
  const owing = new Set(); // workers that have yet to answer
  const late = new Set(); // those that did not in time
  const stopped = new WeakSet(); // workers that the page ended
  let inbox = []; // what workers posted since the last frame
  let answered = () => {}; // called when none owes an answer any more
  let workers = 0; // started so far
  const wall = () => now + (read += READ);

  // ---- reading the time
  virtual(self, wall, EPOCH);

  // What the browser measured itself took no time at all.
  const measured = [[window.PerformanceTiming, EPOCH], [PerformanceEntry, 0], [PerformanceResourceTiming, 0], [PerformanceNavigationTiming, 0],
    [window.PerformancePaintTiming, 0], [window.PerformanceEventTiming, 0], [window.LargestContentfulPaint, 0], [window.PerformanceLongTaskTiming, 0],
    [window.LayoutShift, 0], [window.PerformanceElementTiming, 0], [window.PerformanceLongAnimationFrameTiming, 0], [window.PerformanceScriptTiming, 0]];
  for (const [kind, value] of measured) {
    if (!kind) continue;
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(kind.prototype))) {
      if (property.get && /(time|timestamp|start|end|duration|interactive|complete)$/i.test(name)) Object.defineProperty(kind.prototype, name, { ...property, get: () => value });
    }
  }
  // Numbers of its own are the same for every page, and what it still had of an earlier
  // route it fetched like anything else.
  const HEADERS = 300; // what the specification counts for them
  for (const [kind, name, get] of [
    [PerformanceResourceTiming, 'transferSize', (e) => (e.encodedBodySize > 0 ? e.encodedBodySize + HEADERS : 0)],
    [PerformanceResourceTiming, 'deliveryType', () => ''], [PerformanceEntry, 'navigationId', () => 1], [window.PerformanceEventTiming, 'interactionId', () => 0],
  ]) {
    const property = kind && Object.getOwnPropertyDescriptor(kind.prototype, name);
    if (property) Object.defineProperty(kind.prototype, name, { ...property, get() { return get(this); } });
  }
  // As JSON they would be what the browser knows, not what it says.
  for (const kind of [Performance, ...measured.map(([kind]) => kind)]) {
    if (!kind || !Object.hasOwn(kind.prototype, 'toJSON')) continue;
    const real = kind.prototype.toJSON;
    kind.prototype.toJSON = function toJSON() {
      const said = real.call(this);
      for (const name in said) said[name] = this[name];
      return said;
    };
  }
  Object.defineProperty(Performance.prototype, 'memory', { get: () => ({ jsHeapSizeLimit: 2 ** 32, totalJSHeapSize: 1e7, usedJSHeapSize: 1e7 }), configurable: true });

  // virtual replaces what tells time and makes randomness in a page or a worker. It
  // is sent to workers as text, so it stands on nothing but its arguments.
  function virtual(scope, wall, epoch) {
    const RealDate = scope.Date;
    function FakeDate(...args) {
      if (!new.target) return new RealDate(epoch + wall()).toString();
      return Reflect.construct(RealDate, args.length ? args : [epoch + Math.floor(wall())], new.target);
    }
    FakeDate.prototype = RealDate.prototype;
    Object.defineProperty(RealDate.prototype, 'constructor', { value: FakeDate, writable: true, configurable: true });
    FakeDate.now = () => epoch + Math.floor(wall());
    FakeDate.parse = RealDate.parse;
    FakeDate.UTC = RealDate.UTC;
    Object.defineProperty(FakeDate, 'name', { value: 'Date' });
    Object.defineProperty(FakeDate, 'length', { value: 7 });
    scope.Date = FakeDate;
    Object.defineProperty(Object.getPrototypeOf(scope.navigator), 'hardwareConcurrency', { get: () => 4, configurable: true });
    scope.Performance.prototype.now = wall;
    Object.defineProperty(scope.Performance.prototype, 'timeOrigin', { get: () => epoch, configurable: true });
    Object.defineProperty(scope.Event.prototype, 'timeStamp', { get: wall, configurable: true });

    let seed = 0x9e3779b9; // mulberry32, seeded alike for every page
    function random() {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }
    scope.Math.random = random;
    scope.Crypto.prototype.getRandomValues = (array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = random() * 256;
      return array;
    };
    scope.Crypto.prototype.randomUUID = () => {
      const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
      hex[12] = '4';
      hex[16] = '89ab'[Math.floor(random() * 4)];
      return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    };
  }

  // ---- timers
  function toRun(handler, args) {
    return typeof handler === 'function' ? () => handler.apply(window, args) : () => (0, eval)(String(handler));
  }
  function add(handler, delay, args, repeat) {
    const level = depth + 1;
    const wait = Math.max(level > 5 ? 4 : 1, delay | 0); // whole, of 32 bits, as browsers take it
    const id = ++lastId;
    timers.set(id, { id, due: now + wait, every: repeat ? Math.max(4, wait) : 0, depth: level, run: toRun(handler, args) });
    return id;
  }
  window.setTimeout = (handler, delay, ...args) => add(handler, delay, args, false);
  window.setInterval = (handler, delay, ...args) => add(handler, delay, args, true);
  window.clearTimeout = window.clearInterval = (id) => { timers.delete(Number(id)); };
  window.requestAnimationFrame = (callback) => { const id = ++lastId; frames.set(id, callback); return id; };
  window.cancelAnimationFrame = (id) => { frames.delete(id); };
  window.requestIdleCallback = (callback) => add(() => callback({ didTimeout: false, timeRemaining: () => 10 }), 1, [], false);
  window.cancelIdleCallback = window.clearTimeout;

  // ---- what would stop the page for a person who is not there
  window.alert = () => {};
  window.confirm = () => true;
  window.prompt = () => null;
  window.print = () => {};
  window.open = () => null;
  // A service worker would answer in our place: it never gets beyond installing.
  if (window.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = () => new RealPromise(() => {});

  // A text cursor blinks in real time.
  const still = new CSSStyleSheet();
  still.replaceSync('* { caret-color: transparent !important }');
  document.adoptedStyleSheets = [still];

  // A page that asks without end, as one that tries again whenever it is refused, gets
  // no answer any more.
  let asks = 0;
  const realFetch = window.fetch;
  window.fetch = function fetch(...args) { return ++asks > ASKS ? new RealPromise(() => {}) : awaited(realFetch.apply(this, args)); };
  const realSend = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function send(...args) {
    if (++asks > ASKS) return;
    realSend.apply(this, args);
    if (this.readyState === 4) return; // a synchronous one
    unanswered.add(this);
    realListen.call(this, 'loadend', () => answer(this), { once: true });
  };
  // wrap puts a method of ours in the place of those named, where the browser has them.
  function wrap(owner, names, around) {
    for (const name of names) {
      const real = owner?.[name];
      if (real) owner[name] = { [name](...args) { return around(real, this, args); } }[name];
    }
  }
  const promised = (real, self, args) => awaited(real.apply(self, args));
  wrap(Response.prototype, ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'], promised);
  wrap(Blob.prototype, ['arrayBuffer', 'bytes', 'text'], promised);
  wrap(window.SubtleCrypto?.prototype, ['decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'exportKey', 'generateKey', 'importKey', 'sign', 'verify'], promised);
  wrap(window.OffscreenCanvas?.prototype, ['convertToBlob'], promised);
  wrap(window, ['createImageBitmap'], promised);
  wrap(HTMLCanvasElement.prototype, ['toBlob'], (real, self, [callback, ...rest]) => {
    const request = {};
    real.call(self, typeof callback === 'function' ? (blob) => { answer(request); callback(blob); } : callback, ...rest); // which refuses anything else
    unanswered.add(request);
  });
  wrap(FileReader.prototype, ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'], (real, self, args) => {
    real.apply(self, args);
    awaitEvent(self, 'loadend');
  });
  // Of a database every request and every transaction is waited for; what other documents
  // block is not.
  const requested = (real, self, args) => awaitEvent(real.apply(self, args), 'success', 'error', 'blocked');
  const CHANGES = ['add', 'clear', 'delete', 'put', 'update'];
  const READS = ['count', 'get', 'getAll', 'getAllKeys', 'getAllRecords', 'getKey', 'openCursor', 'openKeyCursor'];
  wrap(IDBFactory.prototype, ['deleteDatabase', 'open'], requested);
  for (const kind of [IDBObjectStore, IDBIndex, IDBCursor]) wrap(kind.prototype, [...READS, ...CHANGES].filter((name) => Object.hasOwn(kind.prototype, name)), requested);
  wrap(IDBCursor.prototype, ['advance', 'continue', 'continuePrimaryKey'], (real, self, args) => {
    real.apply(self, args);
    awaitEvent(self.request, 'success', 'error');
  });
  wrap(IDBDatabase.prototype, ['transaction'], (real, self, args) => awaitEvent(real.apply(self, args), 'complete', 'abort'));

  // Answers come from memory, but in real time: page time waits for them, so that they come
  // at the same moment on a busy machine and on an idle one.
  const unanswered = new Set();
  let lateAnswers = 0;
  let allAnswered = () => {};
  function answer(request) {
    unanswered.delete(request);
    if (unanswered.size === 0) allAnswered();
  }
  function awaited(promise) {
    const request = {};
    unanswered.add(request);
    return then.call(promise, (value) => { answer(request); return value; }, (error) => { answer(request); throw error; });
  }
  // awaitEvent has page time wait for the first of the events that answer what was asked of a target.
  function awaitEvent(target, ...answers) {
    const request = {};
    unanswered.add(request);
    for (const type of answers) realListen.call(target, type, () => answer(request), { once: true, capture: true });
    return target;
  }
  async function replies() {
    const inTime = await new RealPromise((done) => { allAnswered = () => done(true); realTimeout(() => done(false), ANSWER); });
    if (!inTime) { // what is late is not waited for again, nor anything where several were
      unanswered.clear();
      lateAnswers++;
    }
    await turn(); // the page makes something of it
  }

  // A video or a sound would play in real time: it stays at its start. Pictures that
  // move stand still too, by a setting of the browser.
  HTMLMediaElement.prototype.play = () => RealPromise.resolve();

  // ---- which parts listen, so that a link handled by a script is not called dead
  const clickable = new WeakSet();
  const pressable = new WeakSet();
  const PRESSES = new Set(['click', 'dblclick', 'contextmenu', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend']);
  const uses = { scroll: false, delegated: false, worker: false, pressed: false, keys: false };
  const SCROLLS = new Set(['scroll', 'scrollend']);
  const scrollListeners = new Set(); // targets that listen for scrolling
  const ENDS = new Set(['animationend', 'finish', 'transitionend']);
  const endListeners = new WeakSet(); // those that listen for the end of an animation
  const realListen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    const target = this ?? window; // a function that is called alone
    if (type === 'scroll') uses.scroll = true;
    if (type === 'click') {
      if (target === window || target === document || target === document.body) uses.delegated = true;
      else if (target instanceof Element) clickable.add(target);
    }
    if (PRESSES.has(type)) {
      if (target instanceof Element && target !== document.body && target !== document.documentElement) pressable.add(target);
      else uses.pressed = true;
    }
    if (type === 'keydown' || type === 'keyup' || type === 'keypress') uses.keys = true;
    realListen.call(target, type, ...rest); // which refuses what is no target
    if (SCROLLS.has(type)) scrollListeners.add(target);
    if (ENDS.has(type)) endListeners.add(target);
  };
  // What a page does on leaving would only reach the next one.
  realListen.call(window, 'playing', ({ target }) => { // by its autoplay attribute
    target.autoplay = false;
    target.pause();
    target.currentTime = 0;
  }, true);
  for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange']) {
    realListen.call(window, type, (e) => e.stopImmediatePropagation(), true);
  }
  // A full-page screenshot widens the window for a moment. The page must not see
  // that: many clear and lay out anew whatever they draw.
  for (const target of [window, window.visualViewport]) {
    if (target) realListen.call(target, 'resize', (e) => { if (e.isTrusted) e.stopImmediatePropagation(); }, true);
  }
  // ---- observers of sizes and of what is in view
  // The browser tells them whenever it draws, in real time. Here they are told with the page's
  // frames, and where what they watch has changed, the page waits for a drawing: a chart that
  // measures its box is there at the same moment on a busy machine and on an idle one.
  const REACTIONS = 5; // times in a row that what observers do may change what they watch
  const { getBoundingClientRect } = Element.prototype;
  const watches = new Set(); // of observers that have targets
  const DRAWN = window === window.top ? ANSWER : 500; // real time for a drawing: a frame may be hidden, which the browser does not draw
  const MISSES = 3; // drawings in a row that did not come, after which none is waited for
  let misses = 0;
  function placeOf(e) {
    const r = getBoundingClientRect.call(e);
    return `${r.x} ${r.y} ${r.width} ${r.height} ${window.innerWidth} ${window.innerHeight}`;
  }
  function sizeOf(e) {
    if (e.offsetWidth !== undefined) return e.offsetWidth || e.offsetHeight ? `${e.offsetWidth} ${e.offsetHeight} ${e.clientWidth} ${e.clientHeight}` : '';
    const r = getBoundingClientRect.call(e); // of a drawing
    return r.width || r.height ? `${r.width} ${r.height}` : '';
  }
  // pace returns a class of observers that are told by observed; look says of a target what
  // they watch, '' if they are not told of it at first.
  const pace = (Real, look) => class extends Real {
    #watch;
    constructor(callback, ...rest) {
      const told = [];
      super(typeof callback === 'function' ? (entries) => { for (const entry of entries) told.push(entry); } : callback, ...rest);
      this.#watch = { targets: new Map(), told, look, tell: (entries) => callback.call(this, entries, this), collect: () => { for (const entry of this.#kept()) told.push(entry); } };
    }
    observe(target, ...rest) {
      super.observe(target, ...rest);
      this.#watch.targets.set(target, '');
      watches.add(this.#watch);
    }
    unobserve(target) {
      super.unobserve(target);
      const { targets, told } = this.#watch;
      targets.delete(target);
      told.splice(0, told.length, ...told.filter((entry) => entry.target !== target));
      if (targets.size === 0) watches.delete(this.#watch);
    }
    disconnect() {
      super.disconnect();
      this.#watch.targets.clear();
      this.#watch.told.length = 0;
      watches.delete(this.#watch);
    }
    #kept() { return super.takeRecords?.() ?? []; } // what the browser has yet to tell
    takeRecords() { return [...this.#watch.told.splice(0), ...this.#kept()]; }
  };
  if (window.ResizeObserver) window.ResizeObserver = class ResizeObserver extends pace(window.ResizeObserver, sizeOf) {};
  if (window.IntersectionObserver) {
    window.IntersectionObserver = class IntersectionObserver extends pace(window.IntersectionObserver, placeOf) {
      constructor(...args) { super(...args); uses.scroll = true; }
    };
  }

  // drawing waits for the browser to draw.
  async function drawing() {
    if (misses >= MISSES) return;
    const inTime = await new RealPromise((done) => { then.call(painted(), done); realTimeout(() => done(false), DRAWN); });
    misses = inTime ? 0 : misses + 1;
  }

  // observed tells observers what has changed since they were last told.
  async function observed() {
    for (let n = 0; n < REACTIONS && watches.size > 0; n++) {
      let moved = false;
      for (const { targets, look } of watches) {
        for (const [target, before] of targets) {
          let at = before;
          try { at = look(target); } catch { } // the page has getters of its own there
          if (at !== before) { targets.set(target, at); moved = true; }
        }
      }
      if (moved) await drawing();
      let some = false;
      for (const { told, tell, collect } of [...watches]) {
        collect();
        if (told.length === 0) continue;
        some = true;
        changes++;
        const last = new Map(); // of each target what it is now: drawings in between are a matter of luck
        for (const entry of told.splice(0)) last.set(entry.target, entry);
        try { tell([...last.values()]); } catch (error) { report(error); }
      }
      if (!some) return;
      await turn();
    }
  }

  // ---- events that the browser sends when it next draws, in real time
  // They are those of an animation's end, of scrolling and of a dialog that closes: a page that
  // may hear of one waits for a drawing.
  let ended = false; // an animation that the page listens to
  const dialogs = new WeakSet(); // that were open
  const isOpen = Object.getOwnPropertyDescriptor(HTMLDialogElement.prototype, 'open').get;
  const scrolled = new WeakMap(); // target -> where it was scrolled to
  // hasEndListener reports whether a listener hears of the animation's end. A root of React
  // listens to everything, for its parts. A form has its fields' names instead of what it inherits.
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
  const hostOf = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'host').get;
  function hasEndListener(a) {
    if (endListeners.has(a) || a.onfinish || endListeners.has(window)) return true;
    try {
      for (let e = a.effect?.target; e; e = e instanceof ShadowRoot ? hostOf.call(e) : parentOf.call(e)) {
        const keys = Object.keys(e);
        if (e.ontransitionend || e.onanimationend || endListeners.has(e) && !keys.some((key) => key.startsWith('_reactListening'))) return true;
        if (keys.some((key) => key.startsWith('__reactProps$') && (e[key]?.onTransitionEnd || e[key]?.onAnimationEnd))) return true;
      }
    } catch { return true; } // the page has getters of its own there
    return false;
  }
  const positionOf = (target) => {
    try {
      return target instanceof Element ? `${target.scrollLeft} ${target.scrollTop}` : `${window.scrollX} ${window.scrollY}`;
    } catch { return ''; } // the page has getters of its own there
  };
  // drawn waits for a drawing where the page is to hear of one.
  async function drawn() {
    let due = ended;
    ended = false;
    for (const d of everywhere((scope) => scope.querySelectorAll('dialog'))) {
      if (isOpen.call(d)) dialogs.add(d);
      else if (dialogs.delete(d)) due = true;
    }
    if (window.onscroll || document.onscroll) scrollListeners.add(window);
    for (const target of scrollListeners) {
      const at = positionOf(target);
      if (scrolled.get(target) !== at) due ||= scrolled.has(target);
      scrolled.set(target, at);
    }
    if (!due) return;
    changes++;
    await drawing();
  }

  // ---- what changes without the clock: answers that arrive, workers that post
  const observer = new MutationObserver(() => { changes++; });
  const observe = (scope) => observer.observe(scope, { subtree: true, childList: true, attributes: true, characterData: true });
  observe(document);

  // ---- shadow trees
  // Neither observers nor getAnimations of a document reach into them, and closed ones are
  // out of reach of any script. The capture finds them and hands over a node of each.
  let roots = [];
  const { getRootNode } = Node.prototype;
  function adopt(...nodes) {
    roots = [];
    for (const root of new Set(Array.from(nodes, (n) => getRootNode.call(n)))) {
      if (!(root instanceof ShadowRoot)) continue;
      roots.push(root);
      observe(root);
    }
  }
  function everywhere(list) {
    const found = [];
    for (const scope of [document, ...roots]) found.push(...list(scope));
    return found;
  }
  const animations = () => everywhere((scope) => scope.getAnimations());
  // A worker runs in real time. One whose script stands alone runs our prelude first
  // and is held in step: at each animation frame it is told the time and says when it
  // has done what was due, unless it has nothing to do. Any other is waited for when the page asks something of it.
  // What workers post reaches the page at the next frame.
  const RealWorker = window.Worker;
  if (RealWorker) {
    window.Worker = class Worker extends RealWorker {
      constructor(url, options) {
        const alone = /^(blob|data):/.test(url); // any other may ask for files beside it
        super(alone ? withPrelude(String(url), options) : url, options);
        uses.worker = true;
        const order = ++workers;
        const pace = { turn: 0, idle: false, asked: false, tell: () => super.postMessage({ vitrineNow: now, turn: ++pace.turn }) };
        if (alone) paced.set(this, pace);
        realListen.call(this, 'message', (e) => {
          if (!e.isTrusted) return; // the one that we hand over
          e.stopImmediatePropagation();
          const done = e.data?.vitrineDone;
          if (done === undefined) {
            inbox.push({ order, worker: this, event: new MessageEvent('message', { data: e.data, ports: e.ports }) });
            if (!alone) settle(this);
          } else if (done === pace.turn) {
            pace.idle = e.data.idle;
            settle(this);
          }
        });
        realListen.call(this, 'error', () => settle(this));
      }
      postMessage(...args) {
        const pace = paced.get(this);
        if (pace?.idle) { // the time has passed it by
          pace.idle = false;
          pace.tell();
        }
        super.postMessage(...args);
        if (pace) pace.asked = true;
        else if (!late.has(this)) owing.add(this);
      }
      terminate() { super.terminate(); stopped.add(this); paced.delete(this); settle(this); }
    };
  }
  function settle(worker) {
    owing.delete(worker);
    late.delete(worker);
    if (owing.size === 0) answered();
  }

  // prelude runs in a worker before its own script: time, timers and randomness are
  // ours there too, and time passes when the page says so.
  function prelude(virtual, now, read, epoch) {
    const realPost = self.postMessage.bind(self);
    const realTimeout = self.setTimeout.bind(self);
    const timers = new Map(); // id -> {due, every, run}
    let lastId = 0;
    let reachable = false; // by others than the page that made it
    const RealChannel = self.BroadcastChannel;
    self.BroadcastChannel = class BroadcastChannel extends RealChannel { constructor(name) { super(name); reachable = true; } };
    virtual(self, () => (now += read), epoch);
    // The address of a blob is random, and stacks that a page shows hold it.
    Error.prepareStackTrace = (error, calls) => [error, ...calls].join('\n    at ').replace(/blob:[^\s:]+:[^\s:]*[0-9a-f-]{36}/g, 'blob:');
    const add = (run, delay, args, repeat) => {
      const wait = Math.max(1, delay | 0);
      timers.set(++lastId, { id: lastId, due: now + wait, every: repeat ? Math.max(4, wait) : 0, run: () => (typeof run === 'function' ? run(...args) : (0, eval)(String(run))) });
      return lastId;
    };
    self.setTimeout = (run, delay, ...args) => add(run, delay, args, false);
    self.setInterval = (run, delay, ...args) => add(run, delay, args, true);
    self.requestAnimationFrame = (run) => add(() => run(now), 1, [], false);
    self.clearTimeout = self.clearInterval = self.cancelAnimationFrame = (id) => { timers.delete(Number(id)); };
    const due = (until) => Array.from(timers.values()).filter((t) => t.due <= until).sort((a, b) => a.due - b.due || a.id - b.id)[0];
    self.addEventListener('message', (e) => {
      const until = e.data?.vitrineNow;
      reachable ||= e.ports.length > 0;
      if (until === undefined) return;
      e.stopImmediatePropagation();
      for (let t, calls = 0; calls < 1000 && (t = due(until)); calls++) {
        now = Math.max(now, t.due);
        if (t.every) t.due += t.every; else timers.delete(t.id);
        try { t.run(); } catch (error) { realTimeout(() => { throw error; }, 0); }
      }
      now = Math.max(now, until);
      realPost({ vitrineDone: e.data.turn, idle: timers.size === 0 && !reachable });
    });
  }
  const blobURL = URL.createObjectURL.bind(URL);
  function withPrelude(url, options) {
    const script = (text) => blobURL(new Blob([text], { type: 'text/javascript' }));
    const both = [script(`(${prelude})(${virtual}, ${now}, ${READ}, ${EPOCH})`), url].map((u) => JSON.stringify(u));
    return script(options?.type === 'module' ? `import ${both[0]}; import ${both[1]};` : `importScripts(${both})`);
  }
  URL.revokeObjectURL = () => {}; // such a worker loads its script later than the page thinks

  // lively parts draw by themselves, in real time or in a frame of their own.
  const lively = () => uses.worker || document.querySelector('iframe, object, embed, frame') !== null;

  // ---- on the way to another document of the site
  // A document that is about to be replaced is not what there is to see. Time stands
  // still in it, so that the same page is left at the same moment on a busy machine and
  // on an idle one; its end is the end of whoever waits here.
  let leaving = false;
  let waits = 3; // for a document that never comes, such as a download
  const { navigation } = window;
  if (navigation && window.top === window) {
    realListen.call(navigation, 'navigate', (e) => {
      if (!e.destination.sameDocument && e.downloadRequest === null && e.destination.url.startsWith(location.origin + '/')) leaving = true;
    });
    for (const type of ['navigatesuccess', 'navigateerror']) realListen.call(navigation, type, () => { leaving = false; });
  }
  async function replaced() {
    // In transition are those alone that a script of the page carries out itself, for
    // which it may need time to pass.
    if (navigation.transition === null && waits-- > 0) await new RealPromise((done) => realTimeout(done, ANSWER));
    leaving = false; // it stays after all
  }

  // ---- advancing
  const channel = new MessageChannel();
  let turned = null;
  channel.port1.onmessage = () => { const done = turned; turned = null; done(); };
  const turn = () => new RealPromise((done) => { turned = done; channel.port2.postMessage(0); });

  function report(error) { realTimeout(() => { throw error; }, 0); }

  function earliest() {
    let first = null;
    for (const t of timers.values()) if (!first || t.due < first.due || (t.due === first.due && t.id < first.id)) first = t;
    return first;
  }

  // overdue says whether something of this very moment has yet to run.
  function overdue(calls) {
    return now >= nextFrame || calls < CALLBACKS && earliest()?.due <= now;
  }

  function fire(t) {
    if (t.every) t.due += t.every; else timers.delete(t.id);
    depth = t.depth;
    changes++;
    try { t.run(); } catch (error) { report(error); }
    depth = 0;
  }

  // seek puts every CSS and Web animation at the page's time.
  function seek() {
    for (const a of animations()) {
      if (!started.has(a)) {
        if (a.playState !== 'running') continue; // the page itself holds or ended it
        started.set(a, now);
      }
      const end = a.effect ? a.effect.getComputedTiming().endTime : 0;
      const age = (now - started.get(a)) * Math.abs(a.playbackRate || 1);
      if (a.playState !== 'finished') changes++;
      try {
        if (age >= end) { if (a.playState !== 'finished') { ended ||= hasEndListener(a); a.finish(); } } else { a.pause(); a.currentTime = age; }
      } catch { /* an animation without an end cannot be finished; it stays where it is */ }
    }
    for (const svg of everywhere((scope) => scope.querySelectorAll('svg'))) {
      if (svg.ownerSVGElement) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(now / 1000);
      if (svg.querySelector('animate, animateTransform, animateMotion, set')) changes++;
    }
  }

  // deliver brings the workers up to now and hands the page what they posted.
  async function deliver() {
    for (const [worker, pace] of paced) {
      if (late.has(worker) || pace.idle && !pace.asked) continue;
      pace.asked = pace.idle = false;
      owing.add(worker);
      pace.tell();
    }
    if (owing.size > 0) await new RealPromise((done) => { answered = done; realTimeout(done, ANSWER); });
    for (const worker of owing) late.add(worker);
    owing.clear();
    const letters = inbox.sort((a, b) => a.order - b.order); // not by who was faster
    inbox = [];
    for (const { worker, event } of letters) {
      if (stopped.has(worker)) continue;
      changes++;
      worker.dispatchEvent(event);
    }
  }

  function frame() {
    for (const [id, callback] of [...frames]) {
      if (!frames.delete(id)) continue; // one before took it back
      changes++;
      try { callback(now); } catch (error) { report(error); }
    }
    seek();
  }

  function children() {
    const found = [];
    for (let i = 0; i < window.frames.length && i < FRAMES; i++) {
      try { const c = window.frames[i].__vitrine; if (c) found.push(c); } catch { /* of another origin */ }
    }
    return found;
  }

  // unfocus lets the browser take the focus from an element that can no longer have it,
  // which it does when it next draws, in real time: the page may have enabled it again.
  let kept = null; // an element that the browser left the focus nevertheless
  const { matches, checkVisibility } = Element.prototype; // a form has its fields' names instead of these
  async function unfocus() {
    const f = document.activeElement;
    if (!f || f === document.body || f === kept || !matches.call(f, ':disabled') && checkVisibility.call(f)) return;
    await painted(); // which sets a timer of the browser's own
    for (let turns = 0; turns < 5 && document.activeElement === f; turns++) await settled();
    if (document.activeElement === f) kept = f;
  }

  // unscripted: a sandboxed frame may have no scripts of its own, and then no events either.
  const unscripted = window.matchMedia('(scripting: none)').matches;

  // advance lets page time pass and says whether the picture may have changed. Steps of
  // the protocol have a number, so that each frame takes part once.
  let stepped = 0;
  async function advance(ms, step) {
    stepped = step || stepped;
    if (unscripted) { // nothing is ever called here, but styles may move it
      now += ms;
      seek();
      return true;
    }
    const end = now + ms;
    const before = changes;
    let calls = 0;
    let replied = 0;
    await drawn();
    await observed();
    for (;;) {
      while (unanswered.size > 0 && lateAnswers < LATE && replied++ < REPLIES) await replies();
      if (leaving) await replaced();
      if (now >= end && !overdue(calls)) break;
      await unfocus();
      const t = earliest();
      const next = Math.min(end, nextFrame, t ? Math.max(t.due, now) : Infinity);
      now = next;
      if (t && t.due <= now && calls < CALLBACKS) { calls++; fire(t); await turn(); continue; }
      if (t && t.due <= now) t.due = end + 1; // spinning: let time pass
      if (now >= nextFrame) {
        nextFrame += frameTime;
        await deliver();
        frame();
        await turn();
        await drawn();
        await observed();
      }
    }
    seek();
    await drawn();
    for (const c of children()) await c.advance(ms, step);
    return changes !== before || lively();
  }

  // follow advances a frame that no other clock has advanced in this step.
  async function follow(ms, step) {
    if (stepped !== step) await advance(ms, step);
  }

  // slow spaces animation frames out.
  function slow() {
    frameTime = SLOW_FRAME;
    for (const c of children()) c.slow();
  }

  // next says in how many whole milliseconds of page time anything could change by itself, at
  // most limit: 0 where something moves now. Animations that never end change no texts and can
  // be ignored.
  const ends = (a) => a.effect?.getComputedTiming().endTime !== Infinity;
  const moves = (a) => (started.has(a) ? a.playState !== 'finished' : a.playState === 'running');
  function next(limit, ignoreEndless) {
    if (frames.size > 0 || inbox.length > 0 || uses.worker || unanswered.size > 0 && lateAnswers < LATE) return 0;
    for (const a of animations()) if (moves(a) && !(ignoreEndless && !ends(a))) return 0;
    for (const e of document.querySelectorAll('svg animate, svg animateTransform, svg animateMotion, svg set')) if (!(ignoreEndless && e.getAttribute('repeatCount') === 'indefinite')) return 0;
    const t = earliest();
    let first = t ? Math.min(limit, Math.max(0, t.due - now)) : limit;
    for (const c of children()) first = Math.min(first, c.next(limit, ignoreEndless));
    return first | 0;
  }

  // later says in how much page time the first timer is due that runs once and was set
  // after the one numbered since, or -1 for none.
  function later(since) {
    let first = -1;
    for (const t of timers.values()) if (t.id > since && !t.every && (first < 0 || t.due - now < first)) first = Math.max(0, t.due - now);
    return first;
  }

  // settled resolves after what is due in real time has run: errors of timers are
  // thrown there.
  const settled = () => new RealPromise((done) => realTimeout(() => done(true), 0));

  // painted resolves after the browser has really drawn what there is.
  const painted = () => new RealPromise((done) => realFrame(() => realTimeout(() => done(true), 0)));

  // sweep scrolls down and up again as a person would, so that what appears on
  // scrolling appears.
  async function sweep(limit) {
    if (!uses.scroll) return false;
    const step = Math.max(200, window.innerHeight * 0.8);
    const bottom = Math.min(limit, document.documentElement.scrollHeight);
    for (let y = step; y < bottom + step; y += step) {
      window.scrollTo({ top: y, behavior: 'instant' });
      await painted();
      await advance(2 * FRAME);
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
    await painted();
    return true;
  }

  // acts says for each <a>, in document order and then shadow tree by shadow tree, whether
  // a script handles it.
  function acts() {
    return Array.from(everywhere((scope) => scope.querySelectorAll('a')), (a) => {
      for (let e = a; e && e !== document.body; e = e.parentElement || e.parentNode?.host) {
        if (clickable.has(e) || e.onclick) return true;
        const key = Object.keys(e).find((k) => k.startsWith('__reactProps$'));
        if (key && e[key] && e[key].onClick) return true;
      }
      return uses.delegated;
    });
  }

  // wired lists the elements that handle being pressed, by their number in document order and
  // then shadow tree by shadow tree; all is true where the whole document does, keys where
  // anything listens to the keyboard. A root of React handles nothing by itself: its parts do.
  const ON = ['onclick', 'ondblclick', 'oncontextmenu', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ontouchstart', 'ontouchend'];
  const PROP = /^on(Click|DoubleClick|ContextMenu|Mouse(Down|Up)|Pointer(Down|Up)|Touch(Start|End))(Capture)?$/;
  const handlesPress = (e) => {
    let root = false;
    for (const key of Object.keys(e)) {
      if (key.startsWith('__reactProps$')) { if (Object.keys(e[key] || {}).some((name) => PROP.test(name))) return true; }
      else if (key.startsWith('_reactListening')) root = true;
      else if (key === '__click' || key === '$$click') return true; // Svelte, Solid
    }
    return !root && pressable.has(e) || ON.some((name) => e[name]);
  };
  function wired() {
    const at = [];
    const every = everywhere((scope) => Array.from(scope.querySelectorAll('*')));
    let all = uses.pressed || ON.some((name) => window[name] || document[name]);
    every.forEach((e, i) => {
      if (!handlesPress(e)) return;
      if (e === document.body || e === document.documentElement) all = true;
      else at.push(i);
    });
    return { all, at, keys: uses.keys };
  }

  const clock = Object.freeze({ advance, follow, adopt, slow, painted, settled, next, later, sweep, acts, wired, get now() { return now; }, get last() { return lastId; }, get works() { return uses.worker; } });
  Object.defineProperty(window, '__vitrine', { value: clock, enumerable: false, configurable: false, writable: false });
})();
//# sourceURL=vitrine-clock.js
