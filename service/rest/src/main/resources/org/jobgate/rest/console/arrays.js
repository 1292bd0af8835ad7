// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Arrays: their list, and one as a grid of its elements.
import { api, attempt, enc, FINAL, h, notice, STATES, time } from './kit.js';
import { listen } from './live.js';

// more cells than this are shown by pages
const CELLS = 1000;

const counts = (states) => Object.entries(states).filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`).join(', ');

export function arrays(main) {
  const stopped = new AbortController();
  const rows = h('tbody');
  const more = h('button', { click: () => attempt(next) }, 'Older arrays');
  let cursor;
  main.append(h('h1', {}, 'Arrays'),
    h('div', { class: 'panel scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...['Array', 'Jobs', 'LRM', 'Account', 'Created', 'How they stand'].map((name) => h('th', { scope: 'col' }, name)))), rows)), more);
  async function next() {
    const page = await api('GET', `/arrays?limit=50${cursor ? `&cursor=${enc(cursor)}` : ''}`, undefined, {}, stopped.signal);
    rows.append(...page.arrays.map((array) => h('tr', {},
      h('td', {}, h('a', { href: `#/arrays/${enc(array.id)}`, title: array.id }, array.id.slice(0, 8))), h('td', { class: 'number' }, array.size),
      h('td', {}, array.lrm), h('td', {}, array.account), h('td', {}, time(array.created)), h('td', {}, counts(array.states)))));
    cursor = page.next;
    more.hidden = !cursor;
    if (!rows.firstChild) rows.append(h('tr', {}, h('td', { colspan: 6, class: 'soft' }, 'There are no arrays. The page Submit makes one where it is given values.')));
  }
  attempt(next);
  return () => stopped.abort();
}

export function arrayPage(main, parameters, id) {
  const stopped = new AbortController();
  const facts = h('p', { role: 'status' });
  const cells = h('div', { class: 'cells' });
  const pages = h('div', { class: 'bar' });
  const part = h('input', { placeholder: 'all, or e.g. 3,7,10-20', 'aria-label': 'Which elements' });
  const most = h('input', { type: 'number', min: 1, 'aria-label': 'How many may run at once' });
  const act = (name) => attempt(async () => {
    if (name === 'cancel' && !confirm(`End ${part.value.trim() || 'all'} elements?`)) return;
    const body = part.value.trim() ? { elements: part.value.trim() } : {};
    await api('POST', `/arrays/${enc(id)}/${name}`, body);
    await again();
  });
  let cursors = [''];
  let following = null;
  main.append(h('h1', {}, `Array ${id}`),
    h('div', { class: 'bar' }, h('label', {}, 'Elements', part), h('button', { class: 'danger', click: () => act('cancel') }, 'cancel'), ...['hold', 'release', 'suspend', 'resume'].map((name) => h('button', { click: () => act(name) }, name)), h('button', { click: () => act('restart') }, 'restart failed'),
      h('label', {}, 'At once', most), h('button', { click: () => attempt(async () => {
        await api('PATCH', `/arrays/${enc(id)}`, { maxRunning: most.value ? Number(most.value) : null });
        notice('Changed.');
        await again();
      }) }, 'set')),
    h('section', { class: 'panel' }, facts, cells, pages));

  let timer = null;
  let seen = null;
  let looks = 0;
  let newest = 0;
  async function look() {
    const mine = (looks += 1);
    // The elements are read after the array: once the array says that it is final they are final too, for nobody looks again.
    const array = await api('GET', `/arrays/${enc(id)}`, undefined, {}, stopped.signal);
    const page = await api('GET', `/arrays/${enc(id)}/elements?limit=${CELLS}${cursors.at(-1) ? `&cursor=${enc(cursors.at(-1))}` : ''}`, undefined, {}, stopped.signal);
    // an answer that was overtaken by that of a later look is older than what is shown
    if (mine < newest) return;
    newest = mine;
    seen = array;
    facts.textContent = `${array.size} jobs in ${array.lrm} as ${array.account}: ${counts(array.states)}${array.maxRunning ? `; at most ${array.maxRunning} at once` : ''}.`;
    cells.replaceChildren(...page.elements.map((element) => {
      const text = `${element.index}${element.value === undefined ? '' : ` (${element.value})`}: ${element.state}${element.exitCode ? `, exit ${element.exitCode}` : ''}${element.fault ? `. ${element.fault.sentence}` : ''}`;
      return h('a', { class: STATES.includes(element.state) ? element.state : null, href: element.job ? `#/jobs/${enc(element.job)}` : null, title: text, 'aria-label': text }, element.index);
    }));
    following = page.next;
    pages.replaceChildren(
      h('button', { disabled: cursors.length === 1, click: () => { cursors.pop(); attempt(look); } }, 'before'),
      h('button', { disabled: !following, click: () => { cursors.push(following); attempt(look); } }, 'after'));
  }

  async function again() {
    await attempt(look);
    clearTimeout(timer);
    if (!stopped.signal.aborted && !seen?.final) timer = setTimeout(again, 2000);
  }
  const unlisten = listen({ change: (change) => { if (seen?.final && FINAL.includes(change.to) === false) again(); }, again });
  again();
  return () => {
    unlisten();
    stopped.abort();
    clearTimeout(timer);
  };
}
