import { runCommand } from '../test-support/command-line.js';

describe('the language of a command line', () => {
  const nowhere = { DATA_DIR: '/nowhere', DATABASE_URL: '', EVENTSTORE_URL: '' };
  const terminal = (LANG: string) => ({ ...nowhere, LC_ALL: '', LC_MESSAGES: '', LANG });

  it('is that of the terminal, in the help and in the work', async () => {
    const polish = terminal('pl_PL.UTF-8');
    const [help, unknown, work] = await Promise.all([
      runCommand('verify', ['--help'], polish),
      runCommand('verify', ['--al'], polish),
      runCommand('verify', [], polish),
    ]);
    expect(help.output).toMatch(/^Użycie: npm run verify -- \[opcje\]\n\nPorównuje listy [^]*Kod wyjścia: 0/);
    expect(unknown.output).toMatch(/^błąd: nieznana opcja „--al”\n\(Czy chodziło o --all\?\)\n/);
    expect(work).toEqual({
      code: 2,
      output: 'W /nowhere nie ma biblioteki. Ustaw DATA_DIR albo DATABASE_URL i EVENTSTORE_URL.\n',
    });
  });

  it.each(['', 'C', 'POSIX', 'C.UTF-8', 'en_GB.UTF-8', 'xx_XX'])('is English with LANG=%s', async (lang) => {
    const { output } = await runCommand('verify', [], terminal(lang));
    expect(output).toBe(
      'There is no library in /nowhere. Set DATA_DIR, or DATABASE_URL and EVENTSTORE_URL.\n',
    );
  });
});
