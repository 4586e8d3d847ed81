import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { MarcWinner } from '#contracts/catalogue/marc-import.js';
import { queryRows } from '#platform/database/query-rows.js';
import { packageRoot } from '#platform/package-root.js';
import { validExchange } from '../../../test-support/services/exchange-schema.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { openOwnDatabase, type OwnDatabase } from '../../../test-support/database/own-database.js';
import type { NewBook } from '../book-writer.js';
import { exportMarc } from '../export/export-marc.js';
import { dataField, withFields } from '../marc/marc-fields.js';
import { writeIso2709 } from '../marc/iso-2709.js';
import { MARC_XML_HEAD, MARC_XML_TAIL, writeMarcXml } from '../marc/marc-xml.js';
import { readMarc } from '../marc/read-marc.js';
import type { MarcField, MarcForm, MarcRecord } from '../marc/record.js';
import { MARC_IMPORTS } from './marc-imports.js';
import { runMarcImport } from './run-marc.js';
import { stageMarc } from './stage-marc.js';
import { undoMarcImport } from './undo-marc.js';

const SHARED = process.env['LECTERN_SHARED_DATA'] ?? join(packageRoot(), '../shared/data');

const record = (control: string, title: string, ...more: MarcField[]): MarcRecord =>
  withFields(
    {
      leader: '00000nam a2200000 i 4500',
      fields: [
        { tag: '001', value: control },
        { tag: '003', value: 'PL-Wa' },
        { tag: '008', value: '991231s1961    xx            000 0 pol d' },
      ],
    },
    () => false,
    [dataField('245', '10', ['a', `${title} /`]), ...more],
  );
const isbn = (number: string) => dataField('020', '  ', ['a', number]);
const author = (name: string) => dataField('100', '1 ', ['a', `${name},`], ['d', '1921-2006.']);

const SOLARIS = record(
  'b1',
  'Solaris',
  isbn('9788308049051'),
  author('Lem, Stanisław'),
  dataField('260', '  ', ['b', 'Wydawnictwo Literackie,'], ['c', '1961.']),
  dataField('500', '  ', ['a', 'A note that the catalogue does not show.']),
  dataField('650', ' 4', ['a', 'Science fiction.']),
  dataField('952', '  ', ['o', 'SF 12'], ['p', '39000001']),
  dataField('952', '  ', ['p', '39000002']),
);

const DUNE: Partial<NewBook> = {
  ...{ isbn: '9780441172719', title: 'Dune', genres: [], publisher: 'Ace', published: '1965', copies: 3 },
  authors: [{ firstname: 'Frank', lastname: 'Herbert' }],
};

describe('an import of records', () => {
  let database: OwnDatabase;
  beforeEach(async () => void (database = await openOwnDatabase()));
  afterEach(() => database.close());

  type Wishes = { wins?: MarcWinner[]; form?: MarcForm };
  /** @param file its bytes, or records in ISO 2709 */
  const stageFile = (
    file: AsyncIterable<Uint8Array> | Iterable<Uint8Array | MarcRecord>,
    more: Wishes = {},
  ) => {
    const chunks = async function* () {
      for await (const piece of file) yield piece instanceof Uint8Array ? piece : writeIso2709(piece);
    };
    return stageMarc(database, chunks(), {
      ...{ name: 'books.mrc', form: 'iso2709', wins: [], copies: 1, startedBy: null, now: new Date() },
      ...more,
    });
  };
  const stage = (...records: (Uint8Array | MarcRecord)[]) => stageFile(records);
  const run = async (id: string) => {
    expect(await MARC_IMPORTS.move(database, id, ['staged', 'done'], 'running')).toBe(true);
    await runMarcImport(database, id);
    return id;
  };
  const ran = async (...records: MarcRecord[]) => run(await stage(...records));
  const undo = async (id: string) => {
    expect(await MARC_IMPORTS.move(database, id, ['done'], 'undoing')).toBe(true);
    await undoMarcImport(database, id);
  };
  const rows = async (id: string) =>
    (await MARC_IMPORTS.rowsOf(database, id, undefined, { offset: 0, limit: 1000 })).items;
  const outcomes = async (id: string) =>
    (await rows(id)).map(({ outcome, reason, done }) => reason ?? done ?? outcome);
  const exported = async (form: MarcForm = 'iso2709', since?: Date) => {
    const left: string[] = [];
    const pieces = [];
    const options = { changedSince: since, onLeft: (number: string) => left.push(number) };
    for await (const piece of exportMarc(database, form, options)) pieces.push(piece);
    return { bytes: Buffer.concat(pieces), left };
  };
  const write = (...books: Partial<NewBook>[]) => addNewBooks(database, books);
  const catalogue = () =>
    queryRows(
      database,
      z.record(z.string(), z.unknown()),
      `select b.isbn, b.title, b.description, b.published, b.language, b.price, b.copies_total as copies, p.name as publisher,
         array(select a.firstname || '|' || a.lastname from book_author l join author a on a.id = l.author_id
           where l.book_id = b.id order by l.place) as authors,
         array(select g.name from book_genre l join genre g on g.id = l.genre_id where l.book_id = b.id order by l.place) as genres,
         array(select c.copy || ' ' || coalesce(c.shelf_mark, '-') || ' ' || coalesce(c.label, '-') from copy c where c.book_id = b.id order by c.copy)
           as marks,
         exists (select from book_search s where s.book_id = b.id) as found
       from book b left join publisher p on p.id = b.publisher_id order by b.id`,
    );

  it('adds nothing before it is run; then whole books, and their records come out as they came in', async () => {
    const id = await stage(SOLARIS);
    expect(await MARC_IMPORTS.find(database, id)).toMatchObject({
      state: 'staged',
      outcomes: { new: 1 },
      chosen: 1,
    });
    expect(await catalogue()).toEqual([]);
    await run(id);
    expect(await catalogue()).toEqual([
      {
        ...{ isbn: '9788308049051', title: 'Solaris', description: '', published: '1961', language: 'pl' },
        ...{ price: null, copies: 2, publisher: 'Wydawnictwo Literackie', authors: ['Stanisław|Lem'] },
        ...{ genres: ['Science fiction'], marks: ['1 SF 12 39000001', '2 - 39000002'], found: true },
      },
    ]);
    expect((await exported()).bytes).toEqual(writeIso2709(SOLARIS));
    const again = await stage(SOLARIS);
    expect(await outcomes(again)).toEqual(['same']);
  });

  it('gives a book what it lacks, and what the file is to win; the export has the changes and all else as it came', async () => {
    await write(DUNE);
    const theirs = record(
      'b2',
      'Dune: the novel',
      isbn('0-441-17271-7'),
      author('Herbert, Frank'),
      dataField('520', '  ', ['a', 'Sand.']),
      dataField('650', ' 4', ['a', 'Deserts.']),
    );
    const id = await stageFile([theirs], { wins: ['title'] });
    expect(await rows(id)).toMatchObject([
      {
        ...{ outcome: 'changed', title: 'Dune: the novel' },
        differs: [
          { field: 'title', ours: 'Dune', theirs: 'Dune: the novel' },
          { field: 'published', ours: '1965', theirs: '1961' },
          { field: 'language', ours: '', theirs: 'pl' },
          { field: 'genres', ours: '', theirs: 'Deserts' },
          { field: 'description', ours: '', theirs: 'Sand.' },
        ],
      },
    ]);
    const before = await catalogue();
    await run(id);
    expect(await catalogue()).toMatchObject([
      {
        ...{ title: 'Dune: the novel', description: 'Sand.', published: '1965', language: 'pl' },
        ...{ publisher: 'Ace', genres: ['Deserts'], authors: ['Frank|Herbert'], copies: 3 },
      },
    ]);
    const text = (await exported('marcxml')).bytes.toString();
    expect(text).toContain('1921-2006.');
    expect(text).toContain('<subfield code="b">Ace,</subfield>');
    expect(text.match(/tag="952"/g)).toHaveLength(3);
    await undo(id);
    expect(await catalogue()).toEqual(before);
    expect(await outcomes(id)).toEqual(['undone']);
    expect((await exported('marcxml')).bytes.toString()).not.toContain('1921-2006.');
  });

  describe('of books that are there', () => {
    const held = (...items: [label: string | null, mark: string | null][]) =>
      record(
        'b2',
        'Dune',
        isbn('9780441172719'),
        ...items.map(([label, mark]) =>
          dataField(
            '952',
            '  ',
            ...(mark ? [['o', mark] as [string, string]] : []),
            ...(label ? [['p', label] as [string, string]] : []),
          ),
        ),
      );
    const copies = async () =>
      (
        await queryRows(
          database,
          z.object({ said: z.string() }),
          `select c.copy || ' ' || c.condition || ' ' || coalesce(c.shelf_mark, '-') || ' ' || coalesce(c.label, '-') as said
           from copy c join book b on b.id = c.book_id where b.title = 'Dune' order by c.copy`,
        )
      ).map(({ said }) => said);
    const count = async () => (await catalogue()).find(({ title }) => title === 'Dune')?.['copies'];
    /** As the outbox does, once their events are in the log. */
    const settled = () => database.query('update copy set pending = null');

    it('adds copies with labels that nobody knows, and moves those that are known where the file wins', async () => {
      await write({ ...DUNE, copies: 2, shelfMarks: ['A 1', null] });
      const file = () => stage(held(['39000001', 'B 2'], ['39000002', null], [null, 'X 9']));
      const id = await file();
      expect(await rows(id)).toMatchObject([
        {
          outcome: 'changed',
          differs: expect.arrayContaining([
            { field: 'copies', ours: '', theirs: '39000001 (B 2); 39000002' },
          ]),
        },
      ]);
      await run(id);
      const whole = ['1 present A 1 -', '3 present B 2 39000001', '4 present - 39000002'];
      expect([await copies(), await count()]).toEqual([whole, 4]);
      const [again] = await rows(await file());
      expect(again?.differs.map(({ field }) => field)).toEqual(['published']);
      const moved = held(['39000001', 'C 3'], ['39000002', 'D 4']);
      const differs = [
        { field: 'shelfMarks', ours: '39000001 (B 2)', theirs: '39000001 (C 3)' },
        { field: 'copies', ours: '', theirs: '39000002 (D 4)' },
      ];
      // Their first events are on their way to the log.
      const early = await stage(moved);
      expect(await rows(early)).toMatchObject([{ differs: expect.arrayContaining(differs) }]);
      await run(early);
      expect(await outcomes(early)).toEqual([expect.stringContaining('is not stored yet')]);
      await settled();
      await ran(moved);
      expect((await copies()).slice(1)).toEqual(['3 present B 2 39000001', '4 present D 4 39000002']);
      await settled();
      const winning = await stageFile([moved], { wins: ['shelfMarks'] });
      await run(winning);
      expect((await copies()).slice(1)).toEqual(['3 present C 3 39000001', '4 present D 4 39000002']);
      await settled();
      await undo(winning);
      expect((await copies())[1]).toBe('3 present B 2 39000001');
    });

    it('withdraws the copies that it added when it is undone, and their labels can come again', async () => {
      await write({ ...DUNE, copies: 1 });
      const file = () => stage(held(['39000001', 'B 2'], ['39000002', null]));
      const id = await run(await file());
      await settled();
      await undo(id);
      expect([await outcomes(id), await count()]).toEqual([['undone'], 1]);
      expect(await copies()).toEqual(['2 withdrawn B 2 -', '3 withdrawn - -']);
      const again = await run(await file());
      await settled();
      expect(await count()).toBe(3);
      await database.query(
        `insert into copy_allocation (borrow_id, book_id, reader_id, state, copy)
         select gen_random_uuid(), id, gen_random_uuid(), 'confirmed', 4 from book`,
      );
      await undo(again);
      expect([await outcomes(again), await count()]).toEqual([
        [expect.stringContaining('have been lent')],
        3,
      ]);
    });

    it('tells labels that another book has, and writes a mark that was changed here into its own field', async () => {
      const ofOurForm = copyCode({ bookId: 4711, copy: 1 });
      const koha = dataField('952', '  ', ['a', 'CPL'], ['o', 'A 1'], ['p', '39000001'], ['y', 'BK']);
      await ran(withFields(held(), () => false, [koha]));
      const id = await stage(record('b7', 'Solaris', koha, dataField('952', '  ', ['p', ofOurForm])));
      expect(await rows(id)).toMatchObject([
        {
          outcome: 'new',
          reason: `Copies of other books have these labels already, so they are left out: 39000001, ${ofOurForm}.`,
        },
      ]);
      await run(id);
      expect((await catalogue()).map((book) => [book['title'], book['copies'], book['marks']])).toEqual([
        ['Dune', 1, ['1 A 1 39000001']],
        ['Solaris', 2, ['1 A 1 -']],
      ]);
      await database.query(`update book set changed_at = '2020-01-01'`);
      await database.query(`update copy set shelf_mark = 'Z 26' where label is not null`);
      const { bytes } = await exported('iso2709', new Date('2021-01-01'));
      expect(bytes.toString().match(/Dune|Solaris/g)).toEqual(['Dune']);
      expect(bytes.toString()).toContain('\x1foZ 26\x1faCPL\x1fp39000001\x1fyBK');
    });
  });

  it('leaves to a person what fits two books, or none by its title; and refuses what is damaged, one by one', async () => {
    await write(DUNE);
    await ran(SOLARIS);
    const both = record('b1', 'Solaris', isbn('9780441172719'));
    const wrong = record('b9', 'Cooking', isbn('9780441172719'), author('Child, Julia'));
    const authority = { ...record('n1', 'Lem'), leader: '00000nz  a2200000 i 4500' };
    const deleted = { ...record('n2', 'Gone'), leader: '00000dam a2200000 i 4500' };
    const untitled = withFields(record('n3', 'x'), ({ tag }) => tag === '245', []);
    const damaged = Buffer.from('00031nam a2200025 i 4500xx\x1e\x1d');
    const again = [record('b3', 'Fiasco'), record('b3', 'Fiasco')];
    const id = await stage(both, authority, deleted, untitled, damaged, ...again);
    expect(await outcomes(id)).toEqual([
      'unsure',
      'It is a record of names or of holdings, not of something to lend.',
      'It says itself that it was deleted.',
      'It has no title that can be kept.',
      expect.stringContaining('Its leader says another length'),
      'new',
      'It is of the same book as record 6.',
    ]);
    const titles = async (of: string) =>
      (await rows(of)).flatMap(({ outcome, candidates }) =>
        outcome === 'unsure' ? [candidates.map(({ title }) => title)] : [],
      );
    expect(await titles(id)).toEqual([['Dune', 'Solaris']]);
    expect(await titles(await stage(wrong))).toEqual([['Dune']]);
    await run(id);
    expect((await catalogue()).map(({ title }) => title)).toEqual(['Dune', 'Solaris', 'Fiasco']);
  });

  it('is undone as one, but for what somebody has changed or lent since', async () => {
    const others = [record('b3', 'Fiasco'), record('b4', 'Eden'), record('b5', 'Katar')];
    const id = await ran(SOLARIS, ...others);
    await database.query(
      `update book set description = 'Ours', version = version + 1 where title = 'Fiasco'`,
    );
    await database.query(
      `insert into copy_allocation (borrow_id, book_id, reader_id, state, copy)
       select gen_random_uuid(), id, gen_random_uuid(), 'confirmed', 1 from book where title = 'Eden'`,
    );
    await undo(id);
    expect((await catalogue()).map(({ title }) => title)).toEqual(['Fiasco', 'Eden']);
    expect(await outcomes(id)).toEqual([
      'undone',
      'Somebody has changed the book since.',
      'Copies of it have been lent, moved or waited for since.',
      'undone',
    ]);
  });

  it('goes on where it was stopped, does what is chosen alone, and gives every record back byte for byte', async () => {
    const notes = [
      'zażółć ﬁ',
      'Война и мир',
      'שלום Λόγος',
      '東京 한국어',
      '& <tag> "quoted" ℗',
      'x'.repeat(5000),
      '',
    ];
    const many = Array.from({ length: 600 }, (_, at) => {
      const note = notes[at % notes.length] ?? '';
      const more = [
        dataField('9XX', '3 ', ['x', note], ['x', '']),
        dataField('CAT', ' 1'),
        dataField('500', '  ', ['a', note]),
      ];
      const { leader, fields } = record(`m${at}`, `Title ${at}`, ...more);
      // Some in MARC-8.
      return { leader: at % 10 === 0 ? leader.replace('nam a', 'nam  ') : leader, fields };
    });
    const id = await stage(...many);
    await database.query('update marc_row set chosen = false where import_id = $1 and place > 520', [id]);
    const stop = new AbortController();
    expect(await MARC_IMPORTS.move(database, id, ['staged'], 'running')).toBe(true);
    const isDone = await runMarcImport(database, id, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(isDone).toBe(false);
    expect(await MARC_IMPORTS.find(database, id)).toMatchObject({
      state: 'running',
      done: { added: 250 },
      chosen: 270,
    });
    expect(await runMarcImport(database, id)).toBe(true);
    expect(await MARC_IMPORTS.find(database, id)).toMatchObject({
      state: 'done',
      done: { added: 520 },
      chosen: 0,
    });
    const { bytes: whole } = await exported();
    const wrong = many.slice(0, 520).filter((each) => !whole.includes(writeIso2709(each)));
    expect([(await catalogue()).length, wrong]).toEqual([520, []]);
  });

  it('leaves nothing where the file breaks off', async () => {
    const broken = async function* () {
      yield writeIso2709(SOLARIS);
      throw new Error('the line broke');
    };
    await expect(stageFile(broken())).rejects.toThrow('the line broke');
    expect(await queryRows(database, z.object({ id: z.string() }), 'select id from marc_import')).toEqual([]);
  });

  it('takes XML, and gives all three formats of what changed since a day', async () => {
    await ran(SOLARIS);
    await database.query(`update book set changed_at = '2020-01-01'`);
    const xml = `${MARC_XML_HEAD}${writeMarcXml(record('x1', 'Głos Pana'))}${MARC_XML_TAIL}`;
    await run(await stageFile([Buffer.from(xml)], { form: 'marcxml' }));
    const since = new Date('2021-01-01');
    expect((await exported('marcxml', since)).bytes.toString()).toBe(xml);
    const iso = (await exported('iso2709', since)).bytes;
    const again = await stage(iso);
    expect(await rows(again)).toMatchObject([{ outcome: 'changed', differs: [] }]);
    await database.query(`update book set version = version + 1 where title = 'Solaris'`);
    expect((await exported('marcxml', since)).bytes.toString().match(/<record>/g)).toHaveLength(2);
  });

  it('writes records of books that came without, and says which have no room', async () => {
    await write(
      { ...DUNE, shelfMarks: ['A 3', null, null] },
      { ...DUNE, isbn: '2900000000070', title: 'Long', description: 'x'.repeat(9999) },
    );
    const { bytes, left } = await exported();
    expect(left).toEqual(['2900000000070']);
    const xml = validExchange((await exported('marcxml')).bytes.toString());
    expect(xml.match(/<record>/g)).toHaveLength(2);
    expect(xml).toContain('<subfield code="o">A 3</subfield>');
    const id = await stage(bytes);
    expect(await rows(id)).toMatchObject([{ outcome: 'changed', differs: [] }]);
  });

  // The files are data that nobody on this project wrote; they are not part of the project.
  const real = (name: string) => (existsSync(join(SHARED, name)) ? it : it.skip);
  real('loc.mrc')(
    'takes the records of the Library of Congress, and gives them back byte for byte',
    async () => {
      const path = join(SHARED, 'loc.mrc');
      const id = await stageFile(createReadStream(path));
      expect(await MARC_IMPORTS.find(database, id)).toMatchObject({
        outcomes: { new: 48, refused: 2, unsure: 0 },
      });
      await run(id);
      // Two are second records of an ISBN.
      const refused = (await rows(id))
        .filter(({ outcome }) => outcome === 'refused')
        .map(({ place }) => place);
      const pieces: Buffer[] = [];
      for await (const each of readMarc('iso2709', createReadStream(path)))
        if ('kept' in each && !refused.includes(each.place)) pieces.push(each.kept.bytes);
      expect((await exported()).bytes.equals(Buffer.concat(pieces))).toBe(true);
      const again = await stageFile(createReadStream(path));
      expect(await MARC_IMPORTS.find(database, again)).toMatchObject({
        outcomes: { same: 48, refused: 2, unsure: 0 },
      });
      await undo(id);
      expect(await catalogue()).toEqual([]);
    },
  );

  real('marc-with-errors.mrc')(
    'tells the damaged records of a real file apart, and takes the others',
    async () => {
      const id = await stageFile(createReadStream(join(SHARED, 'marc-with-errors.mrc')));
      const { outcomes: counts } = (await MARC_IMPORTS.find(database, id)) ?? {};
      expect(counts).toEqual({ new: 260, changed: 0, same: 0, unsure: 0, refused: 123 });
      await run(id);
      expect(await MARC_IMPORTS.find(database, id)).toMatchObject({ done: { added: counts?.new } });
    },
  );
});
