// Keys of the page: each presses the button that carries it. `?` shows them all.
import { h } from './format';
import { icon } from './icons';

const typing = new Set(['INPUT', 'SELECT', 'TEXTAREA']);

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return (typing.has(target.tagName) && (target as HTMLInputElement).type !== 'range') || target.isContentEditable;
}

/// `more` handles keys that press no button; true: it did.
export function listen(more: (key: string, event: KeyboardEvent) => boolean): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onButton = (event.target as HTMLElement).tagName === 'BUTTON' || (event.target as HTMLElement).tagName === 'SUMMARY';
    if (onButton && (key === ' ' || key === 'Enter')) return; // presses that one
    const button = document.querySelector<HTMLButtonElement>(`button[data-key="${CSS.escape(key)}"]`);
    if (button && !event.repeat) button.click();
    else if (!button && !more(key, event)) return;
    event.preventDefault();
  });
}

/// A button, and the sheet that it opens. Rows of keys and what they do.
export function help(rows: readonly (readonly [string, string])[]): { button: HTMLElement; sheet: HTMLElement } {
  const keys = (text: string) => text.split(' ').map((key) => (/^(or|and|to)$/.test(key) ? ` ${key} ` : h('kbd', {}, key)));
  const sheet: HTMLDialogElement = h(
    'dialog',
    { class: 'help', 'aria-label': 'Help', click: (event) => event.target === sheet && sheet.close() },
    h('div', { class: 'help-bar' }, h('h2', {}, 'Keys, mouse and touch'),
      h('button', { class: 'icon', 'aria-label': 'Close help', click: () => sheet.close() }, icon('close'))),
    h('dl', {}, ...rows.flatMap(([key, does]) => [h('dt', {}, ...keys(key)), h('dd', {}, does)])),
  );
  const toggle = () => (sheet.open ? sheet.close() : sheet.showModal());
  const button = h('button', { class: 'icon', title: 'Help (?)', 'aria-label': 'Help', 'data-key': '?', click: toggle }, icon('help'));
  return { button, sheet };
}

export const viewKeys: readonly (readonly [string, string])[] = [
  ['drag', 'turn the view; on touch screens one finger'],
  ['right-drag', 'move the view; on touch screens two fingers; with the view focused the arrow keys'],
  ['wheel', 'zoom to the pointer; on touch screens pinch'],
  ['1 2 3 4', 'the whole scene, front, side, top'],
  ['c', 'next colouring of the cables'],
  ['n', 'names on or off'],
  ['t', 'light or dark'],
];
