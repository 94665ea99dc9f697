// What is selected: its values now, its channels, and the fields of the scene file that can be changed.
import { h, quantity } from './format';
import { icon } from './icons';
import type { Column, Shot } from './model';
import type { Field, Hello } from './protocol';

const mostChannels = 12;

export class Inspector {
  readonly element = h('aside', { class: 'inspector', 'aria-label': 'Selection', hidden: true });
  private id = '';
  private hello: Hello | null = null;
  private readonly facts = h('dl', { class: 'now' });
  private channels: Column[] = [];
  private readonly values = new Map<string, HTMLElement>();

  constructor(
    private readonly edit: (path: string, value: string) => void,
    private readonly plot: (channel: string) => void,
    private readonly close: () => void,
  ) {}

  /// Channels of what is selected, to be read with every frame.
  get names(): string[] {
    return this.channels.map((c) => c.name);
  }

  select(id: string, hello: Hello): void {
    this.id = id;
    this.hello = hello;
    const node = hello.diagram.nodes.find((n) => n.id === id) ?? hello.diagram.lines.find((l) => l.id === id);
    const [kind = '', name = ''] = id.split('/');
    this.element.hidden = id === '';
    this.channels = id === '' ? [] : hello.channels.filter((c) => c.name.startsWith(`${name}.`)).slice(0, mostChannels);
    if (id === '') return;
    const fields = node?.path ? hello.fields.filter((f) => f.path === node.path || f.path.startsWith(`${node.path}.`) || f.path.startsWith(`${node.path}[`)) : [];
    this.values.clear();
    this.element.replaceChildren(
      h('div', { class: 'inspector-bar' }, h('div', {}, h('span', { class: 'kind' }, kind), h('strong', {}, node?.name ?? name)),
        h('button', { class: 'icon', 'aria-label': 'Close the selection', title: 'Close (Esc)', click: () => this.close() }, icon('close'))),
      this.facts,
      this.channels.length > 0 ? h('h3', {}, 'Channels') : '',
      h('ul', { class: 'channels' }, ...this.channels.map((c) => this.channel(c, name))),
      fields.length > 0 ? h('h3', {}, hello.editable ? 'In the scene file' : 'In the scene file (read only)') : '',
      h('div', { class: 'fields' }, ...fields.map((f) => this.field(f, node!.path!, hello.editable))),
    );
    this.fillFacts(null);
  }

  private channel(column: Column, name: string): HTMLElement {
    const value = h('span', { class: 'value' });
    this.values.set(column.name, value);
    const label = column.name.slice(name.length + 1);
    const click = () => this.plot(column.name);
    return h('li', {}, h('button', { class: 'link', title: `Plot ${column.name}`, 'aria-label': `Plot ${column.name}`, click }, label), value);
  }

  private field(field: Field, path: string, editable: boolean): HTMLElement {
    const label = field.path.slice(path.length).replace(/^\./, '') || field.path;
    const input = h('input', {
      type: 'text', value: field.value, 'aria-label': field.path, title: `line ${field.line}: change it and press Enter`, spellcheck: 'false', disabled: !editable,
      change: () => input.value !== field.value && this.edit(field.path, input.value),
    });
    return h('label', {}, h('span', {}, label), input);
  }

  private fillFacts(shot: Shot | null): void {
    const rows = this.hello ? factsOf(this.id, this.hello, shot) : [];
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
  }

  show(shot: Shot, read: (channel: string) => number | undefined): void {
    if (this.id === '') return;
    this.fillFacts(shot);
    for (const { name, unit } of this.channels) {
      const value = read(name);
      this.values.get(name)!.textContent = value === undefined || Number.isNaN(value) ? '' : quantity(value, unit);
    }
  }
}

function factsOf(id: string, hello: Hello, shot: Shot | null): [string, string][] {
  const [kind, name] = id.split('/');
  const point = (array: ArrayLike<number>, at: number) => [0, 1, 2].map((k) => array[at + k]!.toFixed(3)).join(', ') + ' m';
  if (kind === 'cable') {
    const i = hello.cables.findIndex((c) => c.name === name);
    const cable = hello.cables[i];
    if (!cable) return [];
    const out: [string, string][] = [['model', cable.model], ['length', quantity(cable.length, 'm')]];
    if (cable.diameter > 0) out.push(['diameter', quantity(cable.diameter, 'm')]);
    if (cable.breaking_load > 0) out.push(['breaking load', quantity(cable.breaking_load, 'N')]);
    const tension = shot?.strands[i]?.fields.tension;
    if (!tension || tension.length === 0) return out;
    const most = tension.reduce((a, b) => Math.max(a, b));
    out.push(['greatest tension', quantity(most, 'N')], ['least tension', quantity(tension.reduce((a, b) => Math.min(a, b)), 'N')]);
    if (cable.breaking_load > 0) out.push(['of breaking load', `${((100 * most) / cable.breaking_load).toFixed(1)} %`]);
    return out;
  }
  if (kind === 'body') {
    const i = hello.bodies.findIndex((b) => b.name === name);
    const body = hello.bodies[i];
    if (!body) return [];
    const out: [string, string][] = [['mass', body.mass >= 1000 ? `${Number((body.mass / 1000).toPrecision(4))} t` : quantity(body.mass, 'kg')]];
    if (shot) out.push(['position', point(shot.poses, 7 * i)]);
    return out;
  }
  if (kind === 'support') {
    const i = hello.supports.findIndex((s) => s.name === name);
    return i < 0 ? [] : [['position', shot?.supports ? point(shot.supports, 3 * i) : point(hello.supports[i]!.position, 0)]];
  }
  if (kind === 'joint') {
    const joint = hello.joints.find((j) => j.name === name);
    return joint ? [['kind', joint.kind]] : [];
  }
  if (kind === 'pulley') {
    const pulley = hello.pulleys.find((p) => id === `pulley/${p.cable}/${p.stop}`);
    return pulley ? [['of cable', pulley.cable], ['radius', quantity(pulley.radius, 'm')]] : [];
  }
  return [];
}
