// node report.mjs RESULTS SCREENSHOTS: checks reports in Chromium. Prints "M of N tests failed".
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { coloured, expect, expectAccessible, expectNoFaults, finish, open, slide, test, time, until } from './browser.mjs';

const [, , results, screenshots] = process.argv;
const report = (file, options, fragment = '') => open(`file://${join(results, file)}${fragment}`, options);
const seek = (page, t) => slide(page.locator('input.time'), t);

const crane = await report('crane/report.html');
await test('a report is below 2 MB', () => {
  for (const file of ['crane/report.html', 'net/report.html'])
    expect(statSync(join(results, file)).size < 2e6, `${file} is ${statSync(join(results, file)).size} bytes`);
});
await test('cables are drawn and move', async () => {
  await until(async () => (await coloured(crane)).count > 300, 'no coloured pixels');
  const before = await coloured(crane);
  await seek(crane, 26);
  await until(async () => Math.abs((await coloured(crane)).middle - before.middle) > 10, 'the picture does not move');
  expect((await coloured(crane)).count > 300, 'no coloured pixels at 26 s');
});
await test('play runs and pause stops', async () => {
  await seek(crane, 5);
  await crane.locator('button.play').click();
  await until(async () => (await time(crane)) > 5.2, 'time does not run');
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
await test('help opens by its key', async () => {
  await crane.keyboard.press('?');
  expect(await crane.locator('dialog.help').isVisible(), 'no help');
  await crane.keyboard.press('Escape');
  expect(!(await crane.locator('dialog.help').isVisible()), 'help stays');
});
await test('channels are added by typing a part of the name', async () => {
  const before = await crane.locator('.keys li').count();
  await crane.getByRole('combobox', { name: 'Add a channel' }).fill('rail force.z');
  await crane.getByRole('combobox', { name: 'Add a channel' }).press('Enter');
  await until(async () => (await crane.locator('.keys li').count()) === before + 1, 'no line was added');
});
await test('plots are saved as tables and pictures', async () => {
  const [table] = await Promise.all([crane.waitForEvent('download'), crane.getByLabel('Save the values of this plot (CSV)').first().click()]);
  const lines = readFileSync(await table.path(), 'utf8').trim().split('\n');
  expect(lines[0].startsWith('time [s],hoist.tension@start [N]'), `the table starts with ${lines[0]}`);
  expect(lines.length > 100, `${lines.length} lines`);
  const [picture] = await Promise.all([crane.waitForEvent('download'), crane.getByLabel('Save a picture of this plot (PNG)').first().click()]);
  expect(readFileSync(await picture.path()).subarray(1, 4).toString() === 'PNG', 'no picture');
});
await test('tables state what the summary states, and their times lead there', async () => {
  const text = await crane.locator('.panels').innerText();
  const summary = JSON.parse(readFileSync(join(results, 'crane/summary.json'), 'utf8'));
  const [{ largest_tension: largest }] = summary.cables;
  const most = (largest.tension / 1000).toPrecision(4);
  expect(text.includes(`${most} kN`), `no ${most} kN`);
  const met = await crane.locator('.verdict.good').count();
  expect(met === summary.expectations.length, `${met} of ${summary.expectations.length} expected values met`);
  await crane.locator('.card:has(h2:text-is("Tension"))').locator('button.link').first().click();
  expect(Math.abs((await time(crane)) - largest.time) < 1e-3, `led to ${await time(crane)}`);
});
await test('colours can be chosen', async () => {
  for (const [name, unit] of [['speed', 'm/s'], ['stress', 'Pa'], ['vertical velocity', 'm/s'], ['utilisation', '%'], ['tension', 'kN']]) {
    await crane.getByLabel('Colour of the cables').selectOption(name);
    expect((await crane.locator('.legend').innerText()).includes(unit), `no unit of ${name}`);
  }
});
await test('no errors, no network', () => expectNoFaults(crane));
await crane.context().close();

await test('a time can be named in the address, the view alone', async () => {
  const page = await report('crane/report.html', {}, '#t=12.5&bare&dark&view=side');
  expect(Math.abs((await time(page)) - 12.5) < 1e-3, `shows ${await time(page)}`);
  expect((await page.getAttribute('html', 'data-theme')) === 'dark', 'is not dark');
  for (const hidden of ['.plots', '.panels', '.viewbar', 'input.time']) expect(!(await page.locator(hidden).first().isVisible()), `${hidden} is shown`);
  expect(await page.locator('.clock').isVisible(), 'no time is shown');
  const { to } = await page.evaluate(async () => (await window.hawserReport.show(30), window.hawserReport));
  expect(Math.abs((await time(page)) - 30) < 1e-3 && Math.abs(to - 40) < 1e-6, `shows ${await time(page)} of ${to}`);
  await page.screenshot({ path: join(screenshots, 'report-bare.png') });
  expectNoFaults(page);
  await page.context().close();
});
await test('the net in the dark', async () => {
  const net = await report('net/report.html', { width: 1400, height: 900, scheme: 'dark' });
  await seek(net, 1);
  await until(async () => (await coloured(net)).count > 2000, 'few coloured pixels');
  expect((await net.locator('.warnings li').count()) > 0, 'no warnings');
  await net.screenshot({ path: join(screenshots, 'report-net-dark.png'), fullPage: true });
  expectNoFaults(net);
  await net.context().close();
});
await test('a failed run says why', async () => {
  const page = await report('failed/report.html');
  expect((await page.locator('.failure').innerText()).startsWith('stopped at t ='), 'no reason');
  expectNoFaults(page);
  await page.context().close();
});
await test('a report written by itself opens', async () => {
  const page = await report('own.html');
  expectNoFaults(page);
  await page.context().close();
});
await test('fits a phone', async () => {
  const phone = await report('crane/report.html', { width: 390, height: 844, scheme: 'dark', touch: true });
  await seek(phone, 20);
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(wide <= 390, `the page is ${wide} pixels wide`);
  await phone.screenshot({ path: join(screenshots, 'report-phone.png') });
  expectNoFaults(phone);
  await phone.context().close();
});
for (const scheme of ['light', 'dark'])
  await test(`accessible, ${scheme}`, async () => {
    const page = await report('crane/report.html', { width: 1400, height: 900, scheme });
    await seek(page, 20);
    await expectAccessible(page);
    await page.screenshot({ path: join(screenshots, `report-crane-${scheme}.png`), fullPage: true });
    await page.context().close();
  });
await finish();
