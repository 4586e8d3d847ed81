import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';
import { publicAddress } from '#contracts/public-address.js';
import { packageRoot } from '#platform/package-root.js';
import { addRow } from '../../test-support/database/add-row.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';

const SITE = 'https://library.example.org';
const kept = (name: string) => readFileSync(`${packageRoot()}/test-support/schemas/${name}`, 'utf8');

describe('pages for everybody', () => {
  const product = shared(() => startProduct(undefined, { environment: { PUBLIC_URL: SITE } }));
  const admin = shared(() => product.account('Admin'));
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${product.url}${path}`, { headers, redirect: 'manual' });
  const textOf = async (path: string) => {
    const answer = await ask(path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const jsonOf = async (path: string) => JSON.parse(await textOf(path)) as never;
  const dataOf = (html: string) => {
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    return JSON.parse(json) as Record<string, unknown>;
  };
  const made = async (title: string) => {
    const id = await product.book(2, title);
    return { id, address: publicAddress('book', { id, title }) };
  };
  const author = async (firstname: string, lastname: string, books: readonly number[]) => {
    const id = await addRow(product.database, 'author', {
      ...{ firstname, lastname, biography: 'Wrote <b>much</b>.', other_names: ['Somebody else'] },
    });
    for (const book of books)
      await product.rows(
        'insert into book_author (book_id, author_id, place) values ($1, $2, 1) on conflict do nothing',
        book,
        id,
      );
    return { id, address: publicAddress('author', { id, title: `${firstname} ${lastname}` }) };
  };
  const list = async (name: string, books: readonly number[]) => {
    const { status, body } = await admin.post('ReadingList', {
      name,
      description: 'For "all" <of> you',
      onHome: true,
    });
    expect(status).toBe(201);
    for (const bookId of books)
      expect((await admin.post(`ReadingList/${body.id}/books`, { bookId })).status).toBeLessThan(300);
    return { id: body.id as string, address: publicAddress('list', { id: body.id, title: name }) };
  };

  it('show a book: what it is, where it is, and how many copies are there', async () => {
    const { id, address } = await made('Pan "Tadeusz" </script><b>');
    const { address: writtenBy } = await author('Adam', 'Mickiewicz', [id]);
    const answer = await ask(address);
    const text = await answer.text();
    expect(text).toMatch(/<h1[^>]*>Pan &quot;Tadeusz&quot; &lt;\/script&gt;&lt;b&gt;<\/h1>/);
    expect(text).toMatch(/<title>Pan &quot;Tadeusz&quot;[^<]* · Lectern<\/title>/);
    expect(text).toContain('2 of 2 copies are on the shelf');
    expect(text).toContain(`<a href="${writtenBy}"`);
    expect(text).not.toContain('noscript>');
    expect(text).toContain(`<link rel="canonical" href="${SITE}${address}">`);
    expect(text).toContain(`<meta property="og:url" content="${SITE}${address}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="pl" href="${SITE}${address}?lang=pl">`);
    expect(text).toContain(`<link rel="alternate" hreflang="x-default" href="${SITE}${address}">`);
    expect(dataOf(text)).toMatchObject({
      '@type': 'Book',
      name: 'Pan "Tadeusz" </script><b>',
      url: `${SITE}${address}`,
      offers: { availability: 'https://schema.org/InStock', offeredBy: { '@type': 'Library' } },
    });
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    const polish = await textOf(`${address}?lang=pl`);
    expect(polish).toContain('Egzemplarze na półce: 2 z 2');
    // The page in a language is one of its own.
    expect(polish).toContain(`<link rel="canonical" href="${SITE}${address}?lang=pl">`);
  });

  it('have one address, to which every other leads', async () => {
    const { id, address } = await made('Преступление и наказание');
    for (const other of [`/book/${id}`, `/book/${id}-solaris`]) {
      const answer = await ask(`${other}?lang=pl`);
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `${encodeURI(address)}?lang=pl`]);
    }
    expect((await ask(encodeURI(address))).status).toBe(200);
  });

  it('lead on to the one that was kept where two were merged', async () => {
    const gone = await author('Stanisław', 'Lem', [await made('Solaris').then(({ id }) => id)]);
    const kept = await author('Stanislaw', 'Lem', [await made('Eden').then(({ id }) => id)]);
    const merged = await admin.post('Author/merge', {
      keep: kept.id,
      merge: [gone.id],
    });
    expect([merged.status, merged.body]).toEqual([200, expect.anything()]);
    expect((await ask(gone.address)).headers.get('location')).toBe(kept.address);
    expect(await textOf(kept.address)).toContain('Solaris');
  });

  it('are the site’s own page, which says that there is none, where there is nothing of that number', async () => {
    for (const path of [
      '/book/2000000000',
      '/book/99999999999999-x',
      '/book/0',
      '/author/2000000000',
      '/list/3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ]) {
      const answer = await ask(path);
      expect([path, answer.status]).toEqual([path, 404]);
      const text = await answer.text();
      expect(text).toContain('loading-screen');
      expect(text).not.toContain('id="public"');
    }
    for (const path of ['/book/%', '/book/7-%', '/%']) expect((await ask(path)).status).toBeLessThan(500);
    const { id } = await made('Soon gone');
    await made('Stays');
    expect((await admin.delete(`Book/${id}`)).status).toBe(200);
    expect((await ask(`/book/${id}-soon-gone`)).status).toBe(410);
  });

  it('show an author with all books, page by page', async () => {
    const books = [];
    for (let at = 1; at <= 13; at += 1) books.push((await made(`Volume ${at}`)).id);
    const { address } = await author('Ann', 'Author', books);
    const first = await textOf(address);
    expect(first).toContain('Wrote &lt;b&gt;much&lt;/b&gt;.');
    expect(first).toContain('13 books');
    expect(first).toContain(`<link rel="next" href="${address}?page=2">`);
    expect(first).not.toContain('rel="prev"');
    expect(dataOf(first)).toMatchObject({
      '@type': 'Person',
      name: 'Ann Author',
      alternateName: ['Somebody else'],
    });
    const second = await textOf(`${address}?page=2`);
    expect(second).toContain(`<link rel="canonical" href="${SITE}${address}?page=2">`);
    expect(second).toContain(`<link rel="prev" href="${address}">`);
    expect(second).not.toContain('rel="next"');
    const shown = [first, second].map((page) =>
      [...page.matchAll(/<a href="\/book\/(\d+)/g)].map(([, id]) => Number(id)),
    );
    expect(shown.map((page) => page.length)).toEqual([12, 1]);
    expect(shown.flat().toSorted((one, other) => one - other)).toEqual(books);
    expect((await ask(`${address}?page=3`)).status).toBeGreaterThanOrEqual(404);
  });

  it('show the lists of the library, and none of a reader’s', async () => {
    const { id: bookId, address: book } = await made('On a list');
    const { id, address } = await list('For the summer', [bookId]);
    const text = await textOf(address);
    expect(text).toContain('For &quot;all&quot; &lt;of&gt; you');
    expect(text).toContain(`<a href="${book}"`);
    expect(dataOf(text)).toMatchObject({
      '@type': 'ItemList',
      itemListElement: [{ '@type': 'ListItem', position: 1, url: `${SITE}${book}` }],
    });
    expect(text).toContain(
      `<link rel="alternate" href="/feed/${id}.atom" type="application/atom+xml" title="For the summer">`,
    );
    const reader = await product.account('Reader');
    const { body: own } = await reader.post('List', { name: 'My own', description: '' });
    for (const path of [
      `/list/${own.id}`,
      `/list/${own.id}-my-own`,
      `/feed/${own.id}.atom`,
      `/feed/${own.id}.opds`,
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  it('begin with the library itself: who it is, and what there is', async () => {
    const { id, address: book } = await made('On the first page');
    const { address } = await list('Of the house', [id]);
    const home = await textOf('/');
    expect(home).toContain(`<link rel="canonical" href="${SITE}/">`);
    for (const each of [book, address]) expect(home).toContain(`<a href="${each}"`);
    expect(dataOf(home)).toMatchObject({ '@type': 'Library', name: 'Lectern', url: `${SITE}/` });
    expect(home).toContain(
      '<link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="Lectern">',
    );
  });

  // https://developers.google.com/search/docs/appearance/structured-data: what LocalBusiness (a library is one), a carousel, and a
  // book’s own page have to say.
  it('tell search engines what their documentation requires, with whole addresses', async () => {
    const { id, address } = await made('Required');
    const { address: writtenBy } = await author('Rita', 'Required', [id]);
    const { address: listed } = await list('Required', [id, (await made('Required too')).id]);
    const { body: facts } = await admin.get('Library');
    const told = await admin.put('Library', { ...facts, address: 'ul. Krótka 1, Kraków' });
    expect(told.status).toBe(200);
    const required: [string, string[]][] = [
      ['/', ['@context', '@type', '@id', 'name', 'address', 'url']],
      [address, ['@context', '@type', '@id', 'name', 'url', 'author', 'offers']],
      [writtenBy, ['@context', '@type', '@id', 'name', 'url']],
      [listed, ['@context', '@type', 'name', 'itemListElement']],
    ];
    for (const [path, names] of required) {
      const data = dataOf(await textOf(path));
      expect([path, names.filter((name) => !(name in data))]).toEqual([path, []]);
      for (const [, name, value] of JSON.stringify(data).matchAll(/"(@id|url|image|logo)":"([^"]*)"/g))
        expect([name, value]).toEqual([name, expect.stringMatching(/^https?:\/\//)]);
    }
    const items = dataOf(await textOf(listed))['itemListElement'] as { position: number; url: string }[];
    expect(items.map(({ position }) => position)).toEqual([1, 2]);
    expect(new Set(items.map(({ url }) => url)).size).toBe(2);
  });

  it('tell nobody who works there', async () => {
    const { address, id } = await list('Nameless', []);
    const rows = await product.rows<{ fullname: string }>('select fullname from account');
    for (const path of ['/', address, `/feed/${id}.atom`, `/feed/${id}.opds`, '/feed.opds']) {
      const text = await textOf(path);
      for (const { fullname } of rows) expect(text).not.toContain(fullname);
    }
  });

  it('are listed for search engines, by kind', async () => {
    const { id, address } = await made('Lalka');
    const { address: by } = await author('Bolesław', 'Prus', [id]);
    const { address: without } = await author('Nobody', 'Yet', []);
    const { address: listed } = await list('Classics', [id]);
    expect(await textOf('/robots.txt')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    const parts = [...(await textOf('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(
      ([, part = '']) => part,
    );
    expect(parts).toEqual(['home', 'book', 'author', 'list'].map((kind) => `${SITE}/sitemap-${kind}-1.xml`));
    const all = (await Promise.all(parts.map((part) => textOf(part.replace(SITE, ''))))).join('');
    for (const each of ['/', address, by, listed])
      expect(all).toContain(`<url><loc>${SITE}${each}</loc></url>`);
    expect(all).not.toContain(without);
    for (const path of ['/sitemap-book-9999.xml', '/sitemap-account-1.xml'])
      expect((await ask(path)).status).toBe(404);
  });

  describe('with feeds', () => {
    const grammar = shared(async () => RelaxNGValidator.fromDoc(XmlDocument.fromString(kept('atom.rng'))));
    const opds = shared(async () => {
      const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
      const { schemas } = JSON.parse(kept('opds.json')) as { schemas: object[] };
      ajv.addSchema(schemas);
      const check = ajv.getSchema('https://drafts.opds.io/schema/feed.schema.json');
      if (!check) throw new Error('There is no schema of feeds.');
      return { errorsIn: (feed: unknown) => (check(feed), check.errors ?? []) };
    });
    const DAMAGED = 'Dust & <ashes> \u0001 "quoted"';

    it('in Atom are what RFC 4287 says', async () => {
      const { id } = await made('Feed me');
      await product.rows('update book set title = $2, description = $3 where id = $1', id, DAMAGED, DAMAGED);
      const { id: listId } = await list('Followed', [id]);
      for (const feed of ['new', listId]) {
        const text = await textOf(`/feed/${feed}.atom`);
        const document = XmlDocument.fromString(text);
        try {
          expect(() => grammar.validate(document)).not.toThrow();
        } finally {
          document.dispose();
        }
        expect(text).toContain('<title>Dust &amp; &lt;ashes&gt;  &quot;quoted&quot;</title>');
        expect(text).toContain(
          `<link rel="self" type="application/atom+xml" href="${SITE}/feed/${feed}.atom"/>`,
        );
      }
      const broken = XmlDocument.fromString(
        (await textOf('/feed/new.atom')).replace(/<updated>.*<\/updated>/, ''),
      );
      expect(() => grammar.validate(broken)).toThrow();
      broken.dispose();
    });

    it('in OPDS 2.0 are what its schemas say, page by page', async () => {
      const books = [];
      for (let at = 1; at <= 51; at += 1) books.push((await made(`Part ${at}`)).id);
      await author('Many', 'Parts', books);
      const [first = 0] = books;
      await product.rows(
        `update book set series = 'Parts', volume = '1', language = 'pl', description = 'One', photo_url = '/api/Book/1/cover?v=1' where id = $1`,
        first,
      );
      const { id } = await list('Long', books);
      const { id: empty } = await list('Empty', []);
      for (const path of [
        '/feed.opds',
        '/feed/new.opds',
        `/feed/${id}.opds`,
        `/feed/${id}.opds?page=2`,
        `/feed/${empty}.opds`,
      ])
        expect([path, opds.errorsIn(await jsonOf(path))]).toEqual([path, []]);
      expect(opds.errorsIn({ metadata: {}, links: [] })).not.toEqual([]);
      expect(await jsonOf(`/feed/${id}.opds`)).toMatchObject({
        metadata: { title: 'Long', numberOfItems: 51, itemsPerPage: 50, currentPage: 1 },
        links: expect.arrayContaining([
          { rel: 'next', href: `${SITE}/feed/${id}.opds?page=2`, type: 'application/opds+json' },
        ]),
        publications: expect.arrayContaining([
          expect.objectContaining({
            metadata: expect.objectContaining({
              title: 'Part 1',
              belongsTo: { series: { name: 'Parts', position: 1 } },
            }),
            links: [
              expect.objectContaining({
                rel: 'http://opds-spec.org/acquisition/borrow',
                href: `${SITE}${publicAddress('book', { id: first, title: 'Part 1' })}`,
              }),
            ],
          }),
        ]),
      });
      expect(await jsonOf(`/feed/${id}.opds?page=2`)).toMatchObject({
        publications: [{ metadata: { title: 'Part 51' } }],
      });
      expect((await ask(`/feed/${id}.opds?page=3`)).status).toBe(404);
      expect(await jsonOf('/feed.opds')).toMatchObject({
        navigation: expect.arrayContaining([
          { href: `${SITE}/feed/${id}.opds`, title: 'Long', type: 'application/opds+json' },
        ]),
      });
    });
  });

  it('can be searched from the browser, and installed', async () => {
    await made('Suggested to browsers');
    const description = await textOf('/opensearch.xml');
    XmlDocument.fromString(description).dispose();
    expect(description).toContain(`template="${SITE}/#/catalog?q={searchTerms}"`);
    expect(await jsonOf('/suggestions.json?q=sugge')).toEqual(['sugge', ['Suggested to browsers']]);
    expect(await jsonOf('/suggestions.json')).toEqual(['', []]);
    expect(await jsonOf('/site.webmanifest')).toMatchObject({
      name: 'Lectern',
      short_name: 'Lectern',
      start_url: '/',
      theme_color: '#1f5442',
      icons: [{ src: '/favicon.svg', sizes: 'any' }],
    });
  });
});
