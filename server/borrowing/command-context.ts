import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import type { LimitReason } from '#contracts/borrowing/borrow-events.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { notAllowed, type SignedIn } from '../http/access.js';
import { correlationId } from '../http/correlation.js';
import type { CommandContext } from './streams/reader-streams.js';

/**
 * Who sent a command, and how a repeat of it is recognised.
 * @param key of the caller, if they named one
 * @param asked the request, without what may not be in the log even as a digest
 */
export function contextOf(
  caller: SignedIn,
  key: string | undefined,
  type: string,
  asked: unknown,
): CommandContext {
  return {
    actor: caller.pseudonym,
    correlationId: correlationId(),
    isNamed: key !== undefined,
    ...commandIdentity(key ?? randomUUID(), caller.pseudonym, type, asked),
  };
}

/**
 * Why a librarian goes beyond a limit, as commands take it.
 * @param userId of the reader, where it is not the caller
 * @throws DomainError NotAllowed for readers, and for what staff would have themselves
 */
export function goingBeyond(
  { permissions, accountId }: SignedIn,
  userId: string | undefined,
  beyondLimit: LimitReason | undefined,
): { beyondLimit?: LimitReason } {
  if (beyondLimit === undefined) return {};
  if (permissions.length === 0) throw notAllowed(m.borrow_beyond_librarians_only());
  if (userId === undefined || userId === accountId) throw notAllowed(m.borrow_beyond_not_oneself());
  return { beyondLimit };
}
