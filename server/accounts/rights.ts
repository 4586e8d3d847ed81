import * as m from '#words/messages.js';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { allows } from '#contracts/allows.js';
import { builtInOf, covers, isRole, PERMISSIONS, rightsOf, type Rights } from '#contracts/permissions.js';
import { setRoles } from '#contracts/accounts/readers.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Queryable } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { whoMay } from '#platform/database/who-may.js';
import { notAllowed } from '../http/access.js';

/** The permissions of a row. Those of another release are nothing to this one. */
const permissionsRow = z
  .array(z.string())
  .transform((stored) => PERMISSIONS.filter((each) => stored.includes(each)));

export const rightsRow = z.object({ permissions: permissionsRow, waiverLimit: z.int().nullable() });

/** In SQL, of a row of the table `account`: what its sets allow that are not built in. */
export const FURTHER_RIGHTS = `coalesce((
  select json_agg(json_build_object('permissions', permissions, 'waiverLimit', waiver_limit))
  from permission_set where permission_set.id::text = any(account.roles) and removed_at is null), '[]')`;

export const furtherRightsRow = z.array(rightsRow);

/** Whether somebody may do anything that a reader may not. */
export const isOfStaff = ({ permissions }: Rights) => permissions.length > 0;

/** The same in SQL, of a row of the table `account`. */
export const IS_STAFF = whoMay(...PERMISSIONS);

/** The same of an account that is read with its entity. */
export const isStaffAccount = (manager: EntityManager, id: string): Promise<boolean> =>
  manager.createQueryBuilder(AccountEntity, 'account').where({ id }).andWhere(IS_STAFF).getExists();

/** What an account may do. */
export function rightsOfAccount(roles: readonly string[], further: readonly Rights[]): Rights {
  return rightsOf([...builtInOf(roles), ...further]);
}

/** Those of these sets that there are. */
export async function presentSets(connection: Queryable, keys: readonly string[]): Promise<string[]> {
  const text = 'select id::text from permission_set where id::text = any($1) and removed_at is null';
  const own = await queryRows(connection, z.object({ id: z.string() }), text, [keys]);
  return keys.filter((key) => isRole(key) || own.some(({ id }) => id === key));
}

const holderRow = z.object({ roles: z.array(z.string()), further: furtherRightsRow });
const setRow = z.object({ id: z.string(), ...rightsRow.shape });

/**
 * Refuses who may not give and take these sets: nobody gives what they have not got. Under the lock of `LOCKS.roles` what is
 * read here stays so.
 * @throws DomainError `NotAllowed`; `NotFound` for a set that there is not
 */
export async function refuseBeyond(
  connection: Queryable,
  by: string,
  keys: readonly string[],
): Promise<void> {
  const ids = keys.filter((key) => !isRole(key));
  const sets = await queryRows(
    connection,
    setRow,
    `select id, permissions, waiver_limit as "waiverLimit" from permission_set
     where id = any($1::uuid[]) and removed_at is null`,
    [ids],
  );
  if (sets.length < ids.length) throw new DomainError('NotFound', m.users_set_unknown());
  await refuseWithout(connection, by, [...builtInOf(keys), ...sets]);
}

/** Refuses who may not give these rights. @throws DomainError `NotAllowed` */
export async function refuseWithout(
  connection: Queryable,
  by: string,
  rights: readonly Rights[],
): Promise<void> {
  const giver = await queryRow(
    connection,
    holderRow,
    `select roles, ${FURTHER_RIGHTS} as further from account where id = $1`,
    [by],
  );
  const own = rightsOfAccount(giver?.roles ?? [], giver?.further ?? []);
  if (!allows(setRoles.may, own.permissions)) throw notAllowed();
  if (!rights.every((each) => covers(own, each))) throw notAllowed(m.users_not_yours_to_give());
}
