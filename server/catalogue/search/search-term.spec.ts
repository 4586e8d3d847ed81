import fc from 'fast-check';
import { joined, normalizedTerm, queryOfParts, searchQuery, widened, withPlainIsbns } from './search-term.js';
import { numberOf, spokenNumber, writtenNumbers } from './number-words.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';

describe('what a person typed', () => {
  it.each([
    ['978-83-08-04905-1', '9788308049051'],
    ['978 83 08 04905 1', '9788308049051'],
    ['9788308049051', '9788308049051'],
    ['0306406152', '9780306406157'],
    ['0-306-40615-2', '9780306406157'],
    ['0-8044-2957-x', '9780804429573'],
    ['lem 978-83-08', 'lem 9788308'],
    ['978-83-', '97883'],
    ['lem 0306406152 solaris', 'lem 9780306406157 solaris'],
    // No ISBN: left as it is.
    ['0306406153', '0306406153'],
    ['1984', '1984'],
    ['2001: a space odyssey', '2001: a space odyssey'],
    ['spider-man', 'spider-man'],
    ['x0306406152', 'x0306406152'],
  ])('%j is looked for as %j', (typed, plain) => expect(withPlainIsbns(typed)).toBe(plain));

  it('is the same in capitals and with blanks around', () => {
    expect(normalizedTerm('  ŁÓDŹ   1905 ')).toBe('łódź 1905');
    expect(normalizedTerm('e\u0301')).toBe('é');
  });

  it('becomes words of which the last may go on', () => {
    expect(searchQuery(['lem', 'sol'])).toMatchObject({
      text: "'lem' & 'sol':*",
      titles: ['lem sol'],
      mayBeIsbn: false,
    });
    expect(searchQuery(['2001'])).toMatchObject({ mayBeIsbn: false });
    expect(searchQuery(['97883'])).toMatchObject({
      text: expect.stringContaining("'#97883':*"),
      mayBeIsbn: true,
    });
  });

  it.each([
    // What says nothing of a book is looked for only where nothing else is typed.
    ['books like hunger games', "'hunger' & 'games':*"],
    ['the stand by king', "'stand' & 'king':*"],
    ['lord of the', "'lord'"],
    ['the the', "'the':*"],
    ['potter volume 2', "'potter' & '2'"],
    ['volume', "'volume':*"],
    // Numbers are their words, and the words their numbers.
    ['nineteen eighty four', "(('nineteen' & 'eighty' & 'four':*) | '1984' |"],
    ['80 days', "('80' | 'eighty') & 'days':*"],
    ['one hundred years', "(('one' & 'hundred') | '100') & 'years':*"],
    // Volume one of a series is not "one" in a title.
    ['reacher 1', "'reacher' & '1'"],
    // A year, a language and a kind of book.
    ['dune 1965 herbert', "'dune' & ('1965' |"],
    ['polish poetry', "('polish' | '@pl') & ('poetry':* | 'poems'"],
    ['1990s', "('1990s':* | '@1990' | '@1991'"],
    ['булгаков', "('булгаков':* | 'bulgakov':*)"],
  ])('%j is looked for as %s', (typed, text) =>
    expect(searchQuery(typed.split(' ')).text.startsWith(text)).toBe(true),
  );

  it('is compared with titles as it was typed, and without what says nothing before and after it', () => {
    expect(searchQuery(['the', 'stand']).titles).toEqual(['stand']);
    expect(searchQuery(['books', 'like', 'lord', 'of', 'the', 'rings']).titles).toEqual([
      'books like lord of the rings',
      'lord of the rings',
    ]);
    expect(searchQuery(['dune', '1965']).titles).toEqual(['dune 1965', 'dune']);
    expect(searchQuery(['a']).titles).toEqual(['a']);
  });

  it.each([
    ['5', ['five', 'v']],
    ['slaughterh five', ['slaughterh*']],
    ['jrr', ['j r r']],
    ['catch22', ['catch 22']],
    ['mockingbird', ['mocking bird*']],
    ['colour', ['color*']],
    ['travellers tale', ['travelers']],
    ['zombies', ['zombie*']],
    ['three men', ['3']],
  ])('%j may be found more broadly', (typed, wider) => {
    const forms = widened(searchQuery(typed.split(' '))).terms.flatMap((term) =>
      term.forms.map((all) => all.join(' ')),
    );
    expect(forms).toEqual(expect.arrayContaining(wider));
  });

  it('may be two words that are one', () => {
    expect(joined(searchQuery(['water', 'ship', 'down'])).map(({ terms }) => terms[0]?.forms[0])).toEqual([
      ['watership'],
      ['water'],
    ]);
  });

  it('keeps the order, and what a title begins with, where a part is left out', () => {
    const query = searchQuery(['good', 'omens', 'gaiman', '1990']);
    const fewer = queryOfParts(query.parts.filter(({ typed }) => typed !== 'gaiman'));
    expect(fewer.titles).toEqual(['good omens 1990', 'good omens']);
    expect(fewer.terms.map(({ typed }) => typed)).toEqual(['good', 'omens', '1990']);
  });

  it('is always the same after it was made plain', () => {
    forAll([fc.string({ unit: fc.constantFrom(...'0123456789xX- 978a') })], {}, (typed) => {
      const once = withPlainIsbns(typed);
      expect(withPlainIsbns(normalizedTerm(once))).toBe(
        normalizedTerm(withPlainIsbns(normalizedTerm(typed))),
      );
    });
  });
});

describe('a number', () => {
  it('is what its words say, and its words are read as it', () => {
    const isReadBack = (value: number) => {
      for (const [at, words] of writtenNumbers(value).entries()) {
        const isRoman = words.length === 1 && at > 1;
        if (at === 0 || isRoman || words.every((word) => /^\d+$/.test(word))) continue;
        expect(spokenNumber([...words, 'leagues'])).toEqual({ value, length: words.length });
      }
    };
    for (let value = 0; value < 2200; value += 1) isReadBack(value);
    forAll([fc.integer({ min: 0, max: 999_999 })], {}, isReadBack);
  });

  it.each([
    [['nineteen', 'eighty', 'four'], 1984, 3],
    [['twenty', 'thousand', 'leagues'], 20_000, 2],
    [['one', 'hundred', 'and', 'one'], 101, 4],
    [['one', 'hundred', 'and', 'years'], 100, 2],
    [['two', 'towers'], 2, 1],
    [['eleven', 'twelve'], 1112, 2],
  ])('%j is %d', (words, value, length) => expect(spokenNumber(words)).toEqual({ value, length }));

  it('is none where no word says one', () => {
    expect(spokenNumber(['hundred', 'years'])).toBeUndefined();
    expect(spokenNumber(['solaris'])).toBeUndefined();
    expect(numberOf('ii')).toBe(2);
    expect(numberOf('i')).toBeUndefined();
    expect(numberOf('3rd')).toBe(3);
    expect(numberOf('third')).toBe(3);
  });
});
