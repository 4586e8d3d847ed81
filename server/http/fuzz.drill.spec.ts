import { chanceOf } from '../../test-support/arbitraries/chance.js';
import { FuzzedLibrary, type Attacker } from '../../test-support/arbitraries/fuzzed-library.js';
import { shared } from '../../test-support/shared.js';

/** Of each call. */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 15);
const PRINTING_ROUNDS = 2;

describe('every call of the API, for long', () => {
  const chance = chanceOf('the long fuzz of every call');

  const library = shared(() => FuzzedLibrary.start());

  it.each<Attacker>(['guest', 'device', 'reader', 'auditor', 'admin'])(
    'has an answer to whatever a %s sends, and no secret in it',
    async (attacker) => {
      const before = await library.guarded();
      expect((await library.attack(attacker, chance, ROUNDS)).faults).toEqual([]);
      if (attacker !== 'admin') expect(await library.guarded()).toEqual(before);
      expect(await library.product.differences()).toEqual([]);
    },
  );

  it('prints what an admin asks for, or says why not', async () => {
    expect((await library.attack('admin', chance, PRINTING_ROUNDS, true)).faults).toEqual([]);
  });
});
