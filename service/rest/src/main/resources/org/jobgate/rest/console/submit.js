// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// A form for a job, or its JSON; both make the same request.
import { api, attempt, duration, enc, file, h, notice, Refusal } from './kit.js';

// where jobs get directories of their own, below the home of their account; somebody has to make them
const OWN = '.jobgate-jobs';

const lines = (text) => text.split('\n').map((line) => line.replace(/\r$/, '')).filter((line) => line !== '');

/** A time such as 90, 10m, 2h or 1h30m in seconds; null where it is none. */
export function seconds(text) {
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text.trim());
  if (!parts || text.trim() === '') return null;
  const [d, hours, m, s] = parts.slice(1).map((part) => Number(part ?? 0));
  return d * 86400 + hours * 3600 + m * 60 + s;
}

export function submit(main) {
  const stopped = new AbortController();
  const field = {
    executable: h('input', { required: true, placeholder: '/bin/hostname', autocomplete: 'off' }),
    arguments: h('textarea', { rows: 4, placeholder: 'one on each line' }),
    environment: h('textarea', { rows: 3, placeholder: 'NAME=value, one on each line' }),
    directory: h('input', { placeholder: 'a directory of its own' }),
    stdin: h('input', { placeholder: '/dev/null' }),
    stdout: h('input', { placeholder: 'stdout' }),
    stderr: h('input', { placeholder: 'stderr' }),
    lrm: h('select', { change: queues }),
    queue: h('select', { change: bounds }),
    account: h('select'),
    count: h('input', { type: 'number', min: 1, value: '1' }),
    maxWallTimeSeconds: h('input', { placeholder: 'e.g. 90, 10m, 2h' }),
    maxMemoryMiB: h('input', { type: 'number', min: 1 }),
    values: h('textarea', { rows: 3, placeholder: 'one on each line; {value} and {index} above are replaced' }),
    maxRunning: h('input', { type: 'number', min: 1 }),
    holdAt: h('input', { type: 'checkbox' }),
  };
  const told = h('p', { class: 'soft', role: 'status' });
  const json = h('textarea', { rows: 14, spellcheck: 'false', 'aria-label': 'The request as JSON' });
  const asJson = h('details', { class: 'panel', toggle: () => { if (asJson.open && !json.value) fill(); } },
    h('summary', {}, 'As JSON'), json,
    h('div', { class: 'bar' }, h('button', { type: 'button', click: fill }, 'Fill from the form'), h('button', { type: 'button', class: 'primary', click: () => attempt(sendJson) }, 'Submit the JSON')));
  const label = (name, text, kind) => h('label', { class: kind }, text, field[name]);
  const form = h('form', { class: 'panel', submit: (event) => { event.preventDefault(); attempt(send); } },
    h('div', { class: 'grid' },
      label('executable', 'Program', 'whole'), label('arguments', 'Arguments', 'whole'), label('environment', 'Environment', 'whole'),
      label('lrm', 'LRM'), label('queue', 'Queue'), label('account', 'Account'), label('count', 'Processes'),
      label('maxWallTimeSeconds', 'Longest time'), label('maxMemoryMiB', 'Most memory, MiB'),
      label('directory', 'Directory'), label('stdin', 'Input'), label('stdout', 'Output'), label('stderr', 'Errors'),
      label('values', 'Values: a job for each, as an array', 'whole'), label('maxRunning', 'At once, of an array'),
      h('label', {}, field.holdAt, ' wait for files that I send')),
    told, h('button', { class: 'primary' }, 'Submit'));
  let lrms = [];

  main.append(h('h1', {}, 'Submit'), form, asJson);

  const option = (value, text = value) => h('option', { value }, text);

  async function load() {
    const [listed, me] = await Promise.all([api('GET', '/lrms', undefined, {}, stopped.signal), api('GET', '/whoami', undefined, {}, stopped.signal)]);
    lrms = listed.lrms;
    field.lrm.replaceChildren(...lrms.map((lrm) => option(lrm.name, lrm.default ? `${lrm.name} (default)` : lrm.name)));
    field.account.replaceChildren(option('', 'default'), ...me.accounts.map((account) => option(account)));
    queues();
  }

  function queues() {
    const lrm = lrms.find((one) => one.name === field.lrm.value);
    const named = (lrm?.queues ?? []).filter((queue) => !queue.whole);
    field.queue.replaceChildren(option('', 'default'), ...named.map((queue) => option(queue.name, queue.state ? `${queue.name} (${queue.state})` : queue.name)));
    bounds();
  }

  /** What the queue allows, told and checked before anything is sent. */
  function bounds() {
    const lrm = lrms.find((one) => one.name === field.lrm.value);
    const queue = (lrm?.queues ?? []).find((one) => (field.queue.value ? one.name === field.queue.value : one.default || one.whole));
    const parts = [];
    if (queue?.maxWallTimeSeconds) parts.push(`at most ${duration(queue.maxWallTimeSeconds)}`);
    if (queue?.maxProcessors) parts.push(`at most ${queue.maxProcessors} processors`);
    if (queue?.freeProcessors !== undefined) parts.push(`${queue.freeProcessors} processors free`);
    if (queue?.waitingJobs !== undefined) parts.push(`${queue.waitingJobs} jobs wait`);
    told.textContent = parts.length ? `This queue: ${parts.join(', ')}.` : '';
    if (queue?.maxProcessors) field.count.max = queue.maxProcessors;
    else field.count.removeAttribute('max');
    field.maxWallTimeSeconds.dataset.most = queue?.maxWallTimeSeconds ?? '';
  }

  function request() {
    const job = { executable: field.executable.value.trim() };
    const args = lines(field.arguments.value);
    if (args.length) job.arguments = args;
    const environment = {};
    for (const line of lines(field.environment.value)) {
      const at = line.indexOf('=');
      if (at < 1) throw bad(field.environment, `${line} has no form NAME=value.`);
      environment[line.slice(0, at)] = line.slice(at + 1);
    }
    if (Object.keys(environment).length) job.environment = environment;
    for (const name of ['directory', 'stdin', 'stdout', 'stderr', 'lrm', 'queue', 'account']) if (field[name].value.trim()) job[name] = field[name].value.trim();
    if (!job.directory && !job.stdout && !job.stderr) {
      job.directory = `${OWN}/${room}`;
      job.stdout = field.values.value.trim() ? 'stdout.{index}' : 'stdout';
      job.stderr = field.values.value.trim() ? 'stderr.{index}' : 'stderr';
    }
    if (Number(field.count.value) > 1) job.count = Number(field.count.value);
    if (field.maxWallTimeSeconds.value.trim()) {
      const wanted = seconds(field.maxWallTimeSeconds.value);
      if (!wanted) throw bad(field.maxWallTimeSeconds, `${field.maxWallTimeSeconds.value} is no time; write 90, 10m or 2h.`);
      const most = Number(field.maxWallTimeSeconds.dataset.most);
      if (most && wanted > most) throw bad(field.maxWallTimeSeconds, `The queue allows ${duration(most)}.`);
      job.maxWallTimeSeconds = wanted;
    }
    if (field.maxMemoryMiB.value) job.maxMemoryMiB = Number(field.maxMemoryMiB.value);
    const values = lines(field.values.value);
    if (!values.length) {
      if (field.holdAt.checked || isOwn(job)) job.holdAt = 'StageIn';
      return job;
    }
    const array = { job, values };
    if (field.maxRunning.value) array.maxRunning = Number(field.maxRunning.value);
    return array;
  }

  const isOwn = (job) => typeof job?.directory === 'string' && job.directory.startsWith(`${OWN}/`);

  /** Makes the directory of a job that is held, and lets the job go on unless it waits for more. */
  async function makeDirectory(id, goOn) {
    await file(`/jobs/${enc(id)}/files/`, { method: 'PUT' });
    if (goOn) await api('POST', `/jobs/${enc(id)}/release`);
  }

  function bad(element, text) {
    element.setAttribute('aria-invalid', 'true');
    element.focus();
    element.addEventListener('input', () => element.removeAttribute('aria-invalid'), { once: true });
    return new Refusal(0, { detail: text });
  }

  function fill() {
    attempt(async () => { json.value = JSON.stringify(request(), null, 2); });
  }

  // the same request twice, by a second click or a lost answer, is one job
  let key = crypto.randomUUID();
  let room = crypto.randomUUID();
  let last = '';

  async function post(body) {
    const text = JSON.stringify(body);
    if (text !== last) key = crypto.randomUUID();
    last = text;
    const isArray = body !== null && typeof body === 'object' && 'job' in body;
    try {
      if (isArray && isOwn(body.job)) {
        // elements find their directory made, by a job that does nothing else
        const { directory, lrm, account } = body.job;
        const first = await api('POST', '/jobs', { executable: '/bin/true', directory, lrm, account, holdAt: 'StageIn' }, { 'Idempotency-Key': `${key}-directory` });
        await makeDirectory(first.id, true);
      }
      const made = await api('POST', isArray ? '/arrays' : '/jobs', body, { 'Idempotency-Key': key });
      key = crypto.randomUUID();
      room = crypto.randomUUID();
      if (!isArray && isOwn(body) && body.holdAt === 'StageIn') await makeDirectory(made.id, !field.holdAt.checked);
      notice(isArray ? `Array of ${made.size} jobs submitted.` : 'Submitted.');
      location.hash = `#/${isArray ? 'arrays' : 'jobs'}/${enc(made.id)}`;
    } catch (error) {
      const element = field[error.problem?.attribute];
      if (element) bad(element, '');
      throw error;
    }
  }

  // A second click while a request is on its way is the same wish: when its answer is there, the key is already that of the next one.
  let sending = false;
  async function once(action) {
    if (sending) return;
    sending = true;
    try {
      await action();
    } finally {
      sending = false;
    }
  }

  const send = () => once(() => post(request()));

  const sendJson = () => once(async () => {
    let body;
    try {
      body = JSON.parse(json.value);
    } catch (error) {
      throw bad(json, `This is no JSON: ${error.message}`);
    }
    await post(body);
  });

  attempt(load);
  return () => stopped.abort();
}
