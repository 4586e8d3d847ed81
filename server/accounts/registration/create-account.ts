import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';

/** A new account, its password already hashed. What kind of reader it is, librarians say later. */
export type NewAccount = Omit<
  AccountEntity,
  'id' | 'pseudonym' | 'fullname' | 'kind' | 'session' | 'created' | 'version' | 'searchText' | 'plainName'
>;

/** The error code of each unique index. Only the index decides between two concurrent registrations. */
const TAKEN: Record<string, [ProblemCode, string]> = {
  account_username: ['UsernameTaken', 'This username is already taken. Please choose another.'],
  account_email: ['EmailTaken', 'There is already an account with this e-mail address.'],
};

/**
 * Inserts a new account.
 * @returns its id, and the person's pseudonym in the event log
 * @throws DomainError `UsernameTaken` or `EmailTaken`, case-insensitive
 */
export async function createAccount(
  manager: EntityManager,
  account: NewAccount,
  created: Date,
): Promise<Pick<AccountEntity, 'id' | 'pseudonym'>> {
  const [id, pseudonym] = [randomUUID(), randomUUID()];
  try {
    await manager.insert(AccountEntity, { ...account, id, pseudonym, created });
  } catch (error) {
    const taken = TAKEN[violatedIndex(error) ?? ''];
    throw taken ? new DomainError(...taken) : error;
  }
  // Dashboards count readers. Sent on commit, as all notifications are.
  await notify(manager, CHANNELS.accounts, id);
  return { id, pseudonym };
}

const UNIQUE_VIOLATION = '23505';

function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}
