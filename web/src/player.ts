// A run at any time: what stays, what moves, and its channels.
import { coloured, Extent, quantities, type Colouring, type Quantity, type Shot, type Strand, type World } from './model';
import type { Cable, Run } from './run';
import type { Table } from './table';

/// What stays the same over the run.
export function worldOf(run: Run): World {
  const { header } = run;
  const extent = extentOf(run);
  return {
    title: header.title,
    up: header.up,
    cables: header.cables,
    bodies: header.bodies,
    supports: header.supports,
    pulleys: header.pulleys,
    joints: header.joints,
    winches: header.winches,
    ground: header.ground,
    low: extent.low,
    high: extent.high,
  };
}

/// Around everything that is shown, over some frames of the run.
function extentOf(run: Run): Extent {
  const extent = new Extent();
  const player = new Player(run);
  const step = Math.max(1, Math.floor(run.frameTime.length / 200));
  run.frameTime.forEach((t, i) => i % step === 0 && extent.include(player.at(t), run.header.bodies));
  return extent.known ? extent : Object.assign(extent, { low: run.header.low, high: run.header.high });
}

/// The frame before a time, and how far it is on the way to the next: 0 to 1.
function frameAt(run: Run, t: number): { frame: number; share: number } {
  const times = run.frameTime;
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= t) low = middle;
    else high = middle;
  }
  const from = times[low] ?? 0;
  const to = times[high] ?? from;
  const share = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 0;
  return { frame: low, share };
}

/// The run at any time, straight between frames. The arrays of a shot are used again by the next.
export class Player {
  private readonly strands: Strand[];
  private readonly poses: Float32Array;
  private readonly supports: Float32Array;

  constructor(private readonly run: Run) {
    this.poses = new Float32Array(7 * run.bodies.length);
    this.supports = Float32Array.from(run.header.supports.flatMap((s) => s.position));
    this.strands = run.cables.map((cable) => {
      const most = Math.max(1, ...cable.header.points);
      const fields = Object.fromEntries(quantities.map((q) => [q, new Float32Array(most)])) as Record<Quantity, Float32Array>;
      return { count: 0, position: new Float32Array(3 * most), fields, climb: new Float32Array(most), breaks: [] };
    });
  }

  at(t: number): Shot {
    const { frame, share } = frameAt(this.run, t);
    const next = Math.min(frame + 1, this.run.frameTime.length - 1);
    const step = this.run.frameTime[next]! - this.run.frameTime[frame]!;
    this.run.cables.forEach((cable, i) => this.fill(cable, this.strands[i]!, frame, next, share, step));
    this.run.bodies.forEach((body, i) => blend(body.pose, 7 * frame, 7 * next, share, this.poses, 7 * i));
    return { time: t, strands: this.strands, poses: this.poses, supports: this.supportsNow() };
  }

  private supportsNow(): Float32Array {
    this.run.header.ends.forEach((end, i) => {
      const strand = end && this.strands[end[0]];
      if (!strand || strand.count === 0) return;
      const at = end[1] === 0 ? 0 : 3 * (strand.count - 1);
      this.supports.set(strand.position.subarray(at, at + 3), 3 * i);
    });
    return this.supports;
  }

  private fill(cable: Cable, strand: Strand, frame: number, next: number, share: number, step: number): void {
    const { up } = this.run.header;
    const count = cable.header.points[frame]!;
    const same = cable.header.points[next] === count; // a cable that was remeshed jumps
    const from = cable.start[frame]!;
    const to = same ? cable.start[next]! : from;
    strand.count = count;
    strand.breaks = cable.header.breaks.findLast(([first]) => first <= frame)?.[1] ?? [];
    for (let i = 0; i < count; ++i) {
      let climb = 0;
      for (let k = 0; k < 3; ++k) {
        const a = cable.position[3 * (from + i) + k]!;
        const way = cable.position[3 * (to + i) + k]! - a;
        strand.position[3 * i + k] = a + share * way;
        climb += way * up[k]!;
      }
      strand.climb[i] = step > 0 ? climb / step : 0;
    }
    for (const quantity of quantities) {
      const values = cable.fields[quantity];
      for (let i = 0; i < count; ++i) strand.fields[quantity][i] = values[from + i]! + share * (values[to + i]! - values[from + i]!);
    }
  }

  /// The smallest and the greatest value of the whole run, in its unit.
  range(colouring: Colouring): { low: number; high: number } {
    let low = Infinity;
    let high = -Infinity;
    const include = (value: number) => {
      low = Math.min(low, value);
      high = Math.max(high, value);
    };
    for (const cable of this.run.cables) {
      if (colouring === 'vertical velocity') continue;
      const quantity = colouring === 'utilisation' || colouring === 'stress' ? 'tension' : colouring;
      const { factor } = coloured(colouring, cable.header, this.strands[0]!);
      for (const value of cable.range[quantity]) include(factor * value);
    }
    if (colouring === 'vertical velocity')
      for (const t of this.run.frameTime) for (const s of this.at(t).strands) s.climb.subarray(0, s.count).forEach(include);
    return { low, high };
  }
}

/// Positions straight, quaternions straight and of unit length again: frames are close together.
function blend(pose: Float32Array, from: number, to: number, share: number, out: Float32Array, at: number): void {
  let dot = 0;
  for (let k = 3; k < 7; ++k) dot += pose[from + k]! * pose[to + k]!;
  const sign = dot < 0 ? -1 : 1;
  let size = 0;
  for (let k = 0; k < 7; ++k) {
    const a = pose[from + k]!;
    out[at + k] = a + share * ((k < 3 ? 1 : sign) * pose[to + k]! - a);
    if (k >= 3) size += out[at + k]! ** 2;
  }
  for (let k = 3; k < 7; ++k) out[at + k]! /= Math.sqrt(size);
}

/// Its channels, for the plots.
export function tableOf(run: Run): Table {
  const index = new Map(run.header.columns.map((c, i) => [c.name, i]));
  return {
    columns: run.header.columns,
    column: (name) => run.header.columns[index.get(name) ?? -1],
    rows: (names) => ({ time: run.time, values: names.map((name) => run.columns[index.get(name)!] ?? new Float32Array(run.time.length)) }),
    want: () => {},
  };
}
