// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// For administrators: the gateway, its pools and LRMs with their throttles, what administrators did, and the jobs of everybody.
import { api, attempt, bytes, enc, FINAL, h, notice, oneAtATime, stateMark, STATES, time } from './kit.js';
import { owners, transfersOfAll } from './everybody.js';
import { plot } from './plot.js';
import { longList } from './rows.js';

const EVERY = 5000;
/** What administrators did is looked at anew once in so many times, and after each change here. */
const ACTS_EVERY = 12;
const ACTS = 50;
const THROTTLES = [['submitsAtOnce', 'Submissions at once'], ['batchLimit', 'Jobs of one submission'], ['maxJobs', 'Jobs (0: no limit)'],
  ['maxJobsPerOwner', 'Jobs per owner'], ['maxJobsPerQueue', 'Jobs per queue'], ['pollInterval', 'Asked every']];

export function admin(main, parameters) {
  const stopped = new AbortController();
  const ask = (method, path, body) => api(method, '/admin' + path, body, {}, stopped.signal);
  const change = async (path, body) => {
    try {
      return await ask('POST', path, body);
    } finally {
      showActs();
    }
  };
  const facts = h('dl', { class: 'facts' });
  const drain = h('button', { click: () => attempt(switchDraining) }, 'Refuse new jobs');
  const plots = h('div', { class: 'plots' });
  const pools = h('div', { class: 'forms' });
  const lrms = h('div', { class: 'forms' });
  const acts = h('div', {});
  const people = owners(ask);
  const moved = transfersOfAll(ask);
  const state = h('select', { change: list }, h('option', { value: '' }, 'not over'), h('option', { value: 'all' }, 'any state'), ...STATES.map((s) => h('option', {}, s)));
  const subject = h('input', { type: 'search', placeholder: 'whole name', change: list });
  const lrm = h('input', { type: 'search', placeholder: 'name of an LRM', change: list });
  const known = new Map();
  let draining = false;
  subject.value = parameters.get('subject') ?? '';

  const all = longList('Jobs of everybody', [
    ['Job', (job) => h('span', { title: job.id }, job.id.slice(0, 8))],
    ['Owner', (job) => h('a', { href: `#/admin?subject=${enc(job.subject)}`, title: job.subject }, job.subject)],
    ['Account', (job) => job.account],
    ['State', (job) => stateMark(job)],
    ['LRM', (job) => `${job.lrm} ${job.localIds.join(', ')}`],
    ['Created', (job) => time(job.created)],
    ['End', (job) => (FINAL.includes(job.state) ? job.fault?.sentence ?? `exit ${job.exitCode ?? '–'}` : h('button', { class: 'danger', click: () => attempt(() => cancel(job)) }, 'Cancel'))],
  ], async (last) => {
    const wanted = state.value === 'all' ? '&finished=true' : state.value ? `&state=${enc(state.value)}` : '';
    const of = subject.value ? `&subject=${enc(subject.value)}` : '';
    const at = lrm.value ? `&lrm=${enc(lrm.value)}` : '';
    return (await ask('GET', `/jobs?limit=${last ? 1000 : 100}${wanted}${of}${at}${last ? `&after=${enc(last.id)}` : ''}`)).jobs;
  });

  const panel = (title, ...content) => h('section', { class: 'panel' }, h('h2', {}, title), ...content);
  main.append(h('h1', {}, 'Administration'),
    panel('The gateway', facts, h('div', { class: 'bar' }, drain)),
    panel('The last hour', plots),
    panel('Workers of each stage', h('p', { class: 'soft' }, 'A change holds at once, and until the next start.'), pools),
    panel('LRMs', lrms),
    panel('Owners and limits', people.element),
    panel('Transfers of everybody', moved.element),
    panel('What administrators did', acts),
    panel('Jobs of everybody', h('div', { class: 'bar' }, h('label', {}, 'State', state), h('label', { class: 'wide' }, 'Owner', subject), h('label', {}, 'LRM', lrm)), all.element));

  function list() {
    attempt(() => all.begin());
  }

  async function cancel(job) {
    const reason = prompt(`Why is job ${job.id} cancelled? Its owner is shown this.`);
    if (reason === null) return;
    const now = await change(`/jobs/${enc(job.id)}/cancel`, { reason });
    all.change((one) => one.id === job.id, now);
  }

  async function switchDraining() {
    if (!draining && !confirm('Refuse new jobs from now on?')) return;
    status(await change(draining ? '/resume' : '/drain'));
  }

  function status(now) {
    draining = now.state === 'draining';
    drain.textContent = draining ? 'Take new jobs again' : 'Refuse new jobs';
    const fact = (name, value) => [h('dt', {}, name), h('dd', {}, value)];
    const jobs = Object.entries(now.jobs).filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count.toLocaleString()}`);
    facts.replaceChildren(...fact('State', `${now.state}, ${now.health}`), ...fact('Version', now.version), ...fact('Running since', time(now.startedAt)),
      ...fact('Jobs', jobs.join(', ') || 'none'), ...(now.storeBytes === undefined ? [] : fact('Store', bytes(now.storeBytes))));
  }

  /** A row of inputs that keeps what is being typed while figures change around it. */
  function form(into, key, title, fields, send) {
    let kept = known.get(key);
    if (!kept) {
      const inputs = fields.map(([name, label, kind]) => [name, h('input', { type: kind, name, min: 0, 'aria-label': `${label} of ${title}`, input: () => { kept.dirty = true; } }), label]);
      const told = h('span', { class: 'soft' });
      const element = h('form', { class: 'throttle', submit: (event) => {
        event.preventDefault();
        attempt(async () => {
          const changed = {};
          for (const [name, input] of inputs) {
            if (input.value !== '' && input.value !== kept.values[name]) changed[name] = input.type === 'number' ? Number(input.value) : input.value;
          }
          if (Object.keys(changed).length === 0) return;
          const now = await send(changed);
          kept.dirty = false;
          kept.show(now);
          notice(`${title}: changed.`);
        });
      } }, h('h3', {}, title), told, h('div', { class: 'bar' }, ...inputs.map(([, input, label]) => h('label', {}, label, input)), h('button', { type: 'submit' }, 'Change')));
      kept = { dirty: false, values: {}, element, told, inputs, show: () => {} };
      known.set(key, kept);
      into.append(element);
    }
    return kept;
  }

  const fill = (kept, values, told) => {
    kept.told.textContent = told;
    for (const [name, input] of kept.inputs) {
      kept.values[name] = String(values[name] ?? '');
      if (!kept.dirty) input.value = kept.values[name];
    }
  };

  function showPool(pool) {
    const kept = form(pools, `pool ${pool.name}`, pool.name, [['workers', 'Workers', 'number']], (changed) => change(`/pools/${enc(pool.name)}`, changed));
    kept.show = (now) => fill(kept, now, `${now.busy} busy, ${now.waiting} waiting${now.owners ? ` of ${now.owners} owners` : ''}`);
    kept.show(pool);
  }

  function showLrm(one) {
    const kept = form(lrms, `lrm ${one.name}`, one.name, THROTTLES.map(([name, label]) => [name, label, name === 'pollInterval' ? 'text' : 'number']), (changed) => change(`/lrms/${enc(one.name)}`, changed));
    kept.show = (now) => {
      const queues = now.queues.map((queue) => `${queue.name}: ${queue.running ?? '–'} run, ${queue.waiting ?? '–'} wait`).join('; ');
      fill(kept, now.throttle, `${now.kind ?? ''} ${now.well ? 'well' : `unwell: ${now.why}`}, ${now.lagMs} ms behind, ${now.jobs ?? '–'} jobs. ${queues}`);
      kept.told.className = now.well ? 'soft' : 'bad';
    };
    kept.show(one);
  }

  const showActs = oneAtATime(async () => {
    try {
      const done = (await api('GET', `/audit/acts?limit=${ACTS}`, undefined, {}, stopped.signal)).acts;
      acts.replaceChildren(done.length === 0 ? h('p', { class: 'soft' }, 'Nothing is on record.') : h('div', { class: 'scroll' }, h('table', {},
        h('thead', {}, h('tr', {}, ['When', 'Who', 'What', 'Job'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, done.map((act) => h('tr', {}, h('td', {}, time(act.at)), h('td', {}, act.who), h('td', {}, act.what), h('td', {}, act.job || '–')))))));
    } catch (error) {
      if (error.name !== 'AbortError') acts.replaceChildren(h('p', { class: 'soft' }, error.message));
    }
  });

  let timer = null;
  let looks = 0;
  let lost = false;
  async function look() {
    if (looks++ % ACTS_EVERY === 0) showActs();
    try {
      const [now, figures, workers, systems] = await Promise.all([ask('GET', '/status'), ask('GET', '/figures'), ask('GET', '/pools'), ask('GET', '/lrms'), people.look(), moved.look()]);
      status(now);
      const points = figures.figures;
      plots.replaceChildren(
        plot('Jobs', 'per second', points, [{ name: 'accepted', of: (p) => p.accepted }, { name: 'over', of: (p) => p.ended }]),
        plot('Jobs there', 'number', points, [{ name: 'not over', of: (p) => p.live }, { name: 'running', of: (p) => p.active }]),
        plot('Requests', 'per second', points, [{ name: 'answered', of: (p) => p.requests }]),
        plot('Mean time', 'ms', points, [{ name: 'of a request', of: (p) => p.requestMs }, { name: 'of a transaction', of: (p) => p.commitMs }]));
      workers.pools.forEach(showPool);
      systems.lrms.forEach(showLrm);
      lost = false;
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!lost) notice(`The figures cannot be had: ${error.message}`, true);
      lost = true;
    }
    timer = setTimeout(look, EVERY);
  }

  list();
  look();
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}
