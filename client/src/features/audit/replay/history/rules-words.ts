import type { TimelineEvent } from '#contracts/audit/timeline.js';
import { BOOK_KIND_WORDS, READER_KIND_WORDS } from '#contracts/rules/kinds.js';

const WORDS = { ...READER_KIND_WORDS, ...BOOK_KIND_WORDS };

/** "version 5", "version 5, for: Child, Short loan". */
export function rulesWords(version: number, kinds: TimelineEvent['kinds']): string {
  const words = kinds.map((kind) => WORDS[kind]);
  return words.length === 0 ? `version ${version}` : `version ${version}, for: ${words.join(', ')}`;
}
