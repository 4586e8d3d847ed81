import { useMutation } from '@tanstack/react-query';
import { requestFile } from '../../lib/api/request.js';
import { saveFile } from '../../lib/save-file.js';

/** Saves all lists of the reader as a file. */
export function useExportLists() {
  return useMutation({
    mutationFn: async (format: 'csv' | 'json') =>
      saveFile(await requestFile('List/mine/file', { query: { format } }), `lists.${format}`),
  });
}
