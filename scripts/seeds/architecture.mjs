const THING = 'export const thing = 1;\nexport type Thing = number;';
const using = (path) => `import { thing } from '${path}';\nexport const used = thing;`;
const usingType = (path) => `import type { Thing } from '${path}';\nexport type Used = Thing;`;

const seed = (rule, what, files) => ({ rule, what, files });

/** A few files, by their paths, that break one rule of the architecture and no other. Type-only imports count like others. */
export const architectureSeeds = [
  seed('contracts-import-zod-alone', 'a package', {
    'contracts/book.ts': "import pg from 'pg';\nexport const used = pg;",
  }),
  seed('contracts-import-zod-alone', 'another part of the project, for a type', {
    'contracts/book.ts': usingType('../platform/clock.js'),
    'platform/clock.ts': THING,
  }),
  seed('circulation-is-pure', 'a module of Node', {
    'circulation/borrow-state.ts':
      "import { randomUUID } from 'node:crypto';\nexport const used = randomUUID;",
  }),
  seed('circulation-is-pure', 'the clock, for a type', {
    'circulation/borrow-state.ts': usingType('../platform/clock.js'),
    'platform/clock.ts': THING,
  }),
  seed('copies-are-pure', 'the rules of a borrow, for a type', {
    'copies/copy-state.ts': usingType('../circulation/borrow-state.js'),
    'circulation/borrow-state.ts': THING,
  }),
  seed('deciders-are-pure', 'a module of Node', {
    'server/mail/letter.decider.ts':
      "import { randomUUID } from 'node:crypto';\nexport const used = randomUUID;",
  }),
  seed('deciders-are-pure', 'the clock', {
    'server/mail/letter.decider.ts': usingType('#platform/clock.js'),
    'platform/clock.ts': THING,
  }),
  seed('letters-and-rules-know-no-app', 'a ledger of letters that knows the server', {
    'letters/relay.ts': using('../server/main.js'),
    'server/main.ts': THING,
  }),
  seed('platform-knows-no-app', 'an adapter that knows the server', {
    'platform/clock.ts': using('../server/main.js'),
    'server/main.ts': THING,
  }),
  seed('server-never-imports-projections', 'a query that knows a projection, for a type', {
    'server/borrowing/borrow.queries.ts': usingType('../../projections/borrow.projection.js'),
    'projections/borrow.projection.ts': THING,
  }),
  seed('server-features-meet-by-messages', 'a feature that calls a service of another', {
    'server/payments/settlement.ts': using('../borrowing/reader-streams.js'),
    'server/borrowing/reader-streams.ts': THING,
  }),
  seed('server-rooms-know-no-feature', 'a room below the features that knows one, for a type', {
    'server/http/access.ts': usingType('../accounts/sessions/sessions.queries.js'),
    'server/accounts/sessions/sessions.queries.ts': THING,
  }),
  seed('projections-never-import-server', 'a projection that knows the server', {
    'projections/borrow.projection.ts': using('../server/borrowing/borrow.policy.js'),
    'server/borrowing/borrow.policy.ts': THING,
  }),
  seed('client-imports-contracts-and-circulation-only', 'a page that knows the server, for a type', {
    'client/src/app/app.tsx': usingType('../../../server/main.js'),
    'server/main.ts': THING,
  }),
  seed('client-features-stand-apart', 'a feature that uses another', {
    'client/src/features/cart/cart-page.tsx': using('../book/book-page.js'),
    'client/src/features/book/book-page.tsx': THING,
  }),
  seed('client-features-stand-apart', 'a feature that knows the app', {
    'client/src/features/cart/cart-page.tsx': using('../../app/router.js'),
    'client/src/app/router.tsx': THING,
  }),
  seed('client-domain-knows-no-feature', 'what features share, and that knows one of them', {
    'client/src/domain/cart.ts': using('../features/cart/cart-page.js'),
    'client/src/features/cart/cart-page.tsx': THING,
  }),
  seed('client-components-know-no-library', 'a component that knows the cart', {
    'client/src/components/button.tsx': using('../domain/cart.js'),
    'client/src/domain/cart.ts': THING,
  }),
  seed('client-components-know-no-library', 'a component that knows a book, for a type', {
    'client/src/components/button.tsx': usingType('#contracts/book.js'),
    'contracts/book.ts': THING,
  }),
  seed('client-lib-is-below-all', 'a technical part that knows the cart', {
    'client/src/lib/store.ts': using('../domain/cart.js'),
    'client/src/domain/cart.ts': THING,
  }),
  seed('client-lib-is-below-all', 'a technical part that knows a component', {
    'client/src/lib/store.ts': using('../components/button.js'),
    'client/src/components/button.tsx': THING,
  }),
  seed('tests-are-not-imported', 'a test', {
    'server/main.ts': using('./main.spec.js'),
    'server/main.spec.ts': THING,
  }),
  seed('tests-are-not-imported', 'what supports tests', {
    'embedded/start.ts': using('../test-support/installation/free-port.js'),
    'test-support/installation/free-port.ts': THING,
  }),
  seed('no-barrel-files', 'an index', {
    'server/main.ts': using('./borrowing/index.js'),
    'server/borrowing/index.ts': THING,
  }),
  seed('no-cycles', 'two files that import each other, one of them for a type', {
    'server/one.ts': `${using('./other.js')}\n${THING}`.replace('thing = 1', 'thing2 = 1'),
    'server/other.ts': `${usingType('./one.js')}\nexport const thing = 1;`,
  }),
  seed('no-cycles-of-folders', 'two rooms that need each other, through different files', {
    'server/desk/counter.ts': using('../shelves/shelf.js'),
    'server/shelves/shelf.ts': THING,
    'server/shelves/ladder.ts': using('../desk/lamp.js'),
    'server/desk/lamp.ts': THING,
  }),
  seed('resolvable', 'a file that is not there', { 'server/main.ts': using('./nowhere.js') }),
];
