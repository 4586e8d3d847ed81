import { DataSource, IsNull, Not } from 'typeorm';
import { Inject, Injectable } from '@nestjs/common';
import type { SecondFactors } from '#contracts/accounts/second-factor.js';
import {
  PasskeyEntity,
  RecoveryCodeEntity,
  SessionEntity,
  TotpEntity,
} from '#platform/database/entities/sign-in.entity.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import type { SignedIn } from '../../http/access.js';
import { SignOnProviders } from '../sign-on/providers.js';

@Injectable()
export class SecondFactorQueries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly providers: SignOnProviders,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /** The caller's second factors, without anything secret. */
  async find({ accountId, isStaff, sid }: SignedIn): Promise<SecondFactors> {
    const { manager } = this.dataSource;
    const app = await manager.findOneBy(TotpEntity, { accountId, confirmedAt: Not(IsNull()) });
    const passkeys = await manager.find(PasskeyEntity, {
      where: { accountId },
      order: { created: 'asc', id: 'asc' },
    });
    const by = (await manager.findOneBy(SessionEntity, { id: sid }))?.signOn;
    const provider = by && (await this.providers.offered()).find(({ key }) => key === by.provider);
    return {
      codeAppSince: app?.confirmedAt?.toISOString() ?? null,
      passkeys: passkeys.map(({ id, name, created, lastUsedAt }) => ({
        id,
        name,
        created: created.toISOString(),
        lastUsed: lastUsedAt?.toISOString() ?? null,
      })),
      recoveryCodesLeft: await manager.countBy(RecoveryCodeEntity, { accountId, usedAt: IsNull() }),
      required: isStaff && this.settings.STAFF_MFA === 'required' && !by?.mfa,
      ...(provider && { signOn: { key: provider.key, name: provider.name } }),
    };
  }
}
