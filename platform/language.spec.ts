import { terminalLanguage } from './language.js';

describe('the language of a terminal', () => {
  it.each<[NodeJS.ProcessEnv, string]>([
    [{ LANG: 'pl_PL.UTF-8' }, 'pl'],
    [{ LC_ALL: '', LC_MESSAGES: '', LANG: 'pl_PL' }, 'pl'],
    [{ LC_MESSAGES: 'pl', LANG: 'en_GB.UTF-8' }, 'pl'],
    [{ LC_ALL: 'C.UTF-8', LC_MESSAGES: 'pl', LANG: 'pl_PL.UTF-8' }, 'en'],
    ...['', 'C', 'POSIX', 'C.UTF-8', 'en_GB.UTF-8', 'xx_XX'].map((LANG): [NodeJS.ProcessEnv, string] => [
      { LANG },
      'en',
    ]),
    [{}, 'en'],
  ])('is read from its environment: %j', (environment, language) => {
    expect(terminalLanguage(environment)).toBe(language);
  });
});
