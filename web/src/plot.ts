// One plot of channels of one unit over time.
import uPlot from 'uplot';
import { lineColour } from './colours';
import { h, quantity, save, unitText } from './format';
import { icon } from './icons';
import type { Plots } from './plots';
import { theme } from './theme';

export class Plot {
  readonly element: HTMLElement;
  private readonly box = h('div', { class: 'canvas' });
  private readonly keys = h('ul', { class: 'keys' });
  private readonly values: HTMLElement[] = [];
  private plot: uPlot | null = null;
  private shown: uPlot.AlignedData = [[]];

  constructor(
    readonly names: string[],
    readonly unit: string,
    private readonly owner: Plots,
  ) {
    const button = (name: 'table' | 'image' | 'close', title: string, click: () => void) =>
      h('button', { class: 'icon', title, 'aria-label': title, click }, icon(name));
    this.element = h(
      'section',
      { class: 'plot', 'aria-label': `Plot in ${unit || '1'}` },
      h(
        'div',
        { class: 'plot-bar' },
        h('span', { class: 'unit' }, unit ? `[${unitText(unit)}]` : '[–]'),
        button('table', 'Save the values of this plot (CSV)', () => this.saveTable()),
        button('image', 'Save a picture of this plot (PNG)', () => this.savePicture()),
        button('close', 'Remove this plot', () => owner.remove(this)),
      ),
      this.box,
      this.keys,
    );
  }

  private fillKeys(): void {
    this.values.length = 0;
    this.keys.replaceChildren(
      ...this.names.map((name, i) => {
        const swatch = h('span', { class: 'swatch' });
        swatch.style.background = lineColour(i, theme() === 'dark');
        const value = h('span', { class: 'value' });
        this.values.push(value);
        const drop = h('button', { class: 'icon tiny', title: `Remove ${name}`, 'aria-label': `Remove ${name}`, click: () => this.owner.drop(this, name) }, icon('close'));
        return h('li', {}, swatch, h('span', { class: 'name' }, name), value, drop);
      }),
    );
  }

  draw(): void {
    this.fillKeys();
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--muted').trim();
    const rule = style.getPropertyValue('--rule').trim();
    const font = `11px ${style.getPropertyValue('--font')}`;
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { show: false }, font };
    const number = (_: uPlot, values: number[]) => values.map((v) => tick(v, this.unit));
    const options: uPlot.Options = {
      width: Math.max(200, this.box.clientWidth),
      height: this.owner.height,
      padding: [8, 16, 0, 0],
      cursor: { sync: { key: 'hawser' }, drag: { x: true, y: false }, points: { size: 6 } },
      scales: { x: { time: false, range: (_, low, high) => [low ?? 0, high ?? 1] }, y: { range: (_, low, high) => padded(low, high) } },
      legend: { show: false },
      axes: [{ ...axis, size: 26, values: (_, values) => values.map((v) => `${Number(v.toFixed(6))} s`), space: 64 }, { ...axis, size: 54, values: number }],
      series: [
        {},
        ...this.names.map((name, i) => ({ label: name, stroke: lineColour(i, theme() === 'dark'), width: 1.6, points: { show: false }, spanGaps: false })),
      ],
      hooks: {
        draw: [(plot) => this.drawTime(plot)],
        setCursor: [() => this.showValues()],
        setSelect: [(plot) => plot.select.width > 3 && this.owner.zoom(plot.posToVal(plot.select.left, 'x'), plot.posToVal(plot.select.left + plot.select.width, 'x'))],
      },
    };
    this.plot = new uPlot(options, this.data(), this.box);
    this.plot.over.addEventListener('click', (event) => {
      const rect = this.plot!.over.getBoundingClientRect();
      if (this.plot!.select.width <= 3) this.owner.pick(this.plot!.posToVal(event.clientX - rect.left, 'x'));
    });
    this.plot.over.addEventListener('dblclick', () => this.owner.zoom(null, null));
    this.renew();
  }

  /// Only the part that is shown: a live table grows.
  private data(): uPlot.AlignedData {
    const { time, values } = this.owner.table.rows(this.names);
    const [low, high] = this.owner.span();
    let from = search(time, low);
    const to = Math.min(time.length, search(time, high) + 2);
    from = Math.max(0, from - 1);
    const slice = (all: ArrayLike<number>) => {
      const out = new Array<number | null>(to - from);
      for (let i = from; i < to; ++i) out[i - from] = Number.isNaN(all[i]!) ? null : all[i]!;
      return out;
    };
    this.shown = [slice(time), ...values.map(slice)] as uPlot.AlignedData;
    return this.shown;
  }

  /// New values, or another part of time.
  renew(): void {
    if (!this.plot) return;
    const [min, max] = this.owner.span();
    this.plot.batch(() => {
      this.plot!.setData(this.data(), false);
      this.plot!.setScale('x', { min, max });
    });
    this.showValues();
  }

  private drawTime(plot: uPlot): void {
    const x = plot.valToPos(this.owner.time, 'x', true);
    const { left, top, width, height } = plot.bbox;
    if (!(x >= left && x <= left + width)) return;
    const context = plot.ctx;
    context.save();
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
    context.lineWidth = 1.5 * devicePixelRatio;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    context.restore();
  }

  showTime(): void {
    this.plot?.redraw(false);
    this.showValues();
  }

  /// At the cursor, or at the time that is shown.
  private showValues(): void {
    const index = this.plot?.cursor.idx ?? search(this.shown[0] as number[], this.owner.time);
    this.values.forEach((element, i) => {
      const column = this.shown[i + 1] as (number | null)[] | undefined;
      const value = column?.[Math.min(index, column.length - 1)];
      element.textContent = value === null || value === undefined ? '' : quantity(value, this.unit);
    });
  }

  private saveTable(): void {
    const { time, values } = this.owner.table.rows(this.names);
    const header = ['time [s]', ...this.names.map((name) => (this.unit ? `${name} [${this.unit}]` : name))];
    const rows = Array.from(time, (t, i) => [t, ...values.map((v) => v[i]!)].map((x) => (Number.isNaN(x) ? '' : x)).join(','));
    save(new Blob([[header.join(','), ...rows].join('\n') + '\n'], { type: 'text/csv' }), 'hawser-plot.csv');
  }

  /// With its names, on the page's colour.
  private savePicture(): void {
    const source = this.plot?.ctx.canvas;
    if (!source) return;
    const style = getComputedStyle(document.documentElement);
    const scale = devicePixelRatio;
    const canvas = h('canvas', { width: source.width, height: source.height + 22 * scale * this.names.length + 8 * scale });
    const context = canvas.getContext('2d')!;
    context.fillStyle = style.getPropertyValue('--paper');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0);
    context.font = `${13 * scale}px ${style.getPropertyValue('--font')}`;
    this.names.forEach((name, i) => {
      const y = source.height + (22 * i + 14) * scale;
      context.fillStyle = lineColour(i, theme() === 'dark');
      context.fillRect(12 * scale, y - 8 * scale, 12 * scale, 8 * scale);
      context.fillStyle = style.getPropertyValue('--ink');
      context.fillText(this.unit ? `${name} [${this.unit}]` : name, 30 * scale, y);
    });
    canvas.toBlob((blob) => blob && save(blob, 'hawser-plot.png'));
  }

  destroy(): void {
    this.plot?.destroy();
    this.element.remove();
  }
}

/// The first index at or after a value of a rising series.
function search(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// With some room above and below, also around a constant.
function padded(low: number | null, high: number | null): [number, number] {
  const [a, b] = [low ?? 0, high ?? 1];
  const room = Math.max(0.06 * (b - a), 1e-4 * Math.max(Math.abs(a), Math.abs(b)), 1e-9);
  return b - a > 1e-6 * Math.max(Math.abs(a), Math.abs(b)) ? [a - room, b + room] : [a - (Math.abs(a) || 1) * 0.1, b + (Math.abs(b) || 1) * 0.1];
}

/// 15000 N -> "15k", 0.5 m -> "0.5".
function tick(value: number, unit: string): string {
  if (Math.abs(value) < 1000) return String(Number(value.toPrecision(6)));
  const [number, prefix] = quantity(value, unit).split(' ');
  return unit && prefix && prefix !== unitText(unit) && prefix.endsWith(unitText(unit).split(' ')[0]!) ? `${number}${prefix[0]}` : number!;
}
