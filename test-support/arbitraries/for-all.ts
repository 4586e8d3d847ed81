import fc from 'fast-check';

type Kinds<Values extends unknown[]> = { [Index in keyof Values]: fc.Arbitrary<Values[Index]> };

interface Options {
  /** Examples in the drills, which set `PROPERTY_RUNS=many`; 100 if it names none. */
  numRuns?: number;
  /** Examples otherwise: a tenth of those, and at least 10, if it names none. */
  quick?: number;
  /** Of the quick examples, where rare ones have to be among them. The drills try these first, then drawn ones. */
  seed?: number;
}

const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;
const isMany = PROPERTY_RUNS === 'many';

/** Proves that something holds for many values of these kinds. Values that break it are told as small as they can be. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  kinds: Kinds<Values>,
  options: Options,
  holds: (...values: Values) => boolean | void,
): void {
  const property = fc.property(fc.tuple<Values>(...kinds), (values) => holds(...values));
  for (const parameters of runsOf(options)) fc.assert(property, { ...parameters, reporter });
}

/** The same of what takes time. */
export async function forAllInTime<Values extends [unknown, ...unknown[]]>(
  kinds: Kinds<Values>,
  options: Options,
  holds: (...values: Values) => Promise<boolean | void>,
): Promise<void> {
  const property = fc.asyncProperty(fc.tuple<Values>(...kinds), (values) => holds(...values));
  for (const parameters of runsOf(options)) await fc.assert(property, { ...parameters, reporter });
}

/**
 * The cases to try out of many that are alike, in their order: all of them in the drills, otherwise a tenth, drawn anew
 * each time. To try one again that failed, set `PROPERTY_RUNS=many`.
 */
export function drawn<Case>(cases: readonly Case[]): Case[] {
  if (isMany) return [...cases];
  const few = Math.ceil(cases.length / 10);
  const some = fc.subarray([...cases], { minLength: few, maxLength: few });
  const seed = PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) };
  return fc.sample(some, { numRuns: 1, ...seed })[0] ?? [];
}

function runsOf({ numRuns = 100, quick = Math.max(10, numRuns / 10), seed }: Options) {
  const few = { numRuns: Math.min(quick, numRuns), ...(seed !== undefined && { seed }) };
  // The library draws a seed where none is set.
  const drawn = PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) };
  if (!isMany) return [{ ...drawn, ...few }];
  return [...(seed === undefined ? [] : [few]), { ...drawn, numRuns }];
}

function reporter<Values>(run: fc.RunDetails<Values>): void {
  if (!run.failed) return;
  const again = `PROPERTY_SEED=${run.seed}${isMany ? ' PROPERTY_RUNS=many' : ''}`;
  throw new Error(`${fc.defaultReportMessage(run)}\n\nTo try the same examples again, set ${again}`, {
    cause: run.errorInstance,
  });
}
