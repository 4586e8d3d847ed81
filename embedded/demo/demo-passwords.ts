import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDataSource } from '#platform/database/data-source.js';
import type { Database } from '#platform/database/database.js';
import { replacePassword, PUBLISHED_PASSWORDS } from '../../server/accounts/passwords/published-passwords.js';
import { storedSecret } from '../durable-file.js';

/** The password that all demo accounts of a data folder have where strangers come. */
export interface DemoPassword {
  password: string;
  file: string;
  /** Made by this start: then the person is told. Later ones only name the file. */
  isNew: boolean;
}

export function ownDemoPassword(dataDir: string): DemoPassword {
  const file = join(dataDir, 'demo-password');
  const isNew = !existsSync(file);
  return { file, isNew, password: storedSecret(file, () => randomBytes(15).toString('base64url')) };
}

/**
 * Gives the demo accounts the passwords that fit where the product is started: published ones on this machine alone,
 * else the folder's own. A password that a person chose stays.
 * @returns whose password was exchanged
 */
export async function replaceDemoPasswords(
  database: Database,
  { dataDir, isPublic }: { dataDir: string; isPublic: boolean },
): Promise<string[]> {
  // The usual start: there is no other password that they could have.
  if (!isPublic && !existsSync(join(dataDir, 'demo-password'))) return [];
  const { manager } = await openDataSource(database);
  const own = () => ownDemoPassword(dataDir).password;
  const exchanged: string[] = [];
  for (const [username, published] of PUBLISHED_PASSWORDS) {
    const [from, to] = isPublic ? [published, own] : [own(), () => published];
    if (await replacePassword(manager, username, from, to)) exchanged.push(username);
  }
  return exchanged;
}
