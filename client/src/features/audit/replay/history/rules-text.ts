import type { TimelineEvent } from '#contracts/audit/timeline.js';
import { BOOK_KIND_LABELS, READER_KIND_LABELS } from '#contracts/rules/kinds.js';

const WORDS = { ...READER_KIND_LABELS, ...BOOK_KIND_LABELS };

/** "version 5", "version 5, for: Child, Short loan". */
export function rulesText(version: number, kinds: TimelineEvent['kinds']): string {
  const words = kinds.map((kind) => WORDS[kind]);
  return words.length === 0 ? `version ${version}` : `version ${version}, for: ${words.join(', ')}`;
}
