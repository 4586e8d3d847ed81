import { renderLetter, salutation, type RenderedLetter } from './letter.js';

/**
 * The letter with the link that sets a new password.
 * @param link carries the one-time token
 */
export function resetPasswordLetter(to: {
  firstname: string;
  link: string;
  library: string;
}): RenderedLetter {
  return renderLetter({
    subject: 'Choose a new password',
    heading: 'A new password for your account',
    paragraphs: [
      salutation(to.firstname),
      `Somebody, presumably you, asked for a new password at ${to.library}. Please choose it here. When you have, you are logged out everywhere and log in with the new one.`,
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      'The link works once, within an hour. Only the latest one that we have sent to you works.',
      'If it was not you who asked, you need not do anything: your password stays as it is.',
    ],
    sender: to.library,
  });
}
