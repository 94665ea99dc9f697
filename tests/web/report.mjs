// node report.mjs RESULTS SCREENSHOTS: checks reports in Chromium. Prints "M of N tests failed".
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [, , results, screenshots] = process.argv;

let failed = 0;
let ran = 0;
async function test(name, body) {
  ++ran;
  try {
    await body();
  } catch (error) {
    ++failed;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
function expect(good, text) {
  if (!good) throw new Error(text);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

/// A page with a report; errors of its console are counted against it.
async function open(file, { width = 1400, height = 900, scheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, offline: true });
  const page = await context.newPage();
  page.setDefaultTimeout(180000); // drawing is done by the CPU, which other stages use too
  page.faults = [];
  page.on('console', (m) => m.type() === 'error' && page.faults.push(m.text()));
  page.on('pageerror', (e) => page.faults.push(e.message));
  page.on('request', (r) => /^(file|blob|data):/.test(r.url()) || page.faults.push(`request of ${r.url()}`));
  await page.goto(`file://${join(results, file)}`);
  await page.waitForSelector('html[data-time]');
  await page.waitForTimeout(500);
  return page;
}
const time = async (page) => Number(await page.getAttribute('html', 'data-time'));
async function until(holds, text) {
  for (let i = 0; i < 300; ++i) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(text);
}
async function seek(page, t) {
  await page.locator('input.time').evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event('input'));
  }, t);
  await page.waitForTimeout(300);
}
/// Pixels of the 3D view whose colours are those of a cable: saturated, as neither ground nor bodies are.
async function coloured(page) {
  return page.locator('.view canvas').evaluate(async (canvas) => {
    const image = new Image();
    image.src = canvas.toDataURL();
    await image.decode();
    const copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    let x = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const most = Math.max(pixels[i], pixels[i + 1], pixels[i + 2]);
      const least = Math.min(pixels[i], pixels[i + 1], pixels[i + 2]);
      if (most - least < 50) continue;
      ++count;
      x += (i / 4) % copy.width;
    }
    return { count, middle: x / Math.max(1, count) };
  });
}

const crane = await open('crane/report.html');
await test('a report is below 2 MB', () => {
  for (const file of ['crane/report.html', 'net/report.html'])
    expect(statSync(join(results, file)).size < 2e6, `${file} is ${statSync(join(results, file)).size} bytes`);
});
await test('cables are drawn and move', async () => {
  const before = await coloured(crane);
  expect(before.count > 500, `${before.count} coloured pixels`);
  await seek(crane, 26);
  const after = await coloured(crane);
  expect(after.count > 500, `${after.count} coloured pixels at 26 s`);
  expect(Math.abs(after.middle - before.middle) > 20, `the middle moved from ${before.middle} to ${after.middle}`);
});
await test('play runs and pause stops', async () => {
  await seek(crane, 5);
  await crane.locator('button.play').click();
  await until(async () => (await time(crane)) > 5.2, 'time does not run'); // on a busy machine it takes a while
  await crane.locator('button.play').click();
  const stopped = await time(crane);
  await crane.waitForTimeout(400);
  expect((await time(crane)) === stopped, 'time goes on after pause');
});
await test('keys seek', async () => {
  await crane.locator('h1').click();
  await crane.keyboard.press('End');
  expect(Math.abs((await time(crane)) - 40) < 1e-3, `End leads to ${await time(crane)}`);
  await crane.keyboard.press('Home');
  expect((await time(crane)) === 0, `Home leads to ${await time(crane)}`);
});
await test('channels are added by name', async () => {
  const before = await crane.locator('.u-legend .u-label').count();
  await crane.getByLabel('Add a channel to the plots').fill('rail.force.z');
  await crane.getByLabel('Add a channel to the plots').press('Enter');
  await crane.getByLabel('Add a channel to the plots').blur();
  await until(async () => (await crane.locator('.u-legend .u-label').count()) === before + 1, 'no line was added');
});
await test('tables state what the summary states', async () => {
  const text = await crane.locator('.panels').innerText();
  const summary = JSON.parse(readFileSync(join(results, 'crane/summary.json'), 'utf8'));
  const most = (summary.cables[0].largest_tension.tension / 1000).toPrecision(4);
  expect(text.includes(`${most} kN`), `no ${most} kN`);
  const met = await crane.locator('.verdict.good').count();
  expect(met === summary.expectations.length, `${met} of ${summary.expectations.length} expected values met`);
});
await test('colours can be chosen', async () => {
  await crane.getByLabel('Colour of the cables').selectOption('speed');
  expect((await crane.locator('.legend').innerText()).includes('m/s'), 'no unit of speed');
  await crane.getByLabel('Colour of the cables').selectOption('tension');
});
await test('no errors, no network', () => expect(crane.faults.length === 0, crane.faults.join('; ')));
await seek(crane, 20);
await crane.screenshot({ path: join(screenshots, 'report-crane.png'), fullPage: true });

await test('the net in the dark', async () => {
  const net = await open('net/report.html', { scheme: 'dark' });
  await seek(net, 1);
  expect((await coloured(net)).count > 2000, 'few coloured pixels');
  expect((await net.locator('.warnings li').count()) > 0, 'no warnings');
  await net.screenshot({ path: join(screenshots, 'report-net-dark.png'), fullPage: true });
  expect(net.faults.length === 0, net.faults.join('; '));
});
await test('a failed run says why', async () => {
  const page = await open('failed/report.html');
  expect((await page.locator('.failure').innerText()).startsWith('stopped at t ='), 'no reason');
  expect(page.faults.length === 0, page.faults.join('; '));
});
await test('a report written by itself opens', async () => {
  const page = await open('own.html');
  expect(page.faults.length === 0, page.faults.join('; '));
});
await test('fits a phone', async () => {
  const phone = await open('crane/report.html', { width: 390, height: 844, scheme: 'dark' });
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(wide <= 390, `the page is ${wide} pixels wide`);
  await phone.screenshot({ path: join(screenshots, 'report-phone.png') });
  expect(phone.faults.length === 0, phone.faults.join('; '));
});
for (const scheme of ['light', 'dark'])
  await test(`accessible, ${scheme}`, async () => {
    const page = await open('crane/report.html', { scheme });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const serious = violations.filter((v) => ['serious', 'critical'].includes(v.impact));
    expect(serious.length === 0, serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`).join('; '));
  });
await browser.close();
console.log(`${failed} of ${ran} tests failed`);
process.exit(failed ? 1 : 0);
