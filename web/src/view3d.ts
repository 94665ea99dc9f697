// The run in space: cables, bodies, supports, pulleys and the ground, at any time.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { h } from './format';
import { frameAt, type Body, type Cable, type Quantity, type Run } from './run';
import { Tube } from './tube';

export type Colouring = Quantity | 'utilisation';

interface Label {
  element: HTMLElement;
  at: () => THREE.Vector3;
}

const themes = {
  light: { background: 0xf4f6f8, grid: 0xc3ccd5, axis: 0x9aa7b4, body: 0x8fa3b8, edge: 0x42566b, support: 0x5b6b7c },
  dark: { background: 0x12171d, grid: 0x2c3744, axis: 0x445263, body: 0x6d8298, edge: 0xc5d3e0, support: 0x9fb0c1 },
};

export class View3d {
  readonly element: HTMLElement;
  exaggeration = 1;
  colouring: Colouring = 'tension';
  follow = '';
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly tubes: Tube[] = [];
  private readonly bodies = new Map<string, THREE.Group>();
  private readonly labels: Label[] = [];
  private readonly bodyMaterial = new THREE.MeshStandardMaterial({ roughness: 0.7, metalness: 0.05 });
  private readonly edgeMaterial = new THREE.LineBasicMaterial();
  private readonly supportMaterial = new THREE.MeshStandardMaterial({ roughness: 0.8 });
  private readonly pulleyMaterial = new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0.4 });
  private grid: THREE.Object3D | null = null;
  private readonly box: THREE.Box3; // around the scene [m]
  private readonly size: number; // its diagonal [m]
  private readonly middle: THREE.Vector3;
  private readonly points: Float32Array;
  private readonly shares: Float32Array;
  private time = 0;
  private dirty = true;

  constructor(private readonly run: Run) {
    const { low, high } = run.header;
    this.box = new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high));
    for (const s of run.header.supports) this.box.expandByPoint(new THREE.Vector3(...s.position));
    this.middle = this.box.getCenter(new THREE.Vector3());
    this.size = Math.max(this.box.getSize(new THREE.Vector3()).length(), 1e-6);
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    const canvas = this.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `3D view of the run: ${run.header.title}`);
    canvas.tabIndex = 0;
    this.element = h('div', { class: 'view' }, canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.listenToKeyEvents(canvas);
    this.controls.addEventListener('change', () => (this.dirty = true));
    const most = Math.max(2, ...run.cables.map((c) => Math.max(...c.header.points)));
    this.points = new Float32Array(3 * most);
    this.shares = new Float32Array(most);
    this.addLights();
    run.cables.forEach((cable) => this.addCable(cable));
    run.bodies.forEach((body) => this.addBody(body));
    this.addSupports();
    this.addPulleys();
    new ResizeObserver(() => this.resize()).observe(this.element);
    const draw = () => {
      if (this.dirty) this.draw();
      requestAnimationFrame(draw);
    };
    this.look('iso');
    requestAnimationFrame(draw);
  }

  private addLights(): void {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.6));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(0.5, -1, 1.5);
    this.scene.add(sun);
  }

  private addCable(cable: Cable): void {
    const tube = new Tube(Math.max(2, ...cable.header.points));
    this.tubes.push(tube);
    this.scene.add(tube.mesh);
    const i = this.run.cables.indexOf(cable);
    if (this.run.cables.length <= 12) this.addLabel(cable.header.name, () => this.cableMiddle(i), 'cable');
  }

  private cableMiddle(i: number): THREE.Vector3 {
    const cable = this.run.cables[i]!;
    const { frame } = frameAt(this.run, this.time);
    const at = cable.start[frame]! + Math.floor(cable.header.points[frame]! / 2);
    return new THREE.Vector3().fromArray(cable.position, 3 * at);
  }

  private addBody(body: Body): void {
    const [x, y, z] = body.header.size;
    const mark = 0.012 * this.size;
    const group = new THREE.Group();
    const geometry =
      body.header.shape === 'box'
        ? new THREE.BoxGeometry(x, y, z)
        : body.header.shape === 'sphere'
          ? new THREE.SphereGeometry(x, 32, 16)
          : body.header.shape === 'cylinder'
            ? new THREE.CylinderGeometry(x, x, y, 40).rotateX(Math.PI / 2)
            : body.header.shape === 'plate'
              ? new THREE.BoxGeometry(x, y, 0.002 * this.size)
              : new THREE.OctahedronGeometry(mark);
    group.add(new THREE.Mesh(geometry, this.bodyMaterial));
    group.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), this.edgeMaterial));
    this.scene.add(group);
    this.bodies.set(body.header.name, group);
    this.addLabel(body.header.name, () => group.position, 'body');
  }

  private addSupports(): void {
    const mark = 0.011 * this.size;
    for (const support of this.run.header.supports) {
      const cone = new THREE.Mesh(new THREE.ConeGeometry(mark, 2 * mark, 4), this.supportMaterial);
      cone.rotateX(Math.PI / 2);
      const at = new THREE.Vector3(...support.position);
      cone.position.copy(at).add(new THREE.Vector3(0, 0, -mark));
      this.scene.add(cone);
      this.addLabel(support.name, () => at, 'support');
    }
  }

  private addPulleys(): void {
    for (const pulley of this.run.header.pulleys) {
      const rim = new THREE.TorusGeometry(pulley.radius, 0.09 * pulley.radius, 10, 48);
      const disc = new THREE.CylinderGeometry(0.94 * pulley.radius, 0.94 * pulley.radius, 0.1 * pulley.radius, 48);
      disc.rotateX(Math.PI / 2);
      const group = new THREE.Group();
      group.add(new THREE.Mesh(rim, this.pulleyMaterial), new THREE.Mesh(disc, this.bodyMaterial));
      group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...pulley.axis).normalize());
      group.position.set(...pulley.position);
      (this.bodies.get(pulley.body) ?? this.scene).add(group);
    }
  }

  private addLabel(text: string, at: () => THREE.Vector3, kind: string): void {
    const element = h('span', { class: `label ${kind}`, 'aria-hidden': 'true' }, text);
    this.element.append(element);
    this.labels.push({ element, at });
  }

  setTheme(theme: 'light' | 'dark'): void {
    const c = themes[theme];
    this.scene.background = new THREE.Color(c.background);
    this.bodyMaterial.color.set(c.body);
    this.edgeMaterial.color.set(c.edge);
    this.supportMaterial.color.set(c.support);
    this.pulleyMaterial.color.set(c.support);
    if (this.grid) this.scene.remove(this.grid);
    const cell = Math.pow(10, Math.floor(Math.log10(this.size / 4)));
    const cells = Math.ceil((1.15 * this.size) / cell / 2) * 2;
    const grid = new THREE.GridHelper(cells * cell, cells, c.axis, c.grid);
    const ground = this.run.header.ground;
    if (ground) {
      const normal = new THREE.Vector3(...ground.normal).normalize();
      grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
      grid.position.copy(this.middle).addScaledVector(normal, ground.height - this.middle.dot(normal));
    } else {
      grid.rotateX(Math.PI / 2);
      grid.position.set(Math.round(this.middle.x / cell) * cell, Math.round(this.middle.y / cell) * cell, this.floor());
    }
    this.grid = grid;
    this.scene.add(grid);
    this.dirty = true;
  }

  /// Below everything that moves.
  private floor(): number {
    return this.run.header.low[2] - 0.02 * this.size;
  }

  /// Of the whole run, for the legend.
  range(): { low: number; high: number; unit: string } {
    const quantity: Quantity = this.colouring === 'utilisation' ? 'tension' : this.colouring;
    let low = Infinity;
    let high = -Infinity;
    for (const cable of this.run.cables) {
      const scale = this.scaleOf(cable);
      const [a, b] = cable.range[quantity];
      low = Math.min(low, scale * a);
      high = Math.max(high, scale * b);
    }
    if (!(high > low)) high = low + Math.max(1e-9, Math.abs(low) * 1e-6);
    const units: Record<Colouring, string> = { tension: 'N', strain: '', curvature: '1/m', speed: 'm/s', utilisation: '' };
    return { low, high, unit: units[this.colouring] };
  }

  private scaleOf(cable: Cable): number {
    if (this.colouring !== 'utilisation') return 1;
    return cable.header.breaking_load > 0 ? 1 / cable.header.breaking_load : 0;
  }

  private radius(cable: Cable): number {
    const least = 0.0022 * this.size; // so that a wire can be seen at all
    return Math.max(least, cable.header.diameter / 2) * this.exaggeration;
  }

  show(t: number): void {
    this.time = t;
    const { frame, share } = frameAt(this.run, t);
    const range = this.range();
    this.run.cables.forEach((cable, i) => this.showCable(cable, this.tubes[i]!, frame, share, range));
    const q = new THREE.Quaternion();
    for (const body of this.run.bodies) {
      const group = this.bodies.get(body.header.name)!;
      const at = 7 * frame;
      const next = 7 * Math.min(frame + 1, this.run.frameTime.length - 1);
      const p = body.pose;
      const before = group.position.clone();
      for (const [k, axis] of (['x', 'y', 'z'] as const).entries())
        group.position[axis] = p[at + k]! + share * (p[next + k]! - p[at + k]!);
      group.quaternion.set(p[at + 4]!, p[at + 5]!, p[at + 6]!, p[at + 3]!);
      q.set(p[next + 4]!, p[next + 5]!, p[next + 6]!, p[next + 3]!);
      group.quaternion.slerp(q, share);
      if (this.follow === body.header.name) this.moveView(group.position.clone().sub(before));
    }
    this.dirty = true;
  }

  private showCable(cable: Cable, tube: Tube, frame: number, share: number, range: { low: number; high: number }): void {
    const count = cable.header.points[frame]!;
    const next = Math.min(frame + 1, this.run.frameTime.length - 1);
    const between = cable.header.points[next] === count ? share : 0; // a cable that was remeshed jumps
    const from = cable.start[frame]!;
    const to = cable.start[next]!;
    const quantity: Quantity = this.colouring === 'utilisation' ? 'tension' : this.colouring;
    const values = cable.fields[quantity];
    const scale = this.scaleOf(cable) / (range.high - range.low);
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < 3; ++k) {
        const a = cable.position[3 * (from + i) + k]!;
        this.points[3 * i + k] = a + between * (cable.position[3 * (to + i) + k]! - a);
      }
      const a = values[from + i]!;
      this.shares[i] = scale * (a + between * (values[to + i]! - a)) - range.low / (range.high - range.low);
    }
    tube.update(this.points, count, this.radius(cable), this.shares);
  }

  private moveView(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  /// A named view of the whole.
  look(from: 'iso' | 'front' | 'side' | 'top'): void {
    const directions = { iso: [0.75, -1.6, 0.65], front: [0, -1, 0.0001], side: [1, 0, 0.0001], top: [0, -0.0001, 1] } as const;
    const direction = new THREE.Vector3(...directions[from]).normalize();
    const distance = this.distance(direction);
    this.camera.near = distance / 500;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(this.middle);
    this.camera.position.copy(this.middle).addScaledVector(direction, distance);
    this.controls.update();
    this.dirty = true;
  }

  /// From which the whole scene is seen from a direction.
  private distance(direction: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    let distance = 0;
    const corner = new THREE.Vector3();
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? this.box.min.x : this.box.max.x, i & 2 ? this.box.min.y : this.box.max.y, i & 4 ? this.box.min.z : this.box.max.z);
      corner.sub(this.middle);
      const nearer = corner.dot(direction);
      distance = Math.max(distance, nearer + Math.abs(corner.dot(right)) / wide, nearer + Math.abs(corner.dot(up)) / tall);
    }
    return 1.12 * Math.max(distance, 0.2 * this.size);
  }

  setLabels(shown: boolean): void {
    this.element.classList.toggle('named', shown);
    this.dirty = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const first = this.renderer.domElement.style.width === '';
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (first) this.look('iso');
    this.dirty = true;
  }

  private draw(): void {
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    if (!this.element.classList.contains('named')) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    for (const { element, at } of this.labels) {
      const p = at().clone().project(this.camera);
      const visible = p.z < 1 && Math.abs(p.x) < 1.05 && Math.abs(p.y) < 1.05;
      element.style.display = visible ? '' : 'none';
      element.style.transform = `translate(${((p.x + 1) / 2) * width + 8}px, ${((1 - p.y) / 2) * height - 8}px)`;
    }
  }

  picture(): string {
    this.draw();
    return this.renderer.domElement.toDataURL('image/png');
  }
}
