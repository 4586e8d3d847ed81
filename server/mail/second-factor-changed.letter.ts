import type { JobData } from '#platform/jobs/job-map.js';
import { moment, renderLetter, salutation, type RenderedLetter } from './letter.js';

type Change = JobData<'mail', 'second-factor-changed'>['change'];

/** What happened, as a subject and in a sentence that goes on with the time. */
const WORDS: Record<Change, { subject: string; happened: string }> = {
  'code-app-added': {
    subject: 'A code app was added to your account',
    happened: 'A code app was added: from now on, logging in takes a code of it beside the password.',
  },
  'code-app-removed': {
    subject: 'The code app was removed from your account',
    happened: 'The code app was removed: its codes are no longer asked for.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    happened: 'A passkey was added: it logs you in without the password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account',
    happened: 'A passkey was removed: it can no longer log you in.',
  },
  'recovery-codes-renewed': {
    subject: 'Your recovery codes were made anew',
    happened: 'New recovery codes were made: the former ones are worth nothing any more.',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used to log in',
    happened: 'Somebody logged in with your password and one of your recovery codes, which is used up now.',
  },
  reset: {
    subject: 'Your second factor was taken off',
    happened:
      'The library took off your code app, passkeys and recovery codes. You were logged out everywhere, and the password alone is enough to log in again.',
  },
};

/** Tells the owner that something about their second factor changed. It carries no token. */
export function secondFactorChangedLetter(to: {
  firstname: string;
  change: Change;
  at: Date;
  /** The library's. */
  timeZone: string;
  site: string;
  library: string;
}): RenderedLetter {
  const { subject, happened } = WORDS[to.change];
  return renderLetter({
    subject,
    heading: subject,
    paragraphs: [
      salutation(to.firstname),
      `${happened} It happened at ${to.library} on ${moment(to.at, to.timeZone)}.`,
      'If it was not you, somebody knows your password: set a new one at once, which logs everybody out, then look at your second factors, and tell the library.',
    ],
    button: { label: 'It was not me: ask for a new password', url: `${to.site}/#/forgot-password` },
    notes: ['If it was you, you need not do anything.'],
    sender: to.library,
  });
}
