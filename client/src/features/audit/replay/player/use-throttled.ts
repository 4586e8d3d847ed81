import { useEffect, useRef, useState } from 'react';

/** A value that changes at most so often; the last one always comes. */
export function useThrottled<Value>(value: Value, milliseconds: number): Value {
  const [paced, setPaced] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    if (Object.is(value, paced)) return;
    const wait = Math.max(0, changedAt.current + milliseconds - Date.now());
    const timer = window.setTimeout(() => {
      changedAt.current = Date.now();
      setPaced(value);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [value, paced, milliseconds]);
  return paced;
}
