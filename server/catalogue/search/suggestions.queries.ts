import { authorNames, yearOf } from '#contracts/catalogue/book-facts.js';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { SUGGESTIONS_SHOWN, type Suggestions } from '#contracts/catalogue/book-views.js';
import { foldText } from '#contracts/fold-text.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { CatalogueSearch } from './catalogue-search.js';

/** `GET Book/suggest` */
export class SuggestBooks extends Query<Suggestions> {
  constructor(readonly term: string) {
    super();
  }
}

/** Authors are looked for among those of so many of the best matches: then the most read ones come first. */
const LOOKED_AT = 60;

const genreRow = z.object({ id: z.int(), name: z.string() });

@QueryHandler(SuggestBooks)
export class SuggestBooksHandler implements IQueryHandler<SuggestBooks> {
  constructor(
    private readonly search: CatalogueSearch,
    private readonly cards: BookCards,
    private readonly cache: CatalogueCache,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({ term }: SuggestBooks): Promise<Suggestions> {
    if (wordsOf(term).length === 0) return { books: [], authors: [], genres: [] };
    const [{ ids, terms }, genres] = await Promise.all([
      this.search.find(term, 'none', { offset: 0, limit: LOOKED_AT }),
      this.genres(),
    ]);
    const found = await this.cards.read(ids);
    const words = terms.map(({ forms }) => forms.map((all) => all.map((word) => word.replace('*', ''))));
    const authors = new Map(
      found.flatMap((book) =>
        book.authors.map(({ id, firstname, lastname }) => [id, `${firstname} ${lastname}`.trim()] as const),
      ),
    );
    return {
      books: found.slice(0, SUGGESTIONS_SHOWN.books).map(({ id, title, authors: by, published }) => ({
        id,
        title,
        authors: authorNames({ authors: by }),
        year: yearOf(published),
      })),
      authors: [...authors]
        .filter(([, name]) => hasWords(name, words))
        .slice(0, SUGGESTIONS_SHOWN.authors)
        .map(([id, name]) => ({ id, name })),
      genres: genres.filter(({ name }) => hasWords(name, words)).slice(0, SUGGESTIONS_SHOWN.genres),
    };
  }

  private genres(): Promise<z.output<typeof genreRow>[]> {
    return this.cache.getOrLoad(
      'genre',
      'names',
      () => queryRows(this.database, genreRow, 'select id, name from genre order by char_length(name), name'),
      (genres) => genres.length * 10,
    );
  }
}

/** Whether a name has words that begin with those of each term, in one of its forms. */
function hasWords(name: string, terms: readonly (readonly (readonly string[])[])[]): boolean {
  const own = wordsOf(name);
  const has = (begun: string) => own.some((word) => word.startsWith(begun));
  return terms.length > 0 && terms.every((forms) => forms.some((words) => words.every(has)));
}

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
