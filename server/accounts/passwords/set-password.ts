import { IsNull, type EntityManager } from 'typeorm';
import { AccountEntity, AccountTokenEntity } from '#platform/database/entities/account.entity.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import { forgetAttemptsAt } from '../rate-limiting/attempt-limit.js';
import { endSessions, endSomeSessions } from '../sessions/end-sessions.js';

interface NewPassword {
  accountId: string;
  passwordHash: string;
  at: Date;
  /** Of the request, or of any other cause. */
  correlationId: string;
  /** The session that goes on: that of the owner, who gave the old password. */
  keep?: string;
}

/**
 * Sets an account's password and notifies its owner by letter. Its sessions and unused links end, so anybody who knew
 * the old password is out. The limits on wrong sign-ins are reset.
 */
export async function setPassword(
  manager: EntityManager,
  { accountId, passwordHash, at, correlationId, keep }: NewPassword,
): Promise<void> {
  if (keep === undefined) {
    await endSessions(manager, accountId, { passwordHash });
  } else {
    await manager.update(AccountEntity, { id: accountId }, { passwordHash });
    await endSomeSessions(manager, accountId, { allBut: keep });
  }
  await manager.delete(AccountTokenEntity, { accountId, purpose: 'reset-password', usedAt: IsNull() });
  await forgetAttemptsAt(accountId, manager);
  // Somebody who knew the old password may have made themselves known by it.
  await manager.query('delete from known_origin where account_id = $1', [accountId]);
  const told = { accountId, changedAt: at.toISOString(), ...(keep !== undefined && { elsewhere: true }) };
  await requestAccountLetter(manager, 'password-changed', told, correlationId);
}
