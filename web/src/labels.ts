// Names in the view. Where two would overlap, the one named first is shown.
import * as THREE from 'three';
import { h } from './format';

interface Label {
  element: HTMLElement;
  place: (out: THREE.Vector3) => void; // in the scene's axes
  width: number; // pixels; 0: not measured yet
}

const height = 18;

export class Labels {
  readonly element = h('div', { class: 'labels', 'aria-hidden': 'true' });
  private labels: Label[] = [];
  shown = false;

  clear(): void {
    this.labels = [];
    this.element.replaceChildren();
  }

  add(text: string, kind: string, place: (out: THREE.Vector3) => void): void {
    const element = h('span', { class: `label ${kind}` }, text);
    this.element.append(element);
    this.labels.push({ element, place, width: 0 });
  }

  draw(camera: THREE.Camera, toWorld: THREE.Matrix4, wide: number, tall: number): void {
    this.element.hidden = !this.shown;
    if (!this.shown) return;
    const taken: [number, number, number][] = [];
    const p = new THREE.Vector3();
    for (const label of this.labels) {
      label.place(p);
      p.applyMatrix4(toWorld).project(camera);
      const x = Math.round(((p.x + 1) / 2) * wide + 9);
      const y = Math.round(((1 - p.y) / 2) * tall - height / 2);
      if (label.width === 0) label.width = label.element.offsetWidth + 4;
      const inside = p.z < 1 && Math.abs(p.x) < 1 && Math.abs(p.y) < 1;
      const free = inside && taken.every(([a, b, w]) => x + label.width < a || a + w < x || Math.abs(y - b) > height);
      label.element.style.visibility = free ? 'visible' : 'hidden';
      if (!free) continue;
      taken.push([x, y, label.width]);
      label.element.style.transform = `translate(${x}px, ${y}px)`;
    }
  }
}
