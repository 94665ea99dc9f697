// What is behind the scene.
import * as THREE from 'three';

const backdrops = new Map<boolean, THREE.Texture>();

/// Brighter above, as a sky is.
export function backdrop(dark: boolean): THREE.Texture {
  const known = backdrops.get(dark);
  if (known) return known;
  const canvas = document.createElement('canvas');
  canvas.width = 4;
  canvas.height = 256;
  const context = canvas.getContext('2d')!;
  const ramp = context.createLinearGradient(0, 0, 0, 256);
  const stops = dark ? ['#0e141b', '#18212b', '#121920'] : ['#dfe8f1', '#f3f6f9', '#e6ebf0'];
  stops.forEach((colour, i) => ramp.addColorStop(i / 2, colour));
  context.fillStyle = ramp;
  context.fillRect(0, 0, 4, 256);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  backdrops.set(dark, texture);
  return texture;
}
