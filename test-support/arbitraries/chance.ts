import { SeededRandom } from '../../embedded/generate/random.js';

export type Chance = SeededRandom;

/**
 * Chance from the seed in `TEST_SEED`, else from a new one. The seed is printed before anything is done, so that
 * the same can be tried again.
 * @param what named beside the seed
 */
export function chanceOf(what: string): Chance {
  const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000_000);
  process.stdout.write(`${what}: TEST_SEED=${seed}\n`);
  return new SeededRandom(seed);
}

/** The same chance each time. */
export function chanceFrom(seed: number): Chance {
  return new SeededRandom(seed);
}
