import { totalmem } from 'node:os';

const swc = (react) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: react ? { syntax: 'typescript', tsx: true } : { syntax: 'typescript', decorators: true },
      transform: react
        ? { react: { runtime: 'automatic' } }
        : { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'es6' },
  },
];

const base = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.ts$': swc(false), '^.+\\.tsx$': swc(true) },
  // In the order in which jest looks for a file without one: nearly all are of the first two.
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  moduleNameMapper: {
    '^#words/(.*)$': '<rootDir>/words/compiled/$1',
    '^#(contracts|circulation|copies|platform|letters|rules)/(.*)\\.js$': '<rootDir>/$1/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '\\.module\\.css$': '<rootDir>/test-support/jest/css-module.cjs',
    '\\.(css|woff2?)$': '<rootDir>/test-support/jest/empty-style.cjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/data'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.drill\\.spec\\.ts$'],
};

/** @type {import('jest').Config} */
const config = {
  // More than two processors can do at once, as tests mostly wait; with five, some answers came after their deadlines. Each
  // has up to a gigabyte and a half for itself, a product and a browser.
  maxWorkers: totalmem() > 12 * 1024 ** 3 ? 4 : 3,
  // Node keeps modules of tests that are over: a worker that has grown is replaced between two files.
  workerIdleMemoryLimit: '1GB',
  // Above what a test waits for at most: that says what did not come true.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/test-support/jest/longest-kinds-first.mjs',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{contracts,circulation,copies,platform,letters,rules,server,projections,embedded,cli,bench}/**/*.spec.ts',
      ],
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.int\\.spec\\.ts$'],
    },
    {
      ...base,
      displayName: 'client',
      testEnvironment: 'jsdom',
      // As the site is built: in one language.
      moduleNameMapper: {
        '^#words/messages\\.js$': '<rootDir>/words/compiled/messages/en.js',
        ...base.moduleNameMapper,
      },
      setupFiles: ['<rootDir>/test-support/jest/jsdom-polyfills.ts'],
      setupFilesAfterEnv: ['<rootDir>/client/test-support/patient-queries.ts'],
      testMatch: ['<rootDir>/client/**/*.spec.{ts,tsx}'],
    },
    {
      ...base,
      displayName: 'integration',
      testEnvironment: '<rootDir>/test-support/jest/product-environment.mjs',
      globalSetup: '<rootDir>/test-support/jest/start-postgres.mjs',
      globalTeardown: '<rootDir>/test-support/jest/stop-postgres.mjs',
      testMatch: [
        '<rootDir>/{contracts,circulation,copies,platform,letters,rules,server,projections,embedded,cli,bench}/**/*.int.spec.ts',
      ],
    },
    {
      ...base,
      displayName: 'e2e',
      testEnvironment: '<rootDir>/test-support/jest/product-environment.mjs',
      globalSetup: '<rootDir>/test-support/jest/start-browser-tests.mjs',
      globalTeardown: '<rootDir>/test-support/jest/stop-browser-tests.mjs',
      testMatch: ['<rootDir>/e2e/**/*.spec.ts'],
    },
    {
      // What is done to whole installations, see decision 48: `npm run test:drills`.
      ...base,
      displayName: 'drills',
      testEnvironment: '<rootDir>/test-support/jest/product-environment.mjs',
      globalSetup: '<rootDir>/test-support/jest/start-drills.mjs',
      globalTeardown: '<rootDir>/test-support/jest/stop-drills.mjs',
      testMatch: ['<rootDir>/**/*.drill.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/'],
    },
  ],
};

export default config;
