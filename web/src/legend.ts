// What the colours of the cables mean, in units.
import { gradient } from './colours';
import { h, quantity } from './format';
import { units, type Colouring } from './model';

export interface Range {
  low: number;
  high: number;
  parts?: number; // between round numbers
}

/// Round numbers around what occurs. Shares of the breaking load start at 0 and reach 100 %; velocities have their zero
/// in the middle.
export function niceRange(colouring: Colouring, { low, high }: Range): Range {
  if (!(high >= low)) [low, high] = [0, 1];
  if (colouring === 'utilisation') return { low: 0, high: Math.max(100, roundUp(high)), parts: 4 };
  if (colouring === 'vertical velocity') {
    const most = roundUp(Math.max(Math.abs(low), Math.abs(high), 1e-3));
    return { low: -most, high: most, parts: 2 };
  }
  if (low >= 0 && low < 0.6 * high) low = 0;
  const width = Math.max(high - low, 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
  const step = stepOf(width / 4);
  const floor = Math.floor(low / step + 1e-6) * step;
  const parts = Math.max(1, Math.ceil((high - floor) / step - 1e-6));
  return { low: floor, high: floor + parts * step, parts };
}

function stepOf(size: number): number {
  const ten = Math.pow(10, Math.floor(Math.log10(size)));
  return [1, 2, 2.5, 5, 10].find((k) => k * ten >= size * 0.9999)! * ten;
}

function roundUp(value: number): number {
  const step = stepOf(Math.max(value, 1e-12) / 4);
  return Math.ceil(value / step - 1e-6) * step;
}

export class Legend {
  readonly element = h('div', { class: 'legend' });
  private last = '';

  show(colouring: Colouring, { low, high, parts = 4 }: Range, dark: boolean): void {
    const key = `${colouring} ${low} ${high} ${dark}`;
    if (key === this.last) return;
    this.last = key;
    const ramp = h('div', { class: 'ramp' });
    ramp.style.background = gradient(colouring, dark);
        const unit = units[colouring];
    // One prefix for all: the largest decides.
    const [, prefixed = ''] = quantity(Math.max(Math.abs(low), Math.abs(high)), unit).split(' ');
    const scale = scaleOf(Math.max(Math.abs(low), Math.abs(high)), unit);
    const text = (i: number) => String(Number(((low + ((high - low) * i) / parts) / scale).toPrecision(3)));
    const ticks = Array.from({ length: parts + 1 }, (_, i) => h('span', {}, text(i)));
    const name = colouring === 'utilisation' ? 'of the breaking load' : colouring === 'stress' ? 'nominal stress' : colouring;
    const label = unit === '%' ? '%' : scale === 1 ? unit : unit.startsWith('1/') || unit === '' ? exponent(scale) + unit : prefixed;
    this.element.replaceChildren(
      h('div', { class: 'what' }, h('span', {}, name), h('span', { class: 'unit' }, label)),
      ramp,
      h('div', { class: 'ticks' }, ...ticks),
    );
  }
}

function exponent(scale: number): string {
  return `×10${[...String(Math.round(Math.log10(scale)))].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)] ?? '⁻').join('')} `;
}

/// The size of the prefix that a quantity is written with.
function scaleOf(value: number, unit: string): number {
  if (!(value > 0) || unit === '%') return 1;
  if (unit === '' || unit === '1/m') return value >= 1e-2 && value < 1e4 ? 1 : Math.pow(10, Math.floor(Math.log10(value)));
  return [1e9, 1e6, 1e3, 1, 1e-3, 1e-6].find((s) => value >= 0.9999 * s) ?? 1e-6;
}
