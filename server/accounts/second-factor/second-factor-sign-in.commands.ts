import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import type {
  PasskeyLoginBody,
  PasskeyRequest,
  SecondFactorBody,
} from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { PasskeyEntity } from '#platform/database/entities/sign-in.entity.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { correlationId } from '../../http/correlation.js';
import type { ProvenAccount } from '../sessions/begin-session.js';
import { GuessLimits } from '../rate-limiting/guess-limits.js';
import type { SessionOrigin } from '../session-origin.js';
import { Sessions } from '../sessions/sessions.js';
import { refuseStaffSignIn } from '../staff-sign-on.js';
import { passkeyProofOptions, type PasskeyPlace } from './passkeys.js';
import { Proofs } from './proofs.js';
import { notifyOwner } from './second-factor-changes.js';
import { makeTicket, openTicket, setChallenge, useChallenge, consumeTicket } from './tickets.js';

@Injectable()
export class SecondFactorSignInCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly proofs: Proofs,
    private readonly guesses: GuessLimits,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * Completes a sign-in whose password was right, by the second factor.
   * @param place Where the page is; called for a passkey alone
   * @throws DomainError `TicketInvalid`, `ProofRefused`; TooManyAttempts
   */
  async signInWithSecondFactor(
    proof: SecondFactorBody,
    place: () => PasskeyPlace,
    origin: SessionOrigin,
  ): Promise<SignedInUser> {
    const now = this.clock.now();
    const { accountId, signOn } = await inTransaction(this.dataSource, (manager) =>
      openTicket(manager, 'second-factor', proof.ticket, now),
    );
    if (accountId === null) throw new Error('A ticket for a second factor belongs to an account.');
    const guess = { accountId, name: '', source: origin.source };
    const account = await this.guesses.attemptProof(guess, proof.code !== undefined, () =>
      this.check(proof, place, accountId, now),
    );
    const given = { secondFactor: true, signOn: signOn ?? undefined };
    return (await this.sessions.signIn(account, origin, given)).user;
  }

  /** Checks the proof, and uses it up with the ticket. */
  private async check(
    proof: SecondFactorBody,
    place: () => PasskeyPlace,
    accountId: string,
    now: Date,
  ): Promise<ProvenAccount> {
    if (proof.passkey) {
      // By itself: a challenge that was answered wrongly is used up too.
      const { passkey } = proof;
      const { challenge } = await inTransaction(this.dataSource, (manager) =>
        useChallenge(manager, 'second-factor', proof.ticket, now),
      );
      await inTransaction(this.dataSource, (manager) =>
        this.proofs.usePasskey(manager, place(), challenge, passkey, accountId),
      );
    }
    return inTransaction(this.dataSource, async (manager) => {
      const ticket = await openTicket(manager, 'second-factor', proof.ticket, now);
      if (proof.code !== undefined) await this.proofs.useCode(manager, accountId, proof.code);
      if (proof.recoveryCode !== undefined) {
        await this.proofs.useRecoveryCode(manager, accountId, proof.recoveryCode);
        await notifyOwner(manager, accountId, 'recovery-code-used', now, correlationId());
      }
      await consumeTicket(manager, ticket);
      return provenAccount(manager, accountId);
    });
  }

  /**
   * What a browser needs to ask for a passkey: the second factor of a login, or any that signs in alone.
   * @param ticket Of the login; undefined to sign in by a passkey alone
   * @throws DomainError `TicketInvalid`
   */
  async beginPasskeySignIn(place: PasskeyPlace, ticket: string | undefined): Promise<PasskeyRequest> {
    const now = this.clock.now();
    if (ticket === undefined) {
      const options = await passkeyProofOptions(place, []);
      const { challenge } = options;
      const made = await makeTicket(this.dataSource.manager, 'passkey-sign-in', { challenge }, now);
      return { ticket: made.ticket, options: { ...options } };
    }
    return inTransaction(this.dataSource, async (manager) => {
      const opened = await openTicket(manager, 'second-factor', ticket, now);
      const passkeys = await manager.findBy(PasskeyEntity, { accountId: opened.accountId ?? '' });
      const options = await passkeyProofOptions(place, passkeys);
      await setChallenge(manager, opened, options.challenge);
      return { ticket, options: { ...options } };
    });
  }

  /**
   * Signs in by a passkey alone: it is two factors in one, the device and the finger or PIN.
   * @throws DomainError `TicketInvalid`, `ProofRefused`, `StaffSignOnRequired`
   */
  async signInWithPasskey(
    body: PasskeyLoginBody,
    place: PasskeyPlace,
    origin: SessionOrigin,
  ): Promise<SignedInUser> {
    const { challenge } = await inTransaction(this.dataSource, async (manager) => {
      const ticket = await useChallenge(manager, 'passkey-sign-in', body.ticket, this.clock.now());
      await consumeTicket(manager, ticket);
      return ticket;
    });
    const account = await inTransaction(this.dataSource, async (manager) => {
      const owner = await this.proofs.usePasskey(manager, place, challenge, body.passkey, undefined);
      const proven = await provenAccount(manager, owner);
      await refuseStaffSignIn(manager, this.settings, proven);
      return proven;
    });
    return (await this.sessions.signIn(account, origin, { secondFactor: true })).user;
  }
}

async function provenAccount(manager: EntityManager, id: string): Promise<ProvenAccount> {
  const account = await manager
    .createQueryBuilder(AccountEntity, 'account')
    .addSelect('account.passwordHash')
    .where({ id })
    .getOne();
  if (account?.emailConfirmed) return account;
  throw new DomainError('TicketInvalid', m.security_start_again());
}
