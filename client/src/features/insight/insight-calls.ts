import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { readHolder, readPastBorrow } from '#contracts/audit/audit-calls.js';
import { GENRE_CALLS } from '#contracts/catalogue/authorities.js';
import * as calls from '#contracts/insight/insight.js';
import {
  ACTIVITIES_PAGE_SIZE,
  USUAL_WAIT,
  type Activity,
  type HoldActivity,
  type Insight,
  type InsightQuery,
  type WantedQuery,
} from '#contracts/insight/insight.js';
import { appNavigation } from '../../lib/app-navigation.js';
import { queryOf, send, sendForFile } from '../../lib/api/send.js';
import { saveFile } from '../../lib/save-file.js';

/** Each look at the figures goes through all borrows: they are asked for once, and again on demand. */
const once = { staleTime: Infinity, refetchOnWindowFocus: false, meta: { inPlace: true } } as const;

export const useTitles = (query: InsightQuery) =>
  useQuery({ ...queryOf(calls.readTitles, { query }), ...once });
export const useGenres = (query: InsightQuery) =>
  useQuery({ ...queryOf(calls.readGenres, { query }), ...once });
export const useIdle = (query: InsightQuery) => useQuery({ ...queryOf(calls.readIdle, { query }), ...once });
export const useWanted = (query: WantedQuery) =>
  useQuery({ ...queryOf(calls.readWanted, { query }), ...once });
export const useHours = (query: InsightQuery) =>
  useQuery({ ...queryOf(calls.readHours, { query }), ...once });

/** What a figure counts. */
export interface Figure extends InsightQuery {
  what: Activity | HoldActivity | undefined;
  bookId: number | undefined;
  genreId: number | undefined;
  hour: number | undefined;
}

export function useActivities(figure: Figure, pageNumber: number) {
  const query = { ...figure, pageNumber, pageSize: ACTIVITIES_PAGE_SIZE };
  return useQuery({
    ...queryOf(calls.readActivities, { query }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}

/** @param genreId 0 for books without one */
export function useGenreName(genreId: number | undefined): string | undefined {
  const genre = useQuery({
    ...queryOf(GENRE_CALLS.read, { params: { id: genreId ?? 0 } }),
    enabled: genreId !== undefined && genreId > 0,
    meta: { inPlace: true },
  });
  return genre.data?.name;
}

/** Saves the whole of a list. */
export function useInsightFile(of: Insight, asked: InsightQuery & Partial<WantedQuery>) {
  return useMutation({
    mutationFn: async () =>
      saveFile(
        await sendForFile(calls.fetchInsight, { query: { of, within: USUAL_WAIT, ...asked } }),
        `${of}-${asked.from}-${asked.to}.csv`,
      ),
  });
}

/** Opens the replay of whose borrow it is: from then on it is a look at somebody, and recorded. */
export function useOpenReplay() {
  return useMutation({
    mutationFn: async (borrowId: string) => {
      const { borrow } = await send(readPastBorrow, { params: { borrowId } });
      if (borrow) await appNavigation.go(`/audit/readers/${borrow.user.id}?borrow=${borrowId}`);
    },
  });
}

/** Opens the page of whose hold it is, or its replay: that is a look at somebody, and recorded. */
export function useOpenHolder(area: 'admin' | 'audit') {
  return useMutation({
    mutationFn: async (holdId: string) => {
      const { user } = await send(readHolder, { params: { holdId } });
      await appNavigation.go(`/${area}/readers/${user.id}`);
    },
  });
}
