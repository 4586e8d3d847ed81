import type { DataSource } from 'typeorm';
import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction } from '#platform/database/database.js';
import { readSettings } from '#platform/settings.js';
import { changeRoles, COMMAND_LINE } from '../server/accounts/readers/readers.commands.js';
import { createAdmin } from '../server/accounts/first-admin.js';
import { hashPassword } from '../server/accounts/passwords/passwords.js';
import { register } from '#contracts/accounts/account-calls.js';
import { accountNamed } from './account-named.js';
import { askPassword, warnOfWeakPassword } from './ask-password.js';
import { withDataSource } from './catalogue-database.js';

interface Options {
  username?: string;
  email?: string;
  existing?: true;
  passwordStdin?: true;
  firstname: string;
  lastname: string;
  dateOfBirth: string;
  gender: string;
  country: string;
  city: string;
  address: string;
  postalCode: string;
}

export async function run(options: Options): Promise<void> {
  const settings = readSettings();
  const { username } = options;
  if (username === undefined) throw new Error(m.cli_admin_who());
  if (options.existing) {
    await withDataSource(settings, (source) => promote(source, username));
    return;
  }
  if (options.email === undefined) throw new Error(m.cli_admin_needs_address());
  const password = await askPassword(options.passwordStdin === true);
  const { firstname, lastname, dateOfBirth, gender, country, city, address, postalCode } = options;
  const checked = register.body.safeParse({
    ...{ username, email: options.email, password, confirmPassword: password },
    ...{ firstname, lastname, dateOfBirth, gender, country, city, adress: address, postalCode },
  });
  if (!checked.success) {
    throw new Error(checked.error.issues.map(({ message }) => message).join('\n'));
  }
  const { confirmPassword: _confirmed, password: _password, ...person } = checked.data;
  await warnOfWeakPassword(settings, password, person);
  const passwordHash = await hashPassword(password);
  await withDataSource(settings, (source) =>
    inTransaction(source, async (manager) => {
      await createAdmin(manager, { ...person, passwordHash }, new Date()).catch(sayHowElse);
    }),
  );
  process.stdout.write(`${m.cli_admin_may_sign_in({ name: person.username })}\n`);
}

function sayHowElse(error: unknown): never {
  if (!(error instanceof DomainError && error.code === 'UsernameTaken')) throw error;
  throw new Error(m.cli_admin_use_existing({ taken: error.message }), { cause: error });
}

async function promote(source: DataSource, name: string): Promise<void> {
  const { id, username, emailConfirmed } = await accountNamed(source.manager, name);
  await inTransaction(source, (manager, connection) =>
    changeRoles(manager, connection, {
      accountId: id,
      wanted: (present) => [...present, 'Admin'],
      by: COMMAND_LINE,
      at: new Date(),
    }),
  );
  process.stdout.write(`${m.cli_is_admin({ name: username })}\n`);
  if (!emailConfirmed) process.stdout.write(`${m.cli_address_unconfirmed()}\n`);
}
