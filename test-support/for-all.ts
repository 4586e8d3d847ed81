import fc from 'fast-check';

type Kinds<Values extends unknown[]> = { [Index in keyof Values]: fc.Arbitrary<Values[Index]> };
type Options<Values extends unknown[]> = fc.Parameters<[Values]>;

/** Proves that something holds for many values of these kinds. Values that break it are told as small as they can be. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  kinds: Kinds<Values>,
  options: Options<Values>,
  holds: (...values: Values) => boolean | void,
): void {
  fc.assert(
    fc.property(fc.tuple<Values>(...kinds), (values) => holds(...values)),
    options,
  );
}

/** The same of what takes time. */
export async function forAllInTime<Values extends [unknown, ...unknown[]]>(
  kinds: Kinds<Values>,
  options: Options<Values>,
  holds: (...values: Values) => Promise<boolean | void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.tuple<Values>(...kinds), (values) => holds(...values)),
    options,
  );
}
