// node build.mjs FILE.cpp: builds the page of reports and writes it as C++ source (src/report/page.h). Installs
// what package-lock.json names, if it has changed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
const run = (program, ...args) => execFileSync(program, args, { cwd: web, stdio: ['ignore', 'pipe', 'pipe'] });
const installed = join(web, 'node_modules', '.package-lock.json');
const lock = join(web, 'package-lock.json');
const out = mkdtempSync(join(tmpdir(), 'hawser-web-'));
try {
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs)
    run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  const tool = (name) => join(web, 'node_modules', '.bin', name);
  run(tool('tsc'), '--noEmit');
  run(tool('esbuild'), 'src/report.ts', '--bundle', '--minify', '--format=iife', '--target=es2022', '--loader:.css=text',
    '--charset=utf8', '--log-level=error', `--outfile=${join(out, 'report.js')}`);
  const page = deflateSync(readFileSync(join(out, 'report.js')), { level: 9 });
  writeFileSync(
    process.argv[2],
    `#include "report/page.h"\n\nnamespace hawser {\n\nconst unsigned char report_script[] = {${[...page]}};\n` +
      `const size_t report_script_size = sizeof report_script;\n\n}  // namespace hawser\n`,
  );
} catch (error) {
  console.error(String(error.stdout ?? ''), String(error.stderr ?? ''), error.message);
  console.error('The page of reports was not built. To leave it out, configure with -DHAWSER_WEB=OFF.');
  process.exit(1);
} finally {
  rmSync(out, { recursive: true, force: true });
}
