import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Not } from 'typeorm';
import type { Language } from '#contracts/languages.js';
import { inTransaction } from '#platform/database/database.js';
import type { SignedIn } from '../../http/access.js';
import { SessionCache } from './session-cache.js';
import { accountNotFound } from '../reader-view.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { SessionEntity, TicketEntity } from '#platform/database/entities/sign-in.entity.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';

@Injectable()
export class SessionsCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: SessionCache,
  ) {}

  /**
   * Ends every session of an account; it has to sign in again everywhere.
   * @throws DomainError `NotFound` when there is no such account
   */
  async endSessions(accountId: string): Promise<void> {
    const ended = await inTransaction(this.dataSource, (manager) => endSessions(manager, accountId));
    if (!ended) throw accountNotFound();
    this.cache.forgetAccount(accountId);
  }

  /** Ends a session whose owner leaves. @returns where they sign out of the provider that it was begun by */
  async logOut(accountId: string, sid: string): Promise<string | undefined> {
    const session = await this.dataSource.manager.findOneBy(SessionEntity, { id: sid });
    await this.endSomeSessions(accountId, { only: sid });
    return session?.signOn?.logout;
  }

  /** What an account reads and is written to in. */
  async chooseLanguage(accountId: string, language: Language): Promise<void> {
    await this.dataSource.manager.update(AccountEntity, { id: accountId }, { language });
  }

  /** Ends one session of an account, or all but one. The answer is how many ended. */
  async endSomeSessions(accountId: string, which: { only: string } | { allBut: string }): Promise<number> {
    const ended = await inTransaction(this.dataSource, (manager) =>
      endSomeSessions(manager, accountId, which),
    );
    this.cache.forgetAccount(accountId);
    return ended;
  }
}

/**
 * Ends every session of an account, and one that is being begun; all processes are notified on commit.
 * @param further changes in the same update
 * @returns whether there is such an account
 */
export async function endSessions(
  manager: EntityManager,
  accountId: string,
  further: { passwordHash?: string } = {},
): Promise<boolean> {
  const { affected } = await manager.update(
    AccountEntity,
    { id: accountId },
    { ...further, session: () => 'session + 1' },
  );
  if (affected !== 1) return false;
  await manager.delete(SessionEntity, { accountId });
  // What is half-way signed in does not get further either.
  await manager.delete(TicketEntity, { accountId });
  await notify(manager, CHANNELS.accounts, accountId);
  return true;
}

/**
 * Ends one session of an account, or all but one, with those that still want their second factor; all processes are
 * notified on commit.
 * @returns how many ended
 */
export async function endSomeSessions(
  manager: EntityManager,
  accountId: string,
  which: { only: string } | { allBut: string },
): Promise<number> {
  const id = 'only' in which ? which.only : Not(which.allBut);
  if ('allBut' in which) await manager.delete(TicketEntity, { accountId, purpose: 'second-factor' });
  const { affected } = await manager.delete(SessionEntity, { accountId, id });
  if (affected) await notify(manager, CHANNELS.accounts, accountId);
  return affected ?? 0;
}

/** Opens the calls that need it to a session whose owner proved again who they are; all processes are notified on commit. */
export async function noteConfirmed(
  manager: EntityManager,
  { accountId, sid }: Pick<SignedIn, 'accountId' | 'sid'>,
  at: { confirmedAt: Date; secondFactorAt?: Date },
): Promise<void> {
  await manager.update(SessionEntity, { id: sid, accountId }, at);
  await notify(manager, CHANNELS.accounts, accountId);
}
