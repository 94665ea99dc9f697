// A field to choose one of many names by typing: the words typed may be anywhere in the name.
import { h, unitText } from './format';
import type { Column } from './model';

let count = 0;

export function chooser(label: string, columns: () => readonly Column[], choose: (name: string) => void): HTMLElement {
  const id = `choices-${++count}`;
  const list = h('ul', { id, role: 'listbox', 'aria-label': label, class: 'choices', hidden: true });
  let shown: readonly Column[] = [];
  let active = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const take = (name: string) => {
    input.value = '';
    close();
    choose(name);
  };
  const mark = () => {
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === active)));
    list.children[active]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', `${id}-${active}`);
  };
  const open = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = columns().filter((c) => words.every((word) => c.name.toLowerCase().includes(word)));
    shown = fits.slice(0, 60);
    active = 0;
    const item = (c: Column, i: number) =>
      h('li', { id: `${id}-${i}`, role: 'option', 'aria-selected': i === 0 ? 'true' : 'false', pointerdown: (e) => (e.preventDefault(), take(c.name)) },
        h('span', {}, c.name), h('span', { class: 'unit' }, unitText(c.unit)));
    list.replaceChildren(...shown.map(item));
    if (fits.length > shown.length) list.append(h('li', { class: 'more', role: 'presentation' }, `${fits.length - shown.length} more: type on`));
    list.hidden = shown.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    if (!list.hidden) mark();
  };
  const key = (event: Event) => {
    const { key } = event as KeyboardEvent;
    if (key === 'Escape') close();
    else if (key === 'Enter' && shown[active] && !list.hidden) take(shown[active]!.name);
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (list.hidden) open();
      else active = (active + (key === 'ArrowDown' ? 1 : shown.length - 1)) % Math.max(1, shown.length);
      mark();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const input = h('input', {
    type: 'text', role: 'combobox', 'aria-label': label, 'aria-controls': id, 'aria-expanded': 'false', 'aria-autocomplete': 'list',
    autocomplete: 'off', spellcheck: 'false', placeholder: 'Add a channel: type its name', input: open, focus: open, blur: close, keydown: key,
  });
  return h('div', { class: 'chooser' }, input, list);
}
