import { useQuery } from '@tanstack/react-query';
import { readCovers, type CoveredBooks } from '#contracts/catalogue/book-views.js';
import { keyOf, send } from '../../lib/api/send.js';

type Covered = CoveredBooks[number];

/** As many as one call answers. */
const AT_ONCE = 100;
const STALE_MS = 300_000;

interface Waiting {
  id: number;
  come: (book: Covered | null) => void;
  fail: (error: unknown) => void;
}
let waiting: Waiting[] = [];

/** Covers that come up in the same moment, as those of a list do, are asked for in one call. */
function coverOf(id: number): Promise<Covered | null> {
  return new Promise((come, fail) => {
    if (waiting.length === 0) setTimeout(askForAll);
    waiting.push({ id, come, fail });
  });
}

function askForAll(): void {
  const all = waiting;
  waiting = [];
  void ask(all);
}

/** What covers are made of; books that have left the catalogue are left out. */
export async function coversOf(ids: readonly number[]): Promise<CoveredBooks> {
  const calls: Promise<CoveredBooks>[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const query = { ids: ids.slice(from, from + AT_ONCE).join(',') };
    calls.push(send(readCovers, { query }));
  }
  return (await Promise.all(calls)).flat();
}

async function ask(asked: readonly Waiting[]): Promise<void> {
  try {
    const books = await coversOf([...new Set(asked.map(({ id }) => id))]);
    const byId = new Map(books.map((book) => [book.id, book]));
    for (const { id, come } of asked) come(byId.get(id) ?? null);
  } catch (error) {
    for (const { fail } of asked) fail(error);
  }
}

/** What the cover of a book is made of; null for a book that is no longer there. */
export function useCover(bookId: number) {
  return useQuery({
    queryKey: [...keyOf(readCovers), bookId],
    queryFn: () => coverOf(bookId),
    staleTime: STALE_MS,
    meta: { inPlace: true },
  });
}
