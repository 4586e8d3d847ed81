import { randomUUID } from 'node:crypto';
import { type EntityManager, type FindOptionsWhere, Not } from 'typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { byEmail, nameKey } from '#platform/database/entities/account-names.js';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { emailTaken, rejectingTaken } from '../taken-names.js';

/** A new account, its password already hashed. What kind of reader it is, librarians say later. */
export type NewAccount = Omit<
  AccountEntity,
  | 'id'
  | 'pseudonym'
  | 'nameKey'
  | 'fullname'
  | 'kind'
  | 'phone'
  | 'guardian'
  | 'memberUntil'
  | 'session'
  | 'created'
  | 'version'
  | 'searchText'
  | 'plainName'
  | 'language'
> &
  Partial<Pick<AccountEntity, 'language'>>;

/**
 * Inserts a new account, in the place of one that was registered with the same address and never confirmed it.
 * @returns its id, and the person's pseudonym in the event log
 * @throws DomainError `UsernameTaken` for a name that cannot be told from another one; `EmailTaken` for an address that
 * somebody has confirmed
 */
export function createAccount(
  manager: EntityManager,
  account: NewAccount,
  created: Date,
): Promise<Pick<AccountEntity, 'id' | 'pseudonym'>> {
  return manager.transaction(async (transaction) => {
    const { email, username } = account;
    await transaction.query('select pg_advisory_xact_lock($1, hashtext(lower($2)))', [
      LOCKS.addresses,
      email,
    ]);
    await forgetUnconfirmed(transaction, byEmail(email));
    const [id, pseudonym] = [randomUUID(), randomUUID()];
    const row = { ...account, id, pseudonym, nameKey: nameKey(username), created };
    await rejectingTaken(transaction.insert(AccountEntity, row));
    // The index has confirmed addresses alone.
    const confirmed = { ...byEmail(email), emailConfirmed: true, id: Not(id) };
    if (await transaction.existsBy(AccountEntity, confirmed)) throw emailTaken();
    // Dashboards count readers. Sent on commit, as all notifications are.
    await notify(transaction, CHANNELS.accounts, id);
    return { id, pseudonym };
  });
}

/**
 * Deletes accounts whose address nobody has confirmed, in a transaction. Those that the library has dealt with stay, and
 * their addresses are nobody's: a librarian registered or changed one (which counts its version up), wrote a notice, blocked or replaced
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
