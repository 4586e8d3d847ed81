import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { suggestionsSchema } from '#contracts/catalogue/book-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

/** From the last letter until it is asked, in milliseconds. */
const DELAY_MS = 120;
/** What is shorter may mean anything. */
const MIN_LETTERS = 2;
const FRESH_MS = 60_000;

/** What may be meant by what is typed so far; what was suggested last stays until the next is there. */
export function useSuggestions(typed: string) {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(typed.trim()), DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const enabled = asked.length >= MIN_LETTERS && typed.trim().length >= MIN_LETTERS;
  const { data } = useQuery({
    queryKey: [...queryKeys.books, 'suggested', asked],
    queryFn: ({ signal }) =>
      request(suggestionsSchema, 'Book/suggest', { query: { SearchTerm: asked }, signal }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    meta: { inPlace: true },
  });
  return enabled ? data : undefined;
}
