import { createHash, randomBytes } from 'node:crypto';
import { IsNull, LessThanOrEqual, MoreThan, type EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { AccountTokenEntity } from '#platform/database/entities/account.entity.js';

/** What a mailed link is good for. A link of one purpose opens nothing else. */
export type LinkPurpose = AccountTokenEntity['purpose'];

/** How many hours a link opens what it is for. One that sets a password is opened at once, or by the wrong person. */
export const LINK_HOURS: Record<LinkPurpose, number> = { 'confirm-email': 24, 'reset-password': 1 };

/**
 * Makes the token of a mailed link, and makes the account's older unused links of that purpose worthless.
 * @returns the token; here only its digest is kept, so this is the one time that it can be known
 */
export async function makeLinkToken(
  manager: EntityManager,
  accountId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + LINK_HOURS[purpose] * 3_600_000);
  await manager.delete(AccountTokenEntity, [
    { accountId, purpose, usedAt: IsNull() },
    { expires: LessThanOrEqual(now) },
  ]);
  await manager.insert(AccountTokenEntity, {
    digest: digestOf(token),
    accountId,
    purpose,
    expires,
    created: now,
  });
  return token;
}

/**
 * Uses a link up.
 * @returns `used` the first time, `used before` when this account's same link is opened again before it expires
 * @throws DomainError `LinkInvalid` for a link that is wrong, too old, or another account's
 */
export async function useLinkToken(
  manager: EntityManager,
  accountId: string,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<'used' | 'used before'> {
  const link = { digest: digestOf(token), accountId, purpose, expires: MoreThan(now) };
  const used = await manager.update(AccountTokenEntity, { ...link, usedAt: IsNull() }, { usedAt: now });
  if (used.affected === 1) return 'used';
  if (await manager.existsBy(AccountTokenEntity, link)) return 'used before';
  throw new DomainError('LinkInvalid', 'This link is invalid or has expired. Please ask for a new one.');
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
