import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import * as m from '#words/messages.js';
import { LOCKS, tryLock } from '#platform/database/locks.js';
import { storedSecret, writeDurably, readPrivate } from '../private-files.js';
import { DATABASE, SUPERUSER } from './owner-role.js';
import { tryToConnect, type ServerPlace } from './running-server.js';

const passwordFile = (folder: string) => join(folder, 'password');
/** While it is being changed: either of the two is right. */
const nextFile = (folder: string) => join(folder, 'password-next');

export const newPassword = () => randomBytes(24).toString('hex');

/** The superuser's password, made on first use. */
export function superuserPassword(folder: string): string {
  return storedSecret(passwordFile(folder), newPassword);
}

/**
 * Gives the superuser of a running server another password. A kill at any moment leaves one that `settlePassword` finds.
 * @param url the superuser's, of the library's database
 * @throws an Error while a backup is being made, which takes cluster and password along
 */
export async function changeSuperuserPassword(folder: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if (!(await tryLock(client, LOCKS.superuserPassword))) {
      throw new Error(m.cli_backup_under_way({ database: DATABASE }));
    }
    const password = newPassword();
    writeDurably(nextFile(folder), password);
    // A statement that fails would be logged with the password in it.
    await client.query("set log_min_error_statement = 'panic'");
    await client.query(`alter role ${SUPERUSER} password ${pg.escapeLiteral(password)}`);
    renameSync(nextFile(folder), passwordFile(folder));
  } finally {
    await client.end();
  }
}

/** Ends a change of the password that was killed, on the server that runs there. */
export async function settlePassword(folder: string, place: ServerPlace): Promise<void> {
  const next = nextFile(folder);
  if (!existsSync(next)) return;
  const isChanged = (await tryToConnect(place, join(folder, 'cluster'), readPrivate(next).trim())) === 'open';
  if (isChanged) renameSync(next, passwordFile(folder));
  else rmSync(next);
}
