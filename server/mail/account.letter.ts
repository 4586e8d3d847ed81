import type { JobData } from '#platform/jobs/job-map.js';
import { moment, renderLetter, type Addressee, type RenderedLetter } from './letter.js';

/**
 * The letter that asks a new reader to confirm their e-mail address.
 * @param link carries the one-time token
 */
export function confirmEmailLetter(to: Addressee & { link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: 'Please confirm your e-mail address',
    heading: 'One step to your library card',
    paragraphs: [
      `Thank you for registering at ${to.library}. Please confirm that this is your e-mail address; then you can log in and borrow books.`,
    ],
    button: { label: 'Confirm my e-mail address', url: to.link },
    notes: [
      'The link works once, within 24 hours.',
      'If it was not you who registered, you need not do anything.',
    ],
  });
}

/**
 * The letter with the link that sets a new password.
 * @param link carries the one-time token
 */
export function resetPasswordLetter(to: Addressee & { link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: 'Choose a new password',
    heading: 'A new password for your account',
    paragraphs: [
      `Somebody, presumably you, asked for a new password at ${to.library}. Please choose it here. When you have, you are logged out everywhere and log in with the new one.`,
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      'The link works once, within an hour. Only the latest one that we have sent to you works.',
      'If it was not you who asked, you need not do anything: your password stays as it is.',
    ],
  });
}

/**
 * The letter to somebody whom a librarian has registered.
 * @param link carries the one-time token
 */
export function invitationLetter(to: Addressee & { username: string; link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: 'Welcome to the library',
    heading: 'You are registered',
    paragraphs: [
      `You were registered as a reader of ${to.library}. To reserve, renew and pay from home, choose a password here. Your username is ${to.username}.`,
    ],
    button: { label: 'Choose a password', url: to.link },
    notes: [
      'The link works once, within 14 days. Without it, your card is all you need at the desk.',
      'If you did not ask to be registered, please tell the library.',
    ],
  });
}

/**
 * Reports a changed password. It carries no token: the link leads to the page where a new password can be
 * requested.
 */
export function passwordChangedLetter(
  to: Addressee & {
    changedAt: Date;
    /** The library's. */
    timeZone: string;
    /** Signed out elsewhere alone. */
    elsewhere?: boolean;
    link: string;
  },
): RenderedLetter {
  const where = to.elsewhere === true ? 'everywhere else' : 'everywhere';
  return renderLetter(to, {
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${to.library} was changed on ${moment(to.changedAt, to.timeZone)}. You were logged out ${where} and can log in with the new password.`,
      'If it was not you, somebody can read your e-mails: secure your mailbox first, then ask for a new password, and tell the library.',
    ],
    button: { label: 'It was not me: ask for a new password', url: to.link },
    notes: ['If it was you, you need not do anything.'],
  });
}

/** Reports that somebody guesses the password, or, knowing it, codes of the app. It carries no token: the link leads to where a new one can be asked for. */
export function passwordGuessingLetter(
  to: Addressee & {
    at: Date;
    /** The library's. */
    timeZone: string;
    secret: 'password' | 'code';
    link: string;
  },
): RenderedLetter {
  const isPassword = to.secret === 'password';
  return renderLetter(to, {
    subject: 'Somebody tried to log in with your name',
    paragraphs: [
      `On ${moment(to.at, to.timeZone)} somebody had tried many wrong ${to.secret}s for your account at ${to.library}. None was right. We slow such attempts down.`,
      isPassword
        ? 'You can go on logging in where you have done so before. On a new device you may be asked to wait for five minutes.'
        : 'Who did it knows your password: please choose a new one at once. You can go on logging in where you have done so before, and with a passkey or a recovery code anywhere. With a code of your app you may be asked to wait on a new device.',
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      ...(isPassword ? ['A new password is needed only if yours is short, or used elsewhere too.'] : []),
      'We write this at most once a day, however many attempts there are.',
    ],
  });
}

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
export function secondFactorChangedLetter(
  to: Addressee & {
    change: Change;
    at: Date;
    /** The library's. */
    timeZone: string;
    site: string;
  },
): RenderedLetter {
  const { subject, happened } = WORDS[to.change];
  return renderLetter(to, {
    subject,
    paragraphs: [
      `${happened} It happened at ${to.library} on ${moment(to.at, to.timeZone)}.`,
      'If it was not you, somebody knows your password: set a new one at once, which logs everybody out, then look at your second factors, and tell the library.',
    ],
    button: { label: 'It was not me: ask for a new password', url: `${to.site}/#/forgot-password` },
    notes: ['If it was you, you need not do anything.'],
  });
}
