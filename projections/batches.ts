/**
 * Groups a stream into batches: yields everything that arrived while the last batch was processed, and applies
 * backpressure when `most` are waiting; a batch is larger than that by the rest of the last piece.
 * @param source of items, or of pieces with several
 */
export async function* batches<Item>(
  source: AsyncIterable<Item | readonly Item[]>,
  most: number,
): AsyncGenerator<Item[]> {
  const feed: { waiting: Item[]; ended: boolean; error?: Error } = { waiting: [], ended: false };
  let stopped = false;
  let arrived: () => void = () => undefined;
  let drained: () => void = () => undefined;

  const pump = async () => {
    try {
      for await (const item of source) {
        if (stopped) return;
        if (isPiece(item)) for (const each of item) feed.waiting.push(each);
        else feed.waiting.push(item);
        arrived();
        if (feed.waiting.length >= most) await new Promise<void>((resolve) => (drained = resolve));
      }
    } catch (error) {
      feed.error = error instanceof Error ? error : new Error(String(error));
    } finally {
      feed.ended = true;
      arrived();
    }
  };
  void pump();

  try {
    for (;;) {
      if (feed.waiting.length > 0) {
        const batch = feed.waiting;
        feed.waiting = [];
        drained();
        yield batch;
      } else if (feed.ended) {
        if (feed.error !== undefined) throw feed.error;
        return;
      } else {
        await new Promise<void>((resolve) => (arrived = resolve));
      }
    }
  } finally {
    stopped = true;
    drained();
  }
}

function isPiece<Item>(item: Item | readonly Item[]): item is readonly Item[] {
  return Array.isArray(item);
}
