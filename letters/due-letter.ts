import { z } from 'zod';
import { ACCOUNT_LETTER_KINDS, LETTER_KINDS } from './notification-request.js';

/** The kinds of letters that this release knows; those of a newer one are left to its processes. */
export const KNOWN_KINDS: readonly string[] = [...LETTER_KINDS, ...ACCOUNT_LETTER_KINDS];

/** A letter of the ledger, as whoever writes it needs it. */
export const dueLetter = z.object({
  cause: z.string(),
  kind: z.string(),
  /** Without the cause. */
  data: z.record(z.string(), z.unknown()),
  caused_at: z.date(),
  correlation_id: z.string().nullable(),
});
export type DueLetter = z.output<typeof dueLetter>;

/**
 * The columns of a `dueLetter`, from `letters.letter l`. Letters about borrows have no data of their own; a reminder's cause
 * ends with its date.
 */
export const DUE_LETTER_COLUMNS = `l.cause, l.kind, l.caused_at, l.correlation_id,
  coalesce(l.data, jsonb_build_object('accountId', l.account_id, 'borrowId', l.borrow_id)
    || case l.kind when 'due-soon' then jsonb_build_object('dueDate', substring(l.cause from 42)) else '{}' end) as data`;

/** Of a letter that is not settled: nobody had it in hand yet, so it is sent in a batch with others. */
export const IS_UNCLAIMED = `(state = 'waiting' and claims = 0 and rounds = 0 and problem is null)`;
