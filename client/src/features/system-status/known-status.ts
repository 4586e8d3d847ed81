import type { SystemStatusView, PartView } from '#contracts/dashboard/system-status.js';
import { RequestError } from '../../lib/api/request-error.js';

/** The house as far as it is known: without its database the server cannot tell who asks, and answers nothing else. */
export function knownStatus(data: SystemStatusView | undefined, error: unknown): KnownStatus | undefined {
  const isAway = error instanceof RequestError && error.problem?.code === 'DatabaseUnavailable';
  if (!isAway) return data && { ...data, isCurrent: error === null };
  const known = data?.parts.find(({ part }) => part === 'database');
  const database: PartView = {
    ...{ part: 'database', level: 'bad', reason: 'away', facts: {}, incident: null },
    since: known?.level === 'bad' ? known.since : null,
  };
  const others = data?.parts.filter(({ part }) => part !== 'database') ?? [];
  return { ...data, level: 'bad', parts: [database, ...others], isCurrent: false };
}

/** Of a house whose database is away, only its parts may be known. */
export type KnownStatus = Pick<SystemStatusView, 'level' | 'parts'> &
  Partial<SystemStatusView> & {
    /** Whether this is how it is now, and not how it was. */
    isCurrent: boolean;
  };

/** What a person has to know first, in one sentence. */
export function headline(parts: readonly PartView[]): string {
  const wrong = parts.filter(({ level }) => level === 'bad').length;
  const others = parts.filter(({ level }) => level === 'warning').length;
  if (wrong + others === 0) return 'Everything works';
  const need = wrong + others === 1 ? 'One thing needs you' : `${wrong + others} things need you`;
  return wrong === 0 ? `Everything works, ${need.charAt(0).toLowerCase()}${need.slice(1)}` : need;
}
