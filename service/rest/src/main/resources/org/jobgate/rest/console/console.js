// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Which page is shown follows from the address behind the #.
import { api, attempt, byId, decoded, h } from './kit.js';
import { admin } from './admin.js';
import { arrayPage, arrays } from './arrays.js';
import { job } from './job.js';
import { jobs } from './jobs.js';
import { service } from './service.js';
import { submit } from './submit.js';

const PAGES = { jobs: [jobs, job], arrays: [arrays, arrayPage], submit: [submit], service: [service], admin: [admin] };
let leave = null;

function show() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, id] = path.split('/').map(decoded);
  const [list, one] = PAGES[name] ?? PAGES.jobs;
  const page = id && one ? one : list;
  leave?.();
  const main = byId('main');
  main.replaceChildren();
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#/${PAGES[name] ? name : 'jobs'}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  leave = page(main, new URLSearchParams(query), id) ?? null;
  document.title = `${main.querySelector('h1')?.textContent ?? 'Jobs'} – Jobgate`;
}

addEventListener('hashchange', () => {
  show();
  byId('main').focus();
});
show();
attempt(async () => {
  const me = await api('GET', '/whoami');
  byId('who').textContent = me.subject;
  byId('who').title = me.subject;
  byId('admin').hidden = !me.administrator;
  if (!me.maySubmit) byId('main').before(h('p', { class: 'notice bad' }, `You may not run jobs here: ${me.reason ?? ''}`));
});
