import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
import type { CodeApp, RecoveryCodes } from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { TotpEntity } from '#platform/database/entities/sign-in.entity.js';
import type { SignedIn } from '../../http/access.js';
import { correlationId } from '../../http/correlation.js';
import { AttemptLimits } from '../rate-limiting/attempt-limits.js';
import { SessionCache } from '../sessions/session-cache.js';
import { DataKeys } from '#platform/data-keys.js';
import { Proofs } from './proofs.js';
import {
  onFactorAdded,
  onFactorRemoved,
  lockSecondFactors,
  renewRecoveryCodes,
  secondFactorMethods,
  notifyOwner,
} from './second-factor-changes.js';
import { newTotpSecret, totpForApps } from './codes.js';

/** Black on white in either theme: not every camera reads the inverse. */
async function qrCode(text: string): Promise<string> {
  const { default: bwipjs } = await import('bwip-js/node');
  return bwipjs.toSVG({ bcid: 'qrcode', text, padding: 8, backgroundcolor: 'FFFFFF' });
}

@Injectable()
export class CodeAppCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
    private readonly library: LibraryFacts,
    private readonly proofs: Proofs,
    private readonly limits: AttemptLimits,
    private readonly cache: SessionCache,
  ) {}

  /**
   * Makes the secret of a code app. It is no second factor until a code of it was given.
   * @throws DomainError `EditedMeanwhile` if the account has a code app already
   */
  async beginCodeApp({ accountId, username }: SignedIn): Promise<CodeApp> {
    const secret = newTotpSecret();
    await inTransaction(this.dataSource, async (manager) => {
      await lockSecondFactors(manager, accountId);
      await manager.delete(TotpEntity, { accountId, confirmedAt: IsNull() });
      if (await manager.existsBy(TotpEntity, { accountId })) {
        throw new DomainError('EditedMeanwhile', m.security_app_there());
      }
      const { keyId, sealed } = await this.dataKeys.encrypt(manager, secret, accountId);
      const row = { accountId, keyId, secret: sealed, created: this.clock.now() };
      await manager.insert(TotpEntity, { ...row, confirmedAt: null, lastStep: null });
    });
    const { base32, uri } = totpForApps(secret, this.library.name, username);
    return { secret: base32, uri, qr: await qrCode(uri) };
  }

  /**
   * Makes an app that was just set up a second factor, by its first code.
   * @throws DomainError `ProofRefused`; TooManyAttempts
   */
  async confirmCodeApp(caller: SignedIn, code: string): Promise<RecoveryCodes> {
    await this.limits.confirmation.take(caller.accountId);
    const recoveryCodes = await inTransaction(this.dataSource, async (manager) => {
      await lockSecondFactors(manager, caller.accountId);
      await this.proofs.useFirstCode(manager, caller.accountId, code);
      return onFactorAdded(manager, caller, 'code-app-added', this.clock.now(), correlationId());
    });
    await this.limits.confirmation.forget(caller.accountId);
    this.cache.forgetAccount(caller.accountId);
    return { recoveryCodes };
  }

  /** Removes the code app of an account, set up or only begun. */
  async removeCodeApp(accountId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await lockSecondFactors(manager, accountId);
      await manager.delete(TotpEntity, { accountId, confirmedAt: IsNull() });
      const { affected } = await manager.delete(TotpEntity, { accountId, confirmedAt: Not(IsNull()) });
      if (affected === 0) return;
      await onFactorRemoved(manager, accountId, 'code-app-removed', this.clock.now(), correlationId());
    });
    this.cache.forgetAccount(accountId);
  }

  /**
   * Makes new recovery codes; the former ones are worth nothing any more.
   * @throws DomainError `NotFound` for an account without a second factor: there is nothing to recover
   */
  renewRecoveryCodes(accountId: string): Promise<RecoveryCodes> {
    return inTransaction(this.dataSource, async (manager) => {
      await lockSecondFactors(manager, accountId);
      if ((await secondFactorMethods(manager, accountId)).length === 0) {
        throw new DomainError('NotFound', m.security_recovery_codes_need_factor());
      }
      const recoveryCodes = await renewRecoveryCodes(manager, accountId);
      await notifyOwner(manager, accountId, 'recovery-codes-renewed', this.clock.now(), correlationId());
      return { recoveryCodes };
    });
  }
}
