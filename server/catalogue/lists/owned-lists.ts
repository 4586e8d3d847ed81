import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { v5 as uuidFromName } from 'uuid';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  STANDING_LIST_NAMES,
  STANDING_LIST_TITLES,
  STANDING_LISTS,
  type ListBody,
  type StandingList,
} from '#contracts/lists/reading-lists.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { violatedUniqueness } from '../catalogue-changes.js';

/** Whose list it is. */
export interface Owner {
  /** The reader; null for the library. */
  reader: string | null;
  /** The account of the staff that signs what it changes; null for a reader, who signs nothing. */
  by: string | null;
}

/** Any fixed UUID: the ids of standing lists are made of it and of their readers'. */
const NAMESPACE = '7a4c1f0e-93bd-4f5e-8a4d-2f1f6c1d0b58';

export const standingId = (accountId: string, which: StandingList) =>
  uuidFromName(`${accountId} ${which}`, NAMESPACE);

/** Which standing list of the reader's has this id, if any. */
export const standingOf = (accountId: string, id: string) =>
  STANDING_LISTS.find((which) => standingId(accountId, which) === id.toLowerCase());

/** What a list is called: a standing one in the language of the moment. */
export const titleOf = ({ standing, name }: { standing: StandingList | null; name: string }) =>
  standing === null ? name : STANDING_LIST_TITLES[standing]();

export const readerWith = (accountId: string): Owner => ({ reader: accountId, by: null });
export const libraryBy = ({ accountId }: { accountId: string }): Owner => ({ reader: null, by: accountId });

const lockedRow = z.object({ standing: z.enum(STANDING_LISTS).nullable(), version: z.int() });
type LockedList = z.infer<typeof lockedRow>;

/** What is the same for every list, whoever's it is. To all but its owner, a list is none. */
@Injectable()
export class OwnedLists {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Says of a list what the body says.
   * @param mayChange throws where the owner's lists do not allow it
   * @throws DomainError ListNotFound, NameTaken, and what `mayChange` throws
   */
  async change(
    owner: Owner,
    id: string,
    { name, description, onHome = false }: ListBody & { onHome?: boolean },
    mayChange: (connection: Connection, list: LockedList) => void | Promise<void>,
  ): Promise<void> {
    await this.refusingTakenName(name, async (connection) => {
      await mayChange(connection, await this.lock(connection, owner, id));
      await connection.query(
        'update reading_list set name = $2, description = $3, on_home = $4, version = version + 1 where id = $1',
        [id, name, description, onHome],
      );
      await this.sign(connection, owner, id, this.clock.now());
    });
  }

  /** @throws DomainError ListNotFound, ListStays */
  async remove({ reader }: Owner, id: string): Promise<void> {
    const standing = reader === null ? undefined : standingOf(reader, id);
    if (standing !== undefined) {
      throw new DomainError('ListStays', m.catalogue_list_stays({ name: STANDING_LIST_TITLES[standing]() }));
    }
    const { rowCount } = await this.database.query(
      'delete from reading_list where id = $1 and account_id is not distinct from $2',
      [id, reader],
    );
    if (rowCount === 0) throw listNotFound();
  }

  /** Changes the books of a list while nobody else does. @throws DomainError ListNotFound */
  changeBooks<Result>(
    owner: Owner,
    id: string,
    work: (connection: Connection, now: Date) => Promise<Result>,
  ): Promise<Result> {
    return inTransaction(this.database, async (connection) => {
      await this.lock(connection, owner, id);
      const now = this.clock.now();
      const result = await work(connection, now);
      await this.sign(connection, owner, id, now);
      return result;
    });
  }

  /** Locks a list, written down before where it is a standing one. @throws DomainError ListNotFound */
  async lock(connection: Connection, { reader }: Owner, id: string): Promise<LockedList> {
    const standing = reader === null ? undefined : standingOf(reader, id);
    if (standing !== undefined) {
      // Whatever they meet in: of two at once, the second may find the name taken before it finds the id.
      await connection.query(
        `insert into reading_list (id, account_id, standing, name, description, on_home, created_at, changed_at)
         values ($1, $2, $3, $4, '', false, $5, $5) on conflict do nothing`,
        [id, reader, standing, STANDING_LIST_NAMES[standing], this.clock.now()],
      );
    }
    const list = await queryRow(
      connection,
      lockedRow,
      'select standing, version from reading_list where id = $1 and account_id is not distinct from $2 for update',
      [id, reader],
    );
    if (!list) throw listNotFound();
    return list;
  }

  /** @throws DomainError NameTaken where the name turns out to be another list's of the same owner, IdempotencyKeyReused */
  async refusingTakenName(name: string, work: (connection: Connection) => Promise<void>): Promise<void> {
    try {
      await inTransaction(this.database, work);
    } catch (error) {
      const violated = violatedUniqueness(error);
      // A list has the id that its key gives, whoever's it is.
      if (violated === 'reading_list_pkey')
        throw new DomainError('IdempotencyKeyReused', m.catalogue_list_key_used());
      throw NAMES_ONCE.has(violated) ? nameTaken(name) : error;
    }
  }

  private async sign(connection: Connection, { by }: Owner, id: string, now: Date): Promise<void> {
    await connection.query('update reading_list set changed_at = $2, changed_by = $3 where id = $1', [
      id,
      now,
      by,
    ]);
  }
}

/** A reader's names are theirs, and the library's its own. */
const NAMES_ONCE = new Set<string | undefined>(['reading_list_name', 'reading_list_library_name']);

/** The same words for whoever asks: nobody learns what others have. */
export function listNotFound(): DomainError {
  return new DomainError('ListNotFound', m.catalogue_list_not_found());
}

export function nameTaken(name: string): DomainError {
  return new DomainError('NameTaken', m.catalogue_list_name_taken({ name }));
}
