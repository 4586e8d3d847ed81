import type { EntityManager } from 'typeorm';
import { bySignInName, isAddress } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';

/**
 * The account of a user name, or of an address that is confirmed: who only said that it is theirs has no part in what is done
 * for its owner.
 * @throws an Error with a sentence for the person at the terminal
 */
export async function accountNamed(manager: EntityManager, name: string): Promise<AccountEntity> {
  const account = await manager.findOneBy(AccountEntity, {
    ...bySignInName(name),
    ...(isAddress(name) && { emailConfirmed: true }),
  });
  if (account) return account;
  throw new Error(
    isAddress(name)
      ? `There is no account that has confirmed the address ${name}. Say its user name.`
      : `There is no account with the name ${name}.`,
  );
}
