import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { rulesOverviewSchema, type RulesChange } from '#contracts/rules/rule-views.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';
import { queryKeys } from '../../domain/query-keys.js';

export function useRules() {
  return useQuery({
    queryKey: queryKeys.rules,
    queryFn: ({ signal }) => request(rulesOverviewSchema, 'Rules', { signal }),
    meta: { inPlace: true },
  });
}

/** Why it was refused is shown beside the form. */
export function useChangeRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: RulesChange & { key: string }) =>
      request(rulesOverviewSchema, 'Rules', {
        method: 'POST',
        body,
        idempotencyKey: key,
      }),
    meta: { inPlace: true },
    onSuccess: (overview) => {
      notify.success('The rules were changed');
      client.setQueryData(queryKeys.rules, overview);
    },
  });
}

export function useWithdrawRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => request(rulesOverviewSchema, `Rules/${version}`, { method: 'DELETE' }),
    meta: { inPlace: true },
    onSuccess: (overview) => {
      notify.success('The prepared rules were withdrawn');
      client.setQueryData(queryKeys.rules, overview);
    },
  });
}
