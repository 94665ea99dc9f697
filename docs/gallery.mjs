// node docs/gallery.mjs FOLDER [SCENE...]: a page with a picture of every shipped scene, or of some, that opens its
// report. Needs build/hawser with its page, and Chromium.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Studio } from '../web/studio.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const hawser = process.env.HAWSER ?? join(root, 'build', 'hawser');
const [, , target, ...some] = process.argv;
if (!target) throw new Error('node docs/gallery.mjs FOLDER [SCENE...]');
const folder = resolve(target);
const scenes = some.length > 0 ? some : readdirSync(join(root, 'scenes')).filter((f) => f.endsWith('.yaml')).map((f) => basename(f, '.yaml')).sort();
mkdirSync(folder, { recursive: true });
const tmp = mkdtempSync(join(tmpdir(), 'hawser-gallery-'));
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/// Runs a scene and takes its picture in the middle of the run. Null: it has no shapes to show.
async function entry(studio, scene) {
  const report = join(folder, `${scene}.html`);
  execFileSync(hawser, ['run', scene, '-o', join(tmp, scene), '--no-report'], { stdio: 'ignore' });
  execFileSync(hawser, ['report', join(tmp, scene), '-o', report], { stdio: 'ignore' });
  const { title } = JSON.parse(readFileSync(join(tmp, scene, 'summary.json'), 'utf8'));
  rmSync(join(tmp, scene), { recursive: true });
  const page = await studio.page(`file://${report}#bare&light`, { width: 800, height: 500 });
  await page.evaluate(() => window.hawserReport.show(window.hawserReport.from + 0.45 * (window.hawserReport.to - window.hawserReport.from)));
  writeFileSync(join(folder, `${scene}.webp`), await studio.webp(await page.screenshot(), 560, 0.8));
  await page.context().close();
  return `<a href="${scene}.html"><img src="${scene}.webp" alt="" loading="lazy" width="560" height="350"><b>${escaped(title)}</b><code>hawser run ${scene}</code></a>`;
}

const studio = await Studio.open();
const entries = [];
try {
  for (const scene of scenes) entries.push(await entry(studio, scene));
} finally {
  await studio.close();
  rmSync(tmp, { recursive: true, force: true });
}
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hawser: gallery</title>
<style>
:root { color-scheme: light dark; --paper: light-dark(#fff, #171e26); --rule: light-dark(#dce3ea, #2a3541); --muted: light-dark(#506070, #a0afbe);
  font: 15px/1.45 Inter, system-ui, sans-serif; background: light-dark(#edf1f5, #0c1116); color: light-dark(#131c26, #e7eef5); }
body { max-width: 1500px; margin: 0 auto; padding: 24px; }
h1 { font-size: 24px; letter-spacing: -0.01em; margin: 0 0 4px; }
p { color: var(--muted); margin: 0 0 20px; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 18px; }
a { display: grid; color: inherit; text-decoration: none; background: var(--paper); border: 1px solid var(--rule); border-radius: 12px; overflow: hidden; align-content: start; }
a:hover, a:focus-visible { border-color: #0a62b5; outline: none; }
img { width: 100%; height: auto; display: block; }
b { font-weight: 600; padding: 12px 14px 2px; }
code { color: var(--muted); font-size: 12.5px; padding: 0 14px 12px; }
</style>
<h1>Scenes that come with Hawser</h1>
<p>Each picture opens the report of its run: a replay in 3D, plots, tables. ${entries.length} scenes.</p>
<main>
${entries.join('\n')}
</main>
</html>
`,
);
console.log(`${join(folder, 'index.html')}: ${entries.length} scenes`);
