import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Part } from '#contracts/dashboard/system-status.js';
import type { Connection } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import type { PartState } from './part-state.js';

/**
 * Asks for the letters that are due, one to each admin whose e-mail address is confirmed. While the mail server does not
 * take letters they stay owed: where a part is well again by then, one letter says all.
 * @returns the parts without what was asked for
 */
export async function notifyAdmins(
  transaction: Connection,
  parts: ReadonlyMap<Part, PartState>,
): Promise<Map<Part, PartState>> {
  const after = new Map(parts);
  const isOwed = [...parts.values()].some(({ owed }) => owed);
  if (!isOwed || parts.get('mailServer')?.level !== 'ok') return after;
  const admins = await queryRows(
    transaction,
    z.object({ id: z.string() }),
    `select id from account where 'Admin' = any(roles) and email_confirmed order by id`,
  );
  for (const [part, state] of parts) {
    const { owed, facts } = state;
    if (!owed) continue;
    const correlationId = randomUUID();
    for (const { id } of admins) {
      const about = { accountId: id, part, since: new Date(owed.since).toISOString() };
      if (owed.kind === 'red') {
        const why = { reason: state.reason ?? state.incident?.reason ?? null, facts };
        await requestAccountLetter(transaction, 'part-not-well', { ...about, ...why }, correlationId);
      } else {
        const until = new Date(owed.until).toISOString();
        await requestAccountLetter(transaction, 'part-well-again', { ...about, until }, correlationId);
      }
    }
    after.set(part, { ...state, owed: null });
  }
  return after;
}
