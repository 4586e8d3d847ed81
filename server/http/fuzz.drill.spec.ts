import { chanceOf } from '../../test-support/chance.js';
import { FuzzedLibrary, type Attacker } from '../../test-support/fuzzed-library.js';
import { shared } from '../../test-support/shared.js';

/** Of each caller: three times those of every test run. By hand: FUZZ_REQUESTS=10000. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1_200);
const PRINTING_REQUESTS = 250;

describe('every call of the API, for long', () => {
  const chance = chanceOf('the long fuzz of every call');

  const library = shared(() => FuzzedLibrary.start());

  it.each<Attacker>(['guest', 'device', 'reader', 'auditor', 'admin'])(
    'has an answer to whatever a %s sends, and no secret in it',
    async (attacker) => {
      const before = await library.guarded();
      expect((await library.attack(attacker, chance, REQUESTS)).faults).toEqual([]);
      if (attacker !== 'admin') expect(await library.guarded()).toEqual(before);
      expect(await library.product.differences()).toEqual([]);
    },
  );

  it('prints what an admin asks for, or says why not', async () => {
    expect((await library.attack('admin', chance, PRINTING_REQUESTS, true)).faults).toEqual([]);
  });
});
