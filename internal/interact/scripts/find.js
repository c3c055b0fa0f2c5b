const norm = (s) => clean(s, 400).toLowerCase();
const TEXTBOX = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']);
const BUTTON = new Set(['button', 'clickable', 'tab', 'menuitem', 'switch']);
const alike = (have, want) => have === want || want === 'textbox' && TEXTBOX.has(have) || want === 'clickable' && have === '' || want === 'searchbox' && have === 'textbox';

// best keeps the elements whose text fits best: equal, then beginning with it, then
// containing it.
function best(list, text, of) {
  const want = norm(text);
  if (!want) return list;
  const levels = [[], [], []];
  for (const e of list) {
    const have = norm(of(e));
    if (have === want) levels[0].push(e);
    else if (have.startsWith(want)) levels[1].push(e);
    else if (have.includes(want)) levels[2].push(e);
  }
  return levels.find((l) => l.length) || [];
}

function everything() {
  const all = [];
  walk(document, (e) => { if (!SKIP.has(e.localName)) all.push(e); });
  return all;
}

const hint = (e) => own(e).getAttribute('placeholder') || own(e).getAttribute('data-placeholder');

// spelled are the smallest elements that say a text.
function spelled(text) {
  const want = norm(text);
  const found = everything().filter((e) => e.localName !== 'html' && e.localName !== 'body' && norm(textOf(e, 400)).includes(want));
  const set = new Set(found);
  const smallest = found.filter((e) => ![...own(e).children, ...(own(e).shadowRoot?.children || [])].some((c) => set.has(c)));
  const buttons = everything().filter((e) => e.localName === 'input' && /^(button|submit|reset)$/.test(e.type) && norm(e.value).includes(want));
  return best(smallest.concat(buttons), text, (e) => e.value && e.localName === 'input' ? e.value : textOf(e, 400));
}

function matching(t) {
  if (t.css) return at(t.css);
  if (t.point && t.point.length === 2) { const e = hit(t.point[0] / 1000 * innerWidth, t.point[1] / 1000 * innerHeight); return e ? [e] : []; }
  if (t.role) {
    const role = norm(t.role);
    let list = everything().filter((e) => alike(roleOf(e), role));
    let found = t.name ? best(list, t.name, nameOf) : list;
    if (!found.length && t.name && BUTTON.has(role)) found = best(everything().filter((e) => BUTTON.has(roleOf(e)) || roleOf(e) === 'link' || getComputedStyle(e).cursor === 'pointer'), t.name, nameOf);
    return found;
  }
  if (t.label) {
    const fields = everything().filter((e) => isField(e) || editable(e) || TEXTBOX.has(roleOf(e)) || ACTIVE.has(own(e).getAttribute('role')));
    return best(fields, t.label, nameOf);
  }
  if (t.placeholder) return best(everything().filter(hint), t.placeholder, hint);
  if (t.text) return spelled(t.text);
  if (t.name) return best(everything().filter((e) => isField(e) || ACTIVE.has(roleOf(e)) || getComputedStyle(e).cursor === 'pointer'), t.name, nameOf);
  return [];
}

// parses says whether every step of a path is a selector, also one that is never come to.
function parses(path) {
  const steps = path.split('>>>').map((s) => s.trim()).filter(Boolean);
  try { for (const s of steps) document.createDocumentFragment().querySelector(s); } catch { return false; }
  return steps.length > 0;
}

// query lists what a target describes: those that are seen first. bad is a selector
// that is none, which says nothing of the page.
function query(t, attrs, styles, limit) {
  if (t.css && !parses(t.css)) return { bad: true };
  let found = matching(t);
  const seen = new Map(found.map((e) => [e, shown(stand(e))]));
  found = found.filter((e) => seen.get(e)).concat(found.filter((e) => !seen.get(e)));
  if (t.nth > 0) found = found.slice(t.nth - 1, t.nth);
  const focus = focused();
  return {
    found: found.slice(0, limit).map((e) => ({
      path: pathOf(e), role: roleOf(e), name: nameOf(e), tag: e.localName, type: e.localName === 'input' ? e.type : '', text: textOf(e, 500), visible: seen.get(e), enabled: !isOff(e), checked: isChecked(e) || own(e).getAttribute('aria-selected') === 'true' || own(e).getAttribute('aria-pressed') === 'true',
      value: FIELDS.has(e.localName) ? (e.localName === 'select' ? valueOf(e) : String(e.value).slice(0, 500)) : valueOf(e), focused: e === focus, box: box(rectOf(stand(e))), states: statesOf(e, focus),
      attrs: Object.fromEntries(attrs.filter((a) => own(e).hasAttribute(a)).map((a) => [a, own(e).getAttribute(a).slice(0, 500)])),
      style: Object.fromEntries(styles.map((p) => [p, getComputedStyle(e).getPropertyValue(p)])),
    })),
  };
}
