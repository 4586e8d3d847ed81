import { type EntityManager, IsNull, Not } from 'typeorm';
import type { SecondFactorMethod } from '#contracts/accounts/second-factor.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import {
  PasskeyEntity,
  RecoveryCodeEntity,
  SessionEntity,
  TicketEntity,
  TotpEntity,
} from '#platform/database/entities/sign-in.entity.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import type { JobData } from '#platform/jobs/job-map.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import { endSessions, endSomeSessions } from '../sessions/sessions.commands.js';
import { newRecoveryCodes, recoveryCodeDigest } from './codes.js';

export type SecondFactorChange = JobData<'mail', 'second-factor-changed'>['change'];

/** The ways in which an account can give its second factor; none if it has none. */
export async function secondFactorMethods(
  manager: EntityManager,
  accountId: string,
): Promise<SecondFactorMethod[]> {
  const [code, passkey, recoveryCode] = [
    await manager.existsBy(TotpEntity, { accountId, confirmedAt: Not(IsNull()) }),
    await manager.existsBy(PasskeyEntity, { accountId }),
    await manager.existsBy(RecoveryCodeEntity, { accountId, usedAt: IsNull() }),
  ];
  if (!code && !passkey) return [];
  return [
    ...(code ? (['code'] as const) : []),
    ...(passkey ? (['passkey'] as const) : []),
    ...(recoveryCode ? (['recoveryCode'] as const) : []),
  ];
}

/** Who changes their second factors, and in which session. */
export interface FactorOwner {
  accountId: string;
  sid: string;
}

/**
 * What follows when a factor was added. With the first one come the recovery codes, and all other sessions end, as they
 * were begun without it.
 * @returns the recovery codes, if it is the first one
 */
export async function onFactorAdded(
  manager: EntityManager,
  { accountId, sid }: FactorOwner,
  change: SecondFactorChange,
  at: Date,
  correlationId: string,
): Promise<string[]> {
  // Waits for sign-ins by the password alone that are under way, so that they are among those that end.
  await lockSecondFactors(manager, accountId);
  await manager.update(SessionEntity, { id: sid, accountId }, { secondFactorAt: at });
  const isFirst = !(await manager.existsBy(RecoveryCodeEntity, { accountId }));
  const codes = isFirst ? await renewRecoveryCodes(manager, accountId) : [];
  if (isFirst) await endSomeSessions(manager, accountId, { allBut: sid });
  await notifyOwner(manager, accountId, change, at, correlationId);
  return codes;
}

/** Changes of one account's second factors wait for each other, until the end of the transaction. */
export async function lockSecondFactors(manager: EntityManager, accountId: string): Promise<void> {
  await manager.findOne(AccountEntity, { where: { id: accountId }, lock: { mode: 'pessimistic_write' } });
}

/** What follows when a factor was removed: with the last one the recovery codes go. */
export async function onFactorRemoved(
  manager: EntityManager,
  accountId: string,
  change: SecondFactorChange,
  at: Date,
  correlationId: string,
): Promise<void> {
  if ((await secondFactorMethods(manager, accountId)).length === 0) {
    await manager.delete(RecoveryCodeEntity, { accountId });
    await manager.delete(TicketEntity, { accountId });
  }
  await notifyOwner(manager, accountId, change, at, correlationId);
}

/** New recovery codes; the former ones are worth nothing any more. */
export async function renewRecoveryCodes(manager: EntityManager, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await manager.delete(RecoveryCodeEntity, { accountId });
  await manager.insert(
    RecoveryCodeEntity,
    codes.map((code) => ({ accountId, digest: recoveryCodeDigest(code), usedAt: null })),
  );
  return codes;
}

/**
 * Removes every second factor of an account, for an operator; its sessions end.
 * @returns whether there was any: without one, nothing changes
 */
export async function resetSecondFactor(
  manager: EntityManager,
  accountId: string,
  at: Date,
  correlationId: string,
): Promise<boolean> {
  if ((await secondFactorMethods(manager, accountId)).length === 0) return false;
  for (const factor of [TotpEntity, PasskeyEntity, RecoveryCodeEntity])
    await manager.delete(factor, { accountId });
  await endSessions(manager, accountId);
  await notifyOwner(manager, accountId, 'reset', at, correlationId);
  return true;
}

/** Tells the owner by letter, and every process that the account is another now. */
export async function notifyOwner(
  manager: EntityManager,
  accountId: string,
  change: SecondFactorChange,
  at: Date,
  correlationId: string,
): Promise<void> {
  await requestAccountLetter(
    manager,
    'second-factor-changed',
    { accountId, change, at: at.toISOString() },
    correlationId,
  );
  await notify(manager, CHANNELS.accounts, accountId);
}
