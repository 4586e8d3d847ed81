import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

interface Row {
  requirement: string;
  files: string[];
  tests: { file: string; title: string }[];
}

/** The rows of `docs/specification.md`: three cells, each with a line per file or test. */
function rows(): Row[] {
  const lines = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).slice(1, -1);
      const [requirement = '', files = '', tests = ''] = cells.map((cell) => cell.trim());
      return {
        requirement,
        files: [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? ''),
        tests: tests
          .split('<br>')
          .filter((test) => test !== '')
          .map((test) => {
            const [, file = '', title = ''] = /^`([^`]+)` › (.+)$/.exec(test) ?? [];
            return { file, title };
          }),
      };
    });
}

describe('the table of the specification', () => {
  it('has a row for each requirement, none of them without its file and its test', () => {
    const all = rows();
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter(({ files, tests }) => files.length === 0 || tests.length === 0)).toEqual([]);
  });

  it('names files and tests that exist', () => {
    const wrong = rows().flatMap(({ requirement, files, tests }) => [
      ...files
        .filter((file) => !existsSync(join(ROOT, file)))
        .map((file) => `${requirement}: no file ${file}`),
      ...tests
        .filter(({ file, title }) => !hasTest(file, title))
        .map(({ file, title }) => `${requirement}: no test “${title}” in ${file}`),
    ]);
    expect(wrong).toEqual([]);
  });
});

/** Whether a test of the file, skipped ones aside, has this title as it is written there. */
function hasTest(file: string, title: string): boolean {
  if (!/\.spec\.tsx?$/.test(file) || !existsSync(join(ROOT, file))) return false;
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) =>
    new RegExp(`(^|[^.\\w])(it(\\.each[^]*?)?\\(|\\]\\)\\(|\\)\\()\\s*${escaped(quoted)}`, 'm').test(source),
  );
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
