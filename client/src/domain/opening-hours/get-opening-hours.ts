import { useQuery } from '@tanstack/react-query';
import { openingHoursSchema } from '#contracts/rules/opening-hours.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** When the library is open. Whatever shows it is whole without it. */
export function useOpeningHours() {
  return useQuery({
    queryKey: queryKeys.openingHours,
    queryFn: ({ signal }) => request(openingHoursSchema, 'Rules/hours', { signal }),
    meta: { inPlace: true },
    retry: false,
  });
}
