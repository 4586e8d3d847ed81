import type { Settings } from '#platform/settings.js';
import { weaknessOf, type PasswordOwner } from '../server/accounts/passwords/weak-passwords.js';

/**
 * Warns on the terminal of a password that is easy to guess.
 * @throws an Error with the reason where `NODE_ENV=production`
 */
export async function warnOfWeakPassword(
  { NODE_ENV }: Pick<Settings, 'NODE_ENV'>,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const weakness = await weaknessOf(password, owner);
  if (weakness === undefined) return;
  if (NODE_ENV === 'production') throw new Error(`${weakness} Please choose another.`);
  process.stderr.write(`Beware: ${weakness} Where NODE_ENV=production it would be refused.\n`);
}
