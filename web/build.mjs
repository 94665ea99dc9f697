// node build.mjs FILE.cpp [FOLDER]: builds the scripts of the pages and writes them as C++ source (src/report/page.h);
// with a folder also as they are, for tests. Installs what package-lock.json names, if it has changed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const [major] = process.versions.node.split('.').map(Number);
if (major < 18) {
  console.error(`Node.js ${process.versions.node}: 18 or newer is needed, or configure with -DHAWSER_WEB=OFF`);
  process.exit(1);
}
const web = dirname(fileURLToPath(import.meta.url));
const [, , source, folder] = process.argv;
const run = (program, ...args) => execFileSync(program, args, { cwd: web, stdio: ['ignore', 'pipe', 'pipe'] });
const installed = join(web, 'node_modules', '.package-lock.json');
const lock = join(web, 'package-lock.json');
const out = folder ?? mkdtempSync(join(tmpdir(), 'hawser-web-'));
const pages = ['report', 'live'];

/// The bytes of a page's script, as a zlib stream.
function definition(page) {
  const bytes = deflateSync(readFileSync(join(out, `${page}.js`)), { level: 9 });
  return `const unsigned char ${page}_script[] = {${[...bytes]}};\nconst size_t ${page}_script_size = sizeof ${page}_script;\n`;
}

try {
  mkdirSync(out, { recursive: true });
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs)
    run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  const tool = (name) => join(web, 'node_modules', '.bin', name);
  run(tool('tsc'), '--noEmit');
  run(tool('esbuild'), ...pages.map((page) => `src/${page}.ts`), '--bundle', '--minify', '--format=iife', '--target=es2022',
    '--loader:.css=text', '--loader:.woff2=binary', '--charset=utf8', '--log-level=error', `--outdir=${out}`);
  writeFileSync(source, `#include "report/page.h"\n\nnamespace hawser {\n\n${pages.map(definition).join('\n')}\n}  // namespace hawser\n`);
} catch (error) {
  console.error(String(error.stdout ?? ''), String(error.stderr ?? ''), error.message);
  console.error('The pages were not built. To leave them out, configure with -DHAWSER_WEB=OFF.');
  process.exit(1);
} finally {
  if (!folder) rmSync(out, { recursive: true, force: true });
}
