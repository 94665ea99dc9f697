// node program.mjs HAWSER FOLDER SCREENSHOTS: checks the live page with the program behind it. Prints "M of N tests failed".
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expectNoGrowth, watchMemory } from './memory.mjs';
import { view as start } from './served.mjs';
import { coloured, expect, expectAccessible, expectNoFaults, finish, open, slide, test, time, until } from './browser.mjs';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { WebSocket } = require('ws');
const [, , hawser, folder, screenshots] = process.argv;

const scene = `title: A load on a trolley and a winch
inputs:
  hoist_speed: {value: 0 m/s, from: -1 m/s, to: 1 m/s, smoothing: 0.1 s}
  trolley: {value: 0 m, from: -5 m, to: 5 m, smoothing: 0.5 s}
sections:
  wire: {library: wire-rope-6x36, diameter: 16 mm}
  cord: {EA: 20 kN, mass: 0.5 kg/m, diameter: 20 mm}
supports:
  rail: {position: [0, 0, 12 m]}
motions:
  travel: {of: rail, x: trolley}
bodies:
  load: {shape: {box: [1 m, 1 m, 1 m]}, mass: 1 t, position: [0, 0, 4 m]}   # a comment that is kept
cables:
  hoist: {section: wire, model: massless, route: [rail, load], speed: hoist_speed}
  line: {section: cord, model: np-fem, elements: 8, route: [load, [4 m, 0, 4 m]]}
solve: {until: 5 s, step: 5 ms}
record: {every: 5 ms, channels: [load.position, line.position@end, hoist.tension@start, input.hoist_speed, energy]}
`;
const file = join(folder, 'live.yaml');
writeFileSync(file, scene);

const view = (...args) => start(hawser, folder, ...args);

/// Another page, without a browser: reads channels of the last frame.
function client(address) {
  const { host, origin, searchParams } = new URL(address);
  const socket = new WebSocket(`ws://${host}/live?token=${searchParams.get('token')}`, { origin });
  const state = { values: null, time: -1, status: null, columns: null };
  let floats = 0;
  socket.on('message', (data, binary) => {
    if (!binary) {
      const message = JSON.parse(data);
      if (message.type === 'hello') {
        state.hello = message;
        floats = message.cables.reduce((n, c) => n + 8 * c.points, 0) + 7 * message.bodies.length + 3 * message.supports.length + 6;
      }
      if (message.type === 'status') state.status = message;
      if (message.type === 'subscribed') state.columns = message.columns.map((c) => c.name);
      return;
    }
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    send({ type: 'seen', frame: view.getUint32(4, true) });
    if (!state.columns) return;
    state.time = view.getFloat64(8, true);
    state.values = state.columns.map((_, i) => view.getFloat32(24 + 4 * (floats + i), true));
  });
  const send = (message) => socket.send(JSON.stringify(message));
  return new Promise((done, fail) => {
    socket.on('error', fail);
    socket.on('open', () => done({ state, send, close: () => socket.terminate() }));
  });
}

const program = view(file, '-o', 'log');
const address = await program.address;
const other = await client(address);
other.send({ type: 'subscribe', id: 1, channels: ['load.position.x', 'load.position.z', 'line.position.x@end', 'input.hoist_speed'] });
await until(() => other.state.values, 'no frames');
const position = () => other.state.values[0];
const height = () => other.state.values[1];
const newest = async (page) => Number(await page.getAttribute('html', 'data-newest'));

const page = await open(address);
await test('a scene is loaded and its cables are drawn', async () => {
  await until(async () => (await coloured(page)).count > 200, 'no coloured pixels');
  expect((await page.locator('h1').innerText()) === 'A load on a trolley and a winch', 'another title');
});
await test('pause stops time, a step moves it', async () => {
  await until(async () => (await newest(page)) > 0.1, 'time does not run');
  await page.keyboard.press(' ');
  await until(() => other.state.status?.paused, 'not paused');
  await until(async () => Math.abs((await newest(page)) - other.state.time) < 1e-4, 'the last frame is not shown');
  const stopped = await newest(page);
  await page.waitForTimeout(300);
  expect((await newest(page)) === stopped, 'time goes on');
  await page.keyboard.press('.');
  await until(async () => Math.abs((await newest(page)) - stopped - 0.005) < 1e-4, 'no step');
  await page.keyboard.press(' ');
  await until(() => !other.state.status.paused, 'does not go on');
});
await test('a held key lifts the load', async () => {
  const before = height();
  await page.keyboard.down('s'); // the rope gets shorter
  await until(() => height() > before + 0.2, `the load stays at ${height()}`);
  await page.keyboard.up('s');
  await until(() => Math.abs(other.state.values[3]) < 1e-3, 'it runs on');
});
await test("an input's slider changes the motion", async () => {
  await slide(page.getByLabel('trolley', { exact: true }), 3);
  await until(() => position() > 1, `the load stays at x = ${position()}`);
});
await test('a body is pulled', async () => {
  await slide(page.getByLabel('trolley', { exact: true }), 0);
  other.send({ type: 'pause' });
  await until(() => other.state.status.paused, 'not paused');
  await page.getByLabel('Body that the view follows').selectOption('load'); // not needed for the pull, but for its picture
  await page.keyboard.press('p');
  // The centre of the load in the window, by the page's own projection: its name is shown there.
  await page.keyboard.press('n');
  await until(async () => (await page.locator('.label.body').evaluate((e) => e.style.visibility)) === 'visible', 'no name');
  const name = await page.locator('.label.body').boundingBox();
  const at = { x: name.x - 9, y: name.y + name.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 50, at.y - 30, { steps: 2 });
  await until(() => other.state.status.pull?.body === 'load', `is pulled: ${JSON.stringify(other.state.status.pull)}`);
  const before = position();
  other.send({ type: 'play' });
  await until(() => Math.abs(position() - before) > 0.2, 'the load does not move');
  await until(async () => / [km]?N$/.test(await page.locator('.force').innerText()), 'no force is shown');
  await page.screenshot({ path: join(screenshots, 'program-pull.png') });
  await page.mouse.up();
  await until(() => !other.state.status.pull, 'not released');
  await page.keyboard.press('v');
  await page.keyboard.press('n');
});
await test('scrubbing shows the past', async () => {
  const first = Number(await page.getAttribute('input.time', 'min'));
  await slide(page.locator('input.time'), first + 0.3);
  await until(async () => (await time(page)) <= first + 0.3, `shows ${await time(page)}`);
  await page.keyboard.press('End');
  await until(async () => (await time(page)) > first + 0.3, 'stays in the past');
});
await test('a cable is cut', async () => {
  const { layout } = other.state.hello;
  other.send({ type: 'cut', cable: 'line', s: 2 });
  await until(() => other.state.hello.layout > layout && other.state.hello.reason === 'cut', 'no new model');
  await until(async () => Number(await page.getAttribute('html', 'data-layout')) === other.state.hello.layout, 'the page does not follow');
});
await test('what was done is replayed to the same bits', async () => {
  other.send({ type: 'pause' });
  await until(() => other.state.status.paused && Math.abs(other.state.status.t - other.state.time) < 1e-9, 'not paused');
  const { time: end, values, columns } = other.state;
  execFileSync(hawser, ['run', file, '--replay', 'log', '-o', 'again', '--until', `${end} s`, '--no-report'], { cwd: folder, stdio: 'ignore' });
  const lines = readFileSync(join(folder, 'again', 'channels.csv'), 'utf8').trim().split('\n');
  const names = lines.find((line) => /time/.test(line)).split(',').map((n) => n.trim().replace(/^"|"$/g, '').replace(/ \[.*/, ''));
  const last = lines[lines.length - 1].split(',').map(Number);
  expect(Math.abs(last[0] - end) < 1e-9, `the replay ends at ${last[0]}, not ${end}`);
  columns.forEach((name, i) => {
    const replayed = last[names.indexOf(name)];
    expect(Math.fround(replayed) === values[i], `${name}: ${replayed} replayed, ${values[i]} live`);
  });
});
await test('an error of the scene appears and goes after mending; plots stay', async () => {
  const plots = await page.locator('.keys .name').allTextContents();
  writeFileSync(file, scene.replace('mass: 1 t', 'mass: 1 tt'));
  await until(async () => (await page.locator('.notice.bad[data-key-of=problem]').count()) === 1, 'no notice');
  const text = await page.locator('.notice.bad[data-key-of=problem]').innerText();
  expect(text.includes('line 13') && text.includes('tt'), text);
  writeFileSync(file, scene.replace('mass: 1 t', 'mass: 2 t'));
  await until(async () => (await page.locator('.notice.bad[data-key-of=problem]').count()) === 0, 'the error stays');
  await until(async () => (await page.locator('#pane-2 pre').textContent()).includes('mass: 2 t'), 'the new scene is not shown');
  expect(JSON.stringify(await page.locator('.keys .name').allTextContents()) === JSON.stringify(plots), 'the plots have changed');
});
await test('a value is edited in the page; the file keeps its comments', async () => {
  await page.getByRole('tab', { name: 'Diagram' }).click();
  await page.getByRole('button', { name: 'body load', exact: true }).focus();
  await page.keyboard.press('Enter');
  await until(async () => (await page.locator('.channels .value').allInnerTexts()).every((text) => text !== ''), 'channels without values');
  await page.getByLabel('bodies.load.mass').fill('1500 kg');
  await page.getByLabel('bodies.load.mass').press('Enter');
  await until(() => readFileSync(file, 'utf8').includes('mass: 1500 kg'), 'the file has not changed');
  expect(readFileSync(file, 'utf8').includes('# a comment that is kept'), 'the comment is gone');
  await until(() => other.state.hello.bodies[0].mass === 1500, 'not reloaded');
});
await test('connects again after a lost socket, and two pages see the same', async () => {
  const second = await open(address);
  await until(() => other.state.status.pages === 3, `${other.state.status.pages} pages`);
  await page.evaluate(() => globalThis.lastSocket.close());
  await until(async () => (await page.getAttribute('html', 'data-connected')) === 'false', 'not lost');
  await until(async () => (await page.getAttribute('html', 'data-connected')) === 'true', 'not connected again');
  other.send({ type: 'pause' });
  for (const each of [page, second]) await until(async () => Math.abs((await newest(each)) - other.state.time) < 1e-4, 'the last frame is not shown');
  other.send({ type: 'play' });
  await second.context().close();
});
await test('memory does not grow', async () => expectNoGrowth(await watchMemory(page, program.pid, 7, 1)));
await test('no errors', () => expectNoFaults(page));
await page.context().close();
other.close();
await program.end();

const crane = view(new URL('../../scenes/site-crane.yaml', import.meta.url).pathname, '--no-log');
const site = await crane.address;
for (const [name, options] of Object.entries({
  'crane-light': { width: 1440, height: 900 },
  'crane-dark': { width: 1440, height: 900, scheme: 'dark' },
  'crane-phone': { width: 390, height: 844, touch: true },
}))
  await test(`${name}: accessible, fits, no errors`, async () => {
    const shown = await open(site, options);
    await until(async () => (await shown.locator('.keys .value').allInnerTexts()).every((t) => t !== ''), 'no values');
    if (name !== 'crane-light') await shown.keyboard.press(' '); // drawing takes the time that the check needs
    await expectAccessible(shown);
    const wide = await shown.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= options.width, `the page is ${wide} pixels wide`);
    await shown.screenshot({ path: join(screenshots, `${name}.png`) });
    expectNoFaults(shown);
    await shown.context().close();
  });
await crane.end();
await finish();
