import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import * as m from '#words/messages.js';
import { passwordSchema } from '#contracts/accounts/account-requests.js';
import { inTransaction } from '#platform/database/database.js';
import type { AccountEntity } from '#platform/database/entities/account.entity.js';
import { publicUrl } from '#platform/public-url.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { forgetAttemptsAt } from '../server/accounts/rate-limiting/attempt-limit.js';
import { endSessions } from '../server/accounts/sessions/sessions.commands.js';
import { LINK_HOURS, makeLinkToken } from '../server/accounts/one-time-links.js';
import { hashPassword } from '../server/accounts/passwords/passwords.js';
import { setPassword } from '../server/accounts/passwords/password.commands.js';
import { addressOfRunning } from '../embedded/installation.js';
import { accountNamed } from './account-named.js';
import { askPassword, warnOfWeakPassword } from './ask-password.js';
import { withDataSource } from './catalogue-database.js';
import { refuseNoLibrary } from './event-log-services.js';

export async function run(name: string, { passwordStdin }: { passwordStdin?: true }): Promise<void> {
  const settings = readSettings();
  refuseNoLibrary(settings, m.cli_set_data_dir_or_database());
  const password = passwordStdin === true ? checked(await askPassword(true)) : undefined;
  await withDataSource(settings, async (source) => {
    const account = await accountNamed(source.manager, name);
    const done =
      password === undefined
        ? await makeLink(source, account, settings)
        : await setNow(source, account, password, settings);
    process.stdout.write(`${done}\n`);
    if (!account.emailConfirmed) process.stdout.write(`${m.cli_address_unconfirmed()}\n`);
  });
}

function checked(password: string): string {
  const result = passwordSchema.safeParse(password);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map(({ message }) => message).join('\n'));
}

async function makeLink(source: DataSource, account: AccountEntity, settings: Settings): Promise<string> {
  const token = await inTransaction(source, async (manager) => {
    await endSessions(manager, account.id);
    await forgetAttemptsAt(account.id, manager);
    return makeLinkToken(manager, account.id, 'reset-password', new Date());
  });
  const query = new URLSearchParams({ email: account.email, token }).toString();
  return m.cli_reset_link({
    link: `${siteUrl(settings)}/#/reset-password?${query}`,
    name: account.username,
    count: LINK_HOURS['reset-password'],
  });
}

/** The base of the link: PUBLIC_URL, else the address of a product that runs on the same data, else the default. */
function siteUrl(settings: Settings): string {
  const { PUBLIC_URL, DATABASE_URL } = settings;
  // What runs on the data folder need not be what works on that database.
  const running =
    PUBLIC_URL === undefined && DATABASE_URL === undefined ? addressOfRunning(settings) : undefined;
  return running ?? publicUrl(settings);
}

async function setNow(
  source: DataSource,
  account: AccountEntity,
  password: string,
  settings: Settings,
): Promise<string> {
  await warnOfWeakPassword(settings, password, account);
  const passwordHash = await hashPassword(password);
  await inTransaction(source, (manager) =>
    setPassword(manager, {
      accountId: account.id,
      passwordHash,
      at: new Date(),
      correlationId: randomUUID(),
    }),
  );
  return m.cli_password_is_new({ name: account.username });
}
