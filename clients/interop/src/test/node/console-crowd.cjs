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
  const make = (count) => maker.evaluate(async (all) => {
    for (let left = all; left > 0; left -= 1000) {
      const body = { jobs: Array.from({ length: Math.min(left, 1000) }, () => ({ executable: '/bin/true', holdAt: 'StageIn' })) };
      const answer = await fetch('/api/v1/bulk/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      const made = await answer.json();
      if (answer.status !== 200 || made.refused !== 0) throw new Error(JSON.stringify(made).slice(0, 500));
    }
  }, count);
  await make(jobs);

  // a first look fills the caches of browser and gateway
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const times = [];
  for (let turn = 0; turn < 4; turn++) {
    await page.goto('about:blank');
    const began = Date.now();
    await page.goto(`${url}/console/#/jobs`, { waitUntil: 'commit' });
    await page.locator('tbody tr').first().waitFor();
    times.push(Date.now() - began);
  }
  await page.waitForFunction(() => document.getElementById('live').textContent === 'live');

  const client = await context.newCDPSession(page);
  const heap = async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
  const newest = () => page.evaluate(() => document.querySelector('tbody tr')?.dataset.job);
  const settled = async () => {
    let before = null;
    for (let now = await newest(); now !== before; now = await newest()) {
      before = now;
      await page.waitForTimeout(1500);
    }
  };
  // the rows are full first: from then on nothing may grow
  await make(Math.max(3000, Math.floor(news / 2)));
  await settled();
  const full = await heap();
  await make(news);
  await settled();
  const after = await heap();
  const rows = await page.locator('tbody tr').count();
  const figures = { jobs, news, firstRowMs: times.slice(1), rows, heapBefore: full, heapAfter: after };
  console.log(`figures ${JSON.stringify(figures)}`);
  assert.ok(Math.min(...times.slice(1)) <= 1000, `the first row is there after ${times.slice(1)} ms`);
  assert.ok(rows <= MOST_ROWS, `${rows} rows`);
  assert.ok(after < 1.25 * full + 4e6, `the page grows: ${full} bytes, then ${after}`);
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
