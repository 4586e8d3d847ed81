import fc from 'fast-check';
import type { Duplicate } from '#contracts/catalogue/duplicate.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';

describe('proposed duplicates', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));

  const find = async (kind: string, more = '') => {
    const { body } = await admin.get(`Duplicate?Kind=${kind}&pageSize=50${more}`);
    return body as { items: Duplicate[]; next: string | null };
  };
  const proposals = async (kind: string) =>
    (await find(kind)).items.map(({ reason, sure, members }) => ({
      reason,
      sure,
      names: members.map(({ name }) => name),
    }));
  const added = async (sql: string, ...values: unknown[]) =>
    (await product.rows<{ id: number }>(`${sql} returning id`, ...values)).map(({ id }) => id);
  const authors = (...names: [string, string][]) =>
    added(
      'insert into author (firstname, lastname) select * from unnest($1::text[], $2::text[])',
      names.map(([first]) => first),
      names.map(([, last]) => last),
    );
  const book = async (title: string, isbn: string, year: number, author: number, volume?: string) => {
    const [id = 0] = await added(
      `insert into book (isbn, title, published, copies_total, copies_available, series, volume)
       values ($1, $2, $3::integer || '-05-01', 3, 3, case when $4::text is not null then 'Tales' end, $4)`,
      ...[isbn, title, year, volume],
    );
    await product.rows('insert into book_author values ($1, $2, 0)', id, author);
    return id;
  };

  it('are authors, genres and publishers of one name in several spellings', async () => {
    const written = [
      ...['J. K.|Rowling', 'J.K.|Rowling', '|Rowling, J. K.', 'JK|Rowling', 'Stanisław|Lem', 'stanislaw|LEM'],
      ...['Jan|Lem', 'Flann|O’Brien', 'Flann|OBrien', 'Li|Wei', 'Li|We'],
    ];
    await authors(...written.map((name) => name.split('|') as [string, string]));
    await added('insert into publisher (name) select unnest($1::text[])', [
      'Simon & Schuster, Inc.',
      'Simon and Schuster',
      'Harper Collins',
      'HarperCollins',
      'Knopf',
      'Knopf Canada',
    ]);
    await added('insert into genre (name) select unnest($1::text[])', [
      ...['Short Story', 'short stories', 'Sci-Fi', 'SciFi', 'Business', 'Busines'],
    ]);
    expect(await proposals('author')).toEqual([
      { reason: 'spelling', sure: true, names: ['Flann O’Brien', 'Flann OBrien'] },
      {
        reason: 'order',
        sure: true,
        names: ['J. K. Rowling', 'J.K. Rowling', 'Rowling, J. K.', 'JK Rowling'],
      },
      { reason: 'spelling', sure: true, names: ['Stanisław Lem', 'stanislaw LEM'] },
    ]);
    expect(await proposals('publisher')).toEqual([
      { reason: 'spelling', sure: true, names: ['Harper Collins', 'HarperCollins'] },
      { reason: 'company', sure: true, names: ['Simon & Schuster, Inc.', 'Simon and Schuster'] },
    ]);
    expect(await proposals('genre')).toEqual([
      { reason: 'spelling', sure: true, names: ['Sci-Fi', 'SciFi'] },
      { reason: 'plural', sure: true, names: ['Short Story', 'short stories'] },
    ]);
  });

  it('are books of one ISBN or one title and author, and editions only perhaps', async () => {
    const [lem = 0, other = 0] = await authors(['Stanisław J.', 'Lem'], ['Somebody', 'Else']);
    await book('Harry Potter', '0439554934', 2003, lem);
    await book('Harry Potter und der Stein', '9780439554930', 2005, lem);
    await book('Solaris', '9788308049051', 1961, lem);
    await book('SOLARIS!', '9788308049068', 1961, lem);
    await book('Solaris', '9788308049075', 1999, other);
    await book('Fiasko', '9788308049082', 1987, lem);
    await book('Fiasko', '9788308049099', 2010, lem);
    await book('Collected Tales', '9788308049105', 2001, lem, '1');
    await book('Collected Tales', '9788308049112', 2001, lem, '2');
    const [pl = 0, en = 0] = [
      await book('Dzienniki', '9788308049129', 1999, lem),
      await book('Dzienniki', '9788308049136', 1999, lem),
    ];
    await product.rows(
      `update book set language = case id when $1 then 'pl' else 'en' end where id in ($1, $2)`,
      pl,
      en,
    );
    expect(await proposals('book')).toEqual([
      { reason: 'isbn', sure: true, names: ['Harry Potter', 'Harry Potter und der Stein'] },
      { reason: 'edition', sure: false, names: ['Fiasko', 'Fiasko'] },
      { reason: 'title', sure: true, names: ['Solaris', 'SOLARIS!'] },
    ]);
    const [potter] = (await find('book')).items;
    expect(potter?.members[0]).toMatchObject({
      note: 'Stanisław J. Lem · 2003 · ISBN 0439554934',
      books: null,
      copies: 3,
      borrows: 0,
    });
  });

  it('say how many books and borrows each has, and are compared side by side', async () => {
    const [one = 0, two = 0] = await authors(['Anna', 'Compared'], ['Compared', 'Anna']);
    const first = await book('Compared first', '9788308048801', 2001, one);
    await book('Compared second', '9788308048818', 2002, one);
    await product.rows('insert into book_reading (book_id, loans) values ($1, 7)', first);
    const { body } = await admin.get(`Duplicate/compare?Kind=author&ids=${two},${one},999999`);
    expect(body).toEqual([
      { id: two, name: 'Compared Anna', note: '', books: 0, copies: null, borrows: 0 },
      { id: one, name: 'Anna Compared', note: '', books: 2, copies: null, borrows: 7 },
    ]);
    expect((await admin.get('Duplicate/compare?Kind=author&ids=a')).body.errors).toHaveProperty('ids');
    expect((await admin.get('Duplicate?Kind=shelf')).body.errors).toHaveProperty('Kind');
  });

  it('are proposed no more once somebody says that they are not the same, until it is taken back', async () => {
    const ids = await authors(['Tom', 'Twin'], ['tom', 'twin'], ['TOM', 'TWIN']);
    const [one = 0, other = 0, third = 0] = ids;
    const twins = async () =>
      (await find('author')).items
        .map(({ members }) => members.map(({ id }) => id))
        .find((members) => members.some((id) => ids.includes(id)));
    const apart = (...named: number[]) =>
      admin.post('Duplicate/not-the-same', { kind: 'author', ids: named });
    expect(await twins()).toEqual(ids);
    expect((await apart(other, one)).body).toEqual({ pairs: 1 });
    expect(await twins()).toEqual(ids);
    expect((await apart(one, third)).body).toEqual({ pairs: 1 });
    expect(await twins()).toEqual([other, third]);
    expect((await apart(one, other, third)).body).toEqual({ pairs: 1 });
    expect(await twins()).toBeUndefined();

    const said = (await admin.get('Duplicate/not-the-same')).body;
    expect(said.totalCount).toBe(3);
    expect(said.items[0]).toMatchObject({
      kind: 'author',
      one: { id: other, name: 'tom twin' },
      other: { id: third, name: 'TOM TWIN' },
      saidBy: expect.any(String),
    });
    const taken = `Duplicate/not-the-same?Kind=author&one=${third}&other=${other}`;
    expect((await admin.delete(taken)).status).toBe(200);
    expect(await twins()).toEqual([other, third]);
    expect((await admin.delete(taken)).status).toBe(404);
    expect((await apart(one)).body.errors).toHaveProperty('ids');
  });

  it('are walked through page by page, none twice and none left out', async () => {
    await product.rows(`insert into genre (name) select 'Walk ' || md5(n::text) || case s when 1 then '-x' else 'X' end
       from generate_series(1, 130) n cross join generate_series(1, 2) s`);
    const seen: number[] = [];
    let after: string | null = '';
    for (let pages = 0; after !== null && pages < 20; pages += 1) {
      const page = await find('genre', `&After=${encodeURIComponent(after)}`);
      seen.push(...page.items.flatMap(({ members }) => members.map(({ id }) => id)));
      after = page.next;
    }
    expect(after).toBeNull();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(260);
  });

  it('hold for every name with other dots, blanks, capitals, accents and order', async () => {
    const word = fc.constantFrom('Anna', 'Żółć', 'Éluard', 'Lem', 'Nagy', 'Müller', 'Øst');
    const initial = fc.constantFrom('J', 'K', 'Ł', 'R');
    const names = fc.record({
      initials: fc.array(initial, { maxLength: 3 }),
      first: word,
      last: word,
      dots: fc.constantFrom('. ', '.', ' '),
      shout: fc.boolean(),
      turned: fc.boolean(),
    });
    const pairs: [string, string][] = fc.sample(names, { numRuns: 300, seed: 59 }).map((name) => {
      const plain = [...name.initials.map((letter) => `${letter}.`), name.first, name.last].join(' ');
      const initials = name.initials.map((letter) => letter + name.dots).join('');
      const written = name.turned
        ? `${name.last}, ${initials}${name.first}`
        : `${initials}  ${name.first.normalize('NFD')} ${name.last}`;
      return [plain, name.shout ? written.toUpperCase() : written];
    });
    const rows = await product.rows<{ one: string | null; other: string | null }>(
      `select author_likeness('', one) as one, author_likeness('', other) as other
       from unnest($1::text[], $2::text[]) x (one, other)`,
      pairs.map(([one]) => one),
      pairs.map(([, other]) => other),
    );
    for (const [at, { one, other }] of rows.entries()) expect([pairs[at], other]).toEqual([pairs[at], one]);
  });
});
