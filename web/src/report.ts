// The report of a run: replay in 3D, plots, tables. One file that needs nothing else.
import uplotStyle from 'uplot/dist/uPlot.min.css';
import { gradient } from './colours';
import { h, quantity } from './format';
import { panels } from './panels';
import { Plots, save } from './plots';
import { readRun, type Run } from './run';
import style from './style.css';
import { View3d, type Colouring } from './view3d';

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

class Report {
  private time: number;
  private playing = false;
  private last = 0;
  private readonly view: View3d;
  private readonly plots: Plots;
  private readonly start: number;
  private readonly end: number;
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'clock' });
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly legend = h('div', { class: 'legend', 'aria-live': 'off' });

  constructor(private readonly run: Run) {
    this.start = run.frameTime[0] ?? 0;
    this.end = run.frameTime[run.frameTime.length - 1] ?? this.start;
    this.time = this.start;
    this.view = new View3d(run);
    this.plots = new Plots(run, (t) => this.goTo(t));
    this.play = h('button', { class: 'play', 'aria-label': 'Play', title: 'Play or pause (space)', click: () => this.toggle() }, '▶');
    this.slider = h('input', {
      type: 'range', min: this.start, max: this.end, step: 'any', value: this.start, class: 'time', 'aria-label': 'Time',
      input: () => this.goTo(Number(this.slider.value)),
    });
    this.speed = h(
      'select',
      { 'aria-label': 'Speed of the replay', title: 'Speed of the replay' },
      ...speeds.map((s) => h('option', { value: s, selected: s === 1 }, `× ${s}`)),
    );
    document.body.replaceChildren(this.layout());
    this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    this.showLegend();
    addEventListener('keydown', (event) => this.key(event));
    this.show();
    const tick = (now: number) => {
      this.advance((now - this.last) / 1000);
      this.last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private layout(): HTMLElement {
    const { header } = this.run;
    const failed = header.summary.end === 'failed';
    const expected = header.summary.expectations ?? [];
    const missed = expected.filter((e) => e.reached && !e.met).length;
    const chips = h(
      'div',
      { class: 'chips' },
      h('span', { class: `chip ${failed ? 'bad' : 'good'}` }, failed ? 'stopped early' : header.summary.end),
      expected.length > 0
        ? h('span', { class: `chip ${missed ? 'bad' : 'good'}` }, missed ? `${missed} expected values not met` : `${expected.length} expected values met`)
        : null,
      header.summary.warnings?.length ? h('span', { class: 'chip warn' }, `${header.summary.warnings.length} warnings`) : null,
    );
    return h(
      'main',
      {},
      h('header', {}, h('div', {}, h('h1', {}, header.title || 'Run'), chips), this.themeButton()),
      failed ? h('p', { class: 'failure', role: 'alert' }, header.summary.failure ?? 'The run failed.') : null,
      h(
        'div',
        { class: 'stage' },
        h('div', { class: 'scene' }, this.toolbar(), this.view.element, this.legend, this.transport()),
        this.plots.element,
      ),
      panels(this.run),
    );
  }

  private themeButton(): HTMLElement {
    const button = h(
      'button',
      { class: 'small', title: 'Light or dark', 'aria-label': 'Switch between light and dark', click: () => this.setTheme(dark() ? 'light' : 'dark') },
      '◐',
    );
    return button;
  }

  private toolbar(): HTMLElement {
    const look = (name: 'iso' | 'front' | 'side' | 'top', title: string) =>
      h('button', { class: 'small', title, click: () => this.view.look(name) }, name === 'iso' ? 'Fit' : name[0]!.toUpperCase() + name.slice(1));
    const breaking = this.run.cables.some((c) => c.header.breaking_load > 0);
    const choices: Colouring[] = ['tension', ...(breaking ? (['utilisation'] as const) : []), 'strain', 'curvature', 'speed'];
    const colouring = h(
      'select',
      { 'aria-label': 'Colour of the cables', change: () => this.setColouring(colouring.value as Colouring) },
      ...choices.map((c) => h('option', { value: c }, c)),
    );
    const follow = h(
      'select',
      { 'aria-label': 'Body that the view follows', change: () => (this.view.follow = follow.value) },
      h('option', { value: '' }, 'follow nothing'),
      ...this.run.bodies.map((b) => h('option', { value: b.header.name }, `follow ${b.header.name}`)),
    );
    const thick = h('input', {
      type: 'range', min: 0.5, max: 6, step: 0.1, value: 1, class: 'thick', 'aria-label': 'Thickness of the cables', title: 'Thickness of the cables',
      input: () => {
        this.view.exaggeration = Number(thick.value);
        this.view.show(this.time);
      },
    });
    const names = h('input', { type: 'checkbox', change: () => this.view.setLabels(names.checked) });
    return h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'View' },
      look('iso', 'The whole scene'), look('front', 'Along y'), look('side', 'Along x'), look('top', 'From above'),
      colouring,
      this.run.bodies.length > 0 ? follow : null,
      h('label', { class: 'inline' }, 'thickness', thick),
      h('label', { class: 'inline' }, names, 'names'),
      h('button', { class: 'small', title: 'Save a picture', click: () => void this.picture() }, 'PNG'),
    );
  }

  private async picture(): Promise<void> {
    save(await (await fetch(this.view.picture())).blob(), 'hawser.png');
  }

  private transport(): HTMLElement {
    return h('div', { class: 'transport' }, this.play, this.slider, this.clock, this.speed);
  }

  private setTheme(theme: 'light' | 'dark'): void {
    document.documentElement.dataset['theme'] = theme;
    this.view.setTheme(theme);
    this.plots.draw();
  }

  private setColouring(colouring: Colouring): void {
    this.view.colouring = colouring;
    this.view.show(this.time);
    this.showLegend();
  }

  private showLegend(): void {
    const { low, high, unit } = this.view.range();
    const text = (value: number) => (this.view.colouring === 'utilisation' ? `${(100 * value).toFixed(1)} %` : quantity(value, unit));
    const bar = h('span', { class: 'ramp' });
    bar.style.background = gradient;
    this.legend.replaceChildren(h('span', { class: 'what' }, this.view.colouring), h('span', {}, text(low)), bar, h('span', {}, text(high)));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (['INPUT', 'SELECT', 'BUTTON', 'SUMMARY'].includes(target.tagName)) return;
    const step = (this.end - this.start) / 100;
    if (event.key === ' ') this.toggle();
    else if (event.key === ',' || event.key === '.') this.goTo(this.time + (event.key === '.' ? step : -step));
    else if (event.key === 'Home') this.goTo(this.start);
    else if (event.key === 'End') this.goTo(this.end);
    else return;
    event.preventDefault();
  }

  private toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.start;
    this.play.textContent = this.playing ? '❚❚' : '▶';
    this.play.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
  }

  private advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.time + Math.min(seconds, 0.1) * Number(this.speed.value);
    if (next >= this.end) this.toggle();
    this.goTo(next);
  }

  private goTo(t: number): void {
    this.time = Math.min(this.end, Math.max(this.start, t));
    this.show();
  }

  private show(): void {
    this.slider.value = String(this.time);
    this.clock.textContent = `${this.time.toFixed(2)} s`;
    this.view.show(this.time);
    this.plots.show(this.time);
    document.documentElement.dataset['time'] = this.time.toFixed(4);
  }
}

function dark(): boolean {
  return document.documentElement.dataset['theme'] === 'dark';
}

document.head.append(h('style', {}, uplotStyle, style));
readRun().then(
  (run) => new Report(run),
  (error: unknown) => document.body.replaceChildren(h('p', { class: 'failure', role: 'alert' }, `This report cannot be shown: ${String(error)}`)),
);
