// The gallery: filters, sorts and pages over window.vitrineIndex. All of its
// state is in the hash of the URL; the controls only write the hash, and the hash
// alone decides what is shown. What comes from samples is set as text, never as
// markup.
(() => {
  'use strict';
  const PAGE = 60;
  const ID = 0, FILE = 1, MODEL = 2, OUTCOME = 3, REWARD = 4, THUMB = 5, TEXT = 6;
  const index = window.vitrineIndex;
  const at = (id) => document.getElementById(id);
  const controls = { q: at('q'), outcome: at('outcome'), model: at('model'), sort: at('sort') };
  const cards = at('cards');
  let words = null; // lower-case text of each row, made when first searched
  let state = {};

  const outcomeOf = (row) => index.outcomes[row[OUTCOME]];
  const points = (v) => (v === null ? '–' : v.toFixed(index.digits).replace('-', '−'));

  // ---- hash ⇄ state
  // A hash without "=" is an anchor on the page and says nothing about the state.
  const isState = () => location.hash === '' || location.hash.includes('=');

  function read() {
    const hash = new URLSearchParams(location.hash.slice(1));
    state = { page: Math.max(1, parseInt(hash.get('page'), 10) || 1) };
    for (const name of Object.keys(controls)) state[name] = hash.get(name) || '';
  }

  function hashOf(s) {
    const hash = new URLSearchParams();
    for (const name of Object.keys(controls)) if (s[name]) hash.set(name, s[name]);
    if (s.page > 1) hash.set('page', s.page);
    return hash.toString();
  }

  // write puts a change into the hash. A new page is a step to go back to;
  // anything else takes the place of what was.
  function write(change, step) {
    const url = '#' + (hashOf({ ...state, page: 1, ...change }) || 'q=');
    if (step) location.hash = url;
    else location.replace(url);
  }

  // ---- what to show
  function matching() {
    const find = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    if (find.length && !words) {
      words = index.rows.map((r) => [r[ID], index.models[r[MODEL]], r[TEXT]].join('\n').toLowerCase());
    }
    const found = [];
    index.rows.forEach((row, i) => {
      if (state.outcome && outcomeOf(row)[0] !== state.outcome) return;
      if (state.model && index.models[row[MODEL]] !== state.model) return;
      if (find.every((w) => words[i].includes(w))) found.push(row);
    });
    const order = orders[state.sort];
    return order ? found.sort(order) : found;
  }

  // What has no reward comes last, whichever way rewards are sorted.
  const byReward = (sign) => (a, b) => {
    if (a[REWARD] === null || b[REWARD] === null) return (a[REWARD] === null) - (b[REWARD] === null);
    return sign * (a[REWARD] - b[REWARD]);
  };
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const orders = {
    best: byReward(-1),
    worst: byReward(1),
    id: (a, b) => compare(a[ID], b[ID]),
    outcome: (a, b) => compare(outcomeOf(a)[1], outcomeOf(b)[1]) || compare(a[ID], b[ID]),
  };

  // ---- drawing
  function make(tag, className, text) {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function picture(row) {
    if (!row[THUMB]) return make('span', 'nothing ' + outcomeOf(row)[2], 'No picture');
    const img = make('img');
    img.loading = 'lazy';
    img.decoding = 'async';
    img.width = 360;
    img.height = 270;
    img.alt = '';
    img.src = row[THUMB];
    return img;
  }

  function card(row, back) {
    const [, name, style] = outcomeOf(row);
    const a = make('a', 'card');
    a.href = 'report/s/' + encodeURIComponent(row[FILE]) + '.html' + (back && '#from=' + encodeURIComponent(back));
    const head = make('span', 'head');
    head.append(make('b', 'id', row[ID]), make('span', 'points', points(row[REWARD])));
    const tags = make('span', 'tags');
    tags.append(make('span', 'badge ' + style, name));
    if (index.models[row[MODEL]]) tags.append(make('span', 'model', index.models[row[MODEL]]));
    a.append(picture(row), head, tags, make('span', 'text', row[TEXT]));
    const li = make('li');
    li.append(a);
    return li;
  }

  function show() {
    const found = matching();
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    const page = Math.min(state.page, pages);
    state.page = page;
    const from = (page - 1) * PAGE;
    const shown = found.slice(from, from + PAGE);
    const back = hashOf(state);
    cards.replaceChildren(...shown.map((row) => card(row, back)));
    at('found').textContent = found.length
      ? `${from + 1} to ${from + shown.length} of ${found.length}` + (found.length < index.rows.length ? ` found in ${index.rows.length} samples` : ' samples')
      : `None of ${index.rows.length} samples fits.`;
    for (const [name, control] of Object.entries(controls)) if (control.value !== state[name]) control.value = state[name];
    at('clear').disabled = !Object.keys(controls).some((name) => state[name]);
    at('pager').hidden = pages === 1;
    at('prev').disabled = page === 1;
    at('next').disabled = page === pages;
    at('pages').textContent = `of ${pages}`;
    if (at('page').length !== pages) at('page').replaceChildren(...Array.from({ length: pages }, (_, i) => new Option(i + 1, i + 1)));
    at('page').value = page;
  }

  // ---- controls
  function choices(select, all, values) {
    select.replaceChildren(new Option(all, ''), ...values.map(([value, text, n]) => new Option(`${text} (${n})`, value)));
  }

  function prepare() {
    const outcomes = index.outcomes.map(([key, name]) => [key, name, 0]);
    const models = index.models.map((name) => [name, name, 0]);
    for (const row of index.rows) {
      outcomes[row[OUTCOME]][2]++;
      models[row[MODEL]][2]++;
    }
    choices(controls.outcome, 'all', outcomes);
    choices(controls.model, 'all', models.filter(([name]) => name).sort((a, b) => compare(a[0], b[0])));
    at('modelfield').hidden = index.models.length < 2;
    at('tools').hidden = false;
  }

  function turn(by) {
    const button = at(by < 0 ? 'prev' : 'next');
    if (button.disabled || at('pager').hidden) return;
    write({ page: state.page + by }, true);
    at('gallery').scrollIntoView({ behavior: 'instant' });
  }

  for (const [name, control] of Object.entries(controls)) control.addEventListener('input', () => write({ [name]: control.value }));
  at('page').addEventListener('change', () => write({ page: Number(at('page').value) }, true));
  at('prev').addEventListener('click', () => turn(-1));
  at('next').addEventListener('click', () => turn(1));
  at('clear').addEventListener('click', () => { write({ q: '', outcome: '', model: '', sort: '' }); controls.q.focus(); });
  at('tools').addEventListener('submit', (e) => e.preventDefault());
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select, textarea')) return;
    if (e.key === '/') { e.preventDefault(); controls.q.focus(); controls.q.select(); }
    if (e.target.closest('[tabindex="0"]')) return; // arrows scroll there
    if (e.key === 'ArrowLeft') turn(-1);
    if (e.key === 'ArrowRight') turn(1);
  });
  addEventListener('hashchange', () => {
    if (!isState()) return;
    read();
    show();
  });
  for (const a of document.querySelectorAll('.legend a')) a.addEventListener('click', () => at('gallery').scrollIntoView());

  prepare();
  if (isState()) read();
  else { state = { page: 1 }; for (const name of Object.keys(controls)) state[name] = ''; }
  show();
  if (location.hash.includes('=')) at('gallery').scrollIntoView({ behavior: 'instant' });
})();
