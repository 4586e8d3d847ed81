import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';

/** The error code of each unique index. Only the index decides between two at the same time. */
export const EMAIL_TAKEN: [ProblemCode, string] = [
  'EmailTaken',
  'There is already an account with this email address.',
];
export const USERNAME_TAKEN: [ProblemCode, string] = [
  'UsernameTaken',
  'This username is already taken. Please choose another.',
];
const TAKEN: Record<string, [ProblemCode, string]> = {
  account_name: USERNAME_TAKEN,
  account_email: EMAIL_TAKEN,
};

/** @throws DomainError `UsernameTaken` or `EmailTaken` where the write met what somebody else has */
export async function rejectingTaken<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const taken = TAKEN[violatedIndex(error) ?? ''];
    throw taken ? new DomainError(...taken) : error;
  }
}

const UNIQUE_VIOLATION = '23505';

function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}
