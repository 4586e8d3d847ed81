import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Everything that a stream of objects has, each time that something has arrived: together what came with one network read.
 * Iterating over the stream itself costs several promises for each object.
 * @throws what the stream ends with
 */
export async function* availableBatches<Item>(stream: Readable): AsyncGenerator<Item[]> {
  let failure = stream.errored ?? undefined;
  // An end that came before is not told again.
  let isOver = stream.destroyed || stream.readableEnded;
  let wake: () => void = () => undefined;
  const over = (error?: Error) => {
    isOver = true;
    failure ??= error;
    wake();
  };
  const readable = () => wake();
  stream.on('readable', readable).once('error', over).once('end', over).once('close', over);
  try {
    for (;;) {
      const items: Item[] = [];
      for (let item = stream.read() as Item | null; item !== null; item = stream.read() as Item | null) {
        items.push(item);
      }
      if (items.length > 0) yield items;
      else if (failure) throw failure;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
      // Objects that came together become readable one by one.
      await nextTurn();
    }
  } finally {
    stream.off('readable', readable).off('error', over).off('end', over).off('close', over);
  }
}
