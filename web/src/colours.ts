// Colour maps, straight between given places. Viridis: van der Walt and Smith 2015.
import * as THREE from 'three';
import type { Colouring } from './model';

type Rgb = readonly [number, number, number];

const viridis: readonly Rgb[] = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50],
  [253, 231, 37],
];
/// Safe, near the limit, beyond.
const traffic: readonly Rgb[] = [
  [52, 120, 190], [30, 150, 140], [60, 170, 90], [150, 190, 50], [235, 180, 30], [240, 130, 30], [225, 60, 45],
];
/// Two directions with a quiet middle.
const diverging: readonly Rgb[] = [[33, 90, 190], [90, 150, 220], [165, 170, 178], [235, 140, 90], [200, 50, 45]];

/// The part of a map that can be seen on the background: dark ends vanish on dark, yellow on white.
function part(colouring: Colouring, dark: boolean): { map: readonly Rgb[]; from: number; to: number } {
  if (colouring === 'utilisation') return { map: traffic, from: 0, to: 1 };
  if (colouring === 'vertical velocity') return { map: diverging, from: 0, to: 1 };
  return dark ? { map: viridis, from: 0.2, to: 1 } : { map: viridis, from: 0, to: 0.93 };
}

function at(map: readonly Rgb[], share: number): [number, number, number] {
  const x = Math.min(1, Math.max(0, share)) * (map.length - 1);
  const i = Math.min(Math.floor(x), map.length - 2);
  const a = map[i]!;
  const b = map[i + 1]!;
  return [0, 1, 2].map((k) => a[k]! + (x - i) * (b[k]! - a[k]!)) as [number, number, number];
}

const places = 64;

/// For shaders: low to high, left to right.
export function colourTexture(colouring: Colouring, dark: boolean): THREE.DataTexture {
  const { map, from, to } = part(colouring, dark);
  const data = new Uint8Array(4 * places);
  for (let i = 0; i < places; ++i) data.set([...at(map, from + ((to - from) * i) / (places - 1)).map(Math.round), 255], 4 * i);
  const texture = new THREE.DataTexture(data, places, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/// The same for style sheets.
export function gradient(colouring: Colouring, dark: boolean): string {
  const { map, from, to } = part(colouring, dark);
  const stops = Array.from({ length: 9 }, (_, i) => `rgb(${at(map, from + ((to - from) * i) / 8).map(Math.round).join(',')})`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/// Colours of the lines of a plot that differ also for colour-blind readers (Okabe and Ito 2008), brighter in the dark.
export function lineColour(i: number, dark: boolean): string {
  const lines = dark
    ? ['#56b4f0', '#ff8d4a', '#34d1a3', '#eba3cf', '#f2c14e', '#9aa7ff', '#b7c0c8', '#d0d96a']
    : ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b67a00', '#3f8fc9', '#6b7680', '#7c8500'];
  return lines[i % lines.length]!;
}
export const mostLines = 8;
