import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { LoginAnswer } from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { bySignInName, rateLimitName } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import type { SignOnOfSession } from '#platform/database/entities/sign-in.entity.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { endSomeSessions } from './sessions/sessions.commands.js';
import { GuessLimits } from './rate-limiting/guess-limits.js';
import { passwordMatches } from './passwords/passwords.js';
import { secondFactorMethods } from './second-factor/second-factor-changes.js';
import { makeTicket } from './second-factor/tickets.js';
import type { SessionOrigin } from './session-origin.js';
import type { ProvenAccount } from './sessions/begin-session.js';
import { Sessions } from './sessions/sessions.js';
import { refuseStaffSignIn } from './staff-sign-on.js';

@Injectable()
export class SignInCommands {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly guesses: GuessLimits,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * Signs in by username or email address, however they were typed, and password. An account with a second factor gets no token
   * but a ticket for the second step.
   * @throws DomainError `WrongCredentials`, with the same text and after the same work for an unknown name;
   * `EmailNotConfirmed` and `StaffSignOnRequired`, only after the correct password; TooManyAttempts
   */
  async signIn(name: string, password: string, origin: SessionOrigin): Promise<LoginAnswer> {
    const account = await this.byName(name);
    return this.guesses.attempt(
      { accountId: account?.id, name: rateLimitName(name), source: origin.source },
      () => this.withPassword(account, password, origin),
    );
  }

  private async withPassword(
    account: AccountEntity | undefined,
    password: string,
    origin: SessionOrigin,
  ): Promise<LoginAnswer> {
    const matches = await passwordMatches(account?.passwordHash, password);
    if (!account || !matches) {
      throw new DomainError('WrongCredentials', m.sign_in_wrong());
    }
    if (!account.emailConfirmed) {
      throw new DomainError('EmailNotConfirmed', m.sign_in_email_unconfirmed());
    }
    await refuseStaffSignIn(this.accounts.manager, this.settings, account);
    return this.proven(account, origin);
  }

  /**
   * Signs in an account whose owner has proved who they are, by the password or to a provider; asks for the second factor of one that
   * has one, unless the provider was given one.
   */
  async proven(
    account: ProvenAccount,
    origin: SessionOrigin,
    signOn?: SignOnOfSession,
  ): Promise<LoginAnswer> {
    if (signOn?.mfa) return (await this.sessions.signIn(account, origin, { signOn })).user;
    const needed = await this.secondFactorOf(account.id, signOn);
    if (needed) return needed;
    const { sid, user } = await this.sessions.signIn(account, origin, { signOn });
    // One that was added meanwhile ended all sessions that it saw, and this one may not have been there yet.
    const added = await this.secondFactorOf(account.id, signOn);
    if (!added) return user;
    await endSomeSessions(this.accounts.manager, account.id, { only: sid });
    return added;
  }

  private async secondFactorOf(
    accountId: string,
    signOn?: SignOnOfSession,
  ): Promise<LoginAnswer | undefined> {
    const { manager } = this.accounts;
    const methods = await secondFactorMethods(manager, accountId);
    if (methods.length === 0) return undefined;
    const made = await makeTicket(
      manager,
      'second-factor',
      { accountId, signOn: signOn ?? null },
      this.clock.now(),
    );
    const { ticket, expiresAt } = made;
    return { secondFactor: { ticket, methods, expiresAt: expiresAt.toISOString() } };
  }

  /** Who has confirmed an address precedes all who only said that it is theirs. */
  private async byName(name: string): Promise<AccountEntity | undefined> {
    const found = await this.accounts
      .createQueryBuilder('account')
      .addSelect('account.passwordHash')
      .where(bySignInName(name))
      .orderBy('account.emailConfirmed', 'DESC')
      .addOrderBy('account.created', 'DESC')
      .limit(1)
      .getOne();
    return found ?? undefined;
  }
}
