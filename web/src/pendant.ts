// The scene's inputs as on a crane's pendant: what prescribes a speed runs while a button or key is held and stops when
// it is let go; other inputs are sliders. A gamepad's axes drive the first speeds.
import { h, quantity } from './format';
import { knob } from './knob';
import type { Input, Status } from './protocol';

const keys: readonly [string, string][] = [['w', 's'], ['a', 'd'], ['q', 'e'], ['r', 'f'], ['i', 'k'], ['j', 'l']];
const dead = 0.12; // of an axis

interface Control {
  input: Input;
  show(setting: number, value: number): void;
  hold?(direction: number): void; // -1, 0, 1 or between
}

export class Pendant {
  readonly element = h('section', { class: 'pendant', 'aria-label': 'Inputs' });
  private controls: Control[] = [];
  private held = new Map<string, () => void>(); // key -> let go
  private power = 1;
  private axes: number[] = [];

  constructor(private readonly set: (name: string, value: number) => void) {
    addEventListener('keydown', (event) => this.key(event, true));
    addEventListener('keyup', (event) => this.key(event, false));
    // Whoever looks away has let go.
    addEventListener('blur', () => this.release());
    document.addEventListener('visibilitychange', () => document.hidden && this.release());
  }

  private release(): void {
    for (const letGo of this.held.values()) letGo();
    this.held.clear();
  }

  setInputs(inputs: Input[]): void {
    this.release();
    let rates = 0;
    this.controls = [];
    const parts = inputs
      .filter((input) => !input.feedback)
      .map((input) => (input.rate || isSpeed(input) ? this.runner(input, keys[rates++]) : this.slider(input)));
    const power = h(
      'select',
      { 'aria-label': 'Share of the full speed', title: 'Share of the full speed', change: () => (this.power = Number(power.value)) },
      ...[0.1, 0.25, 0.5, 1].map((p) => h('option', { value: p, selected: p === this.power }, `${100 * p} %`)),
    );
    if (rates > 0) parts.push(h('label', { class: 'inline' }, 'speed', power));
    const feedback = inputs.filter((input) => input.feedback).map((input) => this.readout(input));
    if (feedback.length > 0) parts.push(h('dl', { class: 'readouts', title: 'Inputs that the scene sets itself, by feedback' }, ...feedback.flat()));
    this.element.replaceChildren(...parts);
    this.element.hidden = inputs.length === 0;
  }

  show(status: Status): void {
    for (const control of this.controls) {
      const now = status.inputs.find((i) => i.name === control.input.name);
      if (now) control.show(now.setting, now.value);
    }
  }

  /// Two buttons that run while they are held.
  private runner(input: Input, pair: [string, string] | undefined): HTMLElement {
    const low = input.from ?? -1;
    const high = input.to ?? 1;
    let direction = 0;
    const hold = (to: number) => {
      if (to === direction) return;
      direction = to;
      this.set(input.name, this.power * (to > 0 ? to * high : to < 0 ? -to * low : 0));
      buttons[0]!.classList.toggle('held', to < 0);
      buttons[1]!.classList.toggle('held', to > 0);
    };
    const button = (sign: number, key: string | undefined) => {
      const press = (event: Event) => {
        const { pointerId } = event as PointerEvent;
        (event.currentTarget as HTMLElement).setPointerCapture(pointerId);
        hold(sign);
      };
      const typed = (down: boolean) => (event: Event) => {
        const { key: pressed, repeat } = event as KeyboardEvent;
        if (pressed !== ' ' && pressed !== 'Enter') return;
        event.preventDefault();
        if (!repeat) hold(down ? sign : 0);
      };
      const name = `${input.name} ${sign < 0 ? 'down' : 'up'}`;
      return h(
        'button',
        {
          class: 'hold', 'aria-label': name, title: `${sign < 0 ? quantity(low, input.unit) : quantity(high, input.unit)} while held`,
          pointerdown: press, pointerup: () => hold(0), pointercancel: () => hold(0), lostpointercapture: () => hold(0),
          keydown: typed(true), keyup: typed(false), blur: () => hold(0), contextmenu: (event) => event.preventDefault(),
        },
        sign < 0 ? '−' : '+', key ? h('kbd', {}, key.toUpperCase()) : '',
      );
    };
    const buttons = [button(-1, pair?.[1]), button(1, pair?.[0])];
    const needle = h('span', { class: 'needle' });
    const text = h('output', { class: 'value' });
    this.controls.push({
      input,
      hold,
      show: (_, value) => {
        const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
        needle.style.setProperty('--at', String(Math.max(-1, Math.min(1, value / most))));
        text.textContent = quantity(Math.abs(value) < 1e-6 * most ? 0 : value, input.unit);
      },
    });
    return h('div', { class: 'runner' }, h('div', { class: 'runner-head' }, h('span', { class: 'name' }, plain(input.name)), text),
      h('div', { class: 'runner-buttons' }, buttons[0]!, h('span', { class: 'gauge' }, needle), buttons[1]!));
  }

  /// What the scene sets itself.
  private readout(input: Input): HTMLElement[] {
    const text = h('dd', {});
    this.controls.push({ input, show: (_, value) => (text.textContent = quantity(Math.abs(value) < 1e-4 ? 0 : value, input.unit)) });
    return [h('dt', {}, plain(input.name)), text];
  }

  /// A slider, for angles a knob, with a field for exact values.
  private slider(input: Input): HTMLElement {
    const span = 2 * Math.max(1, Math.abs(input.value));
    const low = input.from ?? input.value - span;
    const high = input.to ?? input.value + span;
    let touched = 0; // when, so that an old status does not move it back [ms]
    const send = (value: number) => {
      touched = performance.now();
      this.set(input.name, value);
    };
    const turned = (value: number) => {
      field.value = short(value);
      send(value);
    };
    const { element: control, show: showSetting } =
      input.unit === 'rad' ? knob(plain(input.name), low, high, input.value, turned) : range(input, low, high, turned);
    const field = h('input', {
      type: 'number', step: 'any', value: short(input.value), 'aria-label': `${input.name}, exact`,
      change: () => Number.isFinite(field.valueAsNumber) && send(field.valueAsNumber),
    });
    const text = h('output', { class: 'value' });
    this.controls.push({
      input,
      show: (setting, value) => {
        text.textContent = quantity(Math.abs(value) < 1e-6 * (high - low) ? 0 : value, input.unit);
        if (performance.now() - touched < 600 || document.activeElement === field) return;
        showSetting(setting);
        field.value = short(setting);
      },
    });
    return h('div', { class: 'runner' }, h('div', { class: 'runner-head' }, h('span', { class: 'name' }, plain(input.name)), text),
      h('div', { class: 'runner-buttons' }, control, field, h('span', { class: 'unit' }, input.unit)));
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const key = event.key.toLowerCase();
    if (!down) {
      this.held.get(key)?.();
      this.held.delete(key);
      return;
    }
    const target = event.target as HTMLInputElement;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName) && target.type !== 'range') return;
    const at = keys.findIndex((pair) => pair.includes(key));
    const control = at < 0 ? undefined : this.controls.filter((c) => c.hold)[at];
    if (!control) return;
    control.hold!(keys[at]![0] === key ? 1 : -1);
    this.held.set(key, () => control.hold!(0));
  }

  /// Reads the gamepads; call it for every picture.
  poll(): void {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad) return;
    const runners = this.controls.filter((c) => c.hold);
    runners.forEach((control, i) => {
      const raw = pad.axes[i] ?? 0;
      const axis = Math.abs(raw) < dead ? 0 : Math.round((i % 2 ? -raw : raw) * 20) / 20; // forward is up
      if (axis === (this.axes[i] ?? 0)) return;
      this.axes[i] = axis;
      control.hold!(axis);
    });
  }
}

function range(input: Input, low: number, high: number, change: (value: number) => void): { element: HTMLElement; show(value: number): void } {
  const element = h('input', {
    type: 'range', min: low, max: high, step: 'any', value: input.value, 'aria-label': input.name, input: () => change(Number(element.value)),
  });
  return { element, show: (value) => (element.value = String(value)) };
}

/// A speed that may be 0 and is at the start, though it drives by way of the scene's own feedback.
function isSpeed({ unit, from, to, value }: Input): boolean {
  return /^(m|rad)(\/s| s\^-1)$/.test(unit) && value === 0 && (from ?? -1) <= 0 && (to ?? 1) >= 0;
}

/// "hoist_speed" -> "hoist speed".
function plain(name: string): string {
  return name.replaceAll('_', ' ');
}

function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}
