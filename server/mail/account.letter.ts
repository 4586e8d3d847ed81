import type { JobData } from '#platform/jobs/job-map.js';
import { moment, renderLetter, type Addressee, type RenderedLetter } from './letter.js';

/**
 * The letter that asks a new reader to confirm their email address.
 * @param link carries the one-time token
 */
export function confirmEmailLetter(to: Addressee & { link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: 'Please confirm your email address',
    heading: 'One step to your library card',
    paragraphs: [
      `Thank you for registering at ${to.library}. Please confirm your email address. Then you can sign in and borrow books.`,
    ],
    button: { label: 'Confirm my email address', url: to.link },
    notes: [
      'The link works once, within 24 hours.',
      'If you did not register, there is nothing you need to do.',
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
      `Somebody, presumably you, asked for a new password at ${to.library}. Choose it here. You will then be signed out everywhere and can sign in with the new password.`,
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      'The link works once, within an hour. Only the latest one we sent works.',
      'If you did not ask, there is nothing you need to do: your password stays as it is.',
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
      `The password of your account at ${to.library} was changed on ${moment(to.changedAt, to.timeZone)}. You were signed out ${where} and can sign in with the new password.`,
      'If it was not you, somebody can read your email. Secure your mailbox first, then ask for a new password and tell the library.',
    ],
    button: { label: 'It was not me: ask for a new password', url: to.link },
    notes: ['If it was you, there is nothing you need to do.'],
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
    subject: 'Somebody tried to sign in to your account',
    paragraphs: [
      `On ${moment(to.at, to.timeZone)} somebody tried many wrong ${to.secret}s for your account at ${to.library}. None was right. We slow down such attempts.`,
      isPassword
        ? 'You can still sign in where you have signed in before. On a new device you may have to wait five minutes.'
        : 'Whoever did it knows your password. Please choose a new one at once. You can still sign in where you have signed in before, and with a passkey or a recovery code anywhere. On a new device you may have to wait before a code from your app is accepted.',
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      ...(isPassword ? ['You need a new password only if yours is short or used elsewhere.'] : []),
      'We send this at most once a day, however many attempts there are.',
    ],
  });
}

type Change = JobData<'mail', 'second-factor-changed'>['change'];

/** What happened, as a subject and in a sentence that goes on with the time. */
const WORDS: Record<Change, { subject: string; happened: string }> = {
  'code-app-added': {
    subject: 'An authenticator app was added to your account',
    happened: 'An authenticator app was added. Signing in now takes a code from it as well as the password.',
  },
  'code-app-removed': {
    subject: 'The authenticator app was removed from your account',
    happened: 'The authenticator app was removed. Its codes are no longer needed.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    happened: 'A passkey was added. It signs you in without the password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account',
    happened: 'A passkey was removed. It no longer signs you in.',
  },
  'recovery-codes-renewed': {
    subject: 'You have new recovery codes',
    happened: 'New recovery codes were made. The old ones no longer work.',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used to sign in',
    happened: 'Somebody signed in with your password and one of your recovery codes, which is now used up.',
  },
  reset: {
    subject: 'Your second factor was removed',
    happened:
      'The library removed your authenticator app, passkeys and recovery codes. You were signed out everywhere, and your password alone is enough to sign in again.',
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
      'If it was not you, somebody knows your password. Choose a new one at once, which signs everybody out, then check your second factors and tell the library.',
    ],
    button: { label: 'It was not me: ask for a new password', url: `${to.site}/#/forgot-password` },
    notes: ['If it was you, there is nothing you need to do.'],
  });
}
