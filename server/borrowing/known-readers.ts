import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { NotifiedCache } from '#platform/database/notified-cache.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';

const knownRow = z.object({ pseudonym: z.string(), mayGo: z.boolean() });
type Known = z.output<typeof knownRow>;

const MAX_ACCOUNTS = 20_000;

/**
 * What the log calls the owners of accounts, for the desk's commands: each is about a reader who is asked for again soon. An account
 * keeps its pseudonym while it exists.
 */
@Injectable()
export class Pseudonyms extends NotifiedCache<Known> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    notifications: Notifications,
  ) {
    super(notifications, 'accounts', MAX_ACCOUNTS);
  }

  /**
   * The pseudonym of an account that is there, for a command that begins something of a reader. The account stays from now
   * on, though nobody confirmed its address.
   * @throws DomainError NotFound
   */
  async ofAccount(accountId: string): Promise<string> {
    const person = await this.get(accountId);
    if (!person || (person.mayGo && !(await this.keep(accountId)))) {
      throw new DomainError('NotFound', m.borrow_refused_no_reader());
    }
    return person.pseudonym;
  }

  /** The pseudonym of an account; the id itself where there is no such account. */
  async of(accountId: string): Promise<string> {
    return (await this.get(accountId))?.pseudonym ?? accountId;
  }

  protected read(accountId: string): Promise<Known | undefined> {
    const mayGo = 'not email_confirmed and version = 1';
    const text = `select pseudonym, ${mayGo} as "mayGo" from account where id = $1`;
    return queryRow(this.database, knownRow, text, [accountId]);
  }

  /** See `forgetUnconfirmed`. @returns whether the account is still there */
  private async keep(accountId: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      'update account set version = greatest(version, 2) where id = $1',
      [accountId],
    );
    this.forget(accountId);
    return rowCount === 1;
  }
}

const MAX_READERS = 50_000;

const kindRow = z.object({ kind: z.enum(READER_KINDS) });

/** What readers are to the rules, of those who borrowed lately: so that hardly a command asks the database. */
@Injectable()
export class ReaderKinds extends NotifiedCache<ReaderKind> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    notifications: Notifications,
  ) {
    super(notifications, 'readerKinds', MAX_READERS);
  }

  /**
   * What the reader is now; the first kind where there is no account any more.
   * @param readerId the reader's pseudonym
   */
  async of(readerId: string): Promise<ReaderKind> {
    return (await this.get(readerId)) ?? READER_KINDS[0];
  }

  protected async read(readerId: string): Promise<ReaderKind | undefined> {
    const row = await queryRow(this.database, kindRow, {
      name: 'kind-of-reader',
      text: 'select kind from account where pseudonym = $1',
      values: [readerId],
    });
    return row?.kind;
  }
}
