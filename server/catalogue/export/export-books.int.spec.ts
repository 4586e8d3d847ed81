import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { packageRoot } from '#platform/package-root.js';
import { queryRows } from '#platform/database/query-rows.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { openOwnDatabase, type OwnDatabase } from '../../../test-support/database/own-database.js';
import type { NewBook } from '../book-writer.js';
import { importBooks } from '../import/import-books.js';
import { exportBooks } from './export-books.js';

const SAMPLE = join(packageRoot(), 'server/catalogue/import/sample.csv');

async function* decoded(file: string) {
  for await (const text of createReadStream(file, 'utf8')) yield String(text);
}

async function* inPieces(text: string) {
  for (let at = 0; at < text.length; at += 999) yield text.slice(at, at + 999);
}

const DUNE: NewBook = {
  isbn: '9780441172719',
  title: 'Dune',
  description: 'Sand.',
  authors: [{ firstname: 'Frank', lastname: 'Herbert' }],
  genres: ['Science Fiction'],
  publisher: 'Ace',
  published: '1965-08-01',
  copies: 3,
};

describe('an export of the catalogue', () => {
  let source: OwnDatabase;
  let target: OwnDatabase;
  beforeEach(async () => {
    [source, target] = await Promise.all([openOwnDatabase(), openOwnDatabase()]);
  });
  afterEach(() => Promise.all([source.close(), target.close()]));

  const write = (...books: NewBook[]) => addNewBooks(source, books);
  const exported = async (formulas?: 'plain') => {
    const told: string[] = [];
    let text = '';
    const onInexact = (isbn: string, reason: string) => told.push(`${isbn}: ${reason}`);
    for await (const chunk of exportBooks(source, { onInexact, ...(formulas && { formulas }) }))
      text += chunk;
    return { text, told };
  };
  const readBack = async (text: string) => {
    const told: string[] = [];
    await importBooks(target, inPieces(text), {
      copies: undefined,
      onRow: (line, what, reason) => told.push(`${line} ${what}: ${reason}`),
    });
    return told;
  };
  const catalogue = (database: Database) =>
    queryRows(
      database,
      z.record(z.string(), z.unknown()),
      `
      select b.isbn, b.title, b.original_title, b.other_titles, b.description, p.name as publisher, b.series, b.volume, b.language, b.publication_date::text as day, b.copies_total, b.price, b.kind,
        array(select c.copy || ' ' || c.shelf_mark from copy c
          where c.book_id = b.id and c.shelf_mark is not null order by c.copy) as marks,
        array(select a.firstname || '|' || a.lastname || '|' || a.other_names::text from book_author l join author a on a.id = l.author_id
          where l.book_id = b.id order by l.place) as authors,
        array(select g.name from book_genre l join genre g on g.id = l.genre_id
          where l.book_id = b.id order by l.place) as genres
      from book b left join publisher p on p.id = b.publisher_id order by b.isbn`,
    );

  const expectReadBack = async (formulas?: 'plain') => {
    const { text, told } = await exported(formulas);
    expect([told, await readBack(text)]).toEqual([[], []]);
    expect(await catalogue(target)).toEqual(await catalogue(source));
    return text;
  };

  it('is read back as the same catalogue, with the numbers of books that have no ISBN', async () => {
    await importBooks(source, decoded(SAMPLE), { copies: undefined });
    await expectReadBack();
    expect((await catalogue(target)).length).toBeGreaterThan(50);
  });

  it('keeps commas, quotation marks, lines, other scripts, single names and misprinted numbers', async () => {
    await write(
      {
        ...DUNE,
        title: 'Quo vadis, "Domine"?',
        description: 'Pierwsza linia,\n\n"druga" linia; trzecia\t– i łódź 𝔘 日本.',
        authors: [
          { firstname: 'Henryk', lastname: 'Sienkiewicz' },
          { firstname: 'Antoine', lastname: 'de Saint-Exupéry' },
          { firstname: '—', lastname: 'Plato' },
          { firstname: '—', lastname: 'Monty Python' },
          { firstname: 'Martin', lastname: 'King Jr.' },
          // As the import first read "Vi Keeland": "Keeland, Vi" would be a sixth of that name.
          { firstname: 'Vi', lastname: 'Keeland' },
        ],
        genres: ['Fiction, historical'],
        copies: 10_000,
      },
      { ...DUNE, isbn: '2900000000018', published: null },
      {
        ...DUNE,
        isbn: '9780441172710',
        genres: ['One', 'Two'],
        price: 3990,
        copies: 3,
        shelfMarks: ['A 3', null, null],
      },
      { ...DUNE, isbn: '044117271X', price: 5, copies: 2, shelfMarks: ['B 1 (left)', 'B 1 (left)'] },
      { ...DUNE, isbn: '0441172710', kind: 'reading-room' },
      { ...DUNE, isbn: '9780441172728', publisher: null, genres: [] },
      { ...DUNE, isbn: '9780441172735', title: 'Dune (Dune, #1)', series: 'Dune', volume: '1-3' },
      { ...DUNE, isbn: '9780441172742', series: 'Classics', language: 'pl' },
      { ...DUNE, isbn: '9780441172759', language: 'haw' },
      {
        ...DUNE,
        isbn: '9780441172766',
        originalTitle: 'Le Petit Prince',
        otherTitles: ['Mały Książę', 'The Little, little Prince'],
        authors: [
          { firstname: 'Frank', lastname: 'Herbert' },
          { firstname: 'Fyodor', lastname: 'Dostoyevsky', otherNames: ['Dostojewski, F.', 'Достоевский'] },
        ],
      },
    );
    expect(await expectReadBack()).toContain(',39.90,');
  });

  it.each([undefined, 'plain' as const])('keeps what looks like a formula (cells: %s)', async (formulas) => {
    await write(
      { ...DUNE, title: '=HYPERLINK("http://x")', description: '-2+3', publisher: '@home', genres: ['+1'] },
      { ...DUNE, isbn: '9780441172710', title: "'@Home' and other stories", description: "''=1" },
      { ...DUNE, isbn: '044117271X', authors: [{ firstname: '—', lastname: '=Bobby' }] },
    );
    const text = await expectReadBack(formulas);
    expect(/(^|,)"?[=+@-]/m.test(text)).toBe(formulas === 'plain');
  });

  it('tells of every book that an import would refuse or read otherwise', async () => {
    await write(
      { ...DUNE, isbn: '9780000000002', authors: [{ firstname: 'A; B', lastname: 'C' }] },
      { ...DUNE, isbn: '9780000000026', copies: 0 },
      { ...DUNE, isbn: '9780000000033', description: 'line\n'.repeat(150) },
      DUNE,
    );
    const { told } = await exported();
    expect(told).toEqual([
      '9780000000002: an import would read another author and other name',
      expect.stringMatching(/^9780000000026: an import would refuse it: "0" is no number of copies/),
      expect.stringMatching(/^9780000000033: an import would refuse it: a quotation mark/),
    ]);
  });

  it('of an empty catalogue is its columns alone', async () => {
    expect((await exported('plain')).text).toMatch(/,description\r\n$/);
    expect((await exported()).text).toBe(
      'isbn,catalogue_number,title,original_title,other_titles,author,other_names,genres,publisher,series,volume,language,publication_date,copies,price,book_kind,ratings_count,shelf_marks,description,formulas_quoted\r\n',
    );
  });
});
