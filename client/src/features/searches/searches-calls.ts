import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { searchReportSchema } from '#contracts/catalogue/search-report.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request, requestFile } from '../../lib/api/request.js';
import { saveFile } from '../../lib/save-file.js';

/** What was searched for most and not found. */
export function useSearchReport(pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.searchReport(pageNumber),
    queryFn: ({ signal }) => request(searchReportSchema, 'SearchReport', { query: { pageNumber }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Saves the whole list as a file. */
export function useSearchReportFile() {
  return useMutation({
    mutationFn: async () => saveFile(await requestFile('SearchReport/file'), 'searches-without-result.csv'),
  });
}
