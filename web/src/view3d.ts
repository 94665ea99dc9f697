// The world in space. Draws only when something has changed.
import * as THREE from 'three';
import { backdrop } from './backdrop';
import { colourTexture } from './colours';
import { Eye, type Look } from './eye';
import { Floor } from './floor';
import { h } from './format';
import { Labels } from './labels';
import { Lights } from './lights';
import { Machine } from './machine';
import type { Colouring, Shot, World } from './model';
import { pick, type Picked } from './pick';
import { Ropes } from './ropes';
import { Spring } from './spring';

const thinnest = 1.25; // radius of a rope on the screen [pixels]

export class View3d {
  readonly element: HTMLElement;
  readonly labels = new Labels();
  readonly root = new THREE.Group(); // turned so that up is z
  readonly eye: Eye;
  readonly spring = new Spring();
  private exaggeration = 1;
  private colouring: Colouring = 'tension';
  private follow = '';
  private selected = '';
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly lights = new Lights(this.scene);
  private ropes!: Ropes;
  private machine!: Machine;
  private floor!: Floor;
  private size = 1; // its diagonal [m]
  private range = { low: 0, high: 1 };
  private shot: Shot | null = null;
  private dark = false;
  private dirty = true;
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
    this.eye = new Eye(canvas, () => (this.dirty = true));
    this.scene.add(this.root);
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
    const box = own.applyMatrix4(this.root.matrixWorld);
    this.eye.setBox(box, this.size);
    this.lights.place(box.getCenter(new THREE.Vector3()), this.size);
    this.canvas.setAttribute('aria-label', `3D view: ${world.title}`);
    this.addLabels();
    this.applyTheme();
    this.select(this.selected);
    if (look) this.eye.look(look);
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
    this.lights.setTheme(this.dark);
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
    if (before && after) this.eye.move(after.clone().sub(before).applyQuaternion(this.root.quaternion));
    this.dirty = true;
  }

  /// What is at a place of the window.
  pick(clientX: number, clientY: number, reach: number): Picked | null {
    if (!this.shot) return null;
    const rect = this.canvas.getBoundingClientRect();
    const at = { x: clientX - rect.left, y: clientY - rect.top, width: rect.width, height: rect.height };
    return pick(at, reach, this.eye.camera, this.root, this.machine, this.world, this.shot);
  }

  /// The point under a place of the window, in the plane through another that faces the eye; in the scene's axes.
  under(clientX: number, clientY: number, through: THREE.Vector3): THREE.Vector3 {
    return this.root.worldToLocal(this.eye.under(clientX, clientY, this.root.localToWorld(through.clone())));
  }

  /// Pixels of the window from its left top, of a point in the scene's axes; null behind the eye.
  project(point: THREE.Vector3): { x: number; y: number } | null {
    const p = this.root.localToWorld(point.clone()).project(this.eye.camera);
    const { clientWidth, clientHeight } = this.element;
    return p.z < 1 ? { x: ((p.x + 1) / 2) * clientWidth, y: ((1 - p.y) / 2) * clientHeight } : null;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.eye.resize(width, height);
    this.draw();
  }

  redraw(): void {
    this.dirty = true;
  }

  draw(): void {
    this.dirty = false;
    const { eye } = this;
    eye.clip();
    const { clientWidth: width, clientHeight: height } = this.element;
    this.ropes.setThickness(this.exaggeration, thinnest * Math.sqrt(this.exaggeration) * eye.perPixel(height), 0.0011 * this.size);
    this.renderer.render(this.scene, eye.camera);
    this.labels.draw(eye.camera, this.root.matrixWorld, width, height);
    document.documentElement.dataset['eye'] = `${eye.controls.getAzimuthalAngle().toFixed(3)} ${eye.distance.toPrecision(4)}`; // for tests
    this.onDraw();
  }

  picture(): Promise<Blob | null> {
    this.draw();
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }
}
