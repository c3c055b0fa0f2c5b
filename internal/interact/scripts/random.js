// random carries out events, drawn by a seed, on a page: clicks, keys, entries, choices and drags, a
// third of them on any element at all. It returns what was read after each: the text that is
// shown, what stands in the fields, and at the end what is stored. Events are made by script, so that
// thousands take seconds; where a link would leave the document, the click is left out.
(seed, events) => {
  'use strict';
  let state = seed >>> 0 || 1;
  const draw = (n) => { // xorshift32
    state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0;
    return state % n;
  };
  const pick = (all) => all[draw(all.length)];
  const KEYS = ['Enter', 'Escape', 'Tab', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Backspace', 'a', 'z', '1', '7'];
  const WORDS = ['amber', 'birch 12', 'cobalt', '7', '42', '3.5', '0', '-1', '', 'delta@example.org', '2026-02-14', '09:30', 'echo fox golf'];
  const OPERABLE = 'button, a, input, select, textarea, summary, label, [onclick], [role], [tabindex], [contenteditable], [draggable], li, td';
  const shown = (all) => all.filter((e) => { const r = e.getClientRects(); return r.length > 0 && r[0].width > 0 && !e.disabled; });
  const fire = (e, type, kind, more) => e.dispatchEvent(new kind(type, { bubbles: true, cancelable: true, composed: true, view: window, ...more }));
  const leaves = (e) => { const a = e.closest('a[href]'); return !!a && !/^(#|javascript:)/i.test(a.getAttribute('href')); };
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
  const key = (e, name) => {
    for (const type of ['keydown', 'keypress', 'keyup']) fire(e, type, KeyboardEvent, { key: name, code: name === ' ' ? 'Space' : name.length === 1 ? 'Key' + name.toUpperCase() : name });
  };
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
      enter(field, pick(WORDS));
      if (what < 4) key(field, 'Enter');
      if (what === 4 && field.form) field.form.requestSubmit();
      return;
    }
    press(e, true);
    if (!leaves(e) && e.click) e.click();
    if (what === 2) fire(e, 'dblclick', MouseEvent, at(e));
  };
  const read = [];
  for (let i = 0; i < events && document.body; i++) {
    try { step(); } catch (err) { read.push(err.name); } // an element that is like no other
    read.push(document.body.innerText, ...[...document.querySelectorAll('input, select, textarea')].map((e) => e.value + e.checked + e.disabled));
  }
  let stored = '';
  try { stored = JSON.stringify([localStorage, sessionStorage]); } catch { /* refused, as to data URLs */ }
  let hash = 0xcbf29ce484222325n; // FNV-1a
  let low = 0x811c9dc5;
  for (const text of [...read, stored, location.hash]) {
    for (let i = 0; i < text.length; i++) low = Math.imul(low ^ text.charCodeAt(i), 0x01000193) >>> 0;
    hash = BigInt.asUintN(64, (hash ^ BigInt(low)) * 0x100000001b3n);
  }
  return hash.toString(16);
}
