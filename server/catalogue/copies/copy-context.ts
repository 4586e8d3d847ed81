import { randomUUID } from 'node:crypto';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { SignedIn } from '../../http/access.js';
import { correlationId } from '../../http/correlation.js';
import type { CopyContext } from './copy-writer.js';

/** @param key the caller's idempotency key, where the command takes one */
export function copyContext(caller: SignedIn, type: string, asked: unknown, key?: string): CopyContext {
  return {
    actor: caller.pseudonym,
    correlationId: correlationId(),
    ...commandIdentity(key ?? randomUUID(), caller.pseudonym, type, asked),
  };
}
