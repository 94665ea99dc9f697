// What the pages show, whether it is read from a report or comes from a running simulation: a world that stays, and
// shots of it at one time each.

export type Triple = [number, number, number];

export interface Column {
  name: string;
  unit: string;
}

/// Recorded along cables.
export type Quantity = 'tension' | 'strain' | 'curvature' | 'speed';
export const quantities: readonly Quantity[] = ['tension', 'strain', 'curvature', 'speed'];

/// What the colour of a cable can mean.
export type Colouring = Quantity | 'utilisation' | 'stress' | 'vertical velocity';

export interface CableInfo {
  name: string;
  diameter: number; // [m]; 0: unknown
  breaking_load: number; // [N]; 0: unknown
}

/// The shape of a body or a support.
export interface Solid {
  shape: 'none' | 'box' | 'sphere' | 'cylinder' | 'plate' | 'capsule' | 'mesh';
  size: Triple; // [m]
  points?: Triple[]; // corners of a mesh [m]
  faces?: number[][]; // counterclockwise seen from outside
}

export interface BodyInfo extends Solid {
  name: string;
}

/// A point of a body, in its axes, or of the world, if `body` is empty.
export interface Place {
  body: string;
  position: Triple; // [m]
}

export interface Pulley extends Place {
  cable: string;
  stop?: number; // of its route
  axis: Triple;
  radius: number; // [m]
}

export interface Winch extends Place {
  cable: string;
  name: string; // of its drum; without one: of the cable
  axis: Triple;
  radius: number; // of its drum [m]; 0: unknown
  width: number; // [m]; 0: unknown
}

export interface Joint extends Place {
  name: string;
  kind: string; // pin, weld, hinge, slider, cylinder, universal or distance
  axis: Triple;
}

export interface Support {
  name: string;
  position: Triple; // [m]
  solid?: Solid & { orientation: [number, number, number, number] }; // what cables touch, at the start
}

/// What does not change while time runs.
export interface World {
  title: string;
  up: Triple;
  cables: CableInfo[];
  bodies: BodyInfo[];
  supports: Support[];
  pulleys: Pulley[];
  joints: Joint[];
  winches: Winch[];
  ground: { height: number; normal: Triple } | null;
  low: Triple; // of everything [m]
  high: Triple;
}

/// A cable at one time.
export interface Strand {
  count: number;
  position: Float32Array; // x, y, z point by point [m]
  fields: Record<Quantity, Float32Array>;
  climb: Float32Array; // velocity upwards [m/s]
  breaks: readonly number[]; // cut after these points
}

/// The world at one time.
export interface Shot {
  time: number; // [s]
  strands: Strand[]; // by cable
  poses: Float32Array; // by body: position and quaternion w x y z
  supports: Float32Array | null; // their positions, where they move [m]
}

export const units: Record<Colouring, string> = {
  tension: 'N',
  strain: '',
  curvature: '1/m',
  speed: 'm/s',
  utilisation: '%',
  stress: 'Pa',
  'vertical velocity': 'm/s',
};

/// The numbers that colour a cable, and the factor to its unit.
export function coloured(colouring: Colouring, cable: CableInfo, strand: Strand): { values: Float32Array; factor: number } {
  if (colouring === 'utilisation')
    return { values: strand.fields.tension, factor: cable.breaking_load > 0 ? 100 / cable.breaking_load : 0 };
  if (colouring === 'stress') {
    const area = (Math.PI * cable.diameter * cable.diameter) / 4;
    return { values: strand.fields.tension, factor: area > 0 ? 1 / area : 0 };
  }
  if (colouring === 'vertical velocity') return { values: strand.climb, factor: 1 };
  return { values: strand.fields[colouring], factor: 1 };
}

/// Those that the world has numbers for.
export function colourings(world: World): Colouring[] {
  const breaking = world.cables.some((c) => c.breaking_load > 0);
  const thick = world.cables.some((c) => c.diameter > 0);
  return [
    'tension',
    ...(breaking ? (['utilisation'] as const) : []),
    ...(thick ? (['stress'] as const) : []),
    'strain',
    'curvature',
    'speed',
    'vertical velocity',
  ];
}

/// Half of the extent of a shape along the world's axes, turned by a quaternion w x y z.
function reachOf(body: BodyInfo, q: ArrayLike<number>): Triple {
  const [a, b, c] = body.size;
  const box: Triple = [a / 2, b / 2, c / 2];
  const halves: Record<BodyInfo['shape'], Triple> = {
    box,
    mesh: box,
    plate: [a / 2, b / 2, 0],
    sphere: [a, a, a],
    cylinder: [a, a, b / 2],
    capsule: [a, a, b / 2 + a],
    none: [0, 0, 0],
  };
  const half = halves[body.shape];
  if (body.shape === 'sphere') return half;
  const [w, x, y, z] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return rows.map((row) => row.reduce((sum, r, k) => sum + Math.abs(r) * half[k]!, 0)) as Triple;
}

/// The box around cables and the shapes of bodies.
export class Extent {
  low: Triple = [Infinity, Infinity, Infinity];
  high: Triple = [-Infinity, -Infinity, -Infinity];

  get known(): boolean {
    return this.low[0] <= this.high[0];
  }

  private point(k: number, value: number): void {
    if (value < this.low[k]!) this.low[k] = value;
    if (value > this.high[k]!) this.high[k] = value;
  }

  include(shot: Shot, bodies: readonly BodyInfo[]): void {
    for (const { position, count } of shot.strands) for (let i = 0; i < 3 * count; ++i) this.point(i % 3, position[i]!);
    bodies.forEach((body, i) => {
      const pose = shot.poses.subarray(7 * i, 7 * i + 7);
      const reach = reachOf(body, pose.subarray(3));
      for (let k = 0; k < 3; ++k) for (const sign of [-1, 1]) this.point(k, pose[k]! + sign * reach[k]!);
    });
  }
}
