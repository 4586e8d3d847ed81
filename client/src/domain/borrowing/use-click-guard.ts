import { useEffect, useState, type PointerEvent } from 'react';

/** How long a step that has just come is held back. */
const HELD_MS = 1500;

interface Arming {
  /** Whether the step may be taken. */
  armed: boolean;
  /** The step was taken: the same again is not meant either. */
  hold: () => void;
  /** For the button: who leaves it has moved on. */
  leaving: { onBlur: () => void; onPointerLeave: (event: PointerEvent) => void };
}

/**
 * Holds back a step that has just taken the place of another one, whoever caused it: the second half of a double click, an
 * Enter or a tap too many was meant for the one before. It may be taken once the person has moved on, or after a moment.
 * @param busy the step before is on its way: the moment has not begun
 */
export function useClickGuard(step: string | undefined, busy: boolean): Arming {
  const [known, setKnown] = useState(step);
  const [armed, setArmed] = useState(true);
  if (step !== known) {
    setKnown(step);
    setArmed(false);
  }
  useEffect(() => {
    if (armed || busy) return;
    const timer = window.setTimeout(() => setArmed(true), HELD_MS);
    return () => window.clearTimeout(timer);
  }, [armed, busy, known]);
  const moveOn = () => {
    if (!busy) setArmed(true);
  };
  return {
    armed,
    hold: () => setArmed(false),
    leaving: {
      onBlur: moveOn,
      // A finger leaves with every tap.
      onPointerLeave: ({ pointerType }) => pointerType === 'mouse' && moveOn(),
    },
  };
}
