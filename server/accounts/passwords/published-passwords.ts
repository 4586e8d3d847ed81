import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { AccountEntity, AccountTokenEntity } from '#platform/database/entities/account.entity.js';
import { nameKey } from '#platform/database/entities/account-names.js';
import { publicExposure } from '#platform/exposure.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { endSessions } from '../sessions/sessions.commands.js';
import { hashPassword, passwordMatches } from './passwords.js';

/** The demo's accounts with the passwords that everybody can read in its documentation. */
export const PUBLISHED_PASSWORDS: ReadonlyMap<string, string> = new Map([
  ['admin', 'Admin123!'],
  ['auditor', 'Auditor123!'],
  ['reader', 'Reader123!'],
]);

/**
 * Gives an account another password if it has `from`. Its sessions and unused links end with the old one. Nobody is
 * written to: this is no change that a person made.
 * @returns whether it had it
 */
export async function replacePassword(
  manager: EntityManager,
  username: string,
  from: string,
  to: () => string,
): Promise<boolean> {
  const account = await manager.findOne(AccountEntity, {
    where: { nameKey: nameKey(username) },
    // Left out of every query that does not ask for it.
    select: { id: true, passwordHash: true },
  });
  if (!account || !(await passwordMatches(account.passwordHash, from))) return false;
  const passwordHash = await hashPassword(to());
  await manager.transaction(async (transaction) => {
    await endSessions(transaction, account.id, { passwordHash });
    await transaction.delete(AccountTokenEntity, { accountId: account.id, usedAt: IsNull() });
  });
  return true;
}

/** Closes accounts that the demo left in the database, before the first stranger can sign in to them. */
@Injectable()
export class PublishedPasswords implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const why = publicExposure(this.settings);
    if (why === undefined) return;
    for (const [username, password] of PUBLISHED_PASSWORDS) {
      const unknown = () => randomBytes(24).toString('base64url');
      if (!(await replacePassword(this.dataSource.manager, username, password, unknown))) continue;
      this.logger.warn(
        { username },
        `an account had the demo's published password, though ${why}: it got an unknown one, and its sessions ended`,
      );
    }
  }
}
