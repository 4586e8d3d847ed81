import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { genreSchema } from '#contracts/catalogue/genre.js';
import { pastBorrowSchema } from '#contracts/audit/as-of.js';
import { holderSchema } from '#contracts/audit/audit-events.js';
import {
  genresInsightSchema,
  happeningsPageSchema,
  HAPPENINGS_PAGE_SIZE,
  hoursInsightSchema,
  idleInsightSchema,
  titlesInsightSchema,
  wantedInsightSchema,
  type Happening,
  type HoldHappening,
  type Insight,
  type InsightQuery,
  type WantedQuery,
} from '#contracts/insight/insight.js';
import { queryKeys } from '../../domain/query-keys.js';
import { appNavigation } from '../../lib/app-navigation.js';
import { request, requestFile } from '../../lib/api/request.js';
import { saveFile } from '../../lib/save-file.js';

/** The figures of some days. Each look at them goes through all borrows: they are asked for once, and again on demand. */
function useInsight<Answer extends z.ZodType>(
  of: Insight,
  answer: Answer,
  asked: InsightQuery & Partial<WantedQuery>,
) {
  return useQuery({
    queryKey: queryKeys.insight(of, asked),
    queryFn: ({ signal }) => request(answer, `Insight/${of}`, { query: { ...asked }, signal }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { inPlace: true },
  });
}

export const useTitles = (span: InsightQuery) => useInsight('titles', titlesInsightSchema, span);
export const useGenres = (span: InsightQuery) => useInsight('genres', genresInsightSchema, span);
export const useIdle = (span: InsightQuery) => useInsight('idle', idleInsightSchema, span);
export const useWanted = (query: WantedQuery) => useInsight('wanted', wantedInsightSchema, query);
export const useHours = (span: InsightQuery) => useInsight('hours', hoursInsightSchema, span);

/** What a figure counts. */
export interface Figure extends InsightQuery {
  what: Happening | HoldHappening | undefined;
  bookId: number | undefined;
  genreId: number | undefined;
  hour: number | undefined;
}

export function useHappenings(figure: Figure, pageNumber: number) {
  const query = { ...figure, pageNumber, pageSize: HAPPENINGS_PAGE_SIZE };
  return useQuery({
    queryKey: queryKeys.happenings(query),
    queryFn: ({ signal }) => request(happeningsPageSchema, 'Insight/events', { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
}

/** @param genreId 0 for books without one */
export function useGenreName(genreId: number | undefined): string | undefined {
  const genre = useQuery({
    queryKey: queryKeys.genre(genreId ?? 0),
    queryFn: ({ signal }) => request(genreSchema, `Genre/${genreId}`, { signal }),
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
        await requestFile('Insight/file', { query: { of, ...asked } }),
        `${of}-${asked.from}-${asked.to}.csv`,
      ),
  });
}

/** Opens the replay of whose borrow it is: from then on it is a look at somebody, and recorded. */
export function useOpenReplay() {
  return useMutation({
    mutationFn: async (borrowId: string) => {
      const { borrow } = await request(pastBorrowSchema, `Audit/borrows/${borrowId}`);
      if (borrow) await appNavigation.go(`/audit/readers/${borrow.user.id}?borrow=${borrowId}`);
    },
  });
}

/** Opens the page of whose hold it is, or its replay: that is a look at somebody, and recorded. */
export function useOpenHolder(area: 'admin' | 'audit') {
  return useMutation({
    mutationFn: async (holdId: string) => {
      const { user } = await request(holderSchema, `Audit/holds/${holdId}`);
      await appNavigation.go(`/${area}/readers/${user.id}`);
    },
  });
}
