// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// The list of one's own jobs, newest first, live.
import { api, attempt, duration, enc, FINAL, h, isPassing, stateMark, STATES, time, notice } from './kit.js';
import { followed, listen } from './live.js';

const PAGE = 100;
// what the rows show; answers for many jobs tell of each what is asked for
const FIELDS = 'id,version,state,holding,final,lrm,account,localIds,created,changed,wallTimeSeconds,exitCode,signal,fault,waiting,array,index';
// more rows than this are not kept, so that a page that is open for days does not grow
const MOST_ROWS = 2000;

export function jobs(main, parameters) {
  const shown = new Map();
  const rows = h('tbody');
  const count = h('span', { class: 'soft', role: 'status' });
  const more = h('button', { click: () => attempt(next) }, 'Older jobs');
  const state = h('select', { change: begin }, h('option', { value: '' }, 'any state'), h('option', { value: 'live' }, 'not over'), ...STATES.map((s) => h('option', {}, s)));
  const search = h('input', { type: 'search', placeholder: 'id, LRM, account, queue id', input: filter });
  state.value = parameters.get('state') ?? '';
  search.value = parameters.get('search') ?? '';
  const picked = new Set();
  const bulk = ['cancel', 'hold', 'release', 'delete'].map((action) =>
    h('button', { disabled: true, class: action === 'delete' ? 'danger' : null, click: () => attempt(() => act(action)) }, action));
  const all = h('input', { type: 'checkbox', 'aria-label': 'Choose all jobs that are shown', change: () => {
    for (const [id, row] of shown) if (!row.element.hidden) choose(id, all.checked);
  } });
  let cursor;
  let stopped = new AbortController();

  main.append(
    h('h1', {}, 'Jobs'),
    h('div', { class: 'bar' }, h('label', {}, 'State', state), h('label', { class: 'wide' }, 'Search in those shown', search), ...bulk),
    h('div', { class: 'panel scroll' },
      h('table', { class: 'cards' },
        h('thead', {}, h('tr', {}, h('th', {}, all), ...['Job', 'State', 'LRM', 'Account', 'In the LRM', 'Created', 'Changed', 'Ran', 'End'].map((name) => h('th', { scope: 'col' }, name)))),
        rows)),
    h('div', { class: 'bar' }, more, count));

  const query = () => (state.value === 'live' ? '&final=false' : state.value ? `&state=${enc(state.value)}` : '');
  const matches = (job) => (state.value === '' || (state.value === 'live' ? !job.final : job.state === state.value));

  async function begin() {
    stopped.abort();
    const mine = new AbortController();
    stopped = mine;
    shown.clear();
    picked.clear();
    rows.replaceChildren();
    cursor = undefined;
    buttons();
    // a change that came between the list and the beginning of the stream would be told by neither
    await followed();
    if (!mine.signal.aborted) await attempt(next);
  }

  async function next() {
    const page = await api('GET', `/jobs?limit=${PAGE}${query()}${cursor ? `&cursor=${enc(cursor)}` : ''}`, undefined, {}, stopped.signal);
    for (const job of page.jobs) put(job, false);
    cursor = page.next;
    more.hidden = !cursor || shown.size >= MOST_ROWS;
    tell();
  }

  function cells(job) {
    const end = job.final
      ? job.fault ? job.fault.sentence : job.signal ? `signal ${job.signal}` : job.exitCode !== undefined ? `exit ${job.exitCode}` : job.state
      : job.waiting?.because ?? '';
    return [
      h('td', {}, h('input', { type: 'checkbox', 'aria-label': `Choose ${job.id}`, change: (e) => choose(job.id, e.target.checked) })),
      h('td', {}, h('a', { href: `#/jobs/${enc(job.id)}`, title: job.id }, job.id.slice(0, 8)), job.array ? h('span', { class: 'soft' }, ` #${job.index}`) : null),
      h('td', {}, stateMark(job)),
      h('td', { class: 'less' }, job.lrm), h('td', { class: 'less' }, job.account),
      h('td', { class: 'less text' }, job.localIds.join(', ')),
      h('td', { class: 'less' }, time(job.created)), h('td', { class: 'less' }, time(job.changed)),
      h('td', { class: 'less number' }, duration(job.wallTimeSeconds)), h('td', { class: 'text' }, end)];
  }

  function put(job, isNew) {
    const known = shown.get(job.id);
    if (known && known.job.version >= job.version) return;
    if (!matches(job)) {
      known?.element.remove();
      shown.delete(job.id);
      return;
    }
    const element = h('tr', { class: isNew ? 'fresh' : null, 'data-job': job.id }, ...cells(job));
    if (known) known.element.replaceWith(element);
    else if (isNew) rows.prepend(element);
    else rows.append(element);
    shown.set(job.id, { job, element });
    element.querySelector('input').checked = picked.has(job.id);
    while (shown.size > MOST_ROWS) {
      const last = rows.lastElementChild;
      shown.delete(last.dataset.job);
      last.remove();
    }
    if (shown.has(job.id)) hide(shown.get(job.id));
  }

  function hide(row) {
    const text = search.value.trim().toLowerCase();
    const { id, lrm, account, localIds, fault } = row.job;
    row.element.hidden = text !== '' && ![id, lrm, account, ...localIds, fault?.sentence ?? ''].some((part) => part.toLowerCase().includes(text));
  }

  function filter() {
    shown.forEach(hide);
    tell();
  }

  function tell() {
    const visible = [...shown.values()].filter((row) => !row.element.hidden).length;
    count.textContent = shown.size === 0 ? 'There are no such jobs.' : `${visible} shown${cursor ? '; there are older ones' : ''}`;
  }

  function choose(id, on) {
    if (on) picked.add(id);
    else picked.delete(id);
    const box = shown.get(id)?.element.querySelector('input');
    if (box) box.checked = on;
    buttons();
  }

  const buttons = () => bulk.forEach((button) => { button.disabled = picked.size === 0; });

  async function act(action) {
    const ids = [...picked];
    if ((action === 'cancel' || action === 'delete') && !confirm(`${action} ${ids.length} job${ids.length > 1 ? 's' : ''}?`)) return;
    const answer = await api('POST', `/bulk/jobs/${action}?fields=${FIELDS}`, { ids });
    answer.results.forEach((result, i) => {
      if (result.job) put(result.job, true);
      if (action === 'delete' && (result.status === 204 || result.status === 404)) {
        shown.get(ids[i])?.element.remove();
        shown.delete(ids[i]);
        picked.delete(ids[i]);
      }
    });
    const refused = answer.results.find((result) => result.problem && result.status !== 404);
    if (refused) notice(`${answer.refused} of ${ids.length} refused: ${refused.problem.detail} ${refused.problem.remedy ?? ''}`, true);
    buttons();
    tell();
  }

  // changes come in crowds: jobs are asked for together, twice a second at the most
  const changed = new Set();
  let timer = null;
  let left = false;
  async function look() {
    timer = null;
    const ids = [...changed].slice(0, 500);
    ids.forEach((id) => changed.delete(id));
    let isPut = true;
    await attempt(async () => {
      const answer = await api('POST', `/bulk/jobs/get?fields=${FIELDS}`, { ids }, {}, stopped.signal).catch((error) => {
        // what could not be had is asked for again, for nothing else would ever show it
        if (isPassing(error)) ids.forEach((id) => changed.add(id));
        isPut = false;
        throw error;
      });
      answer.results.forEach((result, i) => {
        if (result.job) put(result.job, true);
        else if (result.status === 404 && shown.has(ids[i])) {
          shown.get(ids[i]).element.remove();
          shown.delete(ids[i]);
        }
      });
      tell();
    });
    if (left) return;
    if (changed.size) timer ??= setTimeout(look, isPut ? 500 : 5000);
  }

  const unlisten = listen({
    change(change) {
      const known = shown.get(change.job);
      if (known && known.job.version >= change.version) return;
      if (!known && FINAL.includes(change.to) && state.value === 'live') return;
      changed.add(change.job);
      // of a crowd of jobs that are not shown only the newest can be: the news of the others need not be kept
      if (changed.size > 2 * MOST_ROWS) {
        for (const id of changed) {
          if (!shown.has(id)) {
            changed.delete(id);
            break;
          }
        }
      }
      timer ??= setTimeout(look, 500);
    },
    again: begin,
  });
  begin();
  return () => {
    left = true;
    unlisten();
    stopped.abort();
    clearTimeout(timer);
  };
}
