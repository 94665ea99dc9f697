// A cable as a tube whose centre line, colours and number of points change from frame to frame.
import * as THREE from 'three';
import { colour } from './colours';

const sides = 8;

export class Tube {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly position: Float32Array;
  private readonly normal: Float32Array;
  private readonly colours: Float32Array;

  /// `most`: points of the frame that has most.
  constructor(most: number) {
    this.position = new Float32Array(3 * sides * most);
    this.normal = new Float32Array(3 * sides * most);
    this.colours = new Float32Array(3 * sides * most);
    const index: number[] = [];
    for (let i = 0; i + 1 < most; ++i)
      for (let k = 0; k < sides; ++k) {
        const a = sides * i + k;
        const b = sides * i + ((k + 1) % sides);
        index.push(a, b, a + sides, b, b + sides, a + sides);
      }
    this.geometry.setIndex(index);
    const dynamic = (array: Float32Array) => new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute('position', dynamic(this.position));
    this.geometry.setAttribute('normal', dynamic(this.normal));
    this.geometry.setAttribute('color', dynamic(this.colours));
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.55, metalness: 0.05 });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
  }

  /// Points x, y, z one after the other; shares of the colour map point by point.
  update(points: Float32Array, count: number, radius: number, shares: Float32Array): void {
    const tangent = new THREE.Vector3();
    const before = new THREE.Vector3();
    const u = new THREE.Vector3();
    const v = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const at = (i: number, out: THREE.Vector3) => out.fromArray(points, 3 * Math.min(count - 1, Math.max(0, i)));
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    for (let i = 0; i < count; ++i) {
      tangent.copy(at(i + 1, a)).sub(at(i - 1, b));
      if (tangent.lengthSq() === 0) tangent.copy(i > 0 ? before : a.set(0, 0, 1));
      tangent.normalize();
      if (i === 0) {
        a.set(0, 0, 1);
        if (Math.abs(tangent.z) > 0.9) a.set(1, 0, 0);
        u.copy(a);
      } else {
        u.applyQuaternion(turn.setFromUnitVectors(before, tangent)); // as little as possible
      }
      u.addScaledVector(tangent, -u.dot(tangent)).normalize();
      v.crossVectors(tangent, u);
      before.copy(tangent);
      at(i, a);
      for (let k = 0; k < sides; ++k) {
        const angle = (2 * Math.PI * k) / sides;
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        const to = 3 * (sides * i + k);
        for (const [j, axis] of (['x', 'y', 'z'] as const).entries()) {
          const n = c * u[axis] + s * v[axis];
          this.normal[to + j] = n;
          this.position[to + j] = a[axis] + radius * n;
        }
        colour(shares[i] ?? 0, this.colours, to);
      }
    }
    this.geometry.setDrawRange(0, 6 * sides * Math.max(0, count - 1));
    for (const name of ['position', 'normal', 'color']) this.geometry.getAttribute(name).needsUpdate = true;
  }
}
