import * as m from '#words/messages.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contracts/rules/what-if.js';
import type { SimulationRequest, SimulationState } from '#contracts/rules/what-if.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { send } from '../../../lib/api/send.js';
import { addDays } from '#contracts/local-day.js';
import { isoDay } from '../../../lib/dates.js';
import { textLike, useAddress, type ChangeAddress, type Parameter } from '../../../lib/use-address.js';
import { EDITOR_ADDRESS } from '../rules-calls.js';

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

/** What the address says: of which rules and days somebody thinks, and which trial is shown. */
interface WhatIfAddress {
  /** The draft or the version that the form begins with; without either, the rules that are in force. */
  draft: string | null;
  version: number | null;
  /** Without days, the year up to yesterday. */
  from: string | null;
  to: string | null;
  /** Without one, the trial that was asked for last. */
  simulation: string | null;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;

const ADDRESS: { [Key in keyof WhatIfAddress]: Parameter<WhatIfAddress[Key]> } = {
  draft: textLike('draft', ID),
  version: EDITOR_ADDRESS.version,
  from: textLike('from', DAY),
  to: textLike('to', DAY),
  simulation: { ...textLike('trial', ID), step: true },
};

export const useWhatIfAddress = (): [WhatIfAddress, ChangeAddress<WhatIfAddress>] => useAddress(ADDRESS);

/** The year up to yesterday: only days that are over are tried. */
export function usualSpan(): { from: string; to: string } {
  const today = isoDay(Date.now());
  return { from: addDays(today, -365), to: addDays(today, -1) };
}

/** The spans that have a name. */
export function namedSpans(): { value: string; label: string; from: string; to: string }[] {
  const { from, to } = usualSpan();
  const year = Number(to.slice(0, 4));
  return [
    { value: 'year', label: m.common_span_last_12_months(), from, to },
    { value: 'quarter', label: m.what_if_last_quarter(), from: addDays(to, -89), to },
    { value: 'this', label: m.common_span_this_year({ year }), from: `${year}-01-01`, to },
    {
      value: 'before',
      label: m.common_span_year_before({ year: year - 1 }),
      from: `${year - 1}-01-01`,
      to: `${year - 1}-12-31`,
    },
  ];
}
