const two = (value: number) => String(value).padStart(2, '0');

/** `yyyy-MM-dd` in the reader's time zone (specification, section 9); `time` also in milliseconds since 1970. */
export function isoDay(time: string | number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `yyyy-MM-dd HH:mm` in the reader's time zone. */
export function isoMinute(time: string | number): string {
  const date = new Date(time);
  return `${isoDay(time)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `yyyy-MM-dd HH:mm:ss` in the reader's time zone. */
export function isoSecond(time: string | number): string {
  return `${isoMinute(time)}:${two(new Date(time).getSeconds())}`;
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "3 days ago", "in 2 weeks"; "just now" within a minute. */
export function relativeTime(time: string, now: number): string {
  const distance = Date.parse(time) - now;
  for (const [unit, length] of STEPS) {
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  }
  return 'just now';
}

/** How old something is, short: "4 s", "3 min", "2 h". */
export function ageInShort(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}
