// Tests of pages in Chromium: what they share.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let failed = 0;
let ran = 0;

/// Runs one test; what it throws is its failure.
export async function test(name, body) {
  ++ran;
  const start = performance.now();
  try {
    await body();
    console.log(`ok ${((performance.now() - start) / 1000).toFixed(1)} s ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}

export function expect(good, text) {
  if (!good) throw new Error(text);
}

/// Waits for a condition: a busy machine may take long.
export async function until(holds, text) {
  for (let i = 0; i < 900; ++i) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(text);
}

/// Prints the count and ends.
export async function finish() {
  await browser.close();
  console.log(`${failed} of ${ran} tests failed`);
  process.exit(failed ? 1 : 0);
}

// Drawing is done by the CPU; composing by the page's process takes half of the time.
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-gpu-compositing', '--disable-gpu-rasterization', '--js-flags=--expose-gc'],
});

/// In a page: its socket can be ended as if it were lost, and a gamepad plugged in.
function watched() {
  const Plain = globalThis.WebSocket;
  globalThis.WebSocket = class extends Plain {
    constructor(...args) {
      super(...args);
      globalThis.lastSocket = this;
    }
  };
  globalThis.pads = [];
  navigator.getGamepads = () => globalThis.pads;
}

/// Touches of a finger or two, as the system reports them: lists of places [x, y], one after the other; lifted at the end
/// unless `held`.
export async function touch(page, steps, held = false) {
  const devtools = await page.context().newCDPSession(page);
  const points = (places) => places.map(([x, y], id) => ({ x, y, id }));
  for (let i = 0; i < steps.length; ++i)
    await devtools.send('Input.dispatchTouchEvent', { type: i === 0 ? 'touchStart' : 'touchMove', touchPoints: points(steps[i]) });
  const lift = () => devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  if (!held) await lift();
  return lift;
}

/// A page; errors of its console and requests elsewhere are counted against it in `faults`.
export async function open(address, { width = 1000, height = 700, scheme = 'light', touch = false } = {}) {
  const here = new URL(address);
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: scheme, offline: here.protocol === 'file:', hasTouch: touch, acceptDownloads: true,
  });
  const page = await context.newPage();
  await page.addInitScript(watched);
  page.setDefaultTimeout(180000);
  page.faults = [];
  page.on('console', (m) => m.type() === 'error' && page.faults.push(m.text()));
  page.on('pageerror', (e) => page.faults.push(e.message));
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (!/^(file|blob|data):$/.test(url.protocol) && url.host !== here.host) page.faults.push(`request of ${r.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector('html[data-time]');
  return page;
}

export const time = async (page) => Number(await page.getAttribute('html', 'data-time'));

/// Sets a range's value as a hand does.
export async function slide(locator, value) {
  await locator.evaluate((input, to) => {
    input.value = String(to);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}

/// Pixels of the 3D view whose colours are those of a cable: saturated, as neither ground nor bodies are.
export async function coloured(page) {
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
      if (most - least < 45) continue;
      ++count;
      x += (i / 4) % copy.width;
    }
    return { count, middle: x / Math.max(1, count) };
  });
}

/// Nothing serious for those who use a keyboard or a screen reader, or see little contrast.
export async function expectAccessible(page) {
  // Not as a script element: the policy of a page may forbid it.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  expect(serious.length === 0, serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' ')}`).join('; '));
}

export function expectNoFaults(page) {
  expect(page.faults.length === 0, page.faults.join('; '));
}
