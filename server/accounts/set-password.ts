import type { EntityManager } from 'typeorm';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { forgetAttemptsAt } from './attempt-limit.js';
import { endSessions } from './end-sessions.js';

/**
 * Sets an account's password and notifies its owner by letter. Every session ends, so anybody who knew the old password
 * is out. The limits on wrong sign-ins are reset.
 * @param correlationId of the request, or of any other cause
 */
export async function setPassword(
  manager: EntityManager,
  accountId: string,
  passwordHash: string,
  at: Date,
  correlationId: string,
): Promise<void> {
  await endSessions(manager, accountId, { passwordHash });
  await forgetAttemptsAt(accountId, manager);
  // Somebody who knew the old password may have made himself known by it.
  await manager.query('delete from known_origin where account_id = $1', [accountId]);
  const told = { accountId, changedAt: at.toISOString() };
  await writeToOutbox(manager, 'mail', 'password-changed', told, correlationId);
}
