// Convex meshes: flat faces, each with its own normals.
import * as THREE from 'three';
import type { Solid } from './model';

/// In the axes of the body.
export function polyhedron(solid: Solid): THREE.BufferGeometry {
  const corners: number[] = [];
  for (const face of solid.faces ?? [])
    for (let i = 1; i + 1 < face.length; ++i)
      for (const k of [face[0]!, face[i]!, face[i + 1]!]) corners.push(...solid.points![k]!);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals(); // no corner is shared, so these are the normals of the faces
  return geometry;
}
