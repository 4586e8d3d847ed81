import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction, type Connection } from '#platform/database/database.js';
import { CatalogueCache } from './catalogue-cache.js';

const MAX_TRIES = 10;

/** Writes to the catalogue. */
@Injectable()
export class CatalogueChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: CatalogueCache,
  ) {}

  /**
   * Runs the work in one transaction; when it is committed, this process reads what was written. The work may be
   * run again where another change crossed it.
   */
  async run<Result>(
    work: (manager: EntityManager, connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await inTransaction(this.dataSource, work);
        this.cache.invalidate();
        return result;
      } catch (error) {
        if (tries === MAX_TRIES || !isCrossed(error)) throw error;
      }
    }
  }
}

/**
 * Whether nothing is wrong but the moment: two changes waited for each other in a circle, or a book was deleted
 * while its search row was being written.
 */
function isCrossed(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '40P01' || (code === '23503' && constraint === 'book_search_book_id_fkey');
}

/** The constraint that a statement ran into, where it was a unique one. */
export function violatedUniqueness(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}

/**
 * @param what a word for the record
 * @param edited the version that the form was opened with; without it the last one to save wins
 * @throws DomainError EditedMeanwhile
 */
export function refuseStale(what: string, edited: number | undefined, present: number): void {
  if (edited === undefined || edited === present) return;
  throw new DomainError(
    'EditedMeanwhile',
    `Somebody else has changed this ${what} since you opened it. Nothing was saved: open it again to see what is there now.`,
  );
}
