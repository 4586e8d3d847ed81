import { libraryName } from './library-name.js';

describe('the name of the library', () => {
  it.each([
    [undefined, 'as-found', 'The dating app'],
    [undefined, 'corrected', 'Lectern'],
    ['Biblioteka', 'as-found', 'Biblioteka'],
    ['Biblioteka', 'corrected', 'Biblioteka'],
    ['  ', 'corrected', 'Lectern'],
  ] as const)('with APP_TITLE %j and LABELS %s is %s', (APP_TITLE, LABELS, name) => {
    expect(libraryName({ APP_TITLE, LABELS })).toBe(name);
  });
});
