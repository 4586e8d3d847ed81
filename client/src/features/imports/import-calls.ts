import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import * as readers from '#contracts/accounts/reader-import.js';
import * as records from '#contracts/catalogue/marc-import.js';
import { IMPORT_ROWS_PAGE_SIZE, isAtWork, type StagedImport } from '#contracts/imports.js';
import { useLiveStatus } from '../../domain/live/live-status.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';

/** Milliseconds between two looks at an import that somebody works on, where no live connection tells. */
const LOOK_AGAIN = 1000;
/** Nobody tells of invitations. */
const LOOK_AT_INVITATIONS = 15_000;

function useLooks() {
  const live = useLiveStatus().state === 'live';
  return {
    refetchOnMount: 'always' as const,
    refetchInterval: ({ state: { data } }: { state: { data?: StagedImport | StagedImport[] | undefined } }) =>
      !live && [data ?? []].flat().some(isAtWork) && LOOK_AGAIN,
    meta: { inPlace: true },
  };
}

/** The latest first. */
export const useMarcImports = () => useQuery({ ...queryOf(records.listMarcImports), ...useLooks() });
export const useReaderImports = () => useQuery({ ...queryOf(readers.listReaderImports), ...useLooks() });

export const useMarcImport = (id: string) =>
  useQuery({ ...queryOf(records.readMarcImport, { params: { id } }), ...useLooks() });

export function useReaderImport(id: string) {
  const looks = useLooks();
  return useQuery({
    ...queryOf(readers.readReaderImport, { params: { id } }),
    ...looks,
    refetchInterval: (query) =>
      looks.refetchInterval(query) ||
      (query.state.data?.invitations.state === 'running' && LOOK_AT_INVITATIONS),
  });
}

const ROWS = {
  placeholderData: keepPreviousData,
  refetchOnMount: 'always',
  meta: { inPlace: true },
} as const;

/** What is asked for a page of rows. */
const pageOf = <Outcome extends string>(id: string, Outcome: Outcome | undefined, pageNumber: number) => ({
  params: { id },
  query: { Outcome, pageNumber, pageSize: IMPORT_ROWS_PAGE_SIZE },
});

/** @param state of their import: rows are others once it is done */
export function useMarcRows(
  { id, state }: StagedImport,
  outcome: records.MarcOutcome | undefined,
  pageNumber: number,
) {
  const asked = queryOf(records.listMarcRows, pageOf(id, outcome, pageNumber));
  return useQuery({ ...asked, ...ROWS, queryKey: [...asked.queryKey, state] });
}

export function useReaderRows(
  { id, state }: StagedImport,
  outcome: readers.ReaderImportOutcome | undefined,
  pageNumber: number,
) {
  const asked = queryOf(readers.listReaderRows, pageOf(id, outcome, pageNumber));
  return useQuery({ ...asked, ...ROWS, queryKey: [...asked.queryKey, state] });
}

/** What is done with an import; what came of it is then everywhere where it is shown. */
export function useMarcCalls(id: string) {
  const client = useQueryClient();
  const after = { onSuccess: () => invalidate(client, queryKeys.marcImports) };
  const options = {
    onSuccess: (view: records.MarcImport) => {
      client.setQueryData(keyOf(records.readMarcImport, { params: { id } }), view);
      after.onSuccess();
    },
  };
  return {
    wins: useCall(records.chooseMarcWinners, options),
    choose: useCall(records.chooseMarcRows, options),
    run: useCall(records.runMarcImport, options),
    undo: useCall(records.undoMarcImport, options),
    settle: useCall(records.settleMarcRow, after),
    forget: useCall(records.forgetMarcImport, after),
  };
}

export function useReaderCalls(id: string) {
  const client = useQueryClient();
  const after = { onSuccess: () => invalidate(client, queryKeys.readerImports) };
  const options = {
    onSuccess: (view: readers.ReaderImport) => {
      client.setQueryData(keyOf(readers.readReaderImport, { params: { id } }), view);
      after.onSuccess();
    },
  };
  return {
    run: useCall(readers.runReaderImport, options),
    settle: useCall(readers.settleReaderRow, options),
    invite: useCall(readers.inviteReaders, options),
    forget: useCall(readers.forgetReaderImport, after),
  };
}
