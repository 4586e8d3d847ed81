import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import * as m from '#words/messages.js';
import { StartupError } from '#platform/startup-error.js';
import { refuseForeignFolder } from './private-files.js';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';

const REASONS: Record<string, () => string> = {
  EACCES: m.start_folder_no_rights,
  EPERM: m.start_folder_no_rights,
  EROFS: m.start_folder_read_only,
  ENOSPC: m.start_folder_disk_full,
  ENOTDIR: m.start_folder_part_is_file,
  ENAMETOOLONG: m.start_folder_name_too_long,
};

/**
 * Makes the data folder, where it is not there yet, and the folders above it. One that is there has to be this user's.
 * @param folder absolute
 * @throws StartupError that names DATA_DIR
 */
export function makeDataFolder(folder: string): void {
  try {
    refuseForeignFolder('DATA_DIR', folder);
    // Folder by folder: Node's own way never returns where the system has no place below one that is there.
    const missing = missingFolders(folder);
    for (const each of missing) makeOne(each);
    // Somebody else may have been faster, where all may make folders.
    if (missing.length > 0) refuseForeignFolder('DATA_DIR', folder);
    readdirSync(folder);
    rmdirSync(mkdtempSync(join(folder, '.try-')));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw refused(folder, REASONS[code]?.() ?? m.start_folder_system_says({ code }));
  }
}

/** Those that are not there yet, the outermost first. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  let place = folder;
  let found: Stats | undefined;
  while (!(found = statSync(place, { throwIfNoEntry: false })) && dirname(place) !== place) {
    missing.unshift(place);
    place = dirname(place);
  }
  if (found && !found.isDirectory()) throw refused(folder, m.start_folder_is_file({ path: place }));
  return missing;
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch (error) {
    // Another process made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const refused = (folder: string, reason: string) =>
  new StartupError(m.start_folder_unusable({ folder, reason }));

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
