import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ConfirmBody, Confirmed, PasskeyRequest } from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { PasskeyEntity } from '#platform/database/entities/sign-in.entity.js';
import { CONFIRMED_MINUTES, type SignedIn } from '../../http/access.js';
import { AttemptLimits } from '../rate-limiting/attempt-limits.js';
import { passwordMatches } from '../passwords/passwords.js';
import { SessionCache } from '../sessions/session-cache.js';
import { noteConfirmed } from '../sessions/sessions.commands.js';
import { passkeyProofOptions, type PasskeyPlace } from './passkeys.js';
import { Proofs } from './proofs.js';
import { makeTicket, useChallenge } from './tickets.js';

async function checkPassword(manager: EntityManager, id: string, password: string): Promise<void> {
  const account = await manager
    .createQueryBuilder(AccountEntity, 'account')
    .addSelect('account.passwordHash')
    .where({ id })
    .getOne();
  if (await passwordMatches(account?.passwordHash, password)) return;
  throw new DomainError('ProofRefused', m.password_wrong());
}

@Injectable()
export class ConfirmCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly proofs: Proofs,
    private readonly limits: AttemptLimits,
    private readonly cache: SessionCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Proves again who is at the screen: opens the calls that need it to this session, for some minutes.
   * @param place Where the page is; called for a passkey alone
   * @throws DomainError `ProofRefused`, `TicketInvalid`; TooManyAttempts
   */
  async confirmIdentity(caller: SignedIn, proof: ConfirmBody, place: () => PasskeyPlace): Promise<Confirmed> {
    const { accountId, sid } = caller;
    const now = this.clock.now();
    await this.limits.confirmation.take(accountId);
    const challenge = proof.passkey && (await this.challenge(accountId, proof.passkey.ticket, now));
    await inTransaction(this.dataSource, async (manager) => {
      if (proof.password !== undefined) await checkPassword(manager, accountId, proof.password);
      if (proof.code !== undefined) await this.proofs.useCode(manager, accountId, proof.code);
      if (proof.passkey && challenge !== undefined)
        await this.proofs.usePasskey(manager, place(), challenge, proof.passkey.passkey, accountId);
      const secondFactor = proof.password === undefined ? { secondFactorAt: now } : {};
      await noteConfirmed(manager, { accountId, sid }, { confirmedAt: now, ...secondFactor });
    });
    await this.limits.confirmation.forget(accountId);
    this.cache.forget(sid);
    return { until: new Date(now.getTime() + CONFIRMED_MINUTES * 60_000).toISOString() };
  }

  /** By itself: a challenge that was answered wrongly is used up too. */
  private async challenge(accountId: string, ticket: string, now: Date): Promise<string> {
    const used = await inTransaction(this.dataSource, (manager) =>
      useChallenge(manager, 'confirm', ticket, now),
    );
    if (used.accountId === accountId) return used.challenge;
    throw new DomainError('TicketInvalid', m.security_start_again());
  }

  /** What a browser needs to ask for one of the caller's passkeys. */
  async beginPasskeyConfirmation(accountId: string, place: PasskeyPlace): Promise<PasskeyRequest> {
    const { manager } = this.dataSource;
    const options = await passkeyProofOptions(place, await manager.findBy(PasskeyEntity, { accountId }));
    const about = { accountId, challenge: options.challenge };
    const { ticket } = await makeTicket(manager, 'confirm', about, this.clock.now());
    return { ticket, options: { ...options } };
  }
}
