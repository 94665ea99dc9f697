// The sun, with shadows, and what lights the sides that it does not reach.
import * as THREE from 'three';

export class Lights {
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8b96a3, 1.5);
  private readonly fill = new THREE.DirectionalLight(0xdfe9ff, 0.7); // so that shaded sides differ

  constructor(scene: THREE.Scene) {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.fill.position.set(1.2, -0.4, 0.5);
    scene.add(this.sky, this.fill, this.sun, this.sun.target);
  }

  /// So that all within a size [m] around a point casts shadows.
  place(middle: THREE.Vector3, size: number): void {
    const reach = 0.75 * size;
    this.sun.position.copy(middle).add(new THREE.Vector3(-0.45, -0.62, 1.15).multiplyScalar(1.5 * size));
    this.sun.target.position.copy(middle);
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.3 * size, far: 4.5 * size });
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.0025 * size;
    this.sun.shadow.bias = -0.0004;
  }

  setTheme(dark: boolean): void {
    this.sky.groundColor.set(dark ? 0x2b3540 : 0x9aa5b0);
  }
}
