// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Names and texts that are made to be read as HTML: console-hostile.cjs URL HOSTILE-USER.pem ADMINISTRATOR.pem DIRECTORY. Whatever users and batch systems
// put into a field is shown as text, to its owner and to administrators.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { chromium } = require('playwright-core');

const [url, hostile, administrator, room] = process.argv.slice(2);
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => fs.existsSync(file));
const attack = (field) => `"'><img src=x onerror="window.pwned='${field}'"><svg onload="window.pwned='${field}'"><a href="javascript:window.pwned='${field}'">`;
// a name of a file holds no slash
const fileAttack = `<img src=x onerror="window.pwned='file'">`;

(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const as = async (cert) => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 900 }, clientCertificates: [{ origin: url, certPath: cert, keyPath: cert }] });
    const page = await context.newPage();
    page.setDefaultTimeout(240_000);
    page.on('dialog', () => { throw new Error('a dialog was opened'); });
    return page;
  };
  const clean = async (page, where, text) => {
    if (text) {
      await page.waitForFunction((wanted) => (document.body.innerText + [...document.querySelectorAll('pre, details')].map((e) => e.textContent).join()).includes(wanted), text)
        .catch((error) => { throw new Error(`${where} does not show ${text}: ${error}`); });
    }
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.pwned), undefined, `a script ran: ${where}`);
    const made = await page.evaluate(() => [...document.querySelectorAll('main img, main script, main iframe, main [onerror], main [onload], main a[href^="javascript:" i], #who img')].map((e) => e.outerHTML));
    assert.deepEqual(made, [], where);
    console.log(`ok ${where}`);
  };
  const user = await as(hostile);
  await user.goto(`${url}/console/#/service`);
  await user.getByText('May run jobs').waitFor();
  await clean(user, 'the name of the user', 'onerror=');
  const post = (path, body) => user.evaluate(async ([to, json]) => {
    const answer = await fetch(`/api/v1${to}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) });
    return { status: answer.status, body: await answer.json() };
  }, [path, body]);
  const over = async (id) => {
    await user.goto(`${url}/console/#/jobs/${id}`);
    await user.waitForFunction(() => ['Failed', 'Done', 'Cancelled'].includes(document.querySelector('h1 .state')?.textContent));
  };

  const writer = await post('/jobs', {
    executable: '/bin/sh', arguments: ['-c', 'printf %s "$0"; printf %s "$0" >&2', attack('output')],
    environment: { ATTACK: attack('environment') }, idempotencyKey: attack('key'), directory: room, stdout: 'hostile.out', stderr: 'hostile.err',
  });
  assert.equal(writer.status, 201, JSON.stringify(writer.body));
  await over(writer.body.id);
  await user.getByLabel('Output', { exact: true }).getByText('onerror').waitFor();
  await clean(user, 'the output of a job', "window.pwned='output'");
  await user.getByText('Description').click();
  await user.locator('details pre').getByText('environment').waitFor();
  await clean(user, 'arguments, environment and key of a job', "window.pwned='environment'");

  const keeper = await post('/jobs', { executable: '/bin/true', holdAt: 'StageIn' });
  const put = await user.evaluate(async ([id, name]) => (await fetch(`/jobs/${id}/files/${encodeURIComponent(name)}`, { method: 'PUT', body: 'x', headers: { 'Content-Type': 'application/octet-stream' } })).status, [keeper.body.id, fileAttack]);
  assert.ok([200, 201, 204].includes(put), `PUT answered ${put}`);
  await user.goto(`${url}/console/#/jobs/${keeper.body.id}`);
  await user.locator('main table a[download]').first().waitFor();
  await clean(user, 'the name of a file', "window.pwned='file'");

  // what fails is told by the starter or the LRM with the words of the job
  for (const [field, job] of Object.entries({
    program: { executable: `/nowhere/${attack('program')}` },
    directory: { executable: '/bin/true', directory: `/nowhere/${attack('directory')}` },
    input: { executable: '/bin/true', stdin: `/nowhere/${attack('input')}` },
    source: { executable: '/bin/true', stageIn: [{ source: `file:///nowhere/${encodeURIComponent(attack('source'))}`, destination: 'file:///tmp/never' }] },
  })) {
    const made = await post('/jobs', job);
    if (made.status !== 201) {
      assert.ok([400, 422].includes(made.status), JSON.stringify(made));
      continue;
    }
    await over(made.body.id);
    await user.getByRole('button', { name: 'explain' }).click();
    await user.getByRole('heading', { name: 'Why' }).waitFor();
    await clean(user, `the fault of a job, ${field}`);
  }
  const array = await post('/arrays', { job: { executable: '/bin/false', arguments: ['{value}'] }, values: [attack('value'), 'b'] });
  assert.equal(array.status, 201, JSON.stringify(array.body));
  await user.goto(`${url}/console/#/arrays/${array.body.id}`);
  await user.waitForFunction(() => document.querySelectorAll('.cells a').length === 2);
  await clean(user, 'the values of an array');
  await user.goto(`${url}/console/#/jobs`);
  await user.locator('tbody tr').first().waitFor();
  await clean(user, 'the list of jobs');
  await user.goto(`${url}/console/#/jobs?search=${encodeURIComponent(attack('search'))}`);
  await user.locator('h1').waitFor();
  await clean(user, 'the address of a page');
  await user.goto(`${url}/console/#/jobs/${encodeURIComponent(attack('id'))}`);
  await clean(user, 'an id that is none');
  await user.goto(`${url}/console/#/${encodeURIComponent(attack('page'))}`);
  await clean(user, 'a page that is none');

  const admin = await as(administrator);
  await admin.goto(`${url}/console/#/admin`);
  await admin.getByLabel('State').selectOption('any state');
  await admin.locator('.rows .row').first().waitFor();
  await clean(admin, 'the jobs of everybody, to an administrator', 'onerror=');
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
