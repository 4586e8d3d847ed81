import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as m from '#words/messages.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { finishSwap } from '../embedded/backup/folder-swap.js';
import { claimFolder } from '../embedded/data-folder.js';
import { rotateStoreSecret, rotateSessionSecret, SESSION_SECRET_FILES } from '../embedded/stored-secrets.js';
import { withInstallation } from '../embedded/installation.js';
import { refuseForeignFolder } from '../embedded/private-files.js';
import { DATABASE } from '../embedded/postgres/owner-role.js';
import { runningPostgres } from '../embedded/postgres/postgres-server.js';
import { changeSuperuserPassword } from '../embedded/postgres/superuser-password.js';
import { SESSION_HOURS } from '../server/accounts/sessions/begin-session.js';
import { refuseNoLibrary } from './event-log-services.js';

interface Wanted {
  sessions?: true;
  store?: true;
  database?: true;
  atOnce?: true;
}

export async function run({ sessions, store, database, atOnce }: Wanted): Promise<void> {
  if (!sessions && !store && !database) throw new Error(m.cli_rotate_which());
  const settings = readSettings();
  if (sessions) await renewSessionSecret(settings, atOnce);
  if (store || database) {
    refuseNoLibrary(settings, m.cli_set_data_dir());
    refuseForeignFolder('DATA_DIR', resolve(settings.DATA_DIR));
  }
  if (store) await renewStore(settings, atOnce);
  if (database) await renewDatabasePassword(settings);
}

async function renewStore({ DATA_DIR, EVENTSTORE_URL }: Settings, atOnce?: true): Promise<void> {
  if (EVENTSTORE_URL !== undefined) throw new Error(m.cli_rotate_own_store());
  rotateStoreSecret(resolve(DATA_DIR), atOnce ? 'refused' : 'accepted');
  process.stdout.write(`${atOnce ? m.cli_rotated_store_at_once() : m.cli_rotated_store()}\n`);
}

async function renewDatabasePassword(settings: Settings): Promise<void> {
  if (settings.DATABASE_URL !== undefined) throw new Error(m.cli_rotate_own_database());
  // No token is signed or verified here, so no secret is needed.
  await withInstallation({ ...settings, JWT_SECRET: '-' }, createLogger('error'), async () => {
    const folder = join(resolve(settings.DATA_DIR), 'postgres');
    await changeSuperuserPassword(folder, runningPostgres(folder).adminUrl(DATABASE));
  });
  process.stdout.write(`${m.cli_rotated_database()}\n`);
}

async function renewSessionSecret(settings: Settings, atOnce?: true): Promise<void> {
  refuseOwnSecret(settings);
  const folder = resolve(settings.DATA_DIR);
  if (!existsSync(folder)) {
    throw new Error(m.cli_no_library({ folder, otherwise: m.cli_set_data_dir() }));
  }
  refuseForeignFolder('DATA_DIR', folder);
  const claim = await claimFolder(folder);
  if (!claim) throw new Error(m.cli_runs_on_folder_stop({ folder }));
  try {
    await finishSwap(folder);
    if (!existsSync(join(folder, SESSION_SECRET_FILES.current))) {
      throw new Error(m.cli_no_session_secret({ folder }));
    }
    const now = new Date();
    const until = atOnce ? now : new Date(now.getTime() + SESSION_HOURS * 3_600_000);
    rotateSessionSecret(folder, until);
    process.stdout.write(
      `${atOnce ? m.cli_rotated_sessions_at_once() : m.cli_rotated_sessions({ until: until.toISOString() })}\n`,
    );
  } finally {
    await claim.release();
  }
}

function refuseOwnSecret({ JWT_SECRET }: Settings): void {
  if (JWT_SECRET === undefined) return;
  throw new Error(m.cli_rotate_own_secret());
}
