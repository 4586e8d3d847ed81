import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Language } from '#contracts/languages.js';
import { MAX_SESSIONS } from '#contracts/accounts/account-calls.js';
import type { TokenClaims } from '#contracts/accounts/account-views.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { SigningKeys } from '#platform/signing-keys.js';
import type { SignOnOfSession } from '#platform/database/entities/sign-in.entity.js';
import type { SessionOrigin } from '../session-origin.js';

export const ISSUER = 'lectern';
export const ALGORITHM = 'HS256';
export const SESSION_HOURS = 8;
/** Sessions of one account at the same time; beyond that, the one that was not used for longest ends. */

/** An account whose owner has just proved who they are. */
export interface ProvenAccount {
  id: string;
  username: string;
  roles: string[];
  session: number;
  passwordHash: string;
  language: Language | null;
}

/** What a session is begun with, beside the account. */
export interface SessionGiven {
  secondFactor?: boolean;
  /** What asks them to confirm who they are need not ask for some minutes. */
  confirmed?: boolean;
  /** By which provider, where it was one. */
  signOn?: SignOnOfSession | undefined;
}

const begun = z.object({ id: z.string() });

/**
 * Writes a session and signs its token, valid for eight hours or until the session is ended.
 * @param given whether a second factor was given too
 * @returns undefined if the account's password was changed, or its sessions were ended, since it was read
 */
export async function beginSession(
  database: Queryable,
  keys: SigningKeys,
  account: ProvenAccount,
  origin: Pick<SessionOrigin, 'device' | 'network'>,
  now: Date,
  { secondFactor = false, confirmed = false, signOn }: SessionGiven = {},
): Promise<{ sid: string; token: string; expiresAt: Date } | undefined> {
  const issued = Math.floor(now.getTime() / 1000);
  const expires = issued + SESSION_HOURS * 3600;
  const expiresAt = new Date(expires * 1000);
  // The lock waits for a change of password under way, and then sees it.
  const row = await queryRow(
    database,
    begun,
    `with proven as (
       select id from account where id = $2 and session = $3 and password_hash = $4 for share
     ), surplus as (
       delete from session where id in (
         select id from session where account_id = $2 order by last_used desc offset ${MAX_SESSIONS - 1})
     )
     insert into session (id, account_id, created, last_used, expires, device, network, authenticated_at,
       second_factor_at, sign_on, confirmed_at)
     select $1, id, $5, $5, $6, $7, $8, $5, $9, $10, $11 from proven returning id`,
    [
      randomUUID(),
      account.id,
      account.session,
      account.passwordHash,
      now,
      expiresAt,
      origin.device,
      origin.network,
      secondFactor ? now : null,
      signOn ?? null,
      confirmed ? now : null,
    ],
  );
  if (!row) return undefined;
  const [onlyRole, ...furtherRoles] = account.roles;
  const claims: TokenClaims = {
    sub: account.id,
    sid: row.id,
    name: account.username,
    role: onlyRole !== undefined && furtherRoles.length === 0 ? onlyRole : account.roles,
    session: account.session,
    iat: issued,
    exp: expires,
  };
  const token = await keys.sign(
    new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' }).setIssuer(ISSUER),
  );
  return { sid: row.id, token, expiresAt };
}
