import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';

/** What a mailed link is good for. A link of one purpose opens nothing else. */
export type LinkPurpose = 'confirm-email' | 'reset-password';

/** How many hours a link opens what it is for. One that sets a password is opened at once, or by the wrong person. */
export const LINK_HOURS: Record<LinkPurpose, number> = { 'confirm-email': 24, 'reset-password': 1 };

/**
 * Makes the token of a mailed link, and makes the account's older unused links of that purpose worthless.
 * @returns the token; here only its digest is kept, so this is the one time that it can be known
 */
export async function makeLinkToken(
  transaction: Connection,
  accountId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + LINK_HOURS[purpose] * 3_600_000);
  await transaction.query(
    `delete from account_token
     where (account_id = $1 and purpose = $2 and used_at is null) or expires <= $3`,
    [accountId, purpose, now],
  );
  await transaction.query(
    'insert into account_token (digest, account_id, purpose, expires, created) values ($1, $2, $3, $4, $5)',
    [digestOf(token), accountId, purpose, expires, now],
  );
  return token;
}

/**
 * Uses a link up.
 * @returns `used` the first time, `used before` when this account's same link is opened again before it expires
 * @throws DomainError `LinkInvalid` for a link that is wrong, too old, or another account's
 */
export async function useLinkToken(
  transaction: Connection,
  accountId: string,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<'used' | 'used before'> {
  const ofThisLink = 'digest = $1 and account_id = $2 and purpose = $3 and expires > $4';
  const parameters = [digestOf(token), accountId, purpose, now];
  const used = await transaction.query(
    `update account_token set used_at = $4 where ${ofThisLink} and used_at is null`,
    parameters,
  );
  if (used.rowCount === 1) return 'used';
  const known = await transaction.query(`select 1 from account_token where ${ofThisLink}`, parameters);
  if (known.rowCount === 1) return 'used before';
  throw new DomainError('LinkInvalid', 'This link is invalid or has expired. Please ask for a new one.');
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
