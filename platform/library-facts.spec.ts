import { libraryName } from './library-facts.js';

describe('the name of the library', () => {
  it.each([
    [undefined, 'as-found', '', 'The dating app'],
    [undefined, 'corrected', '', 'Lectern'],
    [undefined, 'corrected', 'Biblioteka na Woli', 'Biblioteka na Woli'],
    ['Biblioteka', 'as-found', '', 'Biblioteka'],
    ['Biblioteka', 'corrected', 'Biblioteka na Woli', 'Biblioteka'],
    ['  ', 'corrected', '', 'Lectern'],
  ] as const)('with APP_TITLE %j, LABELS %s and %j set is %s', (APP_TITLE, LABELS, kept, name) => {
    expect(libraryName({ APP_TITLE, LABELS }, kept)).toBe(name);
  });
});
