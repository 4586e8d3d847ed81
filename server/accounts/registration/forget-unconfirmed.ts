import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { CHANNELS } from '#platform/database/notifications.js';

/**
 * Deletes accounts whose address nobody has confirmed, in a transaction. Those that the library has dealt with stay, and
 * their addresses are nobody's: a librarian changed one (which counts its version up), wrote a notice, blocked or replaced
 * the card, or began a borrow or a hold for it (`Pseudonyms`).
 * @returns how many
 */
export async function forgetUnconfirmed(
  manager: EntityManager,
  where: FindOptionsWhere<AccountEntity>,
): Promise<number> {
  // First they are locked: then nobody confirms one or deals with it any more, and what was done is seen.
  const found = await manager.find(AccountEntity, {
    select: { id: true },
    where: { ...where, emailConfirmed: false, version: 1 },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  if (found.length === 0) return 0;
  const gone: unknown[] = await manager.query(
    `with gone as (
       delete from account where id = any($1::uuid[])
         and not exists (select from reader_notice n where n.account_id = account.id)
         and not exists (select from reader_card c where c.account_id = account.id
           and (c.replaced_at is not null or c.blocked_at is not null))
       returning id
     )
     select pg_notify($2, id::text) from gone`,
    [found.map(({ id }) => id), CHANNELS.accounts],
  );
  return gone.length;
}
