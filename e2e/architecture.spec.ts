import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../test-support/temporary-folder.js';
import { architectureSeeds } from './architecture-seeds.js';

const ROOT = resolve(import.meta.dirname, '..');
const CONFIGS = ['.dependency-cruiser.cjs', '.dependency-cruiser-folders.cjs'];
const SOUND = {
  'contracts/book.ts': "import { z } from 'zod';\nexport const book = z.object({});",
};

const require = createRequire(import.meta.url);
const rules = CONFIGS.flatMap((config) =>
  (require(join(ROOT, config)) as { forbidden: { name: string }[] }).forbidden.map(({ name }) => name),
);

/** What breaks a rule, and where. */
interface Breach {
  rule: string;
  from: string;
  to: string;
}

/** The breaches in each of the folders, by all rules. */
async function breachesIn(folders: string[]): Promise<Breach[][]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'e2e/cruise-folders.mjs'), ...folders],
    { env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Breach[][];
}

/** A project of its own with these files alone. */
function project(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const file of ['tsconfig.json', 'package.json']) copyFileSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // The compiler, which is asked for its settings, refuses a project without a file.
  for (const [path, text] of Object.entries({ 'platform/nothing.ts': 'export {};', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  return folder;
}

// That it holds in the project itself is what `npm run check` says, by the same rules.
describe('the architecture', () => {
  it('has a seeded breach for every rule, and for none that is gone', () => {
    expect([...new Set(architectureSeeds.map(({ rule }) => rule))].sort()).toEqual([...rules].sort());
  });
});

describe('a breach', () => {
  const found = new Map<unknown, Breach[]>();
  const folders: string[] = [];

  beforeAll(async () => {
    const each = [SOUND, ...architectureSeeds.map(({ files }) => files)];
    for (const files of each) folders.push(project(files));
    const breaches = await breachesIn(folders);
    each.forEach((files, at) => found.set(files, breaches[at] ?? []));
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it.each(architectureSeeds)('of $rule is found: $what', ({ rule, files }) => {
    expect([...new Set(found.get(files)?.map((breach) => breach.rule))]).toEqual([rule]);
  });

  it('is not found where there is none', () => {
    expect(found.get(SOUND)).toEqual([]);
  });
});
