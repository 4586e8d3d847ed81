import { useRef } from 'react';

/**
 * Gives the focus back to where it was before a window opened. The windows have no trigger of their own that would
 * do it: they are shown as long as they are rendered.
 */
export function useFocusReturn() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      before.current?.focus();
    },
  };
}
