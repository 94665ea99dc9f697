// The live page: the simulation that the program runs, and all that a hand can do to it.
import { Connection } from './connection';
import { DiagramView } from './diagram';
import { Figures, Notices } from './figures';
import { h } from './format';
import { Hands } from './hands';
import { help, listen, viewKeys } from './help';
import { Inspector } from './inspector';
import { Extent } from './model';
import { Past } from './past';
import { Pendant } from './pendant';
import { Plots } from './plots';
import { channelsOf, jumped, readFrame, shotOf, type Frame, type FromServer, type Hello, type Status, type ToServer } from './protocol';
import { Ranges } from './ranges';
import { LiveTable } from './table';
import { tabs } from './tabs';
import { addStyles, firstTheme, setTheme, themeButton, type Theme } from './theme';
import { Transport } from './transport';
import { View3d } from './view3d';
import { ViewBar } from './viewbar';

const spans = [10, 30, 60, 300]; // shown in plots [s]
const plotsEvery = 100; // [ms]

class Live {
  private hello: Hello | null = null;
  private status: Status | null = null;
  private shownTime: number | null = null; // null: the newest
  private frame: Frame | null = null; // that is shown
  private changed = false;
  private fits: 'iso' | 'keep' | null = null; // the world is to be drawn anew, by the next frame
  private plotsDrawn = 0;
  private span = 30;
  private selected = '';
  private subscriptions = new Map<number, string[]>();
  private lastId = 0;
  private readonly past = new Past(innerWidth < 900 ? 24e6 : 96e6);
  private readonly ranges = new Ranges(this.past, () => this.hello);
  private readonly table = new LiveTable();
  private readonly notices = new Notices();
  private readonly figures = new Figures();
  private readonly connection: Connection;
  private readonly view: View3d;
  private readonly bar: ViewBar;
  private readonly plots: Plots;
  private readonly diagram = new DiagramView((id) => this.select(id));
  private readonly inspector = new Inspector(
    (path, value) => this.send({ type: 'edit', path, value }),
    (channel) => this.plots.add(channel),
    () => this.select(''),
  );
  private readonly pendant = new Pendant((name, value) => this.send({ type: 'input', name, value }));
  private readonly hands: Hands;
  private readonly title = h('h1', {}, 'Hawser');
  private readonly link = h('span', { class: 'link-state', role: 'status' }, 'connecting');
  private readonly sceneText = h('pre', { tabindex: 0, 'aria-label': 'Scene file' });
  private readonly sceneFile = h('p', { class: 'note' });
  private readonly transport = new Transport((message) => this.send(message), (t) => this.scrub(t), () => this.toggle());
  private readonly help = help([
    ['space', 'play or pause'],
    ['.', 'one step'],
    [', and ;', 'one picture back or forth in the past'],
    ['End', 'back to the present'],
    ['Backspace', 'reset to the start'],
    ['v p x', 'select, pull, cut'],
    ['Ctrl-drag', 'pull a body or cable with a spring'],
    ['w s', 'first speed input up or down, while held; then a d, q e, r f, i k, j l'],
    ...viewKeys,
    ['click', 'select; in a plot: look at that time; drag there: zoom, double click: the newest'],
  ]);

  constructor() {
    const empty = { title: '', up: [0, 0, 1] as [number, number, number], cables: [], bodies: [], supports: [], pulleys: [], joints: [], winches: [], ground: null };
    this.view = new View3d({ ...empty, low: [-1, -1, 0], high: [1, 1, 1] });
    this.bar = new ViewBar(this.view, (colouring) => this.ranges.of(colouring), () => (this.changed = true));
    this.plots = new Plots(this.table, () => this.spanShown(), (t) => this.scrub(t));
    this.table.onWant = () => this.subscribe();
    this.hands = new Hands(this.view, () => this.hello, (message) => this.send(message), (id) => this.select(id), (text) => this.say(text));
    document.documentElement.classList.add('app');
    document.body.replaceChildren(this.layout(), this.help.sheet);
    this.setTheme(firstTheme());
    listen((key) => this.key(key));
    const token = new URLSearchParams(location.search).get('token') ?? '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection(`${scheme}://${location.host}/live?token=${encodeURIComponent(token)}`, {
      message: (message) => this.message(message),
      frame: (data) => this.take(data),
      connected: (is) => this.connected(is),
    });
    const tick = (now: number) => {
      this.pendant.poll();
      this.show(now);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private layout(): HTMLElement {
    const span = h(
      'select',
      { 'aria-label': 'Time shown in plots', change: () => {
        this.span = Number(span.value);
        this.plots.zoom(null, null);
      } },
      ...spans.map((s) => h('option', { value: s, selected: s === this.span }, `last ${s} s`)),
    );
    this.plots.element.prepend(h('div', { class: 'plots-bar' }, this.plots.element.firstElementChild!, span));
    this.bar.element.setAttribute('aria-label', 'View');
    const scene = h(
      'section',
      { class: 'scene', 'aria-label': 'Simulation' },
      h('div', { class: 'bars' }, this.hands.bar, this.bar.element),
      h('div', { class: 'view-box' }, this.view.element, this.bar.legend.element, this.bar.scale, this.notices.element, this.inspector.element, this.hands.force),
      this.pendant.element,
      this.transport.element,
    );
    const side = tabs('Beside the view', [
      ['Plots', this.plots.element],
      ['Diagram', h('div', { class: 'pane' }, this.diagram.element)],
      ['Scene', h('div', { class: 'pane' }, this.sceneFile, this.sceneText)],
    ]);
    return h(
      'main',
      { class: 'live-page' },
      h('header', { class: 'topbar' }, h('div', { class: 'name' }, this.title, this.link), this.figures.element,
        h('div', { class: 'group-end' }, this.help.button, themeButton((to) => this.setTheme(to)))),
      h('div', { class: 'stage' }, scene, side),
    );
  }

  private setTheme(to: Theme): void {
    setTheme(to);
    this.view.setTheme(to);
    this.bar.renew();
    this.plots.draw();
  }

  private say(text: string): void {
    this.notices.set('say', 'info', text);
    setTimeout(() => this.notices.set('say', 'info', null), 5000);
  }

  private send(message: ToServer): void {
    this.connection.send(message);
  }

  private connected(is: boolean): void {
    document.documentElement.dataset['connected'] = String(is);
    this.link.textContent = is ? 'connected' : 'connecting';
    this.link.classList.toggle('on', is);
    this.notices.set('lost', 'bad', is || !this.hello ? null : 'The connection to the program is lost. Trying again.');
  }

  private message(message: FromServer): void {
    if (message.type === 'hello') this.greet(message);
    else if (message.type === 'status') this.showStatus(message);
    else if (message.type === 'problem') this.notices.problems(message.problems);
    else if (message.type === 'subscribed') this.subscriptions.set(message.id, message.columns.map((c) => c.name));
    else if (message.type === 'refused') this.say(message.message);
    else if (message.type === 'edited') this.say(`${message.path} is now ${message.value}.`);
  }

  /// A model: the first one, or another. Camera and plots stay.
  private greet(hello: Hello): void {
    const first = this.hello === null;
    const goesOn = (hello.reason === 'cut' || hello.reason === 'mesh' || hello.reason === 'open') && this.hello !== null && alike(this.hello, hello);
    this.hello = hello;
    if (!goesOn) {
      this.past.clear();
      this.table.clear();
      this.ranges.clear();
      this.shownTime = null;
      this.frame = null;
    }
    this.title.textContent = hello.title || 'Hawser';
    document.title = `${hello.title} – Hawser`;
    this.fits = first ? 'iso' : 'keep';
    this.diagram.show(hello.diagram);
    this.pendant.setInputs(hello.inputs);
    this.sceneFile.textContent = hello.file;
    this.sceneText.textContent = hello.scene;
    this.table.setColumns(hello.channels);
    this.plots.setGroups(first ? this.firstPlots(hello) : this.plots.groups);
    this.select(hello.diagram.nodes.some((n) => n.id === this.selected) || hello.diagram.lines.some((l) => l.id === this.selected) ? this.selected : '');
    document.documentElement.dataset['layout'] = String(hello.layout);
  }

  /// What the scene records, a plot a unit.
  private firstPlots(hello: Hello): string[][] {
    const groups = new Map<string, string[]>();
    for (const name of hello.plots) {
      const unit = hello.channels.find((c) => c.name === name)?.unit;
      if (unit === undefined) continue;
      const group = groups.get(unit) ?? [];
      if (group.length < 4) groups.set(unit, [...group, name]);
    }
    return [...groups.values()].slice(0, 3);
  }

  private subscribe(): void {
    if (!this.hello) return;
    const channels = [...new Set([...this.plots.names, ...this.inspector.names])].slice(0, 64);
    this.send({ type: 'subscribe', id: ++this.lastId, channels });
    for (const id of this.subscriptions.keys()) if (id < this.lastId - 8) this.subscriptions.delete(id);
  }

  private take(data: ArrayBuffer): void {
    const frame = this.hello && readFrame(data, this.hello);
    if (!frame) return;
    if (frame.flags & jumped) this.table.cut(frame.time);
    this.past.add(frame);
    const names = this.subscriptions.get(frame.subscription);
    if (names) this.table.add(frame.time, names, channelsOf(frame));
    this.changed = true;
  }

  private showStatus(status: Status): void {
    this.status = status;
    this.figures.show(status);
    this.notices.status(status, this.hello?.step ?? 0);
    this.pendant.show(status);
    this.transport.showStatus(status);
    document.documentElement.dataset['paused'] = String(status.paused);
  }

  /// Once a picture, if there is something new.
  private show(now: number): void {
    if (!this.changed || !this.past.last) return;
    this.changed = false;
    const newest = this.past.last;
    const frame = this.shownTime === null ? newest : this.past.at(this.shownTime)!;
    const shot = shotOf(frame);
    if (this.fits) this.drawWorld(shotOf(newest));
    this.frame = frame;
    if (this.ranges.widen(shot, this.bar.colouring)) this.bar.renew();
    this.view.show(shot);
    this.hands.show(this.shownTime === null ? shot.pull : null);
    const channels = frame.hello === this.hello ? this.subscriptions.get(frame.subscription) : undefined;
    const values = channels && channelsOf(frame);
    this.inspector.show(shot, (name) => values?.[channels!.indexOf(name)]);
    this.transport.show(this.past.first, newest.time, frame.time);
    const { dataset } = document.documentElement;
    dataset['time'] = frame.time.toFixed(4);
    dataset['newest'] = newest.time.toFixed(4);
    dataset['frames'] = String(this.past.count);
    dataset['kept'] = String(this.past.bytes + this.table.bytes);
    this.plots.time = frame.time;
    if (now - this.plotsDrawn > plotsEvery || this.status?.paused || this.shownTime !== null) {
      this.plotsDrawn = now;
      this.plots.renew();
    }
  }

  /// What stays, in a box that the first frame gives.
  private drawWorld(shot: ReturnType<typeof shotOf>): void {
    const hello = this.hello!;
    const extent = new Extent();
    extent.include(shot, hello.bodies);
    const world = extent.known ? { ...hello, low: extent.low, high: extent.high } : hello;
    this.view.setWorld(world, this.fits === 'iso' ? 'iso' : undefined);
    this.fits = null;
    this.bar.setWorld(world);
  }

  private spanShown(): [number, number] {
    const newest = this.past.last?.time ?? 0;
    const to = this.shownTime === null ? newest : Math.min(newest, Math.max(this.shownTime + 0.1 * this.span, this.past.first + this.span));
    const from = Math.max(this.past.first, to - this.span);
    return [from, Math.max(to, from + 1)];
  }

  /// A time of the past; null: the present.
  private scrub(t: number | null): void {
    const newest = this.past.last?.time ?? 0;
    this.shownTime = t === null || t >= newest ? null : Math.max(t, this.past.first);
    const behind = this.shownTime === null ? null : `You see the past. The simulation ${this.status?.paused ? 'is paused' : 'goes on'} at the present.`;
    this.notices.set('past', 'info', behind);
    this.transport.setLive(this.shownTime === null);
    this.changed = true;
  }

  private toggle(): void {
    if (this.shownTime !== null) this.scrub(null);
    this.send({ type: this.status?.paused ? 'play' : 'pause' });
  }

  private key(key: string): boolean {
    const t = this.frame?.time ?? 0;
    if (key === ',') this.scrub(Math.max(this.past.first, t - 1 / 30));
    else if (key === ';') this.scrub(t + 1 / 30);
    else if (key === 'Escape') this.select('');
    else return false;
    return true;
  }

  private select(id: string): void {
    this.selected = id;
    this.view.select(id);
    this.diagram.select(id);
    if (!this.hello) return;
    this.inspector.select(id, this.hello);
    this.subscribe();
    this.changed = true;
  }
}

/// The same things, though their points may differ: frames of the one can be shown with the other.
function alike(a: Hello, b: Hello): boolean {
  const names = (hello: Hello) => JSON.stringify([hello.file, hello.cables.map((c) => c.name), hello.bodies.map((c) => c.name), hello.supports.length]);
  return names(a) === names(b);
}

const fault = (error: unknown) =>
  document.body.replaceChildren(h('p', { class: 'failure', role: 'alert' }, `The page cannot be shown: ${String(error)}`));
addStyles().then(() => new Live()).catch(fault);
