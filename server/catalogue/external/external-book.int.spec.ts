import type { ServerResponse } from 'node:http';
import { addRow } from '../../../test-support/database/add-row.js';
import { startBookServices } from '../../../test-support/services/book-services.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';

const ISBN = '9780156027601';
const OPEN_LIBRARY = `/ol/api/books?bibkeys=ISBN:${ISBN},ISBN:0156027607&format=json&jscmd=details`;
const GOOGLE = `/google/books/v1/volumes?q=isbn:${ISBN}`;

/** As Open Library answers for an edition that has everything. */
const edition = {
  bib_key: `ISBN:${ISBN}`,
  info_url: 'https://openlibrary.org/books/OL7366344M/Solaris',
  details: {
    title: 'Solaris',
    subtitle: 'a novel',
    description: { type: '/type/text', value: 'A planet\r\nwith <b>one</b> ocean.' },
    authors: [{ key: '/authors/OL25990A', name: 'STANISLAW LEM' }, { name: 'Homer' }],
    publishers: ['harvest books', 'Another'],
    publish_date: 'November 20, 2002',
    subjects: [
      'Fiction, general',
      'SCIENCE FICTION',
      'Science Fictión',
      'nyt:trade=2002',
      'Life on other planets',
    ],
    languages: [{ key: '/languages/eng' }],
    works: [{ key: '/works/OL278175W' }],
    number_of_pages: 204,
    revision: 7,
  },
};
const volume = {
  volumeInfo: {
    title: 'Solaris',
    authors: ['Stanisław Lem'],
    publisher: 'Harvest Books',
    publishedDate: '2002-11',
    language: 'pl',
    description: 'From Google.',
    industryIdentifiers: [
      { type: 'ISBN_10', identifier: '0156027607' },
      { type: 'ISBN_13', identifier: ISBN },
    ],
    categories: ['Fiction / Science Fiction / General'],
  },
};

describe('the details of a book from outside', () => {
  let lem: number;
  let genre: number;
  let publisher: number;

  const services = shared(() => startBookServices());
  const product = shared(() =>
    startProduct(undefined, {
      environment: {
        OPEN_LIBRARY_URL: `${services.url}/ol/`,
        GOOGLE_BOOKS_URL: `${services.url}/google`,
      },
    }),
  );
  const admin = shared(() => product.account('Admin'));
  beforeAll(async () => {
    lem = await addRow(product.database, 'author', { firstname: 'Stanisław', lastname: 'Lem' });
    genre = await addRow(product.database, 'genre', { name: 'Science Fiction' });
    publisher = await addRow(product.database, 'publisher', { name: 'Harvest Books' });
  });
  beforeEach(() => services.reset());

  const fetchDetails = (isbn = ISBN) =>
    admin.get(`BookExternalFetch/fetch-from-external?isbn=${encodeURIComponent(isbn)}`);
  const openLibrary = (details: object) =>
    services.replyJson('/ol/api/books', { [`ISBN:${ISBN}`]: { details } });
  const status = (code: number) => (_request: unknown, response: ServerResponse) =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end('<h1>sorry</h1>');

  // spec 7.10
  it('come from Open Library, with the ids of what the catalogue has', async () => {
    services.replyJson('/ol/api/books', { [`ISBN:${ISBN}`]: edition });
    const answer = await fetchDetails('0-15-602760-7');
    expect(answer).toEqual({
      status: 200,
      body: {
        exists: false,
        id: null,
        isbn: ISBN,
        title: 'Solaris: a novel',
        description: 'A planet\nwith one ocean.',
        authors: [
          { id: lem, firstname: 'Stanisław', lastname: 'Lem' },
          { id: null, firstname: '', lastname: 'Homer' },
        ],
        genres: [
          { id: genre, name: 'Science Fiction' },
          { id: null, name: 'Fiction, general' },
          { id: null, name: 'Life on other planets' },
        ],
        publisher: { id: publisher, name: 'Harvest Books' },
        published: '2002-11-20',
        language: 'en',
        asked: [{ name: 'Open Library', outcome: 'found' }],
      },
    });
    expect(services.asked).toEqual([OPEN_LIBRARY]);
  });

  it('are filled up from the work where the edition leaves them out', async () => {
    openLibrary({ title: 'Solaris', works: [{ key: '/works/OL278175W' }] });
    services.replyJson('/ol/works/OL278175W.json', {
      title: 'Solaris',
      description: 'Of the work.',
      subjects: ['Science Fiction'],
      authors: [{ author: { key: '/authors/OL25990A' } }, { author: { key: '/../../admin' } }],
    });
    services.replyJson('/ol/authors/OL25990A.json', { name: 'Stanisław Lem' });
    expect((await fetchDetails()).body).toMatchObject({
      description: 'Of the work.',
      authors: [{ id: lem, firstname: 'Stanisław', lastname: 'Lem' }],
      genres: [{ id: genre }],
      publisher: null,
      published: null,
    });
    expect(services.asked).toEqual([OPEN_LIBRARY, '/ol/works/OL278175W.json', '/ol/authors/OL25990A.json']);
  });

  it('may be partial, and parts of another kind than promised count as missing', async () => {
    openLibrary({
      title: 'Solaris',
      description: 17,
      authors: 'Lem',
      publishers: [null, 'Harvest Books'],
      publish_date: ['2002'],
      languages: [{ key: '/languages/../x' }],
      subjects: { a: 1 },
      works: [{ key: '/works/../../evil' }],
    });
    expect((await fetchDetails()).body).toEqual({
      ...{ exists: false, id: null, isbn: ISBN, title: 'Solaris', description: '', authors: [], genres: [] },
      ...{ publisher: { id: publisher, name: 'Harvest Books' }, published: null, language: null },
      asked: [{ name: 'Open Library', outcome: 'found' }],
    });
    expect(services.asked).toEqual([OPEN_LIBRARY]);
  });

  // spec 3.4
  it('are the catalogue’s own where it has the book, in either form of its ISBN, and nobody is asked', async () => {
    const id = await product.book(1, 'Fiasco');
    await product.rows(`update book set isbn = '9780156306300' where id = $1`, id);
    for (const isbn of ['9780156306300', '978-0-15-630630-0', '0156306301']) {
      expect((await fetchDetails(isbn)).body).toMatchObject({
        exists: true,
        id,
        isbn: '9780156306300',
        title: 'Fiasco',
        publisher: { name: 'Test Press' },
        published: '2001-01-01',
      });
    }
    expect(services.asked).toEqual([]);
  });

  describe('come from Google Books', () => {
    const text = (answer: string) => (_request: unknown, response: ServerResponse) =>
      void response.writeHead(200).end(answer);
    // Answers that drip, break off or never end: `book-sources.int.spec.ts`.
    it.each<[string, Parameters<typeof services.reply>[1]]>([
      ['does not know the book', text('{}')],
      ['answers 500', status(500)],
      ['answers 429', status(429)],
      ['gives no JSON', text('{"ISBN:')],
      ['gives a page', text('<!doctype html>')],
      ['gives another shape', text('[]')],
      ['gives no details', text(`{"ISBN:${ISBN}":{"details":"none"}}`)],
    ])('where Open Library %s', async (_what, reply) => {
      services.reply('/ol', reply);
      services.replyJson('/google/books', { kind: 'books#volumes', totalItems: 1, items: [volume] });
      expect(await fetchDetails()).toMatchObject({
        status: 200,
        body: {
          exists: false,
          title: 'Solaris',
          description: 'From Google.',
          authors: [{ id: lem }],
          genres: [{ id: genre }, { id: null, name: 'Fiction' }],
          publisher: { id: publisher },
          published: '2002-11',
          language: 'pl',
        },
      });
      expect(services.asked).toEqual([OPEN_LIBRARY, GOOGLE]);
    });
  });

  it('are not those of a book that only mentions the number', async () => {
    const other = {
      volumeInfo: { ...volume.volumeInfo, industryIdentifiers: [{ identifier: '9788308049056' }] },
    };
    services.replyJson('/google/books', { totalItems: 2, items: [other, { volumeInfo: null }] });
    expect(await fetchDetails()).toMatchObject(refusal(404, 'ExternalBookNotFound'));
  });

  it('are not found where nobody knows the book', async () => {
    services.replyJson('/ol/api/books', {});
    services.replyJson('/google/books', { totalItems: 0 });
    expect(await fetchDetails()).toMatchObject(
      refusal(
        404,
        'ExternalBookNotFound',
        'Open Library does not know this ISBN. Google Books does not know this ISBN. Please fill in the details by hand.',
      ),
    );
    services.reply('/google', status(503));
    expect(await fetchDetails()).toMatchObject(
      refusal(
        404,
        'ExternalBookNotFound',
        'Open Library does not know this ISBN. Google Books gave no usable answer. Please fill in the details by hand.',
      ),
    );
  });

  const redirect = (to: string) => (_request: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location: to }).end();

  it('are followed where a service moved them within itself, and found by ten digits alone', async () => {
    services.reply('/ol/api/books', redirect('/ol/moved/books'));
    services.replyJson('/ol/moved/books', { 'ISBN:0156027607': edition });
    expect((await fetchDetails()).body).toMatchObject({ isbn: ISBN, title: 'Solaris: a novel' });
  });

  it('are not asked of what is no public address, or of another kind, whatever a service says', async () => {
    const inside = await startBookServices();
    try {
      const { port } = new URL(inside.url);
      for (const to of [
        `http://127.0.0.1:${port}/`,
        `http://localhost:${port}/`,
        `http://[::1]:${port}/`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://2130706433:${port}/`,
        `//0.0.0.0:${port}/`,
        'http://169.254.169.254/latest/meta-data/',
        `https://127.0.0.1:${port}/`,
        'file:///etc/passwd',
        'http://[',
      ]) {
        services.reply('/ol', redirect(to));
        services.reply('/google', redirect(to));
        expect((await fetchDetails()).body).toMatchObject({ code: 'ExternalServiceUnavailable' });
      }
      expect(inside.asked).toEqual([]);
    } finally {
      await inside.close();
    }
  });

  // spec 7.10
  it('say so where nobody answers, as where a service redirects round and round', async () => {
    services.reply('/ol', redirect('/ol/again'));
    services.reply('/google', redirect('/google/again'));
    expect(await fetchDetails()).toMatchObject(refusal(503, 'ExternalServiceUnavailable'));
    expect(services.asked).toHaveLength(8);
  });

  it('are of an ISBN', async () => {
    for (const isbn of ['', '123', '97801560276012345', '97801x6027601']) {
      expect(await fetchDetails(isbn)).toMatchObject({
        status: 400,
        body: { errors: { isbn: [expect.any(String)] } },
      });
    }
    expect(services.asked).toEqual([]);
  });
});
