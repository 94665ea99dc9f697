// The controls of the view: where from, colours, thickness, names, what to follow, a picture.
import { lookNames, type Look } from './eye';
import { h, quantity, save } from './format';
import { icon } from './icons';
import { Legend, niceRange, type Range } from './legend';
import { colourings, type Colouring, type World } from './model';
import { theme } from './theme';
import type { View3d } from './view3d';

const titles: Record<Look, string> = { iso: 'The whole scene (1)', front: 'Along y (2)', side: 'Along x (3)', top: 'From above (4)' };

export class ViewBar {
  readonly element = h('div', { class: 'viewbar', role: 'toolbar', 'aria-label': 'View' });
  readonly legend = new Legend();
  readonly scale = h('span', { class: 'scale' });
  colouring: Colouring = 'tension';
  private follow = '';
  private names = false;

  /// `range`: of what occurs in a run.
  constructor(
    private readonly view: View3d,
    private readonly range: (colouring: Colouring) => Range,
    private readonly changed: () => void,
  ) {}

  setWorld(world: World): void {
    const looks = lookNames.map((name, i) =>
      h('button', { title: titles[name], 'data-key': i + 1, click: () => this.view.eye.look(name) }, name === 'iso' ? 'Fit' : name[0]!.toUpperCase() + name.slice(1)),
    );
    const choices = colourings(world);
    if (!choices.includes(this.colouring)) this.colouring = 'tension';
    const colouring = h(
      'select',
      { 'aria-label': 'Colour of the cables', title: 'Colour of the cables (C)', change: () => this.setColouring(colouring.value as Colouring) },
      ...choices.map((c) => h('option', { value: c, selected: c === this.colouring }, c)),
    );
    const next = h('button', { hidden: true, 'data-key': 'c', 'aria-label': 'Next colour', click: () => {
      colouring.selectedIndex = (colouring.selectedIndex + 1) % choices.length;
      this.setColouring(colouring.value as Colouring);
    } });
    if (!world.bodies.some((b) => b.name === this.follow)) this.follow = '';
    const follow = h(
      'select',
      { 'aria-label': 'Body that the view follows', change: () => this.setFollow(follow.value) },
      h('option', { value: '' }, 'follow nothing'),
      ...world.bodies.map((b) => h('option', { value: b.name, selected: b.name === this.follow }, `follow ${b.name}`)),
    );
    const names = h('button', { class: 'icon', title: 'Names (N)', 'aria-label': 'Names', 'data-key': 'n', click: () => {
      this.names = !this.names;
      names.setAttribute('aria-pressed', String(this.names));
      this.view.setLabels(this.names);
    } }, icon('names'));
    names.setAttribute('aria-pressed', String(this.names));
    this.element.replaceChildren(
      h('div', { class: 'group' }, ...looks),
      h('label', { class: 'inline' }, 'colour', colouring, next),
      this.thickness(),
      world.bodies.length > 0 ? follow : '',
      names,
      h('button', { class: 'icon', title: 'Save a picture (PNG)', 'aria-label': 'Save a picture', click: () => void this.picture() }, icon('image')),
    );
    this.scale.textContent = `grid ${quantity(this.view.cell, 'm')}`;
    this.renew();
  }

  private thickness(): HTMLElement {
    const text = h('output', {}, '× 1');
    const input = h('input', {
      type: 'range', min: 0, max: 1.3, step: 0.01, value: 0, 'aria-label': 'Exaggeration of the thickness of cables',
      title: 'Thickness of the cables: × 1 is their true diameter, but never thinner than a line',
      input: () => {
        const factor = Math.pow(10, Number(input.value));
        text.textContent = `× ${factor < 10 ? Number(factor.toFixed(1)) : Math.round(factor)}`;
        this.view.setExaggeration(factor);
      },
    });
    return h('label', { class: 'inline thick' }, 'thickness', input, text);
  }

  private setFollow(body: string): void {
    this.follow = body;
    this.view.setFollow(body);
  }

  private setColouring(colouring: Colouring): void {
    this.colouring = colouring;
    this.renew();
    this.changed();
  }

  /// Colours and legend for what has occurred by now.
  renew(): void {
    const range = niceRange(this.colouring, this.range(this.colouring));
    this.view.setColouring(this.colouring, range);
    this.legend.show(this.colouring, range, theme() === 'dark');
  }

  private async picture(): Promise<void> {
    const blob = await this.view.picture();
    if (blob) save(blob, 'hawser.png');
  }
}
