// What the program and the live page exchange: docs/theory/live.md.
import type { Diagram } from './diagram';
import { quantities, type BodyInfo, type CableInfo, type Column, type Quantity, type Shot, type Strand, type Triple, type World } from './model';

export interface Input {
  name: string;
  unit: string;
  from: number | null;
  to: number | null;
  value: number;
  smoothing: number; // [s]
  rate: boolean; // prescribes a speed: let go, back to 0
  feedback: boolean; // set by the scene
}

export interface Field {
  path: string;
  value: string;
  line: number;
}

export interface Hello extends Omit<World, 'cables' | 'bodies'> {
  type: 'hello';
  version: string;
  layout: number;
  reason: 'open' | 'reload' | 'reset' | 'cut' | 'mesh';
  description: string;
  file: string;
  editable: boolean;
  scene: string;
  step: number; // [s]
  solve: string;
  cables: (CableInfo & { model: string; length: number; points: number; s: number[]; breaks?: number[]; can_cut: boolean; can_pull: boolean })[];
  bodies: (BodyInfo & { mass: number })[];
  inputs: Input[];
  channels: Column[];
  plots: string[];
  fields: Field[];
  diagram: Diagram;
  colours: Partial<Record<Quantity | 'climb', [number, number]>>;
}

export interface Status {
  type: 'status';
  t: number;
  steps: number;
  paused: boolean;
  speed: number;
  real_time_factor: number;
  step_time: number; // [s]
  keeps_up: boolean;
  energy: Record<'kinetic' | 'potential' | 'elastic' | 'work' | 'total' | 'balance', number>;
  tension: { value: number; cable: string; s: number; utilisation: number | null } | null;
  utilisation: { value: number; cable: string; s: number } | null;
  inputs: { name: string; setting: number; value: number }[];
  pull: { body?: string; cable?: string; s?: number; force: Triple; magnitude: number } | null;
  pages: number;
  failure: string | null;
  warnings: string[];
  log: string | null;
}

export interface Problem {
  file: string;
  line: number;
  column: number;
  source: string;
  message: string;
}

export type FromServer =
  | Hello
  | Status
  | { type: 'problem'; problems: Problem[] }
  | { type: 'subscribed'; id: number; columns: Column[] }
  | { type: 'refused'; request: string; message: string }
  | { type: 'edited'; path: string; value: string };

export type ToServer =
  | { type: 'play' | 'pause' | 'reset' | 'release' }
  | { type: 'seen'; frame: number }
  | { type: 'step'; steps: number }
  | { type: 'speed'; value: number }
  | { type: 'input'; name: string; value: number }
  | { type: 'subscribe'; id: number; channels: string[] }
  | { type: 'pull'; target: Triple; body?: string; at?: Triple; cable?: string; s?: number }
  | { type: 'cut'; cable: string; s: number }
  | { type: 'edit'; path: string; value: string };

/// A frame as it came, read when it is shown.
export interface Frame {
  time: number;
  flags: number;
  subscription: number;
  data: ArrayBuffer;
  hello: Hello;
}

export const jumped = 4; // flag: time was set back
const pulled = 2;
const header = 24; // bytes

export function numberOf(data: ArrayBuffer): number {
  return new DataView(data).getUint32(4, true);
}

/// Null: of another layout, or cut off.
export function readFrame(data: ArrayBuffer, hello: Hello): Frame | null {
  if (data.byteLength < header + 4 * fixed(hello)) return null;
  const view = new DataView(data);
  if (view.getUint32(0, true) !== hello.layout) return null;
  return { time: view.getFloat64(8, true), flags: view.getUint32(16, true), subscription: view.getUint32(20, true), data, hello };
}

/// Numbers of a frame before its channels.
function fixed(hello: Hello): number {
  return hello.cables.reduce((sum, c) => sum + 8 * c.points, 0) + 7 * hello.bodies.length + 3 * hello.supports.length + 6;
}

export function channelsOf(frame: Frame): Float32Array {
  return new Float32Array(frame.data, header + 4 * fixed(frame.hello));
}

export interface Pull {
  point: Triple; // that is held [m]
  force: Triple; // [N]
}

export function shotOf(frame: Frame): Shot & { pull: Pull | null } {
  let at = header;
  const take = (count: number) => {
    const out = new Float32Array(frame.data, at, count);
    at += 4 * count;
    return out;
  };
  const strands = frame.hello.cables.map(({ points, breaks }): Strand => {
    const position = take(3 * points);
    const fields = Object.fromEntries(quantities.map((q) => [q, take(points)])) as Record<Quantity, Float32Array>;
    return { count: points, position, fields, climb: take(points), breaks: breaks ?? [] };
  });
  const poses = take(7 * frame.hello.bodies.length);
  const supports = take(3 * frame.hello.supports.length);
  const point = [...take(3)] as Triple;
  const force = [...take(3)] as Triple;
  return { time: frame.time, strands, poses, supports, pull: frame.flags & pulled ? { point, force } : null };
}

/// Unstretched arc length at a place of a cable: number of a point, with its fraction [m].
export function arcLength(hello: Hello, cable: number, place: number): number {
  const { s } = hello.cables[cable]!;
  const i = Math.min(Math.floor(place), s.length - 1);
  const next = Math.min(i + 1, s.length - 1);
  return (s[i] ?? 0) + (place - i) * ((s[next] ?? 0) - (s[i] ?? 0));
}
