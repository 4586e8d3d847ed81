import { resolve } from 'node:path';
import {
  disabledForPublic,
  SHARED_ADDRESS_WARNING,
  sharesOneAddress,
  publicExposure,
} from '#platform/exposure.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { PUBLISHED_PASSWORDS } from '../server/accounts/passwords/published-passwords.js';
import type { Demo } from './demo/seed-demo.js';

interface Started {
  url: string;
  /** With the mailbox's address, where there is one. */
  settings: ResolvedSettings;
  /** Nothing where the data is not in the embedded services. */
  demo: Demo | undefined;
  mailboxToken: string | undefined;
  /** Where nobody has an account yet. */
  setUpCode: string | undefined;
}

/** What the person at the terminal needs to go on, and nothing else. */
export function banner({ url, settings, demo, mailboxToken, setUpCode }: Started): string {
  const lines: [string, string][] = [['Address', url]];
  if (setUpCode !== undefined) lines.push(['Set it up', `${url}/#/set-up?code=${setUpCode}`]);
  if (demo?.isOn) accounts(demo).forEach((line, index) => lines.push([index === 0 ? 'Accounts' : '', line]));
  if (mailboxToken !== undefined) lines.push(['Mailbox', `${url}/dev/mail?token=${mailboxToken}`]);
  lines.push(['Data', resolve(settings.DATA_DIR)]);
  const body = lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`).join('\n');
  return `\n  Lectern is open.\n\n${body}\n${notices(settings, demo)}\n  Ctrl-C closes it.\n\n`;
}

function accounts({ own }: Demo): string[] {
  const names = [...PUBLISHED_PASSWORDS.keys()];
  if (!own)
    return [...PUBLISHED_PASSWORDS].map(([username, password]) => `${username.padEnd(8)} ${password}`);
  const where = `the password of all three is in ${own.file}`;
  return own.isNew
    ? [...names.map((username) => `${username.padEnd(8)} ${own.password}`), `not told again: ${where}`]
    : [`${names.join(', ')}: ${where}`];
}

/** What is off, why, and how it is turned on. */
function notices(settings: ResolvedSettings, demo: Demo | undefined): string {
  const off = disabledForPublic(settings, { isEmbedded: demo !== undefined });
  const sentences = [
    ...(off.length > 0
      ? [`Others may reach it (${publicExposure(settings)}), so these are off: ${off.join(', ')}.`]
      : []),
    ...(sharesOneAddress(settings) ? [SHARED_ADDRESS_WARNING] : []),
    ...(settings.SMTP_URL === undefined
      ? ['Letters wait, as there is no mail server: set SMTP_URL. Until then nobody can register.']
      : []),
    ...(demo && demo.closed.length > 0
      ? [
          `${demo.closed.join(', ')} of the demo can no longer sign in. Make an admin: npm run create-admin -- --help`,
        ]
      : []),
  ];
  return sentences.map((sentence) => `\n  ${sentence}\n`).join('');
}
