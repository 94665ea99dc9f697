// The program with a live view.
import { spawn } from 'node:child_process';

/// Runs `hawser view` in a folder. `address` resolves when it is served; `end` ends it.
export function view(hawser, folder, ...args) {
  const program = spawn(hawser, ['view', ...args, '--no-browser'], { cwd: folder });
  let said = '';
  program.stderr.on('data', (text) => (said += text));
  const address = new Promise((done, fail) => {
    program.stdout.on('data', (text) => done(String(text).trim()));
    program.on('exit', (code) => fail(new Error(`hawser view ended with ${code}: ${said}`)));
  });
  const end = () =>
    new Promise((done) => {
      program.on('exit', done);
      program.kill('SIGINT');
    });
  return { address, end, pid: program.pid };
}
