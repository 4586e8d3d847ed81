import type { EntityManager } from 'typeorm';
import { ignoringCase } from '#platform/database/entities/account-search.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';

/**
 * The account of a user name, or of an e-mail address where nobody has it as a name.
 * @throws an Error with a sentence for the person at the terminal
 */
export async function accountNamed(manager: EntityManager, name: string): Promise<AccountEntity> {
  const account =
    (await manager.findOneBy(AccountEntity, { username: ignoringCase(name) })) ??
    (await manager.findOneBy(AccountEntity, { email: ignoringCase(name) }));
  if (!account) throw new Error(`There is no account with the name ${name}.`);
  return account;
}
