import { useEffect, type KeyboardEvent, type RefObject } from 'react';

interface ListKeys {
  page: number;
  onPage: (page: number) => void;
  /** The list's search box; `/` goes there from anywhere on the page. */
  search: RefObject<HTMLInputElement | null>;
}

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 };

/** Keyboard paging for a list that has the focus. Gives the props of the list's region. */
export function useListKeys({ page, onPage, search }: ListKeys) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      search.current?.focus();
      search.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [search]);

  return {
    tabIndex: 0,
    onKeyDown: (event: KeyboardEvent) => {
      // A window that was opened from the list is no part of it, though its keys come here.
      if (!event.currentTarget.contains(event.target as Node)) return;
      const step = STEPS[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      onPage(page + step);
    },
  };
}

/** Whether a key that is pressed there is a letter of a text, or chooses something. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"]), select, textarea, [contenteditable="true"]')
  );
}
