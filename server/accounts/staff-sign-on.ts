import { ArrayContains, type EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { RoleChangeEntity } from '#platform/database/entities/account.entity.js';
import type { Settings } from '#platform/settings.js';
import * as m from '#words/messages.js';
import { COMMAND_LINE } from './readers/readers.commands.js';
import { isStaffAccount } from './rights.js';

/**
 * Keeps staff to the library's providers, where it wants that. A local admin always gets in: one whom the set-up or `create-admin`
 * made an admin, whatever other admins did since, as long as they are one.
 * @throws DomainError StaffSignOnRequired
 */
export async function refuseStaffSignIn(
  manager: EntityManager,
  { STAFF_SSO }: Pick<Settings, 'STAFF_SSO'>,
  { id, roles }: { id: string; roles: readonly string[] },
): Promise<void> {
  if (STAFF_SSO !== 'required' || !(await isStaffAccount(manager, id))) return;
  const madeLocally = { accountId: id, changedById: COMMAND_LINE, given: ArrayContains(['Admin']) };
  if (roles.includes('Admin') && (await manager.existsBy(RoleChangeEntity, madeLocally))) return;
  throw new DomainError('StaffSignOnRequired', m.sign_on_staff_only());
}
