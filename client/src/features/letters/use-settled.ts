import { useEffect, useState } from 'react';

/** A value as it was when it last rested. @param rest milliseconds */
export function useSettled<Value>(value: Value, rest: number): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), rest);
    return () => clearTimeout(timer);
  }, [text, rest]);
  return JSON.parse(settled) as Value;
}
