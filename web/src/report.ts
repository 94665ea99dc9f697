// The report of a run: replay in 3D, plots, tables. One file that needs nothing else. `#t=1.25&bare` shows one time
// without controls, for pictures; see docs/theory/live.md.
import { DiagramView } from './diagram';
import { lookNames, type Look } from './eye';
import { h } from './format';
import { help, listen, viewKeys } from './help';
import { icon } from './icons';
import { panels } from './panels';
import { Player, tableOf, worldOf } from './player';
import { firstPlots, Plots } from './plots';
import { readRun, type Run } from './run';
import { addStyles, firstTheme, setTheme, theme, themeButton, type Theme } from './theme';
import { View3d } from './view3d';
import { ViewBar } from './viewbar';

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

declare global {
  interface Window {
    hawserReport?: { from: number; to: number; show(t: number): Promise<void> };
  }
}

class Report {
  private time: number;
  private playing = false;
  private last = 0;
  private readonly player: Player;
  private readonly view: View3d;
  private readonly bar: ViewBar;
  private readonly plots: Plots;
  private readonly start: number;
  private readonly end: number;
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'clock', 'aria-label': 'Time shown' });
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly help = help([
    ['space', 'play or pause'],
    [', and .', 'back and forth by a hundredth of the run'],
    ['Home and End', 'start and end'],
    ...viewKeys,
    ['click', 'in a plot: go to that time; drag: zoom; double click: the whole run'],
  ]);

  constructor(private readonly run: Run) {
    this.start = run.frameTime[0] ?? 0;
    this.end = run.frameTime[run.frameTime.length - 1] ?? this.start;
    this.time = this.start;
    const world = worldOf(run);
    this.player = new Player(run);
    this.view = new View3d(world);
    this.bar = new ViewBar(this.view, (colouring) => this.player.range(colouring), () => this.show());
    const table = tableOf(run);
    this.plots = new Plots(table, () => [run.time[0] ?? 0, run.time[run.time.length - 1] ?? 1], (t) => this.goTo(t));
    this.play = h('button', { class: 'play', 'aria-label': 'Play', title: 'Play or pause (space)', 'data-key': ' ', click: () => this.toggle() }, icon('play'));
    this.slider = h('input', {
      type: 'range', min: this.start, max: this.end, step: 'any', value: this.start, class: 'time', 'aria-label': 'Time',
      input: () => this.goTo(Number(this.slider.value)),
    });
    this.speed = h(
      'select',
      { 'aria-label': 'Speed of the replay', title: 'Speed of the replay' },
      ...speeds.map((s) => h('option', { value: s, selected: s === 1 }, `× ${s}`)),
    );
    document.body.replaceChildren(this.layout(), this.help.sheet);
    this.setTheme(firstTheme());
    this.bar.setWorld(world);
    this.plots.setGroups(firstPlots(table));
    listen((key) => this.key(key));
    this.followFragment();
    addEventListener('hashchange', () => this.followFragment());
    const tick = (now: number) => {
      this.advance((now - this.last) / 1000);
      this.last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    window.hawserReport = { from: this.start, to: this.end, show: (t) => this.showDrawn(t) };
  }

  private layout(): HTMLElement {
    const { header } = this.run;
    const failed = header.summary.end === 'failed';
    const stage = h(
      'div',
      { class: 'stage' },
      h(
        'section',
        { class: 'scene', 'aria-label': 'Replay' },
        this.bar.element,
        h('div', { class: 'view-box' }, this.view.element, this.bar.legend.element, this.bar.scale),
        h('div', { class: 'transport' }, this.play, this.slider, this.clock, this.speed),
      ),
      this.plots.element,
    );
    return h(
      'main',
      {},
      h('header', { class: 'title' }, h('div', {}, h('h1', {}, header.title || 'Run'), this.chips(failed)),
        h('div', { class: 'group-end' }, this.help.button, themeButton((to) => this.setTheme(to)))),
      failed ? h('p', { class: 'failure', role: 'alert' }, header.summary.failure ?? 'The run failed.') : null,
      stage,
      panels(this.run, (t) => this.goTo(t), this.diagram()),
    );
  }

  private chips(failed: boolean): HTMLElement {
    const { summary } = this.run.header;
    const expected = summary.expectations ?? [];
    const missed = expected.filter((e) => e.reached && !e.met).length;
    const met = missed ? `${missed} expected values not met` : `${expected.length} expected values met`;
    return h(
      'div',
      { class: 'chips' },
      h('span', { class: `chip ${failed ? 'bad' : 'good'}` }, failed ? 'stopped early' : summary.end),
      expected.length > 0 ? h('span', { class: `chip ${missed ? 'bad' : 'good'}` }, met) : null,
      summary.warnings?.length ? h('span', { class: 'chip warn' }, `${summary.warnings.length} warnings`) : null,
    );
  }

  private diagram(): HTMLElement {
    const drawing = new DiagramView((id) => {
      this.view.select(id);
      drawing.select(id);
    });
    drawing.show(this.run.header.diagram);
    return drawing.element;
  }

  /// `t`: the time shown; `bare`: the view alone; `light`, `dark`; `view`: where from.
  private followFragment(): void {
    const wanted = new URLSearchParams(location.hash.slice(1));
    document.documentElement.classList.toggle('bare', wanted.has('bare'));
    if (wanted.has('dark') || wanted.has('light')) this.setTheme(wanted.has('dark') ? 'dark' : 'light');
    const look = wanted.get('view') as Look | null;
    if (look && lookNames.includes(look)) this.view.eye.look(look);
    const t = Number(wanted.get('t') ?? NaN);
    if (this.playing && Number.isFinite(t)) this.toggle();
    this.goTo(Number.isFinite(t) ? t : this.time);
  }

  private setTheme(to: Theme): void {
    setTheme(to);
    this.view.setTheme(to);
    this.bar.renew();
    this.plots.draw();
  }

  private key(key: string): boolean {
    const step = (this.end - this.start) / 100;
    if (key === ',' || key === '.') this.goTo(this.time + (key === '.' ? step : -step));
    else if (key === 'Home') this.goTo(this.start);
    else if (key === 'End') this.goTo(this.end);
    else return false;
    return true;
  }

  private toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.start;
    this.play.replaceChildren(icon(this.playing ? 'pause' : 'play'));
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
    this.view.show(this.player.at(this.time));
    this.plots.show(this.time);
    document.documentElement.dataset['time'] = this.time.toFixed(4);
    document.documentElement.dataset['theme'] = theme();
  }

  /// Resolves when the picture of that time is on the screen.
  private async showDrawn(t: number): Promise<void> {
    this.goTo(t);
    this.view.draw();
    await new Promise((done) => requestAnimationFrame(done));
  }
}

const fault = (error: unknown) =>
  document.body.replaceChildren(h('p', { class: 'failure', role: 'alert' }, `This report cannot be shown: ${String(error)}`));
addStyles().then(readRun).then((run) => new Report(run)).catch(fault);
