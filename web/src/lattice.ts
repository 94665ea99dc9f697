// Slender boxes are drawn as lattices, as masts and jibs are built: chords along the long edges, braces on the four long
// sides. The outline is that of the box.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

const slender = 10; // length over the longer side

export function isSlender(sizes: readonly number[]): boolean {
  const [length, side] = [...sizes].sort((a, b) => b - a) as [number, number];
  return length > slender * side;
}

/// A bar between two points, square, of a width.
function bar(from: THREE.Vector3, to: THREE.Vector3, width: number): THREE.BufferGeometry {
  const way = to.clone().sub(from);
  const geometry = new THREE.BoxGeometry(width, width, way.length());
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), way.clone().normalize()));
  return geometry.translate(...from.clone().addScaledVector(way, 0.5).toArray());
}

/// In the axes of the box.
export function lattice(sizes: readonly [number, number, number]): THREE.BufferGeometry {
  const long = sizes.indexOf(Math.max(...sizes));
  const [first, second] = [0, 1, 2].filter((k) => k !== long) as [number, number];
  const [length, a, b] = [sizes[long]!, sizes[first]!, sizes[second]!];
  const chord = 0.1 * Math.min(a, b);
  const brace = 0.45 * chord;
  const point = (along: number, i: number, j: number) => {
    const p = [0, 0, 0];
    p[long] = along;
    p[first] = (i * (a - chord)) / 2;
    p[second] = (j * (b - chord)) / 2;
    return new THREE.Vector3(...p);
  };
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const;
  const bays = Math.max(2, Math.round(length / (1.25 * Math.max(a, b))));
  const parts = corners.map(([i, j]) => bar(point(-length / 2, i, j), point(length / 2, i, j), chord));
  for (let k = 0; k <= bays; ++k) {
    const at = -length / 2 + (length * k) / bays;
    const next = at + length / bays;
    corners.forEach(([i, j], side) => {
      const [m, n] = corners[(side + 1) % 4]!;
      parts.push(bar(point(at, i, j), point(at, m, n), brace));
      if (k < bays) parts.push((k + side) % 2 ? bar(point(at, i, j), point(next, m, n), brace) : bar(point(next, i, j), point(at, m, n), brace));
    });
  }
  const whole = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return whole;
}
