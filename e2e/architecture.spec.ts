import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { architectureSeeds } from './architecture-seeds.js';

const ROOT = resolve(import.meta.dirname, '..');
const CONFIG = '.dependency-cruiser.cjs';
const TREES = [
  ...[
    'contracts',
    'borrowing',
    'platform',
    'server',
    'projections',
    'embedded',
    'cli',
    'client',
    'bench',
    'e2e',
  ],
  'test-support',
];

const config = createRequire(import.meta.url)(join(ROOT, CONFIG)) as { forbidden: { name: string }[] };
const rules = config.forbidden.map(({ name }) => name);

/** The rules that the tree in a folder breaks, each with where. */
async function breaches(folder: string): Promise<{ rule: string; from: string; to: string }[]> {
  const stdout = await new Promise<string>((done, fail) => {
    execFile(
      process.execPath,
      [
        join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        ...[
          '--config',
          CONFIG,
          '--output-type',
          'json',
          ...TREES.filter((tree) => existsSync(join(folder, tree))),
        ],
      ],
      { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024 },
      // It exits with the number of breaches; only an empty answer is a failure of its own.
      (error, out, err) => (out === '' ? fail(new Error(err, { cause: error })) : done(out)),
    );
  });
  const { summary } = JSON.parse(stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  expect(summary.totalCruised).toBeGreaterThan(0);
  return summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}

describe('the architecture', () => {
  it('holds everywhere', async () => {
    expect(await breaches(ROOT)).toEqual([]);
  });

  it('has a seeded breach for every rule, and for none that is gone', () => {
    expect([...new Set(architectureSeeds.map(({ rule }) => rule))].sort()).toEqual([...rules].sort());
  });
});

describe('a breach', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
    for (const file of [CONFIG, 'tsconfig.json', 'package.json'])
      copyFileSync(join(ROOT, file), join(folder, file));
    // The compiler, which is asked for its settings, refuses a project without a file.
    mkdirSync(join(folder, 'platform'));
    writeFileSync(join(folder, 'platform/nothing.ts'), 'export {};\n');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(architectureSeeds)('of $rule is found: $what', async ({ rule, files }) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const found = await breaches(folder);
    expect([...new Set(found.map((breach) => breach.rule))]).toEqual([rule]);
  });

  it('is not found where there is none', async () => {
    mkdirSync(join(folder, 'contracts'));
    writeFileSync(
      join(folder, 'contracts/book.ts'),
      "import { z } from 'zod';\nexport const book = z.object({});\n",
    );
    expect(await breaches(folder)).toEqual([]);
  });
});
