import { useMutation } from '@tanstack/react-query';
import { exportHistory } from '#contracts/audit/audit-calls.js';
import {
  exportEventSchema,
  exportFooterSchema,
  exportHeaderSchema,
} from '#contracts/audit/history-export.js';
import { sendForFile } from '../../../../lib/api/send.js';
import { saveFile } from '../../../../lib/save-file.js';

const fetchExport = (readerId: string) =>
  sendForFile(exportHistory, { params: { readerId }, query: { format: 'jsonl' } });

/** The name that an export is saved under. */
export const fileOf = (readerId: string) => `borrows-${readerId}.jsonl`;

/** Fetches a reader's events with their hashes and saves them as JSON lines. Each export is recorded. */
export function useExport(readerId: string) {
  return useMutation({
    mutationFn: async () => saveFile(await fetchExport(readerId), fileOf(readerId)),
  });
}

/** The hashes that bind a history together, by revision, with where the chain begins and ends. */
export interface HashChain {
  exportedAt: string;
  firstHash: string;
  finalHash: string;
  hashes: ReadonlyMap<number, string>;
}

/**
 * Makes an export for paper: its chain is printed, and its file is saved beside, as each export has hashes of its own
 * (its time is in the first one). It is recorded as an export.
 */
export function useHashChain(readerId: string) {
  return useMutation({
    mutationFn: async () => {
      const file = await fetchExport(readerId);
      const chain = chainOf(await file.text());
      saveFile(file, fileOf(readerId));
      return chain;
    },
  });
}

/**
 * Reads the chain from the lines of an export.
 * @throws where a line is missing or of another form: half a chain proves nothing
 */
function chainOf(lines: string): HashChain {
  const parsed = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
  const { exportedAt, firstHash } = exportHeaderSchema.parse(parsed[0]);
  const { finalHash, count } = exportFooterSchema.parse(parsed.at(-1));
  const events = parsed.slice(1, -1).map((line) => exportEventSchema.parse(line));
  if (events.length !== count) throw new Error('The export is not whole.');
  return {
    exportedAt,
    firstHash,
    finalHash,
    hashes: new Map(events.map(({ revision, hash }) => [revision, hash])),
  };
}
