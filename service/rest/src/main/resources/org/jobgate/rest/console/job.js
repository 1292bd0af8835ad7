// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// One job: what it is, what happened, why it waits, what it writes, its files.
import { api, attempt, bytes, decoded, duration, enc, file, filePath, h, isPassing, notice, oneAtATime, stateMark, time } from './kit.js';
import { followed, listen } from './live.js';

// a longer output is shown from here on; the whole can be fetched
const SHOWN_BYTES = 256 * 1024;

export function job(main, parameters, id) {
  const stopped = new AbortController();
  const head = h('h1', {}, `Job ${id}`);
  const buttons = h('div', { class: 'bar' });
  const facts = h('dl', { class: 'facts' });
  const fault = h('div');
  const explain = h('div');
  const timeline = h('ol', { class: 'timeline' });
  const description = h('pre', {});
  const files = h('div');
  let current = null;
  /** The version that is shown whole; less than the current one where a part of it could not be had. */
  let whole = null;

  main.append(
    head, buttons,
    h('section', { class: 'panel' }, facts, fault, explain),
    h('section', { class: 'panel' }, h('h2', {}, 'What happened'), timeline),
    h('section', { class: 'panel' }, ...output('stdout', 'Output'), ...output('stderr', 'Errors')),
    h('section', { class: 'panel' }, h('h2', {}, 'Files'), files),
    h('details', { class: 'panel', toggle: () => attempt(describe) }, h('summary', {}, 'Description'), description));

  const fact = (name, value) => (value === undefined || value === null || value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)]);

  const look = oneAtATime(async () => {
    const now = await api('GET', `/jobs/${enc(id)}`, undefined, {}, stopped.signal);
    current = now;
    if (whole === now.version) return;
    head.replaceChildren(`Job ${id} `, stateMark(now));
    const waiting = now.waiting;
    facts.replaceChildren(
      ...fact('LRM', now.lrm), ...fact('Account', now.account), ...fact('Owner', now.owner), ...fact('In the LRM', now.localIds.join(', ')),
      ...fact('Created', time(now.created)), ...fact('Queued', now.queued && time(now.queued)), ...fact('Started', now.started && time(now.started)),
      ...fact('Ended', now.ended && time(now.ended)), ...fact('Ran', now.wallTimeSeconds !== undefined ? duration(now.wallTimeSeconds) : null),
      ...fact('Exit code', now.exitCode), ...fact('Signal', now.signal), ...fact('Waits because', waiting?.because),
      ...fact('Kept until', now.terminationTime && time(now.terminationTime)),
      ...fact('Array', now.array && h('a', { href: `#/arrays/${enc(now.array)}` }, `${now.array} #${now.index}`)));
    fault.replaceChildren(...(now.fault
      ? [h('div', { class: 'fault' }, h('p', {}, now.fault.sentence), h('p', { class: 'soft' }, now.fault.remedy), h('p', { class: 'soft' }, `${now.fault.code} (${now.fault.origin})`))]
      : []));
    actions(now);
    await history();
    if (await attempt(listFiles)) whole = now.version;
  });

  async function history() {
    const { changes } = await api('GET', `/jobs/${enc(id)}/history`, undefined, {}, stopped.signal);
    timeline.replaceChildren(...changes.map((change) =>
      h('li', {}, stateMark({ state: change.to, holding: change.holding }), time(change.at), change.note ? h('div', { class: 'soft' }, change.note) : null)));
  }

  function actions(now) {
    const can = {
      cancel: !now.final, hold: !now.final && !now.holding && ['Unsubmitted', 'StageIn', 'Pending'].includes(now.state), release: now.holding || (!now.final && Boolean(now.holdAt)),
      suspend: now.state === 'Active', resume: now.state === 'Suspended', restart: now.state === 'Failed',
    };
    const button = (name, enabled, action, kind) => h('button', { disabled: !enabled, class: kind, click: () => attempt(action) }, name);
    buttons.replaceChildren(
      ...Object.entries(can).map(([name, enabled]) => button(name, enabled, async () => {
        if (name === 'cancel' && !confirm('End this job?')) return;
        await api('POST', `/jobs/${enc(id)}/${name}`);
        await look();
      }, name === 'cancel' ? 'danger' : null)),
      button('explain', true, why),
      button('delete', true, async () => {
        if (!confirm('End this job and forget it?')) return;
        await api('DELETE', `/jobs/${enc(id)}`);
        notice('The job is gone, or is being ended.');
        location.hash = '#/jobs';
      }, 'danger'));
  }

  async function why() {
    const told = await api('GET', `/jobs/${enc(id)}/explain`, undefined, {}, stopped.signal);
    explain.replaceChildren(h('h2', {}, 'Why'), h('p', {}, told.summary),
      h('ul', {}, ...told.lines.map((line) => h('li', {}, typeof line === 'string' ? line : [line.at ? [time(line.at), ' '] : [], line.text ?? line.sentence ?? JSON.stringify(line)].flat(2)))));
  }

  async function describe() {
    if (description.textContent === '') description.textContent = JSON.stringify(await api('GET', `/jobs/${enc(id)}/description`, undefined, {}, stopped.signal), null, 2);
  }

  /** A pane that shows what the job writes while it writes it. */
  function output(name, title) {
    const pane = h('pre', { tabindex: 0, 'aria-label': title });
    const size = h('span', { class: 'soft' });
    const link = h('a', { href: `/jobs/${enc(id)}/${name}`, download: `${id}.${name}` }, 'fetch all');
    follow(name, pane, size);
    return [h('h2', {}, title, ' ', size, ' ', link), pane];
  }

  async function follow(name, pane, size) {
    const decoder = new TextDecoder();
    let at = 0;
    let same = null;
    let shown = 0;
    let failures = 0;
    while (!stopped.signal.aborted) {
      try {
        // what is not there when this is asked may be there at the end of the job, and is asked for once more then
        const over = current?.final;
        const headers = { Range: `bytes=${at}-`, Accept: '*/*', ...(same ? { 'Jobgate-File': same } : {}) };
        const answer = await file(`/jobs/${enc(id)}/${name}?wait=20`, { headers, signal: stopped.signal, allow: [404, 416, 412] });
        failures = 0;
        if (!answer.ok) {
          if (over) return;
          await new Promise((resolve) => setTimeout(resolve, 2000));
          continue;
        }
        const piece = new Uint8Array(await answer.arrayBuffer());
        same = answer.headers.get('Jobgate-File') ?? same;
        at += piece.length;
        if (piece.length) {
          const atEnd = pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 4;
          const text = decoder.decode(piece, { stream: true });
          pane.append(text);
          shown += text.length;
          while (shown > SHOWN_BYTES && pane.firstChild !== pane.lastChild) {
            shown -= pane.firstChild.length;
            pane.firstChild.remove();
          }
          if (atEnd) pane.scrollTop = pane.scrollHeight;
        }
        size.textContent = bytes(at);
        if (answer.headers.get('Jobgate-Complete') === 'true') return;
      } catch (error) {
        if (error.name === 'AbortError') return;
        if (error.status && error.status < 500 && error.status !== 429) {
          size.textContent = error.message;
          return;
        }
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, Math.min(15000, 1000 * 2 ** failures)));
      }
    }
  }

  async function listFiles(directory = '') {
    const answer = await file(`/jobs/${enc(id)}/files/${directory}`, { headers: { Accept: 'application/json' }, signal: stopped.signal, allow: [404, 403, 409, 503] });
    if (!answer.ok) {
      files.replaceChildren(h('p', { class: 'soft' }, 'The job has no directory that can be shown now.'));
      return;
    }
    const listing = await answer.json();
    const entries = listing.entries ?? listing.files ?? [];
    const chosen = h('input', { type: 'file', 'aria-label': 'A file to send', change: () => attempt(async () => {
      const source = chosen.files[0];
      if (!source) return;
      await file(`/jobs/${enc(id)}/files/${directory}${filePath(source.name)}`, { method: 'PUT', body: source, headers: { 'Content-Type': 'application/octet-stream' } });
      notice(`${source.name} sent: ${bytes(source.size)}`);
      await listFiles(directory);
    }) });
    const up = directory === '' ? [] : [h('tr', {}, h('td', {}, h('button', { click: () => attempt(() => listFiles(directory.replace(/[^/]+\/$/, ''))) }, 'up')), h('td'), h('td'))];
    files.replaceChildren(
      h('p', { class: 'soft' }, directory === '' ? 'In the job’s directory' : decoded(directory)),
      h('div', { class: 'scroll' }, h('table', {}, h('tbody', {}, ...up, ...entries.map((entry) => {
        const encoded = entry.encodedName ?? enc(entry.name);
        const name = entry.kind === 'directory'
          ? h('button', { click: () => attempt(() => listFiles(`${directory}${encoded}/`)) }, `${entry.name}/`)
          : entry.kind === 'file' ? h('a', { href: `/jobs/${enc(id)}/files/${directory}${encoded}`, download: entry.name }, entry.name) : entry.name;
        return h('tr', {}, h('td', { class: 'text' }, name), h('td', { class: 'number' }, bytes(entry.size)), h('td', {}, time(entry.modified ?? entry.time)));
      })))),
      ...(current && !current.final ? [h('label', {}, 'Send a file', chosen)] : []));
  }

  let timer = null;
  const refresh = () => attempt(() => look().catch((error) => {
    clearTimeout(timer);
    // after the last change of a job nothing else would ask again
    if (isPassing(error)) timer = setTimeout(refresh, 5000);
    throw error;
  }));
  const unlisten = listen({ change: (change) => { if (change.job === id) refresh(); }, again: refresh });
  // a change that came between the first look and the beginning of the stream would never be shown
  followed().then(() => { if (!stopped.signal.aborted) refresh(); });
  return () => {
    unlisten();
    stopped.abort();
    clearTimeout(timer);
  };
}
