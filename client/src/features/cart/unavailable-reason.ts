import { useQuery } from '@tanstack/react-query';
import { bookSchema } from '#contracts/catalogue/book-views.js';
import { request } from '../../lib/api/request.js';
import { RequestError } from '../../lib/api/request-error.js';
import { queryKeys } from '../../domain/query-keys.js';

export const UNAVAILABLE_REASONS = {
  lent: 'No copy is left just now. Reserve it, or take it out, to rent the others.',
  'reading-room': 'This book is for the reading room only. Take it out to rent the others.',
  removed: 'This book is not in the catalogue any more. Take it out to rent the others.',
} as const;

/** Why a book in the cart cannot be rented, looked up once a rent was refused; nothing where it can. */
export function useUnavailableReason(
  bookId: number,
  isAsked: boolean,
): keyof typeof UNAVAILABLE_REASONS | undefined {
  const present = useQuery({
    queryKey: queryKeys.book(bookId),
    queryFn: ({ signal }) => request(bookSchema, `Book/${bookId}`, { signal }),
    enabled: isAsked,
    staleTime: 0,
    meta: { inPlace: true },
  });
  if (!isAsked) return undefined;
  if (present.error instanceof RequestError && present.error.status === 404) return 'removed';
  if (present.data?.kind === 'reading-room') return 'reading-room';
  return present.data?.copiesAvailable === 0 ? 'lent' : undefined;
}
