import { useEffect, useRef, type RefObject } from 'react';
import { useOpenBorrow } from '../../domain/borrowing/borrow-link.js';
import { isTyping, isUndo, isWindowOpen } from '../../lib/use-list.js';

/**
 * Keys of the queue, wherever on the page the focus is: `j` and `k` go from row to row, the others do something with the row
 * that has the focus. Enter needs no key of its own: in a row the focus is on the link that opens the borrow.
 */
export function useQueueKeys(
  list: RefObject<HTMLElement | null>,
  onHelp: () => void,
  undoLast: () => void,
): void {
  const open = useOpenBorrow();
  const last = useRef<string>(undefined);
  const latest = useRef({ open, onHelp, undoLast });
  useEffect(() => {
    latest.current = { open, onHelp, undoLast };
  });

  useEffect(() => {
    const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('tr[data-borrow-id]') ?? [])];
    const focusedRow = () => document.activeElement?.closest<HTMLElement>('tr[data-borrow-id]') ?? undefined;
    const go = (step: 1 | -1) => {
      const all = rows();
      const here = focusedRow();
      const from = here ?? all.find(({ dataset }) => dataset['borrowId'] === last.current);
      // The first key comes back to where one was, or begins at the top.
      const at = from ? all.indexOf(from) + (here ? step : 0) : 0;
      const row = all[Math.max(0, Math.min(at, all.length - 1))];
      row?.querySelector<HTMLElement>('[data-row-link]')?.focus();
      row?.scrollIntoView({ block: 'nearest' });
    };
    const press = (step: string) =>
      focusedRow()?.querySelector<HTMLElement>(`[data-step="${step}"]`)?.click();
    const pay = () => {
      const { borrowId, status } = focusedRow()?.dataset ?? {};
      if (borrowId !== undefined && status === 'Not_Paid') latest.current.open(borrowId, { pay: true });
    };
    const keys: Partial<Record<string, () => void>> = {
      j: () => go(1),
      k: () => go(-1),
      i: () => press('issue'),
      r: () => press('return'),
      p: pay,
      x: () => focusedRow()?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click(),
      '?': () => latest.current.onHelp(),
    };
    const onKey = (event: KeyboardEvent) => {
      if (isUndo(event) && !isTyping(event.target) && !isWindowOpen()) {
        event.preventDefault();
        if (!event.repeat) latest.current.undoLast();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
      // A window over the list has its own keys.
      if (isWindowOpen()) return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      // Going on may be held down, doing something not.
      if (!event.repeat || event.key === 'j' || event.key === 'k') act();
    };
    const onFocus = () => {
      last.current = focusedRow()?.dataset['borrowId'] ?? last.current;
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('focusin', onFocus);
    };
  }, [list]);
}
