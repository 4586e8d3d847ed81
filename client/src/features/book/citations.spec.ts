import type { Book } from '#contracts/catalogue/book-views.js';
import { bookView } from '../../../test-support/views.js';
import { citationParts, citationText, type CitationStyle } from './citations.js';

const book = (changes: Partial<Book> = {}, ...names: [firstname: string, lastname: string][]) =>
  bookView({
    isbn: '9780061474095',
    title: 'Always Coming Home',
    authors: names.map(([firstname, lastname], at) => ({
      id: at + 1,
      firstname,
      lastname,
      fullname: `${firstname} ${lastname}`,
      nationality: '',
      biography: '',
      otherNames: [],
    })),
    publisher: { id: 1, name: 'Harper & Row', adress: '', phone: '', website: '' },
    published: '1985-10-01',
    publicationDate: '1985-10-01',
    copiesAvailable: 1,
    copiesTotal: 1,
    ...changes,
  });

const LE_GUIN: [string, string] = ['Ursula K.', 'Le Guin'];
const MANY = Array.from({ length: 22 }, (_, at): [string, string] => ['Ann', `Author${at + 1}`]);

describe('citations', () => {
  it.each<[string, CitationStyle, Book, string]>([
    [
      'one author with a particle',
      'APA',
      book({}, LE_GUIN),
      'Le Guin, U. K. (1985). Always Coming Home. Harper & Row.',
    ],
    ['one author', 'MLA', book({}, LE_GUIN), 'Le Guin, Ursula K. Always Coming Home. Harper & Row, 1985.'],
    [
      'two authors',
      'APA',
      book({ title: 'Good Omens' }, ['Terry', 'Pratchett'], ['Neil', 'Gaiman']),
      'Pratchett, T., & Gaiman, N. (1985). Good Omens. Harper & Row.',
    ],
    [
      'two authors',
      'MLA',
      book({ title: 'Good Omens' }, ['Terry', 'Pratchett'], ['Neil', 'Gaiman']),
      'Pratchett, Terry, and Neil Gaiman. Good Omens. Harper & Row, 1985.',
    ],
    [
      'three authors',
      'APA',
      book({}, ['Jean-Paul', 'Sartre'], ['J.R.R.', 'Tolkien'], ['Émile', 'Zola']),
      'Sartre, J.-P., Tolkien, J. R. R., & Zola, É. (1985). Always Coming Home. Harper & Row.',
    ],
    [
      'three authors',
      'MLA',
      book({}, ['Jean-Paul', 'Sartre'], ['J.R.R.', 'Tolkien'], ['Émile', 'Zola']),
      'Sartre, Jean-Paul, et al. Always Coming Home. Harper & Row, 1985.',
    ],
    [
      'more authors than are named',
      'APA',
      book({}, ...MANY),
      `${MANY.slice(0, 19)
        .map(([, last]) => `${last}, A.`)
        .join(', ')}, . . . Author22, A. (1985). Always Coming Home. Harper & Row.`,
    ],
    [
      'a particle written with the first name',
      'MLA',
      book({}, ['Ludwig van', 'Beethoven']),
      'van Beethoven, Ludwig. Always Coming Home. Harper & Row, 1985.',
    ],
    [
      'a Jr.',
      'APA',
      book({}, ['Kurt', 'Vonnegut Jr.']),
      'Vonnegut, K., Jr. (1985). Always Coming Home. Harper & Row.',
    ],
    [
      'a single name',
      'APA',
      book({ title: 'The Iliad' }, ['—', 'Homer']),
      'Homer. (1985). The Iliad. Harper & Row.',
    ],
    [
      'a single name',
      'MLA',
      book({ title: 'The Iliad' }, ['', 'Homer']),
      'Homer. The Iliad. Harper & Row, 1985.',
    ],
    [
      'neither publisher nor year',
      'APA',
      book({ publisher: null, published: null, publicationDate: null }, LE_GUIN),
      'Le Guin, U. K. (n.d.). Always Coming Home.',
    ],
    [
      'neither publisher nor year',
      'MLA',
      book({ publisher: null, published: null, publicationDate: null }, LE_GUIN),
      'Le Guin, Ursula K. Always Coming Home.',
    ],
    ['no author', 'APA', book(), 'Always Coming Home. (1985). Harper & Row.'],
    ['no author', 'MLA', book(), 'Always Coming Home. Harper & Row, 1985.'],
    [
      'marks at the end of a title and of a publisher',
      'APA',
      book(
        {
          title: 'Do Androids Dream of Electric Sheep?',
          publisher: { id: 1, name: 'Doubleday Inc.', adress: '', phone: '', website: '' },
        },
        ['Philip K.', 'Dick'],
      ),
      'Dick, P. K. (1985). Do Androids Dream of Electric Sheep? Doubleday Inc.',
    ],
    [
      'a year of three digits',
      'APA',
      book({ published: '872', publicationDate: '0872-01-01' }, ['', 'Alfred']),
      'Alfred. (872). Always Coming Home. Harper & Row.',
    ],
  ])('of %s in %s', (_, style, cited, expected) => {
    expect(citationText(cited, style)).toBe(expected);
  });

  it('have the title alone in italics', () => {
    for (const style of ['APA', 'MLA'] as const) {
      const parts = citationParts(book({}, LE_GUIN), style);
      expect(parts.filter(({ isItalic }) => isItalic).map(({ text }) => text)).toEqual([
        'Always Coming Home',
      ]);
    }
  });

  it('are records for BibTeX, in which its own signs mean themselves', () => {
    const cited = book(
      {
        title: '50% of $100 & #1_{x}~^\\',
        series: 'Tips & Tricks',
        volume: '3',
        publisher: { id: 1, name: 'R&D', adress: '', phone: '', website: '' },
      },
      ['Bolesław', 'Łęcki'],
      ['Ludwig van', 'Beethoven'],
      ['', 'World Health Organization'],
      ['—', 'Homer'],
      ['Kurt', 'Vonnegut Jr.'],
      ['Rise and', 'Shine'],
    );
    expect(citationText(cited, 'BibTeX')).toBe(
      [
        '@book{lecki198550of1001x,',
        '  author = {Łęcki, Bolesław and van Beethoven, Ludwig and {World Health Organization} and Homer and Vonnegut, Jr., Kurt and {Rise and Shine}},',
        '  title = {{50\\% of \\$100 \\& \\#1\\_\\{x\\}\\textasciitilde{}\\textasciicircum{}\\textbackslash{}}},',
        '  publisher = {R\\&D},',
        '  year = {1985},',
        '  series = {Tips \\& Tricks},',
        '  number = {3},',
        '  isbn = {9780061474095}',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('leave out of BibTeX what nobody knows, and a number that is no ISBN', () => {
    const cited = book(
      { publisher: null, published: null, publicationDate: null, isbn: '2900000000012' },
      LE_GUIN,
    );
    expect(citationText(cited, 'BibTeX')).toBe(
      '@book{leguinalways,\n  author = {Le Guin, Ursula K.},\n  title = {{Always Coming Home}}\n}\n',
    );
  });

  it('are records for RIS, with the ends of lines that it asks for', () => {
    const cited = book({ series: 'Hainish', volume: '0.5' }, LE_GUIN, ['—', 'Homer']);
    expect(citationText(cited, 'RIS')).toBe(
      [
        'TY  - BOOK',
        'AU  - Le Guin, Ursula K.',
        'AU  - Homer',
        'TI  - Always Coming Home',
        'PB  - Harper & Row',
        'PY  - 1985',
        'T2  - Hainish',
        'M1  - 0.5',
        'SN  - 9780061474095',
        'ER  - ',
        '',
      ].join('\r\n'),
    );
    const bare = book({ publisher: null, published: null, publicationDate: null, isbn: '2900000000012' });
    expect(citationText(bare, 'RIS')).toBe('TY  - BOOK\r\nTI  - Always Coming Home\r\nER  - \r\n');
  });
});
