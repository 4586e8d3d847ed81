import { useMutation } from '@tanstack/react-query';
import { requestFile } from '../../../lib/api/request.js';
import { saveFile } from '../../../lib/save-file.js';

/** Fetches a reader's events with their hashes and saves them as JSON lines. Each export is recorded. */
export function useExport(readerId: string) {
  return useMutation({
    mutationFn: async () =>
      saveFile(
        await requestFile(`Audit/readers/${readerId}/export`, { query: { format: 'jsonl' } }),
        `borrows-${readerId}.jsonl`,
      ),
  });
}
