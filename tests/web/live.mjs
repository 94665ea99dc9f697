// node live.mjs LIVE.JS SCREENSHOTS: checks the live page in Chromium against a toy (mock.mjs). Prints "M of N tests failed".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coloured, expect, expectAccessible, expectNoFaults, finish, open, slide, test, time, touch, until } from './browser.mjs';
import { Mock } from './mock.mjs';

const [, , script, screenshots] = process.argv;
const mock = new Mock(readFileSync(script));
const address = await mock.start();
const newest = async (page) => Number(await page.getAttribute('html', 'data-newest'));
const sent = (type) => mock.received.filter((m) => m.type === type);
/// Where a part of the scene is in the window: the middle of what has the accent's colour, once it is selected. Stops
/// the time, so that it stays there.
async function middleOf(page, name) {
  mock.paused = true;
  await page.getByRole('tab', { name: 'Diagram' }).click();
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
  await until(() => page.locator('.inspector').isVisible(), `${name} is not selected`);
  let at = { count: 0 };
  const look = async () => (at = await page.locator('.view canvas').evaluate(async (canvas) => {
    const image = new Image();
    image.src = canvas.toDataURL();
    await image.decode();
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const found = [];
    for (let i = 0; i < data.length; i += 4) if (data[i] > 150 && data[i] - data[i + 2] > 110) found.push(i / 4);
    canvas.scrollIntoView({ block: 'center' }); // on a phone the diagram is below it
    const rect = canvas.getBoundingClientRect();
    const scale = rect.width / copy.width;
    const pixel = found[found.length >> 1] ?? 0; // of a body that is convex, inside it
    return { count: found.length, x: rect.x + scale * (pixel % copy.width), y: rect.y + scale * Math.floor(pixel / copy.width) };
  }));
  await until(async () => (await look()).count > 100, `${name} is not seen`);
  await page.keyboard.press('Escape'); // what is said of the selection may cover it
  await until(async () => !(await page.locator('.inspector').isVisible()), 'still selected');
  return at;
}

const page = await open(address);
await test('cables are drawn', async () => {
  await until(async () => (await coloured(page)).count > 300, 'no coloured pixels');
});
await test('time runs; pause stops it; a step moves it by one', async () => {
  await until(async () => (await newest(page)) > 0.5, 'time does not run');
  await page.keyboard.press(' ');
  await until(async () => (await page.getAttribute('html', 'data-paused')) === 'true', 'not paused');
  await until(async () => Math.abs((await newest(page)) - mock.toy.t) < 1e-4, 'the last frame is not shown');
  const stopped = await newest(page);
  await page.waitForTimeout(300);
  expect((await newest(page)) === stopped, 'time goes on');
  await page.getByLabel('One step').click();
  await until(async () => Math.abs((await newest(page)) - stopped - 0.005) < 1e-4, 'no step');
  await page.getByLabel('Play', { exact: true }).click();
  await until(async () => (await newest(page)) > stopped + 0.2, 'does not go on');
});
await test('the speed is set', async () => {
  await page.getByLabel('Speed of the simulation').selectOption('2');
  await until(() => mock.rate === 2, 'no speed');
  await page.getByLabel('Speed of the simulation').selectOption('1');
});
await test('a key runs an input while held, and the motion follows', async () => {
  const before = mock.toy.trolley;
  await page.keyboard.down('w');
  await until(() => mock.toy.trolley > before + 0.3, 'the trolley does not move');
  await page.keyboard.up('w');
  await until(() => mock.toy.setting === 0, 'it runs on');
  const { value } = sent('input')[0];
  expect(value === 2, `set to ${value}`);
});
await test('a button runs an input while held', async () => {
  const button = page.getByRole('button', { name: 'trolley_speed down' });
  const box = await button.boundingBox();
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  await until(() => mock.toy.setting === -2, 'not set');
  await page.mouse.up();
  await until(() => mock.toy.setting === 0, 'it runs on');
});
await test('a slider sets an input', async () => {
  await slide(page.getByLabel('wind', { exact: true }), 250);
  await until(() => sent('input').some((m) => m.name === 'wind' && m.value === 250), 'not sent');
});
await test('channels are plotted', async () => {
  await until(async () => (await page.locator('.keys .value').allInnerTexts()).every((t) => t !== ''), 'no values beside the names');
  await page.getByRole('combobox', { name: 'Add a channel' }).fill('trolley pos');
  await page.getByRole('combobox', { name: 'Add a channel' }).press('Enter');
  await until(() => sent('subscribe').some((m) => m.channels.includes('trolley.position.x')), 'not subscribed');
  await until(async () => (await page.locator('.keys li', { hasText: 'trolley.position.x' }).innerText()).includes(' m'), 'no value');
});
await test('scrubbing shows the past, End the present', async () => {
  const first = Number(await page.getAttribute('input.time', 'min'));
  await until(async () => (await newest(page)) > first + 1, 'time does not run');
  await slide(page.locator('input.time'), first + 0.5);
  await until(async () => (await page.locator('.notices').innerText()).includes('past'), 'does not say so');
  const [shown, then] = [await time(page), await newest(page)];
  expect(shown <= first + 0.5 + 1e-4, `shows ${shown}, not ${first + 0.5}`);
  await until(async () => (await newest(page)) > then, 'the simulation stopped');
  expect((await time(page)) === shown, 'the past moved');
  await page.locator('h1').click();
  await page.keyboard.press('End');
  await until(async () => (await time(page)) >= then, 'stays in the past');
});
await test('a click in the diagram selects in the view, and the other way round', async () => {
  const at = await middleOf(page, 'body load');
  await page.mouse.click(at.x, at.y);
  await until(async () => (await page.locator('.inspector').isVisible()) && (await page.locator('.inspector').innerText()).includes('load'), 'not selected by click');
  expect((await page.locator('.inspector').innerText()).includes('500 kg'), 'no mass');
  expect((await page.locator('.diagram .selected').count()) > 0, 'not in the diagram');
});
await test('a field is edited; camera and plots stay', async () => {
  const plots = await page.locator('.keys .name').allTextContents();
  await page.getByLabel('bodies.load.mass').fill('700 kg');
  await page.getByLabel('bodies.load.mass').press('Enter');
  await until(() => mock.mass === '700 kg', 'not sent');
  await until(async () => (await page.locator('#pane-2 pre').textContent()).includes('700 kg'), 'the new scene is not shown');
  expect(JSON.stringify(await page.locator('.keys .name').allTextContents()) === JSON.stringify(plots), 'plots changed');
});
await test('a body is pulled and let go', async () => {
  const at = await middleOf(page, 'body load');
  mock.paused = false;
  await page.keyboard.press('p');
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y - 20, { steps: 3 });
  await until(() => sent('pull').some((m) => m.body === 'load' && m.target[0] > 0.5), 'no pull was sent');
  await until(() => mock.toy.load[0] > 0.3, 'the load does not move');
  await until(async () => / k?N$/.test(await page.locator('.force').innerText()), 'no force is shown');
  await page.screenshot({ path: join(screenshots, 'live-pull.png') });
  await page.mouse.up();
  await until(() => mock.toy.pull === null, 'not released');
  await page.keyboard.press('v');
});
await test('a cable is cut', async () => {
  const { layout } = mock;
  await page.keyboard.press('x');
  const at = await middleOf(page, 'cable chain');
  await page.mouse.click(at.x, at.y);
  await until(() => sent('cut').some((m) => m.cable === 'chain' && m.s > 0.1 && m.s < 3.6), 'nothing was cut');
  await until(async () => Number(await page.getAttribute('html', 'data-layout')) > layout, 'no new model');
  mock.paused = false;
});
await test('errors of the scene appear and go', async () => {
  mock.report([{ file: 'toy.yaml', line: 12, column: 5, source: '    mass: 3 tt', message: "found unit 'tt', expected a mass" }]);
  await until(async () => (await page.locator('.notice.bad[data-key-of=problem]').count()) === 1, 'no notice');
  const text = await page.locator('.notice.bad[data-key-of=problem]').innerText();
  expect(text.includes('line 12') && text.includes("'tt'") && text.includes('mass: 3 tt'), text);
  mock.report([]);
  await until(async () => (await page.locator('.notice.bad[data-key-of=problem]').count()) === 0, 'it stays');
});
await test('says when it cannot keep up', async () => {
  mock.paused = false;
  mock.slow = true;
  await until(async () => (await page.locator('.notice.warn').allInnerTexts()).join().includes('× 0.41'), 'says nothing');
  mock.slow = false;
  await until(async () => (await page.locator('.notice.warn').count()) === 0, 'it stays');
});
await test('reset goes back to the start', async () => {
  await page.locator('h1').click();
  await page.keyboard.press('Backspace');
  await until(() => sent('reset').length === 1, 'not sent');
  await until(async () => Math.abs((await newest(page)) - mock.toy.t) < 2, 'the time of before is shown');
});
await test('no errors so far', () => expectNoFaults(page));
await test('connects again after a lost socket, and goes on', async () => {
  mock.drop();
  await until(async () => (await page.getAttribute('html', 'data-connected')) === 'false', 'not lost');
  await until(async () => (await page.getAttribute('html', 'data-connected')) === 'true', 'not connected again');
  const then = await newest(page);
  await until(async () => (await newest(page)) > then, 'no frames');
});
await test('memory is bounded: thousands of frames leave no more behind than their bound', async () => {
  const heap = () => page.evaluate(() => (globalThis.gc(), performance.memory.usedJSHeapSize));
  const flood = async (count) => {
    for (let i = 0; i < count; ++i) {
      mock.toy.advance();
      mock.frame(0);
      if (i % 500 === 499) await until(async () => Math.abs((await newest(page)) - mock.toy.t) < 0.5, 'frames are lost');
    }
  };
  mock.paused = true; // frames come from here only
  await flood(1000);
  const before = await heap();
  await flood(4000);
  const grown = (await heap()) - before;
  expect(grown < 12e6, `the heap grew by ${(grown / 1e6).toFixed(1)} MB`);
  mock.paused = false;
});
await test('the axes of a gamepad run inputs', async () => {
  const plug = (axis) => page.evaluate((x) => (globalThis.pads = [{ connected: true, axes: [x, 0] }]), axis);
  await plug(0.5);
  await until(() => mock.toy.setting === 1, 'not set by half of its range');
  await plug(0.05); // a stick that does not quite go back
  await until(() => mock.toy.setting === 0, 'it runs on');
  await page.evaluate(() => (globalThis.pads = []));
});
await page.context().close();

const phone = await open(address, { width: 390, height: 844, touch: true });
const canvas = await phone.locator('.view canvas').boundingBox();
const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
const eye = async () => (await phone.getAttribute('html', 'data-eye')).split(' ').map(Number);
await test('one finger turns the view, two bring it nearer', async () => {
  const before = await eye();
  await touch(phone, [[[x, y]], [[x + 30, y]], [[x + 60, y]]]);
  await until(async () => Math.abs((await eye())[0] - before[0]) > 0.1, 'it is not turned');
  const turned = await eye();
  expect(Math.abs(turned[1] - before[1]) < 0.02 * before[1], 'it came nearer by turning');
  await touch(phone, [[[x - 20, y], [x + 20, y]], [[x - 40, y], [x + 40, y]], [[x - 60, y], [x + 60, y]]]);
  await until(async () => (await eye())[1] < 0.6 * turned[1], 'it is not nearer');
  await phone.locator('.viewbar button', { hasText: 'Fit' }).tap();
  await until(async () => Math.abs((await eye())[1] - before[1]) < 0.02 * before[1], 'does not fit again');
});
await test('a finger selects', async () => {
  const at = await middleOf(phone, 'body load');
  await phone.touchscreen.tap(at.x, at.y);
  await until(async () => (await phone.locator('.inspector').isVisible()) && (await phone.locator('.inspector').innerText()).includes('load'), 'not selected');
  await phone.screenshot({ path: join(screenshots, 'live-phone-selected.png') });
  await phone.keyboard.press('Escape');
});
await test('a finger runs an input while it holds its button', async () => {
  mock.paused = false;
  const box = await phone.getByRole('button', { name: 'trolley_speed up' }).boundingBox();
  const lift = await touch(phone, [[[box.x + box.width / 2, box.y + box.height / 2]]], true);
  await until(() => mock.toy.setting === 2, 'not set');
  await lift();
  await until(() => mock.toy.setting === 0, 'it runs on');
});
await test('no errors on a phone', () => expectNoFaults(phone));
await phone.context().close();

for (const [name, options] of Object.entries({
  'live-light': { width: 1440, height: 900 },
  'live-dark': { width: 1440, height: 900, scheme: 'dark' },
  'live-phone': { width: 390, height: 844, scheme: 'dark', touch: true },
  'live-phone-light': { width: 390, height: 844, touch: true },
}))
  await test(`${name}: accessible, fits, no errors`, async () => {
    const shown = await open(address, options);
    await until(async () => (await shown.locator('.keys .value').allInnerTexts()).every((t) => t !== ''), 'no values');
    await expectAccessible(shown);
    const wide = await shown.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= options.width, `the page is ${wide} pixels wide`);
    await shown.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
    expectNoFaults(shown);
    await shown.context().close();
  });
mock.stop();
await finish();
