import { randomUUID } from 'node:crypto';
import type { Role } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { CHANNELS } from '#platform/database/notifications.js';
import type { Statements } from '#platform/jobs/outbox.js';

/** A new account, its password already hashed. */
export interface NewAccount {
  username: string;
  email: string;
  passwordHash: string;
  firstname: string;
  lastname: string;
  /** yyyy-MM-dd */
  dateOfBirth: string;
  gender: 'Male' | 'Female' | 'Other';
  country: string;
  city: string;
  adress: string;
  postalCode: string;
  roles: Role[];
  emailConfirmed: boolean;
}

/** Which unique index stands for which refusal. Only the index decides a race of two same registrations. */
const TAKEN: Record<string, [ProblemCode, string]> = {
  account_username: ['UsernameTaken', 'This username is already taken. Please choose another.'],
  account_email: ['EmailTaken', 'There is already an account with this e-mail address.'],
};

/**
 * Writes a new account.
 * @returns its id
 * @throws DomainError `UsernameTaken` or `EmailTaken`, whatever their letters' case
 */
export async function createAccount(
  statements: Statements,
  account: NewAccount,
  created: Date,
): Promise<string> {
  const id = randomUUID();
  try {
    await statements.query(
      `insert into account (id, username, email, password_hash, firstname, lastname, date_of_birth, gender,
         country, city, adress, postal_code, roles, email_confirmed, created)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        id,
        account.username,
        account.email,
        account.passwordHash,
        account.firstname,
        account.lastname,
        account.dateOfBirth,
        account.gender,
        account.country,
        account.city,
        account.adress,
        account.postalCode,
        account.roles,
        account.emailConfirmed,
        created,
      ],
    );
  } catch (error) {
    const taken = TAKEN[violatedIndex(error) ?? ''];
    throw taken ? new DomainError(...taken) : error;
  }
  // An open dashboard counts readers. Told on commit, as all notifications are.
  await statements.query('select pg_notify($1, $2)', [CHANNELS.accounts, id]);
  return id;
}

const UNIQUE_VIOLATION = '23505';

function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}
