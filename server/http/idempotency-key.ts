import type { Request } from 'express';
import { IDEMPOTENCY_KEY_HEADER } from '#contracts/idempotency.js';
import * as m from '#words/messages.js';
import { RequestInvalid } from './validation.js';

/**
 * The caller's `Idempotency-Key`, if there is one.
 * @throws RequestInvalid when it is too short to be unique, or too long
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.header(IDEMPOTENCY_KEY_HEADER);
  if (key !== undefined && (key.length < 8 || key.length > 200)) {
    throw new RequestInvalid({
      [IDEMPOTENCY_KEY_HEADER]: [m.error_key_length()],
    });
  }
  return key;
}
