// Makes the processes of the server side from their modules: each entry in dist/ becomes a few large files in
// dist/bundle/, of which a start loads what it needs in a third of the time (docs/decisions/047-bundled-processes.md). The
// modules stay beside them, for benchmarks and tests.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** What a process or a thread begins with that lives long, below dist/. */
const LONG_LIVED = [
  'embedded/start.js',
  'embedded/event-store/event-store-worker.js',
  'server/main.js',
  'server/worker.js',
  'projections/main.js',
];

const PRINTING = 'server/reports/print/print-worker.js';

/** In which the products of tests run. */
const TEST_HOST = 'test-support/host/product-host.js';

/**
 * What does one thing and ends: the work of the command lines, the printing process, and that of a backup. In files of their
 * own, so that those of the product stay few.
 */
const shortLived = () => [
  PRINTING,
  'embedded/backup/schedule/backup-process.js',
  ...readdirSync(join(dist, 'cli'))
    .filter((name) => name.endsWith('-run.js'))
    .map((name) => `cli/${name}`),
];

/** Packages that stay packages: with native parts, with files of their own beside the code, or not there at all. */
const EXTERNAL = new Set([
  ...['sharp', '@node-rs/argon2', 'swagger-ui-dist'],
  // Looked for by packages that do without.
  ...['@nestjs/microservices', 'class-validator', 'class-transformer', '@fastify/static', 'file-type'],
  ...['bufferutil', 'utf-8-validate', 'pg-native', 'pg-cloudflare', 'msgpackr-extract', '@opentelemetry/api'],
]);

/** Of a lazy import of what others load anyway, nothing more is said. */
const HARMLESS = new Set(['EVAL', 'INEFFECTIVE_DYNAMIC_IMPORT']);

const isExternal = (id) => EXTERNAL.has(/^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '');

/** Of our own modules, those that the compiler made; packages have none, as maps of all would fill the memory. */
const ownMaps = {
  name: 'own-maps',
  load: {
    filter: { id: { exclude: /node_modules/ } },
    handler: (id) =>
      existsSync(`${id}.map`)
        ? { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }
        : undefined,
  },
  transform: { filter: { id: /node_modules/ }, handler: (code) => ({ code, map: { mappings: '' } }) },
};

/** `import(…)` by the hand that runs the bundle (`platform/run-bundle.ts`). */
const importsByHand = {
  name: 'imports-by-hand',
  generateBundle(_options, chunks) {
    for (const chunk of Object.values(chunks)) {
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(/(?<![\w$.])import\(/g, '__importPackage(');
    }
  },
};

/** Packages that modules look for by a `require` they made for themselves: without it, a second TypeORM would be loaded. */
const foundInBundle = {
  name: 'found-in-bundle',
  transform: {
    filter: { code: /const require = createRequire\(import\.meta\.url\);/ },
    handler: (code) => ({
      code: code.replace('const require = createRequire(import.meta.url);', ''),
      map: null,
    }),
  },
};

const nameOf = (entry) =>
  basename(entry, '.js') === 'main' ? basename(dirname(entry)) : basename(entry, '.js');

/** Where an entry's own module is, once the bundle took its place. */
const moduleOf = (entry) => join(dist, entry.replace(/\.js$/, '.entry.js'));

export async function bundle() {
  // Where only the product is built, there is none.
  const testHosts = [TEST_HOST].filter((entry) => existsSync(join(dist, entry)));
  const groups = [LONG_LIVED, shortLived(), testHosts];
  for (const entry of groups.flat()) renameSync(join(dist, entry), moduleOf(entry));
  for (const entries of groups) if (entries.length > 0) await bundleTogether(entries);
  const { PRINT_FLAGS } = await import(pathToFileURL(join(dist, dirname(PRINTING), 'print-flags.js')));
  await compile(PRINTING, PRINT_FLAGS);
  for (const entry of testHosts) await compile(entry, []);
}

/**
 * What V8 compiled is kept by whoever builds: where Lectern runs as root, it prints as a user who may not write there, and tests
 * end their process before it keeps anything.
 */
async function compile(entry, execArgv) {
  const child = fork(join(dist, entry), { execArgv });
  // Without whom it works for, it ends once it is loaded.
  child.disconnect();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${entry} ended with ${code}.`);
}

async function bundleTogether(entries) {
  const made = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), moduleOf(entry)])),
    platform: 'node',
    external: isExternal,
    plugins: [ownMaps, foundInBundle, importsByHand],
    onLog: (level, log) => {
      if (level === 'warn' && !HARMLESS.has(log.code)) throw new Error(`${log.code}: ${log.message}`);
    },
  });
  await made.write({
    dir: join(dist, 'bundle'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    // Nest, TypeORM and CQRS tell classes by their names.
    keepNames: true,
    // Modules run in the order in which they would without a bundle: decorators need Reflect's metadata before them.
    strictExecutionOrder: true,
  });
  await made.close();
  for (const entry of entries) {
    const runner = relative(dirname(entry), 'platform/run-bundle.js').split(sep).join('/');
    const from = runner.startsWith('.') ? runner : `./${runner}`;
    writeFileSync(join(dist, entry), `import { runBundle } from '${from}';\n${lineOf(entry)}\n`);
  }
}

/**
 * What runs the entry from the bundle. A command line's work is a function, which is called with its options; it may not look at
 * the class of what that throws, as the bundle has classes of its own.
 */
function lineOf(entry) {
  const name = nameOf(entry);
  if (LONG_LIVED.includes(entry)) return `runBundle('${name}');`;
  return entry.startsWith('cli/')
    ? `export const { run } = runBundle('${name}', 'commands');`
    : `runBundle('${name}', '${name}');`;
}
