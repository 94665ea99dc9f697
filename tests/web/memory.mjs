// The memory of a live view over time: of the program, and of a page after a forced collection of garbage.
import { readFileSync } from 'node:fs';

/// Samples { seconds, frames, program, page, kept } [bytes] every so many seconds. `kept`: the history that the page holds
/// for scrubbing and plots, which is bounded by itself; `page` is what it uses beside it.
export async function watchMemory(page, pid, seconds, every, each = () => {}) {
  const devtools = await page.context().newCDPSession(page);
  const start = performance.now();
  const samples = [];
  const sample = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
    const { kept, frames } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    const program = 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
    samples.push({ seconds: (performance.now() - start) / 1000, frames: Number(frames), program, page: usedSize + backingStorageSize - Number(kept), kept: Number(kept) });
    each(samples[samples.length - 1]);
  };
  for (let i = 0; i * every <= seconds; ++i) {
    await new Promise((done) => setTimeout(done, Math.max(0, 1000 * i * every - (performance.now() - start))));
    await sample();
  }
  await devtools.detach();
  return samples;
}

/// The last third needs no more than the middle third did, but for what allocators round up.
export function expectNoGrowth(samples, allowed = 4e6) {
  const third = samples.length / 3;
  const middle = samples.slice(Math.floor(third), Math.ceil(2 * third));
  const last = samples.slice(Math.ceil(2 * third));
  for (const what of ['program', 'page']) {
    const most = (list) => Math.max(...list.map((s) => s[what]));
    const grown = most(last) - most(middle);
    if (!(grown < allowed)) throw new Error(`the memory of the ${what} grew by ${(grown / 1e6).toFixed(1)} MB`);
  }
}
