import { chanceOf } from '../../test-support/chance.js';
import { FuzzedLibrary, type Attacker } from '../../test-support/fuzzed-library.js';
import { RequestInvalid, valid } from './validation.js';

/** `FUZZ_REQUESTS` sends more; `TEST_SEED` the same ones again. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 400);

/** Texts that are compared and never shown: whoever has one with any character goes on using it. */
const COMPARED = /password|token|code$/i;
const NAMES_AN_ACCOUNT = new Set([
  'Account/login',
  'Account/resend-confirmation-email',
  'Account/reset-password',
]);

describe('every call of the API', () => {
  const chance = chanceOf('the fuzz of every call');
  let library: FuzzedLibrary;

  beforeAll(async () => {
    library = await FuzzedLibrary.start();
  });
  afterAll(() => library.close());

  // An admin comes last: he may change what the others may not.
  it.each<Attacker>(['guest', 'reader', 'auditor', 'admin'])(
    'has an answer to whatever a %s sends, and no secret in it',
    async (attacker) => {
      const before = await library.guarded();
      const { faults, statuses, calls } = await library.attack(attacker, chance, REQUESTS);
      expect(faults).toEqual([]);
      expect(calls).toBe(library.product.routes.length);
      expect(statuses[attacker === 'guest' ? 401 : 400]).toBeGreaterThan(REQUESTS / 10);
      if (attacker === 'admin') expect(statuses[200]).toBeGreaterThan(REQUESTS / 20);
      else expect(await library.guarded()).toEqual(before);
      expect(await library.product.differences()).toEqual([]);
    },
  );

  it('refuses control characters in every text that it keeps, and names the field', () => {
    const texts = library.product.routes.flatMap(({ method, path, body, multipart }) => {
      const schema = body ?? multipart?.schema;
      if (!schema || NAMES_AN_ACCOUNT.has(path)) return [];
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
        const text = `31-146 ${character} abcdefgh`;
        try {
          valid(schema).transform({ [name]: text }, { type: 'body' });
          return true;
        } catch (error) {
          return !(error instanceof RequestInvalid) || error.errors[name] === undefined;
        }
      }),
    );
    expect(taken.map(({ call, name }) => `${call}: ${name}`)).toEqual([]);
  });
});
