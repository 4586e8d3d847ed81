import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import * as drafts from '#contracts/rules/draft-views.js';
import type { NewRulesDraft, RulesDraft, RulesDraftChange } from '#contracts/rules/draft-views.js';
import { changeRules, readRules, withdrawRules, type RulesChange } from '#contracts/rules/rule-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { keyOf, queryOf, send } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { ruleSetSchema, type RuleSet } from '#contracts/rules/rule-set.js';
import type { Parameter } from '../../lib/use-address.js';

/** What is refused is said where it was asked for. */
const meta = { inPlace: true };
const always = { refetchOnMount: 'always', meta } as const;
const draftKey = (id: string) => keyOf(drafts.readDraft, { params: { id } });

export const useRules = () => useQuery({ ...queryOf(readRules), ...always });

/** Versions before those that are known, a part at each call. */
export function useEarlierVersions() {
  return useMutation({ mutationFn: (before: number) => send(readRules, { query: { before } }), meta });
}

export const useRulesDrafts = () => useQuery({ ...queryOf(drafts.listDrafts), ...always });

export const useRulesDraft = (id: string | null) =>
  useQuery({
    ...queryOf(drafts.readDraft, { params: { id: id ?? '' } }),
    ...always,
    enabled: id !== null,
  });

export function useChangeRules() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: (body: RulesChange) => JSON.stringify(body),
    send: (body, idempotencyKey) => send(changeRules, { body }, { idempotencyKey }),
    meta,
    onError: () => lookAgain(client),
    onSuccess: (overview) => {
      client.setQueryData(keyOf(readRules), overview);
      void client.invalidateQueries({ queryKey: keyOf(drafts.listDrafts) });
    },
  });
}

export function useWithdrawRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => send(withdrawRules, { params: { version } }),
    meta,
    onSuccess: (overview) => client.setQueryData(keyOf(readRules), overview),
  });
}

type SavedDraft = { id: null; draft: NewRulesDraft } | { id: string; draft: RulesDraftChange };

/** Keeps a new draft, or saves one that has an id. */
export function useSaveDraft() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: (wanted: SavedDraft) => JSON.stringify(wanted),
    send: ({ id, draft }, idempotencyKey) =>
      id === null
        ? send(drafts.addDraft, { body: draft }, { idempotencyKey })
        : send(drafts.changeDraft, { params: { id }, body: draft }),
    meta,
    onError: () => lookAgain(client),
    onSuccess: (draft) => keep(client, draft),
  });
}

/** It may have been refused for what somebody else has done meanwhile. */
const lookAgain = (client: QueryClient) => void client.invalidateQueries({ queryKey: queryKeys.rules });

function keep(client: QueryClient, draft: RulesDraft): void {
  client.setQueryData(draftKey(draft.id), draft);
  void client.invalidateQueries({ queryKey: keyOf(drafts.listDrafts) });
}

export function useDeleteDraft() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(drafts.removeDraft, { params: { id } }),
    meta,
    onSuccess: (left, id) => {
      client.setQueryData(keyOf(drafts.listDrafts), left);
      client.removeQueries({ queryKey: draftKey(id) });
    },
  });
}

/** What the editor begins with; the rules in force where neither is named. */
export const EDITOR_ADDRESS = {
  draft: {
    name: 'draft',
    read: (text) => (text === null || text === '' ? null : text),
    write: (id) => id ?? '',
  } satisfies Parameter<string | null>,
  version: {
    name: 'version',
    read: (text) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : null),
    write: (version) => (version === null ? '' : String(version)),
  } satisfies Parameter<number | null>,
} as const;

export const RULES_PAGE = '/admin/rules';
export const EDITOR = `${RULES_PAGE}/edit`;
export const WHAT_IF = `${RULES_PAGE}/what-if`;

/** The rules that were typed on another page, which led here with them; null where none were, or they are of another release. */
export function handedOver(state: unknown): RuleSet | null {
  const read = ruleSetSchema.safeParse((state as { rules?: unknown } | null)?.rules);
  return read.success ? read.data : null;
}
