import type { Level, PartFacts, Reason } from '#contracts/dashboard/system-status.js';

const MINUTE = 60_000;
/** Milliseconds for which a part has to be red before the admins are told. */
const RED_BEFORE_TOLD = 10 * MINUTE;
/** Milliseconds for which it has to be well again for its incident to be over, the first time in a day. */
const WELL_BEFORE_OVER = 5 * MINUTE;
/** Each letter of the last day doubles that, so many times at the most: a part that comes and goes floods nobody. */
const MAX_DOUBLINGS = 6;
const DAY = 24 * 60 * MINUTE;
/** When nobody looked for so long, the time between counts for nothing: the library was off. */
const GAP = 2 * MINUTE;

/** What was seen of a part. */
export interface Observation {
  level: Level;
  reason: Reason | null;
  facts: PartFacts;
}

/** A letter about a part, to be sent once. Times are milliseconds since 1970. */
export type IncidentLetter =
  | { kind: 'red'; since: number }
  /** The reason is the one for which it was red. */
  | { kind: 'well'; since: number; until: number; reason: Reason | null };

/** From the first red moment until the part has been well for a while. */
export interface Incident {
  since: number;
  /** From when its redness counts: later than `since` if nobody looked meanwhile. */
  countsFrom: number;
  /** Since when the part is well again. */
  wellSince: number | null;
  told: boolean;
  reason: Reason | null;
}

/** How a part does. Times are milliseconds since 1970. */
export interface PartState extends Observation {
  since: number;
  seen: number;
  incident: Incident | null;
  /** A letter that was not sent yet. */
  owed: IncidentLetter | null;
  /** When letters about its going red came due, of the last day. */
  told: readonly number[];
}

/**
 * How a part does after it was looked at once more. It is red as soon as it is seen red, and well as soon as it is seen
 * well. Letters are slower: one when an incident has lasted for ten minutes, and one when it is over.
 */
export function nextPartState(before: PartState | undefined, seen: Observation, at: number): PartState {
  const last = before ?? { ...seen, since: at, seen: at, incident: null, owed: null, told: [] };
  // Clocks of several machines differ a little.
  const now = Math.max(at, last.seen);
  const state: PartState = {
    ...last,
    ...seen,
    since: seen.level === last.level ? last.since : now,
    seen: now,
    told: last.told.filter((time) => now - time < DAY),
  };
  const incident = incidentAfter(last, seen, now);
  if (incident === null) return { ...state, incident: null };
  if (isDue(incident, seen, now)) {
    return {
      ...state,
      incident: { ...incident, told: true },
      owed: { kind: 'red', since: incident.since },
      told: [...state.told, now],
    };
  }
  const { wellSince } = incident;
  if (wellSince === null || now - wellSince < wellBeforeOver(state.told.length))
    return { ...state, incident };
  const { since, reason } = incident;
  return {
    ...state,
    incident: null,
    // Where the first letter still waits, this one says all.
    owed: incident.told ? { kind: 'well', since, until: wellSince, reason } : state.owed,
  };
}

function incidentAfter(last: PartState, { level, reason }: Observation, now: number): Incident | null {
  const { incident } = last;
  if (level !== 'bad') return incident && { ...incident, wellSince: incident.wellSince ?? now };
  if (!incident) return { since: now, countsFrom: now, wellSince: null, told: false, reason };
  const wasUnwatched = now - last.seen > GAP;
  return { ...incident, reason, wellSince: null, ...(wasUnwatched && { countsFrom: now }) };
}

function isDue({ told, countsFrom }: Incident, { level }: Observation, now: number): boolean {
  return !told && level === 'bad' && now - countsFrom >= RED_BEFORE_TOLD;
}

function wellBeforeOver(letters: number): number {
  return WELL_BEFORE_OVER * 2 ** Math.min(Math.max(letters - 1, 0), MAX_DOUBLINGS);
}

/** Milliseconds between the looks that stand for a time in which nothing could be recorded. */
const STEP = 30_000;

/** As `nextPartState`, for a part that was red all the time from `from` to `to`, when that could not be recorded. */
export function afterOutage(
  before: PartState | undefined,
  seen: Observation,
  from: number,
  to: number,
): PartState {
  // More than a day changes nothing more.
  const begin = Math.max(from, to - DAY);
  let state = nextPartState(before, seen, begin);
  for (let at = begin + STEP; at <= to; at += STEP) state = nextPartState(state, seen, at);
  return { ...state, since: Math.min(state.since, from) };
}
