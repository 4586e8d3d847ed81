import { daysBetween, isDay, localDay, localSecond, type Instant } from '#contracts/local-day.js';

/** `YYYYMMDD    HHMMSS` of the library's clock: blanks in place of a zone stand for local time. */
export function sipDate(at: Instant, timeZone: string): string {
  const [day = '', time = ''] = localSecond(at, timeZone).split(' ');
  return `${day.replaceAll('-', '')}    ${time.replaceAll(':', '')}`;
}

/** The day of a date that a device sent, with or without a time: `yyyy-MM-dd`; nothing for what is none. */
export function dayOfSipDate(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(text) ?? [];
  const found = `${year}-${month}-${day}`;
  return isDay(found) ? found : undefined;
}

/** Days that a device's clock may differ from ours, and that it may have worked without us. */
export const PLAUSIBLE_DAYS = 31;

/**
 * Whether a transaction date names a transaction: a device with a clock that runs. Of one whose clock stands still, transactions of
 * different days would be taken for repeats.
 */
export function namesTransaction(text: string, now: Instant, timeZone: string): boolean {
  const day = dayOfSipDate(text);
  if (day === undefined || !/^\d{8}.{4}\d{6}$/.test(text)) return false;
  return Math.abs(daysBetween(day, localDay(now, timeZone))) <= PLAUSIBLE_DAYS;
}
