import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, type Settings } from '#platform/settings.js';
import { finishExchange } from '../embedded/backup/exchange.js';
import { claimFolder } from '../embedded/data-folder-claim.js';
import { rotateSessionSecret, SESSION_SECRET_FILES } from '../embedded/kept-session-secret.js';
import { SESSION_HOURS } from '../server/accounts/begin-session.js';
import { commandLine } from './command-line.js';

const HELP = `
--sessions makes a new secret in place of the one in DATA_DIR that signs sessions. Who is signed in stays so: the old
one is accepted until the last session that it signed has run out, ${SESSION_HOURS} hours later. Where somebody else may
know it, add --at-once: it is not accepted any longer, and everybody signs in again.

Lectern must not be running on DATA_DIR. Where JWT_SECRET is set, change it there, and keep what it was in
JWT_SECRET_PREVIOUS for ${SESSION_HOURS} hours; docs/operations.md tells in which order.

Exit code: 0 when the secrets are new, 1 when nothing was changed.`;

const command = commandLine('rotate-secrets', 'Makes new secrets in place of those that DATA_DIR keeps.', 1)
  .option('--sessions', 'the one that signs sessions')
  .option('--at-once', 'accept the old one no longer: ends every session')
  .addHelpText('after', HELP)
  .action(run);

async function run({ sessions, atOnce }: { sessions?: true; atOnce?: true }): Promise<void> {
  if (!sessions) throw new Error('Say which one to change: --sessions.');
  const settings = readSettings();
  refuseOwnSecret(settings);
  const folder = resolve(settings.DATA_DIR);
  if (!existsSync(folder)) throw new Error(`There is no library in ${folder}. Set DATA_DIR.`);
  const claim = await claimFolder(folder);
  if (!claim) throw new Error(`Lectern runs on ${folder}. Stop it first.`);
  try {
    await finishExchange(folder);
    if (!existsSync(join(folder, SESSION_SECRET_FILES.current))) {
      throw new Error(`There is no secret in ${folder}: the first start makes one.`);
    }
    const now = new Date();
    const until = atOnce ? now : new Date(now.getTime() + SESSION_HOURS * 3_600_000);
    rotateSessionSecret(folder, until);
    process.stdout.write(
      atOnce
        ? 'Sessions are signed with a new secret. Everybody has to sign in again.\n'
        : `Sessions are signed with a new secret. The old one is accepted until ${until.toISOString()}.\n`,
    );
  } finally {
    await claim.release();
  }
}

function refuseOwnSecret({ JWT_SECRET }: Settings): void {
  if (JWT_SECRET === undefined) return;
  throw new Error(
    'JWT_SECRET is set: change it there, and keep what it was in JWT_SECRET_PREVIOUS for a while.',
  );
}

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
