// Bodies as their shapes, and what holds and drives them: supports, joints with their axes, pulleys, winches.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { isSlender, lattice } from './lattice';
import type { BodyInfo, Joint, Place, Pulley, Solid, Support, Triple, Winch, World } from './model';
import { polyhedron } from './polyhedron';

const z = new THREE.Vector3(0, 0, 1);

/// Materials by what they are for; a colour for light, one for dark.
const looks = {
  body: { light: 0xc4ced8, dark: 0x8796a6, roughness: 0.55, metalness: 0.12 },
  support: { light: 0x51626f, dark: 0x7f8d9b, roughness: 0.8, metalness: 0 },
  pulley: { light: 0x7f8f9e, dark: 0x9aabbb, roughness: 0.4, metalness: 0.2 },
  joint: { light: 0xb4651a, dark: 0xf0a95e, roughness: 0.5, metalness: 0.1 },
} as const;
type Look = keyof typeof looks;

export class Machine {
  readonly group = new THREE.Group();
  readonly bodies: THREE.Group[] = [];
  private readonly supports: THREE.Group[] = [];
  private readonly materials = {} as Record<Look, THREE.MeshStandardMaterial>;
  private readonly chosen = new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0.1 });
  private readonly edges = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 });
  private readonly unseen = new THREE.MeshBasicMaterial({ visible: false });
  private readonly mark: number; // [m]
  private selected = '';

  constructor(
    private readonly world: World,
    private readonly size: number,
    up: THREE.Vector3,
  ) {
    this.mark = 0.008 * size;
    for (const name of Object.keys(looks) as Look[]) {
      const { roughness, metalness } = looks[name];
      this.materials[name] = new THREE.MeshStandardMaterial({ roughness, metalness });
    }
    for (const body of world.bodies) this.addBody(body);
    for (const support of world.supports) this.addSupport(support, up);
    world.pulleys.forEach((pulley) => this.addPulley(pulley));
    for (const winch of world.winches) this.addWinch(winch);
    for (const joint of world.joints) this.addJoint(joint);
  }

  private mesh(geometry: THREE.BufferGeometry, look: Look, id: string): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, this.materials[look]);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData = { id, look };
    return mesh;
  }

  /// Not drawn, but hit by the pointer.
  private target(geometry: THREE.BufferGeometry, id: string): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, this.unseen);
    mesh.userData = { id };
    return mesh;
  }

  private outline(geometry: THREE.BufferGeometry): THREE.LineSegments {
    return new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), this.edges);
  }

  /// The shape of a body or a support; a mark where it has none.
  private addSolid(group: THREE.Group, solid: Solid, look: Look, id: string): void {
    const { shape, size } = solid;
    const [x, y, length] = size;
    if (shape === 'box' && isSlender(size)) {
      group.add(this.mesh(lattice(size), look, id), this.target(new THREE.BoxGeometry(x, y, length), id));
    } else if (shape === 'box') {
      const least = Math.min(x, y, length);
      group.add(this.mesh(new RoundedBoxGeometry(x, y, length, 2, Math.min(0.06 * least, 0.004 * this.size)), look, id));
      group.add(this.outline(new THREE.BoxGeometry(x, y, length)));
    } else if (shape === 'sphere') {
      group.add(this.mesh(new THREE.SphereGeometry(x, 40, 24), look, id));
    } else if (shape === 'capsule') {
      group.add(this.mesh(new THREE.CapsuleGeometry(x, y, 16, 48).rotateX(Math.PI / 2), look, id));
    } else if (shape === 'cylinder' || shape === 'plate') {
      const round = shape === 'plate' ? new THREE.BoxGeometry(x, y, 0.002 * this.size) : new THREE.CylinderGeometry(x, x, y, 48).rotateX(Math.PI / 2);
      group.add(this.mesh(round, look, id), this.outline(round));
    } else if (shape === 'mesh') {
      const geometry = polyhedron(solid);
      group.add(this.mesh(geometry, look, id), this.outline(geometry));
    } else {
      group.add(this.mesh(new THREE.OctahedronGeometry(1.3 * this.mark), look, id));
    }
  }

  private addBody(body: BodyInfo): void {
    const group = new THREE.Group();
    this.addSolid(group, body, 'body', `body/${body.name}`);
    this.bodies.push(group);
    this.group.add(group);
  }

  private addSupport(support: Support, up: THREE.Vector3): void {
    const group = new THREE.Group();
    const id = `support/${support.name}`;
    if (support.solid) {
      const [w, a, b, c] = support.solid.orientation;
      this.addSolid(group, support.solid, 'support', id);
      group.quaternion.set(a, b, c, w);
    } else {
      const cone = this.mesh(new THREE.ConeGeometry(this.mark, 1.7 * this.mark, 4).rotateX(Math.PI / 2), 'support', id);
      cone.rotateZ(Math.PI / 4);
      cone.position.z = -0.85 * this.mark;
      const plate = this.mesh(new THREE.BoxGeometry(2.4 * this.mark, 2.4 * this.mark, 0.25 * this.mark), 'support', id);
      plate.position.z = -1.8 * this.mark;
      group.add(cone, plate);
      group.quaternion.setFromUnitVectors(z, up);
    }
    group.position.set(...support.position);
    this.supports.push(group);
    this.group.add(group);
  }

  private onPlace(place: Place, axis: Triple | null, ...parts: THREE.Object3D[]): void {
    const group = new THREE.Group();
    group.add(...parts);
    if (axis && Math.hypot(...axis) > 0) group.quaternion.setFromUnitVectors(z, new THREE.Vector3(...axis).normalize());
    group.position.set(...place.position);
    const body = this.world.bodies.findIndex((b) => b.name === place.body);
    (this.bodies[body] ?? this.group).add(group);
  }

  private addPulley(pulley: Pulley): void {
    const r = pulley.radius;
    const id = `pulley/${pulley.cable}/${pulley.stop ?? 0}`;
    // The profile of a sheave: hub, web, rim with a groove, turned about its axis.
    const profile = [[0.12, 0.16], [0.22, 0.16], [0.24, 0.05], [0.8, 0.05], [0.86, 0.13], [1.1, 0.13], [0.97, 0.0]];
    const points = [...profile, ...profile.slice(0, -1).reverse().map(([a, b]) => [a!, -b!])];
    const wheel = new THREE.LatheGeometry(points.map(([a, b]) => new THREE.Vector2(a! * r, b! * r)), 56).rotateX(Math.PI / 2);
    wheel.computeVertexNormals();
    const sheave = this.mesh(wheel, 'pulley', id);
    this.materials.pulley.side = THREE.DoubleSide;
    this.materials.pulley.flatShading = false;
    const hub = this.mesh(new THREE.CylinderGeometry(0.1 * r, 0.1 * r, 0.46 * r, 20).rotateX(Math.PI / 2), 'support', id);
    this.onPlace(pulley, pulley.axis, sheave, hub);
  }

  private addWinch(winch: Winch): void {
    const id = `winch/${winch.name}`;
    const r = winch.radius || 0.9 * this.mark;
    const width = winch.width || (winch.radius ? 1.6 * r : 2.2 * this.mark);
    const drum = this.mesh(new THREE.CylinderGeometry(r, r, width, 40).rotateX(Math.PI / 2), 'pulley', id);
    const flange = (at: number) => {
      const disc = this.mesh(new THREE.CylinderGeometry(1.45 * r, 1.45 * r, 0.2 * r, 40).rotateX(Math.PI / 2), 'support', id);
      disc.position.z = at;
      return disc;
    };
    this.onPlace(winch, winch.axis, drum, flange(width / 2 + 0.1 * r), flange(-width / 2 - 0.1 * r));
  }

  private addJoint(joint: Joint): void {
    const m = this.mark;
    const id = `joint/${joint.name}`;
    const parts: THREE.Object3D[] = [];
    const rod = (radius: number, length: number) => this.mesh(new THREE.CylinderGeometry(radius, radius, length, 16).rotateX(Math.PI / 2), 'joint', id);
    if (joint.kind === 'hinge' || joint.kind === 'cylinder') parts.push(rod(0.5 * m, 2.2 * m), rod(0.16 * m, 5 * m));
    else if (joint.kind === 'slider') parts.push(rod(0.16 * m, 6 * m), this.tip(id, 3 * m, 1), this.tip(id, -3 * m, -1));
    else if (joint.kind === 'weld') parts.push(this.mesh(new THREE.BoxGeometry(0.8 * m, 0.8 * m, 0.8 * m), 'joint', id));
    else if (joint.kind === 'universal') parts.push(rod(0.35 * m, 2.6 * m), rod(0.35 * m, 2.6 * m).rotateX(Math.PI / 2));
    else parts.push(this.mesh(new THREE.SphereGeometry(0.6 * m, 20, 12), 'joint', id));
    this.onPlace(joint, joint.axis, ...parts);
  }

  private tip(id: string, at: number, sign: number): THREE.Mesh {
    const cone = this.mesh(new THREE.ConeGeometry(0.42 * this.mark, 1.1 * this.mark, 16).rotateX((sign * Math.PI) / 2), 'joint', id);
    cone.position.z = at;
    return cone;
  }

  setTheme(dark: boolean, accent: THREE.ColorRepresentation): void {
    for (const name of Object.keys(looks) as Look[]) this.materials[name].color.set(dark ? looks[name].dark : looks[name].light);
    this.edges.color.set(dark ? 0xdce6ef : 0x3b4c5c);
    this.chosen.color.set(accent);
    this.chosen.emissive.set(accent).multiplyScalar(0.25);
  }

  /// What is selected has the accent's colour.
  select(id: string): void {
    if (id === this.selected) return;
    this.selected = id;
    this.group.traverse((o) => {
      if (!(o instanceof THREE.Mesh) || !o.userData['look']) return;
      o.material = o.userData['id'] === id && id ? this.chosen : this.materials[o.userData['look'] as Look];
    });
  }

  show(poses: Float32Array, supports: Float32Array | null): void {
    this.bodies.forEach((group, i) => {
      const at = 7 * i;
      group.position.fromArray(poses, at);
      group.quaternion.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
    });
    if (supports) this.supports.forEach((group, i) => group.position.fromArray(supports, 3 * i));
  }

  dispose(): void {
    this.group.traverse((o) => (o instanceof THREE.Mesh || o instanceof THREE.LineSegments) && o.geometry.dispose());
    for (const material of [...Object.values(this.materials), this.chosen, this.edges, this.unseen]) material.dispose();
  }
}
