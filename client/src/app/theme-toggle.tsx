import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import * as m from '#words/messages.js';
import { readStored, writeStored, createStore, useStore } from '../lib/store.js';

/** A sun when dark mode is on and a moon when it is off: what a click brings. */
export function ThemeToggle() {
  const dark = useDarkMode();
  const Icon = dark ? Sun : Moon;
  return (
    <button
      type="button"
      className="relative inline-flex items-center justify-center size-11 flex-none p-0 rounded text-ink cursor-pointer hover:bg-sunk phone:order-1"
      aria-label={dark ? m.site_light_theme() : m.site_dark_theme()}
      data-theme-icon={dark ? 'sun' : 'moon'}
      onClick={toggleTheme}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}

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
function toggleTheme(): void {
  dark.set(!dark.get());
  writeStored(DARK_MODE_KEY, String(dark.get()));
  apply();
}

function useDarkMode(): boolean {
  return useStore(dark);
}
