import fc from 'fast-check';
import { normalizedTerm, searchQuery, searchQueryOfSpellings, withPlainIsbns } from './search-term.js';
import { forAll } from '../../../test-support/for-all.js';

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
    expect(searchQuery(['lem', 'sol'])).toEqual({
      words: ['lem', 'sol'],
      spellings: [['lem'], ['sol']],
      text: "'lem' & 'sol':*",
      titleStart: 'lem sol',
      mayBeIsbn: false,
    });
    expect(searchQuery(['the', 'the', 'x']).text).toBe("'the' & 'x':*");
    expect(searchQuery(['2001'])).toMatchObject({ text: "'2001':*", mayBeIsbn: false });
    expect(searchQuery(['97883'])).toMatchObject({ text: "('97883':* | '#97883':*)", mayBeIsbn: true });
    expect(searchQueryOfSpellings([['lem'], ['solaris', 'polaris']]).text).toBe(
      "'lem' & ('solaris':* | 'polaris':*)",
    );
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
