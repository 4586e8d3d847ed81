import { setImmediate as turn } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { EventLog, LoggedEvent } from '#platform/event-log/event-log.js';
import { ReaderReplays } from './reader-replays.js';

const READER = randomUUID();
const AT = '2026-11-02T10:00:00.000Z';
/** Takes the fold several pieces of time on any machine. */
const EVENTS = 12_000;

const METADATA = {
  ...{ actor: READER, $correlationId: 'c', $causationId: 'c', commandId: READER, commandDigest: 'd' },
  schemaVersion: 1,
};

function placed(revision: bigint): LoggedEvent {
  return {
    ...{ category: 'borrows', key: READER, id: randomUUID(), revision, created: new Date(AT) },
    position: { commit: revision, prepare: revision },
    type: 'HoldPlaced',
    data: {
      ...{
        holdId: randomUUID(),
        readerId: READER,
        bookId: 1,
        title: 'Solaris',
        placedBy: READER,
        placedAt: AT,
      },
      ...{ neededUntil: null, policyVersion: 1 },
    },
    metadata: METADATA,
  };
}

describe('a long history', () => {
  it('is folded in pieces, between which others are answered', async () => {
    const events = Array.from({ length: EVENTS }, (_, revision) => placed(BigInt(revision)));
    const log = {
      readRecorded: async (_category: string, _key: string, from: bigint, most = Infinity) =>
        events.slice(Number(from), Number(from) + most),
    };
    const replays = new ReaderReplays(log as unknown as EventLog);
    let isDone = false;
    const folding = replays.of(READER).then((replay) => {
      isDone = true;
      return replay;
    });
    let turns = 0;
    while (!isDone) {
      await turn();
      turns += 1;
    }
    expect((await folding).lastRevision).toBe(EVENTS - 1);
    // Nothing is waited for here: without pieces there is one turn.
    expect(turns).toBeGreaterThan(3);
  });
});
