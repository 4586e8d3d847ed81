import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import {
  rulesDraftSchema,
  rulesDraftsSchema,
  type NewRulesDraft,
  type RulesDraft,
  type RulesDraftChange,
} from '#contracts/rules/draft-views.js';
import { rulesOverviewSchema, type RulesChange } from '#contracts/rules/rule-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';

/** What is refused is said where it was asked for. */
const meta = { inPlace: true };

export function useRules() {
  return useQuery({
    queryKey: queryKeys.rulesOverview,
    queryFn: ({ signal }) => request(rulesOverviewSchema, 'Rules', { signal }),
    refetchOnMount: 'always',
    meta,
  });
}

/** Versions before those that are known, a part at each call. */
export function useEarlierVersions() {
  return useMutation({
    mutationFn: (before: number) => request(rulesOverviewSchema, 'Rules', { query: { before } }),
    meta,
  });
}

export function useRulesDrafts() {
  return useQuery({
    queryKey: queryKeys.rulesDrafts,
    queryFn: ({ signal }) => request(rulesDraftsSchema, 'Rules/draft', { signal }),
    refetchOnMount: 'always',
    meta,
  });
}

export function useRulesDraft(id: string | null) {
  return useQuery({
    queryKey: queryKeys.rulesDraft(id ?? ''),
    queryFn: ({ signal }) => request(rulesDraftSchema, `Rules/draft/${id}`, { signal }),
    enabled: id !== null,
    refetchOnMount: 'always',
    meta,
  });
}

export function useChangeRules() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: (body: RulesChange) => JSON.stringify(body),
    send: (body, idempotencyKey) =>
      request(rulesOverviewSchema, 'Rules', { method: 'POST', body, idempotencyKey }),
    meta,
    onError: () => lookAgain(client),
    onSuccess: (overview) => {
      client.setQueryData(queryKeys.rulesOverview, overview);
      void client.invalidateQueries({ queryKey: queryKeys.rulesDrafts });
    },
  });
}

export function useWithdrawRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => request(rulesOverviewSchema, `Rules/${version}`, { method: 'DELETE' }),
    meta,
    onSuccess: (overview) => client.setQueryData(queryKeys.rulesOverview, overview),
  });
}

/** Keeps a new draft, or saves one that has an id. */
export function useSaveDraft() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: (wanted: { id: string | null; draft: NewRulesDraft & Partial<RulesDraftChange> }) =>
      JSON.stringify(wanted),
    send: ({ id, draft: body }, idempotencyKey) =>
      id === null
        ? request(rulesDraftSchema, 'Rules/draft', { method: 'POST', body, idempotencyKey })
        : request(rulesDraftSchema, `Rules/draft/${id}`, { method: 'PUT', body }),
    meta,
    onError: () => lookAgain(client),
    onSuccess: (draft) => keep(client, draft),
  });
}

/** It may have been refused for what somebody else has done meanwhile. */
const lookAgain = (client: QueryClient) => void client.invalidateQueries({ queryKey: queryKeys.rules });

function keep(client: QueryClient, draft: RulesDraft): void {
  client.setQueryData(queryKeys.rulesDraft(draft.id), draft);
  void client.invalidateQueries({ queryKey: queryKeys.rulesDrafts });
}

export function useDeleteDraft() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(rulesDraftsSchema, `Rules/draft/${id}`, { method: 'DELETE' }),
    meta,
    onSuccess: (drafts, id) => {
      client.setQueryData(queryKeys.rulesDrafts, drafts);
      client.removeQueries({ queryKey: queryKeys.rulesDraft(id) });
    },
  });
}
