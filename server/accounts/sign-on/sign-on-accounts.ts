import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { readCardNumber } from '#contracts/accounts/card-number.js';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import { accountDetailsSchema } from '#contracts/accounts/account-requests.js';
import { personSchema, type SignOnPerson } from '#contracts/accounts/sign-on.js';
import type { Provider } from '#contracts/accounts/sign-on-providers.js';
import { DomainError } from '#contracts/domain-error.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import type { Connection } from '#platform/database/database.js';
import { byEmail, nameKey } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { queryRow } from '#platform/database/query-rows.js';
import { currentLanguage } from '#platform/language.js';
import * as m from '#words/messages.js';
import { correlationId } from '../../http/correlation.js';
import { hashPassword } from '../passwords/passwords.js';
import { freeUsername } from '../readers/desk-registration.commands.js';
import { createAccount } from '../registration/create-account.js';
import type { Claims } from './open-id.js';

/** Whom a provider vouches for, by its own name for them. */
export interface Subject {
  provider: Provider;
  subject: string;
}

const accountRow = z.object({ account_id: z.string() });

/**
 * The account of somebody whom a provider vouches for: the one that is bound to them, or the one that a claim names, which is bound
 * to them from now on.
 * @throws DomainError SignOnRefused where that account is bound to somebody else of the same provider
 */
export async function accountOf(
  connection: Connection,
  manager: EntityManager,
  who: Subject,
  claims: Claims,
  now: Date,
): Promise<string | undefined> {
  const { provider, subject } = who;
  const bound = await queryRow(
    connection,
    accountRow,
    'select account_id from sign_on_identity where (provider, issuer, subject) = ($1, $2, $3)',
    [provider.key, provider.issuer, subject],
  );
  if (bound) return bound.account_id;
  const found = await matched(connection, manager, provider, claims);
  if (found !== undefined) await bind(connection, who, found, now);
  return found;
}

async function matched(
  connection: Connection,
  manager: EntityManager,
  { matchClaim, matchTo }: Provider,
  claims: Claims,
): Promise<string | undefined> {
  const told = matchClaim === '' ? undefined : claims[matchClaim];
  if (typeof told !== 'string' && typeof told !== 'number') return undefined;
  if (matchTo === 'card') {
    const text = 'select account_id from reader_card where number = $1 and replaced_at is null';
    return (await queryRow(connection, accountRow, text, [readCardNumber(String(told)) ?? '']))?.account_id;
  }
  // Whoever only says that an address is theirs, there or here, gets nobody's account and binds nobody to theirs.
  if (claims['email_verified'] !== true) return undefined;
  const account = await manager.findOneBy(AccountEntity, { ...byEmail(String(told)), emailConfirmed: true });
  return account?.id;
}

/** @throws DomainError SignOnRefused */
async function bind(
  connection: Connection,
  { provider: { key, issuer, name }, subject }: Subject,
  accountId: string,
  now: Date,
): Promise<void> {
  const { rowCount } = await connection.query(
    `insert into sign_on_identity (provider, issuer, subject, account_id, created) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [key, issuer, subject, accountId, now],
  );
  if (rowCount !== 1) throw new DomainError('SignOnRefused', m.sign_on_bound_to_other({ name }));
}

/** What a provider told of a person, as far as it can be kept. */
export interface ToldPerson {
  person: Partial<SignOnPerson>;
  username?: string | undefined;
  /** The address, where the provider says that it is theirs. */
  verified?: string | undefined;
}

const GENDERS: Record<string, SignOnPerson['gender']> = { male: 'Male', female: 'Female' };

export function personIn(claims: Claims): ToldPerson {
  const text = (claim: unknown) => (typeof claim === 'string' && claim.trim() !== '' ? claim : undefined);
  const address = z.record(z.string(), z.unknown()).catch({}).parse(claims['address']);
  const country = text(address['country']);
  const told: Record<keyof SignOnPerson, string | undefined> = {
    firstname: text(claims['given_name']),
    lastname: text(claims['family_name']),
    email: text(claims['email']),
    dateOfBirth: text(claims['birthdate']),
    gender: text(claims['gender']) && (GENDERS[String(claims['gender'])] ?? 'Other'),
    country: COUNTRIES.find(({ name, code }) => name === country || code === country)?.name,
    city: text(address['locality']),
    adress: text(address['street_address']),
    postalCode: text(address['postal_code']),
  };
  const kept = Object.entries(told).flatMap(([field, value]) => {
    const { success, data } = personSchema.shape[field as keyof SignOnPerson].safeParse(value);
    return success && data !== '' ? [[field, data] as const] : [];
  });
  const person: Partial<SignOnPerson> = Object.fromEntries(kept);
  return {
    person,
    username: accountDetailsSchema.shape.username.safeParse(text(claims['preferred_username'])).data,
    verified: claims['email_verified'] === true ? person.email : undefined,
  };
}

/**
 * Makes the account of a new reader and binds it to them. Their address is confirmed where the provider says so, else by letter.
 * @throws DomainError EmailTaken for an address that somebody has confirmed
 */
export async function makeAccount(
  connection: Connection,
  manager: EntityManager,
  who: Subject,
  { person, username, verified }: ToldPerson & { person: SignOnPerson },
  now: Date,
): Promise<string> {
  const emailConfirmed = person.email === verified;
  const isFree = username && !(await manager.existsBy(AccountEntity, { nameKey: nameKey(username) }));
  const { id } = await createAccount(
    manager,
    {
      ...person,
      username: isFree ? username : await freeUsername(manager, person),
      // Nobody knows it: they sign in by the provider, or set one by letter.
      passwordHash: await hashPassword(randomBytes(32).toString('base64url')),
      ...{ roles: ['Reader'], emailConfirmed, language: currentLanguage() },
    },
    now,
  );
  // A change, so that the account stays, though nobody confirms its address.
  await manager.update(AccountEntity, { id }, { kind: who.provider.kind });
  if (!emailConfirmed)
    await requestAccountLetter(manager, 'confirm-email', { accountId: id }, correlationId());
  await bind(connection, who, id, now);
  return id;
}
