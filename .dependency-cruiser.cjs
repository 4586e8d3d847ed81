/** Rooms of the server that are things of the library's world; the others (http, idempotency, imports, read-models, operations) serve them. */
const FEATURES =
  '^server/(accounts|audit|borrowing|catalogue|dashboard|desk|insight|job-queues|live|mail|payments|reports|rules|self-service|stock-taking|webhooks)/';

/**
 * The architecture as rules; `scripts/dependencies.mjs` adds one of folders. Each has a seeded breach in
 * `scripts/seeds/architecture.mjs` that proves it can fail.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'contracts-import-zod-alone',
      comment:
        'What crosses a border depends on nothing but zod, on the words, and on the names of the countries.',
      severity: 'error',
      from: { path: '^contracts/', pathNot: '\\.spec\\.tsx?$' },
      to: { pathNot: ['^contracts/', '^words/', '(^|/)node_modules/(zod|iso-3166)/'] },
    },
    {
      name: 'circulation-is-pure',
      comment:
        'The state and the rules of a borrow import contracts alone: no Nest, no database, no clock, no Node.',
      severity: 'error',
      from: { path: '^circulation/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^contracts/', '^circulation/', '^words/'] },
    },
    {
      name: 'copies-are-pure',
      comment:
        'The state and the rules of a copy import contracts alone; what they share with a borrow is a contract.',
      severity: 'error',
      from: { path: '^copies/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^contracts/', '^copies/', '^words/'] },
    },
    {
      name: 'deciders-are-pure',
      comment: 'A decider imports contracts and other pure files: no Nest, no database, no clock, no Node.',
      severity: 'error',
      from: { path: '\\.decider\\.ts$' },
      to: { pathNot: ['^contracts/', '^circulation/', '^copies/', '^words/', '\\.(decider|policy)\\.ts$'] },
    },
    {
      name: 'platform-knows-no-app',
      severity: 'error',
      from: { path: '^platform/' },
      to: { path: '^(letters|rules|server|projections|client|embedded|cli|bench|e2e)/' },
    },
    {
      name: 'letters-and-rules-know-no-app',
      comment:
        'The ledger of letters and the rules in force are shared by both apps, on what the platform offers.',
      severity: 'error',
      from: { path: '^(letters|rules)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(server|projections|client|embedded|cli|bench|e2e)/' },
    },
    {
      name: 'server-never-imports-projections',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(projections|client|embedded|cli|bench|e2e)/' },
    },
    {
      name: 'server-features-meet-by-messages',
      comment: 'A feature of the server asks another by its commands, queries and events alone.',
      severity: 'error',
      from: { path: FEATURES, pathNot: '\\.spec\\.ts$' },
      to: { path: FEATURES, pathNot: ['^server/$1/', '\\.(commands?|queries|events)\\.ts$'] },
    },
    {
      name: 'server-rooms-know-no-feature',
      comment:
        'What every feature stands on knows none of them; operations asks the live gateway how many it serves.',
      severity: 'error',
      from: { path: '^server/(http|idempotency|imports|read-models|operations)/', pathNot: '\\.spec\\.ts$' },
      to: { path: FEATURES, pathNot: '^server/live/live\\.(gateway|module)\\.ts$' },
    },
    {
      name: 'projections-never-import-server',
      severity: 'error',
      from: { path: '^projections/' },
      to: { path: '^(server|client|embedded|cli|bench|e2e)/' },
    },
    {
      name: 'client-imports-contracts-and-circulation-only',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(copies|platform|letters|rules|server|projections|embedded|cli|bench|e2e)/' },
    },
    {
      name: 'client-features-stand-apart',
      comment: 'A feature may use domain, components, lib and contracts, never another feature nor the app.',
      severity: 'error',
      from: { path: '^client/src/features/([^/]+)/' },
      to: { path: '^client/src/(app|features)/', pathNot: '^client/src/features/$1/' },
    },
    {
      name: 'client-domain-knows-no-feature',
      comment: 'What several features share of the library is below all of them.',
      severity: 'error',
      from: { path: '^client/src/domain/' },
      to: { path: '^client/src/(app|features)/' },
    },
    {
      name: 'client-components-know-no-library',
      comment: 'A component would do in any other product.',
      severity: 'error',
      from: { path: '^client/src/components/' },
      to: {
        path: '^(client/src/(app|features|domain)|contracts|circulation)/',
        pathNot: '^contracts/(fold-text|local-day|paging)\\.ts$',
      },
    },
    {
      name: 'client-lib-is-below-all',
      severity: 'error',
      from: { path: '^client/src/lib/' },
      to: { path: '^(client/src/(app|features|domain|components)|circulation)/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: {
        path: '^(contracts|circulation|copies|platform|letters|rules|server|projections|embedded|cli|client)/',
        pathNot: '\\.spec\\.tsx?$',
      },
      to: { path: ['\\.spec\\.tsx?$', '^test-support/'] },
    },
    {
      name: 'no-barrel-files',
      severity: 'error',
      from: {},
      to: {
        path: '^(contracts|circulation|copies|platform|letters|rules|server|projections|embedded|cli|client)/.*/index\\.tsx?$',
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // The address of a package's file, which Vite alone knows: a build without the file fails.
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\?url$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['lectern-source', 'import', 'node', 'types', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
      // Milliseconds: longer than any run.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};
