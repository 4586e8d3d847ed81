import fc from 'fast-check';
import { bookOfRow } from './book-of-row.js';
import { recogniseColumns } from './columns.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';

const HEADER = [
  'id',
  'isbn',
  'isbn13',
  'title',
  'authors',
  'genres',
  'publisher',
  'date',
  'description',
  'copies',
  'ratings_count',
  'price',
  'Shelf marks',
  'book_kind',
  'language_code',
];
const columns = recogniseColumns(HEADER);
const options = { copies: undefined, thisYear: 2026 };

function row(given: Record<string, string>, more: Partial<typeof options> = {}) {
  const complete: Record<string, string> = {
    id: '7',
    isbn: '0306406152',
    title: 'Dune',
    authors: 'Frank Herbert',
    date: '1965',
    ...given,
  };
  return bookOfRow(
    HEADER.map((name) => complete[name] ?? ''),
    columns,
    { ...options, ...more },
  );
}

describe('the book of a row', () => {
  it('is complete where the row is', () => {
    expect(
      row({
        genres: 'Science Fiction; Classics; Classics',
        publisher: ' Chilton  Books',
        description: 'Sand.',
        copies: '3',
      }),
    ).toEqual({
      book: {
        isbn: '9780306406157',
        title: 'Dune',
        description: 'Sand.',
        authors: [{ firstname: 'Frank', lastname: 'Herbert' }],
        genres: ['Science Fiction', 'Classics'],
        publisher: 'Chilton Books',
        series: null,
        volume: null,
        published: '1965',
        copies: 3,
      },
      repairs: [],
    });
  });

  it.each([
    ['eng', 'en', 0],
    ['en-US', 'en', 0],
    ['fil', 'fil', 0],
    ['', undefined, 0],
    ['English', undefined, 1],
  ])('has of the language %j the code %j', (written, language, repairs) => {
    const result = row({ language_code: written });
    expect('book' in result && [result.book.language, result.repairs.length]).toEqual([language, repairs]);
  });

  it.each(['', 'Unknown'])('has neither a publisher nor a genre where the row says %j', (name) => {
    const result = row({ publisher: name, genres: name, isbn: '', id: '' });
    expect(result).toMatchObject({ book: { publisher: null, genres: [] } });
    // The number is that of the row as it is written: loading a file again adds no book twice.
    expect(result).toMatchObject({ book: { isbn: '2914466737227' } });
  });

  it.each([
    [{ isbn: '306406152' }, '9780306406157'],
    [{ isbn: '', isbn13: '978-0-306-40615-7' }, '9780306406157'],
    [{ isbn: '306406152', isbn13: '9.78030640615e+12' }, '9780306406157'],
    [{ isbn: '0306406153', isbn13: '' }, '2900000000070'],
    [{ isbn: '', isbn13: '9.78030640615e+12' }, '2900000000070'],
    [{ isbn: '' }, '2900000000070'],
  ])('has for %j the number %s', (given, isbn) => {
    const result = row(given);
    expect(result).toMatchObject({ book: { isbn } });
    expect('repairs' in result && result.repairs.length).toBe(isbn.startsWith('29') ? 1 : 0);
  });

  it('has a price and the places of its copies, and does without what is neither', () => {
    expect(row({ copies: '3', price: '39,90', 'Shelf marks': 'A 3' })).toMatchObject({
      book: { price: 3990, shelfMarks: ['A 3', 'A 3', 'A 3'] },
      repairs: [],
    });
    expect(row({ copies: '3', 'Shelf marks': 'A 3; ; B/1' })).toMatchObject({
      book: { shelfMarks: ['A 3', null, 'B/1'] },
      repairs: [],
    });
    const odd = row({ copies: '1', price: '$12', 'Shelf marks': '?; C' });
    expect(odd).toMatchObject({
      repairs: [
        'the price "$12" is no amount in PLN, left out',
        '"?" is no shelf mark, left out',
        '2 shelf marks for 1 copies, the last left out',
      ],
    });
    expect('book' in odd && Object.keys(odd.book)).not.toContain('price');
    expect(row({})).not.toHaveProperty('book.shelfMarks');
  });

  it('is of the kind that its column says, loanable without one, and refused by the column’s name otherwise', () => {
    for (const written of ['reading-room', 'Reading room only'])
      expect(row({ book_kind: written })).toMatchObject({ book: { kind: 'reading-room' } });
    expect(row({ book_kind: 'loanable' })).not.toHaveProperty('book.kind');
    expect(row({})).not.toHaveProperty('book.kind');
    expect(row({ book_kind: 'paperback' })).toEqual({
      refused: '"paperback" in the column "book_kind" is none of loanable, short-loan, reading-room',
    });
  });

  it('has the same internal number each time where there are no record numbers either', () => {
    const first = row({ isbn: '', id: '' });
    expect(first).toEqual(row({ isbn: '', id: '' }));
    expect(first).toMatchObject({ book: { isbn: expect.stringMatching(/^291\d{10}$/) } });
    expect(row({ isbn: '', id: '', title: 'Dune Messiah' })).not.toEqual(first);
  });

  it.each([
    ['The Hunger Games (The Hunger Games, #1)', 'The Hunger Games', 'The Hunger Games', '1', ''],
    ['The Ringworld Engineers (Ringworld #2)', 'The Ringworld Engineers', 'Ringworld', '2', ''],
    ['The Reckoning (Darkest Powers, #1-3)', 'The Reckoning', 'Darkest Powers', '1-3', ''],
    ['Sourcery (Discworld, #5; Rincewind #3)', 'Sourcery', 'Discworld', '5', 'Series: Rincewind #3.'],
    ['A Dance (Song #5, Part 1 of 2)', 'A Dance', 'Song', '5, Part 1 of 2', ''],
    ['Night (Dark #5, Were #1)', 'Night', null, null, 'Series: Dark #5, Were #1.'],
    ['The Last Summer (of You and Me)', 'The Last Summer (of You and Me)', null, null, ''],
    ['(#1)', '(#1)', null, null, ''],
    ['=HYPERLINK("http://x")', '=HYPERLINK("http://x")', null, null, ''],
  ])('%j has the title %j and the series %j', (title, cleaned, series, volume, description) =>
    expect(row({ title })).toMatchObject({ book: { title: cleaned, series, volume, description } }),
  );

  it('has the series of its own columns, and then the title as it is written', () => {
    const header = ['id', 'title', 'authors', 'year', 'Series', 'Volume'];
    const ofCells = (title: string, series: string, volume: string) =>
      bookOfRow(['7', title, 'Ada Writer', '1965', series, volume], recogniseColumns(header), options);
    expect(ofCells('Emma (Austen, #4)', '', '')).toMatchObject({
      book: { title: 'Emma (Austen, #4)', series: null, volume: null },
    });
    expect(ofCells('Emma', ' Austen  Classics', '4')).toMatchObject({
      book: { series: 'Austen Classics', volume: '4' },
      repairs: [expect.stringContaining('no ISBN')],
    });
    expect(ofCells('Emma', '', '4')).toMatchObject({
      book: { series: null, volume: null },
      repairs: ['the volume "4" is of no series, left out', expect.anything()],
    });
    expect(ofCells('Emma', 'Austen', 'x'.repeat(41))).toMatchObject({
      book: { series: 'Austen', volume: null },
    });
    expect(ofCells('Emma', 'x'.repeat(201), '1')).toMatchObject({ book: { series: null, volume: null } });
  });

  it.each([
    ['10', 1],
    ['50000', 2],
    ['5000000', 5],
  ])('with %s ratings has %i copies where the row does not tell', (ratings_count, copies) => {
    expect(row({ ratings_count })).toMatchObject({ book: { copies } });
    expect(row({ ratings_count }, { copies: 4 as never })).toMatchObject({ book: { copies: 4 } });
  });

  it.each([
    [{ title: '' }, 'no title'],
    [{ title: '---' }, 'no title'],
    [{ title: 'x'.repeat(501) }, 'title is longer'],
    [{ authors: ' ; ' }, 'no author'],
    [{ authors: 'x'.repeat(300) }, 'author is longer'],
    [{ description: 'x'.repeat(20_001) }, 'description is longer'],
    [{ date: 'soon' }, 'no date'],
    [{ copies: '0' }, 'no number of copies'],
    [{ copies: '-1' }, 'no number of copies'],
    [{ copies: 'many' }, 'no number of copies'],
    [{ title: 'Caf\uFFFD' }, 'no UTF-8'],
    [{ title: 'a\u0000b' }, 'column "title" has characters that cannot be kept'],
    [{ title: 'moc\u202eexe' }, 'column "title" has characters that cannot be kept'],
    [{ publisher: 'Press\u0085' }, 'column "publisher" has characters that cannot be kept'],
    [{ description: 'bell\u0007' }, 'column "description" has characters that cannot be kept'],
  ])('is refused for %j: %s', (given, reason) =>
    expect(row(given)).toEqual({ refused: expect.stringContaining(reason) }),
  );

  it('is refused where the number of cells is not that of the header', () => {
    expect(bookOfRow(['1', '2'], columns, options)).toEqual({
      refused: `it has 2 cells where the first line has ${HEADER.length}`,
    });
  });

  it('is a book or a reason for any cells', () => {
    const anything = fc.array(fc.string({ unit: 'binary' }), {
      minLength: HEADER.length,
      maxLength: HEADER.length,
    });
    forAll([anything], { numRuns: 150 }, (cells) => {
      const result = bookOfRow(cells, columns, options);
      if ('refused' in result) return expect(result.refused).not.toBe('');
      expect(result.book.isbn).toMatch(/^\d{13}$/);
      expect(result.book.published).toMatch(/^-?\d{1,4}$|^\d{4}-\d\d(-\d\d)?$/);
      expect(JSON.stringify(result.book)).not.toContain('\\u0000');
    });
  });
});
