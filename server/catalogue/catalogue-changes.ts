import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthorityName } from '#contracts/catalogue/authorities.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction, type Connection } from '#platform/database/database.js';
import type { CatalogueChange } from '#platform/database/notifications.js';
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
   * Runs the work in one transaction, and after the commit drops what this process remembers of what it changed. The
   * work is retried after a conflict with another change.
   * @param changeOf what the work changed, given its result
   */
  async run<Result>(
    work: (manager: EntityManager, connection: Connection) => Promise<Result>,
    changeOf: (result: Result) => CatalogueChange,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await inTransaction(this.dataSource, work);
        this.cache.changed(changeOf(result));
        return result;
      } catch (error) {
        if (tries === MAX_TRIES || !isCrossed(error)) throw error;
      }
    }
  }
}

/** Transient conflicts: a deadlock, or a book deleted while its search row was written. */
function isCrossed(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '40P01' || (code === '23503' && constraint === 'book_search_book_id_fkey');
}

/** The name of the violated unique constraint, if any. */
export function violatedUniqueness(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}

/**
 * @param kind of record
 * @param edited the version that was edited; without it the last write wins
 * @throws DomainError EditedMeanwhile
 */
export function refuseStale(
  kind: AuthorityName | 'book' | 'list',
  edited: number | undefined,
  present: number,
): void {
  if (edited === undefined || edited === present) return;
  throw new DomainError('EditedMeanwhile', m.catalogue_edited_meanwhile({ kind }));
}
