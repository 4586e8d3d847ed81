import fc from 'fast-check';
import { authorOf, authorsOf, splitAuthorName } from './author-name.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';

describe("an author's name", () => {
  it.each([
    ['Stanisław Lem', 'Stanisław', 'Lem'],
    ['Lem, Stanisław', 'Stanisław', 'Lem'],
    ['J.K. Rowling', 'J.K.', 'Rowling'],
    ['Antoine de Saint-Exupéry', 'Antoine', 'de Saint-Exupéry'],
    ['Ursula K. Le Guin', 'Ursula K.', 'Le Guin'],
    ['Daphne du Maurier', 'Daphne', 'du Maurier'],
    ['Miguel de Cervantes Saavedra', 'Miguel', 'de Cervantes Saavedra'],
    ['Guillermo del Toro', 'Guillermo', 'del Toro'],
    ['Kurt Vonnegut Jr.', 'Kurt', 'Vonnegut Jr.'],
    ['Andre Dubus III', 'Andre', 'Dubus III'],
    ['Vonnegut, Jr.', 'Vonnegut,', 'Jr.'],
    ['Van Morrison', 'Van', 'Morrison'],
    ['Wendelin Van Draanen', 'Wendelin', 'Van Draanen'],
    ['Emily St. John Mandel', 'Emily St. John', 'Mandel'],
    ['  Albert   Camus ', 'Albert', 'Camus'],
    ['Homer', '—', 'Homer'],
    ['望月淳', '—', '望月淳'],
  ])('%j is %j %j', (printed, firstname, lastname) => {
    expect(splitAuthorName(printed)).toEqual({ firstname, lastname });
  });

  it('is one of several in a cell, and nobody is in it twice', () => {
    expect(
      authorsOf('Lem, Stanisław; Le Guin, Ursula K.; Lem, Stanisław').map(({ lastname }) => lastname),
    ).toEqual(['Lem', 'Le Guin']);
    expect(authorsOf('Albert Camus, Matthew    Ward').map(({ lastname }) => lastname)).toEqual([
      'Camus',
      'Ward',
    ]);
    expect(authorOf('Lem, Stanisław')).toEqual([{ firstname: 'Stanisław', lastname: 'Lem' }]);
    expect(authorsOf(' , ;-')).toEqual([]);
  });

  it('loses no letter, whatever is printed', () => {
    const letters = (text: string) => [...text.replace(/[\s,—]/gu, '')].sort().join('');
    forAll([fc.string({ unit: 'grapheme' })], {}, (text) => {
      fc.pre(/[\p{L}\p{N}]/u.test(text) && !text.includes('—'));
      const { firstname, lastname } = splitAuthorName(text);
      expect(lastname).not.toBe('');
      expect(firstname).not.toBe('');
      expect(letters(firstname + lastname)).toBe(letters(text));
    });
  });
});
