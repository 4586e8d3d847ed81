import * as m from '#words/messages.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { DomainError } from '#contracts/domain-error.js';
import type { AccountEntity } from '#platform/database/entities/account.entity.js';

/** An account as screens show it (specification, section 3, "Reader"). */
export function readerView(account: AccountEntity): Reader {
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
    phone: account.phone,
    guardian: account.guardian,
    memberUntil: account.memberUntil,
    created: account.created.toISOString(),
    roles: account.roles,
    kind: account.kind,
    version: account.version,
  };
}

export function accountNotFound(): DomainError {
  return new DomainError('NotFound', m.account_unknown());
}
