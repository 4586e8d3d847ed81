import { runCommand } from '../test-support/installation/command-line.js';

// Which language a terminal has: `platform/language.spec.ts`.
describe('the language of a command line', () => {
  const run = (LANG: string, ...args: string[]) =>
    runCommand('verify', args, {
      ...{ DATA_DIR: '/nowhere', DATABASE_URL: '', EVENTSTORE_URL: '' },
      ...{ LC_ALL: '', LC_MESSAGES: '', LANG },
    });

  it('is that of the terminal, in the help and in the work', async () => {
    const polish = 'pl_PL.UTF-8';
    const [help, unknown, work, english] = await Promise.all([
      run(polish, '--help'),
      run(polish, '--al'),
      run(polish),
      run('C.UTF-8'),
    ]);
    expect(help.output).toMatch(/^Użycie: npm run verify -- \[opcje\]\n\nPorównuje listy [^]*Kod wyjścia: 0/);
    expect(unknown.output).toMatch(/^błąd: nieznana opcja „--al”\n\(Czy chodziło o --all\?\)\n/);
    expect(work).toEqual({
      code: 2,
      output: 'W /nowhere nie ma biblioteki. Ustaw DATA_DIR albo DATABASE_URL i EVENTSTORE_URL.\n',
    });
    expect(english.output).toBe(
      'There is no library in /nowhere. Set DATA_DIR, or DATABASE_URL and EVENTSTORE_URL.\n',
    );
  });
});
