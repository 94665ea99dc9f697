// Symbols of buttons, drawn on a field of 24 by 24.

const paths = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  step: 'M5 5v14l9-7zM16 5h3v14h-3z',
  reset: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5',
  close: 'M6 6l12 12M18 6L6 18',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  help: 'M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.5v.2M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 8.8v.2',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  names: 'M4 12l8-8h8v8l-8 8zM15.8 8v.2',
  pull: 'M5 19l4-4M9 15c-2-3 3-5 1-8s6-4 9-2M14 3.5l5 1.5-1.5 5',
  cut: 'M8 8l12 10M8 16L20 6M6 9a3 3 0 1 0 0-6a3 3 0 0 0 0 6M6 21a3 3 0 1 0 0-6a3 3 0 0 0 0 6',
  hand: 'M5 4l13 8-6 1.5L8.5 19z',
  live: 'M12 9.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5M7 7a7 7 0 0 0 0 10M17 7a7 7 0 0 1 0 10M4.5 4.5a10.6 10.6 0 0 0 0 15M19.5 4.5a10.6 10.6 0 0 1 0 15',
} as const;
export type Icon = keyof typeof paths;
const filled = new Set<Icon>(['play', 'pause', 'step']);

export function icon(name: Icon): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const attributes = { viewBox: '0 0 24 24', width: '18', height: '18', 'aria-hidden': 'true', class: filled.has(name) ? 'solid' : 'stroke' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
