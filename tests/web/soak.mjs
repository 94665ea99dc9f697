// node tests/web/soak.mjs [MINUTES [SCENE]]: a live view with a page for so many minutes (20), with its memory every tenth of
// the time. Fails if the program or the page grows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, open } from './browser.mjs';
import { expectNoGrowth, watchMemory } from './memory.mjs';
import { view } from './served.mjs';

const [, , minutes = '20', scene = 'site-crane'] = process.argv;
const hawser = process.env.HAWSER ?? new URL('../../build/hawser', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'hawser-soak-'));
const program = view(hawser, folder, scene, '--no-log');
let failed = null;
try {
  const page = await open(await program.address, { width: 400, height: 300 });
  const seconds = 60 * Number(minutes);
  const mega = (bytes) => (bytes / 1e6).toFixed(1).padStart(8);
  console.log('time [s]  program    page    kept [MB]  frames kept');
  const samples = await watchMemory(page, program.pid, seconds, seconds / 10, (s) =>
    console.log(`${s.seconds.toFixed(0).padStart(8)} ${mega(s.program)}${mega(s.page)}${mega(s.kept)}     ${String(s.frames).padStart(8)}`));
  expectNoGrowth(samples);
} catch (error) {
  failed = error;
}
await browser.close();
await program.end();
rmSync(folder, { recursive: true, force: true });
console.log(failed ? `FAILED: ${failed.message}` : 'no growth');
process.exit(failed ? 1 : 0);
