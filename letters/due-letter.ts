import { z } from 'zod';
import { ACCOUNT_LETTER_KINDS, LETTER_KINDS, VISIT_LETTER } from './notification-request.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';

/** The kinds of letters that this release knows; those of a newer one are left to its processes. */
export const KNOWN_KINDS: readonly string[] = [...LETTER_KINDS, VISIT_LETTER, ...ACCOUNT_LETTER_KINDS];

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

const lettersDueSchema = z.object({
  /** How many there are. */
  due: z.int(),
  /** Age of the oldest one's cause, in whole seconds; 0 when there is none. */
  oldestSeconds: z.int(),
});
type LettersDue = z.output<typeof lettersDueSchema>;

/** The letters that the ledger shows as due: requested, and neither sent nor dropped. A visit that goes on has none that is due. */
export async function lettersDue(database: Queryable): Promise<LettersDue> {
  const row = await queryRow(
    database,
    lettersDueSchema,
    `select count(*)::integer as due,
       greatest(0, coalesce(extract(epoch from now() - min(caused_at)), 0))::integer as "oldestSeconds"
     from letters.letter where settled_at is null and state in ('waiting', 'sending')
       and not (kind = '${VISIT_LETTER}' and ${IS_UNCLAIMED} and due_at > now())`,
  );
  return row ?? { due: 0, oldestSeconds: 0 };
}
