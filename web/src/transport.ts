// Below the live view: play, pause, step, reset, the time that is shown, and the speed.
import { h } from './format';
import { icon, type Icon } from './icons';
import type { Status, ToServer } from './protocol';

const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLElement;
  private readonly live: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'clock', 'aria-label': 'Time shown' });
  private readonly speed: HTMLSelectElement;
  private paused: boolean | null = null; // as the button shows it

  /// `scrub`: to a time of the past; null: to the present.
  constructor(send: (message: ToServer) => void, scrub: (t: number | null) => void, toggle: () => void) {
    const button = (name: Icon, title: string, key: string, click: () => void) =>
      h('button', { class: name === 'play' ? 'play' : 'icon', title, 'aria-label': title, 'data-key': key, click }, icon(name));
    this.play = button('play', 'Play or pause (space)', ' ', toggle);
    this.live = h('button', { class: 'live on', 'data-key': 'End', title: 'Back to the present (End)', click: () => scrub(null) }, icon('live'), 'live');
    this.slider = h('input', {
      type: 'range', class: 'time', step: 'any', min: 0, max: 1, value: 1, 'aria-label': 'Time: scrub through the past',
      input: () => scrub(Number(this.slider.value)),
    });
    this.speed = h(
      'select',
      { 'aria-label': 'Speed of the simulation', title: 'Speed of the simulation', change: () => send({ type: 'speed', value: Number(this.speed.value) }) },
      ...speeds.map((s) => h('option', { value: s, selected: s === 1 }, `× ${s}`)),
    );
    this.element = h(
      'div',
      { class: 'transport' },
      this.play,
      button('step', 'One step (.)', '.', () => send({ type: 'step', steps: 1 })),
      button('reset', 'Reset to the start (Backspace)', 'Backspace', () => send({ type: 'reset' })),
      this.slider, this.clock, this.live, this.speed,
    );
  }

  setLive(is: boolean): void {
    this.live.classList.toggle('on', is);
  }

  showStatus({ speed, paused }: Status): void {
    this.speed.value = String(speeds.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a)));
    if (paused === this.paused) return; // a picture that is exchanged while it is pressed loses the click
    this.paused = paused;
    this.play.replaceChildren(icon(paused ? 'play' : 'pause'));
    this.play.setAttribute('aria-label', paused ? 'Play' : 'Pause');
  }

  /// The times that are known, and the one that is shown [s].
  show(first: number, newest: number, shown: number): void {
    this.slider.min = String(first);
    this.slider.max = String(newest);
    this.slider.value = String(shown);
    this.clock.textContent = `${shown.toFixed(2)} s`;
  }
}
