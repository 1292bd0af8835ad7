// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0
// The console before very many jobs: console-crowd.cjs URL PROXY.pem JOBS NEWS. JOBS are there when the list is opened; NEWS more come while it is open.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { chromium } = require('playwright-core');

const [url, cert] = process.argv.slice(2);
const [jobs, news] = process.argv.slice(4).map(Number);
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => fs.existsSync(file));
const MOST_ROWS = 2000;

(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
  const context = await browser.newContext({ ignoreHTTPSErrors: true, clientCertificates: [{ origin: url, certPath: cert, keyPath: cert }] });
  const maker = await context.newPage();
  await maker.goto(`${url}/console/#/service`);
  // answers the ids of the last thousand
  const make = (count) => maker.evaluate(async (all) => {
    let ids = [];
    for (let left = all; left > 0; left -= 1000) {
      const body = { jobs: Array.from({ length: Math.min(left, 1000) }, () => ({ executable: '/bin/true', holdAt: 'StageIn' })) };
      const answer = await fetch('/api/v1/bulk/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      const made = await answer.json();
      if (answer.status !== 200 || made.refused !== 0) throw new Error(JSON.stringify(made).slice(0, 500));
      ids = made.results.map((result) => result.id);
    }
    return ids;
  }, count);
  // a first look fills the caches of browser and gateway
  const page = await context.newPage();
  page.setDefaultTimeout(240_000);
  let asked = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/v1/jobs') asked.push(Number(searchParams.get('limit')));
  });
  const look = async () => {
    const times = [];
    const looks = [];
    for (let turn = 0; turn < 4; turn++) {
      await page.goto('about:blank');
      asked = [];
      const began = Date.now();
      await page.goto(`${url}/console/#/jobs`, { waitUntil: 'commit' });
      await page.locator('tbody tr').first().waitFor();
      times.push(Date.now() - began);
      looks.push([...asked]);
    }
    return { times, looks };
  };
  await make(1);
  const few = Math.min(...(await look()).times.slice(1));
  await make(jobs - 1);
  const { times, looks } = await look();
  await page.waitForFunction(() => document.getElementById('live').textContent === 'live');

  const client = await context.newCDPSession(page);
  const heap = async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
  const rows = page.locator('tbody tr');
  const newest = () => page.evaluate(() => document.querySelector('tbody tr')?.dataset.job);
  const settled = async () => {
    let before = null;
    for (let now = await newest(); now !== before; now = await newest()) {
      before = now;
      await page.waitForTimeout(1500);
    }
  };
  // news come some time after what they tell of, and a list that lost the stream begins anew with one page
  const shows = (ids) => page.waitForFunction((all) => {
    const wanted = new Set(all);
    return [...document.querySelectorAll('tbody tr')].some((row) => wanted.has(row.dataset.job));
  }, ids);
  const come = async (count) => {
    await shows(await make(count));
    await settled();
  };
  // the rows are full first: from then on nothing may grow
  await come(Math.max(3000, Math.floor(news / 2)));
  for (let more = 0; more < 5 && await rows.count() < MOST_ROWS; more++) await come(1000);
  assert.equal(await rows.count(), MOST_ROWS);
  const full = await heap();
  await come(news);
  const after = await heap();
  const figures = { jobs, news, firstRowOfOneJobMs: few, firstRowMs: times.slice(1), rows: await rows.count(), heapBefore: full, heapAfter: after };
  console.log(`figures ${JSON.stringify(figures)}`);
  // the time is that of this machine and of what else it does, so it is compared with that for one job; that one page is asked for, however many jobs
  // there are, holds on each
  assert.ok(Math.min(...times.slice(1)) <= 3 * few + 3000, `the first row is there after ${times.slice(1)} ms, and for one job after ${few} ms`);
  assert.deepEqual(looks, times.map(() => [100]));
  assert.ok(figures.rows <= MOST_ROWS, `${figures.rows} rows`);
  assert.ok(after < 1.25 * full + 4e6, `the page grows: ${full} bytes, then ${after}`);
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
