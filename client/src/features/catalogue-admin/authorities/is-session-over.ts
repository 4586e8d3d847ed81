import { RequestError } from '../../../lib/api/request-error.js';

/** The page says so once, and goes to the login: the screen that asked adds nothing. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof RequestError && error.status === 401;
}
