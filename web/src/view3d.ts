// The world in space. Draws only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { backdrop } from './backdrop';
import { colourTexture } from './colours';
import { Floor } from './floor';
import { h } from './format';
import { Labels } from './labels';
import { Machine } from './machine';
import type { Colouring, Shot, World } from './model';
import { pick, type Picked } from './pick';
import { Ropes } from './ropes';
import { Spring } from './spring';

export type Look = 'iso' | 'front' | 'side' | 'top';
export const lookNames: readonly Look[] = ['iso', 'front', 'side', 'top'];
const directions: Record<Look, [number, number, number]> = {
  iso: [0.62, -1.6, 0.5],
  front: [0, -1, 0.0001],
  side: [1, 0, 0.0001],
  top: [0, -0.0001, 1],
};
const thinnest = 1.25; // radius of a rope on the screen [pixels]

export class View3d {
  readonly element: HTMLElement;
  readonly labels = new Labels();
  readonly root = new THREE.Group(); // turned so that up is z
  readonly camera = new THREE.PerspectiveCamera(36, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly spring = new Spring();
  private exaggeration = 1;
  private colouring: Colouring = 'tension';
  private follow = '';
  private selected = '';
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8b96a3, 1.5);
  private readonly fill = new THREE.DirectionalLight(0xdfe9ff, 0.7); // so that shaded sides differ
  private ropes!: Ropes;
  private machine!: Machine;
  private floor!: Floor;
  private box = new THREE.Box3(); // around the scene, up is z [m]
  private size = 1; // its diagonal [m]
  private range = { low: 0, high: 1 };
  private shot: Shot | null = null;
  private dark = false;
  private dirty = true;
  private looked: Look | null = 'iso'; // null: by hand
  onDraw: () => void = () => {};

  constructor(private world: World) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    const canvas = this.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.tabIndex = 0;
    this.element = h('div', { class: 'view' }, canvas, this.labels.element);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.listenToKeyEvents(canvas);
    this.controls.keyPanSpeed = 24;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.controls.addEventListener('start', () => (this.looked = null));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.fill.position.set(1.2, -0.4, 0.5);
    this.scene.add(this.sky, this.fill, this.sun, this.sun.target, this.root);
    this.setWorld(world);
    new ResizeObserver(() => this.resize()).observe(this.element);
    const draw = () => {
      if (this.dirty) this.draw();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /// Size of the scene [m].
  get extent(): number {
    return this.size;
  }

  get cell(): number {
    return this.floor.cell;
  }

  /// Another world. The camera stays, unless `look` is given.
  setWorld(world: World, look?: Look): void {
    this.world = world;
    for (const part of [this.ropes, this.machine, this.floor]) part?.dispose();
    this.root.clear();
    this.shot = null;
    const up = new THREE.Vector3(...world.up).normalize();
    this.root.quaternion.setFromUnitVectors(up, new THREE.Vector3(0, 0, 1));
    this.root.updateMatrixWorld(true);
    const own = new THREE.Box3(new THREE.Vector3(...world.low), new THREE.Vector3(...world.high));
    for (const support of world.supports) own.expandByPoint(new THREE.Vector3(...support.position));
    this.size = Math.max(own.getSize(new THREE.Vector3()).length(), 1e-3);
    this.ropes = new Ropes(world.cables);
    this.machine = new Machine(world, this.size, up);
    this.floor = new Floor(world, own.getCenter(new THREE.Vector3()), this.size, up);
    this.root.add(this.ropes.mesh, this.machine.group, this.floor.group, this.spring.group);
    this.spring.setSize(0.006 * this.size);
    this.box = own.applyMatrix4(this.root.matrixWorld);
    this.placeSun();
    this.canvas.setAttribute('aria-label', `3D view: ${world.title}`);
    this.addLabels();
    this.applyTheme();
    this.select(this.selected);
    if (look) this.look(look);
  }

  private placeSun(): void {
    const middle = this.box.getCenter(new THREE.Vector3());
    const reach = 0.75 * this.size;
    this.sun.position.copy(middle).add(new THREE.Vector3(-0.45, -0.62, 1.15).multiplyScalar(1.5 * this.size));
    this.sun.target.position.copy(middle);
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.3 * this.size, far: 4.5 * this.size });
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.0025 * this.size;
    this.sun.shadow.bias = -0.0004;
  }

  private addLabels(): void {
    this.labels.clear();
    const { world } = this;
    world.bodies.forEach((body, i) => this.labels.add(body.name, 'body', (p) => p.copy(this.machine.bodies[i]!.position)));
    world.supports.forEach((support, i) =>
      this.labels.add(support.name, 'support', (p) => {
        if (this.shot?.supports) p.fromArray(this.shot.supports, 3 * i);
        else p.set(...support.position);
      }),
    );
    if (world.cables.length > 24) return; // a net
    world.cables.forEach((cable, i) =>
      this.labels.add(cable.name, 'cable', (p) => {
        const strand = this.shot?.strands[i];
        if (strand && strand.count > 1) p.fromArray(strand.position, 3 * (strand.count >> 1));
      }),
    );
  }

  setTheme(theme: 'light' | 'dark'): void {
    this.dark = theme === 'dark';
    this.applyTheme();
  }

  private applyTheme(): void {
    const accent = this.dark ? 0xffa23a : 0xe06c00;
    this.scene.background = backdrop(this.dark);
    this.machine.setTheme(this.dark, accent);
    this.floor.setTheme(this.dark);
    this.spring.setTheme(this.dark);
    this.ropes.setColours(colourTexture(this.colouring, this.dark), accent);
    this.sky.groundColor.set(this.dark ? 0x2b3540 : 0x9aa5b0);
    this.dirty = true;
  }

  setColouring(colouring: Colouring, range: { low: number; high: number }): void {
    if (colouring !== this.colouring) {
      this.colouring = colouring;
      this.applyTheme();
    }
    this.range = range;
    if (this.shot) this.show(this.shot);
  }

  setExaggeration(factor: number): void {
    this.exaggeration = factor;
    this.dirty = true;
  }

  setFollow(body: string): void {
    this.follow = body;
  }

  setLabels(shown: boolean): void {
    this.labels.shown = shown;
    this.dirty = true;
  }

  select(id: string): void {
    this.selected = id;
    this.machine.select(id);
    this.ropes.selected = this.world.cables.findIndex((c) => `cable/${c.name}` === id);
    if (this.shot) this.show(this.shot);
    this.dirty = true;
  }

  show(shot: Shot): void {
    const followed = this.world.bodies.findIndex((b) => b.name === this.follow);
    const before = this.machine.bodies[followed]?.position.clone();
    this.shot = shot;
    this.machine.show(shot.poses, shot.supports);
    this.ropes.setRange(this.range.low, this.range.high);
    this.ropes.show(shot.strands, this.colouring);
    const after = this.machine.bodies[followed]?.position;
    if (before && after) this.moveView(after.clone().sub(before).applyQuaternion(this.root.quaternion));
    this.dirty = true;
  }

  private moveView(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  /// A named view of the whole.
  look(from: Look): void {
    const direction = new THREE.Vector3(...directions[from]).normalize();
    const distance = this.distance(direction);
    const middle = this.box.getCenter(new THREE.Vector3());
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this.controls.update();
    this.looked = from;
    this.dirty = true;
  }

  /// Turns the camera about the middle, by an angle [rad].
  turn(angle: number): void {
    const z = new THREE.Vector3(0, 0, 1);
    this.camera.position.sub(this.controls.target).applyAxisAngle(z, angle).add(this.controls.target);
    this.controls.update();
    this.looked = null;
    this.dirty = true;
  }

  /// From which the whole scene is seen from a direction.
  private distance(direction: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    const middle = this.box.getCenter(new THREE.Vector3());
    let distance = 0;
    const corner = new THREE.Vector3();
    for (let i = 0; i < 8; ++i) {
      const { min, max } = this.box;
      corner.set(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z).sub(middle);
      const nearer = corner.dot(direction);
      distance = Math.max(distance, nearer + Math.abs(corner.dot(right)) / wide, nearer + Math.abs(corner.dot(up)) / tall);
    }
    return 1.14 * Math.max(distance, 0.2 * this.size);
  }

  /// What is at a place of the window.
  pick(clientX: number, clientY: number, reach: number): Picked | null {
    if (!this.shot) return null;
    const rect = this.canvas.getBoundingClientRect();
    const at = { x: clientX - rect.left, y: clientY - rect.top, width: rect.width, height: rect.height };
    return pick(at, reach, this.camera, this.root, this.machine, this.world, this.shot);
  }

  /// The point under a place of the window, in the plane through another that faces the eye; in the scene's axes.
  under(clientX: number, clientY: number, through: THREE.Vector3): THREE.Vector3 {
    const rect = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    const x = (2 * (clientX - rect.left)) / rect.width - 1;
    ray.setFromCamera(new THREE.Vector2(x, 1 - (2 * (clientY - rect.top)) / rect.height), this.camera);
    const facing = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, this.root.localToWorld(through.clone()));
    const hit = ray.ray.intersectPlane(plane, new THREE.Vector3()) ?? this.root.localToWorld(through.clone());
    return this.root.worldToLocal(hit);
  }

  /// Pixels of the window from its left top, of a point in the scene's axes; null behind the eye.
  project(point: THREE.Vector3): { x: number; y: number } | null {
    const p = this.root.localToWorld(point.clone()).project(this.camera);
    const { clientWidth, clientHeight } = this.element;
    return p.z < 1 ? { x: ((p.x + 1) / 2) * clientWidth, y: ((1 - p.y) / 2) * clientHeight } : null;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.looked) this.look(this.looked);
    this.draw();
  }

  redraw(): void {
    this.dirty = true;
  }

  draw(): void {
    this.dirty = false;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance / 400, 1e-4 * this.size);
    this.camera.far = distance + 8 * this.size;
    this.camera.updateProjectionMatrix();
    const { clientWidth: width, clientHeight: height } = this.element;
    const perPixel = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, height);
    this.ropes.setThickness(this.exaggeration, thinnest * Math.sqrt(this.exaggeration) * perPixel, 0.0011 * this.size);
    this.renderer.render(this.scene, this.camera);
    this.labels.draw(this.camera, this.root.matrixWorld, width, height);
    document.documentElement.dataset['eye'] = `${this.controls.getAzimuthalAngle().toFixed(3)} ${distance.toPrecision(4)}`; // for tests
    this.onDraw();
  }

  picture(): Promise<Blob | null> {
    this.draw();
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }
}
