// What the run found, in tables: warnings, expectations, extremes, how it was computed, the scene. Times lead there.
import { h, quantity } from './format';
import type { Run } from './run';

type GoTo = (t: number) => void;

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

function moment(t: number, goTo: GoTo): HTMLElement {
  return h('button', { class: 'link', title: 'Show this time', click: () => goTo(t) }, quantity(t, 's'));
}

function tensions(run: Run, goTo: GoTo): HTMLElement | null {
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
        moment(c.largest_tension.time, goTo),
        quantity(c.smallest_tension.tension, 'N'),
        moment(c.smallest_tension.time, goTo),
        use(c.utilisation),
      ]),
    ),
    rows.length > most ? h('p', { class: 'note' }, `${rows.length - most} cables with smaller tensions are not listed.`) : '',
  );
}

function expectations(run: Run, goTo: GoTo): HTMLElement | null {
  const rows = run.header.summary.expectations ?? [];
  if (rows.length === 0) return null;
  return card(
    'Expected values',
    table(
      ['name', 'channel', 'at', 'measured', 'expected', 'source', 'verdict'],
      rows.map((e) => [
        e.name,
        e.channel,
        e.time === null ? 'end' : moment(e.time, goTo),
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

/// The smallest and the largest value of each channel, as sampled.
function extremes(run: Run, goTo: GoTo): HTMLElement | null {
  const { columns } = run.header;
  if (columns.length === 0) return null;
  const most = 40;
  const rows = columns.slice(0, most).map(({ name, unit }, i) => {
    const values = run.columns[i]!;
    let [low, high] = [0, 0];
    values.forEach((value, k) => {
      if (value < values[low]!) low = k;
      if (value > values[high]!) high = k;
    });
    return [name, quantity(values[low]!, unit), moment(run.time[low]!, goTo), quantity(values[high]!, unit), moment(run.time[high]!, goTo)];
  });
  return h(
    'details',
    { class: 'card' },
    h('summary', {}, 'Extremes of the channels'),
    table(['channel', 'smallest', 'at', 'largest', 'at'], rows),
    columns.length > most ? h('p', { class: 'note' }, `${columns.length - most} more channels are in the results.`) : '',
  );
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
      ...row('Computed in', cost(header.summary)),
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

function cost({ wall, cpu, time, counters }: Run['header']['summary']): string {
  const steps = counters?.['steps'] ?? 0;
  if (typeof wall !== 'number' || typeof cpu !== 'number' || !(wall > 0)) return `${steps} steps`;
  return `${quantity(wall, 's')} (${quantity(cpu, 's')} of CPU time), ${steps} steps, ${quantity(time / wall, '')} × real time`;
}

export function panels(run: Run, goTo: GoTo, diagram: HTMLElement): HTMLElement {
  const scene = h(
    'details',
    { class: 'card' },
    h('summary', {}, 'The scene, with all defaults, in SI units'),
    h('pre', { tabindex: 0, 'aria-label': 'Scene file' }, run.header.scene),
  );
  const parts = [warnings(run), expectations(run, goTo), tensions(run, goTo), facts(run), card('Diagram', diagram), extremes(run, goTo), scene];
  return h('div', { class: 'panels' }, ...parts);
}
