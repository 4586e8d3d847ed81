import { useQuery } from '@tanstack/react-query';
import { readOpeningHours } from '#contracts/rules/opening-hours.js';
import { queryOf } from '../../lib/api/send.js';

/** When the library is open. Whatever shows it is whole without it. */
export function useOpeningHours() {
  return useQuery({
    ...queryOf(readOpeningHours),
    meta: { inPlace: true },
    retry: false,
  });
}
