import { resolve } from 'node:path';
import * as m from '#words/messages.js';
import { disabledForPublic, exposingSetting, sharesOneAddress } from '#platform/exposure.js';
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
  const lines: [string, string][] = [[m.start_address(), url]];
  if (setUpCode !== undefined) lines.push([m.start_set_up(), `${url}/#/set-up?code=${setUpCode}`]);
  if (demo?.isOn)
    accounts(demo).forEach((line, index) => lines.push([index === 0 ? m.start_accounts() : '', line]));
  if (mailboxToken !== undefined) lines.push([m.start_mailbox(), `${url}/dev/mail?token=${mailboxToken}`]);
  lines.push([m.start_data(), resolve(settings.DATA_DIR)]);
  const body = lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`).join('\n');
  return `\n  ${m.start_open()}\n\n${body}\n${notices(settings, demo)}\n  ${m.start_closes()}\n\n`;
}

function accounts({ own }: Demo): string[] {
  const names = [...PUBLISHED_PASSWORDS.keys()];
  if (!own)
    return [...PUBLISHED_PASSWORDS].map(([username, password]) => `${username.padEnd(8)} ${password}`);
  const { file } = own;
  return own.isNew
    ? [
        ...names.map((username) => `${username.padEnd(8)} ${own.password}`),
        m.start_demo_password_new({ file }),
      ]
    : [m.start_demo_password({ names: names.join(', '), file })];
}

/** What is off, why, and how it is turned on. */
function notices(settings: ResolvedSettings, demo: Demo | undefined): string {
  const off = disabledForPublic(settings, { isEmbedded: demo !== undefined });
  const exposing = exposingSetting(settings);
  const sentences = [
    ...(exposing && off.length > 0 ? [m.start_exposed({ ...exposing, off: off.join(', ') })] : []),
    ...(sharesOneAddress(settings) ? [m.start_shared_address()] : []),
    ...(settings.SMTP_URL === undefined ? [m.start_letters_wait()] : []),
    ...(demo && demo.closed.length > 0 ? [m.start_demo_closed({ names: demo.closed.join(', ') })] : []),
  ];
  return sentences.map((sentence) => `\n  ${sentence}\n`).join('');
}
