// Plots of channels over time. Each plot holds columns of one unit.
import uPlot from 'uplot';
import { lines } from './colours';
import { h, quantity } from './format';
import type { Run } from './run';

/// What to show first: tensions and forces, then where things go, then energy.
export function firstColumns(run: Run): number[][] {
  const pick = (test: RegExp, most: number) =>
    run.header.columns
      .map((column, i) => ({ column, i }))
      .filter(({ column, i }) => test.test(column.name) && changes(run.columns[i]!))
      .slice(0, most)
      .map(({ i }) => i);
  const groups = [
    pick(/tension/, 4),
    pick(/position/, 4),
    pick(/^energy\.(kinetic|axial|potential|work|balance)$/, 5),
  ].filter((group) => group.length > 0);
  if (groups.length < 2) groups.push(pick(/force|length|turn|travel|velocity/, 3));
  return groups.filter((group) => group.length > 0).slice(0, 3);
}

function changes(values: Float32Array): boolean {
  const first = values[0] ?? 0;
  return values.some((value) => Math.abs(value - first) > 1e-6 * (Math.abs(first) + 1e-9));
}

class Plot {
  readonly element: HTMLElement;
  private readonly box = h('div', { class: 'canvas' });
  private plot: uPlot | null = null;
  columns: number[];

  constructor(
    private readonly run: Run,
    columns: number[],
    private readonly owner: Plots,
  ) {
    this.columns = columns;
    const button = (label: string, title: string, click: () => void) =>
      h('button', { class: 'small', title, 'aria-label': title, click }, label);
    this.element = h(
      'section',
      { class: 'plot' },
      h(
        'div',
        { class: 'plot-bar' },
        h('span', { class: 'unit' }, this.title()),
        button('CSV', 'Save the values of this plot', () => this.saveTable()),
        button('PNG', 'Save a picture of this plot', () => this.savePicture()),
        button('✕', 'Remove this plot', () => owner.remove(this)),
      ),
      this.box,
    );
  }

  get unit(): string {
    return this.run.header.columns[this.columns[0]!]?.unit ?? '';
  }

  private title(): string {
    return this.unit || '1';
  }

  draw(): void {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--muted').trim();
    const rule = style.getPropertyValue('--rule').trim();
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 }, font: '11px system-ui' };
    const number = (_: uPlot, values: number[]) => values.map((v) => quantity(v, this.unit).replace(/ .*/, '') + suffix(v, this.unit));
    const options: uPlot.Options = {
      width: Math.max(200, this.box.clientWidth),
      height: 190,
      cursor: { sync: { key: 'hawser' }, drag: { x: true, y: false } },
      scales: { x: { time: false } },
      legend: { live: true },
      axes: [axis, { ...axis, size: 62, values: number }],
      series: [
        { label: 'time', value: (_, v) => (v === null ? '' : `${v.toFixed(3)} s`) },
        ...this.columns.map((column, i) => ({
          label: this.run.header.columns[column]!.name,
          stroke: lines[i % lines.length]!,
          width: 1.6,
          points: { show: false },
          value: (_: uPlot, v: number | null) => (v === null ? '' : quantity(v, this.unit)),
        })),
      ],
      hooks: { draw: [(plot) => this.drawTime(plot)] },
    };
    this.plot = new uPlot(options, this.data(), this.box);
    this.plot.over.addEventListener('click', (event) => {
      const rect = this.plot!.over.getBoundingClientRect();
      const moved = this.plot!.select.width > 3;
      if (!moved) this.owner.pick(this.plot!.posToVal(event.clientX - rect.left, 'x'));
    });
  }

  private data(): uPlot.AlignedData {
    return [this.run.time, ...this.columns.map((column) => this.run.columns[column]!)] as unknown as uPlot.AlignedData;
  }

  private drawTime(plot: uPlot): void {
    const x = plot.valToPos(this.owner.time, 'x', true);
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > left + width) return;
    const context = plot.ctx;
    context.save();
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
    context.lineWidth = devicePixelRatio;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    context.restore();
  }

  showTime(): void {
    this.plot?.redraw(false);
  }

  private saveTable(): void {
    const header = ['time [s]', ...this.columns.map((c) => {
      const { name, unit } = this.run.header.columns[c]!;
      return unit ? `${name} [${unit}]` : name;
    })];
    const rows = Array.from(this.run.time, (t, i) => [t, ...this.columns.map((c) => this.run.columns[c]![i]!)].join(','));
    save(new Blob([[header.join(','), ...rows].join('\n') + '\n'], { type: 'text/csv' }), 'hawser-plot.csv');
  }

  private savePicture(): void {
    const canvas = this.plot?.ctx.canvas;
    canvas?.toBlob((blob) => blob && save(blob, 'hawser-plot.png'));
  }
}

function suffix(value: number, unit: string): string {
  const text = quantity(value, unit);
  const prefix = /^\S+ ([GMkmµ])/.exec(text);
  return prefix && unit && text.endsWith(unit) && text !== `${text.split(' ')[0]} ${unit}` ? prefix[1]! : '';
}

export function save(blob: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export class Plots {
  readonly element: HTMLElement;
  time = 0;
  private readonly list = h('div', { class: 'plot-list' });
  private plots: Plot[] = [];

  constructor(
    private readonly run: Run,
    readonly pick: (t: number) => void,
  ) {
    const input = h('input', {
      list: 'channel-names',
      placeholder: 'Add a channel: type its name',
      'aria-label': 'Add a channel to the plots',
      change: () => {
        this.add(input.value);
        input.value = '';
      },
    });
    const names = h('datalist', { id: 'channel-names' }, ...run.header.columns.map((c) => h('option', { value: c.name }, c.unit)));
    this.element = h('div', { class: 'plots' }, h('div', { class: 'add' }, input, names), this.list);
    firstColumns(run).forEach((columns) => this.append(columns));
    new ResizeObserver(() => this.draw()).observe(this.list);
  }

  private append(columns: number[]): void {
    const plot = new Plot(this.run, columns, this);
    this.plots.push(plot);
    this.list.append(plot.element);
  }

  /// To a plot of the same unit, or a new one.
  private add(name: string): void {
    const column = this.run.header.columns.findIndex((c) => c.name === name);
    if (column < 0) return;
    const unit = this.run.header.columns[column]!.unit;
    const plot = this.plots.find((p) => p.unit === unit && p.columns.length < lines.length);
    if (!plot) this.append([column]);
    else if (!plot.columns.includes(column)) plot.columns.push(column);
    this.draw();
  }

  remove(plot: Plot): void {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.element.remove();
  }

  draw(): void {
    for (const plot of this.plots) plot.draw();
  }

  show(t: number): void {
    this.time = t;
    for (const plot of this.plots) plot.showTime();
  }
}
