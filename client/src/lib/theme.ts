import { readStored, writeStored } from './browser-storage.js';
import { createStore, useStore } from './store.js';

const DARK_MODE_KEY = 'darkMode';

function startsDark(): boolean {
  const kept = readStored(DARK_MODE_KEY);
  return kept === null ? window.matchMedia('(prefers-color-scheme: dark)').matches : kept === 'true';
}

const dark = createStore(startsDark());

function apply(): void {
  document.documentElement.dataset.theme = dark.get() ? 'dark' : 'light';
}

apply();

/** Flips the theme, keeps the choice as the text true or false, and applies it. */
export function toggleTheme(): void {
  dark.set(!dark.get());
  writeStored(DARK_MODE_KEY, String(dark.get()));
  apply();
}

export function useDarkMode(): boolean {
  return useStore(dark);
}
