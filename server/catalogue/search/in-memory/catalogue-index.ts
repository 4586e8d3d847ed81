import type { Sort } from '../found-page.js';
import { BookOrder } from './book-order.js';
import { FacetIndex, type BookFacets } from './facet-index.js';
import { MatchCache } from './match-cache.js';
import { Shelf } from './shelf.js';
import { WordIndex, type IndexedBook } from './word-index.js';

/** The orders in memory. Copies change with every rent, so their order stays in the database. */
export type IndexedOrder = Exclude<Sort, 'Copies'>;

/** A book that changed, with the books that it comes after in each order. */
export interface PlacedBook {
  book: IndexedBook;
  facets: BookFacets;
  after: Record<IndexedOrder, number | null>;
}

/** A whole catalogue in memory: the words and facets of the books, their orders, and answers made of these. */
export class CatalogueIndex {
  readonly words = new WordIndex();
  readonly shelf = new Shelf((id) => this.words.placeOf(id));
  readonly facets = new FacetIndex(this.shelf);
  readonly orders: Record<IndexedOrder, BookOrder> = {
    none: new BookOrder(),
    Title: new BookOrder(),
    ISBN: new BookOrder(),
  };
  readonly remembered = new MatchCache();

  /** @returns false where the index turns out not to be what the catalogue is; it is then of no more use */
  apply(removed: readonly number[], changed: readonly PlacedBook[]): boolean {
    for (const id of removed) {
      this.leavePlace(id);
      this.words.remove(id);
    }
    for (const { book, facets } of changed) {
      this.leavePlace(book.id);
      const place = this.words.add(book);
      this.facets.add(place, facets);
      this.shelf.moved(book.id, place);
      this.remembered.changed(place);
    }
    return Object.entries(this.orders).every(([sort, order]) =>
      order.change(
        removed,
        changed.map(({ book, after }) => [book.id, after[sort as IndexedOrder]]),
      ),
    );
  }

  private leavePlace(id: number): void {
    const place = this.words.placeOf(id);
    if (place === undefined) return;
    this.facets.drop(place);
    this.remembered.changed(place);
  }
}
