import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';

/** What is said where a name is somebody's, of each unique index. Only the index decides between two at the same time. */
export const emailTaken = () => new DomainError('EmailTaken', m.account_email_taken());
export const usernameTaken = () => new DomainError('UsernameTaken', m.account_username_taken());
const TAKEN: Record<string, () => DomainError> = { account_name: usernameTaken, account_email: emailTaken };

/** @throws DomainError `UsernameTaken` or `EmailTaken` where the write met what somebody else has */
export async function rejectingTaken<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const taken = TAKEN[violatedIndex(error) ?? ''];
    throw taken?.() ?? error;
  }
}

const UNIQUE_VIOLATION = '23505';

function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}
