/**
 * Days as a library counts them: from midnight to midnight of its time zone. A day is `yyyy-MM-dd`, a zone an IANA name, an
 * instant ISO 8601 or milliseconds since 1970. A day may have 23 or 25 hours, begin at one in the morning, or be left out.
 */
export type Instant = string | number;

const SECOND = 1_000;
const DAY = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();
/** Each takes some twenty readings of the clock to find, and most commands ask for one of the same few. */
const starts = new Map<string, number>();
const MAX_STARTS = 1_000;
/** By zone and day of UTC: where the days of the zone meet in it. */
const meetings = new Map<string, Map<number, Meeting>>();
const MAX_MEETINGS = 10_000;
const WHOLE_MINUTES_SINCE = Date.UTC(1980, 0, 1);

/** The day of the zone until an instant, and the one from there on; nothing where its clock is changed on that day of UTC. */
type Meeting = { at: number; until: string; from: string } | undefined;

/** Whether a text is a day of the calendar, `yyyy-MM-dd`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

/** Whether this machine knows the zone. */
export function isTimeZone(name: string): boolean {
  try {
    // An offset such as `+01:00` is no place: it does not know of summer.
    return /^[a-z]/i.test(name) && clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** `yyyy-MM-dd` (specification, section 9). */
export function localDay(at: Instant, timeZone: string): string {
  const instant = typeof at === 'number' ? at : Date.parse(at);
  // Since then clocks are whole minutes from UTC everywhere.
  if (!(instant >= WHOLE_MINUTES_SINCE)) return wallClock(at, timeZone).day;
  const meeting = meetingOn(Math.floor(instant / DAY), timeZone);
  if (!meeting) return wallClock(at, timeZone).day;
  return instant < meeting.at ? meeting.until : meeting.from;
}

function meetingOn(day: number, timeZone: string): Meeting {
  let ofZone = meetings.get(timeZone);
  if (!ofZone) meetings.set(timeZone, (ofZone = new Map<number, Meeting>()));
  if (ofZone.has(day)) return ofZone.get(day);
  const meeting = findMeeting(day * DAY, timeZone);
  if (ofZone.size >= MAX_MEETINGS) ofZone.clear();
  ofZone.set(day, meeting);
  return meeting;
}

function findMeeting(start: number, timeZone: string): Meeting {
  const offset = offsetAt(start, timeZone);
  // Some zones change their clocks twice within weeks, none twice in a day.
  if (offset !== offsetAt(start + DAY, timeZone)) return undefined;
  const at = start + ((DAY - (((offset % DAY) + DAY) % DAY)) % DAY);
  const dayOf = (instant: number) => new Date(instant + offset).toISOString().slice(0, 10);
  return { at, until: dayOf(start), from: dayOf(start + DAY - 1) };
}

/** Milliseconds by which the zone's clock is ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const { day, time } = wallClock(instant, timeZone);
  return Date.parse(`${day}T${time}Z`) - instant;
}

/** `yyyy-MM-dd HH:mm`. */
export function localMinute(at: Instant, timeZone: string): string {
  const { day, time } = wallClock(at, timeZone);
  return `${day} ${time.slice(0, 5)}`;
}

/** `yyyy-MM-dd HH:mm:ss`. */
export function localSecond(at: Instant, timeZone: string): string {
  const { day, time } = wallClock(at, timeZone);
  return `${day} ${time}`;
}

/** The first instant at which the calendar shows the day, or a later one where the zone left the day out. */
export function startOfDay(day: string, timeZone: string): number {
  const name = `${day} ${timeZone}`;
  const known = starts.get(name);
  if (known !== undefined) return known;
  const start = findStartOfDay(day, timeZone);
  if (starts.size >= MAX_STARTS) starts.clear();
  starts.set(name, start);
  return start;
}

function findStartOfDay(day: string, timeZone: string): number {
  // No zone is a whole day away from UTC, and none changes its clock within a second.
  const midnight = Date.parse(day);
  let before = -DAY / SECOND;
  let from = DAY / SECOND;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDay(midnight + middle * SECOND, timeZone) < day) before = middle;
    else from = middle;
  }
  return midnight + from * SECOND;
}

/** The last millisecond of the day. */
export function endOfDay(day: string, timeZone: string): number {
  return startOfDay(addDays(day, 1), timeZone) - 1;
}

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** How many days the second is later than the first; negative where it is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY;
}

function wallClock(at: Instant, timeZone: string): { day: string; time: string } {
  // "11/09/2026, 23:20:05"; its parts would take three times as long.
  const shown = clockOf(timeZone).format(new Date(at));
  const [month, day, year = '', hour, minute, second] = shown.match(/\d+/g) ?? [];
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, time: `${hour}:${minute}:${second}` };
}

/** Making one takes as long as a hundred readings. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}
