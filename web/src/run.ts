// A run as the program writes it into the page: a header in JSON, numbers as deflated binary in base64.
import { quantities, type BodyInfo, type CableInfo, type Colouring, type Column, type Joint, type Pulley, type Quantity } from './model';
import { coloured, Extent, type Shot, type Strand, type Support, type Triple, type World } from './model';
import type { Diagram } from './diagram';
import type { Table } from './table';

/// A quantity along a cable, frame after frame, 16 bits a value: low + code * step. The codes are differences to the
/// same point of the frame before, if that has as many points: first all low bytes, then all high bytes.
interface Packed {
  at: number; // first byte
  low: number;
  step: number;
}

export interface CableHeader extends CableInfo {
  points: number[]; // by frame
  position: [Packed, Packed, Packed]; // x, y, z
  fields: Record<Quantity, Packed>;
}

export interface BodyHeader extends BodyInfo {
  at: number; // of the first byte: 7 float32 a frame, position and quaternion w x y z
}

export interface Extreme {
  tension: number;
  arc_length: number;
  time: number;
}

export interface Summary {
  title: string;
  end: string;
  failure?: string;
  time: number;
  until: number;
  cables: {
    cable: string;
    largest_tension: Extreme;
    smallest_tension: Extreme;
    breaking_load?: number;
    utilisation?: number;
  }[];
  counters?: Record<string, number>;
  expectations?: {
    name: string;
    channel: string;
    time: number | null; // [s]; null: the end of the run
    expected: number;
    unit: string;
    within: number;
    measured: number;
    met: boolean;
    reached: boolean;
    source?: string;
  }[];
  warnings?: string[];
  [key: string]: unknown;
}

export interface Header {
  version: string;
  title: string;
  description: string;
  columns: Column[];
  rows: number;
  rows_recorded: number;
  channel_data: number; // first byte: time, then column by column, float32
  frames: number;
  frames_recorded: number;
  frame_data: number; // first byte of the frames' times, float32
  rounding: number; // of positions [m]
  between: number; // largest error of positions interpolated between frames [m]
  low: Triple;
  high: Triple; // of all positions [m]
  cables: CableHeader[];
  bodies: BodyHeader[];
  supports: Support[];
  pulleys: Pulley[];
  ground: World['ground'];
  up?: Triple; // this and the next are missing in reports of version 0.1.0
  joints?: Joint[];
  winches?: World['winches'];
  water?: World['water'];
  diagram?: Diagram;
  solve: string;
  scene: string;
  summary: Summary;
}

/// One cable over all frames.
export interface Cable {
  header: CableHeader;
  start: number[]; // by frame: its first point among all of the cable
  position: Float32Array; // x, y, z point by point, frame by frame [m]
  fields: Record<Quantity, Float32Array>;
  range: Record<Quantity, [number, number]>;
}

export interface Body {
  header: BodyHeader;
  pose: Float32Array;
}

export interface Run {
  header: Header;
  time: Float32Array; // of the rows [s]
  columns: Float32Array[];
  frameTime: Float32Array; // [s]
  cables: Cable[];
  bodies: Body[];
}

async function inflate(text: string): Promise<ArrayBuffer> {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

function unpack(data: ArrayBuffer, packed: Packed, points: number[], count: number, out: Float32Array, first: number, stride: number) {
  const bytes = new Uint8Array(data, packed.at, 2 * count);
  let at = 0;
  let before = new Uint16Array(0);
  for (const n of points) {
    const now = new Uint16Array(n);
    const known = before.length === n;
    for (let i = 0; i < n; ++i, ++at) {
      now[i] = (known ? before[i]! : 0) + bytes[at]! + 256 * bytes[count + at]!;
      out[first + at * stride] = packed.low + now[i]! * packed.step;
    }
    before = now;
  }
}

function readCable(data: ArrayBuffer, header: CableHeader): Cable {
  let count = 0;
  const start = header.points.map((n) => (count += n) - n);
  const position = new Float32Array(3 * count);
  header.position.forEach((packed, k) => unpack(data, packed, header.points, count, position, k, 3));
  const fields = {} as Record<Quantity, Float32Array>;
  const range = {} as Record<Quantity, [number, number]>;
  for (const quantity of quantities) {
    const packed = header.fields[quantity];
    fields[quantity] = new Float32Array(count);
    unpack(data, packed, header.points, count, fields[quantity], 0, 1);
    range[quantity] = [packed.low, packed.low + 65535 * packed.step];
  }
  return { header, start, position, fields, range };
}

export async function readRun(): Promise<Run> {
  const text = (id: string): string => document.getElementById(id)?.textContent ?? '';
  const header = JSON.parse(text('hawser-run')) as Header;
  const data = await inflate(text('hawser-data').trim());
  const floats = (at: number, count: number) => new Float32Array(data, at, count);
  const rows = (i: number) => floats(header.channel_data + 4 * header.rows * i, header.rows);
  return {
    header,
    time: rows(0),
    columns: header.columns.map((_, i) => rows(i + 1)),
    frameTime: floats(header.frame_data, header.frames),
    cables: header.cables.map((cable) => readCable(data, cable)),
    bodies: header.bodies.map((body) => ({ header: body, pose: floats(body.at, 7 * header.frames) })),
  };
}

/// What stays the same over the run.
export function worldOf(run: Run): World {
  const { header } = run;
  const up = header.up ?? upOf(header.scene);
  const extent = extentOf(run, up);
  return {
    title: header.title,
    up,
    cables: header.cables,
    bodies: header.bodies,
    supports: header.supports,
    pulleys: header.pulleys,
    joints: header.joints ?? [],
    winches: header.winches ?? [],
    ground: header.ground,
    water: header.water ?? null,
    low: extent.low,
    high: extent.high,
  };
}

/// Around everything that is shown, over some frames of the run.
function extentOf(run: Run, up: Triple): Extent {
  const extent = new Extent();
  const player = new Player(run, up);
  const step = Math.max(1, Math.floor(run.frameTime.length / 200));
  run.frameTime.forEach((t, i) => i % step === 0 && extent.include(player.at(t), run.header.bodies));
  return extent.known ? extent : Object.assign(extent, { low: run.header.low, high: run.header.high });
}

/// Against gravity, which a scene with all defaults states.
function upOf(scene: string): Triple {
  const gravity = /^gravity: \[(.*)\]/m.exec(scene)?.[1]?.split(',').map(parseFloat) ?? [];
  const size = Math.hypot(...gravity);
  return gravity.length === 3 && size > 0 ? (gravity.map((g) => -g / size) as Triple) : [0, 0, 1];
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

  constructor(
    private readonly run: Run,
    private readonly up: Triple,
  ) {
    this.poses = new Float32Array(7 * run.bodies.length);
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
    return { time: t, strands: this.strands, poses: this.poses, supports: null };
  }

  private fill(cable: Cable, strand: Strand, frame: number, next: number, share: number, step: number): void {
    const count = cable.header.points[frame]!;
    const same = cable.header.points[next] === count; // a cable that was remeshed jumps
    const from = cable.start[frame]!;
    const to = same ? cable.start[next]! : from;
    strand.count = count;
    for (let i = 0; i < count; ++i) {
      let climb = 0;
      for (let k = 0; k < 3; ++k) {
        const a = cable.position[3 * (from + i) + k]!;
        const way = cable.position[3 * (to + i) + k]! - a;
        strand.position[3 * i + k] = a + share * way;
        climb += way * this.up[k]!;
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
