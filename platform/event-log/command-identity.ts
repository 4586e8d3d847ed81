import { hash } from 'node:crypto';
import { v5 as uuidFromName } from 'uuid';

/** Any fixed UUID: names commands and events within this product. */
const NAMESPACE = '3f0e1d6a-52c7-4d8b-9a57-1b6d0c9e7f42';

/**
 * The identity of a command.
 * @param key the caller's idempotency key: a repeat with the same key is the same command
 * @param actor separates the keys of different callers
 */
export function commandIdentity(key: string, actor: string, type: string, asked: unknown) {
  return {
    commandId: uuidFromName(`${actor} ${key}`, NAMESPACE),
    commandDigest: hash('sha256', `${type} ${JSON.stringify(asked)}`, 'base64url').slice(0, 22),
  };
}
