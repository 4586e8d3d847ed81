import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contracts/rules/what-if.js';
import type { TrialRequest, TrialState } from '#contracts/rules/what-if.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { send } from '../../../lib/api/send.js';

/** Milliseconds between two looks at a trial that is under way. */
const LOOK_INTERVAL = 1_000;
/** What is refused is said where it was asked for. */
const meta = { inPlace: true };

const UNDER_WAY: readonly TrialState[] = ['waiting', 'running'];
const isUnderWay = ({ state }: { state: TrialState }) => UNDER_WAY.includes(state);

/** The trial that was asked for last, by whomever. */
export function useLatestTrial() {
  const client = useQueryClient();
  return useQuery({
    queryKey: queryKeys.latestTrial,
    queryFn: async ({ signal }) => {
      const { trial } = await send(calls.readLatestTrial, {}, { signal });
      if (trial) client.setQueryData(queryKeys.trial(trial.id), trial);
      return trial;
    },
    refetchOnMount: 'always',
    meta,
  });
}

/** A trial; while it is under way, it is looked at again and again. */
export function useTrial(id: string | null) {
  return useQuery({
    queryKey: queryKeys.trial(id ?? ''),
    queryFn: ({ signal }) => send(calls.readTrial, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? LOOK_INTERVAL : false),
    refetchOnMount: 'always',
    meta,
  });
}

export function useAskTrial() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TrialRequest) => send(calls.askForTrial, { body }),
    onSuccess: ({ id }) => client.invalidateQueries({ queryKey: queryKeys.trial(id) }),
    meta,
  });
}

export function useCancelTrial() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(calls.cancelTrial, { params: { id } }),
    onSuccess: (trial) => client.setQueryData(queryKeys.trial(trial.id), trial),
    meta,
  });
}

/** Whom the rules would have changed most. To ask is a look at each of them: never before somebody wants to know. */
export function useTrialReaders(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.trialReaders(id),
    queryFn: async ({ signal }) => (await send(calls.readTrialReaders, { params: { id } }, { signal })).items,
    enabled: isWanted,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta,
  });
}
