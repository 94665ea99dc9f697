// Colour maps. Viridis (van der Walt and Smith 2015) at nine places, straight between them.

const viridis: readonly [number, number, number][] = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];

/// share in 0..1 -> red, green, blue in 0..1, written to out.
export function colour(share: number, out: Float32Array, at: number): void {
  const x = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * (viridis.length - 1);
  const i = Math.min(Math.floor(x), viridis.length - 2);
  const f = x - i;
  const a = viridis[i]!;
  const b = viridis[i + 1]!;
  for (let k = 0; k < 3; ++k) {
    const srgb = (a[k]! + f * (b[k]! - a[k]!)) / 255;
    out[at + k] = Math.pow(srgb, 2.2); // vertex colours are linear
  }
}

export const gradient = `linear-gradient(to right, ${viridis.map((c) => `rgb(${c.join(',')})`).join(', ')})`;

/// Colours of the lines of a plot that differ in light and dark, also for colour-blind readers (Okabe and Ito 2008).
export const lines: readonly string[] = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#7f7f7f',
  '#b58900',
];
