import { useEffect, useEffectEvent } from 'react';

/** Milliseconds without a key after which what was typed is no scan any more. */
const FORGOTTEN_AFTER = 2_000;

/**
 * Takes what a scanner types, which ends with Enter, wherever the focus is. Digits that fit into a field that has the focus are
 * left to it: somebody types there.
 */
export function useScans(onScan: (text: string) => void): void {
  const scanned = useEffectEvent(onScan);
  useEffect(() => {
    let typed = '';
    let last = 0;
    const onKey = (event: KeyboardEvent) => {
      const now = Date.now();
      if (now - last > FORGOTTEN_AFTER) typed = '';
      last = now;
      if (event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) typed += event.key;
      if (event.key !== 'Enter') return;
      const text = typed.trim();
      typed = '';
      const field = event.target instanceof HTMLInputElement ? event.target.maxLength : 0;
      if (text === '' || (text.length <= field && /^\d+$/.test(text))) return;
      // No button that has the focus is pressed by it.
      event.preventDefault();
      event.stopPropagation();
      scanned(text);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
