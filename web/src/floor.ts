// What everything stands on or hangs over: a grid with two sizes of cells that fades with distance, and shadows.
import * as THREE from 'three';
import type { World } from './model';

const vertex = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragment = `
uniform float cell; uniform float reach; uniform vec3 ink; uniform vec3 soil; uniform float solid;
varying vec2 place;
float lines(float size, float width) {
  vec2 at = place / size;
  vec2 rate = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / rate;
  vec2 seen = (1.0 - smoothstep(width - 0.5, width + 0.5, near)) * (1.0 - smoothstep(0.25, 0.7, rate));
  return max(seen.x, seen.y);
}
void main() {
  float far = length(place) / reach;
  float fade = 1.0 - smoothstep(0.25, 1.0, far);
  float line = max(0.34 * lines(cell, 0.5), 0.75 * lines(5.0 * cell, 0.6));
  float alpha = fade * mix(solid, 1.0, line);
  gl_FragColor = vec4(mix(soil, ink, line * 0.9), alpha);
  #include <colorspace_fragment>
}`;

export class Floor {
  readonly group = new THREE.Group();
  readonly cell: number; // of the small cells [m]
  private readonly grid: THREE.ShaderMaterial;
  private readonly shade = new THREE.ShadowMaterial({ opacity: 0.2 });

  /// `middle` and `size`: of the scene, in its axes [m].
  constructor(world: World, middle: THREE.Vector3, size: number, up: THREE.Vector3) {
    this.cell = cellOf(size / 14);
    const reach = 2.2 * size;
    this.grid = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        cell: { value: this.cell },
        reach: { value: reach },
        ink: { value: new THREE.Color() },
        soil: { value: new THREE.Color() },
        solid: { value: world.ground ? 0.9 : 0.35 },
      },
    });
    const plane = new THREE.PlaneGeometry(2 * reach, 2 * reach);
    const grid = new THREE.Mesh(plane, this.grid);
    grid.renderOrder = -2;
    const shade = new THREE.Mesh(plane, this.shade);
    shade.receiveShadow = true;
    shade.renderOrder = -1;
    shade.position.z = 1e-4 * size;
    this.group.add(grid, shade);
    const normal = world.ground ? new THREE.Vector3(...world.ground.normal).normalize() : up;
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    const height = world.ground ? world.ground.height : lowest(world, up, size);
    // The lines are at whole multiples of the cell from the origin.
    const local = middle.clone().applyQuaternion(this.group.quaternion.clone().invert());
    const big = 5 * this.cell;
    local.set(Math.round(local.x / big) * big, Math.round(local.y / big) * big, height);
    this.group.position.copy(local.applyQuaternion(this.group.quaternion));
  }

  setTheme(dark: boolean): void {
    this.grid.uniforms['ink']!.value.set(dark ? 0x5f7489 : 0x5f7488);
    this.grid.uniforms['soil']!.value.set(dark ? 0x1b242d : 0xdde4ea);
    this.shade.opacity = dark ? 0.42 : 0.2;
  }

  dispose(): void {
    for (const material of [this.grid, this.shade]) material.dispose();
    this.group.traverse((o) => o instanceof THREE.Mesh && o.geometry.dispose());
  }
}

/// 1, 2 or 5 times a power of ten, near a size.
function cellOf(size: number): number {
  const ten = Math.pow(10, Math.floor(Math.log10(size)));
  const share = size / ten;
  return (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * ten;
}

/// A height below everything that moves. Zero, if all is above it and near it.
function lowest(world: World, up: THREE.Vector3, size: number): number {
  const low = new THREE.Vector3(...world.low).dot(up);
  const high = new THREE.Vector3(...world.high).dot(up);
  const least = Math.min(low, high);
  return least >= -1e-9 && least < 0.25 * size ? 0 : least - 0.02 * size;
}
