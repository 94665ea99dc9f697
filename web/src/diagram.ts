// The scene as a diagram: what stands or moves as boxes with their pulleys and winches in them, joints between them,
// cables along their routes. Boxes are in rows by their distance from the supports.
import { h } from './format';

export interface Diagram {
  nodes: { id: string; kind: string; name: string; path?: string }[];
  lines: { id: string; kind: string; name: string; path?: string; nodes: string[] }[];
}

interface Box {
  id: string;
  kind: string;
  name: string;
  ports: string[]; // pulleys and winches that it carries
  row: number;
  x: number; // middle
  width: number;
}

const tall = 46;
const gap = 74; // between rows
const space = 22; // between boxes
const most = 120; // boxes
const mostLoose = 12; // cables between points that are nothing else: the cords of a net

/// Without the cords of a net, which would be a row of lines side by side; and how many they are.
function withoutNet(diagram: Diagram): { diagram: Diagram; left: number } {
  const points = new Set(diagram.nodes.filter((n) => n.kind === 'point').map((n) => n.id));
  const loose = diagram.lines.filter((l) => l.kind === 'cable' && l.nodes.every((id) => points.has(id)));
  if (loose.length <= mostLoose) return { diagram, left: 0 };
  const gone = new Set(loose.flatMap((l) => l.nodes));
  return { diagram: { nodes: diagram.nodes.filter((n) => !gone.has(n.id)), lines: diagram.lines.filter((l) => !loose.includes(l)) }, left: loose.length };
}

/// Boxes with their ports, and which box a node belongs to.
function boxesOf(diagram: Diagram): { boxes: Box[]; owner: Map<string, Box> } {
  const owner = new Map<string, Box>();
  const boxes: Box[] = [];
  for (const { id, kind, name } of diagram.nodes)
    if (kind !== 'joint' && kind !== 'pulley' && kind !== 'winch') {
      const box = { id, kind, name, ports: [], row: -1, x: 0, width: 0 };
      boxes.push(box);
      owner.set(id, box);
    }
  for (const { kind, nodes } of diagram.lines) {
    const box = kind === 'carries' ? owner.get(nodes[0]!) : undefined;
    if (!box || owner.has(nodes[1]!)) continue;
    box.ports.push(nodes[1]!);
    owner.set(nodes[1]!, box);
  }
  for (const { id, kind, name } of diagram.nodes) // carried by nothing that is drawn
    if ((kind === 'pulley' || kind === 'winch') && !owner.has(id)) {
      const box = { id: `${id}/ground`, kind: 'support', name, ports: [id], row: -1, x: 0, width: 0 };
      boxes.push(box);
      owner.set(id, box);
    }
  for (const box of boxes)
    box.width = box.kind === 'point' ? 16 : Math.max(56, 22 + 7.2 * box.name.length, 22 + 30 * box.ports.length);
  return { boxes, owner };
}

function neighboursOf(diagram: Diagram, boxes: Box[], owner: Map<string, Box>): Map<Box, Box[]> {
  const out = new Map<Box, Box[]>(boxes.map((box) => [box, []]));
  for (const { kind, nodes } of diagram.lines) {
    if (kind === 'carries') continue;
    const along = nodes.map((id) => owner.get(id)).filter((box): box is Box => box !== undefined);
    for (let i = 0; i + 1 < along.length; ++i)
      if (along[i] !== along[i + 1]) {
        out.get(along[i]!)!.push(along[i + 1]!);
        out.get(along[i + 1]!)!.push(along[i]!);
      }
  }
  return out;
}

/// Rows by distance from the supports; in each, boxes near the middle of those they are connected to.
function arrange(boxes: Box[], neighbours: Map<Box, Box[]>): Box[][] {
  let queue = boxes.filter((box) => box.kind === 'support');
  for (let next = 0; next <= boxes.length; ++next) {
    for (const box of queue) if (box.row < 0) box.row = 0;
    while (queue.length > 0) {
      const box = queue.shift()!;
      for (const other of neighbours.get(box)!)
        if (other.row < 0) {
          other.row = box.row + 1;
          queue.push(other);
        }
    }
    const left = boxes.find((box) => box.row < 0);
    if (!left) break;
    queue = [left];
  }
  const rows: Box[][] = [];
  for (const box of boxes) (rows[box.row] ??= []).push(box);
  const place = (row: Box[]) => {
    const width = row.reduce((sum, box) => sum + box.width + space, -space);
    let x = -width / 2;
    for (const box of row) {
      box.x = x + box.width / 2;
      x += box.width + space;
    }
  };
  rows.forEach(place);
  for (let sweep = 0; sweep < 8; ++sweep)
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const wish = new Map(row.map((box) => {
        const others = neighbours.get(box)!;
        return [box, others.length > 0 ? others.reduce((sum, o) => sum + o.x, 0) / others.length : box.x];
      }));
      row.sort((a, b) => wish.get(a)! - wish.get(b)!);
      place(row);
    }
  return rows;
}

/// Where cables meet boxes that have no port for them: side by side on the edge towards where they come from. By number
/// of the route and of its node.
function edgesOf(routes: { nodes: string[] }[], owner: Map<string, Box>, place: (id: string) => [number, number]): Map<string, [number, number]> {
  const sides = new Map<string, { key: string; from: number }[]>();
  routes.forEach(({ nodes }, i) =>
    nodes.forEach((id, k) => {
      const box = owner.get(id)!;
      const other = nodes[k > 0 ? k - 1 : 1];
      if (box.id !== id || box.kind === 'point' || other === undefined) return;
      const [x, y] = place(other);
      const side = `${id} ${y < place(id)[1] ? -1 : 1}`;
      sides.set(side, [...(sides.get(side) ?? []), { key: `${i} ${k}`, from: x }]);
    }),
  );
  const out = new Map<string, [number, number]>();
  for (const [side, ends] of sides) {
    const [id, sign] = side.split(' ') as [string, string];
    const [x, y] = place(id);
    ends.sort((a, b) => a.from - b.from);
    const pitch = Math.min(18, (owner.get(id)!.width - 16) / Math.max(1, ends.length));
    ends.forEach(({ key }, i) => out.set(key, [x + pitch * (i - (ends.length - 1) / 2), y + (Number(sign) * tall) / 2]));
  }
  return out;
}

/// Down or up between rows, in an arc within a row.
function pathOf(points: readonly [number, number][]): string {
  let d = '';
  points.forEach(([x, y], i) => {
    const before = points[i - 1];
    if (!before) d = `M${x} ${y}`;
    else if (Math.abs(before[1] - y) < 1) d += ` Q${(x + before[0]) / 2} ${y + 34} ${x} ${y}`;
    else d += ` C${before[0]} ${(before[1] + y) / 2} ${x} ${(before[1] + y) / 2} ${x} ${y}`;
  });
  return d;
}

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export class DiagramView {
  readonly element = h('div', { class: 'diagram' });
  private parts = new Map<string, SVGElement[]>();
  private selected = '';

  constructor(private readonly choose: (id: string) => void) {}

  show(whole: Diagram): void {
    this.parts.clear();
    const { diagram, left } = withoutNet(whole);
    const { boxes, owner } = boxesOf(diagram);
    if (boxes.length > most) {
      this.element.replaceChildren(h('p', { class: 'note' }, `${boxes.length} parts and ${diagram.lines.length} lines are too many for a diagram.`));
      return;
    }
    const rows = arrange(boxes, neighboursOf(diagram, boxes, owner));
    const width = Math.max(240, ...rows.map((row) => row.reduce((sum, box) => sum + box.width + space, space)));
    const height = rows.length * (tall + gap) - gap + 36;
    const place = (id: string): [number, number] => {
      const box = owner.get(id)!;
      const y = 18 + box.row * (tall + gap) + tall / 2;
      const port = box.ports.indexOf(id);
      return port < 0 ? [box.x, y] : [box.x + 30 * (port - (box.ports.length - 1) / 2), y + 11];
    };
    const drawing = svg('svg', { viewBox: `${-width / 2} 0 ${width} ${height}`, role: 'group', 'aria-label': 'Diagram of the scene' });
    const named = new Map(diagram.nodes.map((node) => [node.id, node]));
    const routes = diagram.lines.filter((l) => l.kind === 'cable').map((l) => ({ ...l, nodes: l.nodes.filter((id) => owner.has(id)) }));
    const edges = edgesOf(routes, owner, place);
    const paths = routes.map((line, i) => pathOf(line.nodes.map((id, k) => edges.get(`${i} ${k}`) ?? place(id))));
    // Boxes are hit before the cables that pass over them; names are on top of all.
    routes.forEach((line, i) => drawing.append(this.part(line.id, `cable ${line.name}`, svg('g', { class: 'cable' }, svg('path', { class: 'hit', d: paths[i]! })))));
    for (const line of diagram.lines) if (line.kind === 'joint') drawing.append(...this.joint(line, owner, place, named));
    for (const box of boxes) drawing.append(this.box(box, place, named));
    routes.forEach((line, i) => {
      const drawn = svg('g', { class: 'cable drawn' }, svg('path', { d: paths[i]! }));
      this.parts.get(line.id)!.push(drawn);
      drawing.append(drawn);
    });
    for (const text of drawing.querySelectorAll('text')) drawing.append(text);
    this.element.replaceChildren(drawing, ...(left > 0 ? [h('p', { class: 'note' }, `${left} cables that only meet other cables are not shown.`)] : []));
    (drawing as SVGSVGElement).style.maxWidth = `${1.1 * width}px`;
    this.select(this.selected);
  }

  /// A part that can be chosen by click or key.
  private part(id: string, label: string, element: SVGElement): SVGElement {
    element.setAttribute('tabindex', '0');
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', label);
    const choose = (event: Event) => {
      event.stopPropagation();
      this.choose(id);
    };
    element.addEventListener('click', choose);
    element.addEventListener('keydown', (event) => ['Enter', ' '].includes((event as KeyboardEvent).key) && (event.preventDefault(), choose(event)));
    this.parts.set(id, [...(this.parts.get(id) ?? []), element]);
    return element;
  }

  private box(box: Box, place: (id: string) => [number, number], named: Map<string, { kind: string; name: string }>): SVGElement {
    const [x, y] = place(box.id.endsWith('/ground') ? box.ports[0]! : box.id);
    if (box.kind === 'point') return this.part(box.id, `point ${box.name}`, svg('circle', { class: 'point', cx: x, cy: y, r: 5 }));
    const frame = svg('rect', { x: box.x - box.width / 2, y: 18 + box.row * (tall + gap), width: box.width, height: tall, rx: box.kind === 'support' ? 3 : 9 });
    const middle = 18 + box.row * (tall + gap) + (box.ports.length > 0 ? 15 : tall / 2 + 4);
    const group = svg('g', { class: `box ${box.kind}` }, frame, svg('text', { x: box.x, y: middle, 'text-anchor': 'middle' }, box.name));
    const out = svg('g', {}, this.part(box.id, `${box.kind} ${box.name}`, group));
    for (const port of box.ports) {
      const [px, py] = place(port);
      const kind = named.get(port)?.kind ?? 'pulley';
      const shape = kind === 'winch' ? svg('rect', { x: px - 8, y: py - 7, width: 16, height: 14, rx: 2 }) : svg('circle', { cx: px, cy: py, r: 8 });
      shape.setAttribute('class', `port ${kind}`);
      out.append(this.part(port, `${kind} ${named.get(port)?.name ?? ''}`, shape));
    }
    return out;
  }

  private joint(line: Diagram['lines'][number], owner: Map<string, Box>, place: (id: string) => [number, number], named: Map<string, { name: string }>): SVGElement[] {
    const [first, id, second] = line.nodes as [string, string, string];
    if (!owner.has(first) || !owner.has(second)) return [];
    const [a, b] = [place(first), place(second)];
    const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const path = svg('path', { class: 'joint-line', d: `M${a[0]} ${a[1]} L${b[0]} ${b[1]}` });
    const name = named.get(id)?.name ?? line.name;
    const mark = svg('g', { class: 'joint' }, svg('path', { d: `M${x} ${y - 8}l8 8l-8 8l-8-8z` }), svg('text', { class: 'joint-name', x: x + 12, y: y + 4 }, name));
    return [path, this.part(id, `joint ${name}`, mark)];
  }

  select(id: string): void {
    for (const part of this.parts.get(this.selected) ?? []) part.classList.remove('selected');
    this.selected = id;
    for (const part of this.parts.get(id) ?? []) part.classList.add('selected');
  }
}
