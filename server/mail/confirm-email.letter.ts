import { renderLetter, salutation, type RenderedLetter } from './letter.js';

/**
 * The letter that asks a new reader to confirm their e-mail address.
 * @param link carries the one-time token
 */
export function confirmEmailLetter(to: { firstname: string; link: string; library: string }): RenderedLetter {
  return renderLetter({
    subject: 'Please confirm your e-mail address',
    heading: 'One step to your library card',
    paragraphs: [
      salutation(to.firstname),
      `Thank you for registering at ${to.library}. Please confirm that this is your e-mail address; then you can log in and borrow books.`,
    ],
    button: { label: 'Confirm my e-mail address', url: to.link },
    notes: [
      'The link works once, within 24 hours.',
      'If it was not you who registered, you need not do anything.',
    ],
    sender: to.library,
  });
}
