// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Which page is shown follows from the address behind the #.
import { api, attempt, byId, decoded, h, session, signOut } from './kit.js';
import { admin } from './admin.js';
import { arrayPage, arrays } from './arrays.js';
import { job } from './job.js';
import { jobs } from './jobs.js';
import { service } from './service.js';
import { submit } from './submit.js';
import { transfers } from './transfers.js';

const PAGES = { jobs: [jobs, job], arrays: [arrays, arrayPage], submit: [submit], transfers: [transfers], service: [service], admin: [admin] };
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

/** Lets the user sign in or out, where the site has an issuer for it. Answers what is told of the session. */
async function account() {
  const at = await session(true);
  const offer = at.subject
    ? h('button', { type: 'button', click: () => attempt(async () => { await signOut(); location.reload(); }) }, 'Sign out')
    : h('a', { class: 'button', href: 'signin', click: () => sessionStorage.setItem('page', location.hash) }, 'Sign in');
  byId('account').replaceChildren(...(at.subject || at.offered ? [offer] : []));
  return at;
}

// whoever signed in sees the page again that they came from
const page = sessionStorage.getItem('page');
sessionStorage.removeItem('page');
if (page && location.hash === '') history.replaceState(null, '', page);
addEventListener('sessionover', () => attempt(async () => {
  byId('who').textContent = '';
  await account();
}));
addEventListener('hashchange', () => {
  show();
  byId('main').focus();
});
show();
attempt(async () => {
  const { offered, subject } = await account();
  if (offered && !subject) byId('main').before(h('p', { class: 'notice', id: 'offer' }, 'Sign in to see your jobs, or use a browser with your certificate.'));
  const me = await api('GET', '/whoami');
  byId('offer')?.remove();
  byId('who').textContent = me.subject;
  byId('who').title = me.subject;
  byId('admin').hidden = !me.administrator;
  if (!me.maySubmit) byId('main').before(h('p', { class: 'notice bad' }, `You may not run jobs here: ${me.reason ?? ''}`));
});
