import type { Book } from '#contracts/catalogue/book-views.js';
import { authorView, bookView, publisherView } from '../../../test-support/views.js';
import { citationParts, citationText, type CitationStyle } from './citations.js';

type Name = [firstname: string, lastname: string];
const book = (changes: Partial<Book> = {}, ...names: Name[]) =>
  bookView({
    ...{ isbn: '9780061474095', title: 'Always Coming Home', publisher: publisherView(1, 'Harper & Row') },
    ...{ published: '1985-10-01', publicationDate: '1985-10-01' },
    authors: names.map((name, at) => authorView(at + 1, ...name)),
    ...changes,
  });
const UNKNOWN = { publisher: null, published: null, publicationDate: null };

const LE_GUIN: Name = ['Ursula K.', 'Le Guin'];
const TWO: Name[] = [
  ['Terry', 'Pratchett'],
  ['Neil', 'Gaiman'],
];
const THREE: Name[] = [
  ['Jean-Paul', 'Sartre'],
  ['J.R.R.', 'Tolkien'],
  ['Émile', 'Zola'],
];
const MANY = Array.from({ length: 22 }, (_, at): Name => ['Ann', `Author${at + 1}`]);
const NINETEEN = MANY.slice(0, 19).map(([, last]) => `${last}, A.`);

describe('citations', () => {
  it.each<[string, Book, { APA?: string; MLA?: string }]>([
    [
      'one author with a particle',
      book({}, LE_GUIN),
      {
        APA: 'Le Guin, U. K. (1985). Always Coming Home. Harper & Row.',
        MLA: 'Le Guin, Ursula K. Always Coming Home. Harper & Row, 1985.',
      },
    ],
    [
      'two authors',
      book({ title: 'Good Omens' }, ...TWO),
      {
        APA: 'Pratchett, T., & Gaiman, N. (1985). Good Omens. Harper & Row.',
        MLA: 'Pratchett, Terry, and Neil Gaiman. Good Omens. Harper & Row, 1985.',
      },
    ],
    [
      'three authors',
      book({}, ...THREE),
      {
        APA: 'Sartre, J.-P., Tolkien, J. R. R., & Zola, É. (1985). Always Coming Home. Harper & Row.',
        MLA: 'Sartre, Jean-Paul, et al. Always Coming Home. Harper & Row, 1985.',
      },
    ],
    [
      'more authors than are named',
      book({}, ...MANY),
      { APA: `${NINETEEN.join(', ')}, . . . Author22, A. (1985). Always Coming Home. Harper & Row.` },
    ],
    [
      'a particle written with the first name',
      book({}, ['Ludwig van', 'Beethoven']),
      { MLA: 'van Beethoven, Ludwig. Always Coming Home. Harper & Row, 1985.' },
    ],
    [
      'a Jr.',
      book({}, ['Kurt', 'Vonnegut Jr.']),
      { APA: 'Vonnegut, K., Jr. (1985). Always Coming Home. Harper & Row.' },
    ],
    [
      'a single name',
      book({ title: 'The Iliad' }, ['', 'Homer']),
      { APA: 'Homer. (1985). The Iliad. Harper & Row.', MLA: 'Homer. The Iliad. Harper & Row, 1985.' },
    ],
    [
      'a dash for a first name',
      book({}, ['—', 'Homer']),
      { MLA: 'Homer. Always Coming Home. Harper & Row, 1985.' },
    ],
    [
      'neither publisher nor year',
      book(UNKNOWN, LE_GUIN),
      { APA: 'Le Guin, U. K. (n.d.). Always Coming Home.', MLA: 'Le Guin, Ursula K. Always Coming Home.' },
    ],
    [
      'no author',
      book(),
      { APA: 'Always Coming Home. (1985). Harper & Row.', MLA: 'Always Coming Home. Harper & Row, 1985.' },
    ],
    [
      'marks at the end of a title and of a publisher',
      book({ title: 'Do Androids Dream of Electric Sheep?', publisher: publisherView(1, 'Doubleday Inc.') }, [
        'Philip K.',
        'Dick',
      ]),
      { APA: 'Dick, P. K. (1985). Do Androids Dream of Electric Sheep? Doubleday Inc.' },
    ],
    [
      'a year of three digits',
      book({ published: '872', publicationDate: '0872-01-01' }, ['', 'Alfred']),
      { APA: 'Alfred. (872). Always Coming Home. Harper & Row.' },
    ],
  ])('of %s', (_, cited, expected) => {
    for (const [style, text] of Object.entries(expected))
      expect(citationText(cited, style as CitationStyle)).toBe(text);
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
        publisher: publisherView(1, 'R&D'),
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
    const cited = book({ ...UNKNOWN, isbn: '2900000000012' }, LE_GUIN);
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
    const bare = book({ ...UNKNOWN, isbn: '2900000000012' });
    expect(citationText(bare, 'RIS')).toBe('TY  - BOOK\r\nTI  - Always Coming Home\r\nER  - \r\n');
  });
});
