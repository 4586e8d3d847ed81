import { resolve } from 'node:path';
import type { ResolvedSettings } from '#platform/settings.js';
import { DEMO_ACCOUNTS } from './demo/demo-accounts.js';

/** What the person at the terminal needs to go on, and nothing else. */
export function banner(started: {
  url: string;
  settings: ResolvedSettings;
  isDemo: boolean;
  hasMailbox: boolean;
}): string {
  const { url, settings, isDemo, hasMailbox } = started;
  const lines: [string, string][] = [['Address', url]];
  if (isDemo) {
    DEMO_ACCOUNTS.forEach(({ username, password }, index) => {
      lines.push([index === 0 ? 'Accounts' : '', `${username.padEnd(8)} ${password}`]);
    });
  }
  if (hasMailbox) lines.push(['Mailbox', `${url}/dev/mail`]);
  lines.push(['Data', resolve(settings.DATA_DIR)]);
  const body = lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`).join('\n');
  return `\n  Lectern is open.\n\n${body}\n\n  Ctrl-C closes it.\n\n`;
}
