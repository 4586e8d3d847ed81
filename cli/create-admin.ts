import { UNTOLD_PERSON } from '#contracts/accounts/untold-person.js';
import { commandLine } from './command-line.js';

const HELP = `
The password is asked for on the terminal and not shown, or read from standard input with --password-stdin; it is never
an argument. The account may sign in at once: its email address counts as confirmed.
With --existing an account that is there becomes an admin, and its password stays.
Either is recorded for good in the account's record of roles, as done on the command line.

The product may be running; DATABASE_URL is used where it is set. What is not told of the person below can be filled in
later, by an admin in the list of readers.

Exit code: 0 when the account is an admin, 1 when nothing was changed.`;

await commandLine('create-admin', 'Makes an account that is an admin, or makes an account an admin.', 1)
  .option('--username <name>', 'to sign in with; required')
  .option('--email <address>', 'required for a new account, and nobody else’s')
  .option('--existing', 'give the role to the account of that name, or confirmed address')
  .option('--password-stdin', 'read the password from standard input')
  .option('--firstname <name>', 'of the person', UNTOLD_PERSON.firstname)
  .option('--lastname <name>', 'of the person', UNTOLD_PERSON.lastname)
  .option('--date-of-birth <day>', 'as yyyy-MM-dd', UNTOLD_PERSON.dateOfBirth)
  .option('--gender <gender>', 'Male, Female or Other', UNTOLD_PERSON.gender)
  .option('--country <name>', 'in English', UNTOLD_PERSON.country)
  .option('--city <name>', 'where the person lives', UNTOLD_PERSON.city)
  .option('--address <street>', 'street and number', UNTOLD_PERSON.adress)
  .option('--postal-code <code>', 'of the city', UNTOLD_PERSON.postalCode)
  .run(HELP, () => import('./create-admin-run.js'));
