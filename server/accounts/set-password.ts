import type { Connection } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { forgetAttemptsAt } from './attempt-limit.js';

/**
 * Gives an account a new password and tells its owner by letter. Whoever knew the old one is out: every session ends.
 * Who had guessed too often may sign in again at once.
 * @param correlationId of the request, or whatever else asks for it
 */
export async function setPassword(
  transaction: Connection,
  accountId: string,
  passwordHash: string,
  at: Date,
  correlationId: string,
): Promise<void> {
  await transaction.query(
    `with changed as (
       update account set password_hash = $2, session = session + 1, version = version + 1
       where id = $1 returning id
     ) select pg_notify($3, id::text) from changed`,
    [accountId, passwordHash, CHANNELS.accounts],
  );
  await forgetAttemptsAt(accountId, transaction);
  const told = { accountId, changedAt: at.toISOString() };
  await writeToOutbox(transaction, 'mail', 'password-changed', told, correlationId);
}
