// Panes of which one is shown. Arrow keys move between their tabs.
import { h } from './format';

export function tabs(label: string, panes: readonly [string, HTMLElement][]): HTMLElement {
  const buttons = panes.map(([name], i) =>
    h('button', { role: 'tab', id: `tab-${i}`, 'aria-controls': `pane-${i}`, click: () => choose(i), keydown: (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[(event as KeyboardEvent).key];
      if (!by) return;
      event.preventDefault();
      const next = (i + by + panes.length) % panes.length;
      choose(next);
      buttons[next]!.focus();
    } }, name),
  );
  const choose = (shown: number) =>
    panes.forEach(([, pane], i) => {
      pane.hidden = i !== shown;
      buttons[i]!.setAttribute('aria-selected', String(i === shown));
      buttons[i]!.tabIndex = i === shown ? 0 : -1;
    });
  panes.forEach(([, pane], i) => {
    pane.id = `pane-${i}`;
    pane.setAttribute('role', 'tabpanel');
    pane.setAttribute('aria-labelledby', `tab-${i}`);
    pane.tabIndex = 0;
  });
  choose(0);
  return h('section', { class: 'side' }, h('div', { role: 'tablist', class: 'tabs', 'aria-label': label }, ...buttons), ...panes.map(([, pane]) => pane));
}
