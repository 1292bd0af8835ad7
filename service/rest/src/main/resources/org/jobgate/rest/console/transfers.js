// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Requests to move files: their list, each with what can be done with it.
import { api, attempt, bytes, enc, FINAL, h, stateMark, time } from './kit.js';

const PAGE = 50;
const AGAIN = 2000;

export function transfers(main) {
  const stopped = new AbortController();
  const ask = (method, path) => api(method, path, undefined, {}, stopped.signal);
  const rows = h('tbody');
  const more = h('button', { hidden: true, click: () => attempt(next) }, 'Older requests');
  // by id, in the order of the list
  const shown = new Map();
  let cursor;
  let timer = null;
  main.append(h('h1', {}, 'Transfers'),
    h('p', { class: 'soft' }, 'Files that the gateway moves between servers for you and that are not those of a job.'),
    h('div', { class: 'panel scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...['Request', 'State', 'Moved', 'Failed', 'Bytes', 'Created', 'What failed last', ''].map((name) => h('th', { scope: 'col' }, name)))), rows)), more);

  function row(one) {
    const open = !FINAL.includes(one.state);
    const button = (name, does) => h('button', { class: name === 'cancel' ? null : 'danger', 'aria-label': `${name} ${one.id}`, click: () => attempt(does) }, name);
    return h('tr', {},
      h('td', { title: one.id }, one.id.slice(0, 8)), h('td', {}, stateMark(one)), h('td', { class: 'number' }, `${one.done} of ${one.files}`),
      h('td', { class: 'number' }, one.failed), h('td', { class: 'number' }, bytes(one.bytes)), h('td', {}, time(one.created)), h('td', {}, one.failure ?? ''),
      h('td', {}, open ? button('cancel', async () => put(await ask('POST', `/transfers/${enc(one.id)}/cancel`))) : '', button('forget', async () => {
        if (open && !confirm('End this request and forget it?')) return;
        await ask('DELETE', `/transfers/${enc(one.id)}`);
        drop(one.id);
      })));
  }

  function put(one) {
    const made = row(one);
    const before = shown.get(one.id);
    if (before) before.element.replaceWith(made);
    else rows.append(made);
    shown.set(one.id, { state: one.state, element: made });
  }

  function drop(id) {
    shown.get(id)?.element.remove();
    shown.delete(id);
    empty();
  }

  function empty() {
    if (shown.size === 0 && !rows.firstChild) rows.append(h('tr', {}, h('td', { colspan: 8, class: 'soft' }, 'There are no requests. POST /api/v1/transfers makes one, and so does the command rft.')));
  }

  async function next() {
    const page = await ask('GET', `/transfers?limit=${PAGE}${cursor ? `&cursor=${enc(cursor)}` : ''}`);
    page.transfers.forEach(put);
    cursor = page.next;
    more.hidden = !cursor;
    empty();
  }

  // what is under way is asked for again; a request that its owner has forgotten elsewhere goes
  async function look() {
    const open = [...shown].filter(([, { state }]) => !FINAL.includes(state)).map(([id]) => id);
    await attempt(async () => {
      for (const id of open) {
        try {
          put(await ask('GET', `/transfers/${enc(id)}`));
        } catch (error) {
          if (error.status !== 404) throw error;
          drop(id);
        }
      }
    });
    if (!stopped.signal.aborted) timer = setTimeout(look, AGAIN);
  }

  attempt(next).then(look);
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}
