import type { FindOptionsWhere } from 'typeorm';
import { ignoringCase } from './account-search.js';
import type { AccountEntity } from './account.entity.js';
import { asItLooks } from './lookalikes.js';

/**
 * What a user name is compared by: two names that cannot be told apart have the same (`docs/decisions/043-names.md`). It is
 * stored with the account, where it is unique.
 */
export function nameKey(username: string): string {
  const small = username.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  return (
    asItLooks(small.normalize('NFD'))
      // A dot above a letter that has one is not seen: the small letter of the Turkish İ.
      .replace(/([ij]\p{M}*?)\u0307/gu, '$1')
      .normalize('NFC')
      // At the end of a sentence nobody takes dots for a part of the name.
      .replace(/(?<=[^.])\.+$/, '')
  );
}

/** Whether a name that somebody signs in by is an e-mail address: no user name has an @. */
export function isAddress(name: string): boolean {
  return name.normalize('NFKC').includes('@');
}

/** An address in whatever case and width it was typed. */
export function addressed(email: string): FindOptionsWhere<AccountEntity> {
  return { email: ignoringCase(email.normalize('NFKC')) };
}

/** The account of a user name; with an @ all that have the address, of which one at most has confirmed it. */
export function called(name: string): FindOptionsWhere<AccountEntity> {
  return isAddress(name) ? addressed(name) : { nameKey: nameKey(name) };
}

/** What a name that somebody signs in by is counted by: the same for all that mean one account. */
export function countedName(name: string): string {
  return isAddress(name) ? name.normalize('NFKC').toLowerCase() : nameKey(name);
}
