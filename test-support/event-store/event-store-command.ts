import { rmSync } from 'node:fs';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { freePort } from '../installation/free-port.js';
import { OwnProcess } from '../installation/own-process.js';
import { temporaryFolder } from '../installation/temporary-folder.js';

/**
 * A command line that runs another event store in the foreground, in place of the embedded one: `{port}` in it is where the
 * store listens on loopback, without TLS, and `{folder}` where it keeps its data.
 */
export const EVENT_STORE_COMMAND = process.env['TEST_EVENT_STORE_COMMAND'];

/** An event store with a log of its own. */
export interface StoreOfOwn {
  url: string;
  /** Ends it, and forgets its log. */
  stop(): Promise<void>;
}

/** Runs the command line and does not wait. */
export function launchByCommand(command: string, port: number | string, folder: string): OwnProcess {
  const line = command.replaceAll('{port}', String(port)).replaceAll('{folder}', folder);
  return OwnProcess.command('the event store', line);
}

/** Runs the command line with an empty folder, and waits until the store is open. */
export async function startByCommand(command: string): Promise<StoreOfOwn> {
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  const store = launchByCommand(command, port, folder);
  // A test that fails before it can stop it would leave it behind.
  const kill = () => store.signal('SIGKILL');
  process.on('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    await store.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await store.until(() => isOpen(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** Whether an event store can be read. */
export async function isOpen(url: string): Promise<boolean> {
  const client = eventStoreClient(url, ANY_LOG);
  try {
    for await (const _event of client.readAll({ maxCount: 1 })) break;
    return true;
  } finally {
    await client.dispose();
  }
}
