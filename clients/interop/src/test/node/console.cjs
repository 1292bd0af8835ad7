// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// A user at the console, in a real browser: console.cjs URL PROXY.pem DIRECTORY-FOR-PICTURES
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { chromium } = require('playwright-core');

const [url, cert, key, pictures] = process.argv.slice(2);
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => fs.existsSync(file));
fs.mkdirSync(pictures, { recursive: true });

/**
 * Runs in the page: texts whose contrast with what is behind them is less than WCAG 2.2 wants of small text (1.4.3), those of controls that are turned
 * off left out, and how many were looked at.
 */
function contrasts() {
  const color = (text) => {
    const values = text.match(/[\d.]+/g).map(Number);
    return { rgb: values.slice(0, 3).map((value) => value * (text.startsWith('color(') ? 255 : 1)), alpha: values[3] ?? 1 };
  };
  const over = (top, below) => top.rgb.map((value, i) => value * top.alpha + below[i] * (1 - top.alpha));
  const behind = (element) => {
    if (element === null) return [255, 255, 255];
    const own = color(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, behind(element.parentElement));
  };
  const luminance = (rgb) => rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  let seen = 0;
  const faint = [];
  const look = (element, text, shown) => {
    if (!text.trim() || !element.checkVisibility({ visibilityProperty: true }) || element.closest(':disabled, option, .skip')) return;
    const ground = behind(element);
    const [light, dark] = [luminance(over(color(shown), ground)), luminance(ground)].sort((one, other) => other - one);
    seen++;
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) faint.push({ text: text.trim().slice(0, 40), contrast: contrast.toFixed(2) });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    look(element, walker.currentNode.data, element.closest('svg') ? style.fill : style.color);
  }
  for (const input of document.querySelectorAll('input, textarea, select')) {
    look(input, input.value ?? '', getComputedStyle(input).color);
    look(input, input.placeholder ?? '', getComputedStyle(input, '::placeholder').color);
  }
  return { seen, faint };
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext({
    ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 },
    clientCertificates: [{ origin: url, certPath: cert, keyPath: key }],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(240_000);
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error' && !/404|412|416|ERR_INTERNET_DISCONNECTED|Failed to load|ERR_/.test(message.text())) wrong.push(message.text()); });
  page.on('dialog', (dialog) => dialog.accept());
  const step = async (name, action) => {
    const began = Date.now();
    await action();
    console.log(`ok ${name} (${Date.now() - began} ms)`);
  };
  /** The page of this name in the place of the one before, which has a title too. */
  const open = async (name) => {
    await page.goto(`${url}/console/#/${name}`);
    await page.locator(`nav a[aria-current][href="#/${name}"]`).waitFor({ state: 'attached' });
    await page.locator('main h1').waitFor();
  };
  const state = (text) => page.waitForFunction((wanted) => document.querySelector('h1 .state')?.textContent === wanted, text);

  await step('the console opens, and knows who is there', async () => {
    const answer = await page.goto(`${url}/console`);
    assert.match(answer.headers()['content-security-policy'], /default-src 'none'/);
    await page.waitForFunction(() => document.getElementById('who').textContent.length > 3);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.waitForFunction(() => document.getElementById('live').textContent === 'live');
  });

  await step('a job is submitted by the form, and its output is followed', async () => {
    await page.getByRole('link', { name: 'Submit' }).click();
    await page.getByLabel('Program').fill('/bin/sh');
    const goOn = path.join(pictures, `go-on-${process.pid}`);
    await page.getByLabel('Arguments').fill(`-c\necho first; n=0; until [ -e "$0" ] || [ $n -ge 3000 ]; do n=$((n + 1)); sleep 0.2; done; echo "<b>second</b>"; echo wrong >&2\n${goOn}`);
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByRole('heading', { name: /^Job / }).waitFor();
    await page.getByLabel('Output', { exact: true }).getByText('first').waitFor();
    assert.ok(!(await page.getByLabel('Output', { exact: true }).textContent()).includes('second'), 'the output is shown while it is written');
    fs.writeFileSync(goOn, '');
    await state('Done');
    fs.rmSync(goOn);
    await page.getByLabel('Output', { exact: true }).getByText('<b>second</b>').waitFor();
    await page.getByLabel('Errors', { exact: true }).getByText('wrong').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('ol.timeline li').length >= 3);
    await page.getByRole('button', { name: 'explain' }).click();
    await page.getByRole('heading', { name: 'Why' }).waitFor();
    await page.screenshot({ path: path.join(pictures, 'job.png'), fullPage: true });
  });

  await step('two clicks on Submit are one job', async () => {
    const posts = [];
    const note = (answer) => { if (answer.request().method() === 'POST' && answer.url().endsWith('/api/v1/jobs')) posts.push(answer.json().then(({ id }) => id)); };
    page.on('response', note);
    // the directory of the job is made after the job: a second click then is no second job either
    await page.route('**/jobs/*/files/', async (route) => {
      await page.getByRole('button', { name: 'Submit', exact: true }).click();
      await route.continue();
    }, { times: 1 });
    await page.getByRole('link', { name: 'Submit' }).click();
    await page.getByLabel('Program').fill('/bin/true');
    await page.getByRole('button', { name: 'Submit', exact: true }).dblclick();
    await page.getByRole('heading', { name: /^Job / }).waitFor();
    await state('Done');
    page.off('response', note);
    const ids = await Promise.all(posts);
    assert.equal(new Set(ids).size, 1, String(ids));
  });

  await step('a job that runs is cancelled, and the list shows it at once', async () => {
    await page.getByRole('link', { name: 'Submit' }).click();
    await page.getByLabel('Program').fill('/bin/sleep');
    await page.getByLabel('Arguments').fill('600');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await state('Active');
    const other = await context.newPage();
    other.setDefaultTimeout(240_000);
    // its stream of events begins late: what happens until then is shown all the same
    let begin;
    const isShown = new Promise((resolve) => { begin = resolve; });
    await other.route('**/api/v1/events', async (route) => {
      await isShown;
      await route.continue();
    });
    await other.goto(`${url}/console/#/jobs`);
    const first = other.locator('tbody tr').first();
    await first.getByText('Active').waitFor();
    await page.getByRole('button', { name: 'cancel' }).click();
    await state('Cancelled');
    begin();
    await first.locator('.state').getByText('Cancelled').waitFor();
    await other.close();
  });

  await step('what a user writes into a job is shown as text', async () => {
    const attack = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    const answer = await page.evaluate(async (text) => {
      const made = await fetch('/api/v1/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ executable: `/nowhere/${text}`, arguments: [text], environment: { A: text } }) });
      return { status: made.status, body: await made.json() };
    }, attack);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    await page.goto(`${url}/console/#/jobs/${answer.body.id}`);
    await page.waitForFunction(() => ['Failed', 'Done'].includes(document.querySelector('h1 .state')?.textContent));
    await page.getByText('Description').click();
    await page.locator('details pre').getByText('onerror').waitFor();
    await page.goto(`${url}/console/#/jobs`);
    await page.locator('tbody tr').first().waitFor();
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator('main img, main script').count(), 0);
  });

  await step('a wrong member is refused with a sentence', async () => {
    await page.goto(`${url}/console/#/submit`);
    await page.getByLabel('Program').fill('/bin/true');
    await page.getByLabel('Longest time').fill('soon');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.locator('#notices').getByText('soon is no time').waitFor();
    assert.equal(await page.getByLabel('Longest time').getAttribute('aria-invalid'), 'true');
  });

  await step('an array is submitted, and shown as a grid', async () => {
    await page.goto(`${url}/console/#/submit`);
    await page.reload();
    await page.getByLabel('Program').fill('/bin/sh');
    const once = `/tmp/console-array-${process.pid}-${Date.now()}`;
    await page.getByLabel('Arguments').fill(`-c\ntest "$0" != c || ! mkdir ${once}\n{value}`);
    await page.getByLabel(/^Values/).fill('a\nb\nc\nd');
    // What is asked of the array is answered when its jobs are over: the elements that the page shows may not be older than that.
    await page.route('**/api/v1/arrays/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await route.continue();
    }, { times: 1 });
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByRole('heading', { name: /^Array / }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.cells a').length === 4);
    await page.waitForFunction(() => document.querySelectorAll('.cells a.Done').length === 3 && document.querySelectorAll('.cells a.Failed').length === 1);
    await page.getByRole('button', { name: 'restart failed' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.cells a.Done').length === 4);
    fs.rmdirSync(once);
    await page.screenshot({ path: path.join(pictures, 'array.png') });
  });

  await step('requests to move files are listed with what failed, cancelled, and forgotten', async () => {
    const id = await page.evaluate(async () => (await (await fetch('/api/v1/transfers', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
      files: [{ source: 'https://localhost:1/<b>none</b>', destination: 'file:///tmp/jobgate-console-none' }], options: { maxAttempts: '1' },
    }) })).json()).id);
    const row = (one) => page.locator('tbody tr', { has: page.locator(`td[title="${one}"]`) });
    await page.getByRole('link', { name: 'Transfers' }).click();
    await row(id).getByText('Failed', { exact: true }).waitFor();
    await row(id).getByText('0 of 1').waitFor();
    assert.ok((await row(id).locator('td').nth(6).textContent()).length > 10, 'what failed is told');
    await page.screenshot({ path: path.join(pictures, 'transfers.png') });
    await row(id).getByRole('button', { name: `forget ${id}` }).click();
    await row(id).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(async (one) => (await fetch(`/api/v1/transfers/${one}`)).status, id), 404);
    // one that stays under way for as long as this looks at it
    const other = { id: 'b0b', state: 'Active', files: 2, done: 1, failed: 0, bytes: 2048, created: new Date().toISOString(), terminates: new Date().toISOString() };
    const asked = [];
    await page.route('**/api/v1/transfers**', (route) => {
      asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
      if (route.request().method() === 'POST') other.state = 'Cancelled';
      return route.fulfill({ json: route.request().url().includes('limit=') ? { transfers: [other] } : other });
    });
    await page.goto(`${url}/console/#/jobs`);
    await page.getByRole('link', { name: 'Transfers' }).click();
    await row('b0b').getByRole('button', { name: 'cancel b0b' }).click();
    await row('b0b').getByText('Cancelled').waitFor();
    assert.equal(await row('b0b').getByRole('button', { name: 'cancel b0b' }).count(), 0);
    assert.ok(asked.includes('POST /api/v1/transfers/b0b/cancel'), asked.join());
    await page.unroute('**/api/v1/transfers**');
  });

  await step('a connection that is lost is told, and comes back without a gap', async () => {
    await page.goto(`${url}/console/#/jobs`);
    await page.waitForFunction(() => document.getElementById('live').textContent === 'live');
    await context.setOffline(true);
    await page.evaluate(() => fetch('/api/v1/info').catch(() => null));
    await context.setOffline(false);
    const made = await page.evaluate(async () => (await (await fetch('/api/v1/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ executable: '/bin/true' }) })).json()).id);
    await page.waitForFunction((id) => document.querySelector(`a[title="${id}"]`)?.closest('tr').querySelector('.state').textContent === 'Done', made);
  });

  await step('the service page tells the LRMs and limits', async () => {
    await page.getByRole('link', { name: 'Service' }).click();
    await page.getByText('May run jobs').waitFor();
    await page.locator('tbody code').first().waitFor();
    await page.screenshot({ path: path.join(pictures, 'service.png'), fullPage: true });
  });

  await step('an administrator changes throttles, and what was changed holds when the connection was lost', async () => {
    const asked = (what) => page.evaluate(async (path) => (await fetch(`/api/v1/admin/${path}`)).json(), what);
    const pool = async () => (await asked('pools')).pools.find((one) => one.name === 'submit').workers;
    const most = async () => (await asked('lrms')).lrms.find((one) => one.name === 'Fork').throttle.maxJobs;
    const change = async (label, value, read) => {
      const input = page.getByLabel(label, { exact: true });
      await input.fill(String(value));
      // it goes away by itself after a while: who looks for it later may find nothing
      const told = page.locator('#notices').getByText(`${label.replace(/.* of /, '')}: changed.`).first().waitFor();
      const answered = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().includes('/admin/'));
      await input.press('Enter');
      assert.equal((await answered).status(), 200);
      await told;
      assert.equal(await read(), value);
    };
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByLabel('Workers of submit', { exact: true }).waitFor();
    const before = await pool();
    await change('Workers of submit', before + 1, pool);
    await page.getByText(`REST /pools/submit {workers=${before + 1}}`).first().waitFor();
    await change('Jobs (0: no limit) of Fork', 77, most);
    await context.setOffline(true);
    await page.locator('#notices').getByText('The figures cannot be had').waitFor();
    await context.setOffline(false);
    await page.waitForResponse((answer) => answer.url().endsWith('/admin/pools') && answer.ok());
    assert.equal(await page.getByLabel('Workers of submit', { exact: true }).inputValue(), String(before + 1));
    await change('Workers of submit', before, pool);
    await change('Jobs (0: no limit) of Fork', 0, most);
    await page.waitForFunction(() => document.querySelectorAll('figure.plot svg').length === 4);
    const owners = page.getByRole('table', { name: 'Owners of jobs' });
    const use = await asked('owners');
    assert.ok(use.jobs <= use.maxJobs, JSON.stringify(use));
    // one job that is not over: what of the limit is used is told with who uses it
    const waits = await page.evaluate(async () => (await (await fetch('/api/v1/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ executable: '/bin/true', holdAt: 'Pending' }) })).json()).id);
    await owners.getByRole('row').filter({ hasText: '/CN=interop' }).getByText(new RegExp(`^ ?[1-9][0-9,.]* of ${use.maxJobsPerOwner.toLocaleString('en-US')}$`)).waitFor();
    const moved = await page.evaluate(async () => (await (await fetch('/api/v1/transfers', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
      files: [{ source: 'https://localhost:1/none', destination: 'file:///tmp/jobgate-console-none' }], options: { maxAttempts: '1' },
    }) })).json()).id);
    const transfer = page.getByRole('table', { name: 'Transfers of everybody' }).locator('tr', { has: page.locator(`td[title="${moved}"]`) });
    await transfer.getByText('/CN=interop').waitFor();
    await transfer.getByText('Failed', { exact: true }).waitFor();
    for (const path of [`jobs/${waits}`, `transfers/${moved}`]) {
      assert.equal(await page.evaluate(async (one) => (await fetch(`/api/v1/${one}`, { method: 'DELETE' })).ok, path), true);
    }
    await page.getByLabel('State').selectOption('any state');
    await page.locator('.rows .row').first().getByText('/CN=interop').waitFor();
    await page.screenshot({ path: path.join(pictures, 'admin.png'), fullPage: true });
  });

  await step('every control has a name, and the keyboard reaches it', async () => {
    for (const name of ['jobs', 'submit', 'transfers', 'service', 'admin']) {
      await open(name);
      const nameless = await page.evaluate(() => [...document.querySelectorAll('main button, main a[href], main input, main select, main textarea')]
        .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.[0]?.textContent.trim())).map((e) => e.outerHTML));
      assert.deepEqual(nameless, []);
    }
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY');
  });

  await step('text stands out from what is behind it, light and dark', async () => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const name of ['jobs', 'submit', 'arrays', 'transfers', 'service', 'admin']) {
        await open(name);
        await page.locator({ jobs: 'tbody tr', transfers: 'tbody tr', service: 'tbody code', admin: 'figure.plot svg' }[name] ?? 'main h1').first().waitFor();
        const { seen, faint } = await page.evaluate(contrasts);
        assert.ok(seen > 10, `${seen} texts on ${name}`);
        assert.deepEqual(faint, [], `${name}, ${colorScheme}`);
      }
    }
    // a title that can hardly be read is found
    await page.evaluate(() => Object.assign(document.querySelector('main h1').style, { color: '#777', background: '#666' }));
    const { faint } = await page.evaluate(contrasts);
    assert.deepEqual(faint.map((one) => one.text), ['Administration']);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  });

  await step('it fits a phone, and a dark room', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    for (const name of ['jobs', 'submit', 'transfers', 'service', 'admin']) {
      await open(name);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name} is ${wide} pixels wider than the screen`);
    }
    await page.goto(`${url}/console/#/jobs`);
    await page.locator('tbody tr').first().waitFor();
    await page.screenshot({ path: path.join(pictures, 'phone.png') });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: path.join(pictures, 'jobs-dark.png') });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.screenshot({ path: path.join(pictures, 'jobs.png') });
  });

  await step('no other site can hold the console in a frame, or act with its credential', async () => {
    const stranger = await context.newPage();
    await stranger.setContent(`<iframe src="${url}/console/" width=600 height=400></iframe>`);
    await stranger.waitForTimeout(500);
    const inside = stranger.frames()[1];
    assert.ok(!inside || !(await inside.content().catch(() => '')).includes('console.js'));
    await stranger.close();
    assert.equal((await context.request.post(`${url}/api/v1/jobs`, { headers: { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }, data: '{"executable":"/bin/true"}' })).status() >= 400, true);
  });

  assert.deepEqual(wrong, []);
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
