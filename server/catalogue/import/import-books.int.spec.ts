import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { packageRoot } from '#platform/package-root.js';
import { queryRows } from '#platform/database/query-rows.js';
import { openOwnDatabase, type OwnDatabase } from '../../../test-support/database/own-database.js';
import { InvalidHeader } from '../../imports/columns.js';
import { importBooks, type ImportOptions } from './import-books.js';

const SAMPLE = join(packageRoot(), 'server/catalogue/import/sample.csv');
const SHARED = process.env['LECTERN_SHARED_DATA'] ?? join(packageRoot(), '../shared/data');
const GOODBOOKS = join(SHARED, 'goodbooks-10k.csv');

async function* decoded(file: string) {
  const decoder = new TextDecoder();
  for await (const bytes of createReadStream(file)) yield decoder.decode(bytes as Buffer, { stream: true });
}

async function* written(text: string) {
  yield text;
}

/** The first line, and of the others each fortieth: as they are read, none of them goes over several lines. */
async function* someOf(file: string) {
  let at = 0;
  for await (const line of createInterface(createReadStream(file))) {
    if (at === 0 || at % 40 === 1) yield `${line}\n`;
    at += 1;
  }
}

describe('an import', () => {
  let database: OwnDatabase;
  beforeEach(async () => void (database = await openOwnDatabase()));
  afterEach(() => database.close());

  const load = async (chunks: AsyncIterable<string>, options: Partial<ImportOptions> = {}) => {
    const told: string[] = [];
    const summary = await importBooks(database, chunks, {
      copies: undefined,
      onRow: (line, what, reason) => told.push(`${line} ${what}: ${reason}`),
      ...options,
    });
    return { summary, told };
  };

  /** All that the catalogue holds, without the numbers and times of the rows. */
  const catalogue = () =>
    queryRows(
      database,
      z.record(z.string(), z.unknown()),
      `
      select b.isbn, b.title, b.description, p.name as publisher, b.published,
        b.copies_total, b.copies_available,
        array(select a.firstname || '|' || a.lastname from book_author ba join author a on a.id = ba.author_id
          where ba.book_id = b.id order by ba.place) as authors,
        array(select g.name from book_genre bg join genre g on g.id = bg.genre_id where bg.book_id = b.id) as genres,
        s.words::text, f.copies
      from book b left join publisher p on p.id = b.publisher_id
      join book_search s on s.book_id = b.id join book_shelf f on f.book_id = b.id order by b.id`,
    );

  it('loads what holds, tells what does not and why, and changes nothing the second time', async () => {
    // What would come of it is the same, and nothing is kept.
    const preview = await load(decoded(SAMPLE), { isPreview: true });
    expect(await catalogue()).toEqual([]);
    const { summary, told } = await load(decoded(SAMPLE));
    expect(preview).toEqual({ summary, told });
    expect(summary).toEqual({
      rows: 62,
      added: 55,
      alreadyThere: 0,
      completed: 0,
      refused: 7,
      repaired: 5,
      finished: true,
    });
    const refused = told.filter((line) => line.includes('refused'));
    expect(refused).toEqual([
      expect.stringMatching(/^55 refused: the number 9780306406157 is that of line 53 already/),
      expect.stringMatching(/^56 refused: it has no author/),
      expect.stringMatching(/^57 refused: it has no title/),
      expect.stringMatching(/^58 refused: "soon" is no date/),
      expect.stringMatching(/^60 refused: it has 4 cells where the first line has 23/),
      expect.stringMatching(/^61 refused: its quotation marks do not fit/),
      expect.stringMatching(/^62 refused: .*quotation mark/),
    ]);
    const before = await catalogue();
    expect(before).toHaveLength(55);
    expect(before.find(({ title }) => title === 'Older than our Era')).toMatchObject({
      isbn: '9780306406157',
      published: '-450',
      publisher: null,
      genres: [],
      authors: ['—|Anonim'],
      words: "'#9780306406157' '@en' 'anonim' 'era' 'older' 'our' 'than'",
    });
    expect(before.at(-1)).toMatchObject({ title: 'The Last Row, after All', isbn: '2900000000735' });

    const again = await load(decoded(SAMPLE));
    expect(again.summary).toMatchObject({
      added: 0,
      alreadyThere: 55,
      completed: 0,
      refused: summary.refused,
    });
    expect(await catalogue()).toEqual(before);
  });

  it("loads a librarian's own columns, in semicolons", async () => {
    const file =
      '\uFEFFTitle;Author;ISBN-13;Genres;Publisher;Publication date;Copies;Description\r\n' +
      'Solaris;"Lem, Stanisław";978-83-08-04905-1;"Science Fiction; Classics";Wydawnictwo Literackie;1.6.1961;4;"An ocean\nthinks."\r\n';
    const { summary, told } = await load(written(file));
    expect(told).toEqual([]);
    expect(summary).toMatchObject({ rows: 1, added: 1 });
    expect(await catalogue()).toEqual([
      expect.objectContaining({
        isbn: '9788308049051',
        title: 'Solaris',
        description: 'An ocean\nthinks.',
        publisher: 'Wydawnictwo Literackie',
        published: '1961-06-01',
        copies_total: 4,
        copies: 4,
        authors: ['Stanisław|Lem'],
        genres: ['Science Fiction', 'Classics'],
      }),
    ]);
  });

  it('gives a book that is there what it lacks, once, and leaves what somebody entered', async () => {
    await load(written('isbn,title,authors\n0306406152,Der Process,Franz Kafka\n'));
    await load(written('isbn,title,authors,language,price\n9780441013593,Dune,Frank Herbert,en,20\n'));
    await database.query(`update book set description = 'Ours.' where title = 'Dune'`);
    const file =
      'isbn,title,original_title,other_titles,authors,other_names,genres,publisher,series,volume,language,description,price,ratings_count\n' +
      '9780306406157,The Trial,Der Prozess,Proces | Der Process,Franz Kafka,Franciszek Kafka,Classics,Schocken,,,de,An arrest.,9.90,250000\n' +
      '9780306406157,The Trial,,,Franz Kafka,,,,,,fr,,,\n' +
      '0441013597,DUNE,,,Frank Herbert,,Science Fiction,Ace,Dune,1,pl,Theirs.,30,1000000\n';
    const state = () =>
      queryRows(
        database,
        z.record(z.string(), z.unknown()),
        `select b.title, b.original_title, b.other_titles, b.language, b.description, b.price, b.series, b.volume, p.name as publisher,
           r.ratings, s.level > 0 as is_read, b.version, b.copies_total,
           array(select g.name from book_genre l join genre g on g.id = l.genre_id where l.book_id = b.id) as genres,
           (select json_agg(a.other_names) from book_author l join author a on a.id = l.author_id where l.book_id = b.id) as names
         from book b join book_search s on s.book_id = b.id left join publisher p on p.id = b.publisher_id
         left join book_reading r on r.book_id = b.id order by b.id`,
      );
    const { summary } = await load(written(file));
    expect(summary).toMatchObject({ added: 0, alreadyThere: 2, completed: 2, refused: 1 });
    const after = await state();
    expect(after).toEqual([
      {
        title: 'Der Process',
        original_title: 'Der Prozess',
        other_titles: ['Proces', 'The Trial'],
        ...{ language: 'de', description: 'An arrest.', price: 990, series: null, volume: null },
        ...{ publisher: 'Schocken', ratings: 250_000, is_read: true, version: 2, copies_total: 1 },
        ...{ genres: ['Classics'], names: [['Franciszek Kafka']] },
      },
      {
        ...{ title: 'Dune', original_title: null, other_titles: [], language: 'en', description: 'Ours.' },
        ...{ price: 2000, series: 'Dune', volume: '1', publisher: 'Ace', ratings: 1_000_000, is_read: true },
        ...{ version: 2, copies_total: 1, genres: ['Science Fiction'], names: [[]] },
      },
    ]);
    expect((await load(written(file))).summary).toMatchObject({ alreadyThere: 2, completed: 0 });
    expect(await state()).toEqual(after);
    // A number that is another book's by mistake brings nothing.
    const wrong = 'isbn,title,authors,ratings_count,publisher\n9780306406157,Cooking,Julia Child,7,Knopf\n';
    expect((await load(written(wrong))).summary).toMatchObject({ alreadyThere: 1, completed: 0 });
    expect(await state()).toEqual(after);
  });

  it('takes one author for one, however the name is spelled, and nobody for somebody else', async () => {
    const authors = async () => {
      const rows = await queryRows(
        database,
        z.object({ title: z.string(), names: z.array(z.string()) }),
        `select b.title, array(select a.firstname || '|' || a.lastname from book_author l join author a on a.id = l.author_id
           where l.book_id = b.id order by l.place) as names from book b order by b.id`,
      );
      return rows.map(({ title, names }) => [title, ...names]);
    };
    await database.query(
      `insert into author (firstname, lastname, other_names) values ('J.R.R.', 'Tolkien', '{}'),
        ('Fyodor', 'Dostoyevsky', '{Fiodor Dostojewski}'), ('A.', 'Smith', '{}'), ('A', 'Smith', '{}')`,
    );
    const rows = [
      'The Hobbit,J. R. R. Tolkien',
      'The Silmarillion,JRR Tolkien; Christopher Tolkien',
      'Both,J.R.R. Tolkien; J R R TOLKIEN; Alan Lee',
      'Biesy,Fiodor Dostojewski',
      'New,P. D. James; Emily Brontë',
      'Newer,PD James; P.D. JAMES; Emily Bronte',
      // Order, names left out and an apostrophe tell two people apart; which of two A Smiths it is nobody knows.
      "Others,Bronte Emily; Phyllis D. James; John D’Arcy; John Darcy; John D'Arcy; A. Smith; A.Smith; J. Tolkien",
    ];
    const file = `id,title,authors\n${rows.map((row, at) => `${at + 1},${row}`).join('\n')}`;
    await load(written(file));
    const tolkien = 'J.R.R.|Tolkien';
    const expected = [
      ['The Hobbit', tolkien],
      ['The Silmarillion', tolkien, 'Christopher|Tolkien'],
      ['Both', tolkien, 'Alan|Lee'],
      ['Biesy', 'Fyodor|Dostoyevsky'],
      ['New', 'P. D.|James', 'Emily|Brontë'],
      ['Newer', 'P. D.|James', 'Emily|Brontë'],
      [
        ...['Others', 'Bronte|Emily', 'Phyllis D.|James', 'John|D’Arcy', 'John|Darcy'],
        ...['A.|Smith', '—|A.Smith', 'J.|Tolkien'],
      ],
    ];
    expect(await authors()).toEqual(expected);
    await load(written(`${file}\n20,Later,P.D. James; A.Smith\n`));
    expect(await authors()).toEqual([...expected, ['Later', 'P. D.|James', '—|A.Smith']]);
  });

  it('does not take a book of another source for its own because of its record number', async () => {
    await load(written('id,title,authors\n1,Dune,Frank Herbert\n'));
    const { summary, told } = await load(
      written('id,title,authors\n1,Ubik,Philip K. Dick\n2,Valis,Philip K. Dick\n'),
    );
    expect(summary).toMatchObject({ added: 1, refused: 1 });
    expect(told[0]).toMatch(/belongs to "Dune", from another source/);
  });

  it('leaves whole batches when it is stopped, and goes on from there', async () => {
    const rows = Array.from({ length: 1100 }, (_, at) => `${at + 1},Title ${at},Ada Writer`);
    const file = () => written(`id,title,authors\n${rows.join('\n')}`);
    const stop = new AbortController();
    const stopped = await load(file(), { signal: stop.signal, onProgress: () => stop.abort() });
    expect(stopped.summary).toMatchObject({ finished: false, added: 500 });
    expect(await catalogue()).toHaveLength(500);
    const rest = await load(file());
    expect(rest.summary).toMatchObject({ finished: true, added: 600, alreadyThere: 500 });
  });

  it.each(['', '\n\n', 'no,header\n1,2\n', '"never closed\n', '\u0000\u0001\n'])(
    'refuses the file %j as a whole',
    async (text) => {
      await expect(load(written(text))).rejects.toThrow(InvalidHeader);
    },
  );

  // The file is data that nobody on this project wrote; it is not part of the project.
  (existsSync(GOODBOOKS) ? it : it.skip)('loads real books, every one', async () => {
    const { summary } = await load(someOf(GOODBOOKS));
    const none = { alreadyThere: 0, completed: 0, refused: 0 };
    expect(summary).toEqual({ rows: 250, added: 250, ...none, repaired: 27, finished: true });
    const counts = { internal: z.int(), beforeOurEra: z.int(), undated: z.int(), twice: z.int() };
    const rows = await queryRows(
      database,
      z.object({ ...counts, found: z.array(z.string()) }),
      `select count(*) filter (where isbn like '29%')::integer as internal,
         count(*) filter (where published like '-%')::integer as "beforeOurEra",
         count(*) filter (where published is null)::integer as undated,
         (select count(*)::integer from (select from author group by author_key(firstname || ' ' || lastname)
           having count(*) > 1) twice) as twice,
         array(select title from book where isbn = '9780439023481') as found from book`,
    );
    expect(rows[0]).toEqual({
      ...{ internal: 27, beforeOurEra: 2, undated: 0, twice: 0 },
      found: ['The Hunger Games'],
    });
  });
});
