import { useState } from 'react';

/**
 * Gives the focus back to what had it before a window opened. The window's own way needs a trigger inside it, and
 * ours are opened from anywhere.
 * @returns the handler for the moment when the window has closed
 */
export function useFocusReturn(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    // What was opened while this one closed keeps the focus, and what is typed into it.
    const next = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]');
    if (next && !next.contains(before)) return;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
}
