import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

const specification = (folder = ROOT) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/specification.mjs'), folder], { encoding: 'utf8' });

describe('the specification', () => {
  it('has a test for each requirement, and every test that names one names a known one', () => {
    const { status, stdout, stderr } = specification();
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout.match(/^\d+\.\d+ {2}\S/gm)?.length).toBeGreaterThan(150);
  });

  describe('of another project', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'specification-'));
    });
    afterEach(() => {
      rmSync(folder, { recursive: true });
    });
    const file = (path: string, lines: string[]) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), lines.map((line) => `${line}\n`).join(''));
    };

    it('names a requirement without a test, a number that is none, and a comment above no test', () => {
      file('docs/specification.md', [
        '- **1.1** Books are lent',
        '- **1.2** Books come back',
        '- **1.2** Twice',
      ]);
      file('server/books.spec.ts', [
        '// spec 1.1, 1.9',
        'it.each([[1], [2]])(',
        "  'lends %d',",
        '  () => undefined,',
        ');',
        '// spec 1.1',
        "it.skip('lends none', () => undefined);",
      ]);
      const { status, stdout, stderr } = specification(folder);
      expect(status).toBe(1);
      expect(stdout).toContain("1.1  Books are lent\n      server/books.spec.ts:2 'lends %d'\n");
      expect(stderr.split('\n')).toEqual([
        'docs/specification.md: 1.2 appears twice',
        'server/books.spec.ts:1: there is no requirement 1.9',
        'server/books.spec.ts:6: no test stands below this comment',
        'docs/specification.md: no test proves 1.2',
        '',
      ]);
    });
  });
});
