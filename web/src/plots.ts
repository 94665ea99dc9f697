// Plots of channels over time. Each plot holds channels of one unit.
import { chooser } from './chooser';
import { mostLines } from './colours';
import { h } from './format';
import { Plot } from './plot';
import type { Table } from './table';

/// What is shown of a run at first: tensions and forces, then where things go, then energy.
export function firstPlots(table: Table): string[][] {
  const changing = table.columns.filter((c) => changes(table.rows([c.name]).values[0]!));
  const choose = (test: RegExp, most: number) => {
    const fitting = changing.filter((c) => test.test(c.name));
    return fitting.filter((c) => c.unit === fitting[0]!.unit).slice(0, most).map((c) => c.name);
  };
  const groups = [choose(/tension/, 4), choose(/position/, 4), choose(/^energy\.(kinetic|axial|potential|work|balance)$/, 5)].filter((g) => g.length > 0);
  if (groups.length < 2) groups.push(choose(/force|length|turn|travel|velocity/, 3));
  return groups.filter((group) => group.length > 0).slice(0, 3);
}

function changes(values: ArrayLike<number>): boolean {
  const first = values[0] ?? 0;
  for (let i = 1; i < values.length; ++i) if (Math.abs(values[i]! - first) > 1e-6 * (Math.abs(first) + 1e-9)) return true;
  return false;
}

export class Plots {
  readonly element: HTMLElement;
  readonly height = 150;
  time = 0;
  private readonly list = h('div', { class: 'plot-list' });
  private plots: Plot[] = [];
  private zoomed: [number, number] | null = null;

  /// `whole`: the part of time that is shown unless zoomed; `pick`: a click on a time.
  constructor(
    readonly table: Table,
    private readonly whole: () => [number, number],
    readonly pick: (t: number) => void,
  ) {
    const field = chooser('Add a channel to the plots', () => this.table.columns, (name) => this.add(name));
    this.element = h('div', { class: 'plots' }, field, this.list);
    new ResizeObserver(() => this.draw()).observe(this.list);
  }

  get names(): string[] {
    return [...new Set(this.plots.flatMap((plot) => plot.names))];
  }

  get groups(): string[][] {
    return this.plots.map((plot) => plot.names);
  }

  span(): [number, number] {
    const [low, high] = this.zoomed ?? this.whole();
    return [low, high > low ? high : low + 1e-3];
  }

  /// Each group a plot; names that the table does not have are left out.
  setGroups(groups: readonly string[][]): void {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    for (const group of groups) {
      const known = group.filter((name) => this.table.column(name));
      if (known.length > 0) this.append(known);
    }
    this.changed();
  }

  private append(names: string[]): void {
    const plot = new Plot(names, this.table.column(names[0]!)!.unit, this);
    this.plots.push(plot);
    this.list.append(plot.element);
  }

  /// To a plot of the same unit, or a new one.
  add(name: string): void {
    const column = this.table.column(name);
    if (!column) return;
    const plot = this.plots.find((p) => p.unit === column.unit && p.names.length < mostLines);
    if (!plot) this.append([name]);
    else if (!plot.names.includes(name)) plot.names.push(name);
    this.changed();
  }

  drop(plot: Plot, name: string): void {
    if (plot.names.length === 1) return this.remove(plot);
    plot.names.splice(plot.names.indexOf(name), 1);
    this.changed();
  }

  remove(plot: Plot): void {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.destroy();
    this.changed();
  }

  private changed(): void {
    this.table.want(this.names);
    this.draw();
  }

  draw(): void {
    for (const plot of this.plots) plot.draw();
  }

  zoom(low: number | null, high: number | null): void {
    this.zoomed = low === null || high === null ? null : [low, high];
    this.renew();
  }

  renew(): void {
    for (const plot of this.plots) plot.renew();
  }

  show(t: number): void {
    this.time = t;
    for (const plot of this.plots) plot.showTime();
  }
}
