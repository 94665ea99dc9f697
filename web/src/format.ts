// Numbers and elements for people.

const prefixes: readonly [number, string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
];
const prefixed = new Set(['N', 'm', 'J', 'W', 'Pa', 'N m', 'm/s', 'Hz', 's']);

function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/// "rad s^-1" -> "rad/s".
export function unitText(unit: string): string {
  return unit.replace(/^s\^-1$/, '1/s').replace(/ (\w+)\^-1$/, '/$1').replace(/\^2/g, '²').replace(/\^3/g, '³');
}

/// 15683 N -> "15.68 kN".
export function quantity(value: number, unitGiven: string): string {
  const unit = unitText(unitGiven);
  if (!Number.isFinite(value)) return 'none';
  if (value === 0) return unit ? `0 ${unit}` : '0';
  const size = Math.abs(value);
  if (!prefixed.has(unit)) {
    const text = size >= 1e-3 && size < 1e6 ? digits(value) : value.toExponential(2);
    return unit ? `${text} ${unit}` : text;
  }
  const [scale, prefix] = prefixes.find(([s]) => size >= 0.9999 * s) ?? [1e-6, 'µ'];
  if (unit === 's' && scale > 1) return `${digits(value)} s`;
  return `${digits(value / scale)} ${prefix}${unit}`;
}

type Child = Node | string | null | undefined;

/// An element with attributes and children. `class`, `title` and the like are attributes; functions are listeners.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/// Leaves a file with the reader.
export function save(blob: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
