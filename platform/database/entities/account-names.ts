import {
  Raw,
  type FindOperator,
  type FindOptionsWhere,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import type { AccountEntity } from './account.entity.js';
import { confusableSkeleton } from './confusables.js';

/** A username or an email address in whatever case it was typed; each has its index for it. */
function ignoringCase(text: string): FindOperator<string> {
  return Raw((column) => `lower(${column}) = lower(:ignoringCase)`, {
    ignoringCase: text,
  }) as FindOperator<string>;
}

/** The accounts that have every word in name, username or email address, in whatever order; all where nothing was typed. */
export function accountSearch(
  accounts: Repository<AccountEntity>,
  searchTerm: string,
): SelectQueryBuilder<AccountEntity> {
  const found = accounts.createQueryBuilder('account');
  wordPatterns(searchTerm).forEach((word, index) => {
    found.andWhere(`account.searchText like search_folded(:word${index})`, { [`word${index}`]: word });
  });
  return found;
}

/** The words of a search as patterns of `like`, each once. */
export function wordPatterns(searchTerm: string): string[] {
  const words = [...new Set(searchTerm.trim().split(/\s+/))].filter((word) => word !== '');
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}

/**
 * What a user name is compared by: two names that cannot be told apart have the same (`docs/decisions/043-names.md`). It is
 * stored with the account, where it is unique.
 */
export function nameKey(username: string): string {
  const small = username.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  return (
    confusableSkeleton(small.normalize('NFD'))
      // A dot above a letter that has one is not seen: the small letter of the Turkish İ.
      .replace(/([ij]\p{M}*?)\u0307/gu, '$1')
      .normalize('NFC')
      // At the end of a sentence nobody takes dots for a part of the name.
      .replace(/(?<=[^.])\.+$/, '')
  );
}

/** Whether a name that somebody signs in by is an email address: no user name has an @. */
export function isAddress(name: string): boolean {
  return name.normalize('NFKC').includes('@');
}

/** An address in whatever case and width it was typed. */
export function byEmail(email: string): FindOptionsWhere<AccountEntity> {
  return { email: ignoringCase(email.normalize('NFKC')) };
}

/** The account of a user name; with an @ all that have the address, of which one at most has confirmed it. */
export function bySignInName(name: string): FindOptionsWhere<AccountEntity> {
  return isAddress(name) ? byEmail(name) : { nameKey: nameKey(name) };
}

/** What a name that somebody signs in by is counted by: the same for all that mean one account. */
export function rateLimitName(name: string): string {
  return isAddress(name) ? name.normalize('NFKC').toLowerCase() : nameKey(name);
}
