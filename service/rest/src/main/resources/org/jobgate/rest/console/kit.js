// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// What all pages need: elements, times, the API, and notices. Text of users and LRMs only ever becomes text nodes.

/** An element: attributes by name, functions as listeners, children as text or nodes. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

export const FINAL = ['Done', 'Failed', 'Cancelled'];
export const STATES = ['Unsubmitted', 'StageIn', 'Pending', 'Active', 'Suspended', 'StageOut', 'CleanUp', ...FINAL];

export const stateMark = (job) =>
  h('span', { class: `state ${STATES.includes(job.state) ? job.state : ''}` }, job.state + (job.holding ? ', held' : ''));

export function time(text) {
  if (!text) return h('span', { class: 'soft' }, '–');
  const at = new Date(text);
  const today = at.toDateString() === new Date().toDateString();
  const shown = today ? at.toLocaleTimeString() : at.toLocaleString();
  return h('time', { datetime: text, title: at.toISOString() }, shown);
}

export function duration(seconds) {
  if (seconds === undefined || seconds === null) return '–';
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const s = Math.round(seconds);
  const parts = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const out = [];
  let left = s;
  for (const [size, unit] of parts) {
    const count = Math.floor(left / size);
    if (count) out.push(`${count} ${unit}`);
    left -= count * size;
  }
  return out.slice(0, 2).join(' ');
}

export function bytes(count) {
  if (count === undefined || count === null) return '';
  let n = count;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (n < 1024) return `${unit === 'B' ? n : n.toFixed(1)} ${unit}`;
    n /= 1024;
  }
  return `${n.toFixed(1)} TiB`;
}

export function notice(text, bad = false) {
  const box = h('div', { class: bad ? 'notice bad' : 'notice' }, text);
  byId('notices').append(box);
  setTimeout(() => box.remove(), bad ? 12000 : 4000);
}

/** What the gateway says when it refuses: a sentence and what to do. */
export class Refusal extends Error {
  constructor(status, problem) {
    super([problem.detail ?? problem.title ?? `The gateway answered with status ${status}.`, problem.remedy].filter(Boolean).join(' '));
    this.status = status;
    this.problem = problem;
  }
}

async function problemOf(response) {
  try {
    const body = await response.json();
    const inner = body.error && typeof body.error === 'object' ? body.error : body;
    return { ...inner, detail: inner.detail ?? inner.sentence };
  } catch {
    return {};
  }
}

let told = null;

/** Who has signed in at this browser, whether one can, and what a request that changes something must bring; asked anew where that is wanted. */
export function session(anew = false) {
  if (anew || told === null) {
    told = fetch('/console/session', { credentials: 'same-origin' }).then((response) => (response.ok ? response.json() : {})).catch(() => {
      told = null;
      return {};
    });
  }
  return told;
}

/** A request to the gateway. Where another tab has signed in anew meanwhile, what this page knows of the session is asked again, once. */
async function send(path, request) {
  const changes = !['GET', 'HEAD'].includes(request.method ?? 'GET');
  for (let again = false; ; again = true) {
    const { csrf } = changes ? await session(again) : {};
    const headers = csrf ? { ...request.headers, 'X-Jobgate-CSRF': csrf } : request.headers;
    const response = await fetch(path, { ...request, headers, credentials: 'same-origin' });
    if (response.status !== 401 && response.status !== 403) return response;
    const { code } = await problemOf(response.clone());
    if (code === 'SESSION_OVER') dispatchEvent(new Event('sessionover'));
    if (code !== 'CSRF' || again) return response;
  }
}

export async function signOut() {
  const response = await send('/console/signout', { method: 'POST' });
  if (!response.ok) throw new Refusal(response.status, await problemOf(response));
}

/** One request to the API; answers the value, or null where there is none. */
export async function api(method, path, body, headers = {}, signal = undefined) {
  const request = { method, headers: { Accept: 'application/json', ...headers }, signal };
  if (body !== undefined) {
    request.headers['Content-Type'] = 'application/json';
    request.body = JSON.stringify(body);
  }
  const response = await send('/api/v1' + path, request);
  if (!response.ok) throw new Refusal(response.status, await problemOf(response));
  return response.status === 204 ? null : response.json();
}

/** A request for a file of a job; answers the response. */
export async function file(path, options = {}) {
  const response = await send(path, options);
  if (!response.ok && !(options.allow ?? []).includes(response.status)) throw new Refusal(response.status, await problemOf(response));
  return response;
}

/** Whether the same request may go well in a while. */
export const isPassing = (error) => error.name !== 'AbortError' && (!(error instanceof Refusal) || error.status >= 500 || error.status === 429);

/** Does it, and shows what goes wrong. Answers whether it went well. */
export async function attempt(action) {
  try {
    await action();
    return true;
  } catch (error) {
    if (error.name !== 'AbortError') notice(error instanceof Refusal ? error.message : `The gateway does not answer: ${error.message}`, true);
    return false;
  }
}

/**
 * A look of which one runs at a time: answers that overtake each other would leave an older state in the page. Who asks while one runs gets one
 * that begins after it, for what they know of may have come after its reading.
 */
export function oneAtATime(look) {
  let running = null;
  let next = null;
  return function again() {
    if (running === null) {
      running = look().finally(() => { running = null; });
      return running;
    }
    next ??= running.catch(() => {}).then(() => {
      next = null;
      return again();
    });
    return next;
  };
}

export const enc = encodeURIComponent;

/** What a part of an address says; as it stands where it is no UTF-8. */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The path of a file below a job's directory, as an address. */
export const filePath = (path) => path.split('/').map(enc).join('/');
