// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// For administrators: who has jobs, with what of the limits is used, and the requests of everybody to move files.
import { bytes, enc, h, stateMark, time } from './kit.js';

const SHOWN = 50;

/** A table whose rows are made anew at each look; what it says where there are none. */
function table(label, names, none) {
  const rows = h('tbody');
  return {
    element: h('div', { class: 'scroll' }, h('table', { 'aria-label': label }, h('thead', {}, h('tr', {}, names.map((name) => h('th', { scope: 'col' }, name)))), rows)),
    show(made) {
      rows.replaceChildren(...(made.length ? made : [h('tr', {}, h('td', { colspan: names.length, class: 'soft' }, none))]));
    },
  };
}

const number = (value) => h('td', { class: 'number' }, value.toLocaleString());

/** What of a limit is used, in words and as a bar. */
const used = (use, most) => h('td', {}, h('meter', { min: 0, max: most, high: most * 0.9, value: use, 'aria-hidden': 'true' }), ` ${use.toLocaleString()} of ${most.toLocaleString()}`);

/** @param ask asks the administrator's part of the API */
export function owners(ask) {
  const told = h('p', { class: 'soft' });
  const list = table('Owners of jobs', ['Owner', 'Jobs that are not over', 'Run', 'Arrays'], 'Nobody has jobs that are not over.');
  return {
    element: h('div', {}, told, list.element),
    async look() {
      const now = await ask('GET', `/owners?limit=${SHOWN}`);
      told.textContent = `${now.jobs.toLocaleString()} of at most ${now.maxJobs.toLocaleString()} jobs are not over. Those with the most of them:`;
      list.show(now.owners.map((owner) => h('tr', {},
        h('td', { class: 'text' }, h('a', { href: `#/admin?subject=${enc(owner.subject)}` }, owner.subject)),
        used(owner.jobs, now.maxJobsPerOwner), number(owner.active), used(owner.arrays, now.maxArraysPerOwner))));
    },
  };
}

/** The newest requests; a site that moves no files for clients says so once. */
export function transfersOfAll(ask) {
  const list = table('Transfers of everybody', ['Request', 'Owner', 'State', 'Moved', 'Failed', 'Bytes', 'Created', 'What failed last'], 'There are no requests.');
  const element = h('div', {}, list.element);
  let none = false;
  return {
    element,
    async look() {
      if (none) return;
      try {
        const { transfers } = await ask('GET', `/transfers?limit=${SHOWN}`);
        list.show(transfers.map((one) => h('tr', {},
          h('td', { title: one.id }, one.id.slice(0, 8)), h('td', { class: 'text' }, one.subject), h('td', {}, stateMark(one)),
          h('td', { class: 'number' }, `${one.done} of ${one.files}`), number(one.failed), h('td', { class: 'number' }, bytes(one.bytes)),
          h('td', {}, time(one.created)), h('td', { class: 'text' }, one.failure ?? ''))));
      } catch (error) {
        if (error.problem?.code !== 'UNSUPPORTED_FEATURE') throw error;
        none = true;
        element.replaceChildren(h('p', { class: 'soft' }, error.message));
      }
    },
  };
}
