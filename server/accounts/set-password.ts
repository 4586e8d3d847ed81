import type { EntityManager } from 'typeorm';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { forgetAttemptsAt } from './attempt-limit.js';
import { endSessions } from './end-sessions.js';

/**
 * Gives an account a new password and tells its owner by letter. Whoever knew the old one is out: every session ends.
 * Who had guessed too often may sign in again at once.
 * @param correlationId of the request, or whatever else asks for it
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
  const told = { accountId, changedAt: at.toISOString() };
  await writeToOutbox(manager, 'mail', 'password-changed', told, correlationId);
}
