import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { DemoView } from '#contracts/library/demo.js';
import { LOGO_FIELD, NO_FACTS, type LibraryView } from '#contracts/library/library-facts.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { caller } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { siteFact } from '../../test-support/browser/site-fact.js';
import { waitFor } from '../../test-support/wait-for.js';

const WOLA = {
  name: 'Biblioteka na Woli',
  shortName: 'Wola',
  email: 'wola@example.org',
  address: 'ul. Wolska 1\nWarszawa',
};

const product = shared(() => startProduct());
const admin = shared(() => product.account('Admin'));
const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await product.database.query(text, values)).rows as Row[];

describe('a demo that an admin asked for', () => {
  const count = async (table: string) => (await rows(`select from ${table}`)).length;

  it('is put in where there are no books, and once', async () => {
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
    const before = (await admin.get('Library/demo')).body;
    const [book] = await rows<{ id: number; title: string }>(
      'select id, title from book order by id limit 1',
    );
    const [person] = await rows<{ pseudonym: string; fullname: string }>(
      'select a.pseudonym, a.fullname from account a join demo_reader d on d.account_id = a.id order by a.id limit 1',
    );
    const lend = (bookId: unknown, readerId: unknown) =>
      rows(
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
    await rows(`update copy_allocation set state = 'released'`);
  });

  it('goes as one, with names that nothing else has; what people have changed or added stays', async () => {
    const [own] = await rows<{ id: number }>(`insert into publisher (name) values ('Ours') returning id`);
    await rows(
      `insert into book (isbn, title, publisher_id, copies_total, copies_available) values ('own-1', 'Our own', $1, 1, 1)`,
      [own?.id],
    );
    await rows(`update book set version = 2 where id = (select min(book_id) from demo_book)`);
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

describe('what the library says of itself', () => {
  /** Other processes of the same installation: the environment settles nothing for one of them, and the name for another. */
  const open = shared(() => product.startServer({ TIME_ZONE: undefined }));
  const other = shared(() => product.startServer({ TIME_ZONE: undefined, APP_TITLE: 'By the environment' }));
  const view = async () => (await admin.get('Library')).body as LibraryView;
  const change = async (facts: Partial<LibraryView>) =>
    admin.put('Library', { ...NO_FACTS, ...facts, version: (await view()).version });
  const upload = async (bytes: Buffer) => {
    const form = new FormData();
    form.set(LOGO_FIELD, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png');
    return admin.send('PUT', 'Library/logo', form);
  };

  it('is nothing at first, and is known to every process once an admin has said it', async () => {
    expect((await caller(open.url, admin.token).get('Library')).body).toEqual({
      ...{ ...NO_FACTS, letters: undefined },
      timeZone: await siteFact(open.url, 'time-zone'),
      version: 0,
      fixed: { name: null, contact: null, timeZone: false, currency: false },
    });
    const { status, body } = await change(WOLA);
    expect([status, body.version, body.name]).toEqual([200, 1, WOLA.name]);
    await waitFor(async () => (await siteFact(product.url, 'title')) === WOLA.name);
    const contact = 'ul. Wolska 1\nWarszawa\nwola@example.org';
    await waitFor(async () => (await siteFact(other.url, 'contact')) === contact);
    // What the environment sets wins.
    expect(await siteFact(other.url, 'title')).toBe('By the environment');
  });

  it('is not overwritten by who has not seen the latest of it', async () => {
    const { version } = await view();
    const answers = await Promise.all(
      ['One', 'Other'].map((name) => admin.put('Library', { ...NO_FACTS, ...WOLA, name, version })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('ConcurrentChange');
  });

  it.each([
    ['email', 'wola'],
    ['accent', 'green'],
    ['accent', '#12345'],
    ['name', 'x'.repeat(61)],
    ['name', 'two\nlines'],
    ['timeZone', 'Europe/Wola'],
    // It has no hundredths.
    ['currency', 'JPY'],
    ['privacy', 'x'.repeat(20_001)],
  ])('refuses a wrong %s by its name (%#)', async (field, value) => {
    const { status, body } = await change({ [field]: value });
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  it('lists who changed what, and writes nothing where nothing changed', async () => {
    const { version, fixed: _fixed, logo: _logo, ...facts } = await view();
    const changed = { ...facts, phone: '22 123 45 67', shortName: '' };
    await admin.put('Library', { ...changed, version });
    const again = await admin.put('Library', { ...changed, version: version + 1 });
    expect(again.body.version).toBe(version + 1);
    const { items, totalCount } = (await admin.get('Library/changes?pageSize=1')).body;
    expect(totalCount).toBe(version + 1);
    expect(items).toEqual([
      {
        version: version + 1,
        at: expect.any(String),
        by: expect.any(String),
        changes: [
          { fact: 'shortName', from: facts.shortName, to: '' },
          { fact: 'phone', from: '', to: '22 123 45 67' },
        ],
      },
    ]);
  });

  it('has a time zone that every process goes by, and that the environment may settle', async () => {
    const there = caller(open.url, admin.token);
    const facts = { ...NO_FACTS, ...WOLA, timeZone: 'Pacific/Apia' };
    const set = await there.put('Library', { ...facts, version: (await view()).version });
    expect(set.body.timeZone).toBe('Pacific/Apia');
    for (const { url } of [open, other])
      await waitFor(async () => (await siteFact(url, 'time-zone')) === 'Pacific/Apia');
    expect((await view()).fixed.timeZone).toBe(true);
    const refused = await change({ ...facts, timeZone: 'Europe/Warsaw' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['timeZone']]);
    // An empty one leaves it as it is.
    const kept = await change({ ...facts, timeZone: '', phone: '1' });
    expect([kept.status, kept.body.timeZone]).toEqual([200, 'Pacific/Apia']);
  });

  it('counts in another currency until the first fee', async () => {
    const draft = { language: 'en', words: {}, case: 0 };
    const letter = async () => (await admin.post('Library/letters/fee-charged/preview', draft)).body.html;
    const count = (currency: LibraryView['currency']) => change({ ...WOLA, currency });
    expect((await count('EUR')).body.currency).toBe('EUR');
    await waitFor(async () => /€\d+\.\d\d/.test(await letter()));
    expect((await count('')).status).toBe(200);
    await waitFor(async () => /\d+\.\d\d PLN/.test(await letter()));
    await rows(
      `insert into ${READ_MODEL}.borrow (borrow_id, reader_id, books, titles, rented_at, collect_by, status,
         charged, paid, waived, renewals, lent, reserved, undone, recent, revision, position)
       values ($1, $1, '[{"bookId": 1, "title": "x"}]', 'x', '2026-01-01', '2026-01-04', 'Not_Paid', 50, 0, 0, 0, 1, 0, false, '[]', 0, 0)`,
      [randomUUID()],
    );
    const refused = await count('EUR');
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { currency: ['Fees have been charged in it already: it can no longer be changed.'] },
    ]);
    // What it counts in already is no change.
    expect((await count('PLN')).status).toBe(200);
    expect((await view()).fixed.currency).toBe(true);
  });

  it('has a logo that was drawn anew, and keeps nothing of the file', async () => {
    const picture = await sharp({ create: { width: 1200, height: 400, channels: 4, background: '#1b467a' } })
      .withExif({ IFD0: { Copyright: 'somebody at home' } })
      .png()
      .toBuffer();
    const { status, body } = await upload(picture);
    expect([status, body.logo]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const answer = await fetch(`${product.url}/api/Library/logo/${body.logo}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 160 });
    expect(bytes.includes('somebody at home')).toBe(false);
    expect((await admin.delete('Library/logo')).body.logo).toBeNull();
    expect((await admin.get('Library/changes?pageSize=1')).body.items[0].changes).toEqual([
      { fact: 'logo', from: 'a picture', to: '' },
    ]);
  });

  it('takes no drawing for a logo, nor a damaged picture', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const damaged = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)]);
    for (const bytes of [svg, damaged]) {
      const { status, body } = await upload(bytes);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [LOGO_FIELD]]);
    }
  });

  it('shows pages of its own in Markdown, of which HTML is text', async () => {
    const guest = caller(product.url, '');
    expect((await guest.get('Library/pages/imprint')).status).toBe(404);
    const imprint = [
      '# Who we are',
      'A **library**. <img src=x onerror=alert(1)> [Write](mailto:wola@example.org)',
      '[no](javascript:alert(1)) ![no](https://example.org/x.png)',
    ].join('\n\n');
    await change({ imprint });
    const html = await waitFor(async () => {
      const { status, body } = await guest.get('Library/pages/imprint');
      return status === 200 && (body.html as string);
    });
    expect(html).toContain('<h2>Who we are</h2>');
    expect(html).toContain('<strong>library</strong>');
    expect(html).toContain('<a href="mailto:wola@example.org">Write</a>');
    expect(html).not.toMatch(/<img|href="javascript/);
    expect((await guest.get('Library/pages/terms')).status).toBe(400);
  });
});
