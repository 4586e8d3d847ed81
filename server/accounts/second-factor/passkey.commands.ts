import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  MAX_PASSKEYS,
  type NewPasskeyBody,
  type PasskeyRequest,
  type RecoveryCodes,
} from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { PasskeyEntity } from '#platform/database/entities/sign-in.entity.js';
import type { SignedIn } from '../../http/access.js';
import { correlationId } from '../../http/correlation.js';
import { accountNotFound } from '../reader-view.js';
import { SessionCache } from '../sessions/session-cache.js';
import { checkedNewPasskey, newPasskeyOptions, type PasskeyPlace } from './passkeys.js';
import { onFactorAdded, onFactorRemoved } from './second-factor-changes.js';
import { makeTicket, useChallenge } from './tickets.js';

@Injectable()
export class PasskeyCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly library: LibraryFacts,
    private readonly cache: SessionCache,
  ) {}

  /** What a browser needs to make a passkey for the caller. */
  async beginPasskey(accountId: string, place: PasskeyPlace): Promise<PasskeyRequest> {
    const { manager } = this.dataSource;
    const account = await manager.findOneBy(AccountEntity, { id: accountId });
    if (!account) throw accountNotFound();
    const present = await manager.findBy(PasskeyEntity, { accountId });
    if (present.length >= MAX_PASSKEYS) {
      throw new DomainError('InUse', m.security_too_many_passkeys({ most: MAX_PASSKEYS }));
    }
    const library = this.library.name;
    const options = await newPasskeyOptions(place, account, library, present);
    const about = { accountId, challenge: options.challenge };
    const { ticket } = await makeTicket(manager, 'new-passkey', about, this.clock.now());
    return { ticket, options: { ...options } };
  }

  /**
   * Keeps a passkey that the caller's browser just made.
   * @throws DomainError `TicketInvalid`, `ProofRefused`, or `InUse` for a passkey that is known
   */
  async addPasskey(caller: SignedIn, place: PasskeyPlace, body: NewPasskeyBody): Promise<RecoveryCodes> {
    const { accountId } = caller;
    const now = this.clock.now();
    // By itself: a challenge that was answered wrongly is used up too.
    const { challenge, accountId: owner } = await inTransaction(this.dataSource, (manager) =>
      useChallenge(manager, 'new-passkey', body.ticket, now),
    );
    if (owner !== accountId) throw new DomainError('TicketInvalid', m.security_start_again());
    const passkey = await checkedNewPasskey(place, challenge, body.passkey);
    const recoveryCodes = await inTransaction(this.dataSource, async (manager) => {
      const { identifiers } = await manager
        .createQueryBuilder()
        .insert()
        .into(PasskeyEntity)
        .values({ ...passkey, accountId, name: body.name, created: now, lastUsedAt: null })
        .orIgnore()
        .returning('id')
        .execute();
      if (identifiers[0] === undefined) throw new DomainError('InUse', m.security_passkey_added_before());
      return onFactorAdded(manager, caller, 'passkey-added', now, correlationId());
    });
    this.cache.forgetAccount(accountId);
    return { recoveryCodes };
  }

  /**
   * Gives a passkey of an account another name.
   * @throws DomainError `NotFound`
   */
  async renamePasskey(accountId: string, id: string, name: string): Promise<void> {
    const { affected } = await this.dataSource.manager.update(PasskeyEntity, { id, accountId }, { name });
    if (affected !== 1) throw noSuchPasskey();
  }

  /**
   * Removes a passkey of an account.
   * @throws DomainError `NotFound`
   */
  async removePasskey(accountId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { affected } = await manager.delete(PasskeyEntity, { id, accountId });
      if (affected !== 1) throw noSuchPasskey();
      await onFactorRemoved(manager, accountId, 'passkey-removed', this.clock.now(), correlationId());
    });
    this.cache.forgetAccount(accountId);
  }
}

function noSuchPasskey(): DomainError {
  return new DomainError('NotFound', m.security_passkey_unknown());
}
