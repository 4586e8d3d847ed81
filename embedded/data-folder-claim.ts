import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The right to work on a data folder. The system takes it back when the process ends, however it ends. */
export interface Claim {
  release(): Promise<void>;
}

/**
 * Claims a data folder for this process, by a socket that is named after the folder: two processes can never both
 * listen there, and no file that a killed process leaves can look like a claim.
 * @param folder has to exist
 * @returns nothing when another process has it
 */
export async function claimFolder(folder: string): Promise<Claim | undefined> {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `lectern-${dev}-${ino}`;
  if (process.platform === 'linux') return listen(`\0${name}`);
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`);
  const file = join(tmpdir(), `${name}.sock`);
  const claim = await listen(file);
  if (claim || (await answers(file))) return claim;
  // Elsewhere the name of a killed process stays behind.
  rmSync(file, { force: true });
  return listen(file);
}

async function listen(address: string): Promise<Claim | undefined> {
  const server: Server = createServer((socket) => socket.destroy());
  server.unref();
  try {
    server.listen(address);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function answers(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
