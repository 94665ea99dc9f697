// What the run found, in tables: state, tensions, expectations, warnings, the scene.
import { h, quantity } from './format';
import type { Run } from './run';

function card(title: string, ...content: (Node | string)[]): HTMLElement {
  const wide = title === 'Expected values' || title === 'Warnings'; // long lines
  return h('section', { class: wide ? 'card wide' : 'card' }, h('h2', {}, title), ...content);
}

function table(head: string[], rows: (Node | string)[][]): HTMLElement {
  const line = (cells: (Node | string)[], tag: 'th' | 'td') =>
    h('tr', {}, ...cells.map((cell) => (tag === 'th' ? h('th', { scope: 'col' }, cell) : h('td', typeof cell === 'string' && cell.length > 40 ? { class: 'text' } : {}, cell))));
  // A region that scrolls must be reachable by keyboard.
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': head.join(', ') },
    h('table', {}, h('thead', {}, line(head, 'th')), h('tbody', {}, ...rows.map((row) => line(row, 'td')))),
  );
}

function tensions(run: Run): HTMLElement | null {
  const rows = run.header.summary.cables;
  if (rows.length === 0) return null;
  const most = 12; // of a net with hundreds, the most loaded
  const shown = [...rows].sort((a, b) => b.largest_tension.tension - a.largest_tension.tension).slice(0, most);
  const use = (share: number | undefined): Node | string => {
    if (!share) return '';
    const level = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
    const bar = h('span', { class: `bar ${level}` });
    bar.style.setProperty('--share', String(Math.min(1, share)));
    return h('span', { class: 'use' }, bar, `${(100 * share).toFixed(1)} %`);
  };
  return card(
    'Tension',
    table(
      ['cable', 'largest', 'at', 'smallest', 'at', 'of the breaking load'],
      shown.map((c) => [
        c.cable,
        quantity(c.largest_tension.tension, 'N'),
        quantity(c.largest_tension.time, 's'),
        quantity(c.smallest_tension.tension, 'N'),
        quantity(c.smallest_tension.time, 's'),
        use(c.utilisation),
      ]),
    ),
    rows.length > most ? h('p', { class: 'note' }, `${rows.length - most} cables with smaller tensions are not listed.`) : '',
  );
}

function expectations(run: Run): HTMLElement | null {
  const rows = run.header.summary.expectations ?? [];
  if (rows.length === 0) return null;
  return card(
    'Expected values',
    table(
      ['name', 'channel', 'at', 'measured', 'expected', 'source', 'verdict'],
      rows.map((e) => [
        e.name,
        e.channel,
        e.time === null ? 'end' : quantity(e.time, 's'),
        e.reached ? quantity(e.measured, e.unit) : 'not reached',
        `${quantity(e.expected, e.unit)} ± ${quantity(e.within, e.unit)}`,
        e.source ?? '',
        e.reached
          ? h('span', { class: `verdict ${e.met ? 'good' : 'bad'}` }, e.met ? 'met' : 'not met')
          : h('span', { class: 'verdict' }, '–'),
      ]),
    ),
  );
}

function warnings(run: Run): HTMLElement | null {
  const list = run.header.summary.warnings ?? [];
  if (list.length === 0) return null;
  return card('Warnings', h('ul', { class: 'warnings' }, ...list.map((text) => h('li', {}, text))));
}

function facts(run: Run): HTMLElement {
  const { header } = run;
  const row = (name: string, value: string) => [h('dt', {}, name), h('dd', {}, value)];
  const every = (shown: number, recorded: number, what: string) =>
    shown === recorded ? `${shown} ${what}` : `${shown} of ${recorded} recorded ${what}`;
  return card(
    'This run',
    h(
      'dl',
      {},
      ...row('Simulated', `${quantity(header.summary.time, 's')} of ${quantity(header.summary.until, 's')}`),
      ...row('Method', header.solve),
      ...row('Cables, bodies', `${run.cables.length}, ${run.bodies.length}`),
      ...row('Replay', every(header.frames, header.frames_recorded, 'shapes')),
      ...row('Plots', every(header.rows, header.rows_recorded, 'samples')),
      ...row(
        'Error of the replay',
        `positions are rounded by up to ${quantity(header.rounding, 'm')}` +
          (header.between > 0 ? ` and, between shapes, interpolated within ${quantity(header.between, 'm')}` : ''),
      ),
      ...row('Written by', `Hawser ${header.version}`),
    ),
    header.description ? h('p', { class: 'description' }, header.description) : '',
  );
}

export function panels(run: Run): HTMLElement {
  const scene = h(
    'details',
    { class: 'card' },
    h('summary', {}, 'The scene, with all defaults, in SI units'),
    h('pre', { tabindex: 0, 'aria-label': 'Scene file' }, run.header.scene),
  );
  const parts = [warnings(run), expectations(run), tensions(run), facts(run), scene];
  return h('div', { class: 'panels' }, ...parts);
}
