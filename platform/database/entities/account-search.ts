import { Raw, type FindOperator, type Repository, type SelectQueryBuilder } from 'typeorm';
import type { AccountEntity } from './account.entity.js';

/** A username or an e-mail address in whatever case it was typed; each has its index for it. */
export function ignoringCase(text: string): FindOperator<string> {
  return Raw((column) => `lower(${column}) = lower(:ignoringCase)`, {
    ignoringCase: text,
  }) as FindOperator<string>;
}

/** The accounts that have every word in name, username or e-mail address, in whatever order; all where nothing was typed. */
export function accountsFound(
  accounts: Repository<AccountEntity>,
  searchTerm: string,
): SelectQueryBuilder<AccountEntity> {
  const found = accounts.createQueryBuilder('account');
  searchedWords(searchTerm).forEach((word, index) => {
    found.andWhere(`account.searchText like search_folded(:word${index})`, { [`word${index}`]: word });
  });
  return found;
}

/** The words as patterns of `like`. */
function searchedWords(searchTerm: string): string[] {
  const words = [...new Set(searchTerm.trim().split(/\s+/))].filter((word) => word !== '');
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}
