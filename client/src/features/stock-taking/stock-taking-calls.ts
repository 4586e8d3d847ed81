import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  FINDINGS_PAGE_SIZE,
  findingPageSchema,
  resolutionPageSchema,
  STOCK_TAKINGS_PAGE_SIZE,
  stockTakingPageSchema,
  stockTakingSchema,
  stockTakingStandingSchema,
  type FindingKind,
  type NewStockTaking,
  type StockTakingState,
} from '#contracts/stock-taking/stock-taking.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';

/** Milliseconds between two looks at what others do in the same stock-taking. */
const OTHERS = 10_000;

export function useStockTakings(pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.stockTakingPage(pageNumber),
    queryFn: ({ signal }) =>
      request(stockTakingPageSchema, 'StockTaking', {
        query: { pageNumber, pageSize: STOCK_TAKINGS_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

export function useStockTaking(id: string) {
  return useQuery({
    queryKey: queryKeys.stockTaking(id),
    queryFn: ({ signal }) => request(stockTakingStandingSchema, `StockTaking/${id}`, { signal }),
    refetchOnMount: 'always',
    refetchInterval: OTHERS,
  });
}

export function useFindings(id: string, kind: FindingKind, pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.stockFindings(id, kind, pageNumber),
    queryFn: ({ signal }) =>
      request(findingPageSchema, `StockTaking/${id}/findings`, {
        query: { kind, pageNumber, pageSize: FINDINGS_PAGE_SIZE },
        signal,
      }),
    // Another page of the same kind keeps the one before in sight; another kind does not.
    placeholderData: (before, query) => (query?.queryKey[4] === kind ? before : undefined),
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}

export function useResolutions(id: string, pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.stockResolutions(id, pageNumber),
    queryFn: ({ signal }) =>
      request(resolutionPageSchema, `StockTaking/${id}/resolutions`, {
        query: { pageNumber, pageSize: FINDINGS_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}

export function useStartStockTaking() {
  return useIdempotentMutation({
    requestOf: (wanted: NewStockTaking) => JSON.stringify(wanted),
    send: (body, idempotencyKey) =>
      request(stockTakingSchema, 'StockTaking', { method: 'POST', body, idempotencyKey }),
    meta: { inPlace: true },
  });
}

export function useChangeStockTaking(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (state: StockTakingState) =>
      request(stockTakingSchema, `StockTaking/${id}`, { method: 'PUT', body: { state } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.stockTaking(id) }),
  });
}
