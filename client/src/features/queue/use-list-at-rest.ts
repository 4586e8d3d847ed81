import { useEffect, useState, type RefObject } from 'react';

/** How long after the pointer or the focus has left, the list counts as at rest. */
const SETTLE_MS = 2500;

/**
 * Whether nobody is using the list: no pointer over it, no focus within, and its top in view. Then a new row may
 * take its place; otherwise it would push away what is being aimed at or read.
 */
export function useListAtRest(list: RefObject<HTMLElement | null>): boolean {
  const [inUse, setInUse] = useState(false);
  const [atTop, setAtTop] = useState(true);

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let timer: number | undefined;
    const use = () => {
      window.clearTimeout(timer);
      setInUse(true);
    };
    const leave = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (!element.matches(':hover') && !element.matches(':focus-within')) setInUse(false);
      }, SETTLE_MS);
    };
    const look = () => setAtTop(element.getBoundingClientRect().top >= 0);
    element.addEventListener('pointerenter', use);
    element.addEventListener('pointermove', use);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('focusin', use);
    element.addEventListener('focusout', leave);
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      window.clearTimeout(timer);
      element.removeEventListener('pointerenter', use);
      element.removeEventListener('pointermove', use);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('focusin', use);
      element.removeEventListener('focusout', leave);
      window.removeEventListener('scroll', look);
    };
  }, [list]);

  return !inUse && atTop;
}
