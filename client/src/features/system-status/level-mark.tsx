import * as m from '#words/messages.js';
import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import X from 'lucide-react/icons/x';
import type { Level } from '#contracts/dashboard/system-status.js';
import { classNames } from '../../lib/class-names.js';
import { isoMinute, relativeTime } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { currentLocale } from '#words/locale.js';

const MARKS: Record<Level, { icon: LucideIcon; word: string }> = {
  ok: { icon: Check, word: m.status_level_ok() },
  warning: { icon: CircleAlert, word: m.status_level_warning() },
  bad: { icon: X, word: m.status_level_bad() },
};

/** How something does, as a mark; the word for it is for who does not see the mark. */
export function LevelMark({ level, large = false }: { level: Level; large?: boolean }) {
  const { icon: Icon, word } = MARKS[level];
  return (
    <span
      className={classNames(
        'inline-grid flex-none place-items-center size-5.5 rounded-[50%] bg-returned-wash text-returned',
        'data-[level=warning]:bg-issued-wash data-[level=warning]:text-issued',
        'data-[level=bad]:bg-danger data-[level=bad]:text-surface data-large:size-12',
      )}
      data-level={level}
      data-large={large || undefined}
    >
      <Icon size={large ? 26 : 14} strokeWidth={large ? 2 : 3} aria-hidden="true" />
      <span className="visually-hidden">{word}</span>
    </span>
  );
}

/** When something was, as its distance; the time itself on hover. */
export function Moment({ time }: { time: string }) {
  const now = useNow(true);
  return (
    <time dateTime={time} title={isoMinute(time)}>
      {relativeTime(time, now)}
    </time>
  );
}

const UNITS = ['', 'kB', 'MB', 'GB', 'TB'] as const;

/** `3.4 GB` */
export function inBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = unit > 1 && value < 100 ? 1 : 0;
  const size = value.toLocaleString(currentLocale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  return unit === 0 ? m.status_bytes({ size }) : `${size} ${UNITS[unit] ?? ''}`;
}
