// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// Users without a certificate sign in to the console by an issuer, npm's oidc-provider: console-signin.cjs URL CERT.pem KEY.pem PORT SECRET-FILE
const assert = require('node:assert/strict');
const fs = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { chromium } = require('playwright-core');

const [url, cert, key, port, secret] = process.argv.slice(2);
const issuer = `https://localhost:${port}`;
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => fs.existsSync(file));

/** A real issuer: it insists on PKCE, and anybody may sign in at it under any name. */
async function issue() {
  const { Provider } = await import(pathToFileURL(path.join(process.env.NODE_PATH, 'oidc-provider/lib/index.js')));
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'gate', client_secret: fs.readFileSync(secret, 'utf8').trim(), redirect_uris: [`${url}/console/callback`], grant_types: ['authorization_code'], response_types: ['code'] }],
    cookies: { keys: ['a key of this test'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  const server = https.createServer({ cert: fs.readFileSync(cert), key: fs.readFileSync(key) }, provider.callback());
  await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
  return server;
}

(async () => {
  const server = await issue();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const fresh = async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } });
    // the issuer's pages name fonts of another site, which are not needed here
    await context.route((address) => address.hostname !== 'localhost', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(240_000);
    page.on('pageerror', (error) => { throw error; });
    return { context, page };
  };
  const step = async (name, action) => {
    const began = Date.now();
    await action();
    console.log(`ok ${name} (${Date.now() - began} ms)`);
  };
  const signIn = async (page, name) => {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((address) => address.href.startsWith(`${url}/console/`));
  };
  const { context, page } = await fresh();

  await step('nobody is signed in, and is offered to', async () => {
    await page.goto(`${url}/console/#/service`);
    await page.getByText('Sign in to see your jobs').waitFor();
    assert.equal(await page.evaluate(async () => (await fetch('/api/v1/jobs')).status), 401);
  });

  await step('a user signs in, and is back where they were', async () => {
    await signIn(page, 'alice');
    await page.waitForFunction((who) => document.getElementById('who').textContent === who, `${issuer},alice`);
    assert.equal(new URL(page.url()).hash, '#/service');
    const cookie = (await context.cookies(url)).find(({ name }) => name === '__Host-jobgate-session');
    assert.ok(cookie.httpOnly && cookie.secure && cookie.sameSite === 'Strict', JSON.stringify(cookie));
    assert.equal(await page.evaluate(() => document.cookie), '');
  });

  await step('their job runs', async () => {
    await page.getByRole('link', { name: 'Submit' }).click();
    await page.getByLabel('Program').fill('/bin/true');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('h1 .state')?.textContent === 'Done');
  });

  await step('a request without what only our pages know changes nothing', async () => {
    const answer = await page.evaluate(async () => {
      const response = await fetch('/api/v1/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"executable": "/bin/true"}' });
      return [response.status, (await response.json()).code];
    });
    assert.deepEqual(answer, [403, 'CSRF']);
  });

  await step('another tab that signs in anew does not keep this one from acting', async () => {
    const other = await context.newPage();
    await other.goto(`${url}/console/signin`);
    await other.waitForURL((address) => address.href.startsWith(`${url}/console/`));
    await other.close();
    await page.getByRole('link', { name: 'Submit' }).click();
    await page.getByLabel('Program').fill('/bin/true');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('h1 .state')?.textContent === 'Done');
  });

  await step('who signs out is nobody', async () => {
    const before = await context.cookies(url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Sign in to see your jobs').waitFor();
    assert.ok(!(await context.cookies(url)).some(({ name }) => name === '__Host-jobgate-session'));
    // somebody else who has kept the cookie: here, a request of the page's own could have been told so first, and the cookie is taken away with that
    const other = await browser.newContext({ ignoreHTTPSErrors: true });
    await other.addCookies(before.filter(({ name }) => name === '__Host-jobgate-session'));
    assert.equal((await (await other.request.get(`${url}/api/v1/jobs`)).json()).code, 'SESSION_OVER');
    await other.close();
  });

  await step('a user whom the site does not know is told so', async () => {
    const mallory = await fresh();
    await mallory.page.goto(`${url}/console/`);
    await signIn(mallory.page, 'mallory');
    await mallory.page.getByText('You may not run jobs here').waitFor();
    assert.equal(await mallory.page.locator('#who').textContent(), `${issuer},mallory`);
  });

  await step('who does not want to sign in is told so', async () => {
    const unwilling = await fresh();
    await unwilling.page.goto(`${url}/console/`);
    await unwilling.page.getByRole('link', { name: 'Sign in' }).click();
    await unwilling.page.getByRole('link', { name: /Cancel/ }).click();
    await unwilling.page.getByText('access_denied').waitFor();
    await unwilling.page.getByRole('link', { name: 'The console' }).click();
    await unwilling.page.getByText('Sign in to see your jobs').waitFor();
  });

  await browser.close();
  server.close();
  server.closeAllConnections();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
