import { Moon, Sun } from 'lucide-react';
import { toggleTheme, useDarkMode } from '../lib/theme.js';
import styles from './navigation-bar.module.css';

/** A sun when dark mode is on and a moon when it is off: what a click brings. */
export function ThemeToggle() {
  const dark = useDarkMode();
  const Icon = dark ? Sun : Moon;
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
      data-theme-icon={dark ? 'sun' : 'moon'}
      onClick={toggleTheme}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}
