import { useEffect } from 'react';

/**
 * Has the browser print once what is drawn with this.
 * @param onDone the browser's window for printing was closed
 */
export function usePrinting(onDone: () => void): void {
  useEffect(() => {
    window.addEventListener('afterprint', onDone);
    // After the sheet is there; the dialog keeps the page waiting.
    const timer = window.setTimeout(() => window.print());
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('afterprint', onDone);
    };
  }, [onDone]);
}
