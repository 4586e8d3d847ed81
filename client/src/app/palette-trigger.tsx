import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import styles from './admin-shell.module.css';

// Most visits never need it.
const Palette = lazy(async () => ({ default: (await import('../features/palette/palette.js')).Palette }));

/** Opens the field that leads everywhere, by its button or by Ctrl-K or ⌘-K. */
export function PaletteTrigger({ places }: { places: readonly { path: string; name: string }[] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // A window with something to fill in is not left by a key.
      const inTheWay = document.querySelector(
        '[role="dialog"]:not([data-drawer], [data-palette]), [role="alertdialog"]',
      );
      if (!inTheWay) setOpen((before) => !before);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={styles.find} onClick={() => setOpen(true)}>
        <Search size={16} aria-hidden="true" />
        Find anything
        <kbd>Ctrl K</kbd>
      </button>
      <Suspense fallback={null}>
        {open && <Palette places={places} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
