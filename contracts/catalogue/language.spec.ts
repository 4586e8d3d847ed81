import { canonicalLanguage, languageName } from './language.js';

describe('a language', () => {
  it.each([
    ['eng', 'en'],
    ['en-US', 'en'],
    ['EN', 'en'],
    ['pt_BR', 'pt'],
    ['fre', 'fr'],
    ['fra', 'fr'],
    ['ger', 'de'],
    [' pol ', 'pl'],
    ['haw', 'haw'],
    ['mul', 'mul'],
  ])('%j is kept as %s', (written, code) => expect(canonicalLanguage(written)).toBe(code));

  it.each(['', 'x', 'zzz', 'und', 'english', 'en-', 'en-x', 'e1', '12', 'en us'])('%j is none', (written) =>
    expect(canonicalLanguage(written)).toBeUndefined(),
  );

  it('is told by its name, or by its code where nobody knows one', () => {
    expect(['pl', 'haw', 'zzz', 'Not a code'].map(languageName)).toEqual([
      'Polish',
      'Hawaiian',
      'zzz',
      'Not a code',
    ]);
  });
});
