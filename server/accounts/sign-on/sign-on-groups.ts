import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import type { Provider } from '#contracts/accounts/sign-on-providers.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { changeRoles, SIGN_ON } from '../readers/readers.commands.js';
import type { Claims } from './open-id.js';
import type { Subject } from './sign-on-accounts.js';

/** The sets that somebody's groups give. A provider that is not for staff gives none. */
export function setsIn({ staff, groupsClaim, groups }: Provider, claims: Claims): string[] {
  const told = staff && groupsClaim !== '' ? claims[groupsClaim] : [];
  const named: unknown[] = Array.isArray(told) ? told : [told];
  return [...new Set(groups.filter(({ group }) => named.includes(group)).map(({ set }) => set))];
}

const givenRow = z.object({ given: z.array(z.string()) });

/** Gives the sets that somebody's groups give now, and takes what they gave before. What was given by hand stays, as does the last admin. */
export async function followGroups(
  connection: Connection,
  manager: EntityManager,
  { provider: { key, issuer }, subject }: Subject,
  { accountId, sets }: { accountId: string; sets: readonly string[] },
  at: Date,
): Promise<void> {
  const row = await queryRow(
    connection,
    givenRow,
    'select given from sign_on_identity where (provider, issuer, subject) = ($1, $2, $3) for update',
    [key, issuer, subject],
  );
  const before = row?.given ?? [];
  if (before.length + sets.length === 0) return;
  let byGroups: string[] = [];
  const change = (kept: readonly string[]) =>
    changeRoles(manager, connection, {
      accountId,
      wanted: (present) => {
        byGroups = kept.filter((set) => before.includes(set) || !present.includes(set));
        return [...present.filter((set) => !before.includes(set)), ...kept];
      },
      by: SIGN_ON,
      at,
    });
  await change(sets).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === 'LastAdmin')) throw error;
    return change([...sets, 'Admin']);
  });
  await connection.query(
    'update sign_on_identity set given = $4 where (provider, issuer, subject) = ($1, $2, $3)',
    [key, issuer, subject, byGroups],
  );
}
