import { useQuery } from '@tanstack/react-query';
import { secondFactorsSchema } from '#contracts/accounts/second-factor.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** The signed-in user's second factors. */
export function useSecondFactors() {
  return useQuery({
    queryKey: queryKeys.secondFactors,
    queryFn: ({ signal }) => request(secondFactorsSchema, 'Account/second-factor', { signal }),
  });
}
