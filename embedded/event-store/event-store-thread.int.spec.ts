import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTestDatabase } from '../../test-support/database/database.js';
import { shared } from '../../test-support/shared.js';
import { EventStoreThread } from './event-store-thread.js';

// The thread starts a compiled file, so its owner is one as well: a process of its own.
const PROGRAM = `
  import { startEventStoreThread } from './dist/embedded/event-store/event-store-thread.js';
  import clientPackage from '@eventstore/db-client';
  const { EventStoreDBClient, jsonEvent } = clientPackage;
  const say = (message) => new Promise((resolve) => process.send(message, resolve));
  const lines = [];
  const options = {
    databaseUrl: process.env.DATABASE,
    lockTimeoutMs: 300,
    log: (level, message) => lines.push(message),
    onExit: (reason) => say({ exited: reason.message }),
  };
  const store = await startEventStoreThread(options);
  const refused = await startEventStoreThread(options).catch((error) => error.name);
  const client = EventStoreDBClient.connectionString(store.connectionString);
  const written = client.appendToStream('thread-1', jsonEvent({ type: 'Noted', data: {} }));
  // The store answers though this thread is busy: all that is missing is our reading of it.
  const { nextExpectedRevision } = await written;
  await say({ refused, revision: Number(nextExpectedRevision), lines });
  process.once('message', async () => {
    await client.dispose();
    await store.stop();
    await say('stopped');
    process.disconnect();
  });
`;

describe('the event store on a thread of its own', () => {
  const database = shared(() => createTestDatabase());

  it('writes, reports a refused start, and stops', async () => {
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, DATABASE: database.url, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exit = once(owner, 'exit');
    const message = async () => ((await Promise.race([once(owner, 'message'), exit])) as unknown[])[0];
    const report = await message();
    expect(report).toEqual({
      refused: 'WriterLockHeldError',
      revision: 0,
      lines: ['the event store listens'],
    });
    owner.send('stop');
    expect(await message()).toBe('stopped');
    expect(await exit).toEqual([0, null]);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('select stream from eventstore.event');
    await client.end();
    expect(rows).toEqual([{ stream: 'thread-1' }]);
  });

  const thread = (program: string) =>
    new URL(`data:text/javascript,import { parentPort } from 'node:worker_threads';${program}`);
  const started = "parentPort.postMessage({ kind: 'started', port: 1, connectionString: 'esdb://' });";

  it('reports that it ended though nobody stopped it, and fails to start when that is before it has started', async () => {
    const ending = new EventStoreThread(thread('process.exit(4)'));
    await expect(ending.start({ databaseUrl: '' })).rejects.toThrow(/code 4/);
    for (const [end, message] of [
      ["setTimeout(() => { throw new Error('broken') }, 10)", 'broken'],
      ['setTimeout(() => process.exit(3), 10)', 'The thread of the event store ended with code 3.'],
    ]) {
      const reason = await new Promise<Error>((resolve, reject) => {
        new EventStoreThread(thread(started + end)).start({ databaseUrl: '', onExit: resolve }).catch(reject);
      });
      expect(reason.message).toBe(message);
    }
  });

  it('does not report that it was stopped', async () => {
    let reports = 0;
    const stoppable = "parentPort.on('message', (message) => message === 'stop' && parentPort.close())";
    const store = await new EventStoreThread(thread(`${started} ${stoppable}`)).start({
      databaseUrl: '',
      onExit: () => (reports += 1),
    });
    await store.stop();
    expect(reports).toBe(0);
  });
});
