// A knob: for angles, which turn. Drag around it or up and down, or use the arrow keys.
import { h } from './format';

const sweep = 270; // degrees from the lowest to the highest value

export function knob(label: string, low: number, high: number, value: number, change: (value: number) => void): { element: HTMLElement; show(value: number): void } {
  const pointer = h('span', { class: 'knob-pointer' });
  const element = h('div', { class: 'knob', role: 'slider', tabindex: 0, 'aria-label': label, 'aria-valuemin': low, 'aria-valuemax': high }, pointer);
  let at = value;
  const show = (to: number) => {
    at = Math.min(high, Math.max(low, to));
    element.setAttribute('aria-valuenow', String(Number(at.toPrecision(6))));
    element.style.setProperty('--turn', `${sweep * ((at - low) / (high - low) - 0.5)}deg`);
  };
  const set = (to: number) => {
    show(to);
    change(at);
  };
  const angle = (event: PointerEvent) => {
    const rect = element.getBoundingClientRect();
    return (180 / Math.PI) * Math.atan2(event.clientX - rect.left - rect.width / 2, rect.top + rect.height / 2 - event.clientY);
  };
  let from: number | null = null;
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    from = angle(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (from === null) return;
    const now = angle(event);
    const by = ((now - from + 540) % 360) - 180;
    from = now;
    set(at + (by / sweep) * (high - low));
  });
  element.addEventListener('lostpointercapture', () => (from = null));
  element.addEventListener('keydown', (event) => {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(at + (by * (high - low)) / 100);
  });
  show(value);
  return { element, show };
}
