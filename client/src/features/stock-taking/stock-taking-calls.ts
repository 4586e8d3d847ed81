import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contracts/stock-taking/stock-taking.js';
import {
  FINDINGS_PAGE_SIZE,
  STOCK_TAKINGS_PAGE_SIZE,
  type FindingKind,
  type StockTakingState,
} from '#contracts/stock-taking/stock-taking.js';
import { queryKeys } from '../../domain/query-keys.js';
import { queryOf, send, useCall } from '../../lib/api/send.js';

/** Milliseconds between two looks at what others do in the same stock-taking. */
const OTHERS = 10_000;

export const useStockTakings = (pageNumber: number) =>
  useQuery({
    ...queryOf(calls.listStockTakings, { query: { pageNumber, pageSize: STOCK_TAKINGS_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const useStockTaking = (id: string) =>
  useQuery({
    ...queryOf(calls.readStockTaking, { params: { id } }),
    refetchOnMount: 'always',
    refetchInterval: OTHERS,
  });

export function useFindings(id: string, kind: FindingKind, pageNumber: number) {
  const query = { kind, pageNumber, pageSize: FINDINGS_PAGE_SIZE };
  return useQuery({
    ...queryOf(calls.listFindings, { params: { id }, query }),
    // Another page of the same kind keeps the one before in sight; another kind does not.
    placeholderData: (before, last) =>
      (last?.queryKey.at(-1) as typeof query | undefined)?.kind === kind ? before : undefined,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}

export const useResolutions = (id: string, pageNumber: number) =>
  useQuery({
    ...queryOf(calls.listResolutions, {
      params: { id },
      query: { pageNumber, pageSize: FINDINGS_PAGE_SIZE },
    }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });

export const useStartStockTaking = () => useCall(calls.startStockTaking, { meta: { inPlace: true } });

export function useChangeStockTaking(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (state: StockTakingState) =>
      send(calls.changeStockTaking, { params: { id }, body: { state } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.stockTaking(id) }),
  });
}
