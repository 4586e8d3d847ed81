import { useEffect, useEffectEvent, useState } from 'react';
import * as m from '#words/messages.js';
import { KioskButton } from './kiosk-parts.js';

/** Seconds after which nobody is there any more, and how many of them are counted aloud. */
const IDLE = 30;
const COUNTED = 10;

const SIGNS = ['pointerdown', 'click', 'keydown', 'wheel'] as const;

/** Ends something once nobody has touched anything for a while; counts the last seconds aloud before. */
export function Idle({ onIdle }: { onIdle: () => void }) {
  const [left, setLeft] = useState(IDLE);
  const over = useEffectEvent(onIdle);
  useEffect(() => {
    let since = Date.now();
    const look = () => {
      const seconds = IDLE - Math.floor((Date.now() - since) / 1000);
      setLeft(Math.max(0, seconds));
      if (seconds > 0) return;
      window.clearInterval(timer);
      over();
    };
    const stay = () => {
      since = Date.now();
      setLeft(IDLE);
    };
    const timer = window.setInterval(look, 250);
    for (const sign of SIGNS) window.addEventListener(sign, stay, { passive: true, capture: true });
    return () => {
      window.clearInterval(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, stay, { capture: true });
    };
  }, []);
  return (
    <div role="alert">
      {left <= COUNTED && (
        <div className="fixed inset-x-0 top-0 z-10 flex items-center justify-between gap-4 p-6 border-b-2 border-line-strong bg-mark">
          <p className="font-semibold">{m.kiosk_still_there({ count: left })}</p>
          {/* To touch anything is enough. */}
          <KioskButton look="primary">{m.kiosk_stay()}</KioskButton>
        </div>
      )}
    </div>
  );
}
