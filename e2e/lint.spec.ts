import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../test-support/temporary-folder.js';
import { lintSeeds } from './lint-seeds.js';

const ROOT = resolve(import.meta.dirname, '..');
const CONFIG = '.oxlintrc.json';

const { overrides } = JSON.parse(readFileSync(join(ROOT, CONFIG), 'utf8')) as {
  overrides: { rules?: Record<string, string> }[];
};
/** Of the rules that are on, those of React and our own. */
const rules = overrides
  .flatMap(({ rules = {} }) => Object.entries(rules))
  .filter(([name, level]) => /^(react|lectern)\//.test(name) && level === 'error')
  .map(([name]) => name);

/** What is reported of these files in a project with our rules: for each file, the rules it breaks. */
function reported(files: { path: string; text: string }[]): Map<string, string[]> {
  const folder = temporaryFolder();
  try {
    for (const file of [CONFIG, 'scripts/lint-plugin.mjs']) cpSync(join(ROOT, file), join(folder, file));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const { stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', '.'],
      { cwd: folder, encoding: 'utf8' },
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    const found = new Map<string, string[]>();
    for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code]);
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// That the project itself keeps them is what `npm run check` says.
describe('lint', () => {
  const found = reported(lintSeeds);

  it('has a seeded breach for each rule of React and of our own', () => {
    const seeded = lintSeeds.map(({ rule }) =>
      rule.replace(/^react-hooks/, 'react').replace(/\((.+)\)/, '/$1'),
    );
    expect(rules.filter((rule) => !seeded.includes(rule))).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
  });

  it.each(lintSeeds)('finds the breach of $rule in $path', ({ rule, path }) => {
    expect([...new Set(found.get(path))]).toEqual([rule]);
  });
});
