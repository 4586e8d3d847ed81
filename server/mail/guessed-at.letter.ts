import { renderLetter, salutation, type RenderedLetter } from './letter.js';

/** Reports that somebody guesses the password. It carries no token: the link leads to where a new one can be asked for. */
export function guessedAtLetter(to: {
  firstname: string;
  at: Date;
  link: string;
  library: string;
}): RenderedLetter {
  const at = to.at.toISOString();
  return renderLetter({
    subject: 'Somebody tried to sign in with your name',
    heading: 'Somebody tried to sign in with your name',
    paragraphs: [
      salutation(to.firstname),
      `On ${at.slice(0, 10)} at ${at.slice(11, 16)} (UTC) somebody had tried many wrong passwords for your account at ${to.library}. None was right. We slow such attempts down.`,
      'You can go on signing in where you have done so before. On a new device you may be asked to wait for five minutes.',
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      'A new password is needed only if yours is short, or used elsewhere too.',
      'We write this at most once a day, however many attempts there are.',
    ],
    sender: to.library,
  });
}
