import * as m from '#words/messages.js';
import { createHash, randomBytes } from 'node:crypto';
import { LessThanOrEqual, MoreThan, type EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { TicketEntity, type SignOnOfSession } from '#platform/database/entities/sign-in.entity.js';

export type TicketPurpose = TicketEntity['purpose'];

/** Minutes that something begun may take: long enough to look for a phone. */
const MINUTES = 5;

/**
 * A ticket for the second call of something begun. Only a digest of its word is stored.
 * @param about whose it is, where that is known, what a passkey has to sign, and by which provider somebody signs in
 */
export async function makeTicket(
  manager: EntityManager,
  purpose: TicketPurpose,
  { signOn = null, ...about }: { accountId?: string; challenge?: string; signOn?: SignOnOfSession | null },
  now: Date,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + MINUTES * 60_000);
  await manager.delete(TicketEntity, { expiresAt: LessThanOrEqual(now) });
  await manager.insert(TicketEntity, { digest: digestOf(ticket), purpose, ...about, signOn, expiresAt });
  return { ticket, expiresAt };
}

/**
 * Finds a ticket, and keeps others from using it until the transaction ends.
 * @throws DomainError `TicketInvalid` for one that is unknown, used up, too old, or for another purpose
 */
export async function openTicket(
  manager: EntityManager,
  purpose: TicketPurpose,
  ticket: string,
  now: Date,
): Promise<TicketEntity> {
  const found = await manager.findOne(TicketEntity, {
    where: { digest: digestOf(ticket), purpose, expiresAt: MoreThan(now) },
    lock: { mode: 'pessimistic_write' },
  });
  if (found) return found;
  throw new DomainError('TicketInvalid', m.security_ticket_over());
}

/** Takes the challenge out of a ticket: a passkey signs each one once, whether it is taken or not. */
export async function useChallenge(
  manager: EntityManager,
  purpose: TicketPurpose,
  ticket: string,
  now: Date,
): Promise<TicketEntity & { challenge: string }> {
  const opened = await openTicket(manager, purpose, ticket, now);
  const { digest, challenge } = opened;
  if (challenge === null) throw new DomainError('TicketInvalid', m.security_challenge_used());
  await manager.update(TicketEntity, { digest }, { challenge: null });
  return { ...opened, challenge };
}

/** Puts what a passkey has to sign into a ticket. */
export async function setChallenge(
  manager: EntityManager,
  { digest }: TicketEntity,
  challenge: string,
): Promise<void> {
  await manager.update(TicketEntity, { digest }, { challenge });
}

export async function consumeTicket(manager: EntityManager, { digest }: TicketEntity): Promise<void> {
  await manager.delete(TicketEntity, { digest });
}

function digestOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
