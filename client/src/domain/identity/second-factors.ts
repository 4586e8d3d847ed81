import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readSecondFactors, type SecondFactors } from '#contracts/accounts/second-factor.js';
import { keyOf, send } from '../../lib/api/send.js';
import { session } from '../../lib/session.js';
import { queryKeys } from '../query-keys.js';

/** The signed-in user's second factors. */
export function useSecondFactors() {
  return useQuery({
    queryKey: keyOf(readSecondFactors),
    queryFn: async ({ signal }) => {
      const factors = await send(readSecondFactors, {}, { signal });
      session.setNeedsSecondFactor(isMissing(factors));
      return factors;
    },
  });
}

/** A change of them; a refusal is shown in its place. */
export function useSecondFactorChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { inPlace: true },
    onSuccess: async () => {
      // The first one ends all other sessions.
      void client.invalidateQueries({ queryKey: queryKeys.sessions });
      await client.invalidateQueries({ queryKey: keyOf(readSecondFactors) });
    },
  });
}

/** Whether one has to be added: until then, the server answers nothing else. */
function isMissing({ required, codeAppSince, passkeys }: SecondFactors): boolean {
  return required && codeAppSince === null && passkeys.length === 0;
}
