import { moment, renderLetter, salutation, type RenderedLetter } from './letter.js';

/**
 * Reports a changed password. It carries no token: the link leads to the page where a new password can be
 * requested.
 */
export function passwordChangedLetter(to: {
  firstname: string;
  changedAt: Date;
  /** The library's. */
  timeZone: string;
  /** Signed out elsewhere alone. */
  elsewhere?: boolean;
  link: string;
  library: string;
}): RenderedLetter {
  const where = to.elsewhere === true ? 'everywhere else' : 'everywhere';
  return renderLetter({
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      salutation(to.firstname),
      `The password of your account at ${to.library} was changed on ${moment(to.changedAt, to.timeZone)}. You were logged out ${where} and can log in with the new password.`,
      'If it was not you, somebody can read your e-mails: secure your mailbox first, then ask for a new password, and tell the library.',
    ],
    button: { label: 'It was not me: ask for a new password', url: to.link },
    notes: ['If it was you, you need not do anything.'],
    sender: to.library,
  });
}
