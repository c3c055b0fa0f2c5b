// random carries out events, drawn by a seed, on a page: clicks, keys, entries, choices and drags, a
// third of them on any element at all. It returns what was read after each: the text that is
// shown, what stands in the fields, and at the end what is stored. Events are made by script, so that
// thousands take seconds; no link leaves the document. A key that is pressed is released at the next call.
(seed, events) => {
  'use strict';
  let state = seed >>> 0 || 1;
  const draw = (n) => { // xorshift32
    state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0;
    return state % n;
  };
  const pick = (all) => all[draw(all.length)];
  const KEYS = [['Enter', 13], ['Escape', 27], ['Tab', 9], [' ', 32], ['ArrowLeft', 37], ['ArrowUp', 38], ['ArrowRight', 39], ['ArrowDown', 40], ['Backspace', 8],
    ...[...'adpqrswz'].map((k) => [k, k.toUpperCase().charCodeAt(0)]), ...[...'0123456789'].map((k) => [k, k.charCodeAt(0)])];
  const WORDS = ['amber', 'birch 12', 'cobalt', '7', '42', '3.5', '0', '-1', '', 'delta@example.org', '2026-02-14', '09:30', 'echo fox golf'];
  const OPERABLE = 'button, a, input, select, textarea, summary, label, [onclick], [role], [tabindex], [contenteditable], [draggable], li, td';
  const shown = (all) => all.filter((e) => { const r = e.getClientRects(); return r.length > 0 && r[0].width > 0 && !e.disabled; });
  const fire = (e, type, kind, more) => e.dispatchEvent(new kind(type, { bubbles: true, cancelable: true, composed: true, view: window, ...more }));
  const stay = (e) => { // as the last listener
    const a = e.target.closest && e.target.closest('a[href]');
    if (a && !/^(#|javascript:)/i.test(a.getAttribute('href'))) e.preventDefault();
  };
  const at = (e) => { const r = e.getBoundingClientRect(); return { clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, button: 0 }; };
  const press = (e, up) => {
    const where = at(e);
    for (const [type, kind] of [['pointerover', PointerEvent], ['mouseover', MouseEvent], ['pointerdown', PointerEvent], ['mousedown', MouseEvent]]) fire(e, type, kind, where);
    if (up) for (const [type, kind] of [['pointerup', PointerEvent], ['mouseup', MouseEvent]]) fire(e, type, kind, where);
  };
  const enter = (e, value) => {
    const proto = e.localName === 'textarea' ? HTMLTextAreaElement : e.localName === 'select' ? HTMLSelectElement : HTMLInputElement;
    try { Object.getOwnPropertyDescriptor(proto.prototype, 'value').set.call(e, value); } catch { return; } // such as a file
    for (const type of ['input', 'change']) fire(e, type, Event);
  };
  const key = (e, [name, code], types = ['keydown', 'keypress']) => {
    const physical = name === ' ' ? 'Space' : /^\d$/.test(name) ? 'Digit' + name : name.length === 1 ? 'Key' + name.toUpperCase() : name;
    for (const type of types) fire(e, type, KeyboardEvent, { key: name, code: physical, keyCode: code, which: code });
    if (types[0] === 'keydown') (globalThis.__vitrinePressed ||= []).push([e, [name, code]]);
  };
  for (const [e, k] of (globalThis.__vitrinePressed || []).splice(0)) key(e.isConnected ? e : document.body || document, k, ['keyup']);
  const step = () => {
    const operable = shown([...document.querySelectorAll(OPERABLE)]), any = shown([...document.body.querySelectorAll('*')]);
    const all = operable.length > 0 && draw(3) > 0 ? operable : any, what = draw(10);
    if (all.length === 0) return;
    const e = pick(all), field = e.matches('input, select, textarea') ? e : null;
    if (what === 0) return key(document.activeElement || document.body, pick(KEYS));
    if (what === 1) {
      const to = pick(all), data = new DataTransfer();
      press(e, false);
      fire(e, 'dragstart', DragEvent, { dataTransfer: data });
      for (const type of ['dragenter', 'dragover', 'drop']) fire(to, type, DragEvent, { dataTransfer: data, ...at(to) });
      fire(e, 'dragend', DragEvent, { dataTransfer: data });
      for (const [type, kind] of [['pointermove', PointerEvent], ['mousemove', MouseEvent], ['pointerup', PointerEvent], ['mouseup', MouseEvent]]) fire(to, type, kind, at(to));
      return;
    }
    if (field && field.localName === 'select' && field.options.length > 0) return enter(field, pick([...field.options]).value);
    if (field && !['checkbox', 'radio', 'button', 'submit', 'reset', 'file'].includes(field.type)) {
      field.focus();
      const own = document.body.innerText.match(/\p{L}{3,}/gu) || WORDS; // what a search finds
      enter(field, pick(draw(2) ? WORDS : own));
      if (what < 4) key(field, KEYS[0]);
      if (what === 4 && field.form) field.form.requestSubmit();
      return;
    }
    press(e, true);
    addEventListener('click', stay);
    if (e.click) e.click();
    removeEventListener('click', stay);
    if (what === 2) fire(e, 'dblclick', MouseEvent, at(e));
  };
  const read = [];
  for (let i = 0; i < events && document.body; i++) {
    try { step(); } catch (err) { read.push(err.name); } // an element that is like no other
    read.push(document.body.innerText, ...[...document.querySelectorAll('input, select, textarea')].map((e) => e.value + e.checked + e.disabled));
  }
  let stored = '';
  try { stored = JSON.stringify([localStorage, sessionStorage]); } catch { /* refused, as to data URLs */ }
  let hash = 0x811c9dc5; // FNV-1a, of 32 bits: a page's texts may be long
  for (const text of [...read, stored, location.hash]) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash.toString(16);
}
