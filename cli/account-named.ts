import type { EntityManager } from 'typeorm';
import * as m from '#words/messages.js';
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
    isAddress(name) ? m.cli_no_account_with_address({ name }) : m.cli_no_account_with_name({ name }),
  );
}
