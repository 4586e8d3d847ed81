import { Moon, Sun } from 'lucide-react';
import { toggleTheme, useDarkMode } from '../lib/theme.js';

/** A sun when dark mode is on and a moon when it is off: what a click brings. */
export function ThemeToggle() {
  const dark = useDarkMode();
  const Icon = dark ? Sun : Moon;
  return (
    <button
      type="button"
      className="relative inline-flex items-center justify-center size-11 flex-none p-0 rounded text-ink cursor-pointer hover:bg-sunk phone:order-1"
      aria-label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
      data-theme-icon={dark ? 'sun' : 'moon'}
      onClick={toggleTheme}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}
