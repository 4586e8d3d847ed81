import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import type { PasskeyProof } from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { PasskeyEntity, RecoveryCodeEntity, TotpEntity } from '#platform/database/entities/sign-in.entity.js';
import { DataKeys } from '#platform/data-keys.js';
import { checkedCounter, type PasskeyPlace, refuse } from './passkeys.js';
import { recoveryCodeDigest, stepOfCode } from './codes.js';

/** Checks what somebody proves themselves by, and uses it up. All throw DomainError `ProofRefused`. */
@Injectable()
export class Proofs {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** A code of the account's app; each counts once. */
  async useCode(manager: EntityManager, accountId: string, code: string): Promise<void> {
    const app = await this.lockedApp(manager, { accountId, confirmedAt: Not(IsNull()) });
    await this.use(manager, app, code);
  }

  /** The first code of an app that was just set up. */
  async useFirstCode(manager: EntityManager, accountId: string, code: string): Promise<void> {
    const app = await this.lockedApp(manager, { accountId, confirmedAt: IsNull() });
    await this.use(manager, app, code);
    await manager.update(TotpEntity, { accountId }, { confirmedAt: this.clock.now() });
  }

  async useRecoveryCode(manager: EntityManager, accountId: string, code: string): Promise<void> {
    const { affected } = await manager.update(
      RecoveryCodeEntity,
      { accountId, digest: recoveryCodeDigest(code), usedAt: IsNull() },
      { usedAt: this.clock.now() },
    );
    if (affected !== 1) throw new DomainError('ProofRefused', m.security_recovery_code_wrong());
  }

  /**
   * A passkey that signed a challenge.
   * @param owner whose it has to be; undefined where it is to say that itself
   * @returns whose it is
   */
  async usePasskey(
    manager: EntityManager,
    place: PasskeyPlace,
    challenge: string,
    answer: PasskeyProof,
    owner: string | undefined,
  ): Promise<string> {
    const passkey = await manager.findOne(PasskeyEntity, {
      where: { id: answer.id, ...(owner !== undefined && { accountId: owner }) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!passkey) return refuse();
    const counter = await checkedCounter(place, challenge, answer, passkey);
    await manager.update(
      PasskeyEntity,
      { id: passkey.id },
      { counter: String(counter), lastUsedAt: this.clock.now() },
    );
    return passkey.accountId;
  }

  private async use(manager: EntityManager, app: TotpEntity, code: string): Promise<void> {
    const { accountId, keyId, secret: sealed, lastStep } = app;
    const secret = await this.dataKeys.decrypt(manager, { keyId, sealed }, accountId);
    const step = stepOfCode(secret, code.replace(' ', ''), this.clock.now(), Number(lastStep ?? -1));
    if (step === undefined) {
      throw new DomainError('ProofRefused', m.security_code_wrong());
    }
    await manager.update(TotpEntity, { accountId }, { lastStep: String(step) });
  }

  /** Locked, so that of two who use the same code at once, the second sees that it was used. */
  private async lockedApp(
    manager: EntityManager,
    where: Parameters<EntityManager['findOneBy']>[1] & { accountId: string },
  ): Promise<TotpEntity> {
    const app = await manager
      .createQueryBuilder(TotpEntity, 'totp')
      .addSelect('totp.secret')
      .where(where)
      .setLock('pessimistic_write')
      .getOne();
    if (app) return app;
    throw new DomainError('ProofRefused', m.security_no_app());
  }
}
