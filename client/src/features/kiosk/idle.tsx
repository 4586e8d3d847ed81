import { useCallback, useEffect, useRef, useState } from 'react';
import * as m from '#words/messages.js';
import { KioskButton } from './kiosk-parts.js';

/** Seconds after which nobody is there any more, and how many of them are counted aloud. */
const IDLE = 30;
const COUNTED = 10;

const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;

/**
 * Ends something once nobody has touched anything for a while.
 * @returns the seconds that are left, while they are counted; and how to say that somebody is there
 */
function useIdle(onIdle: () => void): { left: number | null; stay: () => void } {
  const [left, setLeft] = useState<number | null>(null);
  const latest = useRef(onIdle);
  const since = useRef(0);
  useEffect(() => {
    latest.current = onIdle;
  });
  const stay = useCallback(() => {
    since.current = Date.now();
    setLeft(null);
  }, []);
  useEffect(() => {
    since.current = Date.now();
    for (const sign of SIGNS) window.addEventListener(sign, stay, { passive: true, capture: true });
    const timer = window.setInterval(() => {
      const seconds = IDLE - Math.floor((Date.now() - since.current) / 1000);
      setLeft(seconds <= COUNTED ? Math.max(0, seconds) : null);
      if (seconds <= 0) {
        window.clearInterval(timer);
        latest.current();
      }
    }, 250);
    return () => {
      window.clearInterval(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, stay, { capture: true });
    };
  }, [stay]);
  return { left, stay };
}

/** Counts the last seconds aloud, then ends it. */
export function Idle({ onIdle }: { onIdle: () => void }) {
  const { left, stay } = useIdle(onIdle);
  return (
    <div role="alert">
      {left !== null && (
        <div className="fixed inset-x-0 top-0 z-10 flex items-center justify-between gap-4 p-6 border-b-2 border-line-strong bg-mark">
          <p className="font-semibold">{m.kiosk_still_there({ count: left })}</p>
          <KioskButton look="primary" onClick={stay}>
            {m.kiosk_stay()}
          </KioskButton>
        </div>
      )}
    </div>
  );
}
