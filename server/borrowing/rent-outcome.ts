import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule, type ProblemCode } from '#contracts/problem.js';

/** While the log cannot be read, nothing is known: an earlier attempt at this rent may have been stored. */
const NOTHING_KNOWN: readonly ProblemCode[] = ['EventStoreUnavailable', 'HistoryUnreadable'];

/**
 * Whether no attempt at a rent can succeed after this error, so that its copies go back.
 * @param isNamed whether it has a key: then another attempt may be under way elsewhere
 */
export function isRentOver(error: unknown, { isNamed = false }: { isNamed?: boolean | undefined }): boolean {
  if (!(error instanceof DomainError)) return false;
  return isNamed ? isRefusalByRule(error.code) : !NOTHING_KNOWN.includes(error.code);
}
