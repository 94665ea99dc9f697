// node docs/animation.mjs [FOLDER]: the README's picture and animation of the live crane, pictures/live-crane.png and .webp.
// Needs build/hawser with its page, and Chromium. The simulation is stepped from picture to picture, so that a slow
// machine gives the same animation.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moving, Studio, WebSocket } from '../web/studio.mjs';

const docs = dirname(fileURLToPath(import.meta.url));
const folder = join(process.argv[2] ?? docs, 'pictures');
mkdirSync(folder, { recursive: true });
const program = spawn(process.env.HAWSER ?? join(docs, '..', 'build', 'hawser'), ['view', join(docs, '..', 'scenes', 'site-crane.yaml'), '--paused', '--no-log', '--no-browser']);
const address = await new Promise((done, fail) => {
  program.stdout.on('data', (text) => done(String(text).trim()));
  program.stderr.on('data', (text) => process.stderr.write(text));
  program.on('exit', (code) => fail(new Error(`hawser view ended with ${code}`)));
});
const studio = await Studio.open();
try {
  const { host, origin, searchParams } = new URL(address);
  const socket = new WebSocket(`ws://${host}/live?token=${searchParams.get('token')}`, { origin });
  await new Promise((done, fail) => socket.on('open', done).on('error', fail));
  const send = (message) => socket.send(JSON.stringify(message));
  const page = await studio.page(address, { width: 1440, height: 860 });
  let t = 0;
  const step = async (steps) => {
    send({ type: 'step', steps });
    t += 0.005 * steps;
    while (!(Number(await page.getAttribute('html', 'data-newest')) > t - 1e-3)) await page.waitForTimeout(20);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return page.screenshot();
  };
  const pictures = [];
  await step(400); // the plots have something to show
  for (let i = 0; i < 64; ++i) {
    if (i === 34) send({ type: 'input', name: 'trolley', value: 1.2 });
    if (i === 46) send({ type: 'input', name: 'trolley', value: 0 });
    const picture = await step(50);
    if (i === 40) writeFileSync(join(folder, 'live-crane.png'), picture);
    pictures.push(await studio.webp(picture, 880, 0.6));
  }
  const animation = moving(pictures, 100);
  writeFileSync(join(folder, 'live-crane.webp'), animation);
  console.log(`${join(folder, 'live-crane.webp')}: ${(animation.length / 1e6).toFixed(2)} MB`);
  socket.terminate();
} finally {
  await studio.close();
  program.removeAllListeners('exit');
  program.kill('SIGINT');
}
