import * as m from '#words/messages.js';
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { UNTOLD_PERSON } from '#contracts/accounts/untold-person.js';
import { DomainError } from '#contracts/domain-error.js';
import type { DemoView } from '#contracts/library/demo.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';
import { hashPassword } from '../accounts/passwords/passwords.js';
import { createAccount } from '../accounts/registration/create-account.js';
import { writeDemoCatalogue } from '../catalogue/demo-catalogue.js';

const READERS = [
  { firstname: 'Julia', lastname: 'Kaczmarek', dateOfBirth: '1998-06-23', city: 'Poznań' },
  { firstname: 'Piotr', lastname: 'Zieliński', dateOfBirth: '1971-11-02', city: 'Warszawa' },
].map((person, n) => ({
  ...UNTOLD_PERSON,
  ...person,
  username: `demo-${n + 1}`,
  email: `demo-${n + 1}@lectern.example`,
}));

/** In a sentence. */
const MAX_NAMED = 5;

const demoRow = z.object({
  books: z.int(),
  readers: z.int(),
  changed: z.int(),
  canBeAdded: z.boolean(),
});
const namedRow = z.object({ name: z.string() });

/** Of a book: somebody has edited it, or one of its copies. */
const IS_CHANGED = '(b.version > 1 or exists (select from copy c where c.book_id = b.id))';

/**
 * A demo that an admin asked for in the set-up. Nothing of what the log has of it goes: it names neither books nor people that it would
 * need, and shows titles as they were and a reader as an account that is gone.
 */
@Injectable()
export class LibraryDemo {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly readModel: ReadModelSchema,
  ) {}

  async view(): Promise<DemoView> {
    const row = await queryRow(
      this.database,
      demoRow,
      `select (select count(*)::integer from demo_book) as books,
         (select count(*)::integer from demo_reader) as readers,
         (select count(*)::integer from demo_book d join book b on b.id = d.book_id where ${IS_CHANGED}) as changed,
         not exists (select from book) as "canBeAdded"`,
    );
    if (!row) throw new Error('a count has no row');
    return row;
  }

  /** @throws DomainError InUse where there are books; UsernameTaken, EmailTaken */
  async add(): Promise<DemoView> {
    // They are served at the desk: nobody knows a password of theirs.
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
    await inTransaction(this.dataSource, async (manager, connection) => {
      if (!(await writeDemoCatalogue(connection))) throw new DomainError('InUse', m.demo_books_there());
      await connection.query('insert into demo_book (book_id) select id from book');
      for (const reader of READERS) {
        const account = { ...reader, passwordHash, roles: ['Reader' as const], emailConfirmed: true };
        const { id } = await createAccount(manager, account, this.clock.now());
        await connection.query('insert into demo_reader (account_id) values ($1)', [id]);
      }
    });
    return this.view();
  }

  /** @throws DomainError NotFound; InUse naming what is in use: then nothing is taken away */
  async remove(): Promise<DemoView> {
    const rows = await this.readModel.present();
    await inTransaction(this.database, async (connection) => {
      // Stronger than a rent's lock, in the same order: none begins between the check and the deletion.
      const books = await queryRows(
        connection,
        namedRow,
        `select b.title as name from book b where b.id in (select book_id from demo_book) order by b.id for update`,
      );
      const readers = await queryRows(
        connection,
        namedRow,
        `select a.fullname as name from account a where a.id in (select account_id from demo_reader) order by a.id for update`,
      );
      if (books.length + readers.length === 0) throw new DomainError('NotFound', m.demo_not_there());
      await refuseInUse(connection, rows);
      await takeAway(connection);
    });
    return this.view();
  }
}

/** Whatever is lent, kept or waited for, or owed: by a reader of the demo, or of a book of it. */
async function refuseInUse(connection: Connection, readModel: string): Promise<void> {
  const inUse = await queryRows(
    connection,
    namedRow,
    `select b.title as name from demo_book d join book b on b.id = d.book_id
     where not ${IS_CHANGED} and (b.holds > 0 or exists (
       select from copy_allocation h where h.book_id = b.id and h.state <> 'released'))
     union all
     select a.fullname from demo_reader d join account a on a.id = d.account_id
     where a.roles <> '{Reader}'
       or exists (select from copy_allocation h where h.reader_id = a.pseudonym and h.state <> 'released')
       or exists (select from hold h where h.reader_id = a.pseudonym and h.state <> 'over')
       or exists (select from ${readModel}.borrow w
         where w.reader_id = a.pseudonym and w.charged <> w.paid + w.waived)`,
  );
  if (inUse.length === 0) return;
  const names = inUse.slice(0, MAX_NAMED).map(({ name }) => name);
  if (inUse.length > MAX_NAMED) names.push('…');
  throw new DomainError('InUse', m.demo_in_use({ names: names.join(', ') }));
}

/** With the authors, genres and publishers that no other book has, and that nobody has changed. */
async function takeAway(connection: Connection): Promise<void> {
  // What is named only once the books are gone.
  await connection.query(
    `create temporary table demo_name on commit drop as
     select 'author' as kind, a.author_id as id from demo_book d join book_author a on a.book_id = d.book_id
     union select 'genre', g.genre_id from demo_book d join book_genre g on g.book_id = d.book_id
     union select 'publisher', b.publisher_id from demo_book d join book b on b.id = d.book_id where b.publisher_id is not null`,
  );
  await connection.query(`delete from book b using demo_book d where d.book_id = b.id and not ${IS_CHANGED}`);
  for (const [table, uses] of [
    ['author', 'select from book_author u where u.author_id = t.id'],
    ['genre', 'select from book_genre u where u.genre_id = t.id'],
    ['publisher', 'select from book u where u.publisher_id = t.id'],
  ] as const) {
    await connection.query(
      `delete from ${table} t using demo_name n where n.kind = $1 and n.id = t.id and t.version = 1 and not exists (${uses})`,
      [table],
    );
  }
  await connection.query(
    `with gone as (delete from account a using demo_reader d where d.account_id = a.id returning a.id)
     select pg_notify($1, id::text) from gone`,
    [CHANNELS.accounts],
  );
  // What stays is the library's own from here on.
  await connection.query('delete from demo_book');
}
