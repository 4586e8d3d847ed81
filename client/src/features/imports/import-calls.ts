import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contracts/catalogue/marc-import.js';
import { isAtWork, MARC_ROWS_PAGE_SIZE, type MarcOutcome } from '#contracts/catalogue/marc-import.js';
import { useLiveStatus } from '../../domain/live/live-status.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';

/** Milliseconds between two looks at an import that somebody works on, where no live connection tells. */
const LOOK_AGAIN = 1000;

/** The latest first. */
export function useImports() {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    ...queryOf(calls.listMarcImports),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data = [] } }) =>
      !live && data.some((each) => isAtWork(each.state)) && LOOK_AGAIN,
    meta: { inPlace: true },
  });
}

export function useImport(id: string) {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    ...queryOf(calls.readMarcImport, { params: { id } }),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) =>
      !live && data !== undefined && isAtWork(data.state) && LOOK_AGAIN,
    meta: { inPlace: true },
  });
}

export const useImportRows = (id: string, outcome: MarcOutcome | undefined, pageNumber: number) =>
  useQuery({
    ...queryOf(calls.listMarcRows, {
      params: { id },
      query: { Outcome: outcome, pageNumber, pageSize: MARC_ROWS_PAGE_SIZE },
    }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });

/** What is done with an import; what came of it is then everywhere where it is shown. */
export function useImportCalls(id: string) {
  const client = useQueryClient();
  const options = {
    onSuccess: (view: calls.MarcImport) => {
      client.setQueryData(keyOf(calls.readMarcImport, { params: { id } }), view);
      invalidate(client, queryKeys.marcImports);
    },
  };
  return {
    wins: useCall(calls.chooseMarcWinners, options),
    choose: useCall(calls.chooseMarcRows, options),
    run: useCall(calls.runMarcImport, options),
    undo: useCall(calls.undoMarcImport, options),
    settle: useCall(calls.settleMarcRow, { onSuccess: () => invalidate(client, queryKeys.marcImports) }),
    forget: useCall(calls.forgetMarcImport, { onSuccess: () => invalidate(client, queryKeys.marcImports) }),
  };
}
