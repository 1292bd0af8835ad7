// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// The service as the caller sees it: who they are, the LRMs, the limits.
import { api, attempt, duration, h, time } from './kit.js';

export function service(main) {
  const stopped = new AbortController();
  const get = (path) => api('GET', path, undefined, {}, stopped.signal);
  const me = h('dl', { class: 'facts' });
  const lrms = h('div');
  const limits = h('tbody');
  const info = h('p', { class: 'soft' });
  const table = (names, body) => h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name)))), body));
  main.append(h('h1', {}, 'Service'), info,
    h('section', { class: 'panel' }, h('h2', {}, 'You'), me),
    h('section', { class: 'panel' }, h('h2', {}, 'LRMs'), lrms),
    h('section', { class: 'panel' }, h('h2', {}, 'Limits that hold for you'), table(['Limit', 'What', 'In use', 'Most'], limits)));
  const fact = (name, value) => (value === undefined || value === null || value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)]);
  const number = (value) => h('td', { class: 'number' }, value ?? '–');
  const queue = (q) => h('tr', {},
    h('td', {}, q.whole ? 'all' : q.name, q.default && !q.whole ? ' (default)' : ''), h('td', {}, q.state ?? ''), number(q.runningJobs), number(q.waitingJobs),
    number(q.freeProcessors), number(q.processors), number(q.maxWallTimeSeconds ? duration(q.maxWallTimeSeconds) : null));
  const one = (lrm) => [
    h('h3', {}, lrm.name, lrm.default ? ' (default) ' : ' ', h('span', { class: 'soft' }, lrm.kind ?? '')),
    table(['Queue', 'State', 'Runs', 'Waits', 'Free processors', 'Processors', 'Longest time'], h('tbody', {}, ...lrm.queues.map(queue))),
    lrm.freshUntil ? h('p', { class: 'soft' }, 'Known until ', time(lrm.freshUntil)) : ''];
  attempt(async () => {
    const who = await get('/whoami');
    me.append(...fact('Subject', who.subject), ...fact('By', who.method + (who.limited ? ', a limited proxy' : '')), ...fact('Attributes', (who.attributes ?? []).join(', ')),
      ...fact('Scopes', (who.scopes ?? []).join(' ')), ...fact('Accounts', who.accounts.join(', ')), ...fact('May run jobs', who.maySubmit ? 'yes' : 'no'), ...fact('Because', who.reason));
  });
  attempt(async () => {
    const told = await get('/info');
    info.replaceChildren(`${told.service}${told.version ? ` ${told.version}` : ''}, API ${told.api}. `, h('a', { href: '/api/v1/openapi.json' }, 'The API’s document'));
  });
  attempt(async () => {
    const { lrms: all } = await get('/lrms');
    for (const lrm of all) lrms.append(...one(lrm));
  });
  attempt(async () => {
    const { limits: all } = await get('/limits');
    limits.append(...all.map((limit) => h('tr', {}, h('td', {}, h('code', {}, limit.name)), h('td', {}, limit.what), h('td', { class: 'number' }, limit.use ?? '–'), h('td', { class: 'number' }, limit.value))));
  });
  return () => stopped.abort();
}
