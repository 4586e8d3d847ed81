import * as m from '#words/messages.js';
import type { AuthorityName } from '#contracts/catalogue/authorities.js';
import { In, type EntityManager } from 'typeorm';
import {
  AuthorEntity,
  BookAuthorEntity,
  BookGenreEntity,
  GenreEntity,
  PublisherEntity,
} from '#platform/database/entities/catalogue.entity.js';

/** A book's references by id, in the order of the form. */
export interface BookLinks {
  authors: readonly number[];
  genres: readonly number[];
  /** Null where nobody knows it. */
  publisher: number | null;
}

/** Collects the ids of a form, without duplicates. */
export function linksOf(body: {
  authors: readonly { id: number }[];
  genres: readonly { id: number }[];
  publisher: { id: number } | null;
}): BookLinks {
  const distinct = (refs: readonly { id: number }[]) => [...new Set(refs.map(({ id }) => id))];
  return {
    authors: distinct(body.authors),
    genres: distinct(body.genres),
    publisher: body.publisher?.id ?? null,
  };
}

/**
 * Locks the references until the transaction ends, and checks that they exist.
 * @returns messages by field for those that do not
 */
export async function holdLinks(manager: EntityManager, links: BookLinks): Promise<Record<string, string[]>> {
  const errors: Record<string, string[]> = {};
  const check = async (
    field: string,
    kind: AuthorityName,
    entity: typeof AuthorEntity | typeof GenreEntity | typeof PublisherEntity,
    ids: readonly number[],
  ) => {
    const present = await manager
      .createQueryBuilder<{ id: number }>(entity, 'authority')
      .select('authority.id')
      .where({ id: In([...ids]) })
      .orderBy('authority.id')
      .setLock('for_key_share')
      .getMany();
    const found = new Set(present.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      errors[field] = [m.authority_gone({ kind, ids: missing.join(', ') })];
    }
  };
  await check('authors', 'author', AuthorEntity, links.authors);
  await check('genres', 'genre', GenreEntity, links.genres);
  await check('publisher', 'publisher', PublisherEntity, links.publisher === null ? [] : [links.publisher]);
  return errors;
}

/** The authors and genres that a book has, in their order. */
export async function presentLinks(
  manager: EntityManager,
  bookId: number,
): Promise<Pick<BookLinks, 'authors' | 'genres'>> {
  const order = { place: 'ASC' } as const;
  const authors = await manager.find(BookAuthorEntity, {
    where: { bookId },
    order: { ...order, authorId: 'ASC' },
  });
  const genres = await manager.find(BookGenreEntity, {
    where: { bookId },
    order: { ...order, genreId: 'ASC' },
  });
  return { authors: authors.map(({ authorId }) => authorId), genres: genres.map(({ genreId }) => genreId) };
}

/** Sets the book's authors and genres; writes nothing if they are unchanged. */
export async function writeLinks(manager: EntityManager, bookId: number, links: BookLinks): Promise<void> {
  const present = await presentLinks(manager, bookId);
  if (present.authors.join() !== links.authors.join()) {
    await manager.delete(BookAuthorEntity, { bookId });
    await manager.insert(
      BookAuthorEntity,
      links.authors.map((authorId, place) => ({ bookId, authorId, place })),
    );
  }
  if (present.genres.join() !== links.genres.join()) {
    await manager.delete(BookGenreEntity, { bookId });
    await manager.insert(
      BookGenreEntity,
      links.genres.map((genreId, place) => ({ bookId, genreId, place })),
    );
  }
}
