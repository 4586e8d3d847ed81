import { ArrayContains, Not, type EntityManager } from 'typeorm';
import { roleSchema, type Role } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { AccountEntity, RoleChangeEntity } from '#platform/database/entities/account.entity.js';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { accountNotFound } from '../reader-view.js';

/** The actor in the log of roles when roles are changed by the command line. */
export const COMMAND_LINE = '00000000-0000-0000-0000-000000000000';

export interface RolesChange {
  accountId: string;
  /** The new roles, of those that can be assigned; everybody stays a reader. */
  wanted: (present: readonly Role[]) => readonly Role[];
  /** An admin, or `COMMAND_LINE`. */
  by: string;
  at: Date;
}

/**
 * Changes an account's roles and records who did it; all processes are notified on commit.
 * @returns the account afterwards
 * @throws DomainError `NotFound`; `NotAllowed` if the actor has just lost the role themselves; `LastAdmin` if nobody
 * would be left who may assign roles
 */
export async function changeRoles(manager: EntityManager, change: RolesChange): Promise<AccountEntity> {
  const { accountId, by, at } = change;
  // Serialized: otherwise two admins could remove each other, each seeing the other one remain.
  await manager.query('select pg_advisory_xact_lock($1)', [LOCKS.roles]);
  const account = await manager.findOne(AccountEntity, {
    where: { id: accountId },
    lock: { mode: 'pessimistic_write' },
  });
  if (!account) throw accountNotFound();
  const asked = change.wanted(account.roles);
  const wanted = roleSchema.options.filter((role) => role === 'Reader' || asked.includes(role));
  const given = wanted.filter((role) => !account.roles.includes(role));
  const taken = account.roles.filter((role) => !wanted.includes(role));
  if (taken.includes('Admin')) await refuseTheLast(manager, accountId);
  if (by !== COMMAND_LINE) await refuseWhoIsNoAdmin(manager, by);
  if (given.length + taken.length === 0) return account;
  await recordRoles(manager, { accountId, by, given, taken, at });
  account.roles = wanted;
  const saved = await manager.save(account);
  await notify(manager, CHANNELS.accounts, accountId);
  return saved;
}

/** Records permanently which roles an account gained and lost. */
export async function recordRoles(
  manager: EntityManager,
  { by, ...change }: { accountId: string; by: string; given: Role[]; taken: Role[]; at: Date },
): Promise<void> {
  await manager.insert(RoleChangeEntity, { ...change, changedById: by });
}

/** An admin without a confirmed address cannot sign in, and does not count. */
async function refuseTheLast(manager: EntityManager, accountId: string): Promise<void> {
  const another = { roles: ArrayContains<Role>(['Admin']), emailConfirmed: true, id: Not(accountId) };
  if (!(await manager.existsBy(AccountEntity, another))) {
    throw new DomainError(
      'LastAdmin',
      'This is the last admin. Please give somebody else the role first, or nobody could give it any more.',
    );
  }
}

async function refuseWhoIsNoAdmin(manager: EntityManager, by: string): Promise<void> {
  const isAdmin = await manager.existsBy(AccountEntity, { id: by, roles: ArrayContains<Role>(['Admin']) });
  if (!isAdmin) throw new DomainError('NotAllowed', 'Your account may not do this.');
}
