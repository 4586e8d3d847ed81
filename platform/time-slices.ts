import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which work gives way: what others wait for at most, and far more than giving way costs. */
const PIECE = 5;

/** What `map` makes of each item, in pieces. */
export async function mapInTimeSlices<Item, Made>(
  items: readonly Item[],
  map: (item: Item) => Made,
): Promise<Made[]> {
  const giveWay = timeSlicer();
  const made: Made[] = [];
  for (const item of items) {
    const turn = giveWay();
    if (turn) await turn;
    made.push(map(item));
  }
  return made;
}

/** Lets others go first whenever work has taken a piece of time. Awaited between its steps. */
export function timeSlicer(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < PIECE) return undefined;
    return nextTurn().then(() => {
      began = performance.now();
    });
  };
}
