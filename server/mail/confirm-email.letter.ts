import { renderLetter, type RenderedLetter } from './letter.js';

/** A name that can be nothing but a name: whoever registers a stranger's address cannot write to him by this letter. */
const PLAIN_NAME = /^[\p{L}\p{M}' -]{1,40}$/u;

/**
 * The letter that asks a new reader to confirm his e-mail address.
 * @param link carries the one-time token
 */
export function confirmEmailLetter(to: { firstname: string; link: string; library: string }): RenderedLetter {
  const name = PLAIN_NAME.test(to.firstname) ? to.firstname : 'reader';
  return renderLetter({
    subject: 'Please confirm your e-mail address',
    heading: 'One step to your library card',
    paragraphs: [
      `Dear ${name},`,
      `Thank you for registering at ${to.library}. Please confirm that this is your e-mail address; then you can sign in and borrow books.`,
    ],
    button: { label: 'Confirm my e-mail address', url: to.link },
    notes: [
      'The link works once, within 24 hours.',
      'If it was not you who registered, you need not do anything.',
    ],
    sender: to.library,
  });
}
