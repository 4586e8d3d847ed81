import { createInterface } from 'node:readline/promises';
import * as m from '#words/messages.js';
import { openDataSource } from '#platform/database/data-source.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { whoMay } from '#platform/database/who-may.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { readSettings } from '#platform/settings.js';
import { findUndecided, skipEvent, type Decision, type UndecidedEvent } from '../projections/skip-event.js';
import { passwordMatches } from '../server/accounts/passwords/passwords.js';
import { accountNamed } from './account-named.js';
import { askPresentPassword } from './ask-password.js';
import { withEventLog } from './event-log-services.js';
import { Refused } from './command-line.js';

interface Options {
  stream: string;
  revision: string;
  code: Decision['code'];
  reason: string;
  by: string;
  passwordStdin?: true;
  yes?: true;
}

export async function run({
  stream,
  revision,
  code,
  reason,
  by,
  passwordStdin,
  yes,
}: Options): Promise<void> {
  if (!/^\d+$/.test(revision)) throw new Refused(m.cli_skip_no_revision({ revision }));
  if (reason.trim() === '') throw new Refused(m.cli_skip_say_why());
  if (passwordStdin && !yes) throw new Refused(m.cli_skip_unconfirmed());
  const password = await askPresentPassword(by, passwordStdin === true).catch(refused);
  await withEventLog(readSettings(), async (databaseUrl, log) => {
    await migrate(databaseUrl);
    const database = openDatabase(databaseUrl, 2, createLogger('error'));
    try {
      const decider = await proven(database, by, password);
      const found = await findUndecided(log, stream, BigInt(revision)).catch(refused);
      if (!yes) await confirm(stream, found);
      await skipEvent(log, database, found, { code, reason, by: decider, at: new Date() }).catch(refused);
      process.stdout.write(`${m.cli_skipped({ ...described(stream, found), code })}\n`);
    } finally {
      await database.end();
    }
  });
}

/** What the log calls the admin who has that password. */
async function proven(database: Database, name: string, password: string): Promise<string> {
  const { manager } = await openDataSource(database);
  const { id, pseudonym } = await accountNamed(manager, name).catch(refused);
  const account = await manager.findOne(AccountEntity, { where: { id }, select: { passwordHash: true } });
  if (!(await passwordMatches(account?.passwordHash, password))) {
    throw new Refused(m.cli_skip_wrong_password({ name }));
  }
  const operates = manager
    .createQueryBuilder(AccountEntity, 'account')
    .where({ id })
    .andWhere(whoMay('system'));
  if (!(await operates.getExists())) throw new Refused(m.cli_skip_not_allowed({ name }));
  return pseudonym;
}

async function confirm(stream: string, found: UndecidedEvent): Promise<void> {
  process.stdout.write(
    `${m.cli_skip_event_shown({
      ...described(stream, found),
      ...{ at: found.created.toISOString(), position: String(found.position), why: found.why },
    })}\n`,
  );
  if (!process.stdin.isTTY) throw new Refused(m.cli_skip_no_terminal());
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(m.cli_skip_question());
  terminal.close();
  if (answer.trim().toLowerCase() !== m.cli_yes()) throw new Refused(m.cli_nothing_changed());
}

const described = (stream: string, { type, revision }: UndecidedEvent) => ({
  ...{ stream, type, revision: String(revision) },
});

/** An error that is a plain sentence is an answer; others are failures. */
function refused(error: Error): never {
  throw error.constructor === Error && !('code' in error) ? new Refused(error.message) : error;
}
