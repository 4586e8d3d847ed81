import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/** The rows of the table of failures in `docs/operations.md`; the headings between them are left out. */
function rows(): { done: string; seen: string; tried: string }[] {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, section = ''] = /\n## What was tried, and what people saw\n([^]*?)\n## /.exec(text) ?? [];
  return section
    .split('\n')
    .filter((line) => /^\| (?!what was done|[-*])/.test(line))
    .map((line) => {
      const [done = '', seen = '', tried = ''] = line.split(/(?<!\\)\|/).slice(1, -1);
      return { done: done.trim(), seen: seen.trim(), tried: /^`([^`]+)`$/.exec(tried.trim())?.[1] ?? '' };
    });
}

describe('the table of what was tried', () => {
  it('says of each failure what people saw, and names a test that exists', () => {
    expect(rows().length).toBeGreaterThan(35);
    const wrong = rows().filter(
      ({ seen, tried }) => seen === '' || !tried.endsWith('.spec.ts') || !existsSync(join(ROOT, tried)),
    );
    expect(wrong).toEqual([]);
  });

  it('is the only one of its kind', () => {
    const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    expect(text.match(/^\| what (was done|happened)\b/gm)).toHaveLength(1);
  });
});
