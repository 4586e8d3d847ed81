import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contracts/rules/what-if.js';
import type { SimulationRequest, SimulationState } from '#contracts/rules/what-if.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { send } from '../../../lib/api/send.js';

/** Milliseconds between two looks at a trial that is under way. */
const LOOK_INTERVAL = 1_000;
/** What is refused is said where it was asked for. */
const meta = { inPlace: true };

const UNDER_WAY: readonly SimulationState[] = ['waiting', 'running'];
const isUnderWay = ({ state }: { state: SimulationState }) => UNDER_WAY.includes(state);

/** The trial that was asked for last, by whomever. */
export function useLatestSimulation() {
  const client = useQueryClient();
  return useQuery({
    queryKey: queryKeys.latestSimulation,
    queryFn: async ({ signal }) => {
      const { simulation } = await send(calls.readLatestSimulation, {}, { signal });
      if (simulation) client.setQueryData(queryKeys.simulation(simulation.id), simulation);
      return simulation;
    },
    refetchOnMount: 'always',
    meta,
  });
}

/** A trial; while it is under way, it is looked at again and again. */
export function useSimulation(id: string | null) {
  return useQuery({
    queryKey: queryKeys.simulation(id ?? ''),
    queryFn: ({ signal }) => send(calls.readSimulation, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? LOOK_INTERVAL : false),
    refetchOnMount: 'always',
    meta,
  });
}

export function useAskSimulation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SimulationRequest) => send(calls.askForSimulation, { body }),
    onSuccess: ({ id }) => client.invalidateQueries({ queryKey: queryKeys.simulation(id) }),
    meta,
  });
}

export function useCancelSimulation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(calls.cancelSimulation, { params: { id } }),
    onSuccess: (simulation) => client.setQueryData(queryKeys.simulation(simulation.id), simulation),
    meta,
  });
}

/** Whom the rules would have changed most. To ask is a look at each of them: never before somebody wants to know. */
export function useSimulationReaders(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.simulationReaders(id),
    queryFn: async ({ signal }) =>
      (await send(calls.readSimulationReaders, { params: { id } }, { signal })).items,
    enabled: isWanted,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta,
  });
}
