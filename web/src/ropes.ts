// All cables of the world in one mesh: tubes whose centre lines, colours and numbers of points change from shot to shot.
// The card gives them their radius, so that a wire is never thinner than a line.
import * as THREE from 'three';
import { coloured, type CableInfo, type Colouring, type Strand } from './model';

const sides = 10;
const ring = sides + 1; // the first vertex again, where the pattern of strands closes
const circle = Float64Array.from({ length: 2 * ring }, (_, i) => (i % 2 ? Math.sin : Math.cos)((Math.PI * (i >> 1) * 2) / sides));

const declare = `
attribute vec4 data; // value, radius (negative: the tip of an end), arc length, angle
attribute float mark;
uniform float thickness;
uniform float least;
varying vec4 vRope;
`;
const offset = (leastRadius: string) => `
float ropeRadius = max(data.y * thickness, ${leastRadius});
vec3 transformed = position + (data.y < 0.0 ? 0.0 : ropeRadius) * normal;
`;

export class Ropes {
  readonly mesh = new THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>();
  private readonly shared = {
    thickness: { value: 1 },
    least: { value: 0 }, // radius per distance from the eye
    leastShadow: { value: 0 }, // [m]
    low: { value: 0 },
    high: { value: 1 },
    colours: { value: null as THREE.Texture | null },
    accent: { value: new THREE.Color() },
  };
  private room = 0; // points
  private position = new Float32Array(0);
  private normal = new Float32Array(0);
  private data = new Float32Array(0);
  private mark = new Float32Array(0);
  selected = -1;

  constructor(private readonly cables: CableInfo[]) {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.08 });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.shared);
      shader.vertexShader = (declare + 'varying float vMark;\n' + shader.vertexShader).replace(
        '#include <begin_vertex>',
        offset('least * -(modelViewMatrix * vec4(position, 1.0)).z') + 'vRope = vec4(data.x, data.z, data.w, 2.0 * ropeRadius); vMark = mark;',
      );
      shader.fragmentShader = (
        'uniform sampler2D colours; uniform float low; uniform float high; uniform vec3 accent; varying vec4 vRope; varying float vMark;\n' +
        shader.fragmentShader
      )
        .replace(
          '#include <color_fragment>',
          `diffuseColor.rgb = texture2D(colours, vec2((vRope.x - low) / (high - low), 0.5)).rgb;
          float phase = 6.0 * vRope.z + vRope.y / (1.3 * vRope.w);
          float groove = pow(0.5 + 0.5 * cos(6.2831853 * phase), 3.0);
          diffuseColor.rgb *= 1.0 - 0.45 * groove * (1.0 - smoothstep(0.12, 0.45, fwidth(phase)));`,
        )
        .replace('#include <emissivemap_fragment>', 'diffuseColor.rgb = mix(diffuseColor.rgb, accent, 0.8 * vMark); totalEmissiveRadiance += 0.34 * diffuseColor.rgb; diffuseColor.rgb *= 0.8;');
    };
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
    depth.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.shared);
      shader.vertexShader = (declare + 'uniform float leastShadow;\n' + shader.vertexShader).replace('#include <begin_vertex>', offset('leastShadow'));
    };
    // The depth material does not pass the normal by itself.
    this.mesh.material = material;
    this.mesh.customDepthMaterial = depth;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.reserve(256);
  }

  private reserve(points: number): void {
    this.room = points;
    this.position = new Float32Array(3 * ring * points);
    this.normal = new Float32Array(3 * ring * points);
    this.data = new Float32Array(4 * ring * points);
    this.mark = new Float32Array(ring * points);
    const index = new Uint32Array(6 * sides * (points - 1));
    for (let i = 0, to = 0; i + 1 < points; ++i)
      for (let k = 0; k < sides; ++k) {
        const a = ring * i + k;
        index.set([a, a + 1, a + ring, a + 1, a + 1 + ring, a + ring], to);
        to += 6;
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const add = (name: string, array: Float32Array, width: number) =>
      geometry.setAttribute(name, new THREE.BufferAttribute(array, width).setUsage(THREE.DynamicDrawUsage));
    add('position', this.position, 3);
    add('normal', this.normal, 3);
    add('data', this.data, 4);
    add('mark', this.mark, 1);
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }

  setColours(colours: THREE.Texture, accent: THREE.ColorRepresentation): void {
    this.shared.colours.value?.dispose();
    this.shared.colours.value = colours;
    this.shared.accent.value.set(accent);
  }

  setRange(low: number, high: number): void {
    this.shared.low.value = low;
    this.shared.high.value = high;
  }

  /// `least`: radius of the thinnest rope, over its distance from the eye; in shadows [m].
  setThickness(factor: number, least: number, leastShadow: number): void {
    this.shared.thickness.value = factor;
    this.shared.least.value = least;
    this.shared.leastShadow.value = leastShadow;
  }

  show(strands: Strand[], colouring: Colouring): void {
    let points = 0;
    for (const strand of strands) points += strand.count + 2 * (strand.breaks.length + 1);
    if (points > this.room) this.reserve(Math.ceil(1.3 * points));
    let at = 0;
    strands.forEach((strand, i) => {
      let from = 0;
      for (const last of [...strand.breaks, strand.count - 1]) {
        if (last > from) at = this.add(strand, i, colouring, from, last, at);
        from = last + 1;
      }
    });
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, 6 * sides * Math.max(0, at - 1));
    for (const name of ['position', 'normal', 'data', 'mark']) {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, ring * at * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  /// Rings of a piece of a cable, with a closed end before and after; the frame turns as little as possible along it.
  private add(strand: Strand, cable: number, colouring: Colouring, from: number, last: number, start: number): number {
    const { position: p } = strand;
    const info = this.cables[cable]!;
    const { values, factor } = coloured(colouring, info, strand);
    const radius = info.diameter / 2;
    const marked = cable === this.selected ? 1 : 0;
    let [tx, ty, tz] = [0, 0, 1];
    let [ux, uy, uz] = [1, 0, 0];
    let along = 0;
    let to = start + 1;
    for (let i = from; i <= last; ++i, ++to) {
      const a = 3 * Math.max(from, i - 1);
      const b = 3 * Math.min(last, i + 1);
      const dx = p[b]! - p[a]!;
      const dy = p[b + 1]! - p[a + 1]!;
      const dz = p[b + 2]! - p[a + 2]!;
      const length = Math.hypot(dx, dy, dz);
      if (length > 0) [tx, ty, tz] = [dx / length, dy / length, dz / length];
      if (i === from) [ux, uy, uz] = Math.abs(tz) > 0.9 ? [1, 0, 0] : [0, 0, 1];
      const dot = ux * tx + uy * ty + uz * tz;
      ux -= dot * tx;
      uy -= dot * ty;
      uz -= dot * tz;
      let size = Math.hypot(ux, uy, uz);
      if (size < 1e-6) {
        [ux, uy, uz] = Math.abs(tx) < 0.9 ? [0, tz, -ty] : [-tz, 0, tx];
        size = Math.hypot(ux, uy, uz);
      }
      ux /= size;
      uy /= size;
      uz /= size;
      const vx = ty * uz - tz * uy;
      const vy = tz * ux - tx * uz;
      const vz = tx * uy - ty * ux;
      const at = 3 * i;
      if (i > from) along += Math.hypot(p[at]! - p[at - 3]!, p[at + 1]! - p[at - 2]!, p[at + 2]! - p[at - 1]!);
      const value = factor * values[i]!;
      for (let k = 0; k < ring; ++k) {
        const c = circle[2 * k]!;
        const s = circle[2 * k + 1]!;
        const v = ring * to + k;
        this.position[3 * v] = p[at]!;
        this.position[3 * v + 1] = p[at + 1]!;
        this.position[3 * v + 2] = p[at + 2]!;
        this.normal[3 * v] = c * ux + s * vx;
        this.normal[3 * v + 1] = c * uy + s * vy;
        this.normal[3 * v + 2] = c * uz + s * vz;
        this.data[4 * v] = value;
        this.data[4 * v + 1] = radius;
        this.data[4 * v + 2] = along;
        this.data[4 * v + 3] = k / sides;
        this.mark[v] = marked;
      }
      if (i === from) this.close(start, to, -tx, -ty, -tz);
    }
    this.close(to, to - 1, tx, ty, tz);
    return to + 1;
  }

  /// A ring without radius at the place of another, facing out. What joins it with the next cable has no area.
  private close(tip: number, at: number, x: number, y: number, z: number): void {
    for (let k = 0; k < ring; ++k) {
      const from = ring * at + k;
      const v = ring * tip + k;
      this.position.copyWithin(3 * v, 3 * from, 3 * from + 3);
      this.data.copyWithin(4 * v, 4 * from, 4 * from + 4);
      this.data[4 * v + 1] = -1;
      this.normal[3 * v] = x;
      this.normal[3 * v + 1] = y;
      this.normal[3 * v + 2] = z;
      this.mark[v] = this.mark[from]!;
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.shared.colours.value?.dispose();
  }
}
