import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contracts/accounts/reader-import.js';
import {
  READER_ROWS_PAGE_SIZE,
  type ReaderImport,
  type ReaderImportOutcome,
} from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import { invalidate, queryKeys } from '../../../domain/query-keys.js';
import { keyOf, queryOf, useCall } from '../../../lib/api/send.js';

/** Milliseconds between two looks at an import that is worked on, or whose readers are invited. */
const LOOK_AGAIN = 1000;
const LOOK_AT_INVITATIONS = 15_000;

const isMoving = ({ state }: ReaderImport) => state === 'reading' || state === 'running';

/** The latest first. */
export const useReaderImports = () =>
  useQuery({
    ...queryOf(calls.listReaderImports),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data = [] } }) => data.some(isMoving) && LOOK_AGAIN,
    meta: { inPlace: true },
  });

export const useReaderImport = (id: string) =>
  useQuery({
    ...queryOf(calls.readReaderImport, { params: { id } }),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) =>
      data !== undefined &&
      (isMoving(data) ? LOOK_AGAIN : data.invitations.state === 'running' && LOOK_AT_INVITATIONS),
    meta: { inPlace: true },
  });

/** @param state of their import: rows are others once it is done */
export const useReaderRows = (
  { id, state }: ReaderImport,
  outcome: ReaderImportOutcome | undefined,
  pageNumber: number,
) => {
  const query = { Outcome: outcome, pageNumber, pageSize: READER_ROWS_PAGE_SIZE };
  const asked = queryOf(calls.listReaderRows, { params: { id }, query });
  return useQuery({
    ...asked,
    queryKey: [...asked.queryKey, state],
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
};

/** What is done with an import; what came of it is then everywhere where it is shown. */
export function useReaderImportCalls(id: string) {
  const client = useQueryClient();
  const options = {
    onSuccess: (view: ReaderImport) => {
      client.setQueryData(keyOf(calls.readReaderImport, { params: { id } }), view);
      invalidate(client, queryKeys.readerImports);
    },
  };
  return {
    run: useCall(calls.runReaderImport, options),
    invite: useCall(calls.inviteReaders, options),
    forget: useCall(calls.forgetReaderImport, {
      onSuccess: () => invalidate(client, queryKeys.readerImports),
    }),
  };
}

export const KIND_NAMES: Record<ReaderImport['kind'], string> = {
  readers: m.common_readers(),
  memberships: m.readers_import_memberships(),
  loans: m.readers_import_loans(),
};

export const OUTCOME_NAMES: Record<ReaderImportOutcome, string> = {
  new: m.import_outcome_new(),
  changed: m.import_done_changed(),
  same: m.import_outcome_same(),
  refused: m.import_outcome_refused(),
};

const STATE_TEXTS: Record<ReaderImport['state'], (of: ReaderImport) => string> = {
  reading: ({ handled }) => m.import_state_reading({ count: handled }),
  staged: () => m.import_state_staged(),
  running: ({ handled, total }) => m.import_state_running({ handled, total }),
  done: ({ done }) => m.import_state_done({ added: done.added, changed: done.changed }),
};

/** What is with an import, in a few words. */
export const stateText = (of: ReaderImport): string => STATE_TEXTS[of.state](of);

export const rowsIn = ({ outcomes }: ReaderImport): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);
