// The figures of a running simulation, and what must be said about it.
import { h, quantity } from './format';
import type { Problem, Status } from './protocol';

const near = 0.8; // of the breaking load

class Figure {
  readonly element: HTMLElement;
  private readonly value = h('span', { class: 'figure-value' }, '–');
  private readonly detail = h('span', { class: 'figure-detail' });

  constructor(name: string, title: string) {
    this.element = h('div', { class: 'figure', title }, h('span', { class: 'figure-name' }, name), this.value, this.detail);
  }

  show(value: string, detail = '', level = ''): void {
    this.value.textContent = value;
    this.detail.textContent = detail;
    this.element.dataset['level'] = level;
  }
}

export class Figures {
  readonly element: HTMLElement;
  private readonly factor = new Figure('real time', 'Simulated time per time of the clock');
  private readonly step = new Figure('step', 'Computing time of a step, mean');
  private readonly energy = new Figure('energy', 'Kinetic, potential and elastic energy; balance: what is missing after work and damping');
  private readonly tension = new Figure('greatest tension', 'The greatest tension now, and where');

  constructor() {
    const all = [this.factor, this.step, this.energy, this.tension];
    this.element = h('div', { class: 'figures', role: 'group', 'aria-label': 'Figures of the simulation' }, ...all.map((f) => f.element));
  }

  show(status: Status): void {
    const { tension, energy } = status;
    if (status.paused) this.factor.show('paused');
    else this.factor.show(`× ${status.real_time_factor.toFixed(2)}`, `of × ${status.speed}`, status.keeps_up ? '' : 'warn');
    this.step.show(status.step_time > 0 ? quantity(status.step_time, 's') : '–', `${status.steps} steps`);
    this.energy.show(quantity(energy.total, 'J'), `kinetic ${quantity(energy.kinetic, 'J')}`);
    if (!tension) return this.tension.show('–');
    const use = status.utilisation;
    const level = !use ? '' : use.value >= 1 ? 'bad' : use.value >= near ? 'warn' : '';
    const where = `${tension.cable} at ${quantity(tension.s, 'm')}`;
    this.tension.show(quantity(tension.value, 'N'), use ? `${where}, ${(100 * use.value).toFixed(0)} % of breaking` : where, level);
  }
}

/// Lines above the view: what went wrong, what is not as it seems.
export class Notices {
  readonly element = h('div', { class: 'notices', 'aria-live': 'polite' });
  private readonly lines = new Map<string, HTMLElement>();

  set(key: string, level: 'bad' | 'warn' | 'info', text: string | null, ...more: Node[]): void {
    const old = this.lines.get(key);
    if (!text) {
      old?.remove();
      this.lines.delete(key);
      return;
    }
    if (old && old.dataset['text'] === text && more.length === 0) return;
    const line = h('div', { class: `notice ${level}`, 'data-key-of': key, 'data-text': text, ...(level === 'bad' ? { role: 'alert' } : {}) }, h('span', {}, text), ...more);
    if (old) old.replaceWith(line);
    else this.element.append(line);
    this.lines.set(key, line);
  }

  status(status: Status, step: number): void {
    this.set('failure', 'bad', status.failure && `The simulation stopped: ${status.failure}`);
    const slow = !status.keeps_up && !status.paused && !status.failure;
    const pace = `A step of ${quantity(step, 's')} takes ${quantity(status.step_time, 's')} to compute`;
    this.set('slow', 'warn', slow ? `Not in real time: × ${status.real_time_factor.toFixed(2)} instead of × ${status.speed}. ${pace}.` : null);
    const over = status.utilisation && status.utilisation.value >= 1;
    const broken = over ? `'${status.utilisation!.cable}' is loaded with ${(100 * status.utilisation!.value).toFixed(0)} % of its breaking load. It does not break by itself here.` : null;
    this.set('breaking', 'bad', broken);
  }

  problems(problems: Problem[]): void {
    if (problems.length === 0) return this.set('problem', 'bad', null);
    const rows = problems.map((p) =>
      h('li', {}, h('code', { class: 'where' }, p.line > 0 ? `line ${p.line}` : p.file), h('span', {}, p.message), p.source ? h('pre', {}, p.source) : null),
    );
    this.set('problem', 'bad', `The scene file has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}. The last good version goes on.`, h('ul', {}, ...rows));
  }
}
