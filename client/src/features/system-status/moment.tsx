import { isoMinute, relativeTime } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';

/** When something was, as its distance; the time itself on hover. */
export function Moment({ time }: { time: string }) {
  const now = useNow(true);
  return (
    <time dateTime={time} title={isoMinute(time)}>
      {relativeTime(time, now)}
    </time>
  );
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `3.4 GB` */
export function inBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = unit > 1 && value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

export const inNumbers = (value: number) => value.toLocaleString('en');
