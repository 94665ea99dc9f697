// A run as the program writes it into the page: a header in JSON, numbers as deflated binary in base64.
import { quantities, type BodyInfo, type CableInfo, type Column, type Joint, type Pulley, type Quantity, type Support, type Triple, type World } from './model';
import type { Diagram } from './diagram';

/// A quantity along a cable, frame after frame, 16 bits a value: low + code * step. The codes are differences to the
/// same point of the frame before, if that has as many points: first all low bytes, then all high bytes.
interface Packed {
  at: number; // first byte
  low: number;
  step: number;
}

export interface CableHeader extends CableInfo {
  points: number[]; // by frame
  breaks: [frame: number, after: number[]][]; // from that frame on it is cut after these points
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
  ends: ([cable: number, end: 0 | 1] | null)[]; // by support: the end of a cable that moves with it; null: at rest
  pulleys: Pulley[];
  ground: World['ground'];
  up: Triple;
  joints: Joint[];
  winches: World['winches'];
  diagram: Diagram;
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
