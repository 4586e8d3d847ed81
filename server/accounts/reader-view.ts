import type { Reader } from '#contracts/accounts/account-views.js';
import type { AccountEntity } from '#platform/database/entities/account.entity.js';

/** What of an account its view is made of. */
export type ReaderRow = Omit<AccountEntity, 'passwordHash' | 'emailConfirmed' | 'session'>;

/** A `ReaderRow` as a statement on `account` selects it. */
export const READER_COLUMNS = `id, username, email, firstname, lastname, fullname,
  date_of_birth::text as "dateOfBirth", gender, country, city, adress, postal_code as "postalCode", created, roles,
  version`;

/** An account as screens show it (specification, section 3, "Reader"). */
export function readerView(account: ReaderRow): Reader {
  return {
    id: account.id,
    userName: account.username,
    email: account.email,
    firstname: account.firstname,
    lastname: account.lastname,
    fullname: account.fullname,
    dateOfBirth: account.dateOfBirth,
    gender: account.gender,
    country: account.country,
    city: account.city,
    adress: account.adress,
    postalCode: account.postalCode,
    created: account.created.toISOString(),
    roles: account.roles,
    version: account.version,
  };
}
