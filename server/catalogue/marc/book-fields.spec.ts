import fc from 'fast-check';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import { NO_FIRSTNAME } from '../import/author-name.js';
import { bookOfMarc, differingFields, newRecord, withBook, type MarcBook } from './book-fields.js';
import { foldedLetters } from './marc-fields.js';
import { parseIso2709, writeIso2709 } from './iso-2709.js';
import { isControl, type MarcField, type MarcRecord } from './record.js';

const record = (...fields: MarcField[]): MarcRecord => ({ leader: '00000nam a2200000 i 4500', fields });
const data = (tag: string, indicators: string, ...subfields: [string, string][]): MarcField => ({
  tag,
  indicators,
  subfields,
});
const codes = (date: string, language: string) => ({
  tag: '008',
  value: `991231s${date}    xx            000 0 ${language} d`,
});

describe('the book of a record', () => {
  it('has what the record says of it', () => {
    const given = record(
      { tag: '001', value: '42' },
      codes('1949', 'pol'),
      data('020', '  ', ['a', '0306406152 (pbk.) :'], ['c', 'zł 39,90']),
      data('020', '  ', ['a', '978-83-08-04905-1']),
      data('100', '1 ', ['a', 'Lem, Stanisław,'], ['d', '1921-2006.']),
      data('240', '10', ['a', 'Solaris.'], ['l', 'English']),
      data('245', '14', ['a', 'The planet :'], ['b', 'a novel /'], ['c', 'by Stanisław Lem.']),
      data('246', '3 ', ['a', 'Solaris, the planet']),
      data('260', '  ', ['a', 'Warszawa :'], ['b', 'Wydawnictwo Literackie,'], ['c', '1949.']),
      data('490', '1 ', ['a', 'Cosmic library ;'], ['v', '3']),
      data('520', '  ', ['a', 'An ocean thinks.']),
      data('650', ' 0', ['a', 'Science fiction.']),
      data('655', ' 7', ['a', 'Novels.'], ['2', 'lcgft']),
      data('700', '1 ', ['a', 'Kilmartin, Joanna,'], ['e', 'translator.']),
      data('700', '1 ', ['a', 'Tolkien, J. R. R.']),
      data('952', '  ', ['o', 'SF 12'], ['p', '39000001']),
      data('952', '  ', ['0', '1'], ['o', 'SF 12']),
      data('952', '  ', ['p', '39000002']),
    );
    expect(bookOfMarc(given)).toEqual({
      numbers: ['9780306406157', '9788308049051'],
      title: 'The planet: a novel',
      originalTitle: 'Solaris',
      otherTitles: ['Solaris, the planet'],
      authors: [
        { firstname: 'Stanisław', lastname: 'Lem' },
        { firstname: 'J. R. R.', lastname: 'Tolkien' },
      ],
      publisher: 'Wydawnictwo Literackie',
      published: '1949',
      language: 'pl',
      series: { name: 'Cosmic library', volume: '3' },
      genres: ['Science fiction', 'Novels'],
      description: 'An ocean thinks.',
      price: 3990,
      copies: [
        { mark: 'SF 12', label: '39000001' },
        { mark: null, label: '39000002' },
      ],
    });
    expect(withBook(given, bookOfMarc(given))).toBe(given);
  });

  it('is by bodies, or by those who made it otherwise, where nobody wrote it', () => {
    const editor = data('700', '1 ', ['a', 'Doe, Jane,'], ['e', 'editor.']);
    expect(bookOfMarc(record(editor)).authors).toEqual([{ firstname: 'Jane', lastname: 'Doe' }]);
    expect(bookOfMarc(record(data('110', '2 ', ['a', 'Bank Polski.']), editor)).authors).toEqual([
      { firstname: NO_FIRSTNAME, lastname: 'Bank Polski' },
    ]);
  });

  it('changes the fields that say otherwise, and no others', () => {
    const given = parseIso2709(
      writeIso2709(
        record(
          { tag: '001', value: '42' },
          codes('1949', 'eng'),
          data('100', '1 ', ['a', 'Orwell, George,'], ['d', '1903-1950.']),
          data('245', '10', ['a', 'Animal farm /'], ['c', 'George Orwell.']),
          data('500', '  ', ['a', 'First published 1945.']),
          data('700', '1 ', ['a', 'Heath, A. M.,'], ['e', 'agent.']),
        ),
      ),
    );
    const book: MarcBook = {
      ...bookOfMarc(given),
      title: 'Folwark zwierzęcy',
      language: 'pl',
      authors: [
        { firstname: 'George', lastname: 'Orwell' },
        { firstname: 'Bartłomiej', lastname: 'Zborski' },
      ],
    };
    const changed = withBook(given, book);
    expect(bookOfMarc(changed)).toEqual(book);
    const text = (fields: readonly MarcField[]) =>
      fields.map(
        (field) => `${field.tag} ${isControl(field) ? field.value : field.subfields.flat().join('|')}`,
      );
    expect(text(changed.fields)).toEqual([
      '001 42',
      '008 991231s1949    xx            000 0 pol d',
      '100 a|Orwell, George,|d|1903-1950.',
      '245 a|Folwark zwierzęcy /|c|George Orwell.',
      '500 a|First published 1945.',
      '700 a|Heath, A. M.,|e|agent.',
      '700 a|Zborski, Bartłomiej,|e|author.',
    ]);
    expect(changed.fields.filter(({ bytes }) => bytes)).toHaveLength(4);
  });

  const word = fc.stringMatching(/^[A-ZŁŻa-ząęłśżó]{2,9}$/u);
  const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
  const sentence = fc.tuple(words, fc.constantFrom('', '.', '?', '…', ' – x')).map((both) => both.join(''));
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
  const few = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.uniqueArray(arbitrary, { maxLength: 3, selector: (each) => foldedLetters(JSON.stringify(each)) });
  const book: fc.Arbitrary<MarcBook> = fc.record({
    numbers: fc.constantFrom(['9780306406157'], ['2900000000070'], ['9788308049051', '9780306406157']),
    title: fc.oneof(
      sentence,
      fc.tuple(sentence, sentence).map((both) => both.join(': ')),
    ),
    originalTitle: maybe(
      fc.oneof(
        words.map((title) => `Original ${title}`),
        fc.constantFrom('Original Mr', 'Original etc.'),
      ),
    ),
    otherTitles: few(words.map((title) => `Also ${title}`)),
    authors: few(
      fc.record({ firstname: fc.oneof(word, fc.constantFrom('J. R. R.', NO_FIRSTNAME)), lastname: word }),
    ),
    publisher: maybe(sentence),
    published: maybe(fc.constantFrom('1949', '2001-05', '1999-12-31', '-720', '800')),
    language: maybe(fc.constantFrom('pl', 'en', 'de', 'fr', 'fil')),
    series: maybe(fc.record({ name: words, volume: maybe(fc.constantFrom('1', '1-3', '0.5')) })),
    genres: few(fc.oneof(words, fc.constantFrom('C', 'Dr', 'etc.', 'Sci-Fi', '20.'))),
    description: fc.array(sentence, { maxLength: 3 }).map((all) => all.join('\n\n')),
    price: maybe(fc.nat(999_999)),
    copies: fc.array(
      fc.record({ mark: maybe(fc.constantFrom('A 3', 'B/1')), label: maybe(fc.constantFrom('1-2-3')) }),
      { maxLength: 3 },
    ),
  });

  it('is the same when it is read again, from a new record and in the place of another', () => {
    forAll([book, book], { numRuns: 300 }, (one, other) => {
      const made = newRecord(one, new Date('2026-11-27'));
      const read = bookOfMarc(parseIso2709(writeIso2709(made)));
      expect(differingFields(read, one).map((name) => [name, read[name], one[name]])).toEqual([]);
      const changed = bookOfMarc(withBook(made, other));
      expect(differingFields(changed, other).map((name) => [name, changed[name], other[name]])).toEqual([]);
    });
  });
});
