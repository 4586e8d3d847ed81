import { randomUUID } from 'node:crypto';
import type { DemoView } from '#contracts/library/demo.js';
import { createTestDatabase } from '../../test-support/database.js';
import { makeAccount } from '../../test-support/product.js';
import { startTestServer } from '../../test-support/server-app.js';
import { shared } from '../../test-support/shared.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LibraryModule } from './library.module.js';

describe('a demo that an admin asked for', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const server = shared(() => startTestServer(database.url, [AccountsModule, LibraryModule]));
  const account = async (...roles: 'Admin'[]) =>
    makeAccount(
      await server.app.getUrl(),
      'only-for-tests-only-for-tests-only-for-tests',
      server.database,
      server.clock,
      ['Reader', ...roles],
    );
  const rows = async <Row>(text: string, values: unknown[] = []) =>
    (await server.database.query(text, values)).rows as Row[];
  const count = async (table: string) =>
    (await rows<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]?.n;

  it('is put in by an admin alone, where there are no books, and once', async () => {
    const [reader, admin] = [await account(), await account('Admin')];
    expect((await reader.post('Library/demo')).status).toBe(403);
    expect((await admin.get('Library/demo')).body).toEqual({
      ...{ books: 0, readers: 0, changed: 0, canBeAdded: true },
    });
    expect((await admin.delete('Library/demo')).status).toBe(404);
    const { status, body } = await admin.post('Library/demo');
    const view = body as DemoView;
    expect([status, view.readers, view.changed, view.canBeAdded]).toEqual([201, 2, 0, false]);
    expect(view.books).toBeGreaterThan(200);
    expect((await admin.post('Library/demo')).body).toMatchObject({ status: 409, code: 'InUse' });
    expect((await admin.get('Library/demo')).body).toEqual(view);
  });

  it('is not taken away while some of it is in use, and then none of it is', async () => {
    const admin = await account('Admin');
    const before = (await admin.get('Library/demo')).body;
    const [book] = await rows<{ id: number; title: string }>(
      'select id, title from book order by id limit 1',
    );
    const [person] = await rows<{ pseudonym: string; fullname: string }>(
      'select a.pseudonym, a.fullname from account a join demo_reader d on d.account_id = a.id order by a.id limit 1',
    );
    const lend = (bookId: unknown, readerId: unknown) =>
      server.database.query(
        `insert into copy_allocation (borrow_id, book_id, reader_id, state) values ($1, $2, $3, 'confirmed')`,
        [randomUUID(), bookId, readerId],
      );
    // A book of it lent to somebody else, and something else lent to a reader of it.
    await lend(book?.id, randomUUID());
    await lend(999_999, person?.pseudonym);
    const { body } = await admin.delete('Library/demo');
    expect(body).toMatchObject({ status: 409, code: 'InUse' });
    expect(body.detail).toContain(`${book?.title}, ${person?.fullname}`);
    expect((await admin.get('Library/demo')).body).toEqual(before);
    await server.database.query(`update copy_allocation set state = 'released'`);
  });

  it('goes as one, with names that nothing else has; what people have changed or added stays', async () => {
    const admin = await account('Admin');
    const [own] = await rows<{ id: number }>(`insert into publisher (name) values ('Ours') returning id`);
    await server.database.query(
      `insert into book (isbn, title, publisher_id, copies_total, copies_available) values ('own-1', 'Our own', $1, 1, 1)`,
      [own?.id],
    );
    await server.database.query(
      `update book set version = 2 where id = (select min(book_id) from demo_book)`,
    );
    const kept = await rows<{ title: string }>('select title from book where version = 2');
    expect((await admin.get('Library/demo')).body).toMatchObject({ changed: 1 });
    expect((await admin.delete('Library/demo')).body).toEqual({
      ...{ books: 0, readers: 0, changed: 0, canBeAdded: false },
    });
    expect(await rows('select title from book order by id')).toEqual([...kept, { title: 'Our own' }]);
    expect(await count(`account where email like 'demo-%'`)).toBe(0);
    // Those of the two books alone.
    expect(await count('publisher')).toBe(2);
    expect(
      await count('author where not exists (select from book_author u where u.author_id = author.id)'),
    ).toBe(0);
    expect(await count('genre where not exists (select from book_genre u where u.genre_id = genre.id)')).toBe(
      0,
    );
  });
});
