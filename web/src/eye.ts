// Where the scene is seen from: a camera that orbits, named views of the whole, and what a place of the window means.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export type Look = 'iso' | 'front' | 'side' | 'top';
export const lookNames: readonly Look[] = ['iso', 'front', 'side', 'top'];
const directions: Record<Look, [number, number, number]> = {
  iso: [0.62, -1.6, 0.5],
  front: [0, -1, 0.0001],
  side: [1, 0, 0.0001],
  top: [0, -0.0001, 1],
};

export class Eye {
  readonly camera = new THREE.PerspectiveCamera(36, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private box = new THREE.Box3(); // around the scene [m]
  private size = 1; // its diagonal [m]
  private looked: Look | null = 'iso'; // null: by hand

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly moved: () => void,
  ) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.listenToKeyEvents(canvas);
    this.controls.keyPanSpeed = 24;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', moved);
    this.controls.addEventListener('start', () => (this.looked = null));
  }

  setBox(box: THREE.Box3, size: number): void {
    this.box = box;
    this.size = size;
  }

  /// From the point about which it turns [m].
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /// Size of a pixel at a distance of 1 m [m].
  perPixel(height: number): number {
    return (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, height);
  }

  move(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  /// A named view of the whole.
  look(from: Look): void {
    const direction = new THREE.Vector3(...directions[from]).normalize();
    const middle = this.box.getCenter(new THREE.Vector3());
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, this.fitting(direction));
    this.controls.update();
    this.looked = from;
    this.moved();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.looked) this.look(this.looked);
  }

  /// What is much nearer or farther than the scene is not drawn.
  clip(): void {
    this.camera.near = Math.max(this.distance / 400, 1e-4 * this.size);
    this.camera.far = this.distance + 8 * this.size;
    this.camera.updateProjectionMatrix();
  }

  /// Distance from which the whole scene is seen from a direction.
  private fitting(direction: THREE.Vector3): number {
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

  /// The point under a place of the window, in the plane through another that faces the eye; both in the world's axes.
  under(clientX: number, clientY: number, through: THREE.Vector3): THREE.Vector3 {
    const rect = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    const x = (2 * (clientX - rect.left)) / rect.width - 1;
    ray.setFromCamera(new THREE.Vector2(x, 1 - (2 * (clientY - rect.top)) / rect.height), this.camera);
    const facing = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, through);
    return ray.ray.intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
  }
}
