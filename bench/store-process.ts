import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDurably } from '../embedded/private-files.js';
import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { answerOf } from './child-answer.js';

const FILE = fileURLToPath(import.meta.url);

/** The embedded event store in a process of its own, as it is in an installation. */
export interface StoreProcess {
  child: ChildProcess;
  connectionString: string;
  /** Ends it, once what it was asked is answered. */
  stop(): Promise<void>;
}

/** @param folder has the secret that every call carries, or gets one */
export async function startStoreProcess(databaseUrl: string, folder: string): Promise<StoreProcess> {
  const secretFile = join(folder, 'secret');
  if (!existsSync(secretFile)) writeDurably(secretFile, randomUUID());
  const child = fork(FILE, [databaseUrl, secretFile]);
  const connectionString = await answerOf<string>(child);
  const stop = async () => {
    const exited = once(child, 'exit');
    child.send('stop');
    await exited;
  };
  return { child, connectionString, stop };
}

if (process.argv[1] === FILE) {
  const [, , databaseUrl = '', secretFile = ''] = process.argv;
  const store = await startEventStore({ databaseUrl, secretFile });
  process.once('message', () => process.disconnect());
  // A benchmark that has died takes it along.
  process.once('disconnect', () => void store.stop());
  process.send?.(store.connectionString);
}
