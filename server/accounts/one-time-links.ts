import * as m from '#words/messages.js';
import { createHash, randomBytes } from 'node:crypto';
import { IsNull, LessThanOrEqual, MoreThan, type EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { byEmail } from '#platform/database/entities/account-names.js';
import { AccountEntity, AccountTokenEntity } from '#platform/database/entities/account.entity.js';

/** The purpose of a mailed link. A link is valid for its own purpose only. */
export type LinkPurpose = AccountTokenEntity['purpose'];

/** Hours until a link expires. A password link expires sooner: it is worth more to an attacker. */
export const LINK_HOURS: Record<LinkPurpose, number> = {
  'confirm-email': 24,
  'reset-password': 1,
  invitation: 14 * 24,
};

/** The links that set a password: an invitation's the first one. */
const PASSWORD_LINKS = ['reset-password', 'invitation'] as const;

/**
 * Generates the token of a mailed link, and invalidates the account's older unused links of that purpose.
 * @returns the token; only its digest is stored, so it cannot be read again
 */
export async function makeLinkToken(
  manager: EntityManager,
  accountId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + LINK_HOURS[purpose] * 3_600_000);
  await keepAccount(manager, accountId);
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
export async function consumeLinkToken(
  manager: EntityManager,
  accountId: string,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<'used' | 'used before'> {
  await keepAccount(manager, accountId);
  const link = { digest: digestOf(token), accountId, purpose, expires: MoreThan(now) };
  const used = await manager.update(AccountTokenEntity, { ...link, usedAt: IsNull() }, { usedAt: now });
  if (used.affected === 1) return 'used';
  if (await manager.existsBy(AccountTokenEntity, link)) return 'used before';
  throw new DomainError('LinkInvalid', m.account_link_invalid());
}

/** Whose link to a password it is, if the address is right too: more than one account may say that an address is its own. */
export async function ownerOfLink(
  manager: EntityManager,
  token: string,
  email: string,
): Promise<{ accountId: string; purpose: (typeof PASSWORD_LINKS)[number] } | undefined> {
  const owner = await manager
    .createQueryBuilder(AccountEntity, 'account')
    .select('account.id', 'accountId')
    .addSelect('link.purpose', 'purpose')
    .innerJoin(AccountTokenEntity, 'link', 'link.accountId = account.id and link.digest = :digest', {
      digest: digestOf(token),
    })
    .where(byEmail(email))
    .andWhere('link.purpose in (:...purposes)', { purposes: PASSWORD_LINKS })
    .getRawOne<{ accountId: string; purpose: (typeof PASSWORD_LINKS)[number] }>();
  return owner;
}

/** Keeps others from deleting the account: they take it before its links, so this does too, or both would wait for each other. */
async function keepAccount(manager: EntityManager, id: string): Promise<void> {
  await manager.findOne(AccountEntity, {
    select: { id: true },
    where: { id },
    lock: { mode: 'for_key_share' },
  });
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
