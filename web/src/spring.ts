// The spring by which a hand pulls: from the point that is held to where the pointer is.
import * as THREE from 'three';

const turns = 7;
const steps = 120;

export class Spring {
  readonly group = new THREE.Group();
  private readonly material = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly solid = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly positions = new Float32Array(3 * (steps + 1));
  private readonly line: THREE.Line;
  private readonly knob = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 12), this.solid);
  private readonly held = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 12), this.solid);
  private size = 0.1;
  readonly from = new THREE.Vector3();
  readonly to = new THREE.Vector3();

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3));
    this.line = new THREE.Line(geometry, this.material);
    this.line.frustumCulled = false;
    for (const part of [this.line, this.knob, this.held]) part.renderOrder = 10;
    this.group.add(this.line, this.knob, this.held);
    this.group.visible = false;
  }

  setSize(size: number): void {
    this.size = size;
    this.knob.scale.setScalar(0.9 * size);
    this.held.scale.setScalar(0.6 * size);
  }

  setTheme(dark: boolean): void {
    this.material.color.set(dark ? 0xffa23a : 0xd45a00);
    this.solid.color.copy(this.material.color);
  }

  hide(): void {
    this.group.visible = false;
  }

  show(from: THREE.Vector3, to: THREE.Vector3): void {
    this.from.copy(from);
    this.to.copy(to);
    const along = to.clone().sub(from);
    const u = new THREE.Vector3(0, 0, 1).cross(along);
    if (u.lengthSq() < 1e-12) u.set(1, 0, 0);
    u.normalize();
    const v = along.clone().normalize().cross(u);
    const p = new THREE.Vector3();
    for (let i = 0; i <= steps; ++i) {
      const share = i / steps;
      const wide = this.size * Math.min(1, Math.max(0, 8 * Math.min(share - 0.12, 0.88 - share)));
      const angle = 2 * Math.PI * turns * share;
      p.copy(from).addScaledVector(along, share).addScaledVector(u, wide * Math.cos(angle)).addScaledVector(v, wide * Math.sin(angle));
      p.toArray(this.positions, 3 * i);
    }
    this.line.geometry.getAttribute('position').needsUpdate = true;
    this.knob.position.copy(to);
    this.held.position.copy(from);
    this.group.visible = true;
  }
}
