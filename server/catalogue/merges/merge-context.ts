import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { SignedIn } from '../../http/access.js';
import type { MergeContext } from './merge-rows.js';

/**
 * Who asks for a merge or its undoing, and as which command.
 * @param key the caller's idempotency key: the same key is the same command
 */
export function mergeContext(
  { accountId, pseudonym }: SignedIn,
  key: string,
  type: string,
  asked: unknown,
  at: Date,
): MergeContext {
  return { ...commandIdentity(key, pseudonym, type, asked), accountId, at };
}
