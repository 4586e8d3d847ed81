import type { EntityManager } from 'typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';

/**
 * Ends every session of an account; all processes are notified on commit.
 * @param further changes in the same update
 * @returns whether there is such an account
 */
export async function endSessions(
  manager: EntityManager,
  accountId: string,
  further: { passwordHash?: string } = {},
): Promise<boolean> {
  const { affected } = await manager.update(
    AccountEntity,
    { id: accountId },
    { ...further, session: () => 'session + 1' },
  );
  if (affected !== 1) return false;
  await notify(manager, CHANNELS.accounts, accountId);
  return true;
}
