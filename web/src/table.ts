// Channels over time, as plots need them.
import type { Column } from './model';

export interface Rows {
  time: ArrayLike<number>; // [s]
  values: ArrayLike<number>[]; // NaN: not known
}

export interface Table {
  columns: readonly Column[]; // that can be chosen
  column(name: string): Column | undefined;
  rows(names: readonly string[]): Rows;
  want(names: readonly string[]): void; // that are shown
}

const most = 6e6; // numbers kept, of all columns together

/// Rows that come while a simulation runs; the oldest are forgotten.
export class LiveTable implements Table {
  columns: readonly Column[] = [];
  onWant: (names: string[]) => void = () => {};
  private names = new Map<string, Column>();
  private kept = new Map<string, Float32Array>(); // by column
  private time = new Float64Array(1024);
  private count = 0;

  setColumns(columns: readonly Column[]): void {
    this.columns = columns;
    this.names = new Map(columns.map((c) => [c.name, c]));
  }

  column(name: string): Column | undefined {
    return this.names.get(name);
  }

  want(names: readonly string[]): void {
    for (const name of names) if (!this.kept.has(name)) this.kept.set(name, new Float32Array(this.time.length).fill(NaN));
    for (const name of this.kept.keys()) if (!names.includes(name)) this.kept.delete(name);
    this.onWant([...this.kept.keys()]);
  }

  clear(): void {
    this.count = 0;
  }

  /// Forgets what is at or after a time, which was set back.
  cut(t: number): void {
    while (this.count > 0 && this.time[this.count - 1]! >= t) --this.count;
  }

  add(t: number, names: readonly string[], values: ArrayLike<number>): void {
    if (this.count > 0 && t <= this.time[this.count - 1]!) {
      if (t < this.time[this.count - 1]!) this.cut(t);
      else --this.count; // the same row anew
    }
    if (this.count === this.time.length) this.makeRoom();
    this.time[this.count] = t;
    for (const column of this.kept.values()) column[this.count] = NaN;
    names.forEach((name, i) => {
      const column = this.kept.get(name);
      if (column) column[this.count] = values[i]!;
    });
    ++this.count;
  }

  private makeRoom(): void {
    if (this.time.length * 2 * (this.kept.size + 2) <= most) {
      const grown = new Float64Array(2 * this.time.length);
      grown.set(this.time);
      this.time = grown;
      for (const [name, old] of this.kept) {
        const column = new Float32Array(grown.length).fill(NaN);
        column.set(old);
        this.kept.set(name, column);
      }
      return;
    }
    const half = this.count >> 1; // the older one is forgotten
    this.time.copyWithin(0, half, this.count);
    for (const column of this.kept.values()) column.copyWithin(0, half, this.count);
    this.count -= half;
  }

  /// Memory of what is kept.
  get bytes(): number {
    return this.time.byteLength + 4 * this.time.length * this.kept.size;
  }

  rows(names: readonly string[]): Rows {
    const none = new Float32Array(this.count).fill(NaN);
    return {
      time: this.time.subarray(0, this.count),
      values: names.map((name) => this.kept.get(name)?.subarray(0, this.count) ?? none),
    };
  }
}
