// What the pointer does in the live view: select, pull by a spring, cut. Turning the view is the view's own.
import * as THREE from 'three';
import { h, quantity } from './format';
import { icon, type Icon } from './icons';
import type { Triple } from './model';
import type { Picked } from './pick';
import { arcLength, type Hello, type Pull, type ToServer } from './protocol';
import type { View3d } from './view3d';

export type Tool = 'select' | 'pull' | 'cut';
const tools: readonly [Tool, string, string, Icon][] = [
  ['select', 'v', 'Select (V)', 'hand'],
  ['pull', 'p', 'Pull a body or cable (P, or Ctrl and drag)', 'pull'],
  ['cut', 'x', 'Cut a cable (X)', 'cut'],
];

export class Hands {
  readonly bar: HTMLElement;
  readonly force = h('output', { class: 'force', hidden: true, 'aria-label': 'Force of the pull' });
  private tool: Tool = 'select';
  private readonly buttons = new Map<Tool, HTMLElement>();
  private held: { picked: Picked; target: THREE.Vector3; sent: boolean } | null = null;
  private down: { x: number; y: number } | null = null;

  constructor(
    private readonly view: View3d,
    private readonly hello: () => Hello | null,
    private readonly send: (message: ToServer) => void,
    private readonly select: (id: string) => void,
    private readonly say: (text: string) => void,
  ) {
    for (const [tool, key, title, picture] of tools)
      this.buttons.set(tool, h('button', { class: 'icon', title, 'aria-label': title, 'data-key': key, click: () => this.setTool(tool) }, icon(picture)));
    this.bar = h('div', { class: 'group tools', role: 'group', 'aria-label': 'Tool' }, ...this.buttons.values());
    this.setTool('select');
    const { canvas } = view;
    // Before the view's own listeners, so that a drag that pulls does not turn it.
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.lift(event));
    canvas.addEventListener('pointercancel', () => this.letGo());
    addEventListener('blur', () => this.letGo());
    const tick = () => {
      this.sendPull();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    for (const [name, button] of this.buttons) button.setAttribute('aria-pressed', String(name === tool));
    this.view.canvas.dataset['tool'] = tool;
  }

  private pick(event: PointerEvent): Picked | null {
    return this.view.pick(event.clientX, event.clientY, event.pointerType === 'touch' ? 22 : 9);
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.down = { x: event.clientX, y: event.clientY };
    if (this.tool !== 'pull' && !event.ctrlKey) return;
    const picked = this.pick(event);
    const hello = this.hello();
    if (!picked || !hello) return;
    if (picked.body < 0 && picked.cable < 0) return this.say('Only bodies and cables can be pulled.');
    if (picked.cable >= 0 && !hello.cables[picked.cable]!.can_pull)
      return this.say(`'${hello.cables[picked.cable]!.name}' has no mass, so it cannot be pulled: pull what it holds.`);
    event.stopImmediatePropagation(); // the view does not turn
    this.view.canvas.setPointerCapture(event.pointerId);
    this.held = { picked, target: picked.point.clone(), sent: false };
    this.down = null;
  }

  private move(event: PointerEvent): void {
    if (this.held) {
      this.held.target = this.view.under(event.clientX, event.clientY, this.held.picked.point);
      this.held.sent = false;
    } else if (event.buttons === 0) {
      const over = this.pick(event);
      this.view.canvas.classList.toggle('over', over !== null && (this.tool !== 'cut' || over.cable >= 0));
    }
  }

  private lift(event: PointerEvent): void {
    if (this.held) return this.letGo();
    const still = this.down && Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < 5;
    this.down = null;
    if (!still) return;
    const picked = this.pick(event);
    if (this.tool === 'cut') this.cut(picked);
    else this.select(picked?.id ?? '');
  }

  private cut(picked: Picked | null): void {
    const hello = this.hello();
    if (!hello || !picked || picked.cable < 0) return this.say('Click on a cable to cut it.');
    const cable = hello.cables[picked.cable]!;
    if (!cable.can_cut) return this.say(`'${cable.name}' cannot be cut.`);
    this.send({ type: 'cut', cable: cable.name, s: arcLength(hello, picked.cable, picked.place) });
    this.setTool('select');
  }

  private letGo(): void {
    if (!this.held) return;
    this.held = null;
    this.send({ type: 'release' });
  }

  /// At most once a picture.
  private sendPull(): void {
    const hello = this.hello();
    if (!this.held || this.held.sent || !hello) return;
    const { picked, target } = this.held;
    this.held.sent = true;
    const to = target.toArray() as Triple;
    if (picked.body >= 0) this.send({ type: 'pull', body: hello.bodies[picked.body]!.name, at: picked.at.toArray() as Triple, target: to });
    else this.send({ type: 'pull', cable: hello.cables[picked.cable]!.name, s: arcLength(hello, picked.cable, picked.place), target: to });
  }

  /// The spring as the simulation has it; another page may hold it.
  show(pull: Pull | null): void {
    this.force.hidden = pull === null;
    if (!pull) {
      this.view.spring.hide();
      return;
    }
    const point = new THREE.Vector3(...pull.point);
    const force = new THREE.Vector3(...pull.force);
    const away = force.clone().normalize().multiplyScalar(0.2 * this.view.extent);
    const target = this.held ? this.held.target : point.clone().add(away);
    this.view.spring.show(point, target);
    const at = this.view.project(target);
    this.force.textContent = quantity(force.length(), 'N');
    if (at) this.force.style.transform = `translate(${Math.round(at.x + 14)}px, ${Math.round(at.y - 30)}px)`;
    this.view.redraw();
  }
}
