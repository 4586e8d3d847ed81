import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull } from 'typeorm';
import type { ResetPasswordBody } from '#contracts/accounts/account-calls.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { byEmail } from '#platform/database/entities/account-names.js';
import { AccountEntity, AccountTokenEntity } from '#platform/database/entities/account.entity.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { correlationId } from '../../http/correlation.js';
import { SessionCache } from '../sessions/session-cache.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import { consumeLinkToken, ownerOfLink, type LinkPurpose } from '../one-time-links.js';
import { rejectingTaken } from '../taken-names.js';
import { hashPassword, passwordMatches } from './passwords.js';
import type { SessionOrigin } from '../session-origin.js';
import { refuseWeak } from './weak-passwords.js';
import type { ChangePasswordBody } from '#contracts/accounts/account-requests.js';
import type { SignedIn } from '../../http/access.js';
import { RequestInvalid } from '../../http/validation.js';
import { forgetAttemptsAt } from '../rate-limiting/attempt-limit.js';
import { endSessions, endSomeSessions } from '../sessions/sessions.commands.js';

@Injectable()
export class PasswordCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
    private readonly guesses: GuessLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * Mails a link to set a new password, if the address belongs to an account and is confirmed.
   * Does the same work for every address, so that its duration does not reveal who has an account: for an unknown or
   * unconfirmed address, it enqueues the job too, with an id that nobody has.
   */
  async askForNewPassword(email: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const where = { ...byEmail(email), emailConfirmed: true };
      const account = await manager.findOne(AccountEntity, { select: { id: true }, where });
      const accountId = account?.id ?? randomUUID();
      await requestAccountLetter(manager, 'reset-password', { accountId }, correlationId());
    });
  }

  /**
   * Sets a new password by a mailed link.
   * @throws DomainError `LinkInvalid` for a link that is wrong, expired, used, or another account's; RequestInvalid for a
   * weak password in production
   */
  async resetPassword(reset: ResetPasswordBody, origin: SessionOrigin): Promise<void> {
    await refuseWeak(this.settings, 'newPassword', reset.newPassword, { email: reset.email });
    const passwordHash = await hashPassword(reset.newPassword);
    const now = this.clock.now();
    const accountId = await inTransaction(this.dataSource, async (manager) => {
      // An unknown address is treated like a wrong link.
      const found = await ownerOfLink(manager, reset.token, reset.email);
      const { accountId: owner, purpose } = found ?? { accountId: randomUUID(), purpose: 'reset-password' };
      const link = await consumeLinkToken(manager, owner, purpose, reset.token, now);
      if (!found || link === 'used before') {
        throw new DomainError('LinkInvalid', m.account_link_used());
      }
      await setPassword(manager, {
        accountId: owner,
        passwordHash,
        at: now,
        correlationId: correlationId(),
      });
      // The invitation came to the address of whoever was registered at the desk; other links may come another way.
      if (purpose === 'invitation') {
        const unconfirmed = { id: owner, emailConfirmed: false };
        await rejectingTaken(manager.update(AccountEntity, unconfirmed, { emailConfirmed: true }));
      }
      return owner;
    });
    this.cache.forgetAccount(accountId);
    // Whoever reads the owner's letters is the owner: no guesses of others keep them from signing in now.
    await this.guesses.known.remember(accountId, origin.source);
  }

  /**
   * Changes the caller's password, which they prove that they know. Their other sessions end, and a letter tells them.
   * @throws RequestInvalid if the present password is wrong, the new one is the same, or in production a weak one;
   * TooManyAttempts: whoever found a device open must not guess here
   */
  async changePassword(caller: SignedIn, change: ChangePasswordBody, origin: SessionOrigin): Promise<void> {
    const { accountId, sid } = caller;
    const { currentPassword, newPassword } = change;
    const account = await this.dataSource.manager.findOneOrFail(AccountEntity, {
      where: { id: accountId },
      select: { id: true, username: true, email: true, firstname: true, lastname: true, passwordHash: true },
    });
    const guess = { accountId, name: account.username, source: origin.source };
    await this.guesses
      .attempt(guess, () => refuseWrong(account.passwordHash, currentPassword))
      .catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'WrongCredentials')) throw error;
        // No 401: the session goes on.
        throw new RequestInvalid({ currentPassword: [error.detail] });
      });
    if (await passwordMatches(account.passwordHash, newPassword)) {
      throw new RequestInvalid({ newPassword: [m.password_same_as_current()] });
    }
    await refuseWeak(this.settings, 'newPassword', newPassword, account);
    const passwordHash = await hashPassword(newPassword);
    await inTransaction(this.dataSource, (manager) =>
      setPassword(manager, {
        accountId,
        passwordHash,
        at: this.clock.now(),
        correlationId: correlationId(),
        keep: sid,
      }),
    );
    this.cache.forgetAccount(accountId);
    await this.guesses.known.remember(accountId, origin.source);
  }
}

async function refuseWrong(stored: string, password: string): Promise<void> {
  if (await passwordMatches(stored, password)) return;
  throw new DomainError('WrongCredentials', m.password_current_wrong());
}

interface NewPassword {
  accountId: string;
  passwordHash: string;
  at: Date;
  /** Of the request, or of any other cause. */
  correlationId: string;
  /** The session that goes on: that of the owner, who gave the old password. */
  keep?: string;
}

/**
 * Sets an account's password and notifies its owner by letter. Its sessions and unused links end, so anybody who knew
 * the old password is out. The limits on wrong sign-ins are reset.
 */
export async function setPassword(
  manager: EntityManager,
  { accountId, passwordHash, at, correlationId, keep }: NewPassword,
): Promise<void> {
  if (keep === undefined) {
    await endSessions(manager, accountId, { passwordHash });
  } else {
    await manager.update(AccountEntity, { id: accountId }, { passwordHash });
    await endSomeSessions(manager, accountId, { allBut: keep });
  }
  const purpose = In(['reset-password', 'invitation'] satisfies LinkPurpose[]);
  await manager.delete(AccountTokenEntity, { accountId, purpose, usedAt: IsNull() });
  await forgetAttemptsAt(accountId, manager);
  // Somebody who knew the old password may have made themselves known by it.
  await manager.query('delete from known_origin where account_id = $1', [accountId]);
  const told = { accountId, changedAt: at.toISOString(), ...(keep !== undefined && { elsewhere: true }) };
  await requestAccountLetter(manager, 'password-changed', told, correlationId);
}
