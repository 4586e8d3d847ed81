import { stickerOptionsSchema, type ReportView } from '#contracts/reports/report.js';

const spoken = stickerOptionsSchema
  .pick({ start: true, addedSince: true, bookIds: true })
  .loose()
  .transform(({ start, addedSince, bookIds }) => [
    ...(bookIds ? [bookIds.length === 1 ? 'one book' : `${bookIds.length} books`] : []),
    ...(addedSince === undefined ? [] : [`added since ${addedSince}`]),
    ...(start === undefined || start === 1 ? [] : [`from label ${start} on`]),
  ]);

/** What sets a printing of labels apart from one of all: "added since 2026-11-01, from label 5 on". */
export function optionText({ kind, options }: ReportView): string {
  const words = kind === 'stickers' ? spoken.safeParse(options) : undefined;
  return words?.data?.join(', ') ?? '';
}

/** "812 B", "34 kB", "1.2 MB". */
export function sizeInShort(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
