import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { chanceOf } from '../../test-support/arbitraries/chance.js';
import { declaredCalls } from '../../test-support/product/declared-calls.js';
import { FuzzedLibrary, type Attacker } from '../../test-support/arbitraries/fuzzed-library.js';
import { shared } from '../../test-support/shared.js';
import { RequestInvalid, valid } from './validation.js';

/** `FUZZ_ROUNDS` sends more; `TEST_SEED` the same ones again. */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 1);

/** Texts that are compared and never kept or shown: whoever has one with any character goes on using it. */
const COMPARED = /password|token|ticket|code$/i;
/** What is there may stay as it was: checked beside the record, with what is required of a new one. */
const CHANGES_RECORDS = /^PUT (Author|Book|Genre|Publisher)/;
const KEEPS_NO_TEXT = new Set([
  'Account/login',
  'Account/resend-confirmation-email',
  'Account/reset-password',
  'Account/check-password',
  'Account/check-registration',
  'Reader/find',
  // A file: the import looks at each cell (`book-of-row.spec.ts`).
  'Book/rows',
]);

describe('every call of the API', () => {
  const chance = chanceOf('the fuzz of every call');

  const library = shared(() => FuzzedLibrary.start());

  // An admin comes last: they may change what the others may not.
  it.each<Attacker>(['guest', 'device', 'reader', 'auditor', 'admin'])(
    'has an answer to whatever a %s sends, and no secret in it',
    async (attacker) => {
      const before = await library.guarded();
      const { faults, statuses, requests } = await library.attack(attacker, chance, ROUNDS);
      expect(faults).toEqual([]);
      expect(statuses[attacker === 'guest' || attacker === 'device' ? 401 : 400]).toBeGreaterThan(
        requests / 10,
      );
      if (attacker === 'admin') expect(statuses[200]).toBeGreaterThan(requests / 20);
      else expect(await library.guarded()).toEqual(before);
      expect(await library.product.differences()).toEqual([]);
    },
  );

  // Written as they are: `fetch` would put them right.
  const getRaw = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(library.product.url);
      request({ hostname, port, path }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
      })
        .on('error', reject)
        .end();
    });

  it.each([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/%c0%ae%c0%ae/%c0%ae%c0%ae/package.json',
    '//etc/passwd',
    '/assets/%00',
    '/assets/%E0%A4%A',
    '/.git/config',
    '/api/docs/..%2f..%2f..%2fpackage.json',
    '/api/Book/1/cover/..%2f..%2f..%2fpackage.json',
    '/api/Book/%E0%A4%A',
    '/admin/queues/static/..%2f..%2fpackage.json',
    'http://127.0.0.1:1/package.json',
  ])('is no way to the files of the machine: %s', async (path) => {
    const answer = await getRaw(path);
    expect([400, 401, 404]).toContain(answer.status);
    expect(answer.text).not.toMatch(/"private": true|root:|\[core\]|node_modules/);
  });

  it.each(['Genre/add', 'Payment/webhook'])(
    'unfolds no compressed body beyond its limit: %s',
    async (path) => {
      const { product } = library;
      const { token } = await product.account('Admin');
      const answer = await fetch(`${product.url}/api/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync(Buffer.alloc(20_000_000, ' ')),
      });
      expect(answer.status).toBe(413);
    },
  );

  it('refuses control characters in every text that it keeps, and names the field', async () => {
    const texts = [...(await declaredCalls())].flatMap(({ method, path, body: schema }) => {
      if (!schema || KEEPS_NO_TEXT.has(path) || CHANGES_RECORDS.test(`${method} ${path}`)) return [];
      const { properties = {} } = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' });
      return Object.entries(properties)
        .filter(
          ([, field]) => typeof field === 'object' && field.type === 'string' && !field.enum && !field.format,
        )
        .filter(([name]) => !COMPARED.test(name))
        .map(([name]) => ({ call: `${method} ${path}`, name, schema }));
    });
    expect(texts.length).toBeGreaterThan(20);
    const taken = texts.filter(({ name, schema }) =>
      ['\u0007', '\u202e', '\ud800'].some((character) => {
        const typed = `31-146 ${character} abcdefgh`;
        try {
          valid(schema, { [name]: typed });
          return true;
        } catch (error) {
          return !(error instanceof RequestInvalid) || error.errors[name] === undefined;
        }
      }),
    );
    expect(taken.map(({ call, name }) => `${call}: ${name}`)).toEqual([]);
  });

  it.each(['Author', 'Genre', 'Publisher'])('refuses them in a record that is changed: %s', async (path) => {
    const { product } = library;
    const admin = await product.account('Admin');
    const { body } = await admin.get(path);
    const [{ id, ...record }] = body as [Record<string, unknown>];
    for (const [name, kept] of Object.entries(record)) {
      if (typeof kept !== 'string' || name === 'fullname') continue;
      const answer = await admin.put(`${path}/${String(id)}`, {
        ...record,
        [name]: `${kept} \u0007 abcdefgh`,
      });
      expect([name, answer.status, Object.keys(answer.body.errors)]).toEqual([name, 400, [name]]);
    }
  });
});
