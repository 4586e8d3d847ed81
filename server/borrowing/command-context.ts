import { randomUUID } from 'node:crypto';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { SignedIn } from '../http/access.js';
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
