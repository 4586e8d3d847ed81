import { UNTOLD_PERSON } from '#contracts/accounts/untold-person.js';
import * as m from '#words/messages.js';
import { commandLine } from './command-line.js';

await commandLine('create-admin', 1, (command) =>
  command
    .description(m.cli_create_admin_does())
    .option('--username <name>', m.cli_create_admin_username())
    .option('--email <address>', m.cli_create_admin_email())
    .option('--existing', m.cli_create_admin_existing())
    .option('--password-stdin', m.cli_create_admin_password_stdin())
    .option('--firstname <name>', m.cli_create_admin_of_person(), UNTOLD_PERSON.firstname)
    .option('--lastname <name>', m.cli_create_admin_of_person(), UNTOLD_PERSON.lastname)
    .option('--date-of-birth <day>', m.cli_create_admin_day(), UNTOLD_PERSON.dateOfBirth)
    .option('--gender <gender>', m.cli_create_admin_gender(), UNTOLD_PERSON.gender)
    .option('--country <name>', m.cli_create_admin_country(), UNTOLD_PERSON.country)
    .option('--city <name>', m.cli_create_admin_city(), UNTOLD_PERSON.city)
    .option('--address <street>', m.cli_create_admin_street(), UNTOLD_PERSON.adress)
    .option('--postal-code <code>', m.cli_create_admin_postal_code(), UNTOLD_PERSON.postalCode)
    .run(m.cli_create_admin_help(), () => import('./create-admin-run.js')),
);
