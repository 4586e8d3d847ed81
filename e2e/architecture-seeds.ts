/** A few files that break one rule of the architecture and no other. */
export interface ArchitectureSeed {
  /** Its name in the configuration. */
  rule: string;
  what: string;
  /** Their texts, by their paths. */
  files: Record<string, string>;
}

const THING = 'export const thing = 1;\nexport type Thing = number;';
const using = (path: string) => `import { thing } from '${path}';\nexport const used = thing;`;
const usingType = (path: string) => `import type { Thing } from '${path}';\nexport type Used = Thing;`;

/** At least one for each rule. Type-only imports count like others, so some seeds use them. */
export const architectureSeeds: readonly ArchitectureSeed[] = [
  {
    rule: 'contracts-import-zod-alone',
    what: 'a package',
    files: { 'contracts/book.ts': "import pg from 'pg';\nexport const used = pg;" },
  },
  {
    rule: 'contracts-import-zod-alone',
    what: 'another part of the project, for a type',
    files: { 'contracts/book.ts': usingType('../platform/clock.js'), 'platform/clock.ts': THING },
  },
  {
    rule: 'circulation-is-pure',
    what: 'a module of Node',
    files: {
      'circulation/borrow-state.ts':
        "import { randomUUID } from 'node:crypto';\nexport const used = randomUUID;",
    },
  },
  {
    rule: 'circulation-is-pure',
    what: 'the clock, for a type',
    files: { 'circulation/borrow-state.ts': usingType('../platform/clock.js'), 'platform/clock.ts': THING },
  },
  {
    rule: 'copies-are-pure',
    what: 'the rules of a borrow, for a type',
    files: {
      'copies/copy-state.ts': usingType('../circulation/borrow-state.js'),
      'circulation/borrow-state.ts': THING,
    },
  },
  {
    rule: 'deciders-are-pure',
    what: 'a module of Node',
    files: {
      'server/mail/letter.decider.ts':
        "import { randomUUID } from 'node:crypto';\nexport const used = randomUUID;",
    },
  },
  {
    rule: 'deciders-are-pure',
    what: 'the clock',
    files: {
      'server/mail/letter.decider.ts': usingType('#platform/clock.js'),
      'platform/clock.ts': THING,
    },
  },
  {
    rule: 'letters-and-rules-know-no-app',
    what: 'a ledger of letters that knows the server',
    files: { 'letters/relay.ts': using('../server/main.js'), 'server/main.ts': THING },
  },
  {
    rule: 'platform-knows-no-app',
    what: 'an adapter that knows the server',
    files: { 'platform/clock.ts': using('../server/main.js'), 'server/main.ts': THING },
  },
  {
    rule: 'server-never-imports-projections',
    what: 'a query that knows a projection, for a type',
    files: {
      'server/borrowing/borrow.queries.ts': usingType('../../projections/borrow.projection.js'),
      'projections/borrow.projection.ts': THING,
    },
  },
  {
    rule: 'server-features-meet-by-messages',
    what: 'a feature that calls a service of another',
    files: {
      'server/payments/settlement.ts': using('../borrowing/reader-streams.js'),
      'server/borrowing/reader-streams.ts': THING,
    },
  },
  {
    rule: 'server-rooms-know-no-feature',
    what: 'a room below the features that knows one, for a type',
    files: {
      'server/http/access.ts': usingType('../accounts/sessions/sessions.queries.js'),
      'server/accounts/sessions/sessions.queries.ts': THING,
    },
  },
  {
    rule: 'projections-never-import-server',
    what: 'a projection that knows the server',
    files: {
      'projections/borrow.projection.ts': using('../server/borrowing/borrow.policy.js'),
      'server/borrowing/borrow.policy.ts': THING,
    },
  },
  {
    rule: 'client-imports-contracts-and-circulation-only',
    what: 'a page that knows the server, for a type',
    files: {
      'client/src/app/app.tsx': usingType('../../../server/main.js'),
      'server/main.ts': THING,
    },
  },
  {
    rule: 'client-features-stand-apart',
    what: 'a feature that uses another',
    files: {
      'client/src/features/cart/cart-page.tsx': using('../book/book-page.js'),
      'client/src/features/book/book-page.tsx': THING,
    },
  },
  {
    rule: 'client-features-stand-apart',
    what: 'a feature that knows the app',
    files: {
      'client/src/features/cart/cart-page.tsx': using('../../app/router.js'),
      'client/src/app/router.tsx': THING,
    },
  },
  {
    rule: 'client-domain-knows-no-feature',
    what: 'what features share, and that knows one of them',
    files: {
      'client/src/domain/cart.ts': using('../features/cart/cart-page.js'),
      'client/src/features/cart/cart-page.tsx': THING,
    },
  },
  {
    rule: 'client-components-know-no-library',
    what: 'a component that knows the cart',
    files: {
      'client/src/components/button.tsx': using('../domain/cart.js'),
      'client/src/domain/cart.ts': THING,
    },
  },
  {
    rule: 'client-components-know-no-library',
    what: 'a component that knows a book, for a type',
    files: {
      'client/src/components/button.tsx': usingType('#contracts/book.js'),
      'contracts/book.ts': THING,
    },
  },
  {
    rule: 'client-lib-is-below-all',
    what: 'a technical part that knows the cart',
    files: { 'client/src/lib/store.ts': using('../domain/cart.js'), 'client/src/domain/cart.ts': THING },
  },
  {
    rule: 'client-lib-is-below-all',
    what: 'a technical part that knows a component',
    files: {
      'client/src/lib/store.ts': using('../components/button.js'),
      'client/src/components/button.tsx': THING,
    },
  },
  {
    rule: 'tests-are-not-imported',
    what: 'a test',
    files: { 'server/main.ts': using('./main.spec.js'), 'server/main.spec.ts': THING },
  },
  {
    rule: 'tests-are-not-imported',
    what: 'what supports tests',
    files: { 'embedded/start.ts': using('../test-support/free-port.js'), 'test-support/free-port.ts': THING },
  },
  {
    rule: 'no-barrel-files',
    what: 'an index',
    files: { 'server/main.ts': using('./borrowing/index.js'), 'server/borrowing/index.ts': THING },
  },
  {
    rule: 'no-cycles',
    what: 'two files that import each other, one of them for a type',
    files: {
      'server/one.ts': `${using('./other.js')}\n${THING}`.replace('thing = 1', 'thing2 = 1'),
      'server/other.ts': `${usingType('./one.js')}\nexport const thing = 1;`,
    },
  },
  {
    rule: 'no-cycles-of-folders',
    what: 'two rooms that need each other, through different files',
    files: {
      'server/desk/counter.ts': using('../shelves/shelf.js'),
      'server/shelves/shelf.ts': THING,
      'server/shelves/ladder.ts': using('../desk/lamp.js'),
      'server/desk/lamp.ts': THING,
    },
  },
  {
    rule: 'resolvable',
    what: 'a file that is not there',
    files: { 'server/main.ts': using('./nowhere.js') },
  },
];
