import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLogger } from '#platform/logging.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { finishExchange } from '../embedded/backup/exchange.js';
import { claimFolder } from '../embedded/data-folder-claim.js';
import { rotateSessionSecret, SESSION_SECRET_FILES } from '../embedded/kept-session-secret.js';
import { renewStoreSecret } from '../embedded/event-store-secret.js';
import { withInstallation } from '../embedded/installation.js';
import { DATABASE } from '../embedded/postgres/owner-role.js';
import { runningPostgres } from '../embedded/postgres/postgres-server.js';
import { changeSuperuserPassword } from '../embedded/postgres/superuser-password.js';
import { SESSION_HOURS } from '../server/accounts/begin-session.js';
import { commandLine } from './command-line.js';
import { refuseNoLibrary } from './event-log-services.js';

const HELP = `
--sessions makes a new secret in place of the one in DATA_DIR that signs sessions. Who is signed in stays so: the old
one is accepted until the last session that it signed has run out, ${SESSION_HOURS} hours later. Where somebody else may
know it, add --at-once: it is not accepted any longer, and everybody signs in again.

--store makes a new secret of the embedded event store, and --database a new password of the superuser of the embedded
PostgreSQL. The product may be running: it takes the store's secret up by itself, and the old one is accepted for a minute
more, or not at all with --at-once. Every start makes the store's secret and the password of the product's own role anew
by itself.

For --sessions Lectern must not be running on DATA_DIR. Where JWT_SECRET is set, change it there, and keep what it was in
JWT_SECRET_PREVIOUS for ${SESSION_HOURS} hours; docs/operations.md tells in which order.

Exit code: 0 when the secrets are new, 1 when nothing was changed.`;

const command = commandLine('rotate-secrets', 'Makes new secrets in place of those that DATA_DIR keeps.', 1)
  .option('--sessions', 'the one that signs sessions')
  .option('--store', 'the one that the event store demands')
  .option('--database', 'the password of the superuser of PostgreSQL')
  .option('--at-once', 'accept the old ones no longer: of sessions, this ends every one')
  .addHelpText('after', HELP)
  .action(run);

interface Wanted {
  sessions?: true;
  store?: true;
  database?: true;
  atOnce?: true;
}

async function run({ sessions, store, database, atOnce }: Wanted): Promise<void> {
  if (!sessions && !store && !database)
    throw new Error('Say which ones to change: --sessions, --store or --database.');
  const settings = readSettings();
  if (sessions) await renewSessionSecret(settings, atOnce);
  if (store || database) {
    refuseNoLibrary(settings, 'Set DATA_DIR.');
    refuseOtherOwner(resolve(settings.DATA_DIR, 'postgres', 'password'));
  }
  if (store) await renewStore(settings, atOnce);
  if (database) await renewDatabasePassword(settings);
}

/** What root writes, the product of another user could not read. */
function refuseOtherOwner(file: string): void {
  if (process.getuid === undefined || !existsSync(file) || statSync(file).uid === process.getuid()) return;
  throw new Error(`${file} belongs to another user: run this as the one who runs Lectern.`);
}

async function renewStore({ DATA_DIR, EVENTSTORE_URL }: Settings, atOnce?: true): Promise<void> {
  if (EVENTSTORE_URL !== undefined)
    throw new Error('EVENTSTORE_URL is set: change the password of that event store there.');
  renewStoreSecret(resolve(DATA_DIR), atOnce ? 'refused' : 'accepted');
  process.stdout.write(
    `The event store has a new secret. The old one is ${atOnce ? 'not accepted any longer' : 'accepted for a minute'}.\n`,
  );
}

async function renewDatabasePassword(settings: Settings): Promise<void> {
  if (settings.DATABASE_URL !== undefined)
    throw new Error('DATABASE_URL is set: change the password of that database there.');
  // No token is signed or verified here, so no secret is needed.
  await withInstallation({ ...settings, JWT_SECRET: '-' }, createLogger('error'), async () => {
    const folder = join(resolve(settings.DATA_DIR), 'postgres');
    await changeSuperuserPassword(folder, runningPostgres(folder).adminUrl(DATABASE));
  });
  process.stdout.write('The superuser of PostgreSQL has a new password.\n');
}

async function renewSessionSecret(settings: Settings, atOnce?: true): Promise<void> {
  refuseOwnSecret(settings);
  const folder = resolve(settings.DATA_DIR);
  if (!existsSync(folder)) throw new Error(`There is no library in ${folder}. Set DATA_DIR.`);
  refuseOtherOwner(join(folder, SESSION_SECRET_FILES.current));
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
