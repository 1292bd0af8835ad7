// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// A long list of which only what can be seen is in the page: rows of one height, fetched piece by piece as they are scrolled to.
import { h } from './kit.js';

const HEIGHT = 30;
const SPARE = 10;
/** So many are kept; who looks for others narrows the list. */
const MOST = 20000;

/**
 * @param columns names and, for each item, the cell's content
 * @param fetchMore answers the next items; none when there are no more
 */
export function longList(label, columns, fetchMore) {
  let items = [];
  let whole = false;
  let busy = false;
  let turn = 0;
  const space = h('div', { class: 'space' });
  const body = h('div', { class: 'window', role: 'rowgroup' }, space);
  const count = h('p', { class: 'soft', role: 'status' });
  const row = (className, cells, role) => h('div', { class: className, role: 'row' }, ...cells.map((cell) => h('div', { role }, cell)));
  const table = h('div', { class: 'rows', role: 'table', 'aria-label': label }, row('head', columns.map(([name]) => name), 'columnheader'), body);
  body.tabIndex = 0;

  function draw() {
    const from = Math.max(0, Math.floor(body.scrollTop / HEIGHT) - SPARE);
    const to = Math.min(items.length, Math.ceil((body.scrollTop + body.clientHeight) / HEIGHT) + SPARE);
    space.style.height = `${items.length * HEIGHT}px`;
    space.replaceChildren(...items.slice(from, to).map((item, i) => {
      const element = row('row', columns.map(([, cell]) => cell(item)), 'cell');
      element.style.top = `${(from + i) * HEIGHT}px`;
      element.setAttribute('aria-rowindex', String(from + i + 2));
      return element;
    }));
    count.textContent = `${items.length.toLocaleString()} listed${items.length >= MOST ? '; narrow the list to see others' : whole ? '' : '; scroll on for more'}`;
  }

  async function more() {
    if (busy || whole) return;
    busy = true;
    const mine = turn;
    try {
      const next = await fetchMore(items.at(-1));
      if (mine !== turn) return;
      items = items.concat(next).slice(0, MOST);
      whole = next.length === 0 || items.length >= MOST;
      draw();
    } finally {
      if (mine === turn) busy = false;
    }
  }

  let asked = false;
  body.addEventListener('scroll', () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
      if (body.scrollTop + 3 * body.clientHeight > items.length * HEIGHT) more();
    });
  });

  return {
    element: h('div', {}, table, count),
    /** Begins anew. */
    begin() {
      turn++;
      busy = false;
      items = [];
      whole = false;
      body.scrollTop = 0;
      return more();
    },
    /** Changes one that is listed. */
    change(matches, item) {
      items = items.map((one) => (matches(one) ? item : one));
      draw();
    },
  };
}
