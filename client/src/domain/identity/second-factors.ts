import { useQuery } from '@tanstack/react-query';
import { secondFactorsSchema, type SecondFactors } from '#contracts/accounts/second-factor.js';
import { request } from '../../lib/api/request.js';
import { session } from '../../lib/session.js';
import { queryKeys } from '../query-keys.js';

/** The signed-in user's second factors. */
export function useSecondFactors() {
  return useQuery({
    queryKey: queryKeys.secondFactors,
    queryFn: async ({ signal }) => {
      const factors = await request(secondFactorsSchema, 'Account/second-factor', { signal });
      session.setNeedsSecondFactor(isMissing(factors));
      return factors;
    },
  });
}

/** Whether one has to be added: until then, the server answers nothing else. */
function isMissing({ required, codeAppSince, passkeys }: SecondFactors): boolean {
  return required && codeAppSince === null && passkeys.length === 0;
}
