// Styles, the typeface, light and dark.
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import uplotStyle from 'uplot/dist/uPlot.min.css';
import { h } from './format';
import { icon } from './icons';
import style from './style.css';

export type Theme = 'light' | 'dark';
const key = 'hawser-theme';

/// From its bytes: a page's policy may permit no address of a font.
export async function addStyles(): Promise<void> {
  document.head.append(h('style', {}, uplotStyle, style));
  const face = new FontFace('Inter', inter, { weight: '100 900' });
  document.fonts.add(await face.load());
}

export function theme(): Theme {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

/// What was chosen last, or what the system prefers.
export function firstTheme(): Theme {
  const kept = storage()?.getItem(key);
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function setTheme(to: Theme): void {
  document.documentElement.dataset['theme'] = to;
}

export function themeButton(change: (to: Theme) => void): HTMLElement {
  const click = () => {
    const to = theme() === 'dark' ? 'light' : 'dark';
    storage()?.setItem(key, to);
    change(to);
  };
  return h('button', { class: 'icon', title: 'Light or dark (T)', 'aria-label': 'Switch between light and dark', 'data-key': 't', click }, icon('theme'));
}

/// None where the browser denies it, as for some files.
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
