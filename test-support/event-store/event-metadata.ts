import { randomUUID } from 'node:crypto';

/** What the log keeps beside an event that nobody in particular caused. */
export const metadataOf = (actor = 'test') => ({
  ...{ actor, $correlationId: 'c', $causationId: 'c', commandId: randomUUID(), commandDigest: 'd' },
});
