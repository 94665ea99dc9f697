// What is under the pointer: the nearest body or part of the machine, or a cable within reach of it.
import * as THREE from 'three';
import type { Machine } from './machine';
import type { Shot, World } from './model';

export interface Picked {
  id: string; // as in the diagram: "body/load"
  point: THREE.Vector3; // in the scene's axes [m]
  body: number; // -1: none
  at: THREE.Vector3; // the point in the body's axes [m]
  cable: number; // -1: none
  place: number; // on the cable: number of a point, with its fraction
}

interface Place {
  x: number; // [pixels]
  y: number;
  width: number; // of the view
  height: number;
}

export function pick(
  at: Place,
  reach: number,
  camera: THREE.Camera,
  root: THREE.Group,
  machine: Machine,
  world: World,
  shot: Shot,
): Picked | null {
  const ray = new THREE.Raycaster();
  ray.setFromCamera(new THREE.Vector2((2 * at.x) / at.width - 1, 1 - (2 * at.y) / at.height), camera);
  const hit = ray.intersectObject(machine.group, true).find((h) => h.object instanceof THREE.Mesh);
  const rope = nearestRope(at, reach, camera, root, shot);
  const nearer = rope && (!hit || rope.depth <= hit.distance * 1.02);
  if (rope && nearer) {
    const none = new THREE.Vector3();
    return { id: `cable/${world.cables[rope.cable]!.name}`, point: rope.point, body: -1, at: none, cable: rope.cable, place: rope.place };
  }
  if (!hit) return null;
  const id = String(hit.object.userData['id']);
  const point = root.worldToLocal(hit.point.clone());
  const body = machine.bodies.findIndex((group) => group === owner(hit.object, machine));
  const local = body < 0 ? new THREE.Vector3() : machine.bodies[body]!.worldToLocal(hit.point.clone());
  return { id, point, body, at: local, cable: -1, place: 0 };
}

function owner(object: THREE.Object3D | null, machine: Machine): THREE.Object3D | null {
  while (object && !machine.bodies.includes(object as THREE.Group)) object = object.parent;
  return object;
}

/// The cable whose line on the screen comes nearest, if within `reach` pixels.
function nearestRope(at: Place, reach: number, camera: THREE.Camera, root: THREE.Group, shot: Shot) {
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(root.matrixWorld);
  const p = new THREE.Vector4();
  let best: { cable: number; place: number; point: THREE.Vector3; depth: number } | null = null;
  let least = reach;
  shot.strands.forEach((strand, cable) => {
    let [bx, by, behind] = [0, 0, true];
    for (let i = 0; i < strand.count; ++i) {
      p.set(strand.position[3 * i]!, strand.position[3 * i + 1]!, strand.position[3 * i + 2]!, 1).applyMatrix4(matrix);
      const x = ((p.x / p.w + 1) / 2) * at.width;
      const y = ((1 - p.y / p.w) / 2) * at.height;
      if (i > 0 && p.w > 0 && !behind && !strand.breaks.includes(i - 1)) {
        const [dx, dy] = [x - bx, y - by];
        const length = dx * dx + dy * dy;
        const share = length > 0 ? Math.min(1, Math.max(0, ((at.x - bx) * dx + (at.y - by) * dy) / length)) : 0;
        const distance = Math.hypot(at.x - bx - share * dx, at.y - by - share * dy);
        if (distance < least) {
          least = distance;
          const a = new THREE.Vector3().fromArray(strand.position, 3 * (i - 1));
          const point = a.lerp(new THREE.Vector3().fromArray(strand.position, 3 * i), share);
          const depth = camera.position.distanceTo(root.localToWorld(point.clone()));
          best = { cable, place: i - 1 + share, point, depth };
        }
      }
      [bx, by, behind] = [x, y, p.w <= 0];
    }
  });
  return best as { cable: number; place: number; point: THREE.Vector3; depth: number } | null;
}
